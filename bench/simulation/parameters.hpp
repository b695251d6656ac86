// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef BENCH_SIMULATION_PARAMETERS_HPP
#define BENCH_SIMULATION_PARAMETERS_HPP

// What is simulated: what each step costs, which policy the workers follow, what they are asked to
// do. All times are nanoseconds of simulated time.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace simulation
{

using nanoseconds = std::int64_t;

constexpr nanoseconds never = (std::numeric_limits<nanoseconds>::max)();

/// What steps cost. The defaults are of the size that was measured on machines with two cores.
struct costs
{
    nanoseconds pop = 5;           ///< an entry from the worker's own ring, or into it
    nanoseconds remote_look = 100; ///< a look at another worker's ring
    nanoseconds look_again = 10;   ///< the same, if nothing has changed there since the last look
    nanoseconds steal = 200;       ///< taking entries from another ring, however many
    nanoseconds moved = 5;         ///< and each of them
    nanoseconds poll = 800;        ///< a look at the reactor
    nanoseconds event = 100;       ///< and each event it reports
    nanoseconds wake = 5000;       ///< from the decision to wake a sleeper until it runs
    nanoseconds waker = 1000;      ///< what waking costs the one that wakes
    nanoseconds clock = 45;        ///< reading the clock
    nanoseconds lock = 25;         ///< holding a queue's lock, as its last holder
    nanoseconds lock_moved = 100;  ///< holding it after another worker
    nanoseconds pause = 1000;      ///< between two rounds of a search
    std::size_t events_at_once = 128;
};

enum class rules
{
    ideal, ///< one FIFO queue, everything at once and at no cost
    asio,  ///< one FIFO queue under a lock, the reactor once in each round of it
    tokio,
    go,
    weft, ///< the reactor every 128 handlers, half a ring from who is stuck in a handler
    age   ///< entries carry the time at which they came; see `policy`
};

/// How workers find work.
struct policy
{
    std::string name;
    rules kind = rules::ideal;

    // The rest is of `age` only.
    nanoseconds turn = 20'000;        ///< T: between two looks of a worker
    nanoseconds poll_gap = 200'000;   ///< P: between two looks at the reactor, of all workers
    nanoseconds slack = 20'000;       ///< S: what is older by more than this goes first ...
    double slack_means = 2;           ///< ... and by more than so many handlers
    unsigned others = 2;              ///< d: rings that a look compares with
    bool thieves_take_half = false;   ///< not only as many as last until their next look
    bool takes_half = false;          ///< the same for those that are busy
    bool to_the_back = false;         ///< what a busy worker took waits behind what it has
    bool seeks_oldest = false;        ///< thieves compare all rings
    nanoseconds shared_from = never;  ///< L: handlers this long go to the common queue ...
    nanoseconds shared_from_each = 0; ///< ... or this long for each worker, if that is longer
    bool hesitates = false;           ///< until they are half as long
    nanoseconds shared_if_few = 0;    ///< ... or this long while few wait, if that is longer:
    unsigned few = 8;                 ///< less than so many in all, or half as many
    nanoseconds shared_turn = 10'000; ///< and so many are taken from there as last this long
    unsigned shared_part = 0;         ///< if set, at most one in so many of a share, or T's worth
    unsigned wakes = 1;               ///< sleepers woken at once, for as many entries
    bool eager_poll = false;          ///< who has nothing looks at the reactor before it steals
    bool polls_in_rounds = false; ///< ... or when what was queued at the last look has been served
    double polls_below = 0;       ///< entries per worker, in its ring and the common queue
    bool polls_again = false; ///< a reactor that reported as much as it can is looked at next time
};

enum class arrivals
{
    open,   ///< at random times, at a rate that is a share of what the workers can do
    closed, ///< from connections, each some time after its last answer
    chains  ///< each handler posts the next
};

enum class durations
{
    constant,
    exponential,
    bimodal ///< one in a hundred takes a hundred times as long
};

struct workload
{
    unsigned workers = 2;
    arrivals from = arrivals::open;
    double load = 0.8;               ///< open: the share
    unsigned connections = 32;       ///< closed and chains: how many
    nanoseconds round_trip = 50'000; ///< closed: from an answer to the next request, on average
    durations spread = durations::exponential;
    nanoseconds work = 10'000; ///< the mean; bimodal: that of the short ones
    std::size_t requests = 40'000;
    std::uint64_t seed = 1;
};

} // namespace simulation

#endif // BENCH_SIMULATION_PARAMETERS_HPP
