// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SYNC_YIELDERS_HPP
#define WEFT_SYNC_YIELDERS_HPP

// Those that want permits but let others run first: their handler has used up its budget. They wait
// in some queue for their turn and ask then, for if they had taken a permit with them, all others
// would have to wait for that queue.
//
// The object that they are going to ask may be destroyed before their turn comes. So each has a
// word that says who may touch what: as long as it says away, the list may; whoever changes that
// has the right to go on, the yielder to ask and the list to forget it.

#include <weft/platform/atomic.hpp>
#include <weft/platform/backoff.hpp>
#include <weft/platform/mutex.hpp>
#include <weft/sync/waiter.hpp>

#include <cstdint>

namespace weft
{
namespace detail
{

class yielder : public waiter
{
public:
    /// Whether it has been added to a list and its turn has not come.
    bool yields() const noexcept
    {
        return phase_.load(memory_order_relaxed) != none;
    }

protected:
    yielder() noexcept = default;
    ~yielder() = default;

private:
    friend class yielders;

    enum : std::uint32_t
    {
        none, // has not been added
        away, // in the list
        back, // its turn has come: is about to leave the list
        taken // was taken out of the list, or is about to be: has nothing to ask any more
    };

    bool transition_from_away(std::uint32_t phase) noexcept
    {
        std::uint32_t expected = away;
        // Release: the list's last access to the links of one that is taken. Acquire: the same, for
        // the yielder, which may use them again.
        return phase_.compare_exchange_strong(
            expected, phase, memory_order_acq_rel, memory_order_acquire);
    }

    atomic<std::uint32_t> phase_{none};
};

class yielders
{
public:
    yielders() noexcept
    {
        returning_.set(0);
    }

    yielders(yielders const&) = delete;
    yielders& operator=(yielders const&) = delete;

    /// Before the yielder goes to its queue.
    void add(yielder& y) noexcept
    {
        mutex_.lock();
        y.phase_.store(yielder::away, memory_order_relaxed);
        list_.push(y);
        mutex_.unlock();
    }

    /// For a yielder whose turn has come, or who is destroyed. False if somebody has taken it out,
    /// who may be the destructor of this list. If true, the object stays until returned().
    [[nodiscard]] bool leave(yielder& y) noexcept
    {
        if (!y.transition_from_away(yielder::back))
            return false;
        mutex_.lock();
        y.unlink();
        returning_.set(returning_.get() + 1);
        mutex_.unlock();
        y.phase_.store(yielder::none, memory_order_relaxed);
        return true;
    }

    /// Keeps the object, as leave() does, for one that is not in the list. It is there yet.
    void visit() noexcept
    {
        mutex_.lock();
        returning_.set(returning_.get() + 1);
        mutex_.unlock();
    }

    /// After leave(): the yielder has asked. After visit().
    void returned() noexcept
    {
        mutex_.lock();
        returning_.set(returning_.get() - 1);
        mutex_.unlock();
    }

    /// Takes a yielder out, which learns it when its turn comes. Called where that cannot be now.
    void take(yielder& y) noexcept
    {
        if (!y.transition_from_away(yielder::taken))
            return;
        mutex_.lock();
        y.unlink();
        mutex_.unlock();
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
            auto& y = static_cast<yielder&>(list_.pop());
            if (!y.transition_from_away(yielder::taken))
                leaving.push(y);
        }
        list_.take(leaving);
    }

    adaptive_mutex mutex_;

    // Guarded by mutex_. How many have left the list and not asked, or visit.
    cell<std::uint64_t> returning_;
    waiter_list list_;
};

} // namespace detail
} // namespace weft

#endif // WEFT_SYNC_YIELDERS_HPP
