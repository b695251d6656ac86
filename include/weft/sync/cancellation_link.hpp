// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SYNC_CANCELLATION_LINK_HPP
#define WEFT_SYNC_CANCELLATION_LINK_HPP

// What a cancellation slot and the operation that waits have in common. No signals, no handlers.
//
// Neither may hold a pointer to the other. A signal may be emitted on one thread while the
// operation ends on another (a group of operations does that), or long after it; it may be
// destroyed while the operation waits; and the slot may have gone to the next operation before the
// handler of this one has run. So each holds one share of a link, lets go of it when it ends, and
// asks there about the other.
//
// Who emits pins the operation: it ends the wait as any canceller does, by taking the operation out
// of the primitive, and neither of the two goes as long as it is pinned. Whoever takes an operation
// out severs its link before it lets anybody know that it is out: this waits for the one who has it
// pinned, and nobody can pin it from then on. It does not wait for long, and not in a circle: who
// has an operation pinned that somebody else has taken out finds it gone from the list, and lets
// go.
//
// While the operation is on its way into the primitive, there is nowhere to take it out of. A
// signal that comes then, or finds it pinned, leaves a request, which whoever comes back from there
// sees.

#include <weft/platform/atomic.hpp>
#include <weft/platform/backoff.hpp>

#include <cstdint>

namespace weft
{
namespace detail
{

class cancellation_link
{
public:
    using dispose_type = void (*)(cancellation_link*) noexcept;

    /// For an operation that is about to wait. Three shares: the slot's, the operation's, and one
    /// of whoever starts it, who must call started(). `dispose` destroys the link when all are
    /// given back.
    explicit cancellation_link(dispose_type dispose) noexcept : dispose_(dispose)
    {
    }

    cancellation_link(cancellation_link const&) = delete;
    cancellation_link& operator=(cancellation_link const&) = delete;

    /// For who emits. If true the operation is pinned. If false it has ended, or somebody will see
    /// the request that was left.
    [[nodiscard]] bool try_pin() noexcept
    {
        std::uint32_t word = word_.load(memory_order_relaxed);
        for (;;)
        {
            if (word == severed)
                return false;
            // Acquire: the operation is in the primitive, or as the last one to unpin it has left
            // it. Release: what was done before the signal is done before what the request leads
            // to.
            if (word_.compare_exchange_weak(word, word == idle ? pinned : word | requested,
                    memory_order_acq_rel, memory_order_relaxed))
                return word == idle;
        }
    }

    /// For the operation, which is neither severed nor in the primitive, and is to go there again:
    /// it needs a share of its own until started(). Waits until nobody has it pinned.
    void start_again() noexcept
    {
        shares_.fetch_add(1, memory_order_relaxed);
        pause_until(
            [this]
            {
                std::uint32_t word = idle;
                return word_.compare_exchange_weak(
                    word, starting, memory_order_acq_rel, memory_order_relaxed);
            });
    }

    /// For who has put the operation into the primitive, or has seen it end. True if there was a
    /// request in time: the operation is pinned then, and the request the caller's to fulfil.
    /// Otherwise the operation may be gone.
    [[nodiscard]] bool started() noexcept
    {
        std::uint32_t word = word_.load(memory_order_relaxed);
        while (word != severed)
        {
            bool const asked = word == (starting | requested);
            // Release: the operation is in the primitive before anybody pins it.
            if (word_.compare_exchange_weak(
                    word, asked ? pinned : idle, memory_order_acq_rel, memory_order_relaxed))
                return asked;
        }
        return false;
    }

    /// For who has it pinned and has not found the operation. False if there is another request: it
    /// is still pinned then. If true, the operation may be gone.
    [[nodiscard]] bool unpin() noexcept
    {
        std::uint32_t word = word_.load(memory_order_relaxed);
        for (;;)
        {
            bool const asked = word != pinned;
            // Release: what was done while it was pinned is done before it is severed.
            if (word_.compare_exchange_weak(
                    word, asked ? pinned : idle, memory_order_acq_rel, memory_order_relaxed))
                return !asked;
        }
    }

    /// For who has it pinned and has taken the operation out: requests come too late.
    void sever_pinned() noexcept
    {
        word_.store(severed, memory_order_release);
    }

    /// For who has taken the operation out, or has not put it in. Waits until nobody has it pinned;
    /// nobody will from then on.
    void sever() noexcept
    {
        std::uint32_t word = word_.load(memory_order_relaxed);
        patient_backoff wait;
        for (;;)
        {
            if ((word & pinned) != 0)
            {
                wait.pause();
                word = word_.load(memory_order_relaxed);
            }
            // Acquire: what those who had it pinned have done to the primitive is done.
            else if (word_.compare_exchange_weak(
                         word, severed, memory_order_acq_rel, memory_order_relaxed))
                return;
        }
    }

    /// Gives a share back.
    void release() noexcept
    {
        // Acquire: who destroys it comes after all that others have done to it.
        if (shares_.load(memory_order_acquire) == 1 ||
            shares_.fetch_sub(1, memory_order_acq_rel) == 1)
            dispose_(this);
    }

private:
    static constexpr std::uint32_t idle = 0;
    static constexpr std::uint32_t pinned = 1;
    static constexpr std::uint32_t starting = 2;
    static constexpr std::uint32_t requested = 4; // beside one of the two before it
    static constexpr std::uint32_t severed = 8;   // alone

    atomic<std::uint32_t> word_{starting};
    atomic<std::uint32_t> shares_{3};
    dispose_type const dispose_;
};

} // namespace detail
} // namespace weft

#endif // WEFT_SYNC_CANCELLATION_LINK_HPP
