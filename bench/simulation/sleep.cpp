// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// How a worker of class stealing sleeps, in the reactor or elsewhere, and what wakes it.

#include "stealing.hpp"

namespace simulation
{

void stealing::sleep(std::size_t w, nanoseconds now)
{
    worker& me = workers_[w];
    // weft looks everywhere once more; so does in the others whoever was the last to search.
    bool const last = me.searching && searchers_ == 1;
    if (is(rules::weft) || is(rules::age) || last)
    {
        if (idle_fetch(w, now))
            return;
        if (work_in_sight() && steal_from_any(w, now))
            return;
    }
    if (me.searching)
    {
        me.searching = false;
        --searchers_;
    }
    me.slept = true;
    me.tick_count = 0;
    me.turn = 1;
    me.turn_ran = 0;
    me.run_left = 0;
    me.looking = false;
    me.is = phase::asleep;
    if (driver_lock_ == nobody)
    {
        driver_lock_ = w;
        me.has_driver_lock = true;
    }
    if (!me.has_driver_lock)
        sleepers_.push_back(w);
    else if (source_.next_event() <= now)
        report(w, now);
    else
        sleep_in_reactor(w);
}

/// A look at the reactor by a worker that has other things to do. False if somebody else is there.
bool stealing::poll(std::size_t w, nanoseconds now)
{
    if (driver_lock_ != nobody)
        return false;
    driver_lock_ = w;
    workers_[w].has_driver_lock = true;
    workers_[w].polled = true;
    report(w, now);
    return true;
}

void stealing::report(std::size_t w, nanoseconds now)
{
    worker& me = workers_[w];
    last_poll_ = now;
    me.found = collect(now, now);
    // There may be more.
    if (policy_.polls_again && me.found.size() >= costs_.events_at_once)
        last_poll_ = now - policy_.poll_gap;
    bool const slept = me.is == phase::asleep;
    me.is = phase::reporting;
    if (slept)
        me.clock = now;
    schedule(w, now + poll_cost(me.found.size()));
}

void stealing::reported(std::size_t w, nanoseconds now)
{
    worker& me = workers_[w];
    me.is = phase::working;
    now = place_all(w, me.found, now);
    if (is(rules::age) && searchers_ == 0)
        for (std::size_t i = 1; i < policy_.wakes && i < me.found.size(); ++i)
            if (wake_one(now, true))
                now += costs_.waker;
    std::size_t const found = me.found.size();
    me.found.clear();
    me.has_driver_lock = false;
    driver_lock_ = nobody;
    if (is(rules::weft) || is(rules::age))
        now = published(now);
    else if (is(rules::tokio) && found > 1)
        now = published(now);
    next(w, now);
}

/// Puts what the reactor reported where it belongs.
nanoseconds stealing::place_all(std::size_t w, std::vector<entry> const& es, nanoseconds now)
{
    worker& me = workers_[w];
    std::size_t i = 0;
    if (is(rules::go))
    {
        // As many go to the common queue as there are sleepers, which are all woken.
        for (std::size_t idle = sleeping(); i < es.size() && i != idle; ++i)
        {
            common_.push_back(es[i]);
            if (wake_one(now, false))
                now += costs_.waker;
        }
    }
    if (me.shares && !es.empty())
    {
        now = lock(w, now, es.size());
        common_.insert(common_.end(), es.begin(), es.end());
        return now;
    }
    for (; i < es.size(); ++i)
        place(w, es[i]);
    return now;
}

/// Puts an entry into the worker's ring, and half of that into the common queue if it is full.
void stealing::place(std::size_t w, entry e)
{
    auto& ring = workers_[w].ring;
    ++workers_[w].changes;
    if (ring.size() == ring_capacity)
    {
        // weft moves the newest, the others the oldest.
        auto const half = static_cast<std::ptrdiff_t>(ring_capacity / 2);
        bool const weft = is(rules::weft) || is(rules::age);
        auto const from = weft ? ring.begin() + half : ring.begin();
        common_.insert(common_.end(), from, from + half);
        ring.erase(from, from + half);
    }
    ring.push_back(e);
}

nanoseconds stealing::posted(std::size_t w, entry e, nanoseconds now)
{
    worker& me = workers_[w];
    e.stamp = is(rules::age) ? me.clock : now;
    // One worker keeps the order of one queue.
    bool const alone = (is(rules::weft) || is(rules::age)) && workers_.size() == 1;
    if (me.shares || (alone && !common_.empty()))
    {
        now = lock(w, now);
        common_.push_back(e);
    }
    else
    {
        now += costs_.pop;
        place(w, e);
    }
    return published(now);
}

void stealing::post_from_outside(entry e, nanoseconds now)
{
    now = lock(workers_.size(), now);
    e.stamp = now;
    common_.push_back(e);
    published(now);
}

/// Something has been queued: one sleeper is woken, if nobody searches. When the caller goes on.
nanoseconds stealing::published(nanoseconds now)
{
    if (searchers_ != 0 || !wake_one(now, true))
        return now;
    return now + costs_.waker;
}

bool stealing::wake_one(nanoseconds now, bool as_searcher)
{
    std::size_t woken = in_reactor_;
    if (!sleepers_.empty())
    {
        woken = sleepers_.back();
        sleepers_.pop_back();
    }
    else if (woken == nobody)
        return false;
    else
        in_reactor_ = nobody;
    ++counts_.wakes;
    if (as_searcher)
    {
        workers_[woken].searching = true;
        ++searchers_;
    }
    schedule(woken, now + costs_.wake);
    return true;
}

} // namespace simulation
