// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SYNC_CHANNEL_RING_HPP
#define WEFT_SYNC_CHANNEL_RING_HPP

// A channel with a capacity: values go through a ring without locks. Who finds it full or empty
// waits in a list, under a lock.
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
// Order. Senders are served first come, first served, and so are receivers. An operation that may
// wait does not pass those that wait; one that only tries may.

#include <weft/platform/atomic.hpp>
#include <weft/platform/backoff.hpp>
#include <weft/queue/mpmc_ring.hpp>
#include <weft/sync/channel_flavour.hpp>
#include <weft/sync/channel_waiters.hpp>
#include <weft/sync/waiter.hpp>

#include <utility>

namespace weft
{
namespace detail
{

template <typename T>
class channel_ring : public channel_flavour<channel_ring<T>>
{
    using base = channel_flavour<channel_ring>;
    using typename base::ready_batch;

public:
    channel_ring(channel_waiters& w, mpmc_ring<T>& ring) noexcept : base(w), ring_(ring)
    {
    }

    bool may_send() const noexcept
    {
        return !this->waiters_.senders_waiting_.load(memory_order_relaxed);
    }

    bool may_receive() const noexcept
    {
        return !this->waiters_.receivers_waiting_.load(memory_order_relaxed);
    }

    template <typename Construct, typename Resume>
    ring_result try_send(Construct& construct, Resume& resume)
    {
        ring_result const r = ring_.push_with(construct);
        // Pairs with the stores in perform_or_wait() and channel_flavour::watch().
        if (r == ring_result::done && this->waiters_.receivers_waiting_.load(memory_order_seq_cst))
        {
            this->waiters_.mutex_.lock();
            this->serve_all_and_unlock(resume);
        }
        return r;
    }

    template <typename Receiver, typename Resume>
    ring_result try_receive(Receiver& to, Resume& resume)
    {
        ring_result const r = take_for(to);
        // Pairs with the stores in perform_or_wait() and channel_flavour::watch().
        if (r == ring_result::done && this->waiters_.senders_waiting_.load(memory_order_seq_cst))
        {
            this->waiters_.mutex_.lock();
            this->serve_all_and_unlock(resume);
        }
        return r;
    }

    template <typename Resume>
    [[nodiscard]] acquisition send(waiter& w, T& value, Resume& resume)
    {
        return perform_or_wait(
            w, this->waiters_.senders_, this->waiters_.senders_waiting_,
            [&] { return ring_.push(std::move(value)); }, resume);
    }

    template <typename Resume>
    [[nodiscard]] acquisition receive(waiter& w, receiver<T>& to, Resume& resume)
    {
        return perform_or_wait(
            w, this->waiters_.receivers_, this->waiters_.receivers_waiting_,
            [&] { return take_for(to); }, resume);
    }

    ring_result can_send() const noexcept
    {
        return probe_send();
    }

    ring_result can_receive() const noexcept
    {
        return probe_receive();
    }

    /// Takes out all values that nobody has received.
    template <typename Receiver>
    void drain(Receiver& to) noexcept
    {
        (void)take_for(to);
    }

private:
    friend base;

    ring_result probe_send() const noexcept
    {
        return ring_.probe_push();
    }

    ring_result probe_receive() const noexcept
    {
        return ring_.probe_pop();
    }

    // Whether anything has been done; so for the next two.
    bool perform(ready_batch& out) noexcept
    {
        bool const received = serve_receivers(out);
        return serve_senders(out) || received;
    }

    bool serve_receivers(ready_batch& out) noexcept;
    bool serve_senders(ready_batch& out) noexcept;

    template <typename Receiver>
    ring_result take_for(Receiver& to) noexcept;

    template <typename Attempt, typename Resume>
    acquisition perform_or_wait(
        waiter& w, waiter_list& list, atomic<bool>& waiting, Attempt attempt, Resume& resume);

    mpmc_ring<T>& ring_;
};

/// What a send and a receive have in common: `attempt()` is the operation on the ring.
template <typename T>
template <typename Attempt, typename Resume>
acquisition channel_ring<T>::perform_or_wait(
    waiter& w, waiter_list& list, atomic<bool>& waiting, Attempt attempt, Resume& resume)
{
    for (patient_backoff wait;;)
    {
        this->waiters_.mutex_.lock();
        if (!list.empty())
        {
            // Those before it wait rightly, and who ends that serves this one too.
            list.push(w);
            this->waiters_.mutex_.unlock();
            return acquisition::waiting;
        }
        // Pairs with the loads in try_send() and try_receive(): before the look at the ring.
        waiting.store(true, memory_order_seq_cst);
        switch (attempt())
        {
        case ring_result::done:
            this->serve_all_and_unlock(resume);
            return acquisition::acquired;
        case ring_result::blocked:
            list.push(w);
            this->waiters_.mutex_.unlock();
            return acquisition::waiting;
        case ring_result::closed:
            this->waiters_.lower_flags();
            this->waiters_.mutex_.unlock();
            return acquisition::closed;
        case ring_result::busy:
            this->waiters_.lower_flags();
            this->waiters_.mutex_.unlock();
            wait.pause();
            break;
        }
    }
}

template <typename T>
template <typename Receiver>
ring_result channel_ring<T>::take_for(Receiver& to) noexcept
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

template <typename T>
bool channel_ring<T>::serve_receivers(ready_batch& out) noexcept
{
    waiter_list& receivers = this->waiters_.receivers_;
    bool progress = false;
    while (!receivers.empty() && !out.full())
    {
        ring_result const r = take_for(channel_waiters::receiver_of<T>(receivers.front()));
        // Whoever fills a slot that is busy will serve.
        if (r == ring_result::blocked || r == ring_result::busy)
            break;
        out.add(
            receivers.pop(), r == ring_result::done ? acquisition::acquired : acquisition::closed);
        progress = true;
    }
    return progress;
}

template <typename T>
bool channel_ring<T>::serve_senders(ready_batch& out) noexcept
{
    waiter_list& senders = this->waiters_.senders_;
    bool progress = false;
    while (!senders.empty() && !out.full())
    {
        ring_result const r = ring_.push(std::move(channel_waiters::value_of<T>(senders.front())));
        // Whoever frees a slot that is busy will serve.
        if (r == ring_result::blocked || r == ring_result::busy)
            break;
        out.add(
            senders.pop(), r == ring_result::done ? acquisition::acquired : acquisition::closed);
        progress = true;
    }
    return progress;
}

} // namespace detail
} // namespace weft

#endif // WEFT_SYNC_CHANNEL_RING_HPP
