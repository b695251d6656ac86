// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef BENCH_SIMULATION_STEALING_HPP
#define BENCH_SIMULATION_STEALING_HPP

#include "machine.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace simulation
{

/// Schedulers with a ring for each worker: Tokio's, Go's, weft's and the one that is proposed.
class stealing final : public machine
{
public:
    stealing(policy const& p, workload const& w, costs const& c);

private:
    enum class phase
    {
        working,
        asleep,    // or woken, but not on the processor yet
        reporting, // in the reactor, which has something
        searching
    };

    static constexpr std::size_t ring_capacity = 256;

    struct worker
    {
        std::deque<entry> ring;
        phase is = phase::working;
        bool has_driver_lock = false; // may look at the reactor
        bool searching = false;       // is counted among those that search
        bool looking = false;         // in the middle of a look
        bool polled = false;          // since it last ran a handler
        bool slept = false;
        unsigned round = 0;       // of the search
        std::vector<entry> found; // in the reactor

        std::uint64_t handlers = 0;
        std::uint64_t changes = 0;   // of the ring
        std::uint64_t run_left = 0;  // handlers until the next look
        std::uint64_t tick_left = 0; // and until the next look at the reactor
        std::uint64_t tick_count = 0;
        nanoseconds tick_start = 0;
        double mean = 200e3 / 61;
        std::uint64_t interval = 61;

        // weft's relief, and how rare its work is.
        std::uint64_t relief_left = 0;
        std::size_t candidate = 0;
        std::uint64_t sample = 0;
        bool relieved = false;
        bool low_rate = false;
        std::uint64_t idle_after = static_cast<std::uint64_t>(-1);
        nanoseconds idle_since = 0;

        // Of `age`.
        std::uint64_t turn = 1;
        std::uint64_t turn_ran = 0;
        nanoseconds clock = 0;
        std::size_t victim = 0;
        bool shares = false; // what it gets goes to the common queue
    };

    void step(std::size_t w, nanoseconds now) override;
    nanoseconds posted(std::size_t w, entry e, nanoseconds now) override;
    void post_from_outside(entry e, nanoseconds now) override;

    void next(std::size_t w, nanoseconds now);
    void run_handler(std::size_t w, entry e, nanoseconds now);
    bool look(std::size_t w, nanoseconds& now);
    bool look_further(std::size_t w, nanoseconds& now);
    worker const& look_at(std::size_t w, std::size_t other, nanoseconds& now);
    std::size_t in_sight(worker const& me) const;
    bool few_left(worker const& me) const;
    bool many_wait(worker const& me) const;
    bool round_over(worker const& me) const;
    bool look_by_age(std::size_t w, nanoseconds& now);
    void measure(worker& me, nanoseconds now);
    std::uint64_t lasting(worker const& me, nanoseconds time) const;
    std::uint64_t fetched_at_once(worker const& me) const;
    bool relieve(std::size_t w, nanoseconds& now, std::uint64_t turn);

    bool fetch(std::size_t w, nanoseconds& now, std::size_t most);
    bool idle_fetch(std::size_t w, nanoseconds& now);
    void find(std::size_t w, nanoseconds now);
    void search(std::size_t w, nanoseconds now);
    bool steal_from_any(std::size_t w, nanoseconds& now);
    void steal(std::size_t w, std::size_t victim, nanoseconds& now, std::size_t most);
    void note_idle(worker& me, nanoseconds now);
    void sleep(std::size_t w, nanoseconds now);

    bool poll(std::size_t w, nanoseconds now);
    void report(std::size_t w, nanoseconds now);
    void reported(std::size_t w, nanoseconds now);
    void place(std::size_t w, entry e);
    nanoseconds place_all(std::size_t w, std::vector<entry> const& es, nanoseconds now);

    bool wake_one(nanoseconds now, bool as_searcher);
    nanoseconds published(nanoseconds now);
    nanoseconds end_search(std::size_t w, nanoseconds now);
    bool work_in_sight() const;
    bool may_search() const;
    std::size_t sleeping() const;

    bool is(rules r) const
    {
        return policy_.kind == r;
    }

    std::vector<worker> workers_;
    std::vector<std::uint64_t> seen_; // by each worker, of each
    std::vector<std::size_t> sleepers_;
    random_numbers random_;
    std::size_t searchers_ = 0;
    std::size_t driver_lock_ = nobody;
    nanoseconds last_poll_ = 0;
};

} // namespace simulation

#endif // BENCH_SIMULATION_STEALING_HPP
