// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_SLEEPER_SET_HPP
#define WEFT_SCHED_SLEEPER_SET_HPP

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace weft
{
namespace detail
{

/// Which workers sleep: one bit each. Not thread-safe; guarded by the lock of sched/idle.hpp.
class sleeper_set
{
public:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    // Of workers for which it does not matter where they run, and of wakers.
    static constexpr std::uint32_t any_cpu = (std::numeric_limits<std::uint32_t>::max)();

    /// Makes room for workers 0 to count - 1. The only function that allocates.
    void reserve(std::size_t count)
    {
        std::size_t const words = (count + 63) / 64;
        if (words <= words_.size())
            return;
        cpus_.resize(words * 64, any_cpu);
        words_.resize(words, 0);
    }

    /// `cpu`: where it goes to sleep, if that matters. A hint.
    void insert(std::size_t index, std::uint32_t cpu = any_cpu) noexcept
    {
        words_[index / 64] |= bit(index);
        cpus_[index] = cpu;
    }

    bool contains(std::size_t index) const noexcept
    {
        return (words_[index / 64] & bit(index)) != 0;
    }

    /// Removes a worker; false if it was not there.
    bool erase(std::size_t index) noexcept
    {
        bool const was = contains(index);
        words_[index / 64] &= ~bit(index);
        return was;
    }

    /// The lowest index (its core is the most likely to be warm) other than `last_choice`;
    /// `last_choice` if it is the only one; `none` if the set is empty. If a `cpu` is given: the
    /// lowest of those that went to sleep on it, if there is one among the first 64 at most.
    std::size_t pick(std::size_t last_choice, std::uint32_t cpu = any_cpu) const noexcept
    {
        for (std::size_t i = 0; i != words_.size(); ++i)
        {
            std::uint64_t word = words_[i];
            if (last_choice != none && last_choice / 64 == i)
                word &= ~bit(last_choice);
            if (word != 0)
                return cpu == any_cpu ? lowest(i, word) : lowest_on(cpu, i, word);
        }
        return last_choice != none && contains(last_choice) ? last_choice : none;
    }

private:
    static std::size_t lowest(std::size_t i, std::uint64_t word) noexcept
    {
        return i * 64 + static_cast<std::size_t>(__builtin_ctzll(word));
    }

    // Or the lowest of all, if none went to sleep there.
    std::size_t lowest_on(std::uint32_t cpu, std::size_t i, std::uint64_t word) const noexcept
    {
        for (std::uint64_t rest = word; rest != 0; rest &= rest - 1)
            if (cpus_[lowest(i, rest)] == cpu)
                return lowest(i, rest);
        return lowest(i, word);
    }

    static std::uint64_t bit(std::size_t index) noexcept
    {
        return std::uint64_t{1} << (index % 64);
    }

    std::vector<std::uint64_t> words_;
    std::vector<std::uint32_t> cpus_; // of members
};

} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_SLEEPER_SET_HPP
