// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SYNC_RENDEZVOUS_HPP
#define WEFT_SYNC_RENDEZVOUS_HPP

// Capacity 0: a value goes from a sender that waits to a receiver that comes, or the other way
// round, and never rests in between. Everything happens under the lock; those who only try look
// first whether anybody waits, and take no lock if not.

#include <weft/platform/atomic.hpp>
#include <weft/queue/mpmc_ring.hpp>
#include <weft/sync/channel_waiters.hpp>

#include <utility>

namespace weft
{
namespace detail
{

template <typename T>
class rendezvous : public channel_waiters
{
protected:
    ~rendezvous() = default;

    /// Lets those that wait meet; if `closed`, those that are left over go. Whether anything has
    /// been done. With the lock held.
    bool match_waiters(bool closed, ready_batch& out) noexcept;

    /// What a sender would find, and a receiver. With the lock held.
    ring_result receiver_waits() const noexcept
    {
        return receivers_.empty() ? ring_result::blocked : ring_result::done;
    }

    ring_result sender_waits() const noexcept
    {
        return senders_.empty() ? ring_result::blocked : ring_result::done;
    }

    /// Gives what `construct(void*)` makes, which must not throw, to the first receiver.
    template <typename Construct, typename Resume>
    ring_result hand_to_receiver(Construct& construct, Resume& resume);

    /// Takes the values of as many senders as `to` takes and one batch has.
    template <typename Resume>
    ring_result take_from_senders(receiver<T>& to, Resume& resume);

private:
    // Returns whether `to` takes more.
    bool take_first(receiver<T>& to, ready_batch& out) noexcept
    {
        waiter& sender = senders_.pop();
        bool const more = to.take(std::move(value_of<T>(sender)));
        out.add(sender, acquisition::acquired);
        return more;
    }
};

template <typename T>
bool rendezvous<T>::match_waiters(bool closed, ready_batch& out) noexcept
{
    bool progress = false;
    while (!receivers_.empty() && !senders_.empty() && !out.full())
    {
        receiver<T>& to = receiver_of<T>(receivers_.front());
        while (take_first(to, out) && !senders_.empty() && !out.full())
        {
        }
        out.add(receivers_.pop(), acquisition::acquired);
        progress = true;
    }
    if (closed)
        for (waiter_list* const list : {&receivers_, &senders_})
            while (!list->empty() && !out.full())
            {
                out.add(list->pop(), acquisition::closed);
                progress = true;
            }
    return progress;
}

template <typename T>
template <typename Construct, typename Resume>
ring_result rendezvous<T>::hand_to_receiver(Construct& construct, Resume& resume)
{
    // No order: a receiver that is about to come is not there yet.
    if (!receivers_waiting_.load(memory_order_relaxed))
        return ring_result::blocked;
    mutex_.lock();
    if (receivers_.empty())
    {
        mutex_.unlock();
        return ring_result::blocked;
    }
    waiter& w = receivers_.pop();
    lower_flags();
    room<T> value;
    value.fill(construct);
    receiver_of<T>(w).take(std::move(value.value()));
    value.clear();
    mutex_.unlock();
    ready_batch out;
    out.add(w, acquisition::acquired);
    out.resume_all(resume);
    return ring_result::done;
}

template <typename T>
template <typename Resume>
ring_result rendezvous<T>::take_from_senders(receiver<T>& to, Resume& resume)
{
    if (!senders_waiting_.load(memory_order_relaxed))
        return ring_result::blocked;
    ready_batch out;
    mutex_.lock();
    ring_result const r = sender_waits();
    if (r == ring_result::done)
        while (take_first(to, out) && !senders_.empty() && !out.full())
        {
        }
    lower_flags();
    mutex_.unlock();
    out.resume_all(resume);
    return r;
}

} // namespace detail
} // namespace weft

#endif // WEFT_SYNC_RENDEZVOUS_HPP
