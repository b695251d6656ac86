// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/notifier.hpp"

#include "sched/manual_scheduler.hpp"

#include <boost/test/unit_test.hpp>

namespace
{

using notifier_of = weft::detail::notifier<test::manual_traits>;
using manual_worker = test::manual_scheduler::worker;

// One worker sleeps, another is awake.
struct one_sleeps : test::manual_scheduler
{
    manual_worker& awake = acquire();
    manual_worker& asleep = acquire();

    one_sleeps()
    {
        (void)s.sleepers.join([](std::uint32_t) {});
        (void)s.sleepers.join([](std::uint32_t) {});
        auto const prepared = s.sleepers.prepare_wait();
        (void)s.sleepers.commit_wait(asleep.index, prepared, false, false, [] { return false; });
    }

    // Whether it has been unparked: then it does not sleep.
    bool is_woken()
    {
        return s.sleepers.parked() == 0;
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(notifier, one_sleeps)

BOOST_AUTO_TEST_CASE(work_that_is_published_wakes_a_sleeper)
{
    notifier_of::notify_one(s);
    BOOST_TEST(is_woken());
    asleep.sleep.park();
}

BOOST_AUTO_TEST_CASE(nobody_is_woken_while_somebody_searches)
{
    BOOST_TEST(s.sleepers.try_search());
    awake.take_on(manual_worker::searching);
    notifier_of::notify_one(s);
    BOOST_TEST(!is_woken());
}

BOOST_AUTO_TEST_CASE(the_last_searcher_wakes_a_sleeper_if_there_is_more)
{
    BOOST_TEST(s.driver_lock.try_take());
    BOOST_TEST(s.sleepers.try_search());
    awake.take_on(manual_worker::searching);
    put(asleep, make(0));
    notifier_of::end_search(s, awake);
    BOOST_TEST(!awake.has(manual_worker::searching));
    BOOST_TEST(is_woken());
}

BOOST_AUTO_TEST_CASE(the_last_searcher_wakes_nobody_for_nothing)
{
    BOOST_TEST(s.driver_lock.try_take());
    BOOST_TEST(s.sleepers.try_search());
    awake.take_on(manual_worker::searching);
    notifier_of::end_search(s, awake);
    BOOST_TEST(!is_woken());
}

BOOST_AUTO_TEST_CASE(a_free_driver_lock_wakes_a_sleeper)
{
    BOOST_TEST(s.driver_lock.try_take());
    awake.take_on(manual_worker::holds_driver);
    notifier_of::end_search(s, awake);
    BOOST_TEST(!s.driver_lock.taken());
    BOOST_TEST(is_woken());
}

BOOST_AUTO_TEST_SUITE_END()
