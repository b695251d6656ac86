// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SYNC_RENDEZVOUS_HPP
#define WEFT_SYNC_RENDEZVOUS_HPP

// A channel without capacity: a value goes from a sender that waits to a receiver that comes, or
// the other way round, and never rests in between. Everything happens under the lock; those who
// only try look first whether anybody waits, and take no lock if not.

#include <weft/platform/atomic.hpp>
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
class rendezvous : public channel_flavour<rendezvous<T>>
{
    using base = channel_flavour<rendezvous>;

public:
    using typename base::ready_batch;

    /// Of `ring` nothing is used but whether it is closed.
    rendezvous(channel_waiters& w, mpmc_ring<T> const& ring) noexcept : base(w), ring_(ring)
    {
    }

    // Who only tries takes part in no order: it meets who waits, if anybody does.

    static bool may_send() noexcept
    {
        return true;
    }

    static bool may_receive() noexcept
    {
        return true;
    }

    /// Gives what `construct(void*)` makes, which must not throw, to the first receiver.
    template <typename Construct, typename Resume>
    ring_result try_send(Construct& construct, Resume& resume);

    /// Takes the values of as many senders as `to` takes and one batch has.
    template <typename Resume>
    ring_result try_receive(receiver<T>& to, Resume& resume);

    template <typename Resume>
    [[nodiscard]] acquisition send(waiter& w, T&, Resume& resume)
    {
        return wait(w, this->waiters_.senders_, this->waiters_.senders_waiting_, resume);
    }

    template <typename Resume>
    [[nodiscard]] acquisition receive(waiter& w, receiver<T>&, Resume& resume)
    {
        return wait(w, this->waiters_.receivers_, this->waiters_.receivers_waiting_, resume);
    }

    ring_result can_send() const noexcept
    {
        this->waiters_.mutex_.lock();
        ring_result const r = probe_send();
        this->waiters_.mutex_.unlock();
        return r;
    }

    ring_result can_receive() const noexcept
    {
        this->waiters_.mutex_.lock();
        ring_result const r = probe_receive();
        this->waiters_.mutex_.unlock();
        return r;
    }

    /// No value rests here.
    template <typename Receiver>
    static void drain(Receiver&) noexcept
    {
    }

    /// What a sender would find, and a receiver. With the lock held.
    ring_result probe_send() const noexcept
    {
        return found(this->waiters_.receivers_);
    }

    ring_result probe_receive() const noexcept
    {
        return found(this->waiters_.senders_);
    }

    /// Lets those who wait meet; those who are left over go if the channel is closed. Whether
    /// anything has been done. With the lock held.
    bool match_waiters(ready_batch& out) noexcept;

private:
    friend base;

    bool perform(ready_batch& out) noexcept
    {
        return match_waiters(out);
    }

    ring_result found(waiter_list const& others) const noexcept
    {
        if (ring_.closed())
            return ring_result::closed;
        return others.empty() ? ring_result::blocked : ring_result::done;
    }

    // Who comes to wait may meet one who waits, and is registered before.
    template <typename Resume>
    acquisition wait(waiter& w, waiter_list& list, atomic<bool>& waiting, Resume& resume)
    {
        this->waiters_.mutex_.lock();
        if (ring_.closed())
        {
            this->waiters_.mutex_.unlock();
            return acquisition::closed;
        }
        // No look at a ring follows: the lock is enough.
        waiting.store(true, memory_order_relaxed);
        list.push(w);
        this->serve_all_and_unlock(resume);
        return acquisition::waiting;
    }

    // Returns whether `to` takes more.
    bool take_first(receiver<T>& to, ready_batch& out) noexcept
    {
        waiter& sender = this->waiters_.senders_.pop();
        bool const more = to.take(std::move(channel_waiters::value_of<T>(sender)));
        out.add(sender, acquisition::acquired);
        return more;
    }

    mpmc_ring<T> const& ring_;
};

template <typename T>
bool rendezvous<T>::match_waiters(ready_batch& out) noexcept
{
    waiter_list& receivers = this->waiters_.receivers_;
    waiter_list& senders = this->waiters_.senders_;
    bool progress = false;
    while (!receivers.empty() && !senders.empty() && !out.full())
    {
        receiver<T>& to = channel_waiters::receiver_of<T>(receivers.front());
        while (take_first(to, out) && !senders.empty() && !out.full())
        {
        }
        out.add(receivers.pop(), acquisition::acquired);
        progress = true;
    }
    if (ring_.closed())
        for (waiter_list* const list : {&receivers, &senders})
            while (!list->empty() && !out.full())
            {
                out.add(list->pop(), acquisition::closed);
                progress = true;
            }
    return progress;
}

template <typename T>
template <typename Construct, typename Resume>
ring_result rendezvous<T>::try_send(Construct& construct, Resume& resume)
{
    if (ring_.closed())
        return ring_result::closed;
    // No order: a receiver that is about to come is not there yet.
    if (!this->waiters_.receivers_waiting_.load(memory_order_relaxed))
        return ring_result::blocked;
    this->waiters_.mutex_.lock();
    if (this->waiters_.receivers_.empty())
    {
        this->waiters_.mutex_.unlock();
        return ring_result::blocked;
    }
    waiter& w = this->waiters_.receivers_.pop();
    this->waiters_.lower_flags();
    room<T> value;
    value.fill(construct);
    channel_waiters::receiver_of<T>(w).take(std::move(value.value()));
    value.clear();
    this->waiters_.mutex_.unlock();
    ready_batch out;
    out.add(w, acquisition::acquired);
    out.resume_all(resume);
    return ring_result::done;
}

template <typename T>
template <typename Resume>
ring_result rendezvous<T>::try_receive(receiver<T>& to, Resume& resume)
{
    if (ring_.closed())
        return ring_result::closed;
    if (!this->waiters_.senders_waiting_.load(memory_order_relaxed))
        return ring_result::blocked;
    ready_batch out;
    this->waiters_.mutex_.lock();
    bool const meets = !this->waiters_.senders_.empty();
    if (meets)
        while (take_first(to, out) && !this->waiters_.senders_.empty() && !out.full())
        {
        }
    this->waiters_.lower_flags();
    this->waiters_.mutex_.unlock();
    out.resume_all(resume);
    return meets ? ring_result::done : ring_result::blocked;
}

} // namespace detail
} // namespace weft

#endif // WEFT_SYNC_RENDEZVOUS_HPP
