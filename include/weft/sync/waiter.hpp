// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SYNC_WAITER_HPP
#define WEFT_SYNC_WAITER_HPP

// One that waits for permits or at a channel, and the lists it waits in.

#include <weft/platform/atomic.hpp>

#include <cstddef>
#include <cstdint>

namespace weft
{
namespace detail
{

class cancellation_link;
class served_list;
class time_limit;
class waiter;
class waiter_list;
class yielding_waiters;

/// What became of a request.
enum class acquisition
{
    acquired, // has what it wants
    waiting,  // is registered, and may be somebody else's already
    closed,   // will never have it
    cancelled // was taken out
};

/// What a look at a primitive has found.
struct waiting_now
{
    std::size_t count = 0;

    // Of these, at a channel, those that have a value to send, or wait for room.
    std::size_t senders = 0;

    // Of the oldest; 0: none waits, or it is the last that came.
    std::uint64_t since = 0;

    /// Adds those in a list, under its lock. Linear.
    void add(waiter_list const& list) noexcept;
};

/// Waiters in the order in which they came, first in, first out; any of them can be taken out.
class waiter_list
{
public:
    /// The links of a waiter. They form a ring with one hook of the list's own, so that a waiter
    /// leaves without knowing which list it is in: those that are being woken leave by way of a
    /// list of the waker's. The lock of the state that the waiter waits for guards them.
    class hook
    {
    public:
        hook() noexcept
        {
            next_.set(nullptr);
            prev_.set(nullptr);
        }

        hook(hook const&) = delete;
        hook& operator=(hook const&) = delete;

        bool linked() const noexcept
        {
            return next_.get() != nullptr;
        }

        void unlink() noexcept
        {
            hook* const next = next_.get();
            hook* const prev = prev_.get();
            prev->next_.set(next);
            next->prev_.set(prev);
            next_.set(nullptr);
            prev_.set(nullptr);
        }

    private:
        friend class waiter_list;

        cell<hook*> next_;
        cell<hook*> prev_;
    };

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
    waiter& front() const noexcept;

    /// How many there are: in linear time.
    std::size_t size() const noexcept
    {
        std::size_t count = 0;
        for (hook const* h = end_.next_.get(); h != &end_; h = h->next_.get())
            ++count;
        return count;
    }

    /// Shows all to `out(waiter&)`, the oldest first.
    template <typename Out>
    void for_each(Out& out) const;

    void push(waiter& w) noexcept;

    /// Takes the oldest out. The list is not empty.
    waiter& pop() noexcept;

    /// Takes all of `other` to the end of this list, in constant time.
    void take(waiter_list& other) noexcept
    {
        if (other.empty())
            return;
        hook* const before = end_.prev_.get();
        hook* const first = other.end_.next_.get();
        hook* const last = other.end_.prev_.get();
        before->next_.set(first);
        first->prev_.set(before);
        last->next_.set(&end_);
        end_.prev_.set(last);
        other.end_.next_.set(&other.end_);
        other.end_.prev_.set(&other.end_);
    }

private:
    hook end_;
};

/// One that waits for permits, or at a channel: base of the operation that continues then.
///
/// Whoever starts the wait owns the fields until the waiter is registered; then they are guarded by
/// the lock of the state it waits for, and whoever takes it out of that owns them.
class waiter : public waiter_list::hook
{
public:
    /// What it asks for: a number of permits; at a channel, see channel_waiters. In a served_list:
    /// the outcome.
    cell<std::uint64_t> wanted;

    /// What it has of that already. Not 0 only in the first of those that wait. In a served_list:
    /// the address of the next.
    cell<std::uint64_t> held;

    /// When it began to wait, by a clock of its starter's.
    cell<std::uint64_t> since;

    /// Whether it lets others run before it asks, and its turn has not come (yielding_waiters).
    bool yields() const noexcept
    {
        return turn_.load(memory_order_relaxed) != turn::none;
    }

    // How a waiter is cancelled, by a cancellation slot or by a time limit: sync/cancellation.hpp.

    /// By whoever takes the waiter out, or has not put it in. Nobody looks for it from then on.
    void sever() noexcept;

    /// For the slot, which has a share of `link`. True if it has taken the waiter out, which is the
    /// caller's then. Waiters that are served thereby are put into `served`, severed, for the
    /// caller to resume.
    [[nodiscard]] static bool cancel(
        cancellation_link& link, waiter& w, served_list& served) noexcept;

    /// The same for whoever has put the waiter in, which may be gone: if there was a signal
    /// meanwhile. `link` is the waiter's, as it was before, and may be null.
    [[nodiscard]] static bool started(
        cancellation_link* link, waiter* w, served_list& served) noexcept;

protected:
    /// Takes the waiter out of the state it waits in, as semaphore_state::cancel().
    using take_out_type = bool (*)(waiter&, served_list& served) noexcept;

    /// One that only the state it waits in takes out.
    waiter() noexcept = default;

    /// One that may be cancelled. `yielding` is the primitive's; `limit` is null for one that waits
    /// without a limit.
    waiter(yielding_waiters& yielding, take_out_type take_out, time_limit* limit) noexcept
        : yielding_(&yielding), take_out_(take_out), limit_(limit)
    {
    }

    ~waiter() = default;

    /// Takes the waiter out for who looks for it. Whether it was there; it is not severed.
    [[nodiscard]] bool look_and_take_out(served_list& served) noexcept;

    // The primitive's, and gone with it. It ends all waits before.
    yielding_waiters* yielding_ = nullptr;

    // While there is a slot that may cancel it.
    cancellation_link* link_ = nullptr;

private:
    friend class yielding_waiters;

    struct turn
    {
        enum : std::uint32_t
        {
            none, // does not yield
            away, // in the list of those that do
            back, // its turn has come: is about to leave the list
            taken // was taken out of the list, or is about to be: has nothing to ask any more
        };
    };

    bool transition_from_away(std::uint32_t to) noexcept
    {
        std::uint32_t expected = turn::away;
        // Release: the list's last access to the links of one that is taken. Acquire: the same, for
        // the waiter, which may use them again.
        return turn_.compare_exchange_strong(
            expected, to, memory_order_acq_rel, memory_order_acquire);
    }

    bool fulfil_request(cancellation_link& link, served_list& served) noexcept;

    take_out_type take_out_ = nullptr;

    // Until the wait has ended.
    time_limit* limit_ = nullptr;

    atomic<std::uint32_t> turn_{turn::none};
};

inline waiter& waiter_list::front() const noexcept
{
    return static_cast<waiter&>(*end_.next_.get());
}

template <typename Out>
void waiter_list::for_each(Out& out) const
{
    for (hook* h = end_.next_.get(); h != &end_; h = h->next_.get())
        out(static_cast<waiter&>(*h));
}

inline void waiting_now::add(waiter_list const& list) noexcept
{
    if (list.empty())
        return;
    count += list.size();
    std::uint64_t const oldest = list.front().since.get();
    if (oldest != 0 && (since == 0 || oldest < since))
        since = oldest;
}

inline void waiter_list::push(waiter& w) noexcept
{
    hook* const last = end_.prev_.get();
    w.next_.set(&end_);
    w.prev_.set(last);
    last->next_.set(&w);
    end_.prev_.set(&w);
}

inline waiter& waiter_list::pop() noexcept
{
    waiter& w = front();
    w.unlink();
    return w;
}

} // namespace detail
} // namespace weft

#endif // WEFT_SYNC_WAITER_HPP
