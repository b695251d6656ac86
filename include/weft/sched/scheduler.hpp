// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_SCHEDULER_HPP
#define WEFT_SCHED_SCHEDULER_HPP

// The scheduler of a context: which thread runs what, who sleeps, when it ends. Declarations and
// the paths that a handler takes on its way in; the loop is in src/sched/run_loop.cpp, the search
// for others' work in search.cpp beside it.
//
// Where work is: in the LIFO slot or the ring of a worker, in the injection queue, in the reactor.
// How it gets in: a worker submits to its own ring (post) or slot (continuations), any other thread
// to the injection queue, the reactor to the ring of whoever waits in it.
// In which order a worker looks: slot (at most lifo_limit in a row), ring, injection queue; then
// the reactor, and as a searcher the rings of others; then it announces that it goes to sleep,
// looks everywhere once more, and sleeps, in the reactor if it gets the seat. Between two turns of
// its own work it looks at the clock, and takes what has waited longer: from the reactor, from the
// injection queue, from other workers. While handlers are long, all of them take from the injection
// queue.
//
// Alone. As long as one thread is inside run(), it works strictly first in first out: it pushes to
// the injection queue as soon as that holds anything, and looks there when its ring is empty. It
// needs no fence and wakes nobody. The thread that joins it has every core execute a fence before
// it looks for work (process_fence()), so that it either finds what was pushed or is seen.

#include <weft/config.hpp>
#include <weft/options.hpp>
#include <weft/platform/atomic.hpp>
#include <weft/platform/cache_line.hpp>
#include <weft/platform/futex.hpp>
#include <weft/platform/visibility.hpp>
#include <weft/queue/inject_queue.hpp>
#include <weft/reactor/driver.hpp>
#include <weft/reactor/operation.hpp>
#include <weft/sched/frame.hpp>
#include <weft/sched/idle.hpp>
#include <weft/sched/outsiders.hpp>
#include <weft/sched/ready_time.hpp>
#include <weft/sched/seat.hpp>
#include <weft/sched/single_runner.hpp>
#include <weft/sched/work_count.hpp>
#include <weft/sched/worker.hpp>
#include <weft/sched/worker_table.hpp>
#include <weft/stats.hpp>

#include <boost/asio/execution_context.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

class WEFT_DECL scheduler final
{
public:
    /// The owner of the threads, if the context has one: told when a thread gives its worker away
    /// to block, and when it is back.
    class substitute
    {
    public:
        virtual void worker_blocks() noexcept = 0;
        virtual void worker_returns() noexcept = 0;

        /// Whether one stand-in is too many now; if so the caller, which is one, leaves.
        virtual bool retire() noexcept = 0;

    protected:
        ~substitute() = default;
    };

    /// Installs itself in `context`. Throws std::invalid_argument, std::bad_alloc.
    scheduler(driven_context& context, options const& opts);
    ~scheduler();

    scheduler(scheduler const&) = delete;
    scheduler& operator=(scheduler const&) = delete;

    // The calls of io_context; each throws what a handler throws.
    std::size_t run();
    std::size_t run_one();
    std::size_t run_until(deadline until);
    std::size_t run_one_until(deadline until);
    std::size_t poll();
    std::size_t poll_one();
    void stop() noexcept;

    bool stopped() const noexcept
    {
        return stopped_.load(memory_order_acquire);
    }

    void restart() noexcept
    {
        stopped_.store(false, memory_order_seq_cst);
    }

    /// As run(), for a thread that a worker was reserved for: cannot fail.
    void run_reserved() noexcept;

    enum class stand_in_end
    {
        retired,  ///< it was one too many
        over,     ///< the scheduler was stopped
        destroyed ///< by a handler of this thread: neither it nor its owner is there any more
    };

    /// As run(), for a thread that stands in for one inside run_blocking(), and that a worker was
    /// reserved for: it leaves when substitute::retire() says so between two handlers, and has a
    /// worker reserved again. Cannot fail.
    stand_in_end run_as_stand_in() noexcept;

    /// Whether a handler may run inside a call of this thread; if so it is about to.
    bool enter_dispatch() noexcept
    {
        worker* const w = this_worker();
        if (!w)
            return false;
        // One event may complete several operations: Asio calls the first handler, and has posted
        // the others to this thread. They must not wait for it.
        if (w->asio.has_posted())
            collect_posted(*w);
        return true;
    }

    /// Whether this thread is inside run(), and not inside run_blocking().
    bool running_in_this_thread() const noexcept
    {
        return this_worker() != nullptr;
    }

    /// Submits an operation at the back.
    void submit(operation* op) noexcept;

    /// Submits an operation that continues the running handler.
    void submit_continuation(operation* op) noexcept;

    /// Submits an operation that was granted what it waited for. The only one that the running
    /// handler has granted anything is its continuation; several keep their order, at the back.
    void submit_granted(operation* op) noexcept;

    void work_started() noexcept;
    void work_finished() noexcept;

    /// Keeps the exception being handled, for run() to throw after the current handler. After
    /// enter_dispatch() of `s`, which may be gone: then this is std::terminate().
    static void capture_current_exception(scheduler const* s) noexcept;

    /// Lets other threads have the worker of frame `f`, of this thread, until take_worker_back().
    void give_worker_away(frame& f) noexcept;
    void take_worker_back(frame& f) noexcept;

    /// Sets workers aside for `count` threads: whoever else enters run(), they find one each
    /// without an allocation. Throws std::bad_alloc, std::length_error; none is set aside then.
    void reserve_workers(std::size_t count)
    {
        workers_.reserve(count, idle_);
    }

    /// Takes back what was reserved for one thread.
    void unreserve_worker() noexcept
    {
        workers_.unreserve();
    }

    /// For the owner's destructor on a thread that is inside: it leaves here and now. The handlers
    /// that it runs may still return, and find a worker, but no scheduler.
    void orphan_this_thread() noexcept;

    void set_substitute(substitute* s) noexcept
    {
        substitute_ = s;
    }

    /// For the context's destructor, before anything is destroyed: returns when the threads outside
    /// that made run() return, by what they posted or by stop(), do not use the scheduler any more.
    void await_outsiders() noexcept;

    /// Destroys everything that is queued, without running it. No thread is inside run().
    void destroy_queued() noexcept;

    /// The context's services are gone, and the driver with them. What handlers that are destroyed
    /// from now on submit or count must not reach it.
    void forget_driver() noexcept
    {
        driver_ = nullptr;
    }

    stats snapshot() const;

private:
    class visit;
    class ring_sink;
    using common_queue = inject_queue<operation, operation_link>;

    enum class wait_mode
    {
        none,   // return when nothing is ready
        until,  // sleep, until a time at the latest
        forever // sleep until there is something, or nothing can come
    };

    /// What a thread inside run() has to do with the others.
    enum class membership
    {
        passing,  // comes from outside
        own,      // of the owner of the threads: a worker is reserved for it
        recurring // and is again when it leaves, for the next time
    };

    enum class found
    {
        nothing,
        work,
        again // look again: something has changed
    };

    worker* this_worker() const noexcept
    {
        frame* const f = current_frame;
        if (f && f->sched == this)
            return f->w;
        return f ? outer_worker(f) : nullptr;
    }

    worker* outer_worker(frame* f) const noexcept;

    /// What this worker queues now has become ready now.
    static ready_time ready_now(worker const& w) noexcept
    {
        return w.now.load(memory_order_relaxed);
    }

    /// What was queued as such. What has been linked has its result in itself.
    static ready_operation entry_of(common_queue::item const& injected) noexcept
    {
        return injected.result != 0 ? ready_operation(injected.node, injected.result)
                                    : ready_operation(injected.node);
    }

    /// Whether a LIFO slot is a queue like others, from which everybody takes at once.
    bool slots_are_open() const noexcept
    {
        return options_.lifo_stealing == lifo_stealing::eager;
    }

    // run_loop.cpp: one thread's loop.
    std::size_t run_some(
        wait_mode mode, deadline until, std::size_t limit, membership kind = membership::passing);
    inline bool next(frame& f, ready_operation& op, wait_mode mode, deadline until);
    bool find_work(frame& f, ready_operation& op, wait_mode mode, deadline until);
    bool look_for_work(frame& f, ready_operation& op, wait_mode mode, deadline until);
    inline bool execute(frame& f, ready_operation op);
    void report_exception() noexcept;
    bool find_local(worker& w, ready_operation& op);
    inline bool take_newest(worker& w, ready_operation& op) noexcept;
    found sleep(worker& w, ready_operation& op, wait_mode mode, deadline until);

    // look.cpp: what a busy worker does between two turns.
    bool look_elsewhere(worker& w, ready_operation& op);
    void read_clock(worker& w) noexcept;
    bool handlers_are_long(worker& w) const noexcept;
    bool reactor_is_due(worker& w) const noexcept;
    bool reactor_may_be_due(ready_time now) const noexcept;
    std::chrono::nanoseconds since_polled(ready_time now) const noexcept;
    void tick(worker& w);
    bool share(worker& w, ready_operation* first) noexcept;
    bool take_older(worker& w, std::chrono::nanoseconds than, ready_operation& op) noexcept;
    bool take_from_neighbour(
        worker& other, worker& w, std::chrono::nanoseconds than, ready_operation& op) noexcept;
    void wake_in_place_of_searchers(worker& w) noexcept;

    // search.cpp: work that is not in the worker's own queues.
    bool find_injected(worker& w, ready_operation& op) noexcept;
    void note_idle(worker& w) noexcept;
    bool search(worker& w, ready_operation& op) noexcept;
    bool steal(worker& w, ready_operation& op) noexcept;
    bool steal_patiently(worker& w, ready_operation& op, bool finally) noexcept;
    bool steal_from(worker& other, worker& w, ready_operation& op) noexcept;
    void stolen(worker& other, worker& w, std::uint32_t taken) noexcept;
    bool take_slot_of(worker& other, worker& w, ready_operation& op) noexcept;
    bool take_open_slots(worker& w, ready_operation& op) noexcept;
    bool take_slots(worker& w, ready_operation& op, bool everybody) noexcept;

    // submit.cpp: how work is published.
    void push(worker& w, ready_operation op) noexcept;
    void push_full(worker& w, ready_operation op) noexcept;
    void push_remote(operation* op) noexcept;
    void submit_next(worker* w, operation* op) noexcept;
    void work_finished_outside() noexcept;
    void place(worker& w, ready_operation op, std::uint32_t room = 0) noexcept;
    bool make_room(worker& w) noexcept;
    void collect_posted(worker& w) noexcept;
    void flush_slot(worker& w) noexcept;
    void published() noexcept;
    void published_by_worker() noexcept;
    void wake(std::size_t index) noexcept;
    void end_search(worker& w) noexcept;
    void give_up_search(worker& w) noexcept;
    bool work_in_sight() const noexcept;

    // drive.cpp: the reactor and the seat.
    std::size_t poll_driver(worker& w);
    bool poll_when_idle(worker& w);
    std::size_t wait_in_driver(worker& w, long usec);
    void park(worker& w, wait_mode mode, deadline until, bool guard);
    void leave_seat(worker& w) noexcept;

    // membership.cpp: coming, going, ending.
    void join(frame& f, membership kind);
    void leave(frame& f, membership kind) noexcept;
    void count_in(worker& w) noexcept;
    void count_out() noexcept;
    void empty_hands(worker& w) noexcept;
    void enter_running_set(worker& w) noexcept;
    bool no_work_left() const noexcept;
    void flush_work(worker& w) noexcept;
    void settle_inner_work(worker& w) noexcept;

    // Bounds of the guard's sleep: long enough to cost nothing, short enough to rescue (guessed).
    static constexpr std::chrono::milliseconds min_guard_period{1};
    static constexpr std::chrono::milliseconds max_guard_period{10};

    // Written under the lock of idle_.
    single_runner runner_;
    atomic<bool> stopped_{false};
    options const options_;

    // Outlives the scheduler while it is called; null if there is none.
    std::shared_ptr<std::function<void(std::exception_ptr)> const> const on_exception_;
    driver* driver_ = nullptr;
    substitute* substitute_ = nullptr;
    worker_table workers_;

    // How long the guard sleeps. Whoever holds the seat.
    std::chrono::milliseconds guard_period_;

    // As far as the workers have looked at the clock; for those that have not, and who is outside.
    // And when one of them last looked into the reactor.
    alignas(cache_line) atomic<ready_time> now_;
    atomic<ready_time> polled_;

    seat seat_;
    work_count work_;
    idle idle_;
    outsiders outsiders_;
    common_queue inject_;
};

inline worker* scheduler::outer_worker(frame* f) const noexcept
{
    f = frame::find(this);
    return f ? f->w : nullptr;
}

inline void scheduler::published() noexcept
{
    if (idle_.work_published())
        wake(idle_.claim_one());
}

/// For a worker. Nothing is to do while nobody else is inside; and whoever joins after the work was
/// put where it is looks for it (join() has the fence that is missing here).
inline void scheduler::published_by_worker() noexcept
{
    compiler_fence();
    if (!runner_.is_unseen())
        published();
}

inline void scheduler::push(worker& w, ready_operation op) noexcept
{
    // What Asio posted to itself during this handler came first.
    if (w.asio.has_posted())
        collect_posted(w);
    if (runner_.is_single())
    {
        // First in first out: behind what is in the injection queue already. The ring keeps room
        // for what one look at the reactor can bring, which cannot be linked.
        if (!inject_.empty() || !w.owned_ring().push(op, ready_now(w), driver::max_unlinkable))
            push_full(w, op);
    }
    else if (!w.owned_ring().push(op, ready_now(w)))
        push_full(w, op);
    published_by_worker();
}

inline void scheduler::submit(operation* op) noexcept
{
    if (worker* const w = this_worker())
        push(*w, ready_operation(op, 0));
    else
        push_remote(op);
}

inline void scheduler::submit_next(worker* w, operation* op) noexcept
{
    if (!w)
    {
        push_remote(op);
        return;
    }
    if (options_.lifo_limit == 0)
    {
        push(*w, ready_operation(op, 0));
        return;
    }
    // Filling an empty slot wakes nobody, unless it is open: the owner runs it next.
    if (operation* const displaced = w->lifo.put(op))
        push(*w, ready_operation(displaced, 0));
    if (!w->guarded)
    {
        w->guarded = true;
        if (options_.lifo_stealing == lifo_stealing::guarded)
            wake(idle_.arm_guard());
    }
    if (slots_are_open())
        published_by_worker();
}

inline void scheduler::submit_continuation(operation* op) noexcept
{
    frame* const f = current_frame;
    if (f && f->granting)
        submit_granted(op);
    else
        submit_next(this_worker(), op);
}

inline void scheduler::submit_granted(operation* op) noexcept
{
    worker* const w = this_worker();
    if (!w || !w->has_granted())
    {
        if (w)
            w->has_granted(true);
        submit_next(w, op);
        return;
    }
    // The first one must not be run after those that follow it.
    flush_slot(*w);
    push(*w, ready_operation(op, 0));
}

/// Everything that this thread submits as a continuation while one is there, by way of whatever
/// executors, was granted to somebody who waited: submit_granted().
class granting_scope
{
public:
    granting_scope() noexcept
        : frame_(current_frame), before_(frame_ && std::exchange(frame_->granting, true))
    {
    }

    granting_scope(granting_scope const&) = delete;
    granting_scope& operator=(granting_scope const&) = delete;

    ~granting_scope()
    {
        if (frame_)
            frame_->granting = before_;
    }

private:
    frame* const frame_;
    bool const before_;
};

inline void scheduler::work_started() noexcept
{
    if (worker* const w = this_worker())
        ++w->work_delta;
    else
        work_.add(1);
}

inline void scheduler::work_finished() noexcept
{
    if (worker* const w = this_worker())
        --w->work_delta;
    else
        work_finished_outside();
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_SCHEDULER_HPP
