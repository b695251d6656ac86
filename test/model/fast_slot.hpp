// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_MODEL_FAST_SLOT_HPP
#define WEFT_TEST_MODEL_FAST_SLOT_HPP

// Volt's semaphore, whose fast waiter slot is a word beside the counter of permits: what
// semaphore_state is not, for the models must tell the two apart. With the operations of
// semaphore_state as far as the models need them.

#include <weft/sync/semaphore_state.hpp>

#include <cstdint>

namespace model
{

/// `LooksAgain`: a release that has found the slot empty looks into it once more under the lock,
/// which removes the first of the defects (T8.1) and leaves the others.
template <bool LooksAgain>
class fast_slot
{
    using waiter = weft::detail::waiter;

public:
    explicit fast_slot(std::uint64_t permits) noexcept : permits_(permits), slot_(nullptr)
    {
    }

    weft::detail::acquisition acquire(waiter& w, std::uint64_t n) noexcept
    {
        using namespace weft::detail;
        w.wanted.set(n);
        w.held.set(0);
        mutex_.lock();
        std::uint64_t free = permits_.load(memory_order_acquire);
        while (free != 0)
        {
            std::uint64_t const take = free < n ? free : n;
            if (!permits_.compare_exchange_weak(
                    free, free - take, memory_order_acq_rel, memory_order_acquire))
                continue;
            w.held.set(take);
            break;
        }
        if (w.held.get() == n)
        {
            mutex_.unlock();
            return acquisition::acquired;
        }
        waiter* none = nullptr;
        if (!slot_.compare_exchange_strong(none, &w, memory_order_release, memory_order_relaxed))
            list_.push(w);
        mutex_.unlock();
        return acquisition::waiting;
    }

    template <typename Resume>
    void release(std::uint64_t n, Resume&& resume)
    {
        using namespace weft::detail;
        while (n != 0)
        {
            if (waiter* const w = slot_.exchange(nullptr, memory_order_acq_rel))
            {
                std::uint64_t const missing = w->wanted.get() - w->held.get();
                if (n >= missing)
                {
                    n -= missing;
                    resume(*w);
                    continue;
                }
                w->held.set(w->held.get() + n);
                waiter* none = nullptr;
                if (slot_.compare_exchange_strong(
                        none, w, memory_order_release, memory_order_relaxed))
                    return;
                mutex_.lock();
                list_.push(*w);
                mutex_.unlock();
                return;
            }
            mutex_.lock();
            if (LooksAgain && slot_.load(memory_order_acquire))
            {
                mutex_.unlock();
                continue;
            }
            waiter* owned = nullptr;
            if (list_.empty())
            {
                permits_.fetch_add(n, memory_order_release);
                n = 0;
            }
            else
            {
                waiter& first = list_.front();
                std::uint64_t const missing = first.wanted.get() - first.held.get();
                std::uint64_t const take = n < missing ? n : missing;
                n -= take;
                first.held.set(first.held.get() + take);
                if (take == missing)
                    owned = &list_.pop();
            }
            mutex_.unlock();
            if (owned)
                resume(*owned);
        }
    }

    bool cancel(waiter& w, weft::detail::served_list& served)
    {
        auto const resume = [&served](waiter& other)
        {
            served.push(other, weft::detail::acquisition::acquired);
        };
        using namespace weft::detail;
        waiter* mine = &w;
        if (slot_.compare_exchange_strong(
                mine, nullptr, memory_order_acq_rel, memory_order_relaxed))
        {
            release(w.held.get(), resume);
            return true;
        }
        mutex_.lock();
        if (w.linked())
            w.unlink();
        mutex_.unlock();
        // Whether or not somebody has just swapped it out of the slot.
        return true;
    }

    std::uint64_t available() const noexcept
    {
        return permits_.load(weft::detail::memory_order_relaxed);
    }

    bool try_acquire(std::uint64_t) noexcept
    {
        return false;
    }

    template <typename Out>
    void cancel_all(Out&&)
    {
    }

    template <typename Out>
    void close(Out&&)
    {
    }

private:
    weft::detail::atomic<std::uint64_t> permits_;
    weft::detail::atomic<waiter*> slot_;
    weft::detail::adaptive_mutex mutex_;
    weft::detail::waiter_list list_;
};

} // namespace model

#endif // WEFT_TEST_MODEL_FAST_SLOT_HPP
