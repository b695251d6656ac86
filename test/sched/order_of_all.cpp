// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// P8, counted: several workers of one scheduler have their turns on one thread, each when its
// handler ends by a clock that is set to that time. So nothing but the scheduler decides which
// handler starts before which, and a machine that is busy changes nothing.

#include "sched/manual_scheduler.hpp"
#include "support/sanitized.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <queue>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

namespace
{

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// With a ring as wide as in a program.
struct simulated_traits : test::manual_traits
{
    static constexpr std::uint32_t ring_capacity = 256;
};

// What handlers take, and one in a hundred of them.
struct durations
{
    microseconds most;
    microseconds one_in_hundred;

    friend std::ostream& operator<<(std::ostream& out, durations const& d)
    {
        return out << d.most.count() << " us, one in 100 " << d.one_in_hundred.count() << " us";
    }
};

// When a handler posts the next one of its chain.
enum class posting
{
    at_the_end,
    at_the_beginning, // and goes on for as long as it takes
    among_bursts,     // at the beginning, beside bursts from outside
    by_asio           // as an operation that has completed at once, when it returns
};

std::ostream& operator<<(std::ostream& out, posting p)
{
    return out << (p == posting::at_the_end         ? "at the end"
                   : p == posting::at_the_beginning ? "at the beginning"
                   : p == posting::among_bursts     ? "among bursts"
                                                    : "by Asio");
}

class chains_of_handlers
{
    using scheduler = weft::detail::basic_scheduler<simulated_traits>;
    using loop = weft::detail::run_loop<simulated_traits>;
    using time_point = test::manual_clock::time_point;

    struct handler : test::task
    {
        time_point ready;
        // How many had been posted before it, and how many had become ready.
        std::size_t number = 0;
        std::size_t place = 0;
        // It came next, as the continuation of the one that posted it.
        bool continues = false;
    };

public:
    chains_of_handlers(unsigned workers, durations how, posting when)
        : how_(how), when_(when), s_(weft::options())
    {
        s_.driver = &driver_;
        threads_.emplace(s_, workers);
        held_.resize(workers);
    }

    /// Each handler posts the next one of its chain, until so many have been posted.
    void run(std::size_t chains, std::size_t handlers)
    {
        handlers_.reserve(handlers);
        while (handlers_.size() != chains)
            post(handlers);
        for (std::size_t i = 0; i != threads_->size(); ++i)
            look_.push({test::manual_clock::time, looks_++, i, nullptr});
        while (started_.size() != handlers)
        {
            look const now = look_.top();
            look_.pop();
            test::manual_clock::time = now.time;
            if (now.worker == outside)
            {
                post_from_outside(handlers);
                continue;
            }
            auto& level = threads_->become(now.worker);
            if (now.ends && posts_at_the_end())
                loop::execute(s_, level, simulated_traits::entry(now.ends));
            start_next(now.worker, level);
        }
    }

    /// By how many that became ready later by more than 20 us, and were no continuations, a handler
    /// was overtaken, at most, but for the first `but_for` that were posted.
    std::size_t most_overtakes(std::size_t but_for)
    {
        std::sort(handlers_.begin(), handlers_.end(),
            [](auto const& a, auto const& b)
            { return std::tie(a->ready, a->number) < std::tie(b->ready, b->number); });
        for (std::size_t i = 0; i != handlers_.size(); ++i)
            handlers_[i]->place = i;
        std::vector<std::size_t> tree(handlers_.size() + 1);
        std::size_t most = 0;
        std::size_t before = 0;
        for (handler const* h : started_)
        {
            auto const later =
                std::upper_bound(handlers_.begin(), handlers_.end(), h->ready + microseconds(20),
                    [](time_point t, std::unique_ptr<handler> const& other)
                    { return t < other->ready; });
            std::size_t earlier = 0;
            for (auto i = static_cast<std::size_t>(later - handlers_.begin()); i != 0; i &= i - 1)
                earlier += tree[i];
            if (h->number >= but_for)
                most = (std::max)(most, before - earlier);
            if (h->continues)
                continue;
            ++before;
            for (std::size_t i = h->place + 1; i < tree.size(); i += i & (~i + 1))
                ++tree[i];
        }
        return most;
    }

private:
    struct look
    {
        time_point time;
        std::size_t number;
        std::size_t worker;
        test::task* ends;

        bool operator<(look const& other) const
        {
            return std::tie(time, number) > std::tie(other.time, other.number);
        }
    };

    // So long after a handler has posted the next one of its chain, and goes on for long.
    static constexpr microseconds before_burst{30};
    static constexpr std::size_t burst = 300;
    static constexpr std::size_t outside = ~std::size_t{0};

    bool posts_at_the_end() const noexcept
    {
        return when_ == posting::at_the_end || when_ == posting::by_asio;
    }

    void post_from_outside(std::size_t handlers)
    {
        simulated_traits::current() = nullptr;
        for (std::size_t i = 0; i != burst; ++i)
            if (post(handlers))
                handlers_.back()->run = [] {
                };
    }

    bool post(std::size_t handlers)
    {
        if (handlers_.size() == handlers)
            return false;
        handlers_.push_back(std::make_unique<handler>());
        handler& h = *handlers_.back();
        h.ready = test::manual_clock::time;
        h.number = handlers_.size() - 1;
        h.run = [this, handlers]
        {
            post(handlers);
        };
        if (when_ == posting::by_asio && !started_.empty())
        {
            auto& w = static_cast<scheduler::worker&>(*simulated_traits::current()->w);
            w.asio.posted.push_back(&h);
            held_[w.index] = &h;
        }
        else
            weft::detail::submission<simulated_traits>::submit(s_, &h);
        return true;
    }

    // What the worker finds when its handler has ended, or a moment later.
    void start_next(std::size_t worker, test::threads_inside<simulated_traits>::run_level& level)
    {
        simulated_traits::entry op;
        bool const found = loop::next(s_, level, op, weft::detail::wait_mode::until, {});
        driver_.waits.clear();
        // It may have waited for a look into the reactor.
        if (held_[worker] && !level.worker_here()->asio.has_posted())
        {
            handler& h = *std::exchange(held_[worker], nullptr);
            h.ready = test::manual_clock::time;
            h.continues = found && op.op == &h;
        }
        nanoseconds const takes = found ? draw() : nanoseconds(microseconds(1));
        if (found)
            started_.push_back(static_cast<handler const*>(op.op));
        if (found && !posts_at_the_end())
            loop::execute(s_, level, op);
        look_.push({test::manual_clock::time + takes, looks_++, worker, found ? op.op : nullptr});
        if (when_ == posting::among_bursts && takes > milliseconds(1) && ++long_ones_ % 4 == 0)
            look_.push({test::manual_clock::time + before_burst, looks_++, outside, nullptr});
    }

    nanoseconds draw()
    {
        return random_() % 100 == 0 ? how_.one_in_hundred : how_.most;
    }

    durations const how_;
    posting const when_;
    std::minstd_rand random_;
    scheduler s_;
    test::task_driver driver_;
    std::vector<std::unique_ptr<handler>> handlers_;
    std::vector<handler const*> started_;
    // What was posted by Asio on a worker, and is in no queue yet.
    std::vector<handler*> held_;
    std::priority_queue<look> look_;
    std::size_t looks_ = 0;
    unsigned long_ones_ = 0;
    std::optional<test::threads_inside<simulated_traits>> threads_;
};

constexpr durations kinds[] = {{microseconds(20), microseconds(20)},
    {microseconds(25), microseconds(25)}, {microseconds(40), microseconds(40)},
    {microseconds(100), microseconds(100)}, {microseconds(20), milliseconds(2)}};

} // namespace

BOOST_DATA_TEST_CASE(p8_a_handler_is_overtaken_by_8_for_each_worker_at_most,
    boost::unit_test::data::make(
        {posting::at_the_end, posting::at_the_beginning, posting::among_bursts, posting::by_asio}),
    when)
{
    for (unsigned const workers : {2u, 3u, 4u, 8u, 16u})
        for (std::size_t const chains : {20u, 40u, 200u, 2000u})
            for (durations const how : kinds)
            {
                // Beside handlers that go on for long.
                if (when == posting::among_bursts && how.one_in_hundred == how.most)
                    continue;
                // What overflows rings takes as long as all others.
                if (WEFT_TEST_SANITIZED && chains == 2000 && workers != 2)
                    continue;
                BOOST_TEST_CONTEXT(workers << " workers, " << chains << " chains, " << how)
                {
                    chains_of_handlers all(workers, how, when);
                    // What was queued before they were long is not promised.
                    std::size_t const first = 2 * chains;
                    all.run(chains, 3 * first + 4'000);
                    BOOST_TEST(all.most_overtakes(first) <= 8 * workers);
                }
            }
}
