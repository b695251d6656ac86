// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Where a worker of class stealing that has nothing left finds work.

#include "stealing.hpp"

#include <algorithm>

namespace simulation
{

namespace
{

// Most that comes from the common queue at once.
constexpr std::size_t batch = 128;

// Work that comes at longer intervals is not waited for by searching: weft's.
constexpr nanoseconds long_interval = 100'000;

} // namespace

/// Takes up to `most` entries out of the common queue and runs the first. False if it is empty.
bool stealing::fetch(std::size_t w, nanoseconds& now, std::size_t most)
{
    if (common_.empty())
        return false;
    worker& me = workers_[w];
    std::size_t const room = ring_capacity - (std::min)(ring_capacity, me.ring.size());
    std::size_t const count = (std::min)({most, batch, room + 1, common_.size()});
    now = lock(w, now, count);
    auto const end = common_.begin() + static_cast<std::ptrdiff_t>(count);
    entry const first = common_.front();
    // Older than what the worker has, if it has anything.
    bool const in_front = is(rules::age) && !policy_.to_the_back;
    ++me.changes;
    me.ring.insert(in_front ? me.ring.begin() : me.ring.end(), common_.begin() + 1, end);
    common_.erase(common_.begin(), end);
    if (count > 1)
        now = published(now);
    now = end_search(w, now + costs_.pop);
    run_handler(w, first, now);
    return true;
}

/// The same with the worker's share, as one that has nothing else.
bool stealing::idle_fetch(std::size_t w, nanoseconds& now)
{
    std::size_t const share = common_.size() / workers_.size() + 1;
    std::size_t const most = is(rules::age) ? fetched_at_once(workers_[w]) : batch;
    return fetch(w, now, (std::min)(share, most));
}

// Searching.

/// For a worker that has nothing left.
void stealing::find(std::size_t w, nanoseconds now)
{
    worker& me = workers_[w];
    if (idle_fetch(w, now))
        return;
    if (is(rules::age) && me.turn_ran != 0)
    {
        // The turn ends here; what comes next is not the handlers' time.
        now += costs_.clock;
        measure(me, now);
    }
    bool const polls_first = is(rules::go) || (is(rules::age) && policy_.eager_poll);
    if (polls_first && !me.polled && poll(w, now))
        return;
    if (!me.searching && (workers_.size() == 1 || !may_search()))
    {
        sleep(w, now);
        return;
    }
    note_idle(me, now);
    if (!me.searching)
    {
        me.searching = true;
        ++searchers_;
    }
    me.round = 0;
    search(w, now);
}

/// One round.
void stealing::search(std::size_t w, nanoseconds now)
{
    worker& me = workers_[w];
    if (steal_from_any(w, now))
        return;
    unsigned rounds = 0;
    if (is(rules::go))
        rounds = 3;
    if ((is(rules::weft) || is(rules::age)) && !me.low_rate)
        rounds = 5;
    if (me.round == rounds)
    {
        sleep(w, now);
        return;
    }
    ++me.round;
    me.is = phase::searching;
    schedule(w, now + (is(rules::go) ? 1 : costs_.pause));
}

/// From a random worker on; with seeks_oldest, from the one whose oldest entry is the oldest.
bool stealing::steal_from_any(std::size_t w, nanoseconds& now)
{
    std::size_t const n = workers_.size();
    std::size_t victim = random_.below(n);
    std::size_t best = nobody;
    for (std::size_t i = 0; i != n; ++i, ++victim)
    {
        victim %= n;
        if (victim == w)
            continue;
        if (look_at(w, victim, now).ring.empty())
            continue;
        if (best == nobody ||
            workers_[victim].ring.front().stamp < workers_[best].ring.front().stamp)
            best = victim;
        if (!policy_.seeks_oldest)
            break;
    }
    if (best == nobody)
        return false;
    bool const half = !is(rules::age) || policy_.thieves_take_half;
    steal(w, best, now, half ? ring_capacity : lasting(workers_[w], policy_.turn));
    return true;
}

/// Takes half of the victim's ring, but no more than `most`, and runs one of them.
void stealing::steal(std::size_t w, std::size_t victim, nanoseconds& now, std::size_t most)
{
    worker& me = workers_[w];
    worker& other = workers_[victim];
    std::size_t const half = other.ring.size() - other.ring.size() / 2;
    std::size_t const room = ring_capacity - (std::min)(ring_capacity, me.ring.size());
    std::size_t const count = (std::min)({half, most, room + 1});
    std::vector<entry> taken(
        other.ring.begin(), other.ring.begin() + static_cast<std::ptrdiff_t>(count));
    other.ring.erase(other.ring.begin(), other.ring.begin() + static_cast<std::ptrdiff_t>(count));
    ++other.changes;
    ++counts_.steals;
    counts_.moved += count;

    // Tokio and Go run the newest of them first, weft the oldest.
    bool const newest = is(rules::tokio) || is(rules::go);
    entry const first = newest ? taken.back() : taken.front();
    auto const begin = taken.begin() + (newest ? 0 : 1);
    auto const end = taken.end() - (newest ? 1 : 0);
    bool const in_front = is(rules::age) && !policy_.to_the_back;
    ++me.changes;
    me.ring.insert(in_front ? me.ring.begin() : me.ring.end(), begin, end);

    now += costs_.steal + costs_.moved * static_cast<nanoseconds>(count);
    if (is(rules::weft) || is(rules::age))
    {
        if (count > 1 || !other.ring.empty())
            now = published(now);
    }
    now = end_search(w, now);
    run_handler(w, first, now);
}

/// weft's: once for each time that there is nothing left.
void stealing::note_idle(worker& me, nanoseconds now)
{
    bool const known = me.idle_after == me.handlers;
    if (known && !me.slept)
        return;
    if (me.slept)
        me.low_rate = now - me.idle_since > long_interval;
    me.slept = false;
    if (known)
        return;
    me.idle_after = me.handlers;
    me.idle_since = now;
}

bool stealing::may_search() const
{
    std::size_t const n = workers_.size();
    if (is(rules::go))
        return 2 * searchers_ < n - sleeping();
    return 2 * searchers_ < n;
}

std::size_t stealing::sleeping() const
{
    return sleepers_.size() + (in_reactor_ == nobody ? 0 : 1);
}

bool stealing::work_in_sight() const
{
    return !common_.empty() || std::any_of(workers_.begin(), workers_.end(),
                                   [](worker const& other) { return !other.ring.empty(); });
}

/// Ends a search that found something, before that is run. Leaves the driver lock, too.
nanoseconds stealing::end_search(std::size_t w, nanoseconds now)
{
    worker& me = workers_[w];
    bool for_others = false;
    if (me.searching)
    {
        me.searching = false;
        --searchers_;
        bool const weft = is(rules::weft) || is(rules::age);
        for_others = searchers_ == 0 && (!weft || work_in_sight() || driver_lock_ == nobody);
    }
    if (me.has_driver_lock)
    {
        me.has_driver_lock = false;
        driver_lock_ = nobody;
        // weft publishes the free driver lock; the others leave the reactor alone.
        for_others = for_others || is(rules::weft) || is(rules::age);
    }
    return for_others ? published(now) : now;
}

} // namespace simulation
