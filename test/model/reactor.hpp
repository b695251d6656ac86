// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_MODEL_REACTOR_HPP
#define WEFT_TEST_MODEL_REACTOR_HPP

#include <weft/platform/atomic.hpp>
#include <weft/platform/mutex.hpp>

#include <cstdint>

namespace model
{

/// What the reactor does for the one thread that waits in it: an interruption or an event ends the
/// wait, or the next one if nobody waits, once. Two that wait at a time, or one after the other
/// without having met, are a data race.
class reactor
{
public:
    reactor()
    {
        waits_.set(0);
    }

    void interrupt() noexcept
    {
        signalled_.exchange(1, weft::detail::memory_order_relaxed);
        weft::detail::futex_wake(signalled_, 1);
    }

    /// As if what `count` operations wait for had happened.
    void happen(std::uint32_t count) noexcept
    {
        events_.fetch_add(count, weft::detail::memory_order_relaxed);
        interrupt();
    }

    /// Returns the operations that are ready. With a time limit it may return for that reason.
    std::uint32_t wait(bool limited, weft::detail::deadline until) noexcept
    {
        using namespace weft::detail;
        waits_.set(waits_.get() + 1);
        if (signalled_.exchange(0, memory_order_relaxed) == 0)
        {
            if (limited)
                futex_wait_until(signalled_, 0, until);
            else
                futex_wait(signalled_, 0);
            signalled_.exchange(0, memory_order_relaxed);
        }
        waits_.set(waits_.get() + 1);
        return events_.exchange(0, memory_order_relaxed);
    }

    /// As wait(), but does not wait.
    std::uint32_t poll() noexcept
    {
        waits_.set(waits_.get() + 1);
        signalled_.exchange(0, weft::detail::memory_order_relaxed);
        return events_.exchange(0, weft::detail::memory_order_relaxed);
    }

    /// As the post of a thread outside to Asio's scheduler: for whoever waits, who must be told.
    void post(unsigned number) noexcept
    {
        mutex_.lock();
        posted_[posted_count_++] = number;
        if (waiting_)
        {
            waiting_ = false;
            interrupt();
        }
        mutex_.unlock();
    }

    /// As wait(), and shows what was posted to `out`.
    template <typename Out>
    std::uint32_t wait_and_take(bool limited, weft::detail::deadline until, Out out) noexcept
    {
        bool const found = take_posted(true, out);
        std::uint32_t const events = found ? poll() : wait(limited, until);
        take_posted(false, out);
        return events;
    }

private:
    template <typename Out>
    bool take_posted(bool waits, Out out) noexcept
    {
        unsigned numbers[most_posted];
        unsigned count = 0;
        mutex_.lock();
        for (; count != posted_count_; ++count)
            numbers[count] = posted_[count];
        posted_count_ = 0;
        waiting_ = waits && count == 0;
        mutex_.unlock();
        for (unsigned i = 0; i != count; ++i)
            out(numbers[i]);
        return count != 0;
    }

    static constexpr unsigned most_posted = 4;

    // Guarded by the mutex.
    weft::detail::mutex mutex_;
    unsigned posted_[most_posted] = {};
    unsigned posted_count_ = 0;
    bool waiting_ = false;

    weft::detail::atomic<std::uint32_t> signalled_{0};
    weft::detail::atomic<std::uint32_t> events_{0};
    weft::detail::cell<unsigned> waits_;
};

} // namespace model

#endif // WEFT_TEST_MODEL_REACTOR_HPP
