// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sched/pending_exception.hpp>

#include <boost/asio/multiple_exceptions.hpp>
#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>

using weft::detail::pending_exception;

BOOST_AUTO_TEST_CASE(a_captured_exception_is_thrown_once)
{
    pending_exception pending;
    pending.rethrow();
    const auto capture = [&](const char* what)
    {
        try
        {
            throw std::runtime_error(what);
        }
        catch (...)
        {
            pending.capture_current();
        }
    };
    capture("one");
    BOOST_CHECK_EXCEPTION(pending.rethrow(), std::runtime_error,
        [](const std::runtime_error& e) { return e.what() == std::string("one"); });
    pending.rethrow();

    capture("first");
    capture("second");
    BOOST_CHECK_THROW(pending.rethrow(), boost::asio::multiple_exceptions);
    pending.rethrow();
}
