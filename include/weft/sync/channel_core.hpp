// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SYNC_CHANNEL_CORE_HPP
#define WEFT_SYNC_CHANNEL_CORE_HPP

// Values on their way from senders to receivers, and who waits: the truth of the channel. No
// executors, no handlers; a waiter that has been served is handed to the caller, who sees to its
// continuation.
//
// Values go through a ring without locks. Who finds it full or empty waits in a list, under a lock.
// With capacity 0 the ring is not used: senders meet receivers in the lists.
//
// Who may do what. Any thread may call anything. Lists are touched under the lock only. Whoever
// takes a waiter out of its list owns it: nothing here touches it again, and a canceller that comes
// later is told that it is too late.
//
// Whoever makes an operation possible performs it for the one that waits: takes a value out of the
// ring for a receiver, puts a sender's in. A waiter leaves its list with its operation performed,
// or with an error, and never with the mere advice to try again: then a value could come to one
// that is cancelled in the same moment, while another sleeps on (T10.4).
//
// No value sleeps. Invariant: if a receiver is in the list, every value in the ring has a pusher
// that has yet to look at the flag, sees it set, and serves the list.
//   1. A receiver sets the flag, and then finds the ring empty: head and tail are equal.
//   2. A pusher moves the tail, fills the slot, and then looks at the flag.
//   All four are seq_cst, so that there is one order of them. If 2 looks before 1 sets, the tail
//   has been moved before 1 looks, and the ring is not empty. It may be busy: the slot not filled,
//   or not seen to be. Then 1 does not sleep but tries again. Each later pusher sees the flag.
//   3. Who serves stops at a slot that is not filled: the one who fills it comes after (1), or the
//      receiver would not sleep, and serves then what is in the slots behind as well.
// The same holds for senders with "full", popper and head.
//
// In Volt the receiver looked at the slot instead of the tail, and the sender's filling of the
// slot and its look at the flag were a plain store and a load, which processors exchange (T10.1).
//
// Order. Senders are served first come, first served, and so are receivers. An operation that may
// wait does not pass those that wait; one that only tries may.
//
// Watchers wait until an operation could be performed, and have nothing performed: they are let go
// all together, when those that wait in earnest have been served.

#include <weft/platform/atomic.hpp>
#include <weft/platform/backoff.hpp>
#include <weft/queue/mpmc_ring.hpp>
#include <weft/sync/channel_waiters.hpp>
#include <weft/sync/rendezvous.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace weft
{
namespace detail
{

template <typename T>
class channel_core : public rendezvous<T>
{
    static_assert(std::is_nothrow_move_constructible<T>::value,
        "a value is moved on behalf of others, to whom nothing can be thrown");

public:
    static constexpr std::uint64_t max_capacity = mpmc_ring<T>::max_capacity;

    /// Throws std::length_error if that is more than max_capacity, and std::bad_alloc.
    explicit channel_core(std::uint64_t capacity)
        : capacity_(capacity), ring_(capacity != 0 ? capacity : 1)
    {
    }

    // Functions that serve others call `resume(waiter&, acquisition)` for each that is served, in
    // order (resume_all()): acquired, or closed. They have done everything else then: any of those
    // may destroy this object.

    /// Sends what `construct(void*)` makes, if there is room or a receiver. It is called only then,
    /// and must not throw.
    template <typename Construct, typename Resume>
    ring_result try_send(Construct&& construct, Resume&& resume);

    /// Receives one value, or as many as `to` takes, if there are any. `Receiver` is a receiver<T>.
    template <typename Receiver, typename Resume>
    ring_result try_receive(Receiver& to, Resume&& resume);

    /// Whether an operation that may wait can be performed without passing others.
    bool may_send() const noexcept
    {
        return !senders_waiting_.load(memory_order_relaxed) || capacity_ == 0;
    }

    bool may_receive() const noexcept
    {
        return !receivers_waiting_.load(memory_order_relaxed) || capacity_ == 0;
    }

    /// Sends `value`, or registers `w` to do so. It stays where it is if the result is closed.
    template <typename Resume>
    [[nodiscard]] acquisition send(waiter& w, T& value, Resume&& resume)
    {
        waiters::set_wanted(w, &value);
        return perform_or_wait(
            w, senders_, senders_waiting_, [&] { return ring_.push(std::move(value)); }, resume);
    }

    /// Receives into `to`, or registers `w` to do so.
    template <typename Resume>
    [[nodiscard]] acquisition receive(waiter& w, receiver<T>& to, Resume&& resume)
    {
        waiters::set_wanted(w, &to);
        return perform_or_wait(
            w, receivers_, receivers_waiting_, [&] { return take_for(to); }, resume);
    }

    /// Registers `w` to be let go when a send could succeed, if none could now.
    [[nodiscard]] acquisition watch_send(waiter& w) noexcept
    {
        return watch(w, send_watchers_, senders_waiting_, &channel_core::probe_send);
    }

    /// Registers `w` to be let go when a receive could succeed, if none could now.
    [[nodiscard]] acquisition watch_receive(waiter& w) noexcept
    {
        return watch(w, receive_watchers_, receivers_waiting_, &channel_core::probe_receive);
    }

    /// As cancel_all(), and nothing can be sent any more.
    template <typename Resume>
    void close(Resume&& resume)
    {
        ring_.close();
        this->cancel_all(resume);
    }

    /// Nothing can be sent any more. Receivers get what was, and then "closed".
    template <typename Resume>
    void close_after_last(Resume&& resume)
    {
        ring_.close();
        mutex_.lock();
        serve_all(resume);
    }

    /// Exchanges values, capacity, and whether it is closed. Who waits stays, and is served if that
    /// is possible now. Nobody else uses either.
    template <typename Resume>
    void swap(channel_core& other, Resume&& resume)
    {
        std::swap(capacity_, other.capacity_);
        ring_.swap(other.ring_);
        ready_batch out;
        for (channel_core* const c : {this, &other})
        {
            c->mutex_.lock();
            c->serve_and_unlock(out);
        }
        out.resume_all(resume);
    }

    /// Takes the closing back.
    void reopen() noexcept
    {
        ring_.reopen();
    }

    /// Takes all waiters out, passes the values to `to`, which takes all, and takes the closing
    /// back. Who comes in between is served. The waiters that were taken out are resumed as
    /// cancelled.
    template <typename Receiver, typename Resume>
    void reset(Receiver& to, Resume&& resume)
    {
        ready_batch out;
        this->take_all(out);
        (void)take_for(to);
        reopen();
        mutex_.lock();
        serve_and_unlock(out);
        out.resume_all(resume);
    }

    bool closed() const noexcept
    {
        return ring_.closed();
    }

    /// What a try would find.
    ring_result can_send() const noexcept
    {
        return locked_if_rendezvous(&channel_core::probe_send);
    }

    ring_result can_receive() const noexcept
    {
        return locked_if_rendezvous(&channel_core::probe_receive);
    }

    std::uint64_t capacity() const noexcept
    {
        return capacity_;
    }

    std::uint64_t size() const noexcept
    {
        return ring_.size();
    }

private:
    using waiters = channel_waiters;
    using typename waiters::ready_batch;
    using waiters::mutex_;
    using waiters::receive_watchers_;
    using waiters::receivers_;
    using waiters::receivers_waiting_;
    using waiters::send_watchers_;
    using waiters::senders_;
    using waiters::senders_waiting_;

    // Those below are called with the lock held.

    void serve_and_unlock(ready_batch& out) noexcept;

    template <typename Resume>
    void serve_all(Resume& resume)
    {
        ready_batch out;
        serve_and_unlock(out);
        out.resume_all(resume);
    }

    template <typename Receiver>
    ring_result take_for(Receiver& to) noexcept;

    bool serve(ready_batch& out) noexcept;
    bool serve_receivers(ready_batch& out) noexcept;
    bool serve_senders(ready_batch& out) noexcept;
    void notify_watchers(waiter_list& watchers, ring_result found, ready_batch& out) noexcept;

    ring_result probe_send() const noexcept;
    ring_result probe_receive() const noexcept;

    // Those below are not.

    template <typename Attempt, typename Resume>
    acquisition perform_or_wait(
        waiter& w, waiter_list& list, atomic<bool>& waiting, Attempt attempt, Resume& resume);

    acquisition watch(waiter& w, waiter_list& watchers, atomic<bool>& flag,
        ring_result (channel_core::*probe)() const noexcept) noexcept;

    ring_result locked_if_rendezvous(
        ring_result (channel_core::*probe)() const noexcept) const noexcept;

    // Constant, but for swap().
    std::uint64_t capacity_;
    mpmc_ring<T> ring_;
};

template <typename T>
template <typename Construct, typename Resume>
ring_result channel_core<T>::try_send(Construct&& construct, Resume&& resume)
{
    if (capacity_ == 0)
        return ring_.closed() ? ring_result::closed : this->hand_to_receiver(construct, resume);
    ring_result const r = ring_.push_with(construct);
    // Pairs with the stores in perform_or_wait() and watch().
    if (r == ring_result::done && receivers_waiting_.load(memory_order_seq_cst))
    {
        mutex_.lock();
        serve_all(resume);
    }
    return r;
}

template <typename T>
template <typename Receiver, typename Resume>
ring_result channel_core<T>::try_receive(Receiver& to, Resume&& resume)
{
    if (capacity_ == 0)
        return ring_.closed() ? ring_result::closed : this->take_from_senders(to, resume);
    ring_result const r = take_for(to);
    // Pairs with the stores in perform_or_wait() and watch().
    if (r == ring_result::done && senders_waiting_.load(memory_order_seq_cst))
    {
        mutex_.lock();
        serve_all(resume);
    }
    return r;
}

/// What a send and a receive have in common: `attempt()` is the operation on the ring.
template <typename T>
template <typename Attempt, typename Resume>
acquisition channel_core<T>::perform_or_wait(
    waiter& w, waiter_list& list, atomic<bool>& waiting, Attempt attempt, Resume& resume)
{
    for (patient_backoff wait;;)
    {
        mutex_.lock();
        if (capacity_ == 0)
        {
            if (ring_.closed())
            {
                mutex_.unlock();
                return acquisition::closed;
            }
            // No look at the ring follows: the lock is enough.
            waiting.store(true, memory_order_relaxed);
            list.push(w);
            serve_all(resume);
            return acquisition::waiting;
        }
        if (!list.empty())
        {
            // Those before it wait rightly, and who ends that serves this one too.
            list.push(w);
            mutex_.unlock();
            return acquisition::waiting;
        }
        // Pairs with the loads in try_send() and try_receive(): before the look at the ring.
        waiting.store(true, memory_order_seq_cst);
        switch (attempt())
        {
        case ring_result::done:
            serve_all(resume);
            return acquisition::acquired;
        case ring_result::blocked:
            list.push(w);
            mutex_.unlock();
            return acquisition::waiting;
        case ring_result::closed:
            this->lower_flags();
            mutex_.unlock();
            return acquisition::closed;
        case ring_result::busy:
            this->lower_flags();
            mutex_.unlock();
            wait.pause();
            break;
        }
    }
}

template <typename T>
acquisition channel_core<T>::watch(waiter& w, waiter_list& watchers, atomic<bool>& flag,
    ring_result (channel_core::*probe)() const noexcept) noexcept
{
    waiters::set_wanted(w, nullptr);
    for (patient_backoff wait;;)
    {
        mutex_.lock();
        // Pairs with the loads in try_send() and try_receive(): before the look at the ring.
        flag.store(true, memory_order_seq_cst);
        ring_result const r = (this->*probe)();
        if (r == ring_result::blocked)
        {
            watchers.push(w);
            mutex_.unlock();
            return acquisition::waiting;
        }
        this->lower_flags();
        mutex_.unlock();
        if (r != ring_result::busy)
            return r == ring_result::done ? acquisition::acquired : acquisition::closed;
        wait.pause();
    }
}

/// Returns without the lock. Nobody is resumed before this object is done with: the first of them
/// may destroy it.
template <typename T>
void channel_core<T>::serve_and_unlock(ready_batch& out) noexcept
{
    for (;;)
    {
        bool const all = serve(out);
        this->lower_flags();
        mutex_.unlock();
        if (all)
            return;
        out.begin_next_hold();
        mutex_.lock();
    }
}

/// Performs what can be performed. False if there may be more to do than one hold of the lock is
/// for.
template <typename T>
bool channel_core<T>::serve(ready_batch& out) noexcept
{
    // What one side does makes operations of the other possible.
    bool progress = true;
    while (progress)
    {
        if (capacity_ == 0)
            progress = this->match_waiters(ring_.closed(), out);
        else
        {
            progress = serve_receivers(out);
            progress = serve_senders(out) || progress;
        }
    }
    if (!receive_watchers_.empty())
        notify_watchers(receive_watchers_, probe_receive(), out);
    if (!send_watchers_.empty())
        notify_watchers(send_watchers_, probe_send(), out);
    return !out.full() || this->nobody_waits();
}

template <typename T>
template <typename Receiver>
ring_result channel_core<T>::take_for(Receiver& to) noexcept
{
    bool more = true;
    auto const take = [&](T&& value) noexcept
    {
        more = to.take(std::move(value));
    };
    ring_result const first = ring_.pop(take);
    if (first == ring_result::done)
        while (more && ring_.pop(take) == ring_result::done)
        {
        }
    return first;
}

/// Whether anything has been done; so for the next two.
template <typename T>
bool channel_core<T>::serve_receivers(ready_batch& out) noexcept
{
    bool progress = false;
    while (!receivers_.empty() && !out.full())
    {
        ring_result const r = take_for(waiters::template receiver_of<T>(receivers_.front()));
        // Whoever fills a slot that is busy will serve.
        if (r == ring_result::blocked || r == ring_result::busy)
            break;
        out.add(
            receivers_.pop(), r == ring_result::done ? acquisition::acquired : acquisition::closed);
        progress = true;
    }
    return progress;
}

template <typename T>
bool channel_core<T>::serve_senders(ready_batch& out) noexcept
{
    bool progress = false;
    while (!senders_.empty() && !out.full())
    {
        ring_result const r =
            ring_.push(std::move(waiters::template value_of<T>(senders_.front())));
        // Whoever frees a slot that is busy will serve.
        if (r == ring_result::blocked || r == ring_result::busy)
            break;
        out.add(
            senders_.pop(), r == ring_result::done ? acquisition::acquired : acquisition::closed);
        progress = true;
    }
    return progress;
}

template <typename T>
void channel_core<T>::notify_watchers(
    waiter_list& watchers, ring_result found, ready_batch& out) noexcept
{
    if (found == ring_result::blocked || found == ring_result::busy)
        return;
    while (!watchers.empty() && !out.full())
        out.add(watchers.pop(),
            found == ring_result::done ? acquisition::acquired : acquisition::closed);
}

template <typename T>
ring_result channel_core<T>::probe_send() const noexcept
{
    if (capacity_ != 0)
        return ring_.probe_push();
    if (ring_.closed())
        return ring_result::closed;
    return this->receiver_waits();
}

template <typename T>
ring_result channel_core<T>::probe_receive() const noexcept
{
    if (capacity_ != 0)
        return ring_.probe_pop();
    if (ring_.closed())
        return ring_result::closed;
    return this->sender_waits();
}

template <typename T>
ring_result channel_core<T>::locked_if_rendezvous(
    ring_result (channel_core::*probe)() const noexcept) const noexcept
{
    if (capacity_ != 0)
        return (this->*probe)();
    mutex_.lock();
    ring_result const r = (this->*probe)();
    mutex_.unlock();
    return r;
}

} // namespace detail
} // namespace weft

#endif // WEFT_SYNC_CHANNEL_CORE_HPP
