// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_WATCHDOG_WATCH_LIST_HPP
#define WEFT_SRC_WATCHDOG_WATCH_LIST_HPP

// What a watchdog does, without its thread: it looks at its contexts whenever it is told to, and
// reports.

#include <weft/config.hpp>
#include <weft/platform/visibility.hpp>
#include <weft/watchdog.hpp>

#include "../platform/symbols.hpp"
#include "watched_context.hpp"

#include <boost/asio/execution_context.hpp>

#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// The contexts of one watchdog. Any thread.
class WEFT_DECL watch_list : public std::enable_shared_from_this<watch_list>
{
public:
    using time_point = std::chrono::steady_clock::time_point;

    /// Throws std::invalid_argument.
    explicit watch_list(watchdog_options opts);

    /// Looks at the context from now on, until it is destroyed. Without effect if it does so
    /// already. Throws std::bad_alloc.
    void add(io_context& context);
    void add(thread_pool& context);

    /// How long to wait between two looks.
    std::chrono::nanoseconds period() const noexcept;

    /// Reads what the first report needs, which would be late by it. Any thread.
    void get_ready() const noexcept;

    /// Looks at all contexts, and reports what it finds. `now` does not go back. Throws
    /// std::bad_alloc.
    void look(time_point now);

    /// When the first stall is to be reported of those handlers that the last look has found
    /// again; the end of time if there is none. Any thread.
    time_point next_due() const;

    /// Does not look at the context any more, nor is looking when this returns.
    void forget(boost::asio::execution_context const& context) noexcept;

    /// As forget(), of all.
    void forget_all() noexcept;

private:
    void add(context_reference c);
    void look_at(watched_context& c, time_point now);
    void tell_of_threads(watched_context& c, watchdog_report::kind what,
        std::vector<thread_history> const& about, time_point now);
    void tell_of_deadlock(watched_context& c);
    bool may_report(time_point now);
    void report(watchdog_report const& r) const noexcept;
    stuck_thread describe(
        watched_context const& c, thread_history const& t, symbols const& names) const;

    watchdog_options const options_;

    mutable std::mutex mutex_;

    // Guarded by mutex_, which is held while somebody is told.
    std::vector<watched_context> contexts_;
    std::deque<time_point> reported_;
    std::size_t left_out_ = 0;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_SRC_WATCHDOG_WATCH_LIST_HPP
