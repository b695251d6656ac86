// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "timeline.hpp"

#include <weft/platform/visibility.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <tuple>
#include <utility>

namespace weft
{
namespace detail
{

inline namespace WEFT_LOCAL
{

/// What is to be connected when all slices are known.
struct arrow_end
{
    std::uint64_t time = 0;
    std::size_t worker = 0; ///< the one that does it, as a position
    std::size_t other = 0;  ///< whom it is done to, as a number
    std::uint64_t since = 0;
};

struct arrow_ends
{
    std::vector<arrow_end> steals;
    std::vector<arrow_end> wakes;
    std::vector<arrow_end> awakenings;
};

/// Makes slices of the events of one worker.
class slicer
{
public:
    slicer(worker_timeline& out, std::vector<depth_sample>& injected, arrow_ends& arrows,
        std::size_t position)
        : out_(out), injected_(injected), arrows_(arrows), position_(position)
    {
    }

    void take(event const& e)
    {
        switch (e.kind)
        {
        case event_kind::handler:
            return begin_alone(e, slice::handler);
        case event_kind::io:
            return begin_alone(e, slice::io);
        case event_kind::resumed:
            return begin_alone(e, slice::resumed);
        case event_kind::idle:
            return begin_alone(e, slice::searching);
        case event_kind::park:
            depth(e.time, 0);
            slept_at_ = e.time;
            return begin_alone(e, e.payload != 0 ? slice::in_reactor : slice::asleep);
        case event_kind::unpark:
            if (e.payload != 0)
                arrows_.awakenings.push_back({e.time, position_, out_.worker, slept_at_});
            return begin_alone(e, slice::searching);
        case event_kind::look:
            return begin_alone(e, slice::look);
        case event_kind::looked:
            return end_look(e);
        case event_kind::nest_begin:
            return begin_nested_run(e);
        case event_kind::nest_end:
            return end_nested_run(e);
        case event_kind::join:
        case event_kind::leave:
        case event_kind::off:
            return end_all(e.time);
        default:
            return take_inner(e);
        }
    }

    /// Nothing follows.
    void finish(std::uint64_t now)
    {
        for (open_slice& o : open_)
            o.what.unfinished = true;
        end_all(now);
        std::sort(out_.slices.begin(), out_.slices.end(),
            [](slice const& a, slice const& b) { return a.begin < b.begin; });
    }

private:
    struct open_slice
    {
        slice what;
        bool nested_run; // no slice: what follows is inside the handler before
    };

    /// What does not end the running handler.
    void take_inner(event const& e)
    {
        switch (e.kind)
        {
        case event_kind::wake:
            arrows_.wakes.push_back(
                {e.time, position_, static_cast<std::size_t>(e.payload), e.time});
            break;
        case event_kind::steal:
            arrows_.steals.push_back(
                {e.time, position_, static_cast<std::size_t>(second_count(e.payload)), e.time});
            break;
        case event_kind::depth:
            depth(e.time, first_count(e.payload));
            injected_.push_back({e.time, second_count(e.payload)});
            break;
        case event_kind::span_begin:
            begin(e.time, slice::span, e.payload);
            break;
        case event_kind::span_end:
            end_innermost(e.time, slice::span, e.payload);
            break;
        case event_kind::object:
            object_ = e.payload;
            break;
        case event_kind::operation:
            begin(e.time, slice::operation, e.payload);
            open_.back().what.object = object_;
            object_ = 0;
            break;
        case event_kind::location:
            if (!open_.empty() && open_.back().what.kind == slice::operation)
                open_.back().what.place = e.payload;
            break;
        case event_kind::operation_end:
            end_innermost(e.time, slice::operation, e.payload);
            break;
        default:
            break;
        }
    }

    void begin(std::uint64_t time, slice::kind_type kind, std::uint64_t payload)
    {
        open_slice o{};
        o.what.begin = time;
        o.what.kind = kind;
        o.what.payload = payload;
        o.what.inner = std::any_of(
            open_.begin(), open_.end(), [](open_slice const& other) { return !other.nested_run; });
        open_.push_back(o);
    }

    /// In place of what went on so far, inside the same call of run().
    void begin_alone(event const& e, slice::kind_type kind)
    {
        end_this_run(e.time);
        begin(e.time, kind, e.payload);
    }

    void end_look(event const& e)
    {
        if (open_.empty() || open_.back().nested_run || open_.back().what.kind != slice::look)
            return;
        open_.back().what.payload = e.payload;
        end_last(e.time);
    }

    void begin_nested_run(event const& e)
    {
        open_slice o{};
        o.what.begin = e.time;
        o.nested_run = true;
        open_.push_back(o);
    }

    void end_nested_run(event const& e)
    {
        end_this_run(e.time);
        if (!open_.empty())
            open_.pop_back();
    }

    void end_this_run(std::uint64_t time)
    {
        while (!open_.empty() && !open_.back().nested_run)
            end_last(time);
    }

    void end_all(std::uint64_t time)
    {
        while (!open_.empty())
            end_last(time);
    }

    /// What has ended already, with the handler it was in, is not found.
    void end_innermost(std::uint64_t time, slice::kind_type kind, std::uint64_t payload)
    {
        for (std::size_t i = open_.size(); i != 0 && !open_[i - 1].nested_run; --i)
            if (open_[i - 1].what.kind == kind && open_[i - 1].what.payload == payload)
            {
                while (open_.size() >= i)
                    end_last(time);
                return;
            }
    }

    void end_last(std::uint64_t time)
    {
        open_slice& last = open_.back();
        last.what.end = time;
        // Otherwise an event among them was lost.
        if (!last.nested_run && last.what.end > last.what.begin)
            out_.slices.push_back(last.what);
        open_.pop_back();
    }

    void depth(std::uint64_t time, std::uint64_t count)
    {
        out_.depths.push_back({time, count});
    }

    worker_timeline& out_;
    std::vector<depth_sample>& injected_;
    arrow_ends& arrows_;
    std::size_t const position_;
    std::vector<open_slice> open_;
    std::uint64_t object_ = 0;
    std::uint64_t slept_at_ = 0;
};

/// Whether anything goes on at that time.
WEFT_INLINE bool is_covered(worker_timeline const& w, std::uint64_t time)
{
    auto after = std::upper_bound(w.slices.begin(), w.slices.end(), time,
        [](std::uint64_t t, slice const& s) { return t < s.begin; });
    while (after != w.slices.begin())
    {
        --after;
        if (after->end > time)
            return true;
        if (!after->inner)
            return false;
    }
    return false;
}

/// The first handler that begins then or later; of the worker's own, not inside another one. The
/// end if there is none before the worker sleeps again.
WEFT_INLINE std::vector<slice>::const_iterator next_handler(
    worker_timeline const& w, std::uint64_t time)
{
    auto s = std::lower_bound(w.slices.begin(), w.slices.end(), time,
        [](slice const& a, std::uint64_t t) { return a.begin < t; });
    for (; s != w.slices.end(); ++s)
    {
        if (s->kind == slice::handler || s->kind == slice::io || s->kind == slice::resumed)
            return s;
        if (s->kind == slice::asleep || s->kind == slice::in_reactor)
            break;
    }
    return w.slices.end();
}

class connector
{
public:
    explicit connector(timeline& t) : timeline_(t)
    {
        for (std::size_t i = 0; i != t.workers.size(); ++i)
            position_of_[t.workers[i].worker] = i;
    }

    void connect_steals(std::vector<arrow_end> const& steals)
    {
        for (arrow_end const& s : steals)
        {
            auto const victim = position_of_.find(s.other);
            if (victim != position_of_.end())
                connect(flow::steal, victim->second, s.time, s.worker, s.time);
        }
    }

    /// Each that was woken for work, with the last one that woke it.
    void connect_wakes(std::vector<arrow_end>& wakes, std::vector<arrow_end> const& awakenings)
    {
        std::sort(wakes.begin(), wakes.end(),
            [](arrow_end const& a, arrow_end const& b)
            { return a.other != b.other ? a.other < b.other : a.time < b.time; });
        for (arrow_end const& a : awakenings)
        {
            auto w = std::upper_bound(wakes.begin(), wakes.end(), a,
                [](arrow_end const& x, arrow_end const& y)
                { return x.other != y.other ? x.other < y.other : x.time < y.time; });
            if (w == wakes.begin())
                continue;
            --w;
            // It has said that it sleeps a moment after others could know.
            if (w->other == a.other && w->time + moment >= a.since)
                connect(flow::wake, w->worker, w->time, a.worker, a.time);
        }
    }

private:
    static constexpr std::uint64_t moment = 10'000;

    void connect(flow::kind_type kind, std::size_t from, std::uint64_t from_time, std::size_t to,
        std::uint64_t to_time)
    {
        worker_timeline const& target = timeline_.workers[to];
        auto const s = next_handler(target, to_time);
        if (from == to || s == target.slices.end() ||
            !is_covered(timeline_.workers[from], from_time))
            return;
        timeline_.flows.push_back({kind, from, from_time, to, s->begin});
    }

    timeline& timeline_;
    std::map<std::size_t, std::size_t> position_of_;
};

/// Makes waits of the events of all rings: who ends one is seldom who began it.
class wait_finder
{
public:
    explicit wait_finder(timeline& t) : timeline_(t)
    {
    }

    /// The events of one ring; `position` of its worker, or no_worker.
    void take(worker_recording const& from, std::size_t position)
    {
        std::uint64_t primitive = 0;
        for (event const& e : from.events)
            switch (e.kind)
            {
            case event_kind::wait_at:
                primitive = e.payload;
                break;
            case event_kind::wait_begin:
                if (primitive != 0)
                    found_.push_back({address_in(e.payload), e.time, true, position, primitive});
                primitive = 0;
                break;
            case event_kind::wait_end:
                found_.push_back(
                    {address_in(e.payload), e.time, false, position, small_in(e.payload)});
                break;
            default:
                break;
            }
    }

    void finish(std::uint64_t now)
    {
        // An operation that ends and one that begins in its memory then: in this order.
        std::sort(found_.begin(), found_.end(),
            [](wait_event const& a, wait_event const& b) {
                return std::tie(a.operation, a.time, a.begins) <
                       std::tie(b.operation, b.time, b.begins);
            });
        for (std::size_t i = 0; i != found_.size(); ++i)
            if (found_[i].begins)
                add(found_[i], i + 1 != found_.size() ? &found_[i + 1] : nullptr, now);
        auto& waits = timeline_.waits;
        std::sort(waits.begin(), waits.end(),
            [](wait const& a, wait const& b) { return a.begin < b.begin; });
        give_lanes();
    }

private:
    struct wait_event
    {
        std::uint64_t operation;
        std::uint64_t time;
        bool begins;
        std::size_t worker;
        std::uint64_t detail; // the primitive, or whether it has got what it wanted
    };

    void add(wait_event const& begin, wait_event const* next, std::uint64_t now)
    {
        bool const same = next && next->operation == begin.operation;
        // Another one is in its memory: the end was lost.
        if (same && next->begins)
            return;
        wait w;
        w.begin = begin.time;
        w.primitive = begin.detail;
        w.unfinished = !same;
        w.got = same && next->detail != 0;
        w.end = (std::max)(same ? next->time : now, begin.time + 1);
        w.from = place_of(begin);
        if (same)
            w.to = place_of(*next);
        timeline_.waits.push_back(w);
    }

    wait::place_in_worker place_of(wait_event const& e) const
    {
        if (e.worker == no_worker || !is_covered(timeline_.workers[e.worker], e.time))
            return {};
        return {e.worker, e.time};
    }

    /// The first that is free; a new one if none is.
    void give_lanes()
    {
        using end_and_lane = std::pair<std::uint64_t, std::size_t>;
        std::priority_queue<end_and_lane, std::vector<end_and_lane>, std::greater<>> busy;
        std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> free;
        for (wait& w : timeline_.waits)
        {
            for (; !busy.empty() && busy.top().first <= w.begin; busy.pop())
                free.push(busy.top().second);
            if (free.empty())
                free.push(timeline_.lanes++);
            w.lane = free.top();
            free.pop();
            busy.emplace(w.end, w.lane);
        }
    }

    timeline& timeline_;
    std::vector<wait_event> found_;
};

} // namespace WEFT_LOCAL

WEFT_INLINE timeline timeline_of(recording const& r)
{
    timeline result;
    arrow_ends arrows;
    std::vector<worker_recording const*> workers;
    for (worker_recording const& w : r.workers)
        if (w.worker != no_worker)
            workers.push_back(&w);
    result.workers.resize(workers.size());
    for (std::size_t i = 0; i != workers.size(); ++i)
    {
        worker_recording const& from = *workers[i];
        worker_timeline& to = result.workers[i];
        to.worker = from.worker;
        to.lost = from.lost;
        to.events = from.events.size();
        slicer s(to, result.injected, arrows, i);
        for (event const& e : from.events)
            s.take(e);
        s.finish(r.now);
    }
    std::sort(result.injected.begin(), result.injected.end(),
        [](depth_sample const& a, depth_sample const& b) { return a.time < b.time; });
    wait_finder waits(result);
    for (std::size_t i = 0; i != workers.size(); ++i)
        waits.take(*workers[i], i);
    for (worker_recording const& w : r.workers)
        if (w.worker == no_worker)
            waits.take(w, no_worker);
    waits.finish(r.now);
    connector c(result);
    c.connect_steals(arrows.steals);
    c.connect_wakes(arrows.wakes, arrows.awakenings);
    return result;
}

} // namespace detail
} // namespace weft
