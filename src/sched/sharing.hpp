// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_SHARING_HPP
#define WEFT_SRC_SCHED_SHARING_HPP

// What a worker does whose handlers are long: it gives what is in its ring to all.

#include <weft/platform/backoff.hpp>
#include <weft/platform/narrow.hpp>

#include "run_queue.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace weft
{
namespace detail
{

template <typename Traits>
struct sharing
{
    using shared = shared_state<Traits>;
    using worker = basic_worker<Traits>;
    using entry = typename Traits::entry;
    using item = typename shared::item;

    // For many workers, that none waits for the lock of the queue of all
    // (doc/design/simulation.md).
    static constexpr std::chrono::nanoseconds lock_transfer{125};

    /// For a worker whose handlers are long: what is in its ring goes to the queue of all, from
    /// which everybody takes in order; each entry to the place that is due to it by the time at
    /// which it became ready. If `first` is not null, the oldest of that queue is taken: true. Each
    /// handler costs that queue's lock once or twice, which is nothing beside what it does.
    static bool share(shared& s, worker& w, entry* first) noexcept
    {
        auto ring = w.owned_ring();
        std::uint32_t const size = ring.size();
        // The only entry there is is for this worker: it has come to its turn.
        if (size == 0 || (size == 1 && s.injected.empty()))
            return false;
        item entries[worker::queue::capacity];
        std::size_t count = 0;
        entry ready;
        for (ready_time since; count != worker::queue::capacity && ring.pop(ready, since); ++count)
            entries[count] = {ready.op, narrow<std::uint32_t>(ready.result), since};
        item taken{};
        std::size_t const moved = s.injected.exchange(entries, count, first ? &taken : nullptr);
        // Where there is no memory, the others stay: they come out of this ring, and fit, unless a
        // thief is just copying what it has claimed.
        for (std::size_t i = moved; i != count; ++i)
        {
            while (!ring.push(entry(entries[i].node, entries[i].result), entries[i].stamp))
                yield_thread();
        }
        notifier<Traits>::notify_one_by_worker(s);
        if (!taken.node)
            return false;
        w.count.injection_fetches.add(1);
        *first = shared::entry_of(taken);
        measuring<Traits>::takes(w, taken.stamp);
        return true;
    }

    /// Whether the lock of the queue of all is nothing beside the handlers of all workers.
    static bool handlers_are_long(shared& s, worker& w) noexcept
    {
        // Who looks after a fixed number of handlers is not to wait for others that long.
        if (s.runner.is_single() || w.turn.fixed())
            return false;
        auto const bound = (std::max)(std::chrono::nanoseconds(worker::long_handler),
            std::int64_t{s.sleepers.active()} * lock_transfer);
        return w.turn.unbiased_mean() >= (w.shares ? bound * 2 / 3 : bound);
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_SHARING_HPP
