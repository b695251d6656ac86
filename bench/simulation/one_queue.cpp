// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "one_queue.hpp"

namespace simulation
{

void ideal_queue::step(std::size_t w, nanoseconds now)
{
    for (std::vector<entry> found; !(found = collect(now, now)).empty();)
        events_.insert(events_.end(), found.begin(), found.end());

    // Posts and events are each in order.
    bool const from_reactor =
        !events_.empty() &&
        (common_.empty() || source_[events_.front().id].ready <= source_[common_.front().id].ready);
    std::deque<entry>& from = from_reactor ? events_ : common_;
    if (!from.empty())
    {
        begin(w, from.front(), now);
        from.pop_front();
        if (sleepers_.empty())
            return;
        w = sleepers_.back();
        sleepers_.pop_back();
        if (!events_.empty() || !common_.empty())
        {
            schedule(w, now);
            return;
        }
    }
    if (in_reactor_ == nobody)
        sleep_in_reactor(w);
    else
        sleepers_.push_back(w);
}

nanoseconds ideal_queue::posted(std::size_t, entry e, nanoseconds now)
{
    post_from_outside(e, now);
    return now;
}

void ideal_queue::post_from_outside(entry e, nanoseconds now)
{
    common_.push_back(e);
    if (in_reactor_ == nobody)
        return;
    schedule(in_reactor_, now);
    in_reactor_ = nobody;
}

asio_queue::asio_queue(policy const& p, workload const& w, costs const& c) : machine(p, w, c)
{
    common_.push_back({reactor_mark, 0});
}

void asio_queue::step(std::size_t w, nanoseconds now)
{
    if (w != polling_)
    {
        next(w, now);
        return;
    }
    if (reactor_ == reactor::awaited)
    {
        report(w, now);
        return;
    }
    now = lock(w, now, found_.size());
    common_.insert(common_.end(), found_.begin(), found_.end());
    common_.push_back({reactor_mark, 0});
    reactor_ = reactor::queued;
    polling_ = nobody;
    next(w, now);
}

/// Begins a look at the reactor; step() follows when it ends.
void asio_queue::report(std::size_t w, nanoseconds now)
{
    found_ = collect(now, now);
    reactor_ = reactor::reporting;
    schedule(w, now + poll_cost(found_.size()));
}

void asio_queue::next(std::size_t w, nanoseconds now)
{
    now = lock(w, now);
    if (common_.empty())
    {
        sleepers_.push_back(w);
        return;
    }
    entry const e = common_.front();
    common_.pop_front();
    bool const more = !common_.empty();
    if (e.id != reactor_mark)
    {
        if (more && wake_one(now))
            now += costs_.waker;
        begin(w, e, now + costs_.pop);
        return;
    }
    polling_ = w;
    if (more && wake_one(now))
        now += costs_.waker;
    if (more || source_.next_event() <= now)
        report(w, now);
    else
    {
        reactor_ = reactor::awaited;
        sleep_in_reactor(w);
    }
}

/// Wakes a sleeper, and the one in the reactor only if there is no other. False if all are awake.
bool asio_queue::wake_one(nanoseconds now)
{
    std::size_t woken = in_reactor_;
    if (!sleepers_.empty())
    {
        woken = sleepers_.front();
        sleepers_.pop_front();
    }
    else if (woken == nobody)
        return false;
    else
        in_reactor_ = nobody;
    ++counts_.wakes;
    schedule(woken, now + costs_.wake);
    return true;
}

nanoseconds asio_queue::posted(std::size_t w, entry e, nanoseconds now)
{
    now = lock(w, now);
    common_.push_back(e);
    return now;
}

void asio_queue::post_from_outside(entry e, nanoseconds now)
{
    now = lock(load_.workers, now);
    common_.push_back(e);
    wake_one(now);
}

} // namespace simulation
