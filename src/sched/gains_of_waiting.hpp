// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_GAINS_OF_WAITING_HPP
#define WEFT_SRC_SCHED_GAINS_OF_WAITING_HPP

// What a continuation gains by waiting behind the handlers that are ready.

#include <weft/platform/atomic.hpp>
#include <weft/platform/cache_line.hpp>

#include <cstddef>
#include <cstdint>

namespace weft
{
namespace detail
{

/// Of which kinds of continuations those that wait behind other handlers find complete what they
/// start, as a read whose data have come meanwhile, while those that come at once do not: a read in
/// vain, and an event for its data, cost more than to wait. For all workers of a context, which
/// have to do the same, or one request would pass the queue twice, and another one once. Any
/// thread; hints.
class gains_of_waiting
{
public:
    // So many kinds are told apart. More have places in common.
    static constexpr std::size_t most_kinds = 32;

    /// The place of the kind that `function` tells from others, which is not 0.
    std::size_t place_of(std::uint64_t function) noexcept
    {
        // Multiplicative hashing (Knuth, The Art of Computer Programming 3, 6.4).
        std::size_t const first = function * 0x9e3779b97f4a7c15u >> 59;
        for (std::size_t i = 0; i != most_kinds; ++i)
        {
            std::size_t const place = (first + i) % most_kinds;
            std::uint64_t there = 0;
            if (kinds_[place].function.compare_exchange_strong(
                    there, function, memory_order_relaxed, memory_order_relaxed) ||
                there == function)
                return place;
        }
        return first;
    }

    /// Whether those of that place gain.
    bool are_expected(std::size_t place) const noexcept
    {
        return (gaining_.load(memory_order_relaxed) & bit(place)) != 0;
    }

    /// Whether those of that place that wait find something, be it that those that come at once do
    /// so too. All that gain do.
    bool finds_waiting(std::size_t place) const noexcept
    {
        return (finding_.load(memory_order_relaxed) & bit(place)) != 0;
    }

    /// Whether one that has waited, or has come at once, has `found` something. For a sample: all
    /// workers write it.
    void note(std::size_t place, bool has_waited, bool found) noexcept
    {
        kind& k = kinds_[place];
        atomic<int>& share = has_waited ? k.found_after_wait : k.found_at_once;
        int const before = share.load(memory_order_relaxed);
        share.store(before + ((found ? all : 0) - before) / 16, memory_order_relaxed);
        int const after_wait = k.found_after_wait.load(memory_order_relaxed);
        int const at_once = k.found_at_once.load(memory_order_relaxed);
        set_by_share(gaining_, bit(place), after_wait - at_once);
        set_by_share(finding_, bit(place), after_wait);
    }

private:
    // All of the last ones of a kind.
    static constexpr int all = 4096;

    // How many more must find something. Half as many where it is known, lest it change with each.
    static constexpr int least = all / 2;

    // How many of the last ones have found something.
    struct kind
    {
        atomic<std::uint64_t> function{0};
        atomic<int> found_after_wait{all};
        atomic<int> found_at_once{0};
    };

    // Sets the bit if the share is large enough, and not back until it is clearly less.
    static void set_by_share(atomic<std::uint32_t>& bits, std::uint32_t bit, int share) noexcept
    {
        std::uint32_t now = bits.load(memory_order_relaxed);
        bool const is_set = (now & bit) != 0;
        // Or the next sample does it.
        if (is_set ? share < least / 2 : share >= least)
            bits.compare_exchange_strong(
                now, now ^ bit, memory_order_relaxed, memory_order_relaxed);
    }

    static std::uint32_t bit(std::size_t place) noexcept
    {
        return std::uint32_t{1} << place;
    }

    // Those that gain, and those that find something if they wait: all, until something else is
    // known. Written when that has changed, for all read them often.
    alignas(cache_line) atomic<std::uint32_t> gaining_{~std::uint32_t{0}};
    atomic<std::uint32_t> finding_{~std::uint32_t{0}};

    alignas(cache_line) kind kinds_[most_kinds];
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_GAINS_OF_WAITING_HPP
