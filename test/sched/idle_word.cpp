// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What the counters of the word say to one thread. Who sleeps is counted in idle.hpp.

#include <weft/sched/idle_word.hpp>

#include <boost/test/unit_test.hpp>

namespace
{

struct word : weft::detail::idle_word
{
    void add_searcher() noexcept
    {
        word_.fetch_add(one_searching);
    }

    void add_parked() noexcept
    {
        word_.fetch_add(one_parked);
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(nobody_sleeps_at_first)
{
    word w;
    BOOST_TEST(w.parked() == 0u);
    BOOST_TEST(w.searching() == 0u);
    BOOST_TEST(!w.prepare_notify());
}

BOOST_AUTO_TEST_CASE(work_is_an_event_to_whoever_has_prepared_to_wait)
{
    word w;
    auto const before = w.prepare_wait();
    BOOST_TEST(w.prepare_wait() == before);
    BOOST_TEST(!w.prepare_notify());
    auto const after = w.prepare_wait();
    BOOST_TEST(after != before);
}

BOOST_AUTO_TEST_CASE(work_that_nobody_has_prepared_to_wait_for_changes_nothing)
{
    word w;
    auto const before = w.prepare_wait();
    (void)w.prepare_notify();
    (void)w.prepare_notify();
    BOOST_TEST(w.prepare_wait() - before == 2u);
}

BOOST_AUTO_TEST_CASE(somebody_is_woken_if_one_sleeps_and_nobody_searches)
{
    word w;
    w.add_parked();
    BOOST_TEST(w.prepare_notify());
    (void)w.prepare_wait();
    BOOST_TEST(w.prepare_notify());
    w.add_searcher();
    BOOST_TEST(!w.prepare_notify());
    (void)w.prepare_wait();
    BOOST_TEST(!w.prepare_notify());
    BOOST_TEST(w.parked() == 1u);
}

BOOST_AUTO_TEST_CASE(the_last_who_searches_is_told)
{
    word w;
    w.add_searcher();
    w.add_searcher();
    BOOST_TEST(w.searching() == 2u);
    BOOST_TEST(!w.stop_searching());
    BOOST_TEST(w.stop_searching());
    BOOST_TEST(w.searching() == 0u);
}
