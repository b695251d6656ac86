// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_INJECTION_INTERVAL_HPP
#define WEFT_SCHED_INJECTION_INTERVAL_HPP

// After how many handlers a worker with work of its own looks at the injection queue, and at other
// workers. What waits there should not wait long, whatever handlers cost: about 200 us between two
// looks, by an exponentially weighted mean of the handlers' duration.
//
// Source: Tokio's multi_thread/stats.rs, with its constants. The mean is weighted by handlers, not
// by batches, and small changes are ignored, so that the number does not flutter.

#include <chrono>

namespace weft
{
namespace detail
{

class injection_interval
{
public:
    static constexpr unsigned min = 2;
    static constexpr unsigned max = 127;

    /// `fixed` != 0 is what value() says always.
    explicit injection_interval(unsigned fixed) noexcept
        : value_(fixed ? fixed : 61), fixed_(fixed != 0)
    {
    }

    unsigned value() const noexcept
    {
        return value_;
    }

    /// How many handlers take about the time between two looks, however short they are.
    unsigned handlers_per_target() const noexcept
    {
        return per_target_;
    }

    /// Takes into account that `count` handlers took `elapsed` together.
    void record(unsigned count, std::chrono::nanoseconds elapsed) noexcept
    {
        if (count == 0)
            return;
        double const mean = static_cast<double>(elapsed.count()) / count;
        if (count != weighed_count_)
        {
            weighed_count_ = count;
            weight_ = 1 - power(1 - alpha, count);
        }
        mean_ns_ = weight_ * mean + (1 - weight_) * mean_ns_;
        double const wanted = target_ns / (mean_ns_ > 1 ? mean_ns_ : 1);
        per_target_ = wanted <= 1 ? 1 : static_cast<unsigned>(wanted);
        if (fixed_)
            return;
        unsigned const next = wanted <= min   ? min
                              : wanted >= max ? max
                                              : static_cast<unsigned>(wanted);
        unsigned const change = next > value_ ? next - value_ : value_ - next;
        if (change > 2)
            value_ = next;
    }

private:
    // Not std::pow: <cmath> declares global names that user code has for its own (exp, gamma).
    static double power(double base, unsigned exponent) noexcept
    {
        double result = 1;
        for (; exponent != 0; exponent /= 2, base *= base)
            if (exponent % 2 != 0)
                result *= base;
        return result;
    }

    static constexpr double alpha = 0.1;
    static constexpr double target_ns = 200e3;

    // What makes the start value.
    double mean_ns_ = target_ns / 61;
    unsigned value_;
    unsigned per_target_ = 61;
    bool fixed_;

    // The weight of a batch, kept because batches are nearly always whole turns.
    unsigned weighed_count_ = 0;
    double weight_ = 0;
};

} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_INJECTION_INTERVAL_HPP
