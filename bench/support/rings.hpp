// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Queues of numbers without any waiting, all with the same two functions, and a workload that sends
// numbers through one of them from some threads to as many others. Who finds the queue full or
// empty lets other threads run and tries again.

#ifndef BENCH_SUPPORT_RINGS_HPP
#define BENCH_SUPPORT_RINGS_HPP

#include "harness.hpp"

#include <boost/lockfree/queue.hpp>
#include <boost/lockfree/spsc_queue.hpp>

#include <weft/queue/mpmc_ring.hpp>

#if defined(BENCH_HAS_MOODYCAMEL)
#include <concurrentqueue/concurrentqueue.h>
#endif
#if defined(BENCH_HAS_TBB)
#include <tbb/concurrent_queue.h>
#endif

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace bench
{

class weft_ring
{
public:
    explicit weft_ring(std::size_t capacity) : ring_(capacity)
    {
    }

    bool push(std::uint64_t n)
    {
        return ring_.push(std::move(n)) == weft::detail::ring_result::done;
    }

    bool pop(std::uint64_t& n)
    {
        return ring_.pop([&](std::uint64_t&& v) noexcept { n = v; }) ==
               weft::detail::ring_result::done;
    }

private:
    weft::detail::mpmc_ring<std::uint64_t> ring_;
};

// A fixed number of nodes: of those one is the queue's own.
class lockfree_queue
{
public:
    explicit lockfree_queue(std::size_t capacity) : queue_(capacity)
    {
    }

    bool push(std::uint64_t n)
    {
        return queue_.bounded_push(n);
    }

    bool pop(std::uint64_t& n)
    {
        return queue_.pop(n);
    }

private:
    boost::lockfree::queue<std::uint64_t, boost::lockfree::fixed_sized<true>> queue_;
};

class lockfree_spsc_queue
{
public:
    explicit lockfree_spsc_queue(std::size_t capacity) : queue_(capacity)
    {
    }

    bool push(std::uint64_t n)
    {
        return queue_.push(n);
    }

    bool pop(std::uint64_t& n)
    {
        return queue_.pop(n);
    }

private:
    boost::lockfree::spsc_queue<std::uint64_t> queue_;
};

#if defined(BENCH_HAS_MOODYCAMEL)
// Unbounded; it keeps the order of each producer only, and gives no other.
class moodycamel_queue
{
public:
    explicit moodycamel_queue(std::size_t capacity) : queue_(capacity)
    {
    }

    bool push(std::uint64_t n)
    {
        return queue_.enqueue(n);
    }

    bool pop(std::uint64_t& n)
    {
        return queue_.try_dequeue(n);
    }

private:
    moodycamel::ConcurrentQueue<std::uint64_t> queue_;
};
#endif

#if defined(BENCH_HAS_TBB)
class tbb_queue
{
public:
    explicit tbb_queue(std::size_t capacity)
    {
        queue_.set_capacity(static_cast<std::ptrdiff_t>(capacity));
    }

    bool push(std::uint64_t n)
    {
        return queue_.try_push(n);
    }

    bool pop(std::uint64_t& n)
    {
        return queue_.try_pop(n);
    }

private:
    tbb::concurrent_bounded_queue<std::uint64_t> queue_;
};
#endif

// Half of the threads push, half pop: of one there is no half. The row's width is the capacity.
template <class Queue>
class transfer final : public experiment
{
public:
    transfer(unsigned threads, const setting& s)
        : pairs_(threads / 2), each_(s.operations / pairs_), capacity_(s.what.width)
    {
    }

    outcome iterate() override
    {
        Queue queue(capacity_);
        std::latch ready(2 * pairs_);
        // Nobody begins before the clock runs: this thread may lose its core in between.
        std::latch begin(1);
        std::atomic<std::uint64_t> sum{0};
        std::vector<std::thread> threads;
        for (unsigned i = 0; i != pairs_; ++i)
        {
            threads.emplace_back(
                [&]
                {
                    ready.count_down();
                    begin.wait();
                    for (std::uint64_t n = 1; n <= each_; ++n)
                        while (!queue.push(n))
                            std::this_thread::yield();
                });
            threads.emplace_back(
                [&]
                {
                    ready.count_down();
                    begin.wait();
                    std::uint64_t mine = 0;
                    std::uint64_t n = 0;
                    for (std::uint64_t count = 0; count != each_; ++count)
                    {
                        while (!queue.pop(n))
                            std::this_thread::yield();
                        mine += n;
                    }
                    sum += mine;
                });
        }
        ready.wait();
        const auto start = clock::now();
        begin.count_down();
        for (std::thread& t : threads)
            t.join();
        const auto elapsed = clock::now() - start;
        if (sum != pairs_ * (each_ * (each_ + 1) / 2))
            return failed("what came out is not what went in");
        return {pairs_ * each_, elapsed};
    }

private:
    unsigned pairs_;
    std::uint64_t each_;
    std::size_t capacity_;
};

template <class Queue>
column ring_column(std::string name)
{
    return {std::move(name),
        [](unsigned threads, const setting& s) -> std::unique_ptr<experiment>
        {
            if (threads < 2 || (threads > 2 && std::is_same_v<Queue, lockfree_spsc_queue>))
                return nullptr;
            return std::make_unique<transfer<Queue>>(threads, s);
        }};
}

// What both questions compare with.
inline void add_other_columns(std::vector<column>& columns)
{
#if defined(BENCH_HAS_MOODYCAMEL)
    columns.push_back(ring_column<moodycamel_queue>("moodycamel"));
#endif
#if defined(BENCH_HAS_TBB)
    columns.push_back(ring_column<tbb_queue>("oneTBB"));
#endif
    (void)columns;
}

} // namespace bench

#endif
