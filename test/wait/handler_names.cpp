// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "wait/handler_names.hpp"

#include <boost/test/unit_test.hpp>

namespace
{

using weft::detail::first_argument_of_class;
using weft::detail::without_configuration;

} // namespace

BOOST_AUTO_TEST_SUITE(handler_names)

BOOST_AUTO_TEST_CASE(the_handler_is_the_first_argument)
{
    BOOST_TEST(first_argument_of_class("wait_op<f, request>::run(bool)") == "f");
    BOOST_TEST(
        first_argument_of_class("wait_op<f(int, int)::{lambda(a<b, c>)#1}, request>::run()") ==
        "f(int, int)::{lambda(a<b, c>)#1}");
    BOOST_TEST(first_argument_of_class("post_op<f<a, b> >::run()") == "f<a, b> ");
    BOOST_TEST(first_argument_of_class("f(int)").empty());
    BOOST_TEST(first_argument_of_class("").empty());
    BOOST_TEST(first_argument_of_class("cut<off") == "off");
}

BOOST_AUTO_TEST_CASE(the_configuration_is_left_out)
{
    BOOST_TEST(
        without_configuration("weft::detail::asio_1_x::op<weft::asio_1_x::m, weft::n>::f()") ==
        "weft::detail::op<weft::m, weft::n>::f()");
    BOOST_TEST(
        without_configuration(
            "weft::detail::asio_1_x::run<weft::detail::asio_traits>::f(weft::asio_1_x::m)") ==
        "weft::detail::run<weft::detail::asio_traits>::f(weft::m)");
    BOOST_TEST(without_configuration("asio_1_x::weft::asio_").find("asio_") == 0u);
}

BOOST_AUTO_TEST_CASE(coroutines_are_known_by_the_handlers_of_asio)
{
    BOOST_TEST(weft::detail::is_coroutine(
        "boost::asio::detail::awaitable_handler<boost::asio::any_io_executor, int>"));
    BOOST_TEST(!weft::detail::is_coroutine("f(int)::{lambda()#1}"));
    BOOST_TEST(!weft::detail::is_coroutine(
        "boost::asio::experimental::detail::parallel_group_op_handler<0ul, wait_for_one, "
        "boost::asio::detail::awaitable_async_op_handler<void ()> >"));
}

BOOST_AUTO_TEST_SUITE_END()
