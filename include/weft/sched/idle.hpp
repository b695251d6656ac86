// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_IDLE_HPP
#define WEFT_SCHED_IDLE_HPP

// Who sleeps, who searches, and how nobody sleeps through a piece of work.
//
// One word (idle_word.hpp) counts who sleeps, who searches, and events. Every change of it is a
// seq_cst read-modify-write. A lock guards the set of sleepers, the number of workers inside run(),
// and the monitor's state; it is taken only by threads that go to sleep, wake, or wake somebody.
//
//   worker that found nothing               whoever publishes work
//   -------------------------               ----------------------
//   prepare_wait(): if odd, add 1 (even);   publish the work
//     remember the value                    prepare_notify(): full fence (P); read the word;
//   full fence (S)                            if even, add 1 (odd)
//   search everything once more             nobody parked, or somebody searching: done
//   commit_wait(): lock; if events          otherwise commit_notify(): lock; again; parked - 1,
//     changed, start over; else parked + 1    searching + 1, take one sleeper out; unpark it
//
// Invariant: if work is published and a worker is parked, then some worker is awake that will look
// for work or is about to be woken.
// Lemma 1 (scan or event). Let A be the read or the write by which prepare_wait() learnt its value.
// If the poster reads the word before A in its modification order, then P precedes S and the search
// sees the work. Otherwise the poster saw an even value and made it odd, or somebody has since A.
// (A search that sees an entry may leave it, if it looks again: what is still there is taken then,
// what is gone has been taken by its owner or by a thief, and what has come instead is later than
// prepare_wait().)
// Lemma 2 (event or count). If that increment precedes the sleeper's exchange in commit_wait(), the
// exchange fails, for the counter never returns to an old value (2^31 events would have to fall
// into one search). If it follows, the poster's value counts the sleeper among the parked: the
// poster wakes somebody, or sees a searcher. Lemma 3 (searchers). A counted searcher either goes to
// sleep through the same exchange, which fails because the event came, or it finds something, or
// sees something that others may take before it, and, if it was the last to search, looks at every
// queue for more and wakes the next: stop_searching() says so. (What was published while it was
// counted woke nobody, so it leaves out no place where published work can be: not the LIFO slots,
// if they are open to everybody.) Lemma 4 (moves). A search looks at one queue after the other, and
// may miss what moves from one that it has not reached to one that it has passed. Whoever moves
// work therefore publishes it again. So does a thief that leaves something behind, which was out of
// reach while it copied. Lemma 5 (exchange). Whoever puts one entry into a queue and takes another
// one from there in one step, as others see it, need not publish: as many are there as before, at
// no moment fewer, and whatever was owed for the one that was taken is owed for that in its place.
// If the queue is empty by then nothing goes there.
//
// Source: Rayon's sleep module (the event counter; its README has the proof this one follows) and
// Tokio's idle.rs (searching, at most half, the last searcher's duty). What others made of it, T6.1
// to T6.11, is in doc/design/defects.md; the models in test/model contain each of them.

#include <weft/platform/atomic.hpp>
#include <weft/platform/cache_line.hpp>
#include <weft/platform/mutex.hpp>
#include <weft/sched/idle_word.hpp>
#include <weft/sched/sleeper_set.hpp>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace weft
{
namespace detail
{

class idle : private idle_word
{
public:
    using idle_word::coming;
    using idle_word::parked;
    using idle_word::prepare_notify;
    using idle_word::prepare_wait;
    using idle_word::searching;
    using idle_word::stop_searching;
    using idle_word::would_wake;

    static constexpr std::size_t none = sleeper_set::none;
    static constexpr std::size_t max_workers = 0xffff;

    /// What a worker learns when it starts to run, by joining or by waking.
    struct awakening
    {
        bool claimed;       ///< woken for work: counted as searching
        bool monitor_armed; ///< a monitor watches (see arm_monitor())
    };

    /// `monitor`: a sleeper with the driver lock sleeps for a limited time only while others run
    /// (see arm_monitor()).
    explicit idle(bool monitor = true) noexcept : monitor_{monitor}
    {
    }

    idle(idle const&) = delete;
    idle& operator=(idle const&) = delete;

    /// Makes room for workers 0 to count - 1. May throw std::bad_alloc.
    void reserve(std::size_t count)
    {
        std::lock_guard<adaptive_mutex> const lock(mutex_);
        sleepers_.reserve(count);
    }

    /// Counts a thread in. `before` runs under the lock, with the number of those already in.
    template <typename Before>
    awakening join(Before before);

    /// Counts a thread out, which must be neither parked nor searching. `after` runs under the
    /// lock, with the number of those left. True if they are all asleep and `done()` holds: the
    /// caller must stop the scheduler.
    template <typename After, typename Done>
    [[nodiscard]] bool leave(After after, Done done);

    /// By the only thread of the process: nobody sleeps, or has the lock.
    void join() noexcept
    {
        assert(active() == 0);
        active_.store(1, memory_order_relaxed);
    }

    void leave() noexcept
    {
        assert(active() == 1);
        active_.store(0, memory_order_relaxed);
    }

    /// Ends everything: `begin()`, which says so where everybody looks, and `out(index)` for every
    /// sleeper run under the lock. A thread that calls this from outside may find the context gone
    /// right after: nobody leaves without taking the lock.
    template <typename Begin, typename Out>
    void release_all(Begin begin, Out out);

    /// release_all() if everybody is asleep and `done()`, which runs under the lock in any case,
    /// holds. For whoever takes away the last outstanding work from outside.
    template <typename Done, typename Begin, typename Out>
    void release_all_if(Done done, Begin begin, Out out);

    /// Returns when nobody is inside release_all() or release_all_if() any more: for whoever has
    /// seen what `begin()` did without leaving.
    void await_release() noexcept
    {
        mutex_.lock();
        mutex_.unlock();
    }

    /// Threads inside run(). A hint without the lock.
    std::uint32_t active() const noexcept
    {
        return active_.load(memory_order_relaxed);
    }

    /// Becomes a searcher, unless half of the workers search already (approximate on purpose).
    [[nodiscard]] bool try_search() noexcept
    {
        // Those that have not come yet do not search.
        std::uint32_t const counted = searching();
        if (2 * (counted - (std::min)(counted, coming())) >= active())
            return false;
        word_.fetch_add(one_searching, memory_order_seq_cst);
        return true;
    }

    /// Counts worker `index` as asleep if no work was published since `prepared`. `holds_driver`:
    /// it has the driver lock. On success a searcher is one no longer. `done()` runs under the lock
    /// when the caller is the last one awake. `cpu`: for commit_notify().
    template <typename Done>
    [[nodiscard]] sleep_result commit_wait(std::size_t index, std::uint32_t prepared,
        bool searching, bool holds_driver, Done done, std::uint32_t cpu = sleeper_set::any_cpu);

    /// For the worker that returns from parking, for whatever reason.
    awakening wake_up(std::size_t index) noexcept;

    /// Whether those who search already stand for those who sleep.
    enum class searchers
    {
        count,
        do_not_count
    };

    /// Takes one sleeper out of the set, as a searcher: the caller must unpark it. `none` if nobody
    /// sleeps, or somebody searches and counts. Rather one that went to sleep on `cpu`.
    [[nodiscard]] std::size_t commit_notify(
        searchers already = searchers::count, std::uint32_t cpu = sleeper_set::any_cpu) noexcept;

    /// Makes the sleeper with the driver lock sleep for a limited time only, if it does not yet: it
    /// returns the index to unpark, or `none`.
    ///
    /// The monitor. Work in a LIFO slot is invisible to searchers, so that somebody must look after
    /// a while whether its worker is stuck. That is the sleeper with the driver lock. It sleeps
    /// with a limit if anybody was awake when it went to sleep (armed), and for ever otherwise; a
    /// worker that wakes later learns so under the lock and calls this function when it first uses
    /// its slot. Where slots are open to everybody, or to nobody but their workers, there is no
    /// monitor.
    [[nodiscard]] std::size_t arm_monitor() noexcept
    {
        mutex_.lock();
        std::size_t const index = monitor_.armed ? none : take_driver_sleeper();
        mutex_.unlock();
        return index;
    }

private:
    // Under the lock.
    template <typename Begin, typename Out>
    void release_sleepers(Begin begin, Out out);
    std::size_t take_sleeper(std::size_t index) noexcept;
    std::size_t take_driver_sleeper() noexcept
    {
        if (monitor_.sleeper == none)
            return none;
        claim();
        return take_sleeper(monitor_.sleeper);
    }

    bool everybody_sleeps() const noexcept
    {
        return parked_of(word_.load(memory_order_relaxed)) == active_.load(memory_order_relaxed);
    }

    alignas(cache_line) adaptive_mutex mutex_;

    // The sleeper with the driver lock, and whether it is the monitor.
    struct monitor_state
    {
        bool const wanted;
        bool armed = false;
        std::size_t sleeper = none;
    };

    // Guarded by mutex_.
    sleeper_set sleepers_;
    monitor_state monitor_;

    // Written under mutex_.
    atomic<std::uint32_t> active_{0};
};

template <typename Before>
idle::awakening idle::join(Before before)
{
    mutex_.lock();
    std::uint32_t const active = active_.load(memory_order_relaxed);
    before(active);
    active_.store(active + 1, memory_order_relaxed);
    awakening const result{false, monitor_.armed};
    mutex_.unlock();
    return result;
}

template <typename After, typename Done>
bool idle::leave(After after, Done done)
{
    mutex_.lock();
    std::uint32_t const active = active_.load(memory_order_relaxed) - 1;
    active_.store(active, memory_order_relaxed);
    after(active);
    bool const result = everybody_sleeps() && done();
    mutex_.unlock();
    return result;
}

template <typename Begin, typename Out>
void idle::release_all(Begin begin, Out out)
{
    mutex_.lock();
    release_sleepers(begin, out);
    mutex_.unlock();
}

template <typename Done, typename Begin, typename Out>
void idle::release_all_if(Done done, Begin begin, Out out)
{
    mutex_.lock();
    if (done() && everybody_sleeps())
        release_sleepers(begin, out);
    mutex_.unlock();
}

template <typename Begin, typename Out>
void idle::release_sleepers(Begin begin, Out out)
{
    begin();
    // Published like work: whoever is about to sleep looks again.
    (void)prepare_notify();
    for (std::size_t index; (index = sleepers_.pick(monitor_.sleeper)) != none;)
    {
        claim();
        out(take_sleeper(index));
    }
}

template <typename Done>
sleep_result idle::commit_wait(std::size_t index, std::uint32_t prepared, bool searching,
    bool holds_driver, Done done, std::uint32_t cpu)
{
    mutex_.lock();
    std::uint64_t word = word_.load(memory_order_seq_cst);
    std::uint64_t next;
    do
    {
        if (events_of(word) != prepared)
        {
            mutex_.unlock();
            return sleep_result::retry;
        }
        next = word + one_parked - (searching ? one_searching : 0);
    } while (!word_.compare_exchange_weak(word, next, memory_order_seq_cst, memory_order_seq_cst));
    sleepers_.insert(index, cpu);

    sleep_result result = sleep_result::parked;
    bool const last = parked_of(next) == active_.load(memory_order_relaxed);
    if (last && done())
        result = sleep_result::finished;
    else if (holds_driver)
    {
        monitor_.sleeper = index;
        monitor_.armed = monitor_.wanted && !last;
        if (monitor_.armed)
            result = sleep_result::parked_monitor;
    }
    mutex_.unlock();
    return result;
}

inline idle::awakening idle::wake_up(std::size_t index) noexcept
{
    mutex_.lock();
    bool const claimed = !sleepers_.contains(index);
    if (!claimed)
    {
        // Woken by a time limit, by the reactor or by a stale token: nobody has counted us out.
        take_sleeper(index);
        word_.fetch_sub(one_parked, memory_order_seq_cst);
    }
    else
        arrive();
    awakening const result{claimed, monitor_.armed};
    mutex_.unlock();
    return result;
}

inline std::size_t idle::take_sleeper(std::size_t index) noexcept
{
    sleepers_.erase(index);
    if (index == monitor_.sleeper)
    {
        monitor_.sleeper = none;
        monitor_.armed = false;
    }
    return index;
}

inline std::size_t idle::commit_notify(searchers already, std::uint32_t cpu) noexcept
{
    mutex_.lock();
    std::size_t index = none;
    // Sleepers are counted and taken under the lock only, so that parked != 0 means a bit is set.
    std::uint64_t const word = word_.load(memory_order_seq_cst);
    if (already == searchers::count ? wants_wake(word) : parked_of(word) != 0)
    {
        claim();
        index = take_sleeper(sleepers_.pick(monitor_.sleeper, cpu));
    }
    mutex_.unlock();
    return index;
}

} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_IDLE_HPP
