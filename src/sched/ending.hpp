// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_ENDING_HPP
#define WEFT_SRC_SCHED_ENDING_HPP

// When a scheduler is done: it is stopped, or nothing is queued and nothing outstanding. The work
// that is counted is flushed here, and what is left is destroyed here.

#include <weft/platform/atomic.hpp>

#include "timer_access.hpp"

#include <cstddef>

namespace weft
{
namespace detail
{

template <typename Traits>
struct ending
{
    using shared = shared_state<Traits>;
    using worker = basic_worker<Traits>;
    using entry = typename Traits::entry;
    using node = typename Traits::node;

    static void stop(shared& s) noexcept
    {
        s.sleepers.release_all([&s] { s.stopped.store(true, memory_order_seq_cst); },
            [&s](std::size_t index) { notifier<Traits>::wake(s, index); });
    }

    /// Whether nothing is queued and nothing outstanding, be it only by Asio's own count: an
    /// operation whose executor counts no work is to be waited for as well. Under the lock of the
    /// sleepers, when everybody sleeps: what a sleeper left in its queues would have kept it awake.
    static bool no_work_left(shared& s) noexcept
    {
        if (s.work.value() != 0 || !s.injected.empty() || s.driver->pending() != 0)
            return false;
        std::size_t const count = s.workers.size();
        for (std::size_t i = 0; i != count; ++i)
            if (!s.workers[i].ring.empty() || !s.workers[i].lifo.empty())
                return false;
        return true;
    }

    /// By a thread that is not inside.
    static void work_finished_outside(shared& s) noexcept
    {
        if (s.work.finish_one_of_many())
            return;
        // The last one is taken away under the lock: this thread must not touch a context that ends
        // because of it.
        s.sleepers.release_all_if([&s] { return s.work.finish_one() && no_work_left(s); },
            [&s] { s.stopped.store(true, memory_order_seq_cst); },
            [&s](std::size_t index) { notifier<Traits>::wake(s, index); });
    }

    static void flush_work(shared& s, worker& w) noexcept
    {
        s.work.add(w.work_delta);
        w.work_delta = 0;
        settle_inner_work(s, w);
    }

    /// What this worker has taken over from Asio's scheduler is no work of that one's.
    static void settle_inner_work(shared& s, worker& w) noexcept
    {
        s.driver->work_finished(w.asio.take_finished_work());
    }

    static void await_outsiders(shared& s) noexcept
    {
        s.outside.await_none();
        s.sleepers.await_release();
    }

    [[gnu::cold]] static void destroy_queued(shared& s) noexcept
    {
        destroyer out;
        // A handler that is destroyed may submit others, and start operations, which complete at
        // once where the services are shut down, and wait in the driver: until nothing is left.
        for (bool any = true; any;)
        {
            any = false;
            std::size_t const count = s.workers.size();
            for (std::size_t i = 0; i != count; ++i)
            {
                worker& w = s.workers[i];
                w.asio.drain(
                    [&](node* op)
                    {
                        any = true;
                        op->destroy();
                    });
                entry ready;
                if (node* const op = w.lifo.take())
                {
                    any = true;
                    op->destroy();
                }
                while (w.owned_ring().pop(ready))
                {
                    any = true;
                    ready.destroy();
                }
            }
            while (node* const op = s.injected.pop())
            {
                any = true;
                op->destroy();
            }
            if (timer_access<Traits>::take_all(s, [](auto* wait) { wait->destroy(); }) != 0)
                any = true;
            if (s.driver && s.driver->wait(0, out) != 0)
                any = true;
        }
    }

private:
    // For what is posted to the driver: its reactor is not looked at.
    class destroyer final : public Traits::driver::sink
    {
    public:
        bool has_room() noexcept override
        {
            return false;
        }

        void ready(entry op) noexcept override
        {
            op.destroy();
        }

        void end() noexcept override
        {
        }
    };
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_ENDING_HPP
