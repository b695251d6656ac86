// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/wait/wait_times.hpp>

#include <weft/platform/cheap_clock.hpp>
#include <weft/platform/visibility.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <new>

namespace weft
{
namespace detail
{

struct primitive_waiters::recorded
{
    std::array<std::atomic<std::uint64_t>, duration_histogram::buckets> counts{};
    std::atomic<std::int64_t> total{0};
};

WEFT_INLINE primitive_waiters::~primitive_waiters()
{
    delete times_.load(std::memory_order_relaxed);
}

WEFT_INLINE bool primitive_waiters::make_times() noexcept
{
    auto* const made = new (std::nothrow) recorded;
    recorded* none = nullptr;
    if (made && !times_.compare_exchange_strong(
                    none, made, std::memory_order_acq_rel, std::memory_order_acquire))
        delete made;
    return made != nullptr;
}

WEFT_INLINE void primitive_waiters::ended(yielding_waiters& at, waiter const& w, bool got) noexcept
{
    auto& self = static_cast<primitive_waiters&>(at);
    std::uint64_t const since = w.since.get();
    if (got && (since & wait_events::timed) != 0)
        self.record(since);
    if ((since & wait_events::recorded) != 0)
        wait_events::end(*self.scheduler_, &w, got);
}

WEFT_INLINE void primitive_waiters::record(std::uint64_t since) noexcept
{
    recorded& r = *times_.load(std::memory_order_acquire);
    std::uint64_t const now = cheap_clock::now();
    std::chrono::nanoseconds const time(static_cast<std::int64_t>(now > since ? now - since : 0));
    r.counts[duration_histogram::bucket_of(time)].fetch_add(1, std::memory_order_relaxed);
    r.total.fetch_add(time.count(), std::memory_order_relaxed);
}

WEFT_INLINE duration_histogram primitive_waiters::times() const noexcept
{
    recorded const* const r = times_.load(std::memory_order_acquire);
    if (!r)
        return {};
    std::array<std::uint64_t, duration_histogram::buckets> counts;
    for (std::size_t i = 0; i != counts.size(); ++i)
        counts[i] = r->counts[i].load(std::memory_order_relaxed);
    return duration_histogram::of(
        counts, std::chrono::nanoseconds(r->total.load(std::memory_order_relaxed)));
}

} // namespace detail
} // namespace weft
