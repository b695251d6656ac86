// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sched/budget.hpp>

#include <weft/io_context.hpp>
#include <weft/options.hpp>
#include <weft/run_blocking.hpp>

#include "support/asio.hpp"

#include <unistd.h>

namespace asio = boost::asio;

using weft::detail::foreign_budget;
using weft::detail::spend_budget;

namespace
{

using counts = std::vector<unsigned>;

weft::options with(unsigned tick_budget, unsigned injection_interval)
{
    weft::options opts;
    opts.tick_budget = tick_budget;
    opts.injection_interval = injection_interval;
    return opts;
}

// Spends until it is told that there is none left. Returns how many units that were.
unsigned spend_all()
{
    unsigned units = 0;
    while (units != 10'000 && spend_budget())
        ++units;
    return units;
}

// A thread that has spent nothing yet.
template <class Function>
void on_a_new_thread(Function f)
{
    std::thread(f).join();
}

// What handlers find that run one after another, each posted by the one before it.
counts units_of_handlers(weft::options const& opts, std::size_t handlers)
{
    weft::io_context context(opts);
    counts units;
    std::function<void()> handler = [&]
    {
        units.push_back(spend_all());
        if (units.size() != handlers)
            asio::post(context, handler);
    };
    asio::post(context, handler);
    context.run();
    return units;
}

void check(counts const& found, counts const& expected)
{
    BOOST_TEST(found == expected, boost::test_tools::per_element());
}

} // namespace

BOOST_AUTO_TEST_SUITE(sched_budget)

BOOST_AUTO_TEST_CASE(a_foreign_thread_makes_one_trip_after_each_full_budget)
{
    BOOST_TEST(foreign_budget == weft::options().tick_budget);
    on_a_new_thread(
        []
        {
            counts trips;
            for (unsigned i = 0; i != 3 * foreign_budget + 3; ++i)
                if (!spend_budget())
                    trips.push_back(i);
            check(trips, {foreign_budget, 2 * foreign_budget + 1, 3 * foreign_budget + 2});
        });
}

BOOST_AUTO_TEST_CASE(each_foreign_thread_has_its_own)
{
    on_a_new_thread(
        []
        {
            BOOST_TEST(spend_budget());
            on_a_new_thread([] { BOOST_TEST(spend_all() == foreign_budget); });
            BOOST_TEST(spend_all() == foreign_budget - 1);
        });
}

BOOST_AUTO_TEST_CASE(a_worker_has_what_the_handler_leaves_of_the_turn)
{
    check(units_of_handlers(with(128, 7), 4), {6, 6, 6, 6});
    check(units_of_handlers(with(128, 1), 3), {0, 0, 0});
    check(units_of_handlers(with(1, 1), 3), {0, 0, 0});
    check(units_of_handlers(with(16, 127), 3), {15, 15, 15});
}

BOOST_AUTO_TEST_CASE(the_last_turn_before_the_reactor_is_what_is_left_of_the_tick_budget)
{
    // A thread that has lost its core for a while looks into the reactor earlier, and begins a
    // tick.
    auto const check_undisturbed = [](weft::options const& opts, counts const& expected)
    {
        counts found;
        for (int tries = 0; tries != 10'000 && found != expected; ++tries)
            found = units_of_handlers(opts, expected.size());
        check(found, expected);
    };
    check_undisturbed(with(10, 4), {3, 3, 1, 3, 3, 1});
    check_undisturbed(with(128, 127), {126, 0, 126, 0});
}

BOOST_AUTO_TEST_CASE(a_unit_costs_as_much_as_a_handler)
{
    weft::io_context context(with(128, 8));
    counts units;
    for (int i = 0; i != 3; ++i)
        asio::post(context, [] { BOOST_TEST(spend_budget()); });
    for (int i = 0; i != 2; ++i)
        asio::post(context, [&] { units.push_back(spend_all()); });
    context.run();
    // Three handlers with a unit each, and the fourth.
    check(units, {1, 7});
}

BOOST_AUTO_TEST_CASE(a_worker_gets_nothing_more_before_it_has_looked_elsewhere)
{
    weft::io_context context(with(128, 5));
    counts units;
    asio::post(context,
        [&]
        {
            for (int i = 0; i != 3; ++i)
                units.push_back(spend_all());
        });
    context.run();
    check(units, {4, 0, 0});
}

BOOST_AUTO_TEST_CASE(the_reactor_is_looked_at_when_units_have_used_up_the_tick_budget)
{
    weft::io_context context(with(16, 16));
    int ends[2];
    BOOST_REQUIRE(::pipe(ends) == 0);
    asio::posix::stream_descriptor in(context, ends[0]);
    asio::posix::stream_descriptor out(context, ends[1]);
    int count = 0;
    int written_at = 0;
    int read_at = 0;
    in.async_wait(asio::posix::stream_descriptor::wait_read,
        [&](boost::system::error_code) { read_at = count; });
    std::function<void()> handler = [&]
    {
        if (++count == 100)
        {
            written_at = count;
            BOOST_TEST(::write(ends[1], "x", 1) == 1);
        }
        spend_all();
        if (read_at == 0 && count != 1000)
            asio::post(context, handler);
    };
    asio::post(context, handler);
    context.run();
    BOOST_TEST(written_at == 100);
    // The event is behind what was in the queue when it was noticed: one handler here.
    BOOST_TEST(read_at == written_at + 1);
}

BOOST_AUTO_TEST_CASE(a_worker_inside_another_context_spends_that_ones)
{
    weft::io_context outer(with(128, 7));
    weft::io_context inner(with(128, 4));
    counts units;
    asio::post(inner, [&] { units.push_back(spend_all()); });
    asio::post(outer,
        [&]
        {
            BOOST_TEST(spend_budget());
            BOOST_TEST(spend_budget());
            inner.run();
            units.push_back(spend_all());
        });
    outer.run();
    check(units, {3, 4});
}

BOOST_AUTO_TEST_CASE(a_thread_is_foreign_while_it_is_no_worker)
{
    on_a_new_thread(
        []
        {
            weft::io_context context(with(128, 7));
            counts units;
            BOOST_TEST(spend_budget());
            asio::post(context,
                [&]
                {
                    units.push_back(spend_all());
                    weft::run_blocking(
                        [&]
                        {
                            BOOST_TEST(spend_budget());
                            units.push_back(spend_all());
                        });
                });
            context.run();
            units.push_back(spend_all());
            check(units, {6, foreign_budget - 2, foreign_budget});
        });
}

BOOST_AUTO_TEST_SUITE_END()
