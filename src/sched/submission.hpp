// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_SUBMISSION_HPP
#define WEFT_SRC_SCHED_SUBMISSION_HPP

// How an operation gets in: from a handler, as its continuation or at the back, or from outside.

#include <weft/platform/atomic.hpp>
#include <weft/platform/single_threaded.hpp>
#include <weft/sched/run_level.hpp>

#include "run_queue.hpp"

#include <boost/config.hpp>

namespace weft
{
namespace detail
{

template <typename Traits>
struct submission
{
    using shared = shared_state<Traits>;
    using worker = basic_worker<Traits>;
    using entry = typename Traits::entry;
    using node = typename Traits::node;

    /// The worker that this thread has here, or null.
    static worker* this_worker(shared& s) noexcept
    {
        run_level* f = Traits::current();
        if (f && f->sched != &s)
            f = find_level(f->outer, &s);
        return f ? static_cast<worker*>(f->w) : nullptr;
    }

    /// At the back.
    static BOOST_FORCEINLINE void submit(shared& s, node* op) noexcept
    {
        if (worker* const w = this_worker(s))
            run_queue<Traits>::push(s, *w, entry(op, 0));
        else
            submit_outside(s, op);
    }

    /// What continues the running handler.
    static void submit_continuation(shared& s, node* op) noexcept
    {
        run_level* const f = Traits::current();
        if (f && f->granting)
            submit_granted(s, op);
        else if (worker* const w = this_worker(s))
            run_queue<Traits>::put_next(s, *w, op);
        else
            submit_outside(s, op);
    }

    /// What has been granted that it waited for. The only one that the running handler has granted
    /// anything is its continuation; several keep their order, at the back.
    static void submit_granted(shared& s, node* op) noexcept
    {
        worker* const w = this_worker(s);
        if (!w)
            submit_outside(s, op);
        else if (!w->has_granted())
        {
            w->has_granted(true);
            run_queue<Traits>::put_next(s, *w, op);
        }
        else
        {
            // The first one must not be run after those that follow it.
            run_queue<Traits>::flush_slot(s, *w);
            run_queue<Traits>::push(s, *w, entry(op, 0));
        }
    }

    /// What has completed without waiting. While several threads run the scheduler and handlers are
    /// short, the only one of the running handler is its continuation: whoever starts one operation
    /// of a kind after the other does so several times in a row, with the cache lines of the last
    /// one, and not in turn with the other threads; once more when its turn is over. Several
    /// keep their order, at the back.
    static void submit_completed(shared& s, node* op) noexcept
    {
        worker* const w = this_worker(s);
        if (!w || s.runner.is_single() || w->shares)
            submit(s, op);
        else if (!w->has_granted())
        {
            w->has_granted(true);
            w->completed_in = w->count.handlers.value();
            if (w->run_left == 0)
                run_queue<Traits>::continues_once(s, *w);
            run_queue<Traits>::put_next(s, *w, op);
        }
        else
        {
            // The first one must not be run after those that follow it.
            if (w->completed_in == w->count.handlers.value())
                run_queue<Traits>::flush_slot(s, *w);
            run_queue<Traits>::push(s, *w, entry(op, 0));
        }
    }

    /// By a thread that is not inside. The operation may be what ends the context: this thread is
    /// done with it before the operation can be taken, or has said that it is not.
    static void submit_outside(shared& s, node* op) noexcept
    {
        if (!process_is_single_threaded() || !push_alone(s, op))
            inject(s, op);
    }

private:
    [[gnu::noinline]] static void inject(shared& s, node* op) noexcept
    {
        bool wakes = false;
        bool late = false;
        s.injected.push(
            op, [&](std::uint64_t pushes) { return measuring<Traits>::ready_outside(s, pushes); },
            [&]
            {
                wakes =
                    s.sleepers.prepare_notify() || (late = notifier<Traits>::searcher_is_late(s));
                if (wakes)
                    s.outside.enter();
            });
        if (wakes)
        {
            if (late)
                notifier<Traits>::wake_another(s);
            else
                notifier<Traits>::wake_one(s);
            s.outside.leave();
        }
    }

    /// By the only thread of the process: no worker has a thread, and nobody sleeps. What the
    /// thread is going to run goes where it will look first, in the order of all. False if there is
    /// no room, or no worker yet.
    [[gnu::noinline]] static bool push_alone(shared& s, node* op) noexcept
    {
        // While a handler blocks its worker waits for it, and a nested run() has another one.
        if (s.workers.size() != 1 || !s.injected.empty() ||
            s.blocked.load(memory_order_relaxed) != 0)
            return false;
        worker& w = s.workers[0];
        ready_time const since = measuring<Traits>::ready_outside(s, s.pushed_alone.value(), w);
        if (!w.owned_ring().push(entry(op, 0), since, Traits::driver::max_unlinkable))
            return false;
        s.pushed_alone.add(1);
        return true;
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_SUBMISSION_HPP
