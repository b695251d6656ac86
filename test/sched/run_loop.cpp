// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/run_loop.hpp"

#include "sched/manual_scheduler.hpp"

#include <boost/test/unit_test.hpp>

#include <exception>
#include <stdexcept>
#include <thread>
#include <vector>

namespace
{

struct owner_of_threads final : weft::detail::spare_owner
{
    bool wants_less = false;

    void worker_blocks() noexcept override
    {
    }

    void worker_returns() noexcept override
    {
    }

    bool retire() noexcept override
    {
        return wants_less;
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(run_loop, test::manual_scheduler)

BOOST_AUTO_TEST_CASE(an_exception_leaves_the_call_and_what_is_queued_stays)
{
    s.submit(make(0,
        [&]
        {
            here().asio.posted.push_back(make(1));
            s.submit(make(2));
            throw std::runtime_error("thrown");
        }));
    BOOST_CHECK_THROW(run(), std::runtime_error);
    BOOST_TEST(run() == 2u);
}

BOOST_AUTO_TEST_CASE(a_scheduler_whose_owner_has_threads_reports_what_is_thrown)
{
    int reported = 0;
    weft::options how;
    how.on_exception = [&](std::exception_ptr)
    {
        ++reported;
    };
    test::manual_scheduler pool(how);
    owner_of_threads owner;
    pool.s.spare_owner = &owner;
    pool.s.submit(pool.make(0, [] { throw 1; }));
    pool.s.submit(pool.make(1));
    BOOST_TEST(pool.run() == 2u);
    BOOST_TEST(reported == 1);
}

BOOST_AUTO_TEST_CASE(a_continuation_has_three_turns_in_a_row)
{
    s.submit(make(0,
        [&]
        {
            s.submit(make(100));
            s.submit_continuation(make(1,
                [&]
                {
                    s.submit_continuation(make(2,
                        [&] {
                            s.submit_continuation(make(3, [&] { s.submit_continuation(make(4)); }));
                        }));
                }));
        }));
    run();
    std::vector<int> const expected{0, 1, 2, 3, 100, 4};
    BOOST_TEST(ran == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_spare_thread_leaves_between_two_handlers_when_it_is_one_too_many)
{
    owner_of_threads owner;
    s.spare_owner = &owner;
    s.workers.reserve(1, s.sleepers);
    s.submit(make(0, [&] { owner.wants_less = true; }));
    s.submit(make(1));
    BOOST_TEST((s.run_as_spare() == weft::detail::spare_end::retired));
    BOOST_TEST(ran.size() == 1u);
    s.stop();
    BOOST_TEST((s.run_as_spare() == weft::detail::spare_end::over));
}

// On one CPU, where a thread sleeps already that was alone, and so has not said where.
BOOST_AUTO_TEST_CASE(a_thread_that_goes_to_sleep_says_where)
{
    test::manual_traits::on_cores const one(1);
    test::manual_scheduler crowded;
    auto& all = crowded.s;
    auto& lower = crowded.acquire();
    crowded.join_and_sleep(lower);
    BOOST_TEST_REQUIRE(all.driver_lock.try_take());
    all.work.add(1);
    std::thread other([&] { crowded.run(); });
    while (all.sleepers.parked() != 2)
        std::this_thread::yield();
    all.submit(crowded.make(0));
    bool const lower_is_woken = all.sleepers.wake_up(lower.index).claimed;
    BOOST_TEST(!lower_is_woken);
    all.stop();
    other.join();
    all.work.add(-1);
}

BOOST_AUTO_TEST_SUITE_END()
