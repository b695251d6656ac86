// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_SINGLE_RUNNER_HPP
#define WEFT_SCHED_SINGLE_RUNNER_HPP

// Whether one thread alone is inside a context: a single runner. All its handlers have one order
// then; and as nobody looks for what it queues or steals it, it need not publish, and takes without
// a compare-exchange (biased_pop.hpp).
//
// It reads a flag for that, without a fence. The second thread that joins clears the flag, and then
// makes a process fence: either the runner sees the flag, or its queues are seen as they are
// (doc/design/decisions/0002). Until then nobody else who has joined looks for work either.

#include <weft/platform/atomic.hpp>
#include <weft/platform/backoff.hpp>
#include <weft/platform/process_fence.hpp>

#include <cstdint>

namespace weft
{
namespace detail
{

class single_runner
{
public:
    /// `fences`: whether there is a process fence. Without one only the order is kept.
    explicit single_runner(bool fences) noexcept : can_be_unseen_(fences)
    {
    }

    single_runner(single_runner const&) = delete;
    single_runner& operator=(single_runner const&) = delete;

    /// Whether one thread is inside.
    bool is_single() const noexcept
    {
        return single_.load(memory_order_relaxed);
    }

    /// Whether moreover nobody looks at what it queues.
    bool is_unseen() const noexcept
    {
        return unseen_.load(memory_order_relaxed);
    }

    /// As above; what threads that have left took is seen to be gone.
    bool is_unseen_now() const noexcept
    {
        return unseen_.load(memory_order_acquire);
    }

    /// A thread joins `others`. True: nobody has told the one that was there; this thread calls
    /// tell_runner(), the others that join await_telling(). Calls to this and thread_leaves()
    /// exclude each other.
    [[nodiscard]] bool thread_joins(std::uint32_t others) noexcept
    {
        bool const tell = others != 0 && unseen_.load(memory_order_relaxed);
        if (tell)
        {
            ++times_told_;
            telling_.fetch_add(1, memory_order_relaxed);
        }
        set_others(others);
        return tell;
    }

    /// A thread leaves `left` others behind. If it was the last one, the next one that joins will
    /// find itself alone as this one did.
    void thread_leaves(std::uint32_t left) noexcept
    {
        if (left != 0)
            set_others(left - 1);
    }

    /// After thread_joins(): returns when the thread that was single has seen that it is not.
    /// `await_pops()` waits for the biased_pop of every worker.
    template <typename AwaitPops>
    void tell_runner(AwaitPops await_pops) noexcept
    {
        if (!process_fence())
            // Refused, though it was offered: system calls have been restricted meanwhile. A store
            // does not stay in its processor for as long as this.
            sleep_thread(one_millisecond);
        await_pops();
        telling_.fetch_sub(1, memory_order_release);
    }

    void await_telling() const noexcept
    {
        pause_until([this] { return telling_.load(memory_order_acquire) == 0; });
    }

private:
    void set_others(std::uint32_t others) noexcept
    {
        set(single_, others == 0);
        set(unseen_, others == 0 && can_be_unseen_ && times_told_ < most_times_told);
    }

    // Who changes a flag does so under the lock: whoever finds it as it is to be has seen what that
    // one did.
    static void set(atomic<bool>& flag, bool value) noexcept
    {
        if (flag.load(memory_order_relaxed) != value)
            flag.store(value, memory_order_seq_cst);
    }

    // Threads that come and go all the time would pay for a process fence each time.
    static constexpr unsigned most_times_told = 16;

    static constexpr long one_millisecond = 1000000;

    // Read at every submission and written only when threads come and go.
    atomic<bool> single_{false};
    atomic<bool> unseen_{false};
    bool const can_be_unseen_;

    // How often tell_runner() has been called, or is about to be.
    unsigned times_told_ = 0;

    // Threads that are about to call it, or are in it.
    atomic<unsigned> telling_{0};
};

} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_SINGLE_RUNNER_HPP
