// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// P1, counted: one of several workers runs what it has posted, by a clock that is set to what each
// handler takes. Some are long, so that the worker now shares what is in its ring, and now takes
// batches into it.

#include "sched/manual_scheduler.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <random>
#include <vector>

namespace
{

using std::chrono::microseconds;

// With a ring as wide as in a program.
struct driven_traits : test::manual_traits
{
    static constexpr std::uint32_t ring_capacity = 256;
};

class one_of_two_workers
{
    using loop = weft::detail::run_loop<driven_traits>;

public:
    one_of_two_workers() : s_(weft::options())
    {
        s_.driver = &driver_;
        threads_.emplace(s_, 2u);
    }

    /// Posts so many, and runs them; each takes what `takes(number)` says. Their numbers, as they
    /// have run.
    template <typename Takes>
    std::vector<int> run(int count, Takes takes)
    {
        auto& level = threads_->become(1);
        for (int i = 0; i != count; ++i)
        {
            tasks_.emplace_back();
            tasks_.back().run = [this, i, &takes]
            {
                ran_.push_back(i);
                test::manual_clock::time += takes(i);
            };
            weft::detail::submission<driven_traits>::submit(s_, &tasks_.back());
        }
        driven_traits::entry op;
        while (loop::next(s_, level, op, weft::detail::wait_mode::none, {}))
            loop::execute(s_, level, op);
        return ran_;
    }

    /// How often it has taken something from the queue of all.
    std::uint64_t fetches() const
    {
        return s_.workers[1].count.injection_fetches.value();
    }

private:
    weft::detail::basic_scheduler<driven_traits> s_;
    test::task_driver driver_;
    std::deque<test::task> tasks_;
    std::vector<int> ran_;
    std::optional<test::threads_inside<driven_traits>> threads_;
};

} // namespace

BOOST_AUTO_TEST_CASE(p1_one_worker_keeps_its_order_when_handlers_become_long_and_short_again)
{
    std::minstd_rand random;
    std::uint64_t fetches = 0;
    for (int round = 0; round != 2000; ++round)
    {
        // One in so many is long, and the mean now on this side of the bound and now on that.
        unsigned const one_in = 8 + random() % 64;
        auto const takes = microseconds(50 + random() % 100);
        // Of more than a ring holds the newest half goes another way.
        int const count = round % 2 == 0 ? 256 : 1000;
        std::size_t const in_order = count == 256 ? 256 : 128;
        one_of_two_workers one;
        std::vector<int> order =
            one.run(count, [&](int) { return random() % one_in == 0 ? takes : microseconds(0); });
        order.erase(std::remove_if(order.begin(), order.end(),
                        [&](int i) { return static_cast<std::size_t>(i) >= in_order; }),
            order.end());
        BOOST_TEST_CONTEXT("one in " << one_in << " of " << count << " takes " << takes.count())
        {
            BOOST_TEST(order.size() == in_order);
            BOOST_TEST(std::is_sorted(order.begin(), order.end()));
        }
        fetches += one.fetches();
    }
    BOOST_TEST(fetches > 1000u);
}
