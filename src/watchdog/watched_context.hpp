// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_WATCHDOG_WATCHED_CONTEXT_HPP
#define WEFT_SRC_WATCHDOG_WATCHED_CONTEXT_HPP

// What a watchdog knows of one context: which of its threads have been in one handler since when,
// and since when it has been in a deadlock.

#include <weft/config.hpp>
#include <weft/sched/context_scheduler.hpp>

#include "../sched/thread_view.hpp"

#include <boost/asio/execution_context.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// A context, whatever its class.
struct context_reference
{
    std::string_view name;
    boost::asio::execution_context* context;
    context_scheduler const* sched;
    std::string (*dump)(boost::asio::execution_context const&);
};

/// When a thread was first seen in the handler that it is in, and when that is next told of.
struct thread_history
{
    thread_view seen;
    std::chrono::steady_clock::time_point since{};
    std::chrono::nanoseconds lasts{0};
    std::chrono::nanoseconds told_after{0};
};

class watched_context
{
public:
    using time_point = std::chrono::steady_clock::time_point;

    explicit watched_context(context_reference c) : context_(c)
    {
    }

    context_reference const& context() const noexcept
    {
        return context_;
    }

    /// Looks at the threads. Throws std::bad_alloc.
    void look(time_point now, std::chrono::nanoseconds stall);

    /// Those that have been in one handler for long, and not been told of, or half of that time
    /// ago. Throws std::bad_alloc.
    std::vector<thread_history> due() const;

    /// When the first of those is to be told of that have been in one handler for at least one
    /// look; the end of time if there is none.
    time_point next_due() const noexcept;

    /// Whether several threads run the context, and all of them have been in one handler for
    /// `stall`.
    bool all_blocked(std::chrono::nanoseconds stall) const noexcept;

    /// All that are in a handler. Throws std::bad_alloc.
    std::vector<thread_history> stuck() const;

    /// These have been told of.
    void told(std::vector<thread_history> const& about) noexcept;

    /// Whether the thread is in that handler still: `now` is how it is now. Throws std::bad_alloc.
    bool still_in(thread_view const& seen, thread_view& now) const;

    /// Whether the context has been in one and the same deadlock for `limit`; once. After look().
    /// Throws std::bad_alloc.
    bool found_deadlock(time_point now, std::chrono::nanoseconds limit);

private:
    // What does not change while nobody runs anything, and nobody begins to wait.
    struct standstill
    {
        std::uint64_t handlers = 0;
        std::uint64_t contended = 0;
        std::size_t waiting = 0;
        std::size_t outstanding = 0;

        bool operator==(standstill const& other) const noexcept
        {
            return handlers == other.handlers && contended == other.contended &&
                   waiting == other.waiting && outstanding == other.outstanding;
        }
    };

    bool all_sleep() const noexcept;
    bool stands_still(standstill& how) const;
    bool accounted_for(standstill const& how) const;

    context_reference context_;
    std::vector<thread_history> threads_;
    std::vector<thread_view> now_;

    // While it stands still, in this way, since then.
    bool still_ = false;
    bool told_ = false;
    standstill how_;
    time_point since_{};
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_SRC_WATCHDOG_WATCHED_CONTEXT_HPP
