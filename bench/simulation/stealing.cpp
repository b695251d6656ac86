// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "stealing.hpp"

#include <algorithm>
#include <cmath>

namespace simulation
{

namespace
{

constexpr std::uint64_t longest_turn = 128;

// Weights a mean over `count` handlers as if each had been recorded for itself.
double weight(std::uint64_t count)
{
    return 1 - std::pow(0.9, static_cast<double>(count));
}

constexpr nanoseconds interval_target = 200'000;
constexpr nanoseconds go_monitor = 10'000'000;

} // namespace

stealing::stealing(policy const& p, workload const& w, costs const& c)
    : machine(p, w, c), workers_(w.workers), seen_(w.workers * w.workers), random_(w.seed * 13 + 5)
{
    for (std::size_t i = 0; i != workers_.size(); ++i)
    {
        workers_[i].victim = i;
        if (is(rules::age))
            workers_[i].mean = 0;
    }
    if (is(rules::go))
        schedule(w.workers, go_monitor);
}

void stealing::step(std::size_t w, nanoseconds now)
{
    if (w == workers_.size())
    {
        // Go's monitor looks at the reactor if nobody has for long.
        if (now - last_poll_ >= go_monitor && driver_lock_ == nobody)
        {
            last_poll_ = now;
            for (entry const e : collect(now, now))
            {
                common_.push_back(e);
                wake_one(now, false);
            }
        }
        schedule(w, now + go_monitor);
        return;
    }
    worker& me = workers_[w];
    switch (me.is)
    {
    case phase::working:
        next(w, now);
        break;
    case phase::asleep:
        if (me.has_driver_lock)
        {
            report(w, now);
        }
        else
        {
            me.is = phase::working;
            next(w, now);
        }
        break;
    case phase::reporting:
        reported(w, now);
        break;
    case phase::searching:
        if (idle_fetch(w, now))
            break;
        search(w, now);
        break;
    }
}

// Running.

void stealing::run_handler(std::size_t w, entry e, nanoseconds now)
{
    worker& me = workers_[w];
    me.is = phase::working;
    me.polled = false;
    ++me.handlers;
    if (me.turn_ran++ == 0)
        me.clock = now;
    begin(w, e, now);
}

/// Runs the next handler of the worker's own, or looks for another.
void stealing::next(std::size_t w, nanoseconds now)
{
    worker& me = workers_[w];
    if (me.looking)
    {
        if (look_further(w, now))
            return;
    }
    else if (me.run_left == 0 && look(w, now))
        return;
    if (me.run_left != 0)
        --me.run_left;
    if (me.ring.empty())
    {
        find(w, now);
        return;
    }
    entry const e = me.ring.front();
    me.ring.pop_front();
    ++me.changes;
    now = end_search(w, now + costs_.pop);
    run_handler(w, e, now);
}

/// Looks at the reactor and at what others have, when the worker has run as many handlers as it
/// may. True if next() must not go on.
bool stealing::look(std::size_t w, nanoseconds& now)
{
    worker& me = workers_[w];
    me.looking = true;
    bool tick = false;
    if (is(rules::age))
    {
        now += costs_.clock;
        measure(me, now);
        tick = now - last_poll_ >= policy_.poll_gap;
        if (!tick && now - last_poll_ >= policy_.turn)
            tick = few_left(me) || (policy_.polls_in_rounds && round_over(me));
    }
    else if (is(rules::go))
        me.tick_left = 61; // only the common queue has its turn; the reactor has not
    else if (me.tick_left == 0)
    {
        tick = true;
        std::uint64_t const budget = is(rules::tokio) ? 61 : 128;
        now += costs_.clock;
        if (me.tick_count == budget)
        {
            double const mean =
                static_cast<double>(now - me.tick_start) / static_cast<double>(budget);
            double const part = weight(budget);
            me.mean = part * mean + (1 - part) * me.mean;
            double const wanted = static_cast<double>(interval_target) / me.mean;
            me.interval = static_cast<std::uint64_t>((std::min)((std::max)(wanted, 2.0), 127.0));
        }
        me.tick_start = now;
        me.tick_count = budget;
        me.tick_left = budget;
    }
    if (tick && poll(w, now))
        return true;
    return look_further(w, now);
}

bool stealing::look_further(std::size_t w, nanoseconds& now)
{
    worker& me = workers_[w];
    me.looking = false;
    if (is(rules::age))
        return look_by_age(w, now);

    std::uint64_t const turn = is(rules::go) ? 61 : (std::min)(me.interval, me.tick_left);
    me.run_left = turn;
    if (is(rules::weft))
    {
        me.relieved = !me.relieved && workers_.size() != 1 && relieve(w, now, turn);
        if (me.relieved)
            me.run_left = 1;
        me.tick_left -= me.run_left;
        // relieve() has begun a handler.
        if (me.relieved)
        {
            --me.run_left;
            return true;
        }
        // Alone, the order is that of one queue.
        if (workers_.size() == 1)
            return false;
        if (!idle_fetch(w, now))
            return false;
        --me.run_left;
        return true;
    }
    me.tick_left -= me.run_left;
    return fetch(w, now, 1);
}

/// How many handlers last that long, by what they took of late: at least one.
std::uint64_t stealing::lasting(worker const& me, nanoseconds time) const
{
    if (me.mean <= 0)
        return 1;
    double const wanted = static_cast<double>(time) / me.mean;
    return static_cast<std::uint64_t>(
        (std::min)((std::max)(wanted, 1.0), static_cast<double>(longest_turn)));
}

/// How many entries the worker takes out of the common queue. What it leaves in its ring meanwhile
/// is overtaken if the first turns out to be long.
std::uint64_t stealing::fetched_at_once(worker const& me) const
{
    if (!me.shares)
        return lasting(me, policy_.turn);
    std::uint64_t const most = lasting(me, policy_.shared_turn);
    if (policy_.shared_part == 0)
        return most;
    std::uint64_t const due = common_.size() / workers_.size();
    std::uint64_t const few = (std::min)(due, lasting(me, policy_.turn));
    return (std::max)({std::uint64_t{1}, few, (std::min)(due / policy_.shared_part, most)});
}

/// At a look: what the handlers took since the last one.
void stealing::measure(worker& me, nanoseconds now)
{
    if (me.turn_ran != 0)
    {
        nanoseconds const took = now - me.clock;
        double const mean = static_cast<double>(took) / static_cast<double>(me.turn_ran);
        double const part = me.mean == 0 ? 1 : weight(me.turn_ran);
        me.mean = part * mean + (1 - part) * me.mean;
        if (took > 2 * policy_.turn)
            me.turn = 1;
        else
            me.turn = (std::min)(2 * me.turn, lasting(me, policy_.turn));
    }
    me.turn_ran = 0;
    me.clock = now;
    auto const each = policy_.shared_from_each * static_cast<nanoseconds>(workers_.size());
    auto from = static_cast<double>((std::max)(policy_.shared_from, each));
    if (policy_.hesitates && me.shares)
        from /= 2;
    me.shares = workers_.size() > 1 && me.mean >= from &&
                (me.mean >= static_cast<double>(policy_.shared_if_few) || many_wait(me));
}

/// How many entries are in its ring and in the common queue.
std::size_t stealing::in_sight(worker const& me) const
{
    return common_.size() + me.ring.size();
}

/// Whether so much is queued that handlers are shared which are not very long.
bool stealing::many_wait(worker const& me) const
{
    return in_sight(me) >= (me.shares ? policy_.few / 2 : policy_.few);
}

/// Whether the workers will soon have nothing to do.
bool stealing::few_left(worker const& me) const
{
    return static_cast<double>(in_sight(me)) <
           policy_.polls_below * static_cast<double>(workers_.size());
}

/// Whether what was queued at the last look at the reactor has been served.
bool stealing::round_over(worker const& me) const
{
    return (me.ring.empty() || me.ring.front().stamp > last_poll_) &&
           (common_.empty() || common_.front().stamp > last_poll_);
}

/// Another worker's ring, as it is; nothing has to be fetched if it is as it was.
stealing::worker const& stealing::look_at(std::size_t w, std::size_t other, nanoseconds& now)
{
    std::uint64_t& seen = seen_[w * workers_.size() + other];
    worker const& it = workers_[other];
    now += seen == it.changes ? costs_.look_again : costs_.remote_look;
    seen = it.changes;
    ++counts_.remote_looks;
    return it;
}

bool stealing::look_by_age(std::size_t w, nanoseconds& now)
{
    worker& me = workers_[w];
    me.run_left = me.turn;
    if (me.ring.empty())
        return false;
    nanoseconds const slack =
        (std::max)(policy_.slack, static_cast<nanoseconds>(policy_.slack_means * me.mean));
    nanoseconds oldest = me.ring.front().stamp;
    bool from_common = false;
    std::size_t from = nobody;
    if (!common_.empty() &&
        common_.front().stamp < oldest - (me.shares || workers_.size() == 1 ? 0 : slack))
    {
        from_common = true;
        oldest = common_.front().stamp;
    }
    else
        oldest -= slack;
    std::size_t const n = workers_.size();
    std::size_t const looks = (std::min)(static_cast<std::size_t>(policy_.others), n - 1);
    std::size_t candidate = me.victim;
    for (std::size_t i = 0; i != looks; ++i, ++candidate)
    {
        if (candidate % n == w)
            ++candidate;
        candidate %= n;
        auto const& other = look_at(w, candidate, now).ring;
        if (!other.empty() && other.front().stamp < oldest)
        {
            from = candidate;
            oldest = other.front().stamp;
        }
    }
    me.victim = from == nobody ? candidate % n : from;
    std::size_t const most = policy_.takes_half ? ring_capacity : lasting(me, policy_.turn);
    if (from != nobody)
    {
        steal(w, from, now, most);
        --me.run_left;
        return true;
    }
    if (from_common && fetch(w, now, fetched_at_once(me)))
    {
        --me.run_left;
        return true;
    }
    return false;
}

/// weft's: a busy worker steals from one that is in the same handler as when it last looked.
bool stealing::relieve(std::size_t w, nanoseconds& now, std::uint64_t turn)
{
    worker& me = workers_[w];
    me.relief_left -= (std::min)(me.relief_left, turn);
    if (me.relief_left != 0)
        return false;
    double const wanted = static_cast<double>(interval_target) / me.mean;
    me.relief_left = static_cast<std::uint64_t>((std::max)(wanted, 1.0));

    worker const& other = look_at(w, me.candidate, now);
    if (me.candidate != w && other.handlers == me.sample && !other.ring.empty())
    {
        steal(w, me.candidate, now, ring_capacity);
        return true;
    }
    me.candidate = random_.below(workers_.size() - 1);
    if (me.candidate >= w)
        ++me.candidate;
    me.sample = workers_[me.candidate].handlers;
    return false;
}

} // namespace simulation
