// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/metrics.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

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
        &worker_stats::stood_aside, &worker_stats::budget_yields, &worker_stats::reactor_polls,
        &worker_stats::reactor_events};
    for (auto const count : counts)
        subtract(from.*count, what.*count);
    subtract(from.inside, what.inside);
    subtract(from.parked, what.parked);
    subtract(from.in_reactor, what.in_reactor);
}

/// The locks and channels that were there before.
WEFT_INLINE void subtract_all(
    std::vector<primitive_stats>& from, std::vector<primitive_stats> const& what)
{
    std::map<void const*, primitive_stats const*> known;
    for (primitive_stats const& p : what)
        known[p.where] = &p;
    for (primitive_stats& p : from)
    {
        auto const before = known.find(p.where);
        if (before == known.end() || before->second->kind != p.kind)
            continue;
        subtract(p.contended, before->second->contended);
        p.wait_time -= before->second->wait_time;
    }
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
    subtract_all(result.primitives, earlier.primitives);
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
