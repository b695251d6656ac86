// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/queue/mpmc_ring.hpp>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace
{

using weft::detail::mpmc_ring;
using weft::detail::ring_result;

struct item
{
    std::uint32_t producer;
    std::uint32_t number;
};

// What one consumer got: each producer's values in the order of their numbers.
struct tally
{
    explicit tally(unsigned producers) : next(producers, 0)
    {
    }

    std::vector<std::uint32_t> next;
    std::uint64_t count = 0;
    std::uint64_t sum = 0;
    bool in_order = true;
};

// Counted outside of the ring: pushes when they are over, pops before they begin. So there are
// never more of the former than of the latter and the capacity together.
class bound
{
public:
    explicit bound(std::uint64_t capacity) : capacity_(capacity)
    {
    }

    void pushed() noexcept
    {
        pushed_.fetch_add(1, std::memory_order_acq_rel);
        check();
    }

    void pop_begins() noexcept
    {
        pops_.fetch_add(1, std::memory_order_relaxed);
    }

    void pop_was_in_vain() noexcept
    {
        pops_.fetch_sub(1, std::memory_order_relaxed);
    }

    void check() noexcept
    {
        std::uint64_t const pushed = pushed_.load(std::memory_order_acquire);
        if (pushed > pops_.load(std::memory_order_acquire) + capacity_)
            kept_ = false;
    }

    bool kept() const noexcept
    {
        return kept_;
    }

private:
    std::uint64_t const capacity_;
    std::atomic<std::uint64_t> pushed_{0};
    std::atomic<std::uint64_t> pops_{0};
    std::atomic<bool> kept_{true};
};

// For rings whose users are to have nothing in common but the ring.
struct no_bound
{
    explicit no_bound(std::uint64_t)
    {
    }

    void pushed() noexcept
    {
    }

    void pop_begins() noexcept
    {
    }

    void pop_was_in_vain() noexcept
    {
    }

    void check() noexcept
    {
    }

    bool kept() const noexcept
    {
        return true;
    }
};

// Everything comes out once, and in its producer's order.
template <class Bound>
void conserve(std::uint64_t capacity, unsigned producers, unsigned consumers, std::uint32_t each)
{
    mpmc_ring<item> ring(capacity);
    std::vector<tally> tallies(consumers, tally(producers));
    Bound limit(capacity);
    std::vector<std::thread> threads;
    for (unsigned p = 0; p != producers; ++p)
        threads.emplace_back(
            [&, p]
            {
                for (std::uint32_t i = 0; i != each; ++i)
                {
                    while (ring.push(item{p, i}) != ring_result::done)
                        std::this_thread::yield();
                    limit.pushed();
                }
            });
    for (tally& mine : tallies)
        threads.emplace_back(
            [&]
            {
                for (;;)
                {
                    item got{};
                    limit.pop_begins();
                    ring_result const r = ring.pop([&](item&& i) noexcept { got = i; });
                    if (r == ring_result::closed)
                        return;
                    if (r != ring_result::done)
                    {
                        limit.pop_was_in_vain();
                        std::this_thread::yield();
                        continue;
                    }
                    mine.in_order = mine.in_order && got.number >= mine.next[got.producer];
                    mine.next[got.producer] = got.number + 1;
                    ++mine.count;
                    mine.sum += got.number;
                    limit.check();
                }
            });
    for (unsigned p = 0; p != producers; ++p)
        threads[p].join();
    ring.close();
    for (unsigned c = 0; c != consumers; ++c)
        threads[producers + c].join();

    std::uint64_t count = 0;
    std::uint64_t sum = 0;
    for (tally const& t : tallies)
    {
        BOOST_TEST(t.in_order);
        count += t.count;
        sum += t.sum;
    }
    BOOST_TEST(count == std::uint64_t(producers) * each);
    BOOST_TEST(sum == std::uint64_t(producers) * each * (each - 1) / 2);
    BOOST_TEST(limit.kept());
}

} // namespace

BOOST_AUTO_TEST_CASE(nothing_is_lost_twice_or_out_of_order)
{
    for (std::uint64_t const capacity : {1, 2, 3, 5, 100})
    {
        BOOST_TEST_CONTEXT("capacity " << capacity)
        {
            // On a busy machine each handover of a small ring may cost a time slice.
            std::uint32_t const values = capacity == 100 ? 100'000 : 9'000;
            conserve<no_bound>(capacity, 1, 1, values);
            conserve<no_bound>(capacity, 3, 3, values / 3);
        }
    }
}

BOOST_AUTO_TEST_CASE(there_is_never_more_in_it_than_it_may_hold)
{
    for (std::uint64_t const capacity : {1, 2, 3, 5, 100})
    {
        BOOST_TEST_CONTEXT("capacity " << capacity)
        {
            std::uint32_t const values = capacity == 100 ? 50'000 : 5'000;
            conserve<bound>(capacity, 1, 1, values);
            conserve<bound>(capacity, 3, 3, values / 3);
        }
    }
}
