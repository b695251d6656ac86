// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sched/scheduler.hpp>

#include <weft/platform/narrow.hpp>

#include <cassert>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// By a thread that is not inside. The operation may be what ends the context: this thread is done
/// with it before the operation can be taken, or has said that it is not.
void scheduler::push_remote(operation* op) noexcept
{
    bool wakes = false;
    inject_.push(op, now_.load(memory_order_relaxed),
        [&]
        {
            wakes = idle_.work_published();
            if (wakes)
                outsiders_.enter();
        });
    if (wakes)
    {
        wake(idle_.claim_one());
        outsiders_.leave();
    }
}

void scheduler::push_full(worker& w, ready_operation op) noexcept
{
    if (runner_.is_single() && op.linkable())
    {
        inject_.push(op.op, ready_now(w));
        w.count.remote_pushes.add(1);
        return;
    }
    place(w, op);
}

/// Puts an operation into the ring, of which so much `room` is kept, or, if that is full, half of
/// the ring into the injection queue. Publishes nothing.
void scheduler::place(worker& w, ready_operation op, std::uint32_t room) noexcept
{
    auto ring = w.owned_ring();
    // Alone: behind what is in the injection queue. Otherwise events that come all the time would
    // keep the ring from ever becoming empty, and that queue from its turn.
    if (runner_.is_single() && !inject_.empty())
    {
        common_queue::item const item{op.op, narrow<std::uint32_t>(op.result), ready_now(w)};
        if (inject_.push(&item, 1) != 0)
        {
            w.count.remote_pushes.add(1);
            return;
        }
    }
    if (ring.push(op, ready_now(w), room))
        return;
    if (room == 0 && make_room(w) && ring.push(op, ready_now(w)))
        return;
    // Or a thief is at work, or the ring is full of what cannot be linked. The reactor is not asked
    // for more of the latter without room for it, and the room is kept.
    assert(op.linkable());
    inject_.push(op.op, ready_now(w));
    w.count.remote_pushes.add(1);
}

/// Moves the newest half of the ring into the injection queue. False if nothing could be moved.
bool scheduler::make_room(worker& w) noexcept
{
    common_queue::item batch[ring_queue::capacity];
    std::size_t count = 0;
    w.owned_ring().spill([](ready_operation e) { return e.linkable(); },
        [&](ready_operation e, ready_time since) {
            batch[count++] = {e.op, 0, since};
        });
    if (count == 0)
        return false;
    // What can be linked always finds a place.
    std::size_t const done = inject_.push(batch, count);
    assert(done == count);
    (void)done;
    w.count.overflows.add(1);
    return true;
}

/// Takes over what Asio has posted to this thread, in order.
void scheduler::collect_posted(worker& w) noexcept
{
    bool any = false;
    w.asio.drain(
        [&](operation* op)
        {
            any = true;
            place(w, ready_operation(op));
        });
    if (any)
        published_by_worker();
}

/// Moves the operation in the LIFO slot to the back of the ring.
void scheduler::flush_slot(worker& w) noexcept
{
    if (operation* const op = w.lifo.take())
        push(w, ready_operation(op, 0));
}

void scheduler::wake(std::size_t index) noexcept
{
    if (index == idle::none)
        return;
    if (workers_[index].sleep.unpark() == unpark_result::interrupt_driver)
        driver_->interrupt();
}

/// For a worker that is about to run something: it is no searcher any more and does not keep the
/// seat, and if that leaves something for others to do, one of them is woken first.
void scheduler::end_search(worker& w) noexcept
{
    bool for_others = false;
    if (w.has(worker::searching))
    {
        w.drop(worker::searching);
        // The last searcher's duty: while it was counted, others who published woke nobody. Only if
        // there is something, or a single wake would set off a chain.
        for_others = idle_.stop_searching() && work_in_sight();
    }
    if (w.has(worker::in_seat))
        leave_seat(w);
    else if (for_others)
        published();
}

/// For a worker that looks no further, without having found anything.
void scheduler::give_up_search(worker& w) noexcept
{
    bool const unfinished = w.has(worker::searching);
    end_search(w);
    // A wake that led to nothing here was meant for somebody who looks.
    if (unfinished)
        published();
}

/// Whether anything is queued, or the seat empty: it may just have been left.
bool scheduler::work_in_sight() const noexcept
{
    // Pairs with the fence of idle::work_published(): what was published by somebody who saw this
    // thread searching is seen here.
    full_fence();
    if (!inject_.empty() || !seat_.taken())
        return true;
    bool const slots = slots_are_open();
    std::size_t const count = workers_.size();
    for (std::size_t i = 0; i != count; ++i)
        if (!workers_[i].ring.empty() || (slots && !workers_[i].lifo.empty()))
            return true;
    return false;
}

/// By a thread that is not inside.
void scheduler::work_finished_outside() noexcept
{
    if (work_.finish_one_of_many())
        return;
    // The last one is taken away under the lock: this thread must not touch a context that ends
    // because of it.
    idle_.release_all_if([this] { return work_.finish_one() && no_work_left(); },
        [this] { stopped_.store(true, memory_order_seq_cst); },
        [this](std::size_t index) { wake(index); });
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
