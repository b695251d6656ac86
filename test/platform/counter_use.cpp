// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "platform/counter_use.hpp"

#include <boost/test/unit_test.hpp>

BOOST_TEST_DONT_PRINT_LOG_VALUE(weft::detail::counter_use)

namespace
{

using weft::detail::counter_use;
using weft::detail::use_of_counter;

} // namespace

BOOST_AUTO_TEST_SUITE(platform_counter_use)

BOOST_AUTO_TEST_CASE(a_counter_by_which_the_kernel_tells_the_time_is_trusted_everywhere)
{
    BOOST_TEST(use_of_counter(true, "tsc") == counter_use::everywhere);
}

BOOST_AUTO_TEST_CASE(one_whose_rate_the_host_tells_is_compared_again_and_again)
{
    for (char const* source : {"kvm-clock", "hyperv_clocksource_tsc_page"})
        BOOST_TEST(use_of_counter(true, source) == counter_use::between_readings, source);
}

BOOST_AUTO_TEST_CASE(any_other_is_of_no_use)
{
    for (char const* source : {"", "hpet", "acpi_pm", "tsc-early", "jiffies", "xen"})
        BOOST_TEST(use_of_counter(true, source) == counter_use::none, source);
}

BOOST_AUTO_TEST_CASE(nor_is_one_that_may_stop)
{
    for (char const* source : {"tsc", "kvm-clock"})
        BOOST_TEST(use_of_counter(false, source) == counter_use::none, source);
}

BOOST_AUTO_TEST_SUITE_END()
