// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_DURATION_HISTOGRAM_HPP
#define WEFT_DURATION_HISTOGRAM_HPP

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace weft
{

/// How often durations of about each length have occurred: four buckets for each power of 2 of
/// nanoseconds, up to 18 minutes; longer ones are counted in the last bucket.
///
/// @par Thread Safety
/// Distinct objects: safe. Shared objects: unsafe to modify; all const members are safe.
///
/// @par Complexity
/// Constant: at most one step for each bucket. Nothing is allocated.
///
/// @par Exceptions
/// None.
///
/// @par Algorithm
/// Buckets of which four have equal widths within each power of 2, as in HdrHistogram.
class duration_histogram
{
public:
    /// How many buckets there are.
    static constexpr std::size_t buckets = 156;

    /// How many durations were recorded: the sum of all buckets.
    std::uint64_t count() const noexcept
    {
        std::uint64_t sum = 0;
        for (std::uint64_t const n : counts_)
            sum += n;
        return sum;
    }

    /// The sum of the durations, which are added up as they are and not by their buckets.
    std::chrono::nanoseconds total() const noexcept
    {
        return std::chrono::nanoseconds(static_cast<std::int64_t>(total_));
    }

    /// The duration that a share of `q` of all does not exceed, for `q` from 0 to 1: the middle of
    /// the bucket that it is in, which is within 12.5 % of it. 0 if there is none.
    std::chrono::nanoseconds quantile(double q) const noexcept
    {
        std::uint64_t const all = count();
        if (all == 0)
            return std::chrono::nanoseconds(0);
        double const wanted = q * static_cast<double>(all);
        std::uint64_t sum = 0;
        std::size_t last = 0;
        for (std::size_t i = 0; i != buckets; ++i)
        {
            if (counts_[i] == 0)
                continue;
            sum += counts_[i];
            last = i;
            if (static_cast<double>(sum) >= wanted)
                break;
        }
        return std::chrono::nanoseconds(static_cast<std::int64_t>(middle_of(last)));
    }

    /// How many durations were in a bucket, which is below `buckets`.
    std::uint64_t operator[](std::size_t bucket) const noexcept
    {
        return counts_[bucket];
    }

    /// The shortest duration that is too long for a bucket; of the last one, the one that would be.
    static constexpr std::chrono::nanoseconds upper_bound(std::size_t bucket) noexcept
    {
        return std::chrono::nanoseconds(static_cast<std::int64_t>(lower_bound_of(bucket + 1)));
    }

    /// The bucket of a duration; the first one's for negative ones.
    static constexpr std::size_t bucket_of(std::chrono::nanoseconds time) noexcept
    {
        if (time.count() < 4)
            return time.count() < 0 ? 0 : static_cast<std::size_t>(time.count());
        auto const ns = static_cast<std::uint64_t>(time.count());
        auto const octave = static_cast<std::size_t>(63 - __builtin_clzll(ns));
        std::size_t const bucket = 4 * (octave - 1) + ((ns >> (octave - 2)) & 3);
        return bucket < buckets ? bucket : buckets - 1;
    }

    /// Records `count` durations of one length.
    void record(std::chrono::nanoseconds time, std::uint64_t count = 1) noexcept
    {
        counts_[bucket_of(time)] += count;
        if (time.count() > 0)
            total_ += static_cast<std::uint64_t>(time.count()) * count;
    }

    /// Adds what was recorded in another one.
    duration_histogram& operator+=(duration_histogram const& other) noexcept
    {
        for (std::size_t i = 0; i != buckets; ++i)
            counts_[i] += other.counts_[i];
        total_ += other.total_;
        return *this;
    }

    /// Takes away what was recorded in an earlier state of this histogram.
    duration_histogram& operator-=(duration_histogram const& earlier) noexcept
    {
        for (std::size_t i = 0; i != buckets; ++i)
            counts_[i] -= counts_[i] < earlier.counts_[i] ? counts_[i] : earlier.counts_[i];
        total_ -= total_ < earlier.total_ ? total_ : earlier.total_;
        return *this;
    }

    /// Whether both have recorded equally many in each bucket, and the same sum.
    friend bool operator==(duration_histogram const& a, duration_histogram const& b) noexcept
    {
        return a.counts_ == b.counts_ && a.total_ == b.total_;
    }

    /// Whether they differ in a bucket or in their sum.
    friend bool operator!=(duration_histogram const& a, duration_histogram const& b) noexcept
    {
        return !(a == b);
    }

    /// A histogram of these counts and this sum, as somebody else has recorded them.
    static duration_histogram of(
        std::array<std::uint64_t, buckets> const& counts, std::chrono::nanoseconds total) noexcept
    {
        duration_histogram result;
        result.counts_ = counts;
        result.total_ = static_cast<std::uint64_t>(total.count());
        return result;
    }

private:
    static constexpr std::uint64_t lower_bound_of(std::size_t bucket) noexcept
    {
        if (bucket < 4)
            return bucket;
        return (4 + std::uint64_t{bucket % 4}) << (bucket / 4 - 1);
    }

    static constexpr std::uint64_t middle_of(std::size_t bucket) noexcept
    {
        return (lower_bound_of(bucket) + lower_bound_of(bucket + 1) - 1) / 2;
    }

    std::array<std::uint64_t, buckets> counts_{};
    std::uint64_t total_ = 0;
};

} // namespace weft

#endif // WEFT_DURATION_HISTOGRAM_HPP
