// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef BENCH_SIMULATION_SOURCE_HPP
#define BENCH_SIMULATION_SOURCE_HPP

#include "parameters.hpp"

#include <cstddef>
#include <cstdint>
#include <queue>
#include <vector>

namespace simulation
{

/// Random numbers that are the same with every standard library (splitmix64).
class random_numbers
{
public:
    explicit random_numbers(std::uint64_t seed) : state_(seed)
    {
    }

    std::uint64_t next();

    /// From 0 to `count` - 1.
    std::size_t below(std::size_t count)
    {
        return static_cast<std::size_t>((next() >> 32) * count >> 32);
    }

    /// At least 0, less than 1.
    double uniform()
    {
        return static_cast<double>(next() >> 11) * 0x1p-53;
    }

    nanoseconds exponential(double mean);

private:
    std::uint64_t state_;
};

enum class kind : std::uint8_t
{
    request,
    timer, ///< a probe: expires in the reactor
    post   ///< a probe: comes from a thread that is no worker
};

/// One handler.
struct record
{
    nanoseconds ready = 0;
    nanoseconds begin = never;
    nanoseconds end = never;
    nanoseconds work = 0;
    kind what = kind::request;
};

/// Makes what the workers have to do, and remembers what became of it.
class source
{
public:
    using id = std::uint32_t;

    source(workload const& w, costs const& c);

    /// When the reactor has something next.
    nanoseconds next_event() const;

    /// The next event of the reactor.
    id take_event();

    /// When the next post comes from outside.
    nanoseconds next_post() const
    {
        return next_post_;
    }

    id take_post();

    /// Work with which chains begin.
    std::vector<id> first();

    void begins(id i, nanoseconds now)
    {
        records_[i].begin = now;
    }

    /// A handler has ended. True if it leaves its successor in `next`.
    bool ends(id i, nanoseconds now, id& next);

    record const& operator[](id i) const
    {
        return records_[i];
    }

    /// When the last request became ready; what is queued then is still served.
    nanoseconds stopped() const
    {
        return stopped_;
    }

    /// Nothing is left to be served.
    bool finished() const
    {
        return stopped_ != never && ended_ == records_.size();
    }

    std::vector<record> const& records() const
    {
        return records_;
    }

private:
    id add(nanoseconds ready, kind what);
    nanoseconds duration();

    workload load_;
    random_numbers times_;
    random_numbers works_;
    random_numbers probes_;
    double gap_ = 0;       // between two requests of an open loop
    double probe_gap_ = 0; // between two timers, and two posts
    nanoseconds next_request_ = never;
    nanoseconds next_timer_ = never;
    nanoseconds next_post_ = never;
    std::priority_queue<nanoseconds, std::vector<nanoseconds>, std::greater<>> returning_;
    std::vector<record> records_;
    std::size_t requests_ = 0;
    std::size_t ended_ = 0;
    nanoseconds stopped_ = never;
};

/// The mean duration of a handler of the workload.
double mean_work(workload const& w);

/// Requests per nanosecond that the workers could serve, if none of them ever lacked work.
double capacity(workload const& w, costs const& c);

} // namespace simulation

#endif // BENCH_SIMULATION_SOURCE_HPP
