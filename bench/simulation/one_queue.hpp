// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef BENCH_SIMULATION_ONE_QUEUE_HPP
#define BENCH_SIMULATION_ONE_QUEUE_HPP

#include "machine.hpp"

#include <cstddef>
#include <deque>
#include <vector>

namespace simulation
{

/// One queue, first come, first served, at no cost. No order that does not know how long handlers
/// will take has a shorter tail.
class ideal_queue final : public machine
{
public:
    using machine::machine;

private:
    void step(std::size_t w, nanoseconds now) override;
    nanoseconds posted(std::size_t w, entry e, nanoseconds now) override;
    void post_from_outside(entry e, nanoseconds now) override;

    std::vector<std::size_t> sleepers_; // besides the one in the reactor
    std::deque<entry> events_;
};

/// Asio's scheduler: one queue under a lock. The reactor has a place in it, is looked at when its
/// turn comes, and goes behind what it reported.
class asio_queue final : public machine
{
public:
    asio_queue(policy const& p, workload const& w, costs const& c);

private:
    enum class reactor
    {
        queued,  // in the queue
        awaited, // a worker sleeps in it, or has been woken there
        reporting
    };

    void step(std::size_t w, nanoseconds now) override;
    nanoseconds posted(std::size_t w, entry e, nanoseconds now) override;
    void post_from_outside(entry e, nanoseconds now) override;
    void report(std::size_t w, nanoseconds now);
    void next(std::size_t w, nanoseconds now);
    bool wake_one(nanoseconds now);

    static constexpr source::id reactor_mark = static_cast<source::id>(-1);

    std::deque<std::size_t> sleepers_;
    reactor reactor_ = reactor::queued;
    std::size_t polling_ = nobody;
    std::vector<entry> found_;
};

} // namespace simulation

#endif // BENCH_SIMULATION_ONE_QUEUE_HPP
