// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sched/wait_events.hpp>

#include <weft/io_context.hpp>
#include <weft/trace.hpp>
#include <weft/wait/scheduler_of.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <string>

using weft::detail::wait_events;

namespace
{

struct wait_fixture
{
    // Of as many waits, how many have this mark.
    int marked(std::uint64_t mark, int waits) const
    {
        int count = 0;
        for (int i = 0; i != waits; ++i)
            count += (wait_events::marks_of(scheduler, static_cast<std::uint64_t>(i)) & mark) != 0
                         ? 1
                         : 0;
        return count;
    }

    weft::io_context context;
    weft::detail::scheduler& scheduler = *weft::detail::scheduler_of_context(context);
};

} // namespace

BOOST_AUTO_TEST_SUITE(sched_wait_events)

BOOST_FIXTURE_TEST_CASE(as_many_are_timed_as_options_say, wait_fixture)
{
    for (auto const& [how, expected] :
        {std::pair{weft::timing::off, 0}, {weft::timing::sampled, 10}, {weft::timing::all, 160}})
    {
        context.timing(how);
        for (bool const recorded : {false, true})
        {
            recorded ? weft::trace::start(context) : weft::trace::stop(context);
            BOOST_TEST(marked(wait_events::timed, 160) == expected);
            BOOST_TEST(marked(wait_events::recorded, 160) == (recorded ? 160 : 0));
        }
    }
}

BOOST_FIXTURE_TEST_CASE(names_have_numbers_until_there_are_no_more, wait_fixture)
{
    unsigned const first = wait_events::number_of(scheduler, "a");
    BOOST_TEST(first > wait_events::no_name);
    BOOST_TEST(wait_events::number_of(scheduler, "b") == first + 1);
    BOOST_TEST(wait_events::number_of(scheduler, "a") == first);
    unsigned known = 2;
    while (wait_events::number_of(scheduler, std::to_string(known)) != wait_events::no_name)
        ++known;
    BOOST_TEST(known == (1u << 14) - 2);
    BOOST_TEST(wait_events::number_of(scheduler, "b") == first + 1);
}

BOOST_AUTO_TEST_SUITE_END()
