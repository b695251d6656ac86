// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SYNC_WAITER_HPP
#define WEFT_SYNC_WAITER_HPP

#include <weft/platform/atomic.hpp>
#include <weft/platform/narrow.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace weft
{
namespace detail
{

/// What became of a request.
enum class acquisition
{
    acquired, // has what it wants
    waiting,  // is registered, and may be somebody else's already
    closed,   // will never have it
    cancelled // was taken out
};

/// A place in a ring of links, in which a list is the link that no waiter has.
///
/// The links are guarded by the lock of the state that the waiter waits for. A waiter can leave
/// without knowing which list it is in: those that are being woken leave by way of a list of their
/// own.
class waiter_link
{
public:
    waiter_link() noexcept
    {
        next_.set(nullptr);
        prev_.set(nullptr);
    }

    waiter_link(waiter_link const&) = delete;
    waiter_link& operator=(waiter_link const&) = delete;

    bool linked() const noexcept
    {
        return next_.get() != nullptr;
    }

    void unlink() noexcept
    {
        waiter_link* const next = next_.get();
        waiter_link* const prev = prev_.get();
        prev->next_.set(next);
        next->prev_.set(prev);
        next_.set(nullptr);
        prev_.set(nullptr);
    }

private:
    friend class waiter_list;

    cell<waiter_link*> next_;
    cell<waiter_link*> prev_;
};

/// One that waits for permits, or at a channel: base of the operation that continues then.
///
/// Fields belong to whoever starts the wait until it is registered, then to the lock of the state,
/// and to whoever took the waiter out from then on.
class waiter : public waiter_link
{
public:
    /// What it asks for: a number of permits; at a channel, see channel_waiters. In a served_list:
    /// the outcome.
    cell<std::uint64_t> wanted;

    /// What it has of that already. Not 0 only in the first of those that wait. In a served_list:
    /// the address of the next.
    cell<std::uint64_t> held;

protected:
    waiter() noexcept = default;
    ~waiter() = default;
};

/// First in, first out; removal from anywhere.
class waiter_list
{
public:
    waiter_list() noexcept
    {
        end_.next_.set(&end_);
        end_.prev_.set(&end_);
    }

    bool empty() const noexcept
    {
        return end_.next_.get() == &end_;
    }

    /// The oldest. The list is not empty.
    waiter& front() const noexcept
    {
        return static_cast<waiter&>(*end_.next_.get());
    }

    void push(waiter& w) noexcept
    {
        waiter_link* const last = end_.prev_.get();
        w.next_.set(&end_);
        w.prev_.set(last);
        last->next_.set(&w);
        end_.prev_.set(&w);
    }

    /// Takes the oldest out. The list is not empty.
    waiter& pop() noexcept
    {
        waiter& w = front();
        w.unlink();
        return w;
    }

    /// Takes all of `other` to the end of this list, in constant time.
    void take(waiter_list& other) noexcept
    {
        if (other.empty())
            return;
        waiter_link* const before = end_.prev_.get();
        waiter_link* const first = other.end_.next_.get();
        waiter_link* const last = other.end_.prev_.get();
        before->next_.set(first);
        first->prev_.set(before);
        last->next_.set(&end_);
        end_.prev_.set(last);
        other.end_.next_.set(&other.end_);
        other.end_.prev_.set(&other.end_);
    }

private:
    waiter_link end_;
};

/// Waiters that have been taken out of the state they waited in, in order and each with its
/// outcome. They are the list's owner's, and not linked: nobody else may touch them. They are
/// chained through their own fields, so that any number of them needs no memory.
class served_list
{
public:
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

/// Moves all of `from` to `out`, `Batch` at a time, between which the lock that guards the links is
/// free and those that are left may leave. The lock is held before and not afterwards.
template <std::size_t Batch, typename Mutex>
void take_out_and_unlock(waiter_list& from, Mutex& lock, acquisition outcome, served_list& out)
{
    for (;;)
    {
        for (std::size_t count = 0; count != Batch && !from.empty(); ++count)
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

#endif // WEFT_SYNC_WAITER_HPP
