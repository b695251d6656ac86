// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/reactor/driver.hpp>

#include "descriptor.hpp"
#include "expose.hpp"

#include <boost/asio/detail/atomic_count.hpp>
#include <boost/asio/detail/scheduler.hpp>
#include <boost/asio/detail/wait_op.hpp>
#include <boost/system/error_code.hpp>

#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <type_traits>
#include <utility>

#if defined(BOOST_ASIO_HAS_IO_URING_AS_DEFAULT)
#include <boost/asio/detail/io_uring_service.hpp>
#else
#include <boost/asio/detail/reactor.hpp>
#endif

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

inline namespace WEFT_LOCAL
{

namespace asio = boost::asio;
using inner_scheduler = asio::detail::scheduler;

#if defined(BOOST_ASIO_HAS_IO_URING_AS_DEFAULT)
using reactor_service = asio::detail::io_uring_service;
#else
using reactor_service = asio::detail::reactor;
#endif

static_assert(std::is_convertible_v<reactor_service*, asio::detail::scheduler_task*>,
    WEFT_ASIO_CHANGED("the reactor to be a scheduler_task"));

template <typename Scheduler>
using inner_functions_of = std::void_t<decltype(std::declval<Scheduler&>().work_started()),
    decltype(std::declval<Scheduler&>().init_task())>;

static_assert(finds_any<inner_functions_of, inner_scheduler>,
    WEFT_ASIO_CHANGED("scheduler::work_started() and init_task()"));

#if WEFT_HAS_SERVICE_MAKER
static_assert(std::is_constructible_v<inner_scheduler, asio::execution_context&, bool,
                  asio::detail::scheduler_task* (*)(asio::execution_context&)>,
    WEFT_ASIO_CHANGED("scheduler(execution_context&, bool own_thread, get_task_func_type)"));
#else
static_assert(std::is_constructible_v<inner_scheduler, asio::execution_context&, int, bool,
                  asio::detail::scheduler_task* (*)(asio::execution_context&)>,
    WEFT_ASIO_CHANGED("scheduler(execution_context&, int hint, bool own_thread, "
                      "get_task_func_type)"));
#endif

// Whether the reactor has to be told of a time by an alarm: the others take microseconds for what
// they are.
inline constexpr bool has_coarse_waits = reactor_watch::is_available;

template <typename Reactor>
using timer_functions_of =
    std::void_t<decltype(std::declval<Reactor&>().add_timer_queue(std::declval<alarm&>())),
        decltype(std::declval<Reactor&>().remove_timer_queue(std::declval<alarm&>())),
        decltype(std::declval<Reactor&>().schedule_timer(std::declval<alarm&>(), timer_ticks(),
            std::declval<alarm::per_timer_data&>(), static_cast<asio::detail::wait_op*>(nullptr)))>;

static_assert(finds_any<timer_functions_of, reactor_service>,
    WEFT_ASIO_CHANGED("the reactor's add_timer_queue(queue), remove_timer_queue(queue) and "
                      "schedule_timer(queue, time, data, wait_op*)"));
static_assert(
    std::is_base_of_v<asio::detail::timer_queue_base, alarm> && !std::is_abstract_v<alarm>,
    WEFT_ASIO_CHANGED("the virtual functions of timer_queue_base"));

template <typename Scheduler>
using no_one_thread = decltype(&with_private_names<Scheduler>::one_thread_);

template <typename Scheduler>
using no_assume_continuation = decltype(&with_private_names<Scheduler>::assume_continuation_);

template <typename Scheduler>
using no_outstanding_work = decltype(&with_private_names<Scheduler>::outstanding_work_);

template <typename Scheduler>
using no_event = decltype(&with_private_names<Scheduler>::wakeup_event_);

template <typename Scheduler>
using no_task = decltype(&with_private_names<Scheduler>::task_operation_);

template <typename Scheduler>
using no_interrupted = decltype(&with_private_names<Scheduler>::task_interrupted_);

static_assert(!finds_any<no_one_thread, inner_scheduler>,
    WEFT_ASIO_CHANGED("a member scheduler::one_thread_"));
static_assert(!finds_any<no_outstanding_work, inner_scheduler>,
    WEFT_ASIO_CHANGED("a member scheduler::outstanding_work_"));
static_assert(
    !finds_any<no_mutex, inner_scheduler>, WEFT_ASIO_CHANGED("a member scheduler::mutex_"));
static_assert(
    !finds_any<no_event, inner_scheduler>, WEFT_ASIO_CHANGED("a member scheduler::wakeup_event_"));
static_assert(
    !finds_any<no_queue, inner_scheduler>, WEFT_ASIO_CHANGED("a member scheduler::op_queue_"));
static_assert(
    !finds_any<no_task, inner_scheduler>, WEFT_ASIO_CHANGED("a member scheduler::task_operation_"));
static_assert(!finds_any<no_interrupted, inner_scheduler>,
    WEFT_ASIO_CHANGED("a member scheduler::task_interrupted_"));
static_assert(!finds_any<no_assume_continuation, inner_scheduler> == WEFT_HAS_ASSUME_CONTINUATION,
    WEFT_ASIO_CHANGED("a member scheduler::assume_continuation_ from 103802 on, and not before"));

struct one_thread_tag
{
    friend auto member_of(one_thread_tag) noexcept;
};

template struct expose<one_thread_tag, &inner_scheduler::one_thread_>;

static_assert(std::is_same_v<decltype(member_of(one_thread_tag())), bool const inner_scheduler::*>,
    WEFT_ASIO_CHANGED("bool const scheduler::one_thread_"));

struct outstanding_work_tag
{
    friend auto member_of(outstanding_work_tag) noexcept;
};

template struct expose<outstanding_work_tag, &inner_scheduler::outstanding_work_>;

static_assert(std::is_same_v<decltype(member_of(outstanding_work_tag())),
                  asio::detail::atomic_count inner_scheduler::*>,
    WEFT_ASIO_CHANGED("atomic_count scheduler::outstanding_work_"));

struct mutex_tag
{
    friend auto member_of(mutex_tag) noexcept;
};

template struct expose<mutex_tag, &inner_scheduler::mutex_>;

template <typename Tag>
using switch_of_locks = decltype((std::declval<inner_scheduler&>().*member_of(Tag())).enabled());

static_assert(
    finds<bool, switch_of_locks, mutex_tag>, WEFT_ASIO_CHANGED("bool scheduler::mutex_.enabled()"));

struct event_tag
{
    friend auto member_of(event_tag) noexcept;
};

template struct expose<event_tag, &inner_scheduler::wakeup_event_>;

template <typename Tag, typename Lock>
using event_functions_of = std::void_t<
    decltype((std::declval<inner_scheduler&>().*member_of(Tag())).clear(std::declval<Lock&>())),
    decltype((std::declval<inner_scheduler&>().*member_of(Tag())).wait(std::declval<Lock&>())),
    decltype((std::declval<inner_scheduler&>().*member_of(Tag()))
                 .wait_for_usec(std::declval<Lock&>(), 0L)),
    decltype((std::declval<inner_scheduler&>().*member_of(Tag()))
                 .maybe_unlock_and_signal_one(std::declval<Lock&>()))>;

template <typename Tag>
using lock_of = typename std::remove_reference_t<decltype(std::declval<inner_scheduler&>().*
                                                          member_of(Tag()))>::scoped_lock;

static_assert(finds_any<lock_of, mutex_tag>, WEFT_ASIO_CHANGED("scheduler::mutex_.scoped_lock"));
static_assert(finds_any<event_functions_of, event_tag, lock_of<mutex_tag>>,
    WEFT_ASIO_CHANGED("clear(lock), wait(lock), wait_for_usec(lock, long) and "
                      "maybe_unlock_and_signal_one(lock) of wakeup_event_"));

struct queue_tag
{
    friend auto member_of(queue_tag) noexcept;
};

template struct expose<queue_tag, &inner_scheduler::op_queue_>;

static_assert(std::is_same_v<decltype(member_of(queue_tag())),
                  asio::detail::op_queue<operation> inner_scheduler::*>,
    WEFT_ASIO_CHANGED("op_queue<scheduler_operation> scheduler::op_queue_"));

struct task_tag
{
    friend auto member_of(task_tag) noexcept;
};

template struct expose<task_tag, &inner_scheduler::task_operation_>;

template <typename Tag>
using object_of =
    std::remove_reference_t<decltype(std::declval<inner_scheduler&>().*member_of(Tag()))>;

static_assert(std::is_convertible_v<object_of<task_tag>*, operation*>,
    WEFT_ASIO_CHANGED("scheduler::task_operation_ to be an operation"));

struct interrupted_tag
{
    friend auto member_of(interrupted_tag) noexcept;
};

template struct expose<interrupted_tag, &inner_scheduler::task_interrupted_>;

static_assert(std::is_same_v<decltype(member_of(interrupted_tag())), bool inner_scheduler::*>,
    WEFT_ASIO_CHANGED("bool scheduler::task_interrupted_"));

#if defined(BOOST_ASIO_HAS_EPOLL) && !defined(BOOST_ASIO_HAS_IO_URING_AS_DEFAULT)
template <typename Reactor>
using no_epoll = decltype(&with_private_names<Reactor>::epoll_fd_);

static_assert(
    !finds_any<no_epoll, reactor_service>, WEFT_ASIO_CHANGED("a member epoll_reactor::epoll_fd_"));

struct epoll_tag
{
    friend auto member_of(epoll_tag) noexcept;
};

template struct expose<epoll_tag, &reactor_service::epoll_fd_>;

static_assert(std::is_same_v<decltype(member_of(epoll_tag())), int reactor_service::*>,
    WEFT_ASIO_CHANGED("int epoll_reactor::epoll_fd_"));

WEFT_INLINE void let_watch(reactor_watch& watch, reactor_service const& reactor) noexcept
{
    watch.reactor_is_made(reactor.*member_of(epoll_tag()));
}
#else
WEFT_INLINE void let_watch(reactor_watch&, reactor_service const&) noexcept
{
}
#endif

// The work that install() counts, so that the inner scheduler never runs out of it.
inline constexpr long own_work = 1;

// The member is const: it is not assigned but replaced by a new object in its storage, which names
// of the old one then mean ([basic.life], transparently replaceable: the enclosing object is not
// const).
WEFT_INLINE void set(
    inner_scheduler& inner, bool const inner_scheduler::*member, bool value) noexcept
{
    ::new (const_cast<bool*>(&(inner.*member))) bool(value);
}

#if WEFT_HAS_ASSUME_CONTINUATION
struct assume_continuation_tag
{
    friend auto member_of(assume_continuation_tag) noexcept;
};

template struct expose<assume_continuation_tag, &inner_scheduler::assume_continuation_>;

static_assert(
    std::is_same_v<decltype(member_of(assume_continuation_tag())), bool const inner_scheduler::*>,
    WEFT_ASIO_CHANGED("bool const scheduler::assume_continuation_"));

WEFT_INLINE void set_private_queues(inner_scheduler& inner, bool use) noexcept
{
    set(inner, member_of(one_thread_tag()), use);
    set(inner, member_of(assume_continuation_tag()), use);
}
#else
WEFT_INLINE void set_private_queues(inner_scheduler& inner, bool use) noexcept
{
    set(inner, member_of(one_thread_tag()), use);
}
#endif

// Whether what Asio posts from one of our threads goes to that thread's private queue, or else to
// the inner scheduler. With io_uring what it posts is that the operations which a handler has
// started are handed to the kernel: in a private queue it would wait for the handler's end, and if
// the handler waits for one of them, for ever.
#if defined(BOOST_ASIO_HAS_IO_URING_AS_DEFAULT)
inline constexpr bool private_queues = false;
#else
inline constexpr bool private_queues = true;
#endif

/// Whether the flag was set; it is not any more. Under the inner scheduler's lock.
WEFT_INLINE bool clear(atomic<bool>& flag) noexcept
{
    bool const was_set = flag.load(memory_order_relaxed);
    if (was_set)
        flag.store(false, memory_order_relaxed);
    return was_set;
}

// What driver::get_task() has found.
WEFT_INLINE reactor_service& reactor_of(asio::detail::scheduler_task& task) noexcept
{
    return static_cast<reactor_service&>(task);
}

/// Whether the event completes nothing, and is done with. To run it would cost as much as any other
/// handler: a place in a queue, and a look at what comes next.
WEFT_INLINE bool settles(ready_operation event, unawaited_events& unawaited) noexcept
{
    if (!unawaited.asks())
        return false;
    waiters const answer = settle_if_unawaited(event.op, event.result);
    if (answer == waiters::unknown)
        return false;
    unawaited.note(answer == waiters::none);
    return answer == waiters::none;
}

} // namespace WEFT_LOCAL

#if WEFT_HAS_SERVICE_MAKER
WEFT_INLINE driven_context::driven_context(int concurrency_hint)
    : asio::execution_context(asio::config_from_concurrency_hint(concurrency_hint))
{
}

WEFT_INLINE driven_context::driven_context(service_maker const& initial_services)
    : asio::execution_context(initial_services)
{
}
#else
WEFT_INLINE driven_context::driven_context(int concurrency_hint)
    : concurrency_hint_(concurrency_hint)
{
}
#endif

WEFT_INLINE driver& driver::install(driven_context& context)
{
    driver& self = asio::make_service<driver>(context);
#if WEFT_HAS_SERVICE_MAKER
    self.inner_ = &asio::make_service<inner_scheduler>(context, false, &driver::get_task);
#else
    auto inner = std::make_unique<inner_scheduler>(
        context, context.concurrency_hint_, false, &driver::get_task);
    asio::add_service(context, inner.get());
    self.inner_ = inner.release();
#endif
    set_private_queues(*self.inner_, private_queues);
    // The inner scheduler stops for good when its own count of work reaches zero. It never does.
    self.inner_->work_started();
    // Without locks, as the user may have asked, a thread in it cannot be woken.
    self.inner_wait_.can_be_ended = (self.inner_->*member_of(mutex_tag())).enabled();
#if WEFT_HAS_SERVICE_MAKER
    // Nor if Asio's threads are configured not to sleep there.
    if (asio::config(context).get("scheduler", "wait_usec", -1L) == 0)
        self.inner_wait_.can_be_ended = false;
#endif
    return self;
}

WEFT_INLINE driver::driver(asio::execution_context& context) noexcept
    : asio::detail::execution_context_service_base<driver>(context)
{
}

WEFT_INLINE asio::detail::scheduler_task* driver::get_task(asio::execution_context& context)
{
    driver& self = asio::use_service<driver>(context);
    auto* const reactor = &asio::use_service<reactor_service>(context);
    let_watch(self.watch_, *reactor);
    self.reactor_.store(reactor, memory_order_release);
    return reactor;
}

WEFT_INLINE void driver::shutdown()
{
    // While the reactor is there, which knows the alarm.
    if (alarm_.is_known())
        reactor_of(*reactor_.load(memory_order_relaxed)).remove_timer_queue(alarm_);
    alarm_.is_known(false);
}

WEFT_INLINE void driver::notify_fork(asio::execution_context::fork_event event)
{
    // What the parent has there is the parent's, as are the threads that have slept.
    if (event == asio::execution_context::fork_child)
        watch_.close();
}

WEFT_INLINE bool driver::begin_watch() noexcept
{
    {
        auto& mutex = inner_->*member_of(mutex_tag());
        std::remove_reference_t<decltype(mutex)>::scoped_lock const lock(mutex);
        taken_.take_posted(*inner_);
        if (!taken_.posted.empty() || inner_wait_.interrupted.load(memory_order_relaxed))
            return false;
        // Who posts from now on interrupts the reactor, once.
        inner_->*member_of(interrupted_tag()) = false;
    }
    watch_.arm();
    return true;
}

WEFT_INLINE long driver::pending() const noexcept
{
    auto const count = [this]
    {
        return inner_->*member_of(outstanding_work_tag()) - own_work;
    };
    long const counted = count();
    if (counted == 0 || !alarm_.is_known())
        return counted;
    // Who ends the context asks once, and nobody would tell it that there is less now.
    std::lock_guard<adaptive_mutex> const lock(alarm_.setting());
    return count();
}

WEFT_INLINE void driver::work_finished(long count) noexcept
{
    if (count != 0)
        asio::detail::increment(inner_->*member_of(outstanding_work_tag()), -count);
}

WEFT_INLINE std::size_t driver::wait(long usec, sink& out)
{
    if (usec != 0 && !inner_wait_.can_be_ended)
    {
        inner_->init_task();
        // No lock orders this with interrupt(): one of the two sees what the other has done.
        full_fence();
    }

    auto& mutex = inner_->*member_of(mutex_tag());
    auto& task_interrupted = inner_->*member_of(interrupted_tag());
    std::size_t settled = 0;
    {
        std::remove_reference_t<decltype(mutex)>::scoped_lock lock(mutex);
        taken_.take_posted(*inner_);
        // Or left behind by a reactor that threw.
        bool const found = clear(inner_wait_.interrupted) || !taken_.posted.empty();
        if (auto* const reactor = reactor_.load(memory_order_relaxed))
        {
            if (out.has_room())
            {
                bool const waits = usec != 0 && !found;
                // Who posts from now on interrupts the reactor, once.
                task_interrupted = !waits;
                lock.unlock();
                settled = taken_.take_events(*reactor, waits ? usec : 0);
                lock.lock();
                task_interrupted = true;
                taken_.take_posted(*inner_);
            }
        }
        else if (usec != 0 && !found)
        {
            // Until something is posted, or somebody makes the reactor.
            auto& event = inner_->*member_of(event_tag());
            event.clear(lock);
            if (usec < 0)
                event.wait(lock);
            else
                event.wait_for_usec(lock, usec);
            taken_.take_posted(*inner_);
            clear(inner_wait_.interrupted);
        }
    }
    std::size_t const ready = taken_.deliver(out);
    // Whoever posted an operation counted it as work, as who started one did. While that is
    // counted no context ends: so it is in a queue first.
    work_finished(static_cast<long>(ready));
    return ready + settled;
}

WEFT_INLINE bool driver::wake_at(timer_ticks at)
{
    // Acquire: another thread may have made it, for a socket.
    if (!reactor_.load(memory_order_acquire))
        inner_->init_task();
    if (!has_coarse_waits)
        return false;
    // An earlier time that is set ends the wait too, and has this function called again: that is
    // cheaper than to set a time whenever the earliest wait of all is cancelled.
    if (alarm_.time() <= at)
        return true;
    if (!alarm_.is_known())
        reactor_of(*reactor_.load(memory_order_relaxed)).add_timer_queue(alarm_);
    alarm_.is_known(true);
    return shorten_wait(at);
}

WEFT_INLINE bool driver::shorten_wait(timer_ticks at)
{
    if (!alarm_.is_known())
        return false;
    if (alarm_.time() <= at)
        return true;
    std::lock_guard<adaptive_mutex> const lock(alarm_.setting());
    alarm::per_timer_data unused;
    reactor_of(*reactor_.load(memory_order_relaxed)).schedule_timer(alarm_, at, unused, nullptr);
    // It took the alarm for an operation.
    work_finished(1);
    return true;
}

/// Takes what is in the inner scheduler's queue, under its lock.
WEFT_INLINE void driver::ready_batch::take_posted(inner_scheduler& inner) noexcept
{
    auto& queue = inner.*member_of(queue_tag());
    operation* const task = &(inner.*member_of(task_tag()));
    while (operation* const op = queue.front())
    {
        queue.pop();
        // The place of the reactor among the handlers of one that runs them by itself.
        if (op != task)
            posted.push(op);
    }
}

/// Takes what the reactor finds. Returns how many events it has settled here, for which no
/// operation waits.
WEFT_INLINE std::size_t driver::ready_batch::take_events(
    asio::detail::scheduler_task& reactor, long usec)
{
    std::size_t settled = 0;
    asio::detail::op_queue<operation> ops;
    reactor.run(usec, ops);
    while (operation* const op = ops.front())
    {
        ops.pop();
        ready_operation const ready(op, result_of(op));
        if (ready.linkable())
            completed.push(op);
        else if (settles(ready, unawaited))
            ++settled;
        else
            events[event_count++] = ready;
    }
    return settled;
}

/// Passes on what has been taken: first what has been posted, for one that was cancelled from
/// outside comes before what happened later.
WEFT_INLINE std::size_t driver::ready_batch::deliver(sink& out) noexcept
{
    std::size_t all = event_count;
    while (operation* const op = posted.front())
    {
        posted.pop();
        out.ready(ready_operation(op));
        ++all;
    }
    for (std::size_t i = 0; i != event_count; ++i)
        out.ready(events[i]);
    event_count = 0;
    while (operation* const op = completed.front())
    {
        completed.pop();
        out.ready(ready_operation(op));
        ++all;
    }
    if (all != 0)
        out.end();
    return all;
}

WEFT_INLINE void driver::interrupt()
{
    if (auto* const reactor = reactor_.load(memory_order_acquire))
    {
        reactor->interrupt();
        return;
    }
    auto& mutex = inner_->*member_of(mutex_tag());
    std::remove_reference_t<decltype(mutex)>::scoped_lock lock(mutex);
    inner_wait_.interrupted.store(true, memory_order_relaxed);
    if (!inner_wait_.can_be_ended)
        full_fence();
    // Made meanwhile, under this lock: who waits waits there, or is about to.
    if (auto* const reactor = reactor_.load(memory_order_relaxed))
    {
        lock.unlock();
        reactor->interrupt();
    }
    else
        (inner_->*member_of(event_tag())).maybe_unlock_and_signal_one(lock);
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
