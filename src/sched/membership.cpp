// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sched/scheduler.hpp>

#include <weft/platform/process_fence.hpp>

#include <chrono>
#include <exception>
#include <memory>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

scheduler::scheduler(driven_context& context, options const& opts)
    : runner_(process_fence_available()), options_(opts),
      on_exception_(opts.on_exception
                        ? std::make_shared<decltype(opts.on_exception) const>(opts.on_exception)
                        : nullptr),
      workers_(opts.injection_interval), guard_period_(min_guard_period),
      now_(ready_time_at(std::chrono::steady_clock::now())),
      polled_(now_.load(memory_order_relaxed)),
      idle_(opts.lifo_stealing == lifo_stealing::guarded && opts.lifo_limit != 0)
{
    driver_ = &driver::install(context);
}

scheduler::~scheduler() = default;

void scheduler::join(frame& f, membership kind)
{
    worker& w = kind == membership::passing ? workers_.acquire(idle_) : workers_.acquire_reserved();
    count_in(w);
    f.w = &w;
    f.entry.emplace(driver_->inner(), w.asio);
}

/// Counts a thread in that has got worker `w`.
void scheduler::count_in(worker& w) noexcept
{
    bool tell = false;
    idle::awakening const now =
        idle_.join([&](std::uint32_t others) { tell = runner_.thread_joins(others); });
    if (tell)
    {
        runner_.tell_runner(
            [this]
            {
                std::size_t const count = workers_.size();
                for (std::size_t i = 0; i != count; ++i)
                    workers_[i].own_pop.await_end();
            });
        // What that one has pushed it will not publish; this thread does, for a third one that has
        // joined meanwhile and may have gone to sleep: this thread may not look at all (it may come
        // back from run_blocking() into its handler).
        published();
    }
    else
        runner_.await_telling();
    w.guarded = now.guard_armed;
    w.now.store(now_.load(memory_order_relaxed), memory_order_relaxed);
}

void scheduler::leave(frame& f, membership kind) noexcept
{
    worker& w = *f.w;
    empty_hands(w);
    w.owes_work = false;
    // One handler at a time, by one call after the other, is a turn each.
    w.begin_cautiously(w.run_left != 0 ? 1 : 0);
    f.entry.reset();
    f.w = nullptr;
    workers_.release(w, kind == membership::recurring);
    count_out();
}

/// For a worker that leaves: it keeps nothing that others wait for.
void scheduler::empty_hands(worker& w) noexcept
{
    if (w.asio.has_posted())
        collect_posted(w);
    flush_slot(w);
    give_up_search(w);
    flush_work(w);
}

void scheduler::count_out() noexcept
{
    bool const finished =
        idle_.leave([this](std::uint32_t left) { runner_.thread_leaves(left - 1); },
            [this] { return no_work_left(); });
    if (finished)
        stop();
}

void scheduler::orphan_this_thread() noexcept
{
    for (frame* f = current_frame; f; f = f->outer)
    {
        if (f->sched != this)
            continue;
        if (f->w)
        {
            empty_hands(*f->w);
            count_out();
        }
        else
            // Inside run_blocking(), and counted out already.
            f->w = &workers_.acquire_reserved();
        // Asio must not find the context's scheduler on this thread any more.
        f->entry->hide();
        f->w->take_on(worker::orphaned);
        f->kept = workers_.surrender(*f->w);
        f->sched = nullptr;
    }
}

void scheduler::give_worker_away(frame& f) noexcept
{
    worker& w = *f.w;
    // The handler that blocks is outstanding work, and nobody's queue says so.
    ++w.work_delta;
    collect_posted(w);
    flush_slot(w);
    flush_work(w);
    f.has_granted = w.has_granted();
    f.entry->hide();
    f.w = nullptr;
    workers_.release(w, true);
    (void)idle_.leave(
        [this](std::uint32_t left) { runner_.thread_leaves(left - 1); }, [] { return false; });
    // What was in the queues is now for others, who may all be asleep.
    published();
    if (substitute_)
        substitute_->worker_blocks();
}

void scheduler::take_worker_back(frame& f) noexcept
{
    if (substitute_)
        substitute_->worker_returns();
    worker& w = workers_.acquire_reserved();
    count_in(w);
    f.w = &w;
    f.entry->show(driver_->inner(), w.asio);
    --w.work_delta;
    // The worker may be another one, and what it knows about that of another handler.
    w.has_granted(f.has_granted);
}

void scheduler::stop() noexcept
{
    idle_.release_all([this] { stopped_.store(true, memory_order_seq_cst); },
        [this](std::size_t index) { wake(index); });
}

/// Comes back from parking.
void scheduler::enter_running_set(worker& w) noexcept
{
    idle::awakening const now = idle_.wake_up(w.index);
    // Somebody has looked at the clock more recently, if anybody is to compare with.
    w.now.store(now_.load(memory_order_relaxed), memory_order_relaxed);
    w.guarded = now.guard_armed;
    if (now.claimed)
    {
        w.take_on(worker::searching);
        w.owes_work = true;
        w.count.wakes.add(1);
    }
}

/// Whether nothing is queued and nothing outstanding. Under the lock of idle_, when everybody
/// sleeps: what a sleeper left in its queues would have kept it awake.
bool scheduler::no_work_left() const noexcept
{
    if (work_.value() != 0 || !inject_.empty())
        return false;
    std::size_t const count = workers_.size();
    for (std::size_t i = 0; i != count; ++i)
        if (!workers_[i].ring.empty() || !workers_[i].lifo.empty())
            return false;
    return true;
}

void scheduler::flush_work(worker& w) noexcept
{
    work_.add(w.work_delta);
    w.work_delta = 0;
    settle_inner_work(w);
}

/// What this worker has taken over from Asio's scheduler is no work of that one's.
void scheduler::settle_inner_work(worker& w) noexcept
{
    driver_->work_finished(w.asio.take_finished_work());
}

void scheduler::capture_current_exception(scheduler const* s) noexcept
{
    frame* const f = frame::find(s);
    // The function has destroyed the scheduler, and with it whoever wanted to know.
    if (!f)
        std::terminate();
    f->pending.capture_current();
}

void scheduler::await_outsiders() noexcept
{
    outsiders_.await_none();
    idle_.await_release();
}

void scheduler::destroy_queued() noexcept
{
    // A handler that is destroyed may submit others: until nothing is left.
    for (bool any = true; any;)
    {
        any = false;
        std::size_t const count = workers_.size();
        for (std::size_t i = 0; i != count; ++i)
        {
            worker& w = workers_[i];
            w.asio.drain(
                [&](operation* op)
                {
                    any = true;
                    op->destroy();
                });
            ready_operation entry;
            if (operation* const op = w.lifo.take())
            {
                any = true;
                op->destroy();
            }
            while (w.owned_ring().pop(entry))
            {
                any = true;
                entry.destroy();
            }
        }
        while (operation* const op = inject_.pop())
        {
            any = true;
            op->destroy();
        }
    }
}

stats scheduler::snapshot() const
{
    stats result;
    std::size_t const count = workers_.size();
    result.workers.reserve(count);
    for (std::size_t i = 0; i != count; ++i)
    {
        worker const& w = workers_[i];
        worker_stats s = w.count.read();
        s.queue_depth = w.ring.size() + (w.lifo.empty() ? 0 : 1);
        add(result.total, s);
        result.workers.push_back(s);
    }
    result.total.remote_pushes = inject_.pushes();
    result.injection_depth = inject_.size();
    return result;
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
