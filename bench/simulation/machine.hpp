// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef BENCH_SIMULATION_MACHINE_HPP
#define BENCH_SIMULATION_MACHINE_HPP

#include "result.hpp"
#include "source.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <queue>
#include <vector>

namespace simulation
{

/// What is queued: a handler, and when whoever queued it last looked at the clock.
struct entry
{
    source::id id = 0;
    nanoseconds stamp = 0;
};

/// Workers, their queues, the common queue, the reactor, and the order of what happens.
///
/// Every step of a worker happens at one moment, and the worker does the next one when the step's
/// cost has passed. A policy says what the steps are.
class machine
{
public:
    machine(policy const& p, workload const& w, costs const& c);
    virtual ~machine() = default;
    machine(machine const&) = delete;
    machine& operator=(machine const&) = delete;

    result run();

protected:
    static constexpr std::size_t nobody = static_cast<std::size_t>(-1);

    /// The worker has just ended a handler (if it ran one), or what it waited for has come.
    virtual void step(std::size_t w, nanoseconds now) = 0;

    /// Puts what a worker's handler has posted where it belongs; what that costs.
    virtual nanoseconds posted(std::size_t w, entry e, nanoseconds now) = 0;

    /// The same for what comes from outside.
    virtual void post_from_outside(entry e, nanoseconds now) = 0;

    /// The worker runs a handler from `now` on; step() follows.
    void begin(std::size_t w, entry e, nanoseconds now);

    /// step() follows at that time.
    void schedule(std::size_t w, nanoseconds at)
    {
        events_.push({at, ++last_event_, w});
    }

    /// Holds the common queue's lock, after waiting for it, for as long as it takes to move so many
    /// entries; returns until when.
    nanoseconds lock(std::size_t w, nanoseconds now, std::size_t entries = 1);

    /// The worker sleeps in the reactor: it is woken when that has something.
    void sleep_in_reactor(std::size_t w)
    {
        in_reactor_ = w;
    }

    /// Takes out of the reactor what is ready at that time, as much as it reports at once.
    std::vector<entry> collect(nanoseconds now, nanoseconds stamp);

    /// What the reactor takes to report so many.
    nanoseconds poll_cost(std::size_t events) const
    {
        return costs_.poll + costs_.event * static_cast<nanoseconds>(events);
    }

    policy const policy_;
    workload const load_;
    costs const costs_;
    source source_;
    counts counts_;
    std::deque<entry> common_;
    std::size_t in_reactor_ = nobody; // who sleeps there

private:
    struct event
    {
        nanoseconds at;
        std::uint64_t number;
        std::size_t worker;

        bool operator>(event const& other) const
        {
            return at != other.at ? at > other.at : number > other.number;
        }
    };

    std::priority_queue<event, std::vector<event>, std::greater<>> events_;
    std::uint64_t last_event_ = 0;
    std::vector<entry> running_;
    std::vector<bool> runs_;
    nanoseconds wake_;
    nanoseconds lock_free_ = 0;
    std::size_t lock_holder_ = nobody;
};

/// One run of a policy: the same arguments, the same result.
result simulate(policy const& p, workload const& w, costs const& c);

} // namespace simulation

#endif // BENCH_SIMULATION_MACHINE_HPP
