// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#if defined(WEFT_HEADER_ONLY)
#include <weft/impl/src.hpp> // all of it, before this header begins
#endif

#ifndef WEFT_WATCHDOG_HPP
#define WEFT_WATCHDOG_HPP

// Tells of handlers that do not return, of contexts all of whose threads are stuck, and of
// deadlocks, while they last.

#include <weft/config.hpp>
#include <weft/fwd.hpp>
#include <weft/platform/visibility.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weft
{

/// A function on the stack of a thread.
struct stack_frame
{
    /// Where the thread was, or where it returns to.
    void const* address = nullptr;

    /// The function, demangled, and how far into it that is; the file and the offset in it if that
    /// has no symbol.
    std::string name;
};

/// A thread that has been in one handler for a while.
struct stuck_thread
{
    /// The worker that the thread has: its index in stats::workers.
    std::size_t worker = 0;

    /// What the system calls the thread.
    std::string thread_name;

    /// For how long the handler has been seen. It may have begun by a fifth of
    /// watchdog_options::stall earlier.
    std::chrono::nanoseconds wall{0};

    /// The processor time that the thread has used in that. About `wall`: it computes; much less:
    /// it waits for something, or for a core.
    std::chrono::nanoseconds cpu{0};

    /// What the worker runs, as the stack tells it: the type of the operation, which has that of
    /// its handler in it, or the function that this has called. May be empty.
    std::string handler;

    /// Innermost first. Empty if there is none: it was not wanted, the thread blocks the signal, or
    /// the handler has just returned.
    std::vector<stack_frame> stack;
};

/// What a watchdog has found.
struct watchdog_report
{
    /// What there is to report.
    enum class kind
    {
        stall,       ///< a handler does not return
        all_blocked, ///< all threads that run the context are stuck
        deadlock     ///< all threads of the context sleep, and nothing in it can wake one of them
    };

    /// Which of these it is.
    kind what = kind::stall;

    /// The context.
    void const* context = nullptr;

    /// Its class: "weft::io_context" or "weft::thread_pool".
    std::string_view context_class;

    /// Of a stall the one that is stuck, of all_blocked all of them, of a deadlock none.
    std::vector<stuck_thread> threads;

    /// What weft::dump() writes of the context, if all are blocked or in a deadlock.
    std::string dump;

    /// How many reports of stalls were left out before this one, because there had been too many.
    std::size_t left_out = 0;

    /// All of it for people to read, in lines. The text may change with any version. Any thread;
    /// linear in the length of the text. Throws std::bad_alloc.
    WEFT_DECL std::string text() const;
};

/// What a watchdog looks for, and whom it tells.
struct watchdog_options
{
    /// For how long a worker has to be in one handler to be reported. It is reported again each
    /// time that has doubled. The watchdog looks five times as often, and when a report is due, so
    /// that a stall is reported when it has lasted for 1 to 1.25 times as long. Range: 1 ms or
    /// more.
    std::chrono::milliseconds stall{100};

    /// Reports of stalls within 60 seconds, of all contexts together; others are counted in the
    /// next one. Range: 1 or more.
    unsigned reports_per_minute = 5;

    /// Whether a stuck thread is asked for its stack, by a signal. System calls of the handler that
    /// no SA_RESTART resumes, such as nanosleep() and epoll_wait(), then return early with EINTR.
    bool stacks = true;

    /// The signal. 0: SIGRTMIN + 2. Range: 0, or a signal that has no handler but weft's. Its
    /// handler belongs to weft from the first watchdog that uses it until the process ends.
    int signal = 0;

    /// For how long a deadlock has to last to be reported, once. 0: none is looked for. Range: 0 or
    /// more.
    std::chrono::seconds deadlock_after{10};

    /// Whom the watchdog tells, on its own thread. Empty: the text goes to stderr. The function may
    /// throw, of which a line goes to stderr, and may call dump() and everything else that any
    /// thread may do with a context, except run it. It must not destroy anything of weft's, nor
    /// call a member of the watchdog: both would wait for the function to return. So do those that
    /// destroy a watched context meanwhile.
    std::function<void(watchdog_report const&)> on_report;
};

namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

class watching;

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail

inline namespace WEFT_ABI_NAMESPACE
{

/// Looks at io_contexts and thread_pools from a thread of its own, and reports
///
/// - stalls: a worker has been in one handler for watchdog_options::stall. One that sleeps, waits
///   in the reactor or is inside run_blocking() is not stuck, however long that takes;
/// - that all are blocked: of a context that several threads run, all are stuck;
/// - deadlocks: for watchdog_options::deadlock_after all threads inside run() have slept, nothing
///   was queued, no operation of the reactor and no wait of a timer was pending, nobody was inside
///   run_blocking(), and all outstanding work was that of operations which wait at locks and
///   channels and of the coroutines that have started those. Then only a thread from outside can
///   wake anybody; whether one will is not known. While a guard of the work is held that no such
///   coroutine holds, as by a thread_pool until join(), there is no such report. But a coroutine
///   counts as two: where one whose completion handler has an executor of its own, such as that of
///   use_future, holds but one, another guard or operation passes for the second.
///
/// A watched context pays nothing for it in its handlers: the watchdog reads what its workers count
/// anyway.
///
/// @par Complexity
/// Constant, but for watch(), which is linear in the number of contexts that are watched. That
/// waits while a report is being made.
///
/// @par Thread Safety
/// Shared objects: safe, but for the destructor. Contexts and watchdog may be destroyed in any
/// order.
class WEFT_DECL watchdog
{
public:
    /// What it looks for.
    using options = watchdog_options;
    /// What it has found.
    using report = watchdog_report;

    /// Starts the thread. @throws std::invalid_argument if an option is out of its range, or the
    /// signal has a handler that is not weft's. What std::thread throws.
    explicit watchdog(options opts = {});

    watchdog(watchdog const&) = delete;
    watchdog& operator=(watchdog const&) = delete;

    /// Ends the thread, and waits for it.
    ~watchdog();

    /// Watches a context until that or this object is destroyed. Without effect if it does so
    /// already. @throws std::bad_alloc.
    void watch(io_context& context);

    /// As above.
    void watch(thread_pool& context);

private:
    std::unique_ptr<detail::watching> watching_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace weft

#endif // WEFT_WATCHDOG_HPP
