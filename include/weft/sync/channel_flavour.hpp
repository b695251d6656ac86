// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SYNC_CHANNEL_FLAVOUR_HPP
#define WEFT_SYNC_CHANNEL_FLAVOUR_HPP

// What the two flavours of a channel, the ring (channel_ring.hpp) and the rendezvous
// (rendezvous.hpp), have in common: they serve those who wait, and then those who watch.
//
// Who watches waits until an operation could be performed, and has nothing performed. All watchers
// are notified together, when those who wait for an operation have been served.

#include <weft/platform/atomic.hpp>
#include <weft/platform/backoff.hpp>
#include <weft/queue/mpmc_ring.hpp>
#include <weft/sync/channel_waiters.hpp>
#include <weft/sync/waiter.hpp>

namespace weft
{
namespace detail
{

/// A view of a channel as one of the flavours, made for one operation on it. `Derived` has
/// `bool perform(ready_batch&)`, which performs operations of those who wait until nothing can be
/// performed or the batch is full, and `probe_send()` and `probe_receive()`, what a try would find;
/// all of them are called with the lock held.
template <typename Derived>
class channel_flavour
{
public:
    using ready_batch = channel_waiters::ready_batch;

    /// Registers `w` to be notified when a send could succeed, if none could now.
    [[nodiscard]] acquisition watch_send(waiter& w) noexcept
    {
        return watch(w, waiters_.send_watchers_, waiters_.senders_waiting_,
            [this] { return self().probe_send(); });
    }

    /// Registers `w` to be notified when a receive could succeed, if none could now.
    [[nodiscard]] acquisition watch_receive(waiter& w) noexcept
    {
        return watch(w, waiters_.receive_watchers_, waiters_.receivers_waiting_,
            [this] { return self().probe_receive(); });
    }

    /// Serves those who wait, of whom the caller resumes those in `out`. Called with the lock held,
    /// and returns without it. Nobody is resumed before the channel is done with: the first of them
    /// may destroy it.
    void serve_and_unlock(ready_batch& out) noexcept
    {
        for (;;)
        {
            bool const all = serve(out);
            waiters_.lower_flags();
            waiters_.mutex_.unlock();
            if (all)
                return;
            out.begin_next_hold();
            waiters_.mutex_.lock();
        }
    }

    /// The same, and resumes them.
    template <typename Resume>
    void serve_all_and_unlock(Resume& resume)
    {
        ready_batch out;
        serve_and_unlock(out);
        out.resume_all(resume);
    }

protected:
    explicit channel_flavour(channel_waiters& w) noexcept : waiters_(w)
    {
    }

    ~channel_flavour() = default;

    channel_waiters& waiters_;

private:
    Derived& self() noexcept
    {
        return static_cast<Derived&>(*this);
    }

    // False if there may be more to do than one hold of the lock is for.
    bool serve(ready_batch& out) noexcept
    {
        // What one side does makes operations of the other possible.
        while (self().perform(out))
        {
        }
        if (!waiters_.receive_watchers_.empty())
            notify_watchers(waiters_.receive_watchers_, self().probe_receive(), out);
        if (!waiters_.send_watchers_.empty())
            notify_watchers(waiters_.send_watchers_, self().probe_send(), out);
        return !out.full() || waiters_.nobody_waits();
    }

    static void notify_watchers(waiter_list& watchers, ring_result found, ready_batch& out) noexcept
    {
        if (found == ring_result::blocked || found == ring_result::busy)
            return;
        while (!watchers.empty() && !out.full())
            out.add(watchers.pop(),
                found == ring_result::done ? acquisition::acquired : acquisition::closed);
    }

    template <typename Probe>
    acquisition watch(waiter& w, waiter_list& watchers, atomic<bool>& flag, Probe probe) noexcept
    {
        channel_waiters::set_wanted(w, nullptr);
        for (patient_backoff wait;;)
        {
            waiters_.mutex_.lock();
            // Pairs with the loads in channel_ring::try_send() and try_receive(): before the look
            // at the ring.
            flag.store(true, memory_order_seq_cst);
            ring_result const r = probe();
            if (r == ring_result::blocked)
            {
                watchers.push(w);
                waiters_.mutex_.unlock();
                return acquisition::waiting;
            }
            waiters_.lower_flags();
            waiters_.mutex_.unlock();
            if (r != ring_result::busy)
                return r == ring_result::done ? acquisition::acquired : acquisition::closed;
            wait.pause();
        }
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SYNC_CHANNEL_FLAVOUR_HPP
