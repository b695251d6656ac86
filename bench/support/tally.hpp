// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Knowing that all of a run's handlers have run, without making them meet at one cache line: that
// meeting would cost more than the scheduling that is to be measured.

#ifndef BENCH_SUPPORT_TALLY_HPP
#define BENCH_SUPPORT_TALLY_HPP

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>

#include <sched.h>

namespace bench
{

// Counts down a few parties, far apart in time.
class countdown
{
public:
    void expect(int parties) noexcept
    {
        left_.store(parties, std::memory_order_relaxed);
    }

    void arrive() noexcept
    {
        if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1)
            left_.notify_all();
    }

    // False if more parties came than were expected.
    bool wait() const noexcept
    {
        int left = left_.load(std::memory_order_acquire);
        while (left > 0)
        {
            left_.wait(left, std::memory_order_acquire);
            left = left_.load(std::memory_order_acquire);
        }
        return left == 0;
    }

private:
    std::atomic<int> left_{0};
};

// Counts millions of hits, each thread in its own line; one waiter sleeps until nearly all are in
// and looks at every line only for the last few.
class tally
{
public:
    explicit tally(unsigned threads) noexcept
        : threads_(threads), identity_(next_identity.fetch_add(1, std::memory_order_relaxed))
    {
    }

    tally(const tally&) = delete;
    tally& operator=(const tally&) = delete;

    void hit() noexcept
    {
        if (cached.owner != identity_)
            cached = {identity_, take_line()};
        std::atomic<std::uint64_t>& count = cached.mine->count;
        const std::uint64_t n = count.load(std::memory_order_relaxed) + 1;
        count.store(n, std::memory_order_release);
        if (n % stride == 0)
            flush();
    }

    // Before the work of a run is submitted.
    void expect(std::uint64_t hits) noexcept
    {
        expected_ += hits;
        const std::uint64_t last = stride * (threads_ + 1);
        near_end_.store(0, std::memory_order_relaxed);
        wake_at_.store(expected_ > last ? expected_ - last : 0, std::memory_order_seq_cst);
        if (rough_.load(std::memory_order_seq_cst) >= wake_at_.load(std::memory_order_relaxed))
            near_end_.store(1, std::memory_order_relaxed);
    }

    // False if there were more hits than expected.
    bool wait() const noexcept
    {
        while (near_end_.load(std::memory_order_acquire) == 0)
            near_end_.wait(0, std::memory_order_acquire);
        std::uint64_t n = total();
        for (; n < expected_; n = total())
            ::sched_yield();
        return n == expected_;
    }

    std::uint64_t total() const noexcept
    {
        std::uint64_t sum = 0;
        for (const line& l : lines_)
            sum += l.count.load(std::memory_order_acquire);
        return sum;
    }

private:
    static constexpr std::uint64_t stride = 64;

    struct alignas(64) line
    {
        std::atomic<std::uint64_t> count{0};
    };

    struct ownership
    {
        std::uint64_t owner;
        line* mine;
    };

    line* take_line() noexcept
    {
        const std::size_t index = taken_.fetch_add(1, std::memory_order_relaxed);
        if (index >= lines_.size())
            std::abort();
        return &lines_[index];
    }

    void flush() noexcept
    {
        const std::uint64_t before = rough_.fetch_add(stride, std::memory_order_seq_cst);
        const std::uint64_t wake_at = wake_at_.load(std::memory_order_seq_cst);
        if (before < wake_at && before + stride >= wake_at)
        {
            near_end_.store(1, std::memory_order_release);
            near_end_.notify_all();
        }
    }

    inline static std::atomic<std::uint64_t> next_identity{1};
    inline static constinit thread_local ownership cached{0, nullptr};

    std::array<line, 128> lines_;
    alignas(64) std::atomic<std::uint64_t> rough_{0};
    alignas(64) std::atomic<std::uint64_t> wake_at_{0};
    std::atomic<int> near_end_{0};
    std::atomic<std::size_t> taken_{0};
    std::uint64_t expected_ = 0;
    unsigned threads_;
    std::uint64_t identity_;
};

} // namespace bench

#endif
