// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SYNC_CHANNEL_WAITERS_HPP
#define WEFT_SYNC_CHANNEL_WAITERS_HPP

#include <weft/platform/atomic.hpp>
#include <weft/platform/cache_line.hpp>
#include <weft/platform/mutex.hpp>
#include <weft/platform/narrow.hpp>
#include <weft/sync/served_list.hpp>
#include <weft/sync/waiter.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>

namespace weft
{
namespace detail
{

/// Where values go.
template <typename T>
class receiver
{
public:
    using take_type = bool (*)(receiver&, T&&) noexcept;

    explicit receiver(take_type how) noexcept : take_(how)
    {
    }

    /// Accepts a value; returns whether there is room for another. A derived class may have a
    /// function of this name, for those who know what they have.
    bool take(T&& value) noexcept
    {
        return take_(*this, std::move(value));
    }

private:
    take_type take_;
};

/// A receiver whose values go to `bool Derived::take(T&&) noexcept`, of the class that derives from
/// it.
template <typename Derived, typename T>
class receiver_as : public receiver<T>
{
protected:
    receiver_as() noexcept : receiver<T>(&take_for)
    {
    }

private:
    static bool take_for(receiver<T>& r, T&& value) noexcept
    {
        return static_cast<Derived&>(r).take(std::move(value));
    }
};

/// Who waits for a channel: senders and receivers; and watchers, who wait until an operation could
/// be performed, and have nothing performed. The flavours of a channel serve them.
///
/// A sender wants the address of its value, a receiver that of its receiver<T>, a watcher nothing.
class channel_waiters
{
public:
    /// How many waiters are taken out under one hold of the lock.
    static constexpr std::size_t batch = served_list::batch;

    channel_waiters() noexcept = default;
    channel_waiters(channel_waiters const&) = delete;
    channel_waiters& operator=(channel_waiters const&) = delete;

    /// Takes a waiter out that was registered. True if it is the caller's now. False if it was
    /// somebody else's already.
    [[nodiscard]] bool cancel(waiter& w) noexcept
    {
        mutex_.lock();
        bool const mine = w.linked();
        if (mine)
        {
            w.unlink();
            lower_flags();
        }
        mutex_.unlock();
        return mine;
    }

    /// Takes all waiters out, and then calls `resume(waiter&)` for each, which may be the end of
    /// this object (resume_all()).
    template <typename Resume>
    void cancel_all(Resume&& resume);

    /// Who waits to send or to receive, or until that can be done, as of a moment.
    waiting_now waiting() const noexcept
    {
        waiting_now found;
        mutex_.lock();
        found.add(senders_);
        found.add(send_watchers_);
        found.senders = found.count;
        found.add(receivers_);
        found.add(receive_watchers_);
        mutex_.unlock();
        return found;
    }

    /// Shows those that wait to `out(waiter&)`, under the lock, which must not throw.
    template <typename Out>
    void for_each_waiting(Out out) const noexcept
    {
        mutex_.lock();
        for (waiter_list const* const list :
            {&senders_, &send_watchers_, &receivers_, &receive_watchers_})
            list->for_each(out);
        mutex_.unlock();
    }

    // What follows is for the channel and its flavours.

    /// Those that have been served and are to be resumed.
    class ready_batch
    {
    public:
        void add(waiter& w, acquisition outcome) noexcept
        {
            served_.push(w, outcome);
            ++count_;
        }

        // All of `from`, cancelled.
        template <typename Mutex>
        void take_and_unlock(waiter_list& from, Mutex& lock)
        {
            take_out_and_unlock(from, lock, acquisition::cancelled, served_);
        }

        // Whether enough have left under this hold of the lock. A sender and a receiver that meet
        // leave together.
        bool full() const noexcept
        {
            return count_ + 2 > batch;
        }

        // The lock has been free.
        void begin_next_hold() noexcept
        {
            count_ = 0;
        }

        // When the channel is not touched any more, which the first of them may destroy.
        template <typename Resume>
        void resume_all(Resume& resume) const
        {
            if (!served_.empty())
                detail::resume_all(served_, resume);
        }

    private:
        static_assert(batch >= 2, "room for two that meet");

        served_list served_;
        std::size_t count_ = 0;
    };

    template <typename T>
    static receiver<T>& receiver_of(waiter& w) noexcept
    {
        return *reinterpret_cast<receiver<T>*>(narrow<std::uintptr_t>(w.wanted.get()));
    }

    template <typename T>
    static T& value_of(waiter& w) noexcept
    {
        return *reinterpret_cast<T*>(narrow<std::uintptr_t>(w.wanted.get()));
    }

    static void set_wanted(waiter& w, void* what) noexcept
    {
        w.wanted.set(reinterpret_cast<std::uintptr_t>(what));
        w.held.set(0);
    }

    // Takes all waiters out. Without the lock.
    void take_all(ready_batch& out) noexcept
    {
        waiter_list taken;
        mutex_.lock();
        taken.take(receivers_);
        taken.take(senders_);
        taken.take(receive_watchers_);
        taken.take(send_watchers_);
        lower_flags();
        out.take_and_unlock(taken, mutex_);
    }

    // Those below are called with the lock held.

    bool nobody_waits() const noexcept
    {
        return senders_.empty() && receivers_.empty() && send_watchers_.empty() &&
               receive_watchers_.empty();
    }

    void lower_flags() noexcept
    {
        if (senders_.empty() && send_watchers_.empty())
            senders_waiting_.store(false, memory_order_relaxed);
        if (receivers_.empty() && receive_watchers_.empty())
            receivers_waiting_.store(false, memory_order_relaxed);
    }

    // Whether anybody is in the lists; changed under the lock. Set, by a seq_cst store, before the
    // look at the ring that the waiter goes to sleep on; read, by a seq_cst load, after each push
    // or pop. Cleared without order: who reads true in vain takes the lock in vain.
    alignas(cache_line) atomic<bool> senders_waiting_{false};
    atomic<bool> receivers_waiting_{false};

    // Not adaptive: measured with senders and receivers on two cores, up to 3 times the throughput.
    alignas(cache_line) mutable mutex mutex_;

    // Guarded by mutex_.
    waiter_list senders_;
    waiter_list receivers_;
    waiter_list send_watchers_;
    waiter_list receive_watchers_;
};

template <typename Resume>
void channel_waiters::cancel_all(Resume&& resume)
{
    ready_batch out;
    take_all(out);
    out.resume_all(resume);
}

} // namespace detail
} // namespace weft

#endif // WEFT_SYNC_CHANNEL_WAITERS_HPP
