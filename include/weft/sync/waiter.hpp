// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SYNC_WAITER_HPP
#define WEFT_SYNC_WAITER_HPP

#include <weft/platform/atomic.hpp>

#include <cstddef>
#include <cstdint>

namespace weft
{
namespace detail
{

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
    /// What it asks for: a number of permits; at a channel, see channel_waiters.
    cell<std::uint64_t> wanted;

    /// What it has of that already. Not 0 only in the first of those that wait.
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

/// Gives all of `list` to `out(waiter&)`, `Batch` at a time, without the lock that guards the
/// links, which is held before and not afterwards. Between two batches those that are left may
/// leave. The lock is not touched after the last of them, which may be its end.
template <std::size_t Batch, typename Mutex, typename Out>
void hand_out_and_unlock(waiter_list& list, Mutex& lock, Out& out)
{
    for (;;)
    {
        waiter* owned[Batch];
        std::size_t count = 0;
        while (count != Batch && !list.empty())
            owned[count++] = &list.pop();
        bool const all = list.empty();
        lock.unlock();
        for (std::size_t i = 0; i != count; ++i)
            out(*owned[i]);
        if (all)
            return;
        lock.lock();
    }
}

} // namespace detail
} // namespace weft

#endif // WEFT_SYNC_WAITER_HPP
