// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SYNC_SERVED_LIST_HPP
#define WEFT_SYNC_SERVED_LIST_HPP

// Waiters on their way from the state they waited in to being resumed. All of them are settled
// before the first is resumed, for that one may destroy the state.

#include <weft/platform/narrow.hpp>
#include <weft/sync/waiter.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace weft
{
namespace detail
{

/// Waiters that have been taken out of the state they waited in, in order and each with its
/// outcome. They are the list's owner's, and not linked: nobody else may touch them. They are
/// chained through their own fields, so that any number of them needs no memory.
class served_list
{
public:
    /// How many waiters are taken out under one hold of the lock of their state. From Tokio.
    static constexpr std::size_t batch = 32;

    served_list() noexcept = default;
    served_list(served_list const&) = delete;
    served_list& operator=(served_list const&) = delete;

    bool empty() const noexcept
    {
        return first_ == nullptr;
    }

    void push(waiter& w, acquisition outcome) noexcept
    {
        w.wanted.set(static_cast<std::uint64_t>(outcome));
        w.held.set(0);
        if (last_)
            last_->held.set(reinterpret_cast<std::uintptr_t>(&w));
        else
            first_ = &w;
        last_ = &w;
    }

    /// Takes all of `other`, which is as if just made then, to the end of this list.
    void take(served_list& other) noexcept
    {
        if (other.empty())
            return;
        if (last_)
            last_->held.set(reinterpret_cast<std::uintptr_t>(other.first_));
        else
            first_ = other.first_;
        last_ = other.last_;
        other.first_ = nullptr;
        other.last_ = nullptr;
    }

    /// Calls `f(waiter&, acquisition)` for each, which may be the end of the waiter.
    template <typename F>
    void for_each(F f) const
    {
        for (waiter* w = first_; w;)
        {
            waiter* const next = reinterpret_cast<waiter*>(narrow<std::uintptr_t>(w->held.get()));
            f(*w, static_cast<acquisition>(w->wanted.get()));
            w = next;
        }
    }

private:
    waiter* first_ = nullptr;
    waiter* last_ = nullptr;
};

template <typename Resume, typename = void>
struct settles_first : std::false_type
{
};

template <typename Resume>
struct settles_first<Resume, std::void_t<decltype(std::declval<Resume&>().settle(
                                 std::declval<waiter&>(), acquisition::acquired))>> : std::true_type
{
};

/// Settles all of `list`: `resume.settle(waiter&, acquisition)`, if there is such a function, for
/// each. Whoever may be looking at one of them in the state they waited in is waited for thereby.
template <typename Resume>
void settle_all(served_list const& list, Resume& resume)
{
    if constexpr (settles_first<Resume>::value)
        list.for_each([&](waiter& w, acquisition outcome) { resume.settle(w, outcome); });
}

/// Resumes all of `list`, which are settled: `resume(waiter&, acquisition)`, or `resume(waiter&)`,
/// for each, in order. The first of them may destroy the state they waited in as soon as it is
/// resumed: that is not touched any more when this is called.
template <typename Resume>
void resume_settled(served_list const& list, Resume& resume)
{
    list.for_each(
        [&](waiter& w, acquisition outcome)
        {
            if constexpr (std::is_invocable<Resume&, waiter&, acquisition>::value)
                resume(w, outcome);
            else
            {
                (void)outcome;
                resume(w);
            }
        });
}

/// Settles all of `list`, and then resumes them.
template <typename Resume>
void resume_all(served_list const& list, Resume& resume)
{
    settle_all(list, resume);
    resume_settled(list, resume);
}

/// Moves all of `from` to `out`, a batch at a time, between which the lock that guards the links is
/// free and those that are left may leave. The lock is held before and not afterwards.
template <typename Mutex>
void take_out_and_unlock(waiter_list& from, Mutex& lock, acquisition outcome, served_list& out)
{
    for (;;)
    {
        for (std::size_t count = 0; count != served_list::batch && !from.empty(); ++count)
            out.push(from.pop(), outcome);
        bool const all = from.empty();
        lock.unlock();
        if (all)
            return;
        lock.lock();
    }
}

} // namespace detail
} // namespace weft

#endif // WEFT_SYNC_SERVED_LIST_HPP
