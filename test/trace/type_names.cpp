// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "trace/type_names.hpp"

#include "platform/symbols.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using weft::detail::demangled;
using weft::detail::handler_name;
using weft::detail::symbols;

namespace
{

const std::string parameters = "::do_complete(void*, boost::asio::detail::scheduler_operation*, "
                               "boost::system::error_code const&, unsigned long)";

} // namespace

BOOST_AUTO_TEST_SUITE(trace_type_names)

BOOST_AUTO_TEST_CASE(a_posted_handler_is_called_by_its_type)
{
    BOOST_TEST(
        handler_name("weft::detail::asio_102600_epoll_with_typeid::post_op<main::{lambda()#1}, "
                     "std::allocator<void> >" +
                     parameters) == "main::{lambda()#1}");
    BOOST_TEST(handler_name("weft::detail::asio_102600_epoll::post_op<app::on_timer, "
                            "std::allocator<void> >" +
                            parameters) == "app::on_timer");
}

BOOST_AUTO_TEST_CASE(wrappers_are_taken_off)
{
    BOOST_TEST(
        handler_name("weft::detail::asio_1_x::post_op<boost::asio::detail::binder1<"
                     "boost::asio::executor_binder<f(int)::{lambda(int)#2}, "
                     "weft::asio_1_x::basic_executor<weft::io_context, std::allocator<void>, "
                     "0ul> >, int>, std::allocator<void> >" +
                     parameters) == "f(int)::{lambda(int)#2}");
}

BOOST_AUTO_TEST_CASE(asios_operations_have_the_handler_before_the_executor)
{
    BOOST_TEST(handler_name("boost::asio::detail::reactive_socket_recv_op<"
                            "boost::asio::mutable_buffers_1, (anonymous namespace)::session, "
                            "boost::asio::any_io_executor>" +
                            parameters) == "session");
    BOOST_TEST(handler_name("boost::asio::detail::wait_handler<timer_done, "
                            "boost::asio::any_io_executor>" +
                            parameters) == "timer_done");
    BOOST_TEST(
        handler_name("boost::asio::detail::epoll_reactor::descriptor_state" + parameters) == "I/O");
}

BOOST_AUTO_TEST_CASE(wefts_operations_have_the_handler_first)
{
    BOOST_TEST(
        handler_name("weft::detail::asio_1_x::wait_op<on_lock, weft::detail::asio_1_x::request<"
                     "weft::asio_1_x::basic_mutex<>::lock_kind>, memory>" +
                     parameters) == "on_lock");
}

BOOST_AUTO_TEST_CASE(what_is_no_operation_is_called_as_it_is)
{
    BOOST_TEST(handler_name("0x1234") == "0x1234");
    BOOST_TEST(handler_name("") == "");
    BOOST_TEST(handler_name("run(int)") == "run(int)");
    BOOST_TEST(handler_name("weft::detail::asio_1_x::strand_core" + parameters) == "strand_core");
}

BOOST_AUTO_TEST_CASE(names_are_never_long)
{
    std::string type = "inner";
    for (int i = 0; i != 30; ++i)
        type = "outer<" + type + ", second_argument>";
    std::string const name = handler_name(
        "weft::detail::asio_1::post_op<" + type + ", std::allocator<void> >" + parameters);
    BOOST_TEST(name.size() <= 120u);
    BOOST_TEST(name.compare(0, 6, "outer<") == 0);
    BOOST_TEST(handler_name(std::string(5000, 'a')).size() <= 120u);
    BOOST_TEST(handler_name(std::string(500, '<')).size() <= 120u);
    BOOST_TEST(handler_name(std::string(500, '>')).size() <= 120u);
}

BOOST_AUTO_TEST_CASE(operators_are_no_brackets)
{
    BOOST_TEST(
        handler_name("weft::detail::asio_1::post_op<set<x>::operator<(x const&)::{lambda()#1}, "
                     "std::allocator<void> >" +
                     parameters) == "set<x>::operator<(x const&)::{lambda()#1}");
    BOOST_TEST(handler_name("weft::detail::asio_1::post_op<main::{lambda()#1}::operator()() const::"
                            "{lambda()#2}, std::allocator<void> >" +
                            parameters) == "main::{lambda()#1}::operator()() const::{lambda()#2}");
    BOOST_TEST(handler_name("weft::detail::asio_1::post_op<binary_operator<less>, "
                            "std::allocator<void> >" +
                            parameters) == "binary_operator<less>");
}

BOOST_AUTO_TEST_CASE(symbols_of_this_program_are_found)
{
    symbols const names(symbols::maps_of_this_process());
    auto* const function = &weft::detail::demangled;
    BOOST_TEST(names.function(reinterpret_cast<std::uintptr_t>(function))
                   .find("weft::detail::demangled(") != std::string::npos);
    static char const literal[] = "a text of this program";
    BOOST_TEST(names.text(reinterpret_cast<std::uintptr_t>(literal)) == literal);
    int const local = 0;
    BOOST_TEST(names.text(reinterpret_cast<std::uintptr_t>(&local)).empty());
    BOOST_TEST(names.function(16) == "0x10");
    BOOST_TEST(symbols("nonsense\n1-2 r-xp\n").function(1) == "0x1");
}

BOOST_AUTO_TEST_SUITE_END()
