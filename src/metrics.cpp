// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/metrics.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

inline namespace WEFT_LOCAL
{

template <typename T>
void subtract(T& from, T const& what) noexcept
{
    from = from > what ? from - what : T{};
}

/// What has happened since, and what is as of now.
WEFT_INLINE void subtract_all(worker_stats& from, worker_stats const& what) noexcept
{
    constexpr std::uint64_t worker_stats::*counts[] = {&worker_stats::handlers,
        &worker_stats::lifo_hits, &worker_stats::steal_operations, &worker_stats::stolen_handlers,
        &worker_stats::overflows, &worker_stats::injection_fetches, &worker_stats::remote_pushes,
        &worker_stats::parks, &worker_stats::wakes, &worker_stats::empty_wakes,
        &worker_stats::budget_yields, &worker_stats::reactor_polls, &worker_stats::reactor_events};
    for (auto const count : counts)
        subtract(from.*count, what.*count);
    subtract(from.inside, what.inside);
    subtract(from.parked, what.parked);
    subtract(from.in_reactor, what.in_reactor);
}

} // namespace WEFT_LOCAL
} // namespace WEFT_ABI_NAMESPACE
} // namespace detail

inline namespace WEFT_ABI_NAMESPACE
{

WEFT_INLINE stats operator-(stats const& later, stats const& earlier)
{
    using detail::subtract;
    using detail::subtract_all;
    stats result = later;
    std::size_t const known = (std::min)(later.workers.size(), earlier.workers.size());
    for (std::size_t i = 0; i != known; ++i)
        subtract_all(result.workers[i], earlier.workers[i]);
    subtract_all(result.total, earlier.total);
    result.run_time -= earlier.run_time;
    result.queue_delay -= earlier.queue_delay;
    result.wake_latency -= earlier.wake_latency;
    subtract(result.blocking_calls, earlier.blocking_calls);
    subtract(result.blocked, earlier.blocked);
    subtract(result.exceptions, earlier.exceptions);
    return result;
}

WEFT_INLINE double busy_share(worker_stats const& s) noexcept
{
    if (s.inside.count() <= 0)
        return 0;
    auto const busy = s.inside - s.parked - s.in_reactor;
    double const share = static_cast<double>(busy.count()) / static_cast<double>(s.inside.count());
    return share < 0 ? 0 : share;
}

WEFT_INLINE double busy_share(stats const& s) noexcept
{
    return busy_share(s.total);
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace weft
