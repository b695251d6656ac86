// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_CONTINUATION_KINDS_HPP
#define WEFT_SRC_SCHED_CONTINUATION_KINDS_HPP

// What is known of each kind of continuation: as the end of a write, and that of a read whose data
// were there.

#include "gains_of_waiting.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace weft
{
namespace detail
{

/// For one worker. One thread at a time.
class continuation_kinds
{
public:
    // The end of a write with the beginning of the next read takes 2 to 5 us, most of it system
    // calls. A longer one counts as much as `most`, for its thread may have lost the core: some of
    // a hundred do beside clients that have no core of their own.
    static constexpr std::chrono::nanoseconds bound{10'000};
    static constexpr std::chrono::nanoseconds most{20'000};

    // So many kinds are told apart. One more takes the place of the one that has not come for
    // longest, and is at first expected to take as long as all do in the mean.
    static constexpr std::size_t most_kinds = 16;

    struct kind
    {
        std::chrono::nanoseconds mean{0};
        std::size_t place = 0; // in gains_of_waiting
        unsigned refused = 0;
        unsigned asked = 0;
        std::uint32_t last_came = 0;
        bool waits = true;         // the last that might did, and not as a sample
        unsigned waited_alike = 0; // how many have waited while it was so

        bool is_short() const noexcept
        {
            return mean < bound;
        }
    };

    /// The kind that `function`, which is not 0, tells from others; null if it has not come.
    kind* find(std::uint64_t function) noexcept
    {
        auto const* const found = std::find(functions_, functions_ + most_kinds, function);
        return found != functions_ + most_kinds ? &kinds_[found - functions_] : nullptr;
    }

    /// One of this kind has come.
    kind& comes(std::uint64_t function, gains_of_waiting& gains) noexcept
    {
        kind* known = find(function);
        if (!known)
            known = replace(function, gains);
        known->last_came = ++came_;
        return *known;
    }

    /// One of this kind took so long.
    void took(kind& k, std::chrono::nanoseconds time) noexcept
    {
        time = (std::min)(time, most);
        for (auto* mean : {&k.mean, &mean_of_all_})
            *mean += (time - *mean) / 32;
    }

private:
    [[gnu::noinline]] kind* replace(std::uint64_t function, gains_of_waiting& gains) noexcept
    {
        std::size_t oldest = 0;
        for (std::size_t i = 1; i != most_kinds; ++i)
            if (came_ - kinds_[i].last_came > came_ - kinds_[oldest].last_came)
                oldest = i;
        functions_[oldest] = function;
        kinds_[oldest] = {};
        kinds_[oldest].mean = mean_of_all_;
        kinds_[oldest].place = gains.place_of(function);
        return &kinds_[oldest];
    }

    // Apart, for all are looked through.
    std::uint64_t functions_[most_kinds] = {};
    kind kinds_[most_kinds];
    std::uint32_t came_ = 0;
    std::chrono::nanoseconds mean_of_all_{0};
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_CONTINUATION_KINDS_HPP
