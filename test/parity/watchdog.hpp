// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Turns a hang of any test case of the including program into a failure that names the case.

#ifndef WEFT_TEST_PARITY_WATCHDOG_HPP
#define WEFT_TEST_PARITY_WATCHDOG_HPP

#include <boost/test/framework.hpp>
#include <boost/test/tree/observer.hpp>
#include <boost/test/tree/test_unit.hpp>

#include <csignal>
#include <cstring>
#include <unistd.h>

namespace test
{

// alarm() and not Boost.Test's timeout decorator: that one leaves the signal handler by a long
// jump, which is undefined when the signal lands on another thread than the test's.
class watchdog : public boost::unit_test::test_observer
{
public:
    static constexpr unsigned seconds_per_case = 120;

    watchdog()
    {
        boost::unit_test::framework::register_observer(*this);
    }

    ~watchdog() override
    {
        boost::unit_test::framework::deregister_observer(*this);
    }

    void test_unit_start(const boost::unit_test::test_unit& unit) override
    {
        if (unit.p_type == boost::unit_test::TUT_CASE)
        {
            std::strncpy(name_, unit.p_name->c_str(), sizeof(name_) - 1);
            arm(seconds_per_case);
        }
    }

    void test_unit_finish(const boost::unit_test::test_unit& unit, unsigned long) override
    {
        if (unit.p_type == boost::unit_test::TUT_CASE)
            ::alarm(0);
    }

    // A forked child does not inherit the alarm: it calls this itself.
    static void arm(unsigned seconds)
    {
        std::signal(SIGALRM, &watchdog::bite);
        ::alarm(seconds);
    }

private:
    static void say(const char* text) noexcept
    {
        [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, std::strlen(text));
    }

    static void bite(int) noexcept
    {
        say("watchdog: test case \"");
        say(name_);
        say("\" hangs\n");
        ::_exit(124);
    }

    static inline char name_[256] = {};
};

inline watchdog the_watchdog;

} // namespace test

#endif
