// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sched/worker_table.hpp"
#include "sched/asio_traits.hpp"
#include "sched/worker.hpp"

#include "parity/counted_new.hpp"
#include "support/sanitized.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace
{

using test::out_of_memory_in;
using weft::detail::idle;
using pool_worker = weft::detail::basic_worker<weft::detail::asio_traits>;
using worker_table = weft::detail::worker_table<pool_worker>;

struct table_fixture
{
    idle sleepers;
    worker_table table{7};

    pool_worker& acquire()
    {
        return table.acquire(sleepers);
    }

    std::vector<pool_worker*> acquire(std::size_t count)
    {
        std::vector<pool_worker*> all(count);
        for (pool_worker*& w : all)
            w = &acquire();
        return all;
    }

    void release(const std::vector<pool_worker*>& all)
    {
        for (pool_worker* const w : all)
            table.release(*w, false);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(worker_table_, table_fixture)

BOOST_AUTO_TEST_CASE(workers_without_a_thread_are_shown)
{
    const auto all = acquire(3);
    const auto free = [this]
    {
        std::set<const pool_worker*> found;
        table.for_each_free([&](const pool_worker& w) { found.insert(&w); });
        return found;
    };
    BOOST_TEST(free().empty());
    table.release(*all[1], false);
    BOOST_TEST((free() == std::set<const pool_worker*>{all[1]}));
    BOOST_TEST(&acquire() == all[1]);
    BOOST_TEST(free().empty());
    release(all);
    BOOST_TEST(free().size() == 3u);
}

BOOST_AUTO_TEST_CASE(a_new_table_has_no_worker)
{
    BOOST_TEST(table.size() == 0u);
}

// As a pool that one of its threads destroys: another thread blocks then, and needs a worker more.
BOOST_AUTO_TEST_CASE(a_worker_that_was_surrendered_is_looked_at_when_the_table_has_grown)
{
    auto const all = acquire(8);
    auto const kept = table.surrender(*all[3]);
    acquire(30);
    BOOST_TEST(table.size() == 38u);
    for (std::size_t i = 0; i != all.size(); ++i)
        BOOST_TEST(&table[i] == all[i]);
}

BOOST_AUTO_TEST_CASE(every_thread_gets_a_worker_of_its_own_that_knows_its_index)
{
    const std::vector<pool_worker*> all = acquire(100);
    BOOST_TEST(table.size() == 100u);
    for (std::size_t i = 0; i != all.size(); ++i)
    {
        BOOST_TEST(all[i]->index == i);
        BOOST_TEST(&table[i] == all[i]);
    }
    BOOST_TEST(std::set<pool_worker*>(all.begin(), all.end()).size() == 100u);
}

BOOST_AUTO_TEST_CASE(the_worker_given_back_last_is_given_first)
{
    std::vector<pool_worker*> all = acquire(20);
    std::rotate(all.begin(), all.begin() + 7, all.end());
    release(all);
    std::reverse(all.begin(), all.end());
    BOOST_TEST((acquire(20) == all));
    BOOST_TEST(table.size() == 20u);
    BOOST_TEST(acquire().index == 20u);
}

BOOST_AUTO_TEST_CASE(reserved_workers_exist_and_are_given_without_memory)
{
    table.reserve(12, sleepers);
    BOOST_TEST(table.size() == 12u);
    table.reserve(5, sleepers);
    BOOST_TEST(table.size() == 17u);
    std::vector<pool_worker*> all(17);
    BOOST_TEST(!out_of_memory_in(
        [&]
        {
            for (pool_worker*& w : all)
                w = &table.acquire_reserved();
        }));
    BOOST_TEST(std::set<pool_worker*>(all.begin(), all.end()).size() == 17u);
    BOOST_TEST(table.size() == 17u);
}

BOOST_AUTO_TEST_CASE(workers_that_nobody_has_are_reserved_before_new_ones_are_made)
{
    const std::vector<pool_worker*> taken = acquire(3);
    table.reserve(2, sleepers);
    BOOST_TEST(table.size() == 5u);
    release(taken);
    table.reserve(3, sleepers);
    BOOST_TEST(table.size() == 5u);
}

// Whoever comes from outside cannot take the worker of a thread that has not started yet, or that
// waits for its next turn.
BOOST_AUTO_TEST_CASE(reserved_workers_are_not_given_to_others)
{
    table.reserve(2, sleepers);
    const std::vector<pool_worker*> others = acquire(2);
    BOOST_TEST(table.size() == 4u);
    pool_worker* first = nullptr;
    BOOST_TEST(!out_of_memory_in([&] { first = &table.acquire_reserved(); }));
    table.release(*first, true);
    BOOST_TEST(acquire().index == 4u);
    BOOST_TEST(!out_of_memory_in(
        [&]
        {
            (void)table.acquire_reserved();
            (void)table.acquire_reserved();
        }));
    BOOST_TEST(table.size() == 5u);
}

BOOST_AUTO_TEST_CASE(a_worker_that_is_not_reserved_any_more_is_given)
{
    table.reserve(2, sleepers);
    table.unreserve();
    (void)acquire();
    BOOST_TEST(table.size() == 2u);
    (void)acquire();
    BOOST_TEST(table.size() == 3u);
}

BOOST_AUTO_TEST_CASE(a_reserved_worker_is_not_given_and_not_reserved_again)
{
    pool_worker& blocked = acquire();
    table.release(blocked, true);
    pool_worker& other = acquire();
    BOOST_TEST(&other != &blocked);
    BOOST_TEST(table.size() == 2u);

    table.reserve(1, sleepers);
    BOOST_TEST(table.size() == 3u);
    pool_worker& third = table.acquire_reserved();
    BOOST_TEST(table.size() == 3u);

    pool_worker& back = table.acquire_reserved();
    BOOST_TEST(&back != &other);
    BOOST_TEST(&back != &third);
    BOOST_TEST(table.size() == 3u);
}

BOOST_AUTO_TEST_CASE(a_worker_is_reserved_for_every_thread_that_gave_one_back_with_that_wish)
{
    constexpr std::size_t threads = 6;
    for (pool_worker* const w : acquire(threads))
        table.release(*w, true);
    // These leave for good: theirs are the next to be given.
    const std::vector<pool_worker*> others = acquire(3);
    release(others);
    BOOST_TEST(table.size() == threads + 3);
    std::set<pool_worker*> all;
    for (std::size_t i = 0; i != 3; ++i)
        all.insert(&acquire());
    BOOST_TEST(table.size() == threads + 3);
    BOOST_TEST(!out_of_memory_in(
        [&]
        {
            for (std::size_t i = 0; i != threads; ++i)
                (void)table.acquire_reserved();
        }));
    BOOST_TEST(table.size() == threads + 3);
    BOOST_TEST(acquire().index == threads + 3);
}

BOOST_AUTO_TEST_CASE(threads_that_come_and_go_never_share_a_worker)
{
    constexpr std::size_t threads = 3;
    constexpr int each = 5'000;
    std::vector<std::thread> all;
    for (std::size_t t = 0; t != threads; ++t)
        all.emplace_back(
            [&]
            {
                for (int i = 0; i != each; ++i)
                {
                    pool_worker& w = acquire();
                    ++w.run_left;
                    const bool reserve = i % 3 == 0;
                    table.release(w, reserve);
                    if (reserve)
                    {
                        pool_worker& back = table.acquire_reserved();
                        ++back.run_left;
                        table.release(back, false);
                    }
                }
            });
    for (std::thread& t : all)
        t.join();
    BOOST_TEST(table.size() <= 2 * threads);
    std::size_t sum = 0;
    for (std::size_t i = 0; i != table.size(); ++i)
        sum += table[i].run_left;
    BOOST_TEST(sum == threads * (each + (each + 2) / 3));
}

BOOST_AUTO_TEST_CASE(growth_moves_nothing_that_another_thread_looks_at)
{
    constexpr std::size_t count = 500;
    pool_worker* const first = &acquire();
    bool stable = true;
    std::thread reader(
        [&]
        {
            std::vector<pool_worker*> known;
            while (known.size() != count)
            {
                const std::size_t size = table.size();
                stable = stable && size >= known.size();
                for (std::size_t i = 0; i != size; ++i)
                {
                    pool_worker* const w = &table[i];
                    stable = stable && w->index == i;
                    if (i == known.size())
                        known.push_back(w);
                    stable = stable && known[i] == w;
                }
                std::this_thread::yield();
            }
        });
    const std::vector<pool_worker*> others = acquire(count - 1);
    reader.join();
    BOOST_TEST(stable);
    BOOST_TEST(&table[0] == first);
    for (std::size_t i = 0; i != others.size(); ++i)
        BOOST_TEST(&table[i + 1] == others[i]);
}

BOOST_AUTO_TEST_CASE(an_acquire_that_finds_no_memory_changes_nothing)
{
    std::vector<pool_worker*> all;
    for (std::size_t size = 0; size != 40; ++size)
    {
        pool_worker* added = nullptr;
        long allowance = 0;
        while (out_of_memory_in([&] { added = &acquire(); }, allowance))
        {
            BOOST_TEST(table.size() == size);
            BOOST_TEST_REQUIRE(++allowance < 100);
        }
        BOOST_TEST(allowance > 0);
        BOOST_TEST(added->index == size);
        BOOST_TEST(table.size() == size + 1);
        all.push_back(added);
    }
    for (std::size_t i = 0; i != all.size(); ++i)
        BOOST_TEST(&table[i] == all[i]);
    release(all);
    std::reverse(all.begin(), all.end());
    BOOST_TEST((acquire(all.size()) == all));
}

BOOST_AUTO_TEST_CASE(workers_are_given_back_without_memory)
{
    const std::vector<pool_worker*> all = acquire(40);
    BOOST_TEST(!out_of_memory_in([&] { release(all); }));
    BOOST_TEST(!out_of_memory_in(
        [&]
        {
            pool_worker& w = acquire();
            table.release(w, true);
            table.release(table.acquire_reserved(), false);
        }));
}

BOOST_AUTO_TEST_CASE(a_reservation_that_finds_no_memory_reserves_nothing_and_can_be_repeated)
{
    long allowance = 0;
    std::size_t size = 0;
    while (out_of_memory_in([&] { table.reserve(20, sleepers); }, allowance))
    {
        BOOST_TEST(table.size() >= size);
        BOOST_TEST(table.size() <= 20u);
        size = table.size();
        BOOST_TEST_REQUIRE(++allowance < 100);
    }
    BOOST_TEST(table.size() == 20u);
    (void)acquire();
    BOOST_TEST(table.size() == 21u);
    std::set<pool_worker*> all;
    for (int i = 0; i != 20; ++i)
        all.insert(&table.acquire_reserved());
    BOOST_TEST(all.size() == 20u);
    BOOST_TEST(table.size() == 21u);
}

#if !WEFT_TEST_SANITIZED
// A third of a gigabyte, and several times that for a sanitizer.
BOOST_AUTO_TEST_CASE(there_is_a_last_worker)
{
    table.reserve(idle::max_workers, sleepers);
    BOOST_CHECK_THROW(table.reserve(1, sleepers), std::length_error);
    BOOST_TEST(table.size() == idle::max_workers);
    pool_worker* last = nullptr;
    for (std::size_t i = 0; i != idle::max_workers; ++i)
        last = &table.acquire_reserved();
    BOOST_CHECK_THROW(acquire(), std::length_error);
    BOOST_TEST(table.size() == idle::max_workers);
    table.release(*last, false);
    BOOST_TEST(&acquire() == last);
}
#endif

BOOST_AUTO_TEST_SUITE_END()
