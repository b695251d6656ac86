// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SYNC_TIME_LIMIT_HPP
#define WEFT_SYNC_TIME_LIMIT_HPP

// The part of a wait with a time limit that threads agree on. No timers, no handlers.
//
// Three may use the operation: the function that starts it, whoever ends the wait, and the handler
// of the timer. The last of them to finish calls the operation's handler. Whoever ends the wait (a
// release, a cancellation, the timer) is decided by the state, as for any waiter, and stops the
// timer.
//
// The timer runs before the operation is registered, because afterwards the wait may end at any
// time, and the timer is to be stopped then. So the timer's handler may come before the
// registration: of registering and expiring, the second to happen ends the wait.
//
// The timer may expire while another thread destroys the primitive, in which the operation is to be
// looked for. So whoever ends the wait, and may be the destructor, waits for that look to be over.

#include <weft/platform/atomic.hpp>
#include <weft/platform/backoff.hpp>

#include <cstdint>

namespace weft
{
namespace detail
{

class time_limit
{
public:
    /// By the starter, when the operation waits. True if the time was up before: the caller is to
    /// end the wait.
    bool registered() noexcept
    {
        return (note(registered_flag) & expired_flag) != 0;
    }

    /// By the timer's handler. True if the operation waits: the caller is to end the wait.
    bool expired() noexcept
    {
        return (note(expired_flag) & registered_flag) != 0;
    }

    /// Calls `take_out()`, which looks into the primitive, unless the wait has ended. Whether that
    /// has taken the operation out.
    template <typename TakeOut>
    bool end_wait(TakeOut&& take_out) noexcept
    {
        if ((note(looking_flag) & ended_flag) != 0)
            return false;
        bool const mine = take_out();
        // Release: the look comes before whatever the one who waits for it does then.
        happened_.fetch_and(~looking_flag, memory_order_release);
        return mine;
    }

    /// By whoever ends the wait. Nobody looks into the primitive from then on.
    void ended() noexcept
    {
        if ((note(ended_flag) & looking_flag) != 0)
            pause_until(
                [this] { return (happened_.load(memory_order_acquire) & looking_flag) == 0; });
    }

    /// By each of the users when it is done with the operation. True for the last, whose the
    /// operation is.
    bool leave() noexcept
    {
        // The last one sees what the others did.
        return users_.fetch_sub(1, memory_order_acq_rel) == 1;
    }

    /// By the starter, before the timer: it alone has a part in the operation, or nobody.
    void used_by_nobody_else() noexcept
    {
        users_.store(1, memory_order_relaxed);
    }

    void used_by_nobody() noexcept
    {
        users_.store(0, memory_order_relaxed);
    }

    /// Whether all users have left.
    bool is_over() const noexcept
    {
        return users_.load(memory_order_relaxed) == 0;
    }

    /// The operation's handler is not to be called. Before leave().
    void give_up() noexcept
    {
        given_up_.store(true, memory_order_relaxed);
    }

    bool given_up() const noexcept
    {
        return given_up_.load(memory_order_relaxed);
    }

private:
    static constexpr std::uint32_t registered_flag = 1;
    static constexpr std::uint32_t expired_flag = 2;
    static constexpr std::uint32_t looking_flag = 4;
    static constexpr std::uint32_t ended_flag = 8;

    // Acquire: whoever looks into the operation sees it registered; release: and the other way.
    std::uint32_t note(std::uint32_t what) noexcept
    {
        return happened_.fetch_or(what, memory_order_acq_rel);
    }

    // Flags.
    atomic<std::uint32_t> happened_{0};

    // How many have not left.
    atomic<std::uint32_t> users_{3};

    // Ordered by users_.
    atomic<bool> given_up_{false};
};

} // namespace detail
} // namespace weft

#endif // WEFT_SYNC_TIME_LIMIT_HPP
