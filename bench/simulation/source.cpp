// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "source.hpp"

#include <algorithm>
#include <cmath>

namespace simulation
{

namespace
{

constexpr nanoseconds probe_work = 1000;

// Of each kind of probe there is one for so many requests.
constexpr double requests_per_probe = 100;

} // namespace

std::uint64_t random_numbers::next()
{
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

nanoseconds random_numbers::exponential(double mean)
{
    return static_cast<nanoseconds>(-std::log(1 - uniform()) * mean);
}

double mean_work(workload const& w)
{
    auto const work = static_cast<double>(w.work);
    return w.spread == durations::bimodal ? work * 1.99 : work;
}

double capacity(workload const& w, costs const& c)
{
    // One thread at a time is in the reactor: it reports no more events than that one can.
    auto const at_once = static_cast<double>(c.events_at_once);
    double const event = static_cast<double>(c.event) + static_cast<double>(c.poll) / at_once;
    double const serving = mean_work(w) + event + static_cast<double>(c.pop);
    return (std::min)(w.workers / serving, 0.8 / event);
}

source::source(workload const& w, costs const& c)
    : load_(w), times_(w.seed), works_(w.seed * 31 + 7), probes_(w.seed * 17 + 3)
{
    records_.reserve(w.requests + w.requests / 16 + w.connections + 4096);
    double const best = 1 / capacity(w, c);
    switch (w.from)
    {
    case arrivals::open:
        gap_ = best / w.load;
        next_request_ = times_.exponential(gap_);
        break;
    case arrivals::closed:
        for (unsigned i = 0; i != w.connections; ++i)
        {
            double const at = times_.uniform() * static_cast<double>(w.round_trip);
            returning_.push(static_cast<nanoseconds>(at));
        }
        gap_ = best;
        break;
    case arrivals::chains:
        gap_ = best;
        break;
    }
    probe_gap_ = gap_ * requests_per_probe;
    next_timer_ = probes_.exponential(probe_gap_);
    next_post_ = probes_.exponential(probe_gap_);
}

nanoseconds source::duration()
{
    double const u = works_.uniform();
    auto const work = static_cast<double>(load_.work);
    switch (load_.spread)
    {
    case durations::constant:
        break;
    case durations::exponential:
        return static_cast<nanoseconds>(-std::log(1 - u) * work) + 1;
    case durations::bimodal:
        return u < 0.01 ? load_.work * 100 : load_.work;
    }
    return load_.work;
}

source::id source::add(nanoseconds ready, kind what)
{
    record r;
    r.ready = ready;
    r.what = what;
    r.work = what == kind::request ? duration() : (std::min)(probe_work, load_.work);
    records_.push_back(r);
    if (what == kind::request && ++requests_ == load_.requests)
    {
        stopped_ = ready;
        next_request_ = next_timer_ = next_post_ = never;
        returning_ = {};
    }
    return static_cast<id>(records_.size() - 1);
}

std::vector<source::id> source::first()
{
    std::vector<id> ids;
    if (load_.from == arrivals::chains)
        for (unsigned i = 0; i != load_.connections; ++i)
            ids.push_back(add(0, kind::request));
    return ids;
}

nanoseconds source::next_event() const
{
    nanoseconds const back = returning_.empty() ? never : returning_.top();
    return (std::min)({next_request_, next_timer_, back});
}

source::id source::take_event()
{
    nanoseconds const now = next_event();
    if (now == next_timer_)
    {
        next_timer_ += 1 + probes_.exponential(probe_gap_);
        return add(now, kind::timer);
    }
    if (now == next_request_)
        next_request_ += 1 + times_.exponential(gap_);
    else
        returning_.pop();
    return add(now, kind::request);
}

source::id source::take_post()
{
    nanoseconds const now = next_post_;
    next_post_ += 1 + probes_.exponential(probe_gap_);
    return add(now, kind::post);
}

bool source::ends(id i, nanoseconds now, id& next)
{
    records_[i].end = now;
    ++ended_;
    if (records_[i].what != kind::request || stopped_ != never)
        return false;
    if (load_.from == arrivals::closed)
    {
        // A fifth more or less, or all connections would go in step for ever.
        double const part = 0.8 + 0.4 * times_.uniform();
        returning_.push(
            now + static_cast<nanoseconds>(static_cast<double>(load_.round_trip) * part));
    }
    if (load_.from != arrivals::chains)
        return false;
    next = add(now, kind::request);
    return true;
}

} // namespace simulation
