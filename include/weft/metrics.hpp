// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#if defined(WEFT_HEADER_ONLY)
#include <weft/impl/src.hpp> // all of it, before this header begins
#endif

#ifndef WEFT_METRICS_HPP
#define WEFT_METRICS_HPP

// What to make of the statistics of a context: differences, shares, texts for those who collect
// metrics; and whether a context is overloaded. doc/metrics.md says what each metric means.

#include <weft/config.hpp>
#include <weft/executor.hpp>
#include <weft/platform/visibility.hpp>
#include <weft/stats.hpp>

#include <chrono>
#include <string>
#include <string_view>

namespace weft
{
inline namespace WEFT_ABI_NAMESPACE
{

/// What has happened between two snapshots of one context: the differences of all counts, times and
/// histograms, worker by worker (of workers that are new: all). What is as of a moment, such as
/// depths and waiters, is that of `later`, and so is `taken`. Nothing becomes negative. Any thread;
/// linear in the number of workers and primitives. Throws std::bad_alloc.
WEFT_DECL stats operator-(stats const& later, stats const& earlier);

/// The share of the time that threads spent inside run() in which they did not sleep, from 0 to 1:
/// of the difference of two snapshots, or of one since the context was made. 0 if nothing was
/// measured, as with timing::off. What threads do inside run_blocking() does not count. Any
/// thread; constant time.
WEFT_DECL double busy_share(stats const& s) noexcept;

/// The same of one worker.
WEFT_DECL double busy_share(worker_stats const& s) noexcept;

/// The snapshot in the text format 0.0.4 of Prometheus (content type
/// "text/plain; version=0.0.4"), for any HTTP server to answer with. All lines have the label
/// `context` if `context_name` is not empty. (The texts of two contexts make no text together: the
/// format wants all lines of a metric in one place. Let each have a path of its own.) Primitives of
/// the same kind and name are added up. Durations are in seconds, as is the custom there. Any
/// thread; linear in the length of the text. Throws std::bad_alloc.
WEFT_DECL std::string prometheus_text(stats const& s, std::string_view context_name = {});

/// The snapshot as one JSON object (RFC 8259), whose members are those of stats, but for the
/// addresses of primitives, with durations in nanoseconds. A histogram has `count`, `total`, `p50`,
/// `p90`, `p99`, `max` and `buckets`: those that are not empty, each as [its upper bound, how
/// many]. Names are expected in UTF-8. Any thread; linear in the length of the text. Throws
/// std::bad_alloc.
WEFT_DECL std::string to_json(stats const& s);

/// Whether handlers wait too long in the queues of an io_context or thread_pool: all of those that
/// were timed in the last whole tenth of a second had waited for longer than `target`, and no
/// worker has had nothing to do since. A burst that the queues absorb does not count; a queue that
/// stands does. A server can answer then that it is busy, or accept
/// nothing more, before it is late for everybody.
///
/// Any thread, at any time: one relaxed load. Always false with timing::off; sampled is enough.
///
/// @par Algorithm
/// The criterion of CoDel (Nichols and Jacobson, 2012): the least delay in an interval.
template <typename Context>
bool overloaded(
    Context const& context, std::chrono::nanoseconds target = std::chrono::milliseconds(5)) noexcept
{
    return detail::context_access::get_scheduler(context).standing_delay() > target;
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace weft

#endif // WEFT_METRICS_HPP
