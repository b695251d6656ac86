// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_IDLE_WORD_HPP
#define WEFT_SCHED_IDLE_WORD_HPP

// The word in which a scheduler's sleepers are counted: parked:16 | searching:16 | events:32.
// `events` is an event count: even means that a worker has prepared to wait, odd that work has been
// published since.

#include <weft/platform/atomic.hpp>
#include <weft/platform/cache_line.hpp>
#include <weft/platform/single_threaded.hpp>

#include <cassert>
#include <cstdint>

namespace weft
{
namespace detail
{

/// What commit_wait() decided.
enum class sleep_result
{
    parked,         ///< counted as asleep: park, without limit
    parked_monitor, ///< counted as asleep, and in charge of those that run: park for a limited time
    retry,          ///< work was published: prepare and search again
    finished        ///< everybody sleeps and no work is outstanding: stop
};

class idle_word
{
public:
    /// Says that the caller may go to sleep. The caller then searches everything once, and calls
    /// commit_wait() with what this returns.
    [[nodiscard]] std::uint32_t prepare_wait() noexcept;

    /// To be called after every publication of work. If true somebody should be woken: the caller
    /// must call commit_notify().
    [[nodiscard]] bool prepare_notify() noexcept
    {
        // (P) pairs with (S) in prepare_wait().
        if (!process_is_single_threaded())
            full_fence();
        std::uint64_t const word = word_.load(memory_order_relaxed);
        if (wait_prepared(events_of(word)))
            return note_event(word);
        return wants_wake(word);
    }

    /// Ends a search that found something, or sees it. If true the caller was the last searcher: it
    /// must publish what else there is to do, before it runs what it found.
    [[nodiscard]] bool stop_searching() noexcept
    {
        std::uint64_t const before = word_.fetch_sub(one_searching, memory_order_seq_cst);
        assert(searching_of(before) != 0);
        return searching_of(before) == 1;
    }

    /// Whether somebody would be woken now for work that is published; or once the caller has ended
    /// its search, if it `searches`. A hint.
    bool would_wake(bool searches = false) const noexcept
    {
        std::uint64_t const word = word_.load(memory_order_relaxed);
        return wants_wake(searches ? word - one_searching : word);
    }

    // For statistics and tests.
    std::uint32_t parked() const noexcept
    {
        return parked_of(word_.load(memory_order_relaxed));
    }

    std::uint32_t searching() const noexcept
    {
        return searching_of(word_.load(memory_order_relaxed));
    }

    /// How many of those who search have been woken for it, and have not come yet. A hint.
    std::uint32_t coming() const noexcept
    {
        return coming_.load(memory_order_relaxed);
    }

protected:
    /// Counts one who sleeps as a searcher that is on the way. Under the lock of the sleepers.
    void claim() noexcept
    {
        word_.fetch_add(one_searching - one_parked, memory_order_seq_cst);
        coming_.store(coming() + 1, memory_order_relaxed);
    }

    /// That one has come. Under the lock of the sleepers.
    void arrive() noexcept
    {
        coming_.store(coming() - 1, memory_order_relaxed);
    }

    // What the bits of the word mean.

    static constexpr std::uint64_t one_parked = 1;
    static constexpr std::uint64_t one_searching = std::uint64_t{1} << 16;
    static constexpr std::uint64_t one_event = std::uint64_t{1} << 32;

    static std::uint32_t parked_of(std::uint64_t word) noexcept
    {
        return static_cast<std::uint32_t>(word & 0xffff);
    }

    static std::uint32_t searching_of(std::uint64_t word) noexcept
    {
        return static_cast<std::uint32_t>((word >> 16) & 0xffff);
    }

    static std::uint32_t events_of(std::uint64_t word) noexcept
    {
        return static_cast<std::uint32_t>(word >> 32);
    }

    static bool wait_prepared(std::uint32_t events) noexcept
    {
        return events % 2 == 0;
    }

    static bool wants_wake(std::uint64_t word) noexcept
    {
        return searching_of(word) == 0 && parked_of(word) != 0;
    }

    // Odd at first: nobody has prepared to wait.
    alignas(cache_line) atomic<std::uint64_t> word_{one_event};

private:
    atomic<std::uint32_t> coming_{0};

    // Turns an even counter odd; returns wants_wake() of the word then in place.
    bool note_event(std::uint64_t word) noexcept;
};

inline std::uint32_t idle_word::prepare_wait() noexcept
{
    std::uint64_t word = word_.load(memory_order_seq_cst);
    while (!wait_prepared(events_of(word)))
    {
        if (word_.compare_exchange_weak(
                word, word + one_event, memory_order_seq_cst, memory_order_seq_cst))
            word += one_event;
    }
    // (S) pairs with (P) in prepare_notify().
    full_fence();
    return events_of(word);
}

inline bool idle_word::note_event(std::uint64_t word) noexcept
{
    while (wait_prepared(events_of(word)))
    {
        if (word_.compare_exchange_weak(
                word, word + one_event, memory_order_seq_cst, memory_order_seq_cst))
            word += one_event;
    }
    return wants_wake(word);
}

} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_IDLE_WORD_HPP
