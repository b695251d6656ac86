// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SYNC_SEMAPHORE_STATE_HPP
#define WEFT_SYNC_SEMAPHORE_STATE_HPP

// Permits, and who waits for them: the state of semaphore, mutex and shared_mutex. No executors, no
// handlers; a waiter that has its permits is handed to the caller, who sees to its continuation.
//
// One word says all, because free permits and waiters exclude each other:
//
//   FREE     nobody waits; the permits that are free
//   ONE      nobody else than the waiter whose address it is, which wants one permit; none is free
//   LIST     those in the list wait; none is free
//   CLOSED   nobody waits, nor will; the permits that are free
//
// Two words leave windows in which permits float while a waiter sleeps (doc/design/defects.md, T8.1
// to T8.4): test/model/semaphore.cpp runs this file, and the defects put back in.
//
// Who may do what. Any thread may call anything. LIST is set and cleared under the lock only, and
// under the lock nobody else changes a word that says LIST. Whoever takes a waiter out, by the
// exchange that replaces ONE or from the list under the lock, owns it: nothing here touches it
// again, and a canceller that comes later is told that it is too late.
//
// Order. First come, first served, whatever they ask for: only the first of the list is given
// permits, and it keeps what it gets until it has all. Newcomers take none while anybody waits.

#include <weft/platform/atomic.hpp>
#include <weft/platform/mutex.hpp>
#include <weft/sync/semaphore_word.hpp>
#include <weft/sync/served_list.hpp>
#include <weft/sync/waiter.hpp>

#include <cassert>
#include <cstddef>
#include <cstdint>

namespace weft
{
namespace detail
{

class semaphore_state : semaphore_word
{
public:
    using semaphore_word::available;
    using semaphore_word::closed;
    using semaphore_word::max_permits;

    /// How many waiters are taken out under one hold of the lock.
    static constexpr std::size_t batch = served_list::batch;

    explicit semaphore_state(std::uint64_t permits) noexcept : semaphore_word(permits)
    {
    }

    semaphore_state(semaphore_state const&) = delete;
    semaphore_state& operator=(semaphore_state const&) = delete;

    /// Takes `n` permits if they are free and nobody waits.
    bool try_acquire(std::uint64_t n) noexcept
    {
        std::uint64_t word = word_.load(memory_order_relaxed);
        while ((word & flags) == 0 && word >= n << shift)
        {
            // Acquire pairs with the release of whoever gave the permits back.
            if (word_.compare_exchange_weak(
                    word, word - (n << shift), memory_order_acquire, memory_order_relaxed))
                return true;
        }
        return false;
    }

    /// As try_acquire(1) where `free` permits are the likely number.
    bool try_acquire_one_of(std::uint64_t free) noexcept
    {
        std::uint64_t word = free << shift;
        return word_.compare_exchange_strong(
                   word, word - unit, memory_order_acquire, memory_order_relaxed) ||
               try_acquire(1);
    }

    /// Takes `n` permits, of which there is at least one, or registers `w` to wait for them.
    [[nodiscard]] acquisition acquire(waiter& w, std::uint64_t n) noexcept
    {
        if (n == 1 && word_.load(memory_order_relaxed) == 0)
        {
            w.wanted.set(1);
            w.held.set(0);
            std::uint64_t none = 0;
            // Release: whoever takes the waiter out sees it complete.
            if (word_.compare_exchange_strong(
                    none, one_of(w), memory_order_release, memory_order_relaxed))
                return acquisition::waiting;
        }
        return acquire_or_list(w, n);
    }

    // Functions that take waiters out call `resume(waiter&)` for each, in order (resume_all()),
    // when they have done everything else: any of the waiters may destroy this object. So may
    // whoever takes permits that are left over, and was not resumed: those are free when all that
    // were served are settled, and this object is not touched afterwards.

    /// Gives `n` permits back, and resumes those that have all of their own now.
    template <typename Resume>
    void release(std::uint64_t n, Resume&& resume)
    {
        release_from(word_.load(memory_order_relaxed), n, resume);
    }

    /// As release(1) where most likely nothing is free and nobody waits.
    template <typename Resume>
    void release_only(Resume&& resume)
    {
        std::uint64_t word = word_.load(memory_order_relaxed);
        if (word != 0 ||
            !word_.compare_exchange_strong(word, unit, memory_order_release, memory_order_relaxed))
            release_from(word, 1, resume);
    }

    /// Takes a waiter out that was registered. True if it is the caller's now. False if it was
    /// somebody else's already. What it held goes to those behind it: those that have all of their
    /// own thereby are put into `served`, for the caller to resume. What is left may be free
    /// before: the caller keeps this object until it has settled them (cancellation.hpp).
    [[nodiscard]] bool cancel(waiter& w, served_list& served) noexcept;

    /// Takes all waiters out, and resumes them as cancelled. What the first had collected is given
    /// back then, so `resume(waiter&, acquisition)` may be called also for those that came
    /// meanwhile and have acquired it.
    template <typename Resume>
    void cancel_all(Resume&& resume)
    {
        take_all(0, acquisition::cancelled, resume);
    }

    /// As cancel_all(), and nobody will have permits any more. Those that wait get `outcome`.
    template <typename Resume>
    void close(Resume&& resume, acquisition outcome = acquisition::cancelled)
    {
        take_all(closed_flag, outcome, resume);
    }

    /// The permits that are free, or that the first that waits has collected. Of the moment, for
    /// assertions: takes the lock, and does not see those that are being given back.
    std::uint64_t unclaimed() const noexcept
    {
        std::uint64_t n = available();
        if ((word_.load(memory_order_relaxed) & list_flag) != 0)
        {
            mutex_.lock();
            bool const listed = (word_.load(memory_order_relaxed) & list_flag) != 0;
            n = listed ? list_.front().held.get() : available();
            mutex_.unlock();
        }
        return n;
    }

    /// Who waits, as of a moment: sync/who_waits.hpp.
    waiting_now waiting() const noexcept;

    /// Shows those that wait to `out(waiter&)`, under the lock, which must not throw.
    template <typename Out>
    void for_each_waiting(Out out) noexcept;

private:
    acquisition acquire_or_list(waiter& w, std::uint64_t n) noexcept;

    template <typename Resume>
    void release_from(std::uint64_t word, std::uint64_t n, Resume& resume);

    [[nodiscard]] std::uint64_t serve(
        served_list& served, std::uint64_t& word, std::uint64_t n) noexcept;
    [[nodiscard]] std::uint64_t grant(std::uint64_t n, served_list& served) noexcept;
    bool set_free(std::uint64_t& word, std::uint64_t n) noexcept;

    template <typename Settle>
    void give(served_list& served, std::uint64_t word, std::uint64_t n, Settle settle);

    template <typename Resume>
    void take_all(std::uint64_t flag, acquisition outcome, Resume& resume);

    mutable adaptive_mutex mutex_;

    // Guarded by mutex_; not empty exactly while the word says LIST.
    waiter_list list_;
};

inline acquisition semaphore_state::acquire_or_list(waiter& w, std::uint64_t n) noexcept
{
    w.wanted.set(n);
    w.held.set(0);
    mutex_.lock();
    std::uint64_t word = word_.load(memory_order_relaxed);
    for (;;)
    {
        if ((word & closed_flag) != 0)
        {
            mutex_.unlock();
            return acquisition::closed;
        }
        if ((word & list_flag) != 0)
            break;
        bool const free = (word & one_flag) == 0;
        bool const enough = free && word >= n << shift;
        // Acquire and release: permits are taken, and their history is handed on with them if the
        // waiter has to give them up; a waiter is taken out of ONE.
        if (!word_.compare_exchange_weak(word, enough ? word - (n << shift) : list_flag,
                memory_order_acq_rel, memory_order_relaxed))
            continue;
        if (enough)
        {
            mutex_.unlock();
            return acquisition::acquired;
        }
        if (free)
            w.held.set(word >> shift);
        else
            list_.push(waiter_of(word));
        break;
    }
    list_.push(w);
    mutex_.unlock();
    return acquisition::waiting;
}

template <typename Resume>
void semaphore_state::release_from(std::uint64_t word, std::uint64_t n, Resume& resume)
{
    served_list served;
    give(served, word, n, [&](served_list const& taken) { settle_all(taken, resume); });
    if (!served.empty())
        resume_settled(served, resume);
}

/// Gives `n` permits to those that wait, and makes free what is left. Those that have all of theirs
/// are put into `served`; before anything is free, which is the last that is done here,
/// `settle(served_list const&)` is called with them.
template <typename Settle>
void semaphore_state::give(served_list& served, std::uint64_t word, std::uint64_t n, Settle settle)
{
    do
    {
        served_list taken;
        n = serve(taken, word, n);
        if (!taken.empty())
        {
            settle(taken);
            served.take(taken);
        }
        // Others may have come to wait meanwhile.
    } while (n != 0 && !set_free(word, n));
}

/// Makes permits free. False if somebody waits for them: `word` says who. This object may be gone
/// afterwards.
inline bool semaphore_state::set_free(std::uint64_t& word, std::uint64_t n) noexcept
{
    while ((word & (one_flag | list_flag)) == 0)
    {
        assert(n <= max_permits && (word >> shift) + n <= max_permits);
        // Release: to whoever takes them.
        if (word_.compare_exchange_weak(
                word, word + (n << shift), memory_order_release, memory_order_relaxed))
            return true;
    }
    return false;
}

/// Serves those that wait under `word`, or under a later one, which is put there. Returns what is
/// left, when nobody waits.
inline std::uint64_t semaphore_state::serve(
    served_list& served, std::uint64_t& word, std::uint64_t n) noexcept
{
    while (n != 0 && (word & (one_flag | list_flag)) != 0)
    {
        if ((word & one_flag) != 0)
        {
            if (word_.compare_exchange_weak(word, 0, memory_order_acquire, memory_order_relaxed))
            {
                served.push(waiter_of(word), acquisition::acquired);
                --n;
                word = 0;
            }
        }
        else
        {
            mutex_.lock();
            word = word_.load(memory_order_relaxed);
            if ((word & list_flag) == 0)
            {
                mutex_.unlock();
                continue;
            }
            n = grant(n, served);
            // The lock was free meanwhile.
            if (n != 0)
                word = word_.load(memory_order_relaxed);
        }
    }
    return n;
}

/// Serves the first of the list. Called with the lock held and a list that may have just become
/// empty, under a word that says LIST; returns without the lock, and with permits for others if
/// nobody waits, or more than fit into a batch.
inline std::uint64_t semaphore_state::grant(std::uint64_t n, served_list& served) noexcept
{
    std::size_t count = 0;
    while (n != 0 && count != batch && !list_.empty())
    {
        waiter& first = list_.front();
        std::uint64_t const missing = first.wanted.get() - first.held.get();
        if (n < missing)
        {
            first.held.set(first.held.get() + n);
            n = 0;
            break;
        }
        n -= missing;
        served.push(list_.pop(), acquisition::acquired);
        ++count;
    }
    if (list_.empty())
        word_.store(0, memory_order_relaxed);
    mutex_.unlock();
    return n;
}

inline bool semaphore_state::cancel(waiter& w, served_list& served) noexcept
{
    std::uint64_t one = one_of(w);
    // Release: whoever takes a permit from here on, or registers, comes after.
    if (word_.compare_exchange_strong(one, 0, memory_order_acq_rel, memory_order_relaxed))
        return true;
    mutex_.lock();
    if (!w.linked())
    {
        mutex_.unlock();
        return false;
    }
    w.unlink();
    std::uint64_t left = w.held.get();
    // Not so if cancel_all() or close() has the waiter in a list of its own.
    if ((word_.load(memory_order_relaxed) & list_flag) == 0)
    {
        mutex_.unlock();
        return true;
    }
    left = grant(left, served);
    if (left != 0)
        give(served, word_.load(memory_order_relaxed), left, [](served_list const&) {});
    return true;
}

template <typename Resume>
void semaphore_state::take_all(std::uint64_t flag, acquisition outcome, Resume& resume)
{
    waiter_list taken;
    std::uint64_t left = 0;
    mutex_.lock();
    std::uint64_t word = word_.load(memory_order_relaxed);
    for (;;)
    {
        if ((word & list_flag) != 0)
        {
            waiter& first = list_.front();
            left = first.held.get();
            first.held.set(0);
            taken.take(list_);
            word_.store(flag, memory_order_relaxed);
            break;
        }
        bool const one = (word & one_flag) != 0;
        if (word_.compare_exchange_weak(
                word, one ? flag : word | flag, memory_order_acq_rel, memory_order_relaxed))
        {
            if (one)
                taken.push(waiter_of(word));
            break;
        }
    }
    served_list served;
    take_out_and_unlock(taken, mutex_, outcome, served);
    settle_all(served, resume);
    if (left != 0)
        give(served, word_.load(memory_order_relaxed), left,
            [&](served_list const& acquired) { settle_all(acquired, resume); });
    resume_settled(served, resume);
}

} // namespace detail
} // namespace weft

#endif // WEFT_SYNC_SEMAPHORE_STATE_HPP
