// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_REACTOR_DRIVER_HPP
#define WEFT_REACTOR_DRIVER_HPP

// Asio's reactor as the place where one worker of a context waits.
//
// Asio's objects reach their reactor, and post what they completed themselves, through a service:
// boost::asio::detail::scheduler. weft installs one of its own making, without a thread and never
// run, and uses it for two things only: as the queue into which threads outside the context post
// Asio's internal operations, and for the arming of the reactor's interrupt, which it does under
// its lock. What the reactor returns is taken out of its hands at once (ready_operation says why),
// and so is what has been posted there: both are run by the workers, from their queues, like all
// else. Nothing of the user's ever runs while its thread waits here, or counts as asleep.
//
// Before the first I/O object there is no reactor, and yet something may come: a resolver's answer,
// from Asio's own thread. Whoever waits then waits in the inner scheduler itself, on its condition
// variable, and moves into the reactor when that is made. So nobody need know what objects exist.
//
// A wait that is to end at a certain time has an alarm (alarm.hpp), which the reactor takes for one
// more of its queues of timers.
//
// The private queue. What Asio posts from our own workers (an operation that succeeded at once, a
// cancelled one) must go to the worker's private queue, without a lock, which a scheduler does that
// believes to have one thread. It gets that belief after its construction, so that those who ask
// for the concurrency hint are told the user's: doc/design/decisions/0001-concurrency-hint.md.

#include <weft/config.hpp>
#include <weft/platform/atomic.hpp>
#include <weft/platform/visibility.hpp>
#include <weft/reactor/alarm.hpp>
#include <weft/reactor/driven_context.hpp>
#include <weft/reactor/insides.hpp>
#include <weft/reactor/operation.hpp>
#include <weft/reactor/reactor_watch.hpp>
#include <weft/reactor/unawaited_events.hpp>

#include <boost/asio/detail/scheduler.hpp>
#include <boost/asio/detail/scheduler_task.hpp>
#include <boost/asio/execution_context.hpp>

#include <cstddef>
#include <type_traits>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

template <typename Task>
using waiting_function_of = decltype(&Task::run);

static_assert(finds<void (boost::asio::detail::scheduler_task::*)(
                        long, boost::asio::detail::op_queue<operation>&),
                  waiting_function_of, boost::asio::detail::scheduler_task>,
    WEFT_ASIO_CHANGED("scheduler_task::run(long, op_queue<scheduler_operation>&)"));

template <typename Task>
using interrupting_function_of = decltype(&Task::interrupt);

static_assert(finds<void (boost::asio::detail::scheduler_task::*)(), interrupting_function_of,
                  boost::asio::detail::scheduler_task>,
    WEFT_ASIO_CHANGED("scheduler_task::interrupt()"));

class WEFT_DECL driver final : public boost::asio::detail::execution_context_service_base<driver>
{
public:
    /// Takes what the reactor completed.
    class sink
    {
    public:
        /// Whether one more look at the reactor may follow; asked before each.
        virtual bool has_room() noexcept = 0;

        virtual void ready(ready_operation op) noexcept = 0;

        /// No more are ready: all of them must be where whoever asks whether work is left finds
        /// them, for they do not count as pending() any more.
        virtual void end() noexcept = 0;

    protected:
        ~sink() = default;
    };

    /// Installs a driver and its scheduler in `context`, before anything that looks for them.
    static driver& install(driven_context& context);

    explicit driver(boost::asio::execution_context& context) noexcept;

    /// Asio's scheduler, which the driver is inside of: for thread_entry, and the owner that
    /// ready_operation::complete() needs.
    boost::asio::detail::scheduler& inner() const noexcept
    {
        return *inner_;
    }

    /// Whether there may be something to find: the reactor exists, or an operation is in the
    /// inner scheduler or on its way there.
    bool may_have_events() const noexcept
    {
        return reactor_.load(memory_order_acquire) != nullptr || pending() != 0;
    }

    /// How many operations one look at the reactor returns at most, of those that cannot be linked.
    static constexpr unsigned max_unlinkable = 128;

    /// How many of them, at least, where there are more. Two descriptors are the reactor's own: the
    /// timer's, and the one that interrupts it.
    static constexpr unsigned least_if_more = max_unlinkable - 2;

    /// Whether events of descriptors cannot be linked, and all else can: else nothing tells what
    /// something is.
#if defined(BOOST_ASIO_HAS_IO_URING_AS_DEFAULT)
    static constexpr bool tells_descriptors = false;
#else
    static constexpr bool tells_descriptors = true;
#endif

    /// Waits for events and for what is posted: `usec` microseconds at most, without limit if
    /// negative, not at all if 0; it may return early with nothing. One thread at a time (sched/
    /// has a lock for it). Passes operations to `out`: of the events of descriptors only those for
    /// which an operation waits, where that is known. Returns how many it has found, those for
    /// which none waits included: if any, there may be more.
    std::size_t wait(long usec, sink& out);

    /// Makes the next wait() return at this time of std::chrono::steady_clock, or earlier, as
    /// exactly as Asio's own timers do: a limit in microseconds the reactor may take for
    /// milliseconds, and the inner scheduler may be late. Makes the reactor if there is none, and
    /// throws what that throws. By whoever is to call wait(), which needs that limit only if this
    /// returns false: the reactor has no other use for the time.
    bool wake_at(timer_ticks at);

    /// Makes the wait() that goes on, or the next one, return at this time or earlier. By any
    /// thread, on a context that others are in. False if it cannot, as nobody has called wake_at()
    /// yet, or it means nothing to the reactor: then the wait has to be interrupted.
    bool shorten_wait(timer_ticks at);

    /// Where somebody sleeps who is not in wait().
    reactor_watch& watch() noexcept
    {
        return watch_;
    }

    /// By who has the right to call wait(): has the reactor watched, until watch().disarm() or the
    /// next wait(). False if there is something already.
    bool begin_watch() noexcept;

    /// Takes operations off Asio's own count of work, which had them on it and does not run them.
    /// Those that wait() passes on are off it.
    void work_finished(long count) noexcept;

    /// How many operations Asio counts as work: those that wait in the reactor or for a thread of
    /// Asio's, and those in the inner scheduler; whoever is to post something counts it first. Any
    /// thread; exact if none of the context's is inside.
    long pending() const noexcept;

    /// Makes the wait() in progress, or else the next one, return soon. Any thread.
    void interrupt();

private:
    // execution_context::service
    void shutdown() override;
    void notify_fork(boost::asio::execution_context::fork_event event) override;

    static boost::asio::detail::scheduler_task* get_task(boost::asio::execution_context& context);

    boost::asio::detail::scheduler* inner_ = nullptr;

    // For a wait in the inner scheduler.
    struct inner_wait
    {
        bool can_be_ended = true;

        // Ends it, or the next one. Under that one's lock.
        atomic<bool> interrupted{false};
    };
    inner_wait inner_wait_;

    // Written once. Release publishes the reactor to whoever acquires.
    atomic<boost::asio::detail::scheduler_task*> reactor_{nullptr};

    // What wait() has taken and not passed on yet.
    struct ready_batch
    {
        void take_posted(boost::asio::detail::scheduler& inner) noexcept;
        std::size_t take_events(boost::asio::detail::scheduler_task& reactor, long usec);
        std::size_t deliver(sink& out) noexcept;

        boost::asio::detail::op_queue<operation> posted;
        boost::asio::detail::op_queue<operation> completed;
        std::size_t event_count = 0;
        ready_operation events[max_unlinkable];
        unawaited_events unawaited;
    };

    // Belongs to the thread that is to wait, or waits.
    ready_batch taken_;

    alarm alarm_;
    reactor_watch watch_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_REACTOR_DRIVER_HPP
