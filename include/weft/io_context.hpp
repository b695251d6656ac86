// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#if defined(WEFT_HEADER_ONLY)
#include <weft/impl/src.hpp> // all of it, before this header begins
#endif

#ifndef WEFT_IO_CONTEXT_HPP
#define WEFT_IO_CONTEXT_HPP

#include <weft/config.hpp>
#include <weft/drain_report.hpp>
#include <weft/executor.hpp>
#include <weft/fwd.hpp>
#include <weft/options.hpp>
#include <weft/platform/visibility.hpp>
#include <weft/reactor/driven_context.hpp>
#include <weft/sched/context_scheduler.hpp>
#include <weft/stats.hpp>

#include <boost/asio/execution_context.hpp>
#include <boost/asio/strand.hpp>

#include <chrono>
#include <cstddef>
#include <memory>

namespace weft
{
inline namespace WEFT_ABI_NAMESPACE
{

/// Runs the handlers of Asio's objects on the threads that call run(), with work stealing.
///
/// Stands in for boost::asio::io_context: a program that names this class instead compiles and
/// behaves the same, except where *Differences* says otherwise.
///
/// @par Threads
/// Any number of threads may call run() and its like, at any time and repeatedly. Each is a worker
/// for as long as it is inside: it has a queue of its own, from which idle workers steal. No other
/// thread exists, but for the one that Asio's resolvers start.
///
/// @par Order
/// P1. While one thread runs the context, handlers start in the order in which they became ready,
/// or for I/O and timers were noticed; continuations excepted. While several do, the handlers that
/// one worker posts start in the order of the posts unless another worker steals some of them; of
/// more than 256 that are queued, the newest half goes to the queue of work from outside and may
/// start earlier or later than the rest.
///
/// P2. A continuation (`defer`, `relationship.continuation`) runs next, up to options::lifo_limit
/// times in a row (3 by default) before what is queued. What a handler grants another one that
/// waits for a weft::mutex, channel or the like is its continuation; if it grants several, all of
/// them go to the back in the order of the grants. An operation on one of those that completes
/// without waiting is a continuation, too, while several threads run the context and handlers are
/// short; those of a handler that starts several go to the back in their order. An operation of
/// Asio's that a handler starts and that completes at once, as most writes do, is its continuation
/// while several threads run the context and handlers are long, if the handler queues nothing else,
/// if such ones have been short, 10 us in the mean, and while no more events are ready than one
/// look at the reactor brings; not two in a row.
///
/// P3. `dispatch` from a handler of the context calls inline.
///
/// @par Fairness
/// P4. A worker looks at the reactor when it has nothing else to do. While it has, it does so at
/// least once in options::tick_budget handlers (128 by default); and at the end of a turn, when the
/// context has run what was queued at the last look, or 1 ms has passed since. A look brings 128
/// events at most. After one that did, a worker looks again when nearly all that it had then has
/// been run, or after four times as many handlers, and not before: what is posted meanwhile, and
/// timers, do not wait for more of the events. A turn is as many handlers as take about 20 us,
/// judged by those before: one if they are longer, 127 at most. Of a context that has had one
/// thread only, and handlers that take less than 0.1 ms, it is up to 16 of those that were queued
/// at the last look, if they take 100 us at the most and no timer is due before. While several
/// threads run the context and handlers take more than some 6 us, it is those that begin in 15 us,
/// and the continuation of the last one, while such ones take less than 10 us; if they take more
/// than 10 us, those that begin in 400 us while two or more are queued for each thread that has a
/// core, the next of which was ready before the last look at the reactor, and no thread sleeps.
///
/// P5. At the end of each turn (or each options::injection_interval handlers, if that is set) it
/// looks at the queue of work from outside, and takes from it what has waited longer than its own
/// work (if that is set, also what has not, but with an interval of 1 only in turns with its own
/// work). (What its handlers queue has waited since they were run; while handlers are short, since
/// the turn began.) While one thread runs the context, work from outside has its place in the one
/// order of P1 instead.
///
/// P6. What is queued never waits while a worker sleeps, whatever other workers are doing. A
/// continuation of a handler that blocks is taken over after 0.2 to 20 ms; see
/// options::lifo_stealing. Nor does it wait for one handler while every other worker is busy with
/// handlers of its own: every 40 us at the most, when a handler ends, each looks at another worker,
/// ends its turn if that has anything queued, and takes what has waited there longer than its own
/// work, by 50 us and twice the duration of its handlers at least, if handlers are long or that
/// worker has been in one for 100 us; where handlers are long, and that worker has been in one for
/// four times as long as most take (50 us at least, 200 us at most), whatever has waited longer.
///
/// P7. A context without work makes no wake-ups.
///
/// P8. Where handlers take 20 us and more, their order is nearly that of one queue: when several
/// threads run the context, a handler starts after at most 8 times as many others as there are
/// threads that became ready later, continuations excepted, and what was queued before they were
/// long. (It became ready when it was posted, to 20 us, an operation of Asio's that completes at
/// once when the handler returns, or when the reactor is looked at next, an event when that was
/// looked at. 64 threads: where handlers take 100 us and more. The threads are those that stay
/// inside: one that calls run_one() again and again does not learn how long handlers are.)
///
/// @par Observation
/// P9. A snapshot of stats() stops no worker. Each count in it is one that was true at a moment
/// during the call, and never less than in a snapshot that was complete before; the count of a
/// histogram is the sum of its buckets. When no thread is inside run() all sums are exact: as many
/// handlers as have run. Counts of different things belong to slightly different moments before
/// that. Times may differ by some microseconds, or by as long as a thread was kept from its core
/// while it noted them.
///
/// @par Complexity
/// Constant, for all members that do not say otherwise, and for a submission. That of a worker
/// takes no lock while its own queue has room; that of another thread takes the lock of one queue.
/// Either may wake a worker that sleeps, by a system call. A worker that has nothing to do looks at
/// the queues of all others.
///
/// @par Algorithm
/// The queues of which others steal half are after Go's and Tokio's, the counter of events without
/// which a wake-up could be lost after Rayon's. doc/scheduler.md says what was changed, and why.
///
/// @par Exceptions
/// Members throw what they say; those that say nothing throw nothing.
///
/// @par Effect of exceptions thrown from handlers
/// The exception leaves the run(), run_one(), poll() or the like on whose thread it was thrown.
/// Other threads are not affected. The thread may call run() again at once; no handler is lost.
///
/// @par Thread Safety
/// Distinct objects: safe. Shared objects: safe, except that restart() must not be called while
/// another thread is inside run() or its like, and notify_fork() while any thread uses the context.
///
/// @par Destruction
/// No thread may be inside. One outside that has made run() return, by what it posted or by stop(),
/// may still be in that call. Operations in progress are abandoned and the handlers of all are
/// destroyed without being run.
///
/// @par Differences
/// A handler that blocks keeps the operations that completed at once inside it (a write that the
/// kernel took immediately, say) from other threads until it returns: wrap what blocks in
/// run_blocking(). So does a handler that is bound to an executor which calls inline, such as
/// system_executor, with the reactor and the timers, if another thread completed or cancelled its
/// operation. io_context::strand is a boost::asio::strand and not a class of its own.
class WEFT_DECL io_context : public detail::driven_context
{
public:
    /// The type of its executors.
    using executor_type = basic_executor<io_context, std::allocator<void>, 0>;
    /// What run() and its like return: a number of handlers.
    using count_type = std::size_t;

    /// Used by the executor: nobody but the callers of run() provides threads.
    static constexpr bool owns_threads = false;

    /// With Asio's default for the hint.
    ///
    /// This and all other constructors may throw std::bad_alloc.
    io_context() : io_context(options{}, default_hint)
    {
    }

    /// @param concurrency_hint How many threads will run the context, as far as known: 1 to 65535,
    /// or 0, or one of Asio's BOOST_ASIO_CONCURRENCY_HINT_ constants. The unsafe ones are a promise
    /// to use one thread only, after which Asio's reactor does without locks. Otherwise nothing
    /// depends on it but what other libraries read from it: a context that is run by one thread is
    /// fast on its own.
    /// @throws std::invalid_argument for any other number.
    explicit io_context(int concurrency_hint)
        : io_context(options{}, validated_hint(concurrency_hint))
    {
    }

    /// @throws std::invalid_argument if an option is out of its range.
    explicit io_context(options const& opts) : io_context(opts, default_hint)
    {
    }

#if WEFT_HAS_SERVICE_MAKER
    /// With services that exist from the beginning; a configuration
    /// (boost::asio::config_from_string and the like) is one. The settings of the reactor, the
    /// timers and the resolvers hold here as with Asio; those of Asio's scheduler are for others to
    /// read.
    explicit io_context(service_maker const& initial_services);
#endif

#if WEFT_HAS_CONTEXT_ALLOCATOR
    /// As the constructors without allocator. Services, and what they keep for I/O objects, are
    /// allocated with `a`.
    template <typename Allocator>
    io_context(std::allocator_arg_t, Allocator const& a);

    /// As above.
    template <typename Allocator>
    io_context(std::allocator_arg_t, Allocator const& a, int concurrency_hint);

    /// As above.
    template <typename Allocator>
    io_context(std::allocator_arg_t, Allocator const& a, service_maker const& initial_services);
#endif

    ~io_context();

    io_context(io_context const&) = delete;
    io_context& operator=(io_context const&) = delete;

    /// An executor that submits to this context, with `blocking.possibly`, `relationship.fork` and
    /// `outstanding_work.untracked`.
    executor_type get_executor() noexcept
    {
        return executor_type(*this);
    }

    /// Runs handlers until there is no more work or the context is stopped. Returns how many it
    /// ran. Work is what is queued, what executors count (outstanding_work.tracked), and as with
    /// boost::asio::io_context what Asio's objects wait for, whatever their executor is.
    ///
    /// May be called inside a handler of this or another context.
    ///
    /// @throws What a handler throws. std::bad_alloc when the thread is the first to use a worker,
    /// std::length_error if more than 65535 threads are inside, boost::system::system_error if the
    /// reactor cannot be created; nothing is lost then.
    count_type run();

    /// Runs at most one handler; waits for it as run() does, and throws as run() does.
    count_type run_one();

    /// As run(), for a limited time. A time beyond what the clock can say is no limit.
    template <typename Rep, typename Period>
    count_type run_for(std::chrono::duration<Rep, Period> const& time);

    /// As run(), until a point in time. Clocks other than std::chrono::steady_clock may be set:
    /// they are read again after each handler and once a second.
    template <typename Clock, typename Duration>
    count_type run_until(std::chrono::time_point<Clock, Duration> const& time);

    /// As run_one(), for a limited time.
    template <typename Rep, typename Period>
    count_type run_one_for(std::chrono::duration<Rep, Period> const& time);

    /// As run_one(), until a point in time.
    template <typename Clock, typename Duration>
    count_type run_one_until(std::chrono::time_point<Clock, Duration> const& time);

    /// Runs the handlers that are ready, without waiting. Throws as run() does.
    count_type poll();

    /// Runs at most one handler that is ready, without waiting. Throws as run() does.
    count_type poll_one();

    /// An orderly end: as run_for(), and stops the context then, also if work is left; the report
    /// says what. Nothing of that is destroyed before the context is: after restart() it may go on.
    ///
    /// Other threads may be inside run(). They have 20 ms to leave before the report is made; what
    /// a handler that runs for longer does afterwards is not in it. If such a handler runs on this
    /// thread, the call takes as much longer. To be called when nothing new begins any more (the
    /// acceptors closed, idle connections told to end), and not inside a handler of the context,
    /// which would wait for itself.
    ///
    /// @throws As run(); the drain may be called again then.
    template <typename Rep, typename Period>
    drain_report drain_for(std::chrono::duration<Rep, Period> const& time);

    /// As drain_for(), until a point in time. A clock other than std::chrono::steady_clock is read
    /// once.
    template <typename Clock, typename Duration>
    drain_report drain_until(std::chrono::time_point<Clock, Duration> const& time);

    /// Makes all calls of run() and its like return soon, and later ones at once, until restart().
    /// Handlers that are ready stay. Does not wait for the handlers that are running. Any thread;
    /// the cost grows with the number of threads that sleep.
    void stop();

    /// Whether the context was stopped, or has run out of work.
    bool stopped() const;

    /// Must be called before run() once the context is stopped.
    void restart();

    /// What the workers have done: one entry for each that ever existed. Any thread; never stops a
    /// worker. Linear in the number of workers, locks and channels. Throws std::bad_alloc.
    weft::stats stats() const;

    /// Changes options::timing. Any thread; each worker follows when its turn ends, or when it
    /// wakes up.
    void timing(weft::timing how) noexcept;

#if !defined(BOOST_ASIO_NO_DEPRECATED)
    // What Asio has deprecated and existing code still calls.

    /// restart().
    void reset()
    {
        restart();
    }

    /// boost::asio::post().
    template <typename CompletionToken>
    auto post(CompletionToken&& token);

    /// boost::asio::dispatch().
    template <typename CompletionToken>
    auto dispatch(CompletionToken&& token);

    /// Returns a function object that dispatches a call of `handler` with its own arguments.
    template <typename Handler>
    auto wrap(Handler handler);

    class work;
    class strand;
#endif

    class service;

private:
    friend struct detail::context_access;

    io_context(options const& opts, int concurrency_hint);

    // The constants are the program's, which may define them.
    static int validated_hint(int concurrency_hint)
    {
        if (concurrency_hint == default_hint)
            return concurrency_hint;
        return checked_hint(
            concurrency_hint == 1 ? BOOST_ASIO_CONCURRENCY_HINT_1 : concurrency_hint);
    }

    static int checked_hint(int concurrency_hint);

    drain_report drain_until_steady(detail::deadline time);
    count_type run_until_steady(detail::deadline time);
    count_type run_one_until_steady(detail::deadline time);

    detail::context_scheduler::owner scheduler_;
};

#if !defined(BOOST_ASIO_NO_DEPRECATED)
/// Keeps run() from running out of work. Use boost::asio::executor_work_guard.
///
/// @par Thread Safety
/// Distinct objects: safe. Shared objects: safe, but for destruction.
///
/// @par Complexity, Exceptions
/// Constant; none.
class WEFT_DECL io_context::work
{
public:
    /// Counts as work of `context` from now on.
    explicit work(io_context& context);

    /// Counts as work of the same context.
    work(work const& other);

    /// Is no work any more.
    ~work();

    work& operator=(work const&) = delete;

    /// The context whose work it is.
    io_context& get_io_context()
    {
        return context_;
    }

private:
    io_context& context_;
};
#endif

#if !defined(BOOST_ASIO_NO_DEPRECATED)
/// A strand of this context, with the members of Asio's io_context::strand. Use
/// boost::asio::strand.
///
/// @par Thread Safety, Complexity
/// As for boost::asio::strand.
///
/// @par Exceptions
/// The constructor and wrap() throw std::bad_alloc, and what copying the handler throws.
class io_context::strand : public boost::asio::strand<executor_type>
{
    using base = boost::asio::strand<executor_type>;

public:
    /// A new strand of `context`.
    explicit strand(io_context& context) : base(context.get_executor())
    {
    }

    /// The context of the strand.
    io_context& context() const noexcept
    {
        return boost::asio::query(this->get_inner_executor(), boost::asio::execution::context);
    }

    /// The context of the strand.
    io_context& get_io_context() const noexcept
    {
        return context();
    }

#if !defined(BOOST_ASIO_NO_TS_EXECUTORS)
    using base::dispatch;
    using base::post;
#endif

    /// boost::asio::post().
    template <typename CompletionToken>
    auto post(CompletionToken&& token);

    /// boost::asio::dispatch().
    template <typename CompletionToken>
    auto dispatch(CompletionToken&& token);

    /// Returns a function object that dispatches a call of `handler` with its own arguments.
    template <typename Handler>
    auto wrap(Handler handler);
};
#endif

/// Base of services that are written for io_context.
///
/// @par Thread Safety
/// Distinct objects: safe. Shared objects: safe, but for construction and destruction.
///
/// @par Complexity, Exceptions
/// Constant; none.
class WEFT_DECL io_context::service : public boost::asio::execution_context::service
{
public:
    /// The context to which the service belongs.
    io_context& get_io_context();

protected:
    /// Makes a service of `owner`.
    explicit service(io_context& owner);
    ~service() override;

private:
    void shutdown() override;

    void notify_fork(boost::asio::execution_context::fork_event event) override;

    // What Asio has deprecated; declared with BOOST_ASIO_NO_DEPRECATED too, because the library and
    // the program must have the same virtual functions.
    virtual void shutdown_service();
    virtual void fork_service(boost::asio::execution_context::fork_event event);
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace weft

namespace boost
{
namespace asio
{

/// As use_service() for any execution_context, also for a service whose constructor wants an
/// io_context.
template <typename Service>
Service& use_service(weft::io_context& context);

} // namespace asio
} // namespace boost

// A context is no executor; asking its members would need them complete too early.
template <>
struct boost::asio::execution::is_executor<weft::io_context> : std::false_type
{
};

#include <weft/impl/io_context.hpp>

#endif // WEFT_IO_CONTEXT_HPP
