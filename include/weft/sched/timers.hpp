// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_TIMERS_HPP
#define WEFT_SCHED_TIMERS_HPP

// The waits for points in time of a context: who waits for which, whose time has come, and that
// nobody sleeps beyond the earliest.
//
// Each worker has a heap under a lock of its own (a shard), into which it puts what it starts, and
// all threads that are no workers share another one. So threads that set and stop timers of their
// own do not meet. A wait is cancelled wherever it is; whose time has come is found by any worker
// that looks, in all shards.
//
// One thread at a time sleeps for all timers: the one that has the driver lock. It must not sleep
// beyond a time that was put in while it made up its mind.
//
//   who starts a wait                     who goes to sleep with the driver lock
//   -----------------                     -----------------------------
//   put it into a heap; if it is the      until_ := never
//     first there, next_ := its time      full fence (S)
//   full fence (A)                        earliest := the least of all next_
//   its time < until_: wake the sleeper   until_ := earliest, sleep until then
//
// Lemma. If (A) precedes (S), the sleeper sees the time, and sleeps no longer. Otherwise who starts
// the wait sees `never` or what was written later: the time until which is slept, and if that is
// too late it wakes the sleeper, whose next sleep begins with the left case; or that the sleeper is
// awake, and then its next sleep, or that of whoever gets the driver lock from it, begins with that
// case. (This is Dekker's pattern; sched/idle.hpp sees to it that while anybody sleeps, somebody is
// in the driver or about to try the driver lock.)
//
// An alarm for that time wakes the sleeper too. An until_ that is too early, because its wait was
// cancelled, costs one wake: nobody corrects it.

#include <weft/platform/atomic.hpp>
#include <weft/platform/cache_line.hpp>
#include <weft/platform/mutex.hpp>
#include <weft/queue/op_list.hpp>
#include <weft/queue/timer_heap.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>

namespace weft
{
namespace detail
{

/// `Waits` says what a wait is: a type `wait`; `next(wait*)` and `next(wait*, wait*)`, which read
/// and write its link; `abort(wait*)`, which makes it end as cancelled; and `key(wait*)`, by which
/// a single one is cancelled.
///
/// Functions that end waits show them to `out(wait*)` after all locks are released, those of a
/// timer in the order in which they began. What out() does may end the life of the timer.
template <typename Waits, std::size_t Shards = 32>
class timers
{
    struct shard;

public:
    using wait = typename Waits::wait;
    using list = op_list<wait, Waits>;

    static constexpr std::size_t max_shards = Shards;

    /// A timer: the waits for one time. It is used by one thread at a time, except for cancel() of
    /// a key, and must have no waits at the end of its life.
    ///
    /// It has an address of its own, and owners that count: the object whose timer it is, and the
    /// cancellation slots of its waits, which may be asked to cancel when that object has been
    /// moved or is gone.
    class timer
    {
    public:
        timer() noexcept = default;
        timer(timer const&) = delete;
        timer& operator=(timer const&) = delete;

        /// By an owner, for another.
        void share() noexcept
        {
            owners_.fetch_add(1, memory_order_relaxed);
        }

        /// By an owner, for the last time. True for the last of them, which ends its life.
        [[nodiscard]] bool release() noexcept
        {
            // The last one sees what the others did.
            return owners_.load(memory_order_acquire) == 1 ||
                   owners_.fetch_sub(1, memory_order_acq_rel) == 1;
        }

    private:
        friend class timers;
        friend class timer_heap<timer>;

        bool is_shared() const noexcept
        {
            // Acquire: what those did that are owners no longer comes before.
            return owners_.load(memory_order_acquire) != 1;
        }

        // The object's first.
        atomic<std::uint32_t> owners_{1};

        // Where its waits are, or were last. Written by the thread that uses the timer; if the
        // timer is shared, under the old shard's lock.
        atomic<shard*> home_{nullptr};

        // Guarded by the lock of home_.
        timer_place heap_place;
        list waits_;
    };

    /// The place of a worker's waits; the threads that are no workers have the first.
    static constexpr std::size_t place_of(std::size_t worker) noexcept
    {
        return 1 + worker % (max_shards - 1);
    }

    timers() noexcept = default;
    timers(timers const&) = delete;
    timers& operator=(timers const&) = delete;

    /// Adds a wait for `at`; waits that the timer has already wait for the same time. `may_wait`:
    /// whether it may have any. `place`: of what is equal for the waits of one thread. True if the
    /// caller must see to it that whoever sleeps is awake at that time. Throws std::bad_alloc;
    /// nothing has happened then.
    ///
    /// The wait may be over, and the timer gone, when this returns.
    [[nodiscard]] bool add(timer& t, bool may_wait, std::size_t place, timer_ticks at, wait* w)
    {
        shard* home = t.home_.load(memory_order_relaxed);
        if (!may_wait)
            home = move_to(t, home, place % max_shards);
        {
            std::lock_guard<adaptive_mutex> const lock(home->mutex);
            if (!timer_heap<timer>::contains(t))
                home->heap.insert(t, at);
            t.waits_.push(w);
            if (!home->update_next())
                return false;
        }
        // (A) pairs with (S) in begin_sleep().
        full_fence();
        return at < until_.load(memory_order_relaxed);
    }

    /// Cancels at most `most` waits of a timer, the oldest first. Returns how many there were.
    template <typename Out>
    std::size_t cancel(timer& t, std::size_t most, Out out)
    {
        shard* const home = t.home_.load(memory_order_relaxed);
        if (!home)
            return 0;
        list ended;
        {
            std::lock_guard<adaptive_mutex> const lock(home->mutex);
            while (ended.size() != most && !t.waits_.empty())
                end_aborted(t.waits_.pop(), ended);
            home->tidy(t);
        }
        std::size_t const count = ended.size();
        show(ended, out);
        return count;
    }

    /// Cancels the wait of a timer that has this key. Any thread that owns a share of the timer.
    template <typename Out>
    void cancel_key(timer& t, void const* key, Out out)
    {
        list ended;
        for (shard* home = t.home_.load(memory_order_acquire); home;)
        {
            std::lock_guard<adaptive_mutex> const lock(home->mutex);
            shard* const now = t.home_.load(memory_order_acquire);
            if (now == home)
            {
                list others;
                while (wait* const w = t.waits_.pop())
                {
                    if (Waits::key(w) == key)
                        end_aborted(w, ended);
                    else
                        others.push(w);
                }
                while (wait* const w = others.pop())
                    t.waits_.push(w);
                home->tidy(t);
                break;
            }
            home = now;
        }
        show(ended, out);
    }

    /// Ends the waits whose time has come, in the order of their times. Returns how many.
    template <typename Out>
    std::size_t take_expired(timer_ticks now, Out out)
    {
        std::size_t count = 0;
        for (;;)
        {
            // As long as none of another shard comes first.
            shard* first = nullptr;
            timer_ticks earliest = never;
            timer_ticks until = now;
            std::size_t const used = used_.load(memory_order_relaxed);
            for (std::size_t i = 0; i != used; ++i)
            {
                timer_ticks const next = shards_[i].next.load(memory_order_relaxed);
                if (next < earliest)
                {
                    until = earliest < until ? earliest : until;
                    earliest = next;
                    first = &shards_[i];
                }
                else if (next < until)
                    until = next;
            }
            if (!first || earliest > now)
                return count;
            list ended;
            {
                std::lock_guard<adaptive_mutex> const lock(first->mutex);
                while (ended.size() < most_at_once && first->heap.earliest() <= until)
                    first->end_all(first->heap.pop(), ended);
                first->update_next();
            }
            count += ended.size();
            show(ended, out);
        }
    }

    /// Ends all waits. For the end of the context.
    template <typename Out>
    std::size_t take_all(Out out)
    {
        list ended;
        for (shard& s : shards_)
        {
            std::lock_guard<adaptive_mutex> const lock(s.mutex);
            while (!s.heap.empty())
                s.end_all(s.heap.pop(), ended);
            s.update_next();
        }
        std::size_t const count = ended.size();
        show(ended, out);
        return count;
    }

    /// The earliest time for which anybody waits, or `never`. A hint while others start waits; what
    /// this thread did is in it.
    timer_ticks earliest() const noexcept
    {
        timer_ticks result = never;
        std::size_t const used = used_.load(memory_order_relaxed);
        for (std::size_t i = 0; i != used; ++i)
            result = (std::min)(result, shards_[i].next.load(memory_order_relaxed));
        return result;
    }

    /// The earliest time at this place, and at that of this number of all that are in use.
    timer_ticks next(std::size_t place, std::size_t number) const noexcept
    {
        std::size_t const used = used_.load(memory_order_relaxed);
        return used == 0 ? never
                         : (std::min)(shards_[place % max_shards].next.load(memory_order_relaxed),
                               shards_[number % used].next.load(memory_order_relaxed));
    }

    /// How many wait. Takes all locks, one after the other; linear in the number of timers.
    std::size_t size() const noexcept
    {
        std::size_t count = 0;
        for (shard const& s : shards_)
        {
            std::lock_guard<adaptive_mutex> const lock(s.mutex);
            s.heap.for_each([&count](timer const& t) { count += t.waits_.size(); });
        }
        return count;
    }

    /// By whoever has the driver lock: until when it may sleep at most. end_sleep() must follow.
    [[nodiscard]] timer_ticks begin_sleep(timer_ticks limit) noexcept
    {
        until_.store(never, memory_order_relaxed);
        // (S) pairs with (A) in add().
        full_fence();
        timer_ticks const first = earliest();
        timer_ticks const until = first < limit ? first : limit;
        until_.store(until, memory_order_relaxed);
        return until;
    }

    void end_sleep() noexcept
    {
        until_.store(awake, memory_order_relaxed);
    }

private:
    struct alignas(cache_line) shard
    {
        mutable adaptive_mutex mutex;

        // The heap's earliest time. Written under the lock, read by any thread.
        atomic<timer_ticks> next{never};

        // Guarded by the lock.
        timer_heap<timer> heap;

        /// True if that has changed.
        bool update_next() noexcept
        {
            timer_ticks const earliest = heap.earliest();
            if (next.load(memory_order_relaxed) == earliest)
                return false;
            next.store(earliest, memory_order_relaxed);
            return true;
        }

        void tidy(timer& t) noexcept
        {
            if (t.waits_.empty() && timer_heap<timer>::contains(t))
            {
                heap.erase(t);
                update_next();
            }
        }

        static void end_all(timer& t, list& ended) noexcept
        {
            while (wait* const w = t.waits_.pop())
                ended.push(w);
        }
    };

    // Waits that end while a lock is held: others wait for it. Guessed.
    static constexpr std::size_t most_at_once = 64;

    static constexpr timer_ticks awake = (std::numeric_limits<timer_ticks>::min)();

    /// A timer without waits comes to the shard of who uses it.
    shard* move_to(timer& t, shard* from, std::size_t index) noexcept
    {
        shard* const to = &shards_[index];
        if (from == to)
            return to;
        note_used(index + 1);
        if (from && t.is_shared())
        {
            // Whoever cancels by key has found it there and looks at it, or will not.
            std::lock_guard<adaptive_mutex> const lock(from->mutex);
            t.home_.store(to, memory_order_release);
        }
        else
            t.home_.store(to, memory_order_relaxed);
        return to;
    }

    void note_used(std::size_t count) noexcept
    {
        std::size_t used = used_.load(memory_order_relaxed);
        while (used < count && !used_.compare_exchange_weak(
                                   used, count, memory_order_relaxed, memory_order_relaxed))
        {
        }
    }

    static void end_aborted(wait* w, list& ended) noexcept
    {
        Waits::abort(w);
        ended.push(w);
    }

    template <typename Out>
    static void show(list& ended, Out& out)
    {
        while (wait* const w = ended.pop())
            out(w);
    }

    // How many of the shards have ever been used. Grows before anything is in a shard, so that who
    // does not see the one does not see the other.
    atomic<std::size_t> used_{0};

    // Until when the thread with the driver lock sleeps, or that it does not. Written by that one.
    alignas(cache_line) atomic<timer_ticks> until_{awake};

    shard shards_[max_shards];
};

} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_TIMERS_HPP
