// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SYNC_YIELDING_WAITERS_HPP
#define WEFT_SYNC_YIELDING_WAITERS_HPP

// Waiters that yield: their handler has used up its cooperative budget, so that they let others run
// before they ask for permits. They wait in a queue of the scheduler and ask when they come out of
// it; if they took a permit into that queue, all others would have to wait for it.
//
// The primitive that a waiter is going to ask may be destroyed before its turn comes. So each has a
// word (waiter::turn_) that says who may touch what: while it says away, the list here may touch
// the waiter. Whoever changes that goes on: the waiter, and asks the primitive; or the list, and
// forgets the waiter.

#include <weft/platform/atomic.hpp>
#include <weft/platform/backoff.hpp>
#include <weft/platform/mutex.hpp>
#include <weft/sync/waiter.hpp>

#include <cstddef>
#include <cstdint>

namespace weft
{
namespace detail
{

/// The waiters of a primitive that yield under the cooperative budget.
class yielding_waiters
{
public:
    yielding_waiters() noexcept
    {
        returning_.set(0);
    }

    yielding_waiters(yielding_waiters const&) = delete;
    yielding_waiters& operator=(yielding_waiters const&) = delete;

    /// Before the waiter goes to its queue.
    void add(waiter& w) noexcept
    {
        mutex_.lock();
        w.turn_.store(waiter::turn::away, memory_order_relaxed);
        list_.push(w);
        mutex_.unlock();
    }

    /// For a waiter whose turn has come, or who is destroyed. False if somebody has taken it out,
    /// who may be the destructor of this list. If true, the object stays until returned().
    [[nodiscard]] bool leave(waiter& w) noexcept
    {
        if (!w.transition_from_away(waiter::turn::back))
            return false;
        mutex_.lock();
        w.unlink();
        returning_.set(returning_.get() + 1);
        mutex_.unlock();
        w.turn_.store(waiter::turn::none, memory_order_relaxed);
        return true;
    }

    /// Keeps the object, as leave() does, for one that is not in the list. It is there yet.
    void visit() noexcept
    {
        mutex_.lock();
        returning_.set(returning_.get() + 1);
        mutex_.unlock();
    }

    /// After leave(): the waiter has asked. After visit().
    void returned() noexcept
    {
        mutex_.lock();
        returning_.set(returning_.get() - 1);
        mutex_.unlock();
    }

    /// Takes a waiter out, which learns it when its turn comes. Called where that cannot be now.
    void take(waiter& w) noexcept
    {
        if (!w.transition_from_away(waiter::turn::taken))
            return;
        mutex_.lock();
        w.unlink();
        mutex_.unlock();
    }

    /// How many are in the list. Linear.
    std::size_t size() const noexcept
    {
        mutex_.lock();
        std::size_t const count = list_.size();
        mutex_.unlock();
        return count;
    }

    /// Takes all out, but for those whose turn has just come.
    void take_all() noexcept
    {
        mutex_.lock();
        take_all_locked();
        mutex_.unlock();
    }

    /// As take_all(), and does not return before all have asked whose turn it is: the object is
    /// going away.
    void finish() noexcept
    {
        mutex_.lock();
        take_all_locked();
        // Those that are left are running, and soon done.
        patient_backoff wait;
        while (!list_.empty() || returning_.get() != 0)
        {
            mutex_.unlock();
            wait.pause();
            mutex_.lock();
        }
        mutex_.unlock();
    }

private:
    void take_all_locked() noexcept
    {
        waiter_list leaving;
        while (!list_.empty())
        {
            // Out of the list first: it may be gone as soon as it is told.
            waiter& w = list_.pop();
            if (!w.transition_from_away(waiter::turn::taken))
                leaving.push(w);
        }
        list_.take(leaving);
    }

    mutable adaptive_mutex mutex_;

    // Guarded by mutex_. How many have left the list and not asked, or visit.
    cell<std::uint64_t> returning_;
    waiter_list list_;
};

} // namespace detail
} // namespace weft

#endif // WEFT_SYNC_YIELDING_WAITERS_HPP
