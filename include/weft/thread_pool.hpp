// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#if defined(WEFT_HEADER_ONLY)
#include <weft/impl/src.hpp> // all of it, before this header begins
#endif

#ifndef WEFT_THREAD_POOL_HPP
#define WEFT_THREAD_POOL_HPP

#include <weft/config.hpp>
#include <weft/drain_report.hpp>
#include <weft/executor.hpp>
#include <weft/fwd.hpp>
#include <weft/options.hpp>
#include <weft/platform/deadline.hpp>
#include <weft/platform/visibility.hpp>
#include <weft/reactor/driven_context.hpp>
#include <weft/sched/context_scheduler.hpp>
#include <weft/sched/spare_threads.hpp>
#include <weft/stats.hpp>

#include <boost/asio/execution_context.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace weft
{
inline namespace WEFT_ABI_NAMESPACE
{

/// Runs handlers on threads of its own, with work stealing.
///
/// Stands in for boost::asio::thread_pool: a program that names this class instead compiles and
/// behaves the same. It is a full context for I/O objects as well.
///
/// @par Order and Fairness
/// P1 to P8 of io_context.
///
/// @par Complexity, Algorithm
/// As for io_context. To make or to end a pool is linear in the number of its threads.
///
/// @par Exceptions
/// Members throw what they say; those that say nothing throw nothing.
///
/// @par Effect of exceptions thrown from handlers
/// std::terminate(), as with Asio, unless options::on_exception is set.
///
/// @par Thread Safety
/// Distinct objects: safe. Shared objects: safe, except notify_fork() while any thread uses the
/// pool. join() and wait() must not be called on a thread of the pool.
///
/// @par Destruction
/// stop(), join(), and then as io_context. A function that was submitted by post, dispatch or defer
/// to the pool's executor may do it (not the handler of an operation, a coroutine or what a strand
/// runs: Asio finishes those on the pool when they have returned), and so may
/// options::on_exception. All other threads of the pool's own are joined, and the one it runs on
/// ends when it has returned. An exception that leaves the function then is std::terminate().
///
/// @par Differences
/// A pool has at least one thread of its own: `thread_pool(0)` is refused. A number out of range is
/// std::invalid_argument, where Asio has std::out_of_range.
class WEFT_DECL thread_pool : public detail::driven_context
{
public:
    /// The type of its executors.
    using executor_type = basic_executor<thread_pool, std::allocator<void>, 0>;
    /// The same, under the name that Asio has for it too.
    using scheduler_type = executor_type;

    /// Used by the executor: `blocking.always` cannot wait for ever.
    static constexpr bool owns_threads = true;

    /// Twice as many threads as there are cores.
    thread_pool();

    /// @throws std::invalid_argument if `threads` is not 1 to 65535. Whatever the system throws
    /// when it cannot start a thread; those started by then are joined.
    explicit thread_pool(std::size_t threads);

    /// As above. @throws std::invalid_argument if an option is out of its range, or this process
    /// may not use a CPU of options::cpus. What options::on_thread_start throws.
    explicit thread_pool(options const& opts);

#if WEFT_HAS_SERVICE_MAKER
    /// With services that exist from the beginning; a configuration is one.
    thread_pool(std::size_t threads, service_maker const& initial_services);
#endif

#if WEFT_HAS_CONTEXT_ALLOCATOR
    /// As the constructors without allocator. Services, and what they keep for I/O objects, are
    /// allocated with `a`.
    template <typename Allocator>
    thread_pool(std::allocator_arg_t, Allocator const& a);

    /// As above.
    template <typename Allocator>
    thread_pool(std::allocator_arg_t, Allocator const& a, std::size_t threads);

    /// As above.
    template <typename Allocator>
    thread_pool(std::allocator_arg_t, Allocator const& a, std::size_t threads,
        service_maker const& initial_services);
#endif

    ~thread_pool();

    thread_pool(thread_pool const&) = delete;
    thread_pool& operator=(thread_pool const&) = delete;

    /// An executor that submits to this pool, with `blocking.possibly`, `relationship.fork` and
    /// `outstanding_work.untracked`.
    executor_type get_executor() noexcept
    {
        return executor_type(*this);
    }

    /// get_executor(), under the names that Asio's pool has for it too.
    executor_type executor() noexcept
    {
        return executor_type(*this);
    }

    /// As executor().
    scheduler_type scheduler() noexcept
    {
        return executor_type(*this);
    }

    /// Makes all threads return as soon as the handlers they run have returned. Does not wait.
    void stop();

    /// Lends the calling thread to the pool until that is stopped or has been joined and run out of
    /// work. The occupancy stays one higher afterwards, as with Asio.
    ///
    /// @throws std::bad_alloc, std::length_error beyond 65535 threads; the thread was not lent
    /// then.
    void attach();

    /// Waits until no work is left, or the pool was stopped, and all threads have ended. Further
    /// calls return at once, also while the first still waits.
    void join();

    /// join().
    void wait();

    /// An orderly end: as join(), for `time` at most. If work is left or a handler still runs then,
    /// the pool is stopped, and the report says what was left; nothing of that is destroyed before
    /// the pool is. At the end of the time the threads have 20 ms to leave; what a handler that
    /// runs for longer does afterwards is not in the report.
    ///
    /// Does not wait for such a handler. join() and the destructor do: a program that cannot wait
    /// for it ends by std::quick_exit(). Further calls say what there is left now. To be called
    /// when nothing new begins any more, and not on a thread of the pool.
    template <typename Rep, typename Period>
    drain_report drain_for(std::chrono::duration<Rep, Period> const& time);

    /// As drain_for(), until a point in time. A clock other than std::chrono::steady_clock is read
    /// once.
    template <typename Clock, typename Duration>
    drain_report drain_until(std::chrono::time_point<Clock, Duration> const& time);

    /// What the workers have done. Any thread; never stops one. Linear in the number of workers,
    /// locks and channels. Throws std::bad_alloc.
    weft::stats stats() const;

    /// Changes options::timing. Any thread; each worker follows when its turn ends, or when it
    /// wakes up.
    void timing(weft::timing how) noexcept;

private:
    friend struct detail::context_access;

    static options with_threads(std::size_t threads);
    static options resolved(options opts);
    static std::shared_ptr<detail::pool_threads> threads_of(options const& opts);

    // Starts the threads; if it cannot, undoes all.
    void start();
    void start_one(std::size_t number);

    // Until join() or a drain, an idle pool is not a finished one.
    void release();
    drain_report drain_until_steady(detail::deadline time);

    std::size_t occupancy() const noexcept;
    void join_all();

    options const options_;
    detail::context_scheduler::owner scheduler_;
    std::shared_ptr<detail::pool_threads> const own_;
    detail::spare_threads spares_;
    std::atomic<std::size_t> occupancy_;

    std::mutex mutex_;
    bool released_ = false; // guarded by mutex_
    bool joined_ = false;   // guarded by mutex_
    std::vector<std::thread> threads_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace weft

// A context is no executor; asking its members would need them complete too early.
template <>
struct boost::asio::execution::is_executor<weft::thread_pool> : std::false_type
{
};

#include <weft/impl/thread_pool.hpp>

#endif // WEFT_THREAD_POOL_HPP
