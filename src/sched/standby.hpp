// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_STANDBY_HPP
#define WEFT_SRC_SCHED_STANDBY_HPP

#include <weft/platform/atomic.hpp>

#include <cstdint>

namespace weft
{
namespace detail
{

/// Who sleeps in such a way that the kernel wakes it when something comes into the reactor while
/// nobody has the driver lock: the standby. So whoever leaves the reactor to run the one handler
/// that there is need not wake anybody to take its place.
///
///   who has the driver lock              the standby, when it wakes
///   -----------------------              --------------------------
///   begin(): present -> watching         leave(): any -> none; if it was watching:
///   arm the watch                          try to take the driver lock
///   release the driver lock
///   full fence
///   not watching any more: wake somebody
///
/// Lemma. While the driver lock is free after begin(), somebody watches or is about to look. If
/// leave() comes before begin() in the order of the word, begin() fails, and the driver lock is
/// published like work. If it comes later the one that leaves tries to take the driver lock:
/// it gets it, or another has it, which looks; or it is still in the hands of who has begun the
/// watch, whose release follows, and then its look at the word: that one wakes somebody. (The word
/// is exchanged before the driver lock is tried, and the driver lock released before the word is
/// read, with a full fence on each side: Dekker's pattern.)
class standby
{
public:
    /// By who is counted as asleep and has not got the driver lock. True: nobody else is it, and
    /// none can watch until is_ready() is called. leave() must follow. False also where standbys
    /// have been woken for other things, again and again: that costs more than to wake whoever
    /// sleeps on a futex.
    [[nodiscard]] bool enter() noexcept
    {
        std::uint32_t expected = none;
        return state_.load(memory_order_relaxed) == none &&
               in_vain_.load(memory_order_relaxed) < most_in_vain &&
               state_.compare_exchange_strong(
                   expected, entering, memory_order_acquire, memory_order_relaxed);
    }

    /// Release: who watches through what has been made uses it.
    void is_ready() noexcept
    {
        state_.store(present, memory_order_release);
    }

    /// By the standby when it wakes: it is none any more. True if it has watched.
    [[nodiscard]] bool leave() noexcept
    {
        in_vain_.store(in_vain_.load(memory_order_relaxed) + 1, memory_order_relaxed);
        bool const watched = state_.exchange(none, memory_order_seq_cst) == watching;
        full_fence();
        return watched;
    }

    /// By who has the driver lock: the standby watches from now on, if there is one. False if not.
    [[nodiscard]] bool begin() noexcept
    {
        std::uint32_t expected = present;
        return state_.compare_exchange_strong(
                   expected, watching, memory_order_seq_cst, memory_order_acquire) ||
               expected == watching;
    }

    /// By who has the driver lock: there is something to watch for.
    void is_of_use() noexcept
    {
        if (in_vain_.load(memory_order_relaxed) != 0)
            in_vain_.store(0, memory_order_relaxed);
    }

    /// By who has the driver lock, and is to sleep with it, or to wake somebody for it: the standby
    /// watches no more.
    void end() noexcept
    {
        std::uint32_t expected = watching;
        if (is_watching())
            state_.compare_exchange_strong(
                expected, present, memory_order_relaxed, memory_order_relaxed);
    }

    /// Whether there is one. A hint.
    bool is_there() const noexcept
    {
        return state_.load(memory_order_relaxed) >= present;
    }

    /// Whether the standby watches. After a full fence: exactly, as the lemma needs it.
    bool is_watching() const noexcept
    {
        return state_.load(memory_order_relaxed) == watching;
    }

private:
    enum : std::uint32_t
    {
        none,
        entering,
        present,
        watching
    };

    // Guessed: one in so many may be in vain.
    static constexpr std::uint32_t most_in_vain = 8;

    // How many have left since somebody could use one. A hint.
    atomic<std::uint32_t> in_vain_{0};

    // Written when somebody goes to sleep without the driver lock, or wakes, and in each watch.
    atomic<std::uint32_t> state_{none};
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_STANDBY_HPP
