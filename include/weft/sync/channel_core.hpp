// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SYNC_CHANNEL_CORE_HPP
#define WEFT_SYNC_CHANNEL_CORE_HPP

// The state of a channel: values on their way from senders to receivers, and who waits. No
// executors, no handlers; a waiter that has been served is handed to the caller, who sees to its
// continuation.
//
// What the channel is made of, and which flavour it has, is in channel_store.hpp.
//
// Who may do what. Any thread may call anything. Lists are touched under the lock only. Whoever
// takes a waiter out of its list owns it: nothing here touches it again, and a canceller that comes
// later is told that it is too late.
//
// Whoever makes an operation possible performs it for the one that waits: takes a value out of the
// ring for a receiver, puts a sender's in. A waiter leaves its list with its operation performed,
// or with an error, and never with the mere advice to try again: then a value could come to one
// that is cancelled in the same moment, while another sleeps on (T10.4).

#include <weft/queue/mpmc_ring.hpp>
#include <weft/sync/channel_store.hpp>
#include <weft/sync/channel_waiters.hpp>
#include <weft/sync/waiter.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace weft
{
namespace detail
{

template <typename T>
class channel_core : private channel_store<T>
{
    using store = channel_store<T>;
    using store::capacity_;
    using store::mutex_;
    using store::ring_;
    using store::set_wanted;
    using store::take_all;
    using store::with_flavour;
    using typename store::ready_batch;

    static_assert(std::is_nothrow_move_constructible<T>::value,
        "a value is moved on behalf of others, to whom nothing can be thrown");

public:
    using store::batch;
    using store::cancel;
    using store::cancel_all;
    using store::capacity;
    using store::closed;
    using store::for_each_waiting;
    using store::max_capacity;
    using store::reopen;
    using store::size;
    using store::waiting;

    /// Throws std::length_error if that is more than max_capacity, and std::bad_alloc.
    explicit channel_core(std::uint64_t room) : store(room)
    {
    }

    // Functions that serve others call `resume(waiter&, acquisition)` for each that is served, in
    // order (resume_all()): acquired, or closed. They have done everything else then: any of those
    // may destroy this object.

    /// Sends what `construct(void*)` makes, if there is room or a receiver. It is called only then,
    /// and must not throw.
    template <typename Construct, typename Resume>
    ring_result try_send(Construct&& construct, Resume&& resume)
    {
        return with_flavour([&](auto f) { return f.try_send(construct, resume); });
    }

    /// Receives one value, or as many as `to` takes, if there are any. `Receiver` is a receiver<T>.
    template <typename Receiver, typename Resume>
    ring_result try_receive(Receiver& to, Resume&& resume)
    {
        return with_flavour([&](auto f) { return f.try_receive(to, resume); });
    }

    /// Whether an operation that may wait can be performed without passing others.
    bool may_send() const noexcept
    {
        return with_flavour([](auto f) { return f.may_send(); });
    }

    bool may_receive() const noexcept
    {
        return with_flavour([](auto f) { return f.may_receive(); });
    }

    /// Sends `value`, or registers `w` to do so. It stays where it is if the result is closed.
    template <typename Resume>
    [[nodiscard]] acquisition send(waiter& w, T& value, Resume&& resume)
    {
        set_wanted(w, &value);
        return with_flavour([&](auto f) { return f.send(w, value, resume); });
    }

    /// Receives into `to`, or registers `w` to do so.
    template <typename Resume>
    [[nodiscard]] acquisition receive(waiter& w, receiver<T>& to, Resume&& resume)
    {
        set_wanted(w, &to);
        return with_flavour([&](auto f) { return f.receive(w, to, resume); });
    }

    /// Registers `w` to be notified when a send could succeed, if none could now.
    [[nodiscard]] acquisition watch_send(waiter& w) noexcept
    {
        return with_flavour([&](auto f) { return f.watch_send(w); });
    }

    /// Registers `w` to be notified when a receive could succeed, if none could now.
    [[nodiscard]] acquisition watch_receive(waiter& w) noexcept
    {
        return with_flavour([&](auto f) { return f.watch_receive(w); });
    }

    /// As cancel_all(), and nothing can be sent any more.
    template <typename Resume>
    void close(Resume&& resume)
    {
        ring_.close();
        cancel_all(resume);
    }

    /// Nothing can be sent any more. Receivers get what was, and then "closed".
    template <typename Resume>
    void close_after_last(Resume&& resume)
    {
        ring_.close();
        mutex_.lock();
        with_flavour([&](auto f) { f.serve_all_and_unlock(resume); });
    }

    /// Exchanges values, capacity, and whether it is closed. Who waits stays, and is served if that
    /// is possible now. Nobody else uses either.
    template <typename Resume>
    void swap(channel_core& other, Resume&& resume)
    {
        std::swap(capacity_, other.capacity_);
        ring_.swap(other.ring_);
        ready_batch out;
        for (channel_core* const c : {this, &other})
        {
            c->mutex_.lock();
            c->with_flavour([&](auto f) { f.serve_and_unlock(out); });
        }
        out.resume_all(resume);
    }

    /// Takes all waiters out, passes the values to `to`, which takes all, and takes the closing
    /// back. Who comes in between is served. The waiters that were taken out are resumed as
    /// cancelled.
    template <typename Receiver, typename Resume>
    void reset(Receiver& to, Resume&& resume)
    {
        ready_batch out;
        take_all(out);
        with_flavour(
            [&](auto f)
            {
                f.drain(to);
                reopen();
                mutex_.lock();
                f.serve_and_unlock(out);
            });
        out.resume_all(resume);
    }

    /// What a try would find.
    ring_result can_send() const noexcept
    {
        return with_flavour([](auto f) { return f.can_send(); });
    }

    ring_result can_receive() const noexcept
    {
        return with_flavour([](auto f) { return f.can_receive(); });
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SYNC_CHANNEL_CORE_HPP
