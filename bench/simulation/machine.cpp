// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "machine.hpp"

#include "one_queue.hpp"
#include "stealing.hpp"

#include <algorithm>
#include <memory>

namespace simulation
{

machine::machine(policy const& p, workload const& w, costs const& c)
    : policy_(p), load_(w), costs_(c), source_(w, c), running_(w.workers + 1), runs_(w.workers + 1),
      wake_(p.kind == rules::ideal ? 0 : c.wake)
{
}

result machine::run()
{
    for (std::size_t w = 0; w != load_.workers; ++w)
        schedule(w, 0);
    std::vector<source::id> const chains = source_.first();
    for (std::size_t i = 0; i != chains.size(); ++i)
        posted(i % load_.workers, {chains[i], 0}, 0);

    while (!source_.finished())
    {
        nanoseconds const worker = events_.empty() ? never : events_.top().at;
        nanoseconds const post = source_.next_post();
        nanoseconds const ready = in_reactor_ == nobody ? never : source_.next_event();
        if (post <= worker && post <= ready)
        {
            post_from_outside({source_.take_post(), post}, post);
        }
        else if (ready <= worker)
        {
            std::size_t const sleeper = in_reactor_;
            in_reactor_ = nobody;
            schedule(sleeper, ready + wake_);
        }
        else
        {
            std::size_t const w = events_.top().worker;
            events_.pop();
            nanoseconds now = worker;
            if (runs_[w])
            {
                runs_[w] = false;
                source::id next = 0;
                if (source_.ends(running_[w].id, now, next))
                    now = posted(w, {next, now}, now);
            }
            step(w, now);
        }
    }
    return evaluate(source_, counts_);
}

void machine::begin(std::size_t w, entry e, nanoseconds now)
{
    ++counts_.handlers;
    source_.begins(e.id, now);
    running_[w] = e;
    runs_[w] = true;
    schedule(w, now + source_[e.id].work);
}

nanoseconds machine::lock(std::size_t w, nanoseconds now, std::size_t entries)
{
    nanoseconds const hold = (w == lock_holder_ ? costs_.lock : costs_.lock_moved) +
                             costs_.moved * static_cast<nanoseconds>(entries);
    lock_holder_ = w;
    lock_free_ = (std::max)(now, lock_free_) + hold;
    return lock_free_;
}

std::vector<entry> machine::collect(nanoseconds now, nanoseconds stamp)
{
    ++counts_.polls;
    std::vector<entry> found;
    // Tokio asks for more.
    std::size_t const most = costs_.events_at_once * (policy_.kind == rules::tokio ? 8 : 1);
    while (found.size() != most && source_.next_event() <= now)
        found.push_back({source_.take_event(), stamp});
    return found;
}

result simulate(policy const& p, workload const& w, costs const& c)
{
    if (p.kind == rules::ideal)
        return ideal_queue(p, w, c).run();
    if (p.kind == rules::asio)
        return asio_queue(p, w, c).run();
    return std::make_unique<stealing>(p, w, c)->run();
}

} // namespace simulation
