// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: what does a timeout cost that never fires? A timer is set to 10 s, waited for and
// cancelled; its handler, told so, does it again. In rows with others pending so many timers stay
// in the queue meanwhile: later ones, or earlier ones, as when all timeouts are equally long.
// Does not show: timers that expire, or how punctual they are.

#include "support/harness.hpp"
#include "support/tally.hpp"

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <memory>
#include <vector>

namespace
{

// What a row asks for. The row's width is its place here.
struct churn_case
{
    const char* name;
    std::size_t timers;
    std::size_t pending;
    std::chrono::seconds timeout;
};

constexpr churn_case cases[] = {
    {"1 timer", 1, 0, std::chrono::seconds(10)},
    {"8 timers", 8, 0, std::chrono::seconds(10)},
    {"1 timer, 10,000 pending", 1, 10'000, std::chrono::seconds(10)},
    {"8 timers, 10,000 pending", 8, 10'000, std::chrono::seconds(10)},
    {"8 timers, 1,000 earlier pending", 8, 1'000, std::chrono::hours(3)},
    {"64 timers, 10,000 earlier pending", 64, 10'000, std::chrono::hours(3)},
    {"8 timers, 1,000,000 earlier pending", 8, 1'000'000, std::chrono::hours(3)},
};

template <class Engine>
class timer_churn
{
public:
    timer_churn(Engine& engine, const bench::setting& s)
        : timeout_(cases[s.what.width].timeout), length_(s.operations / cases[s.what.width].timers)
    {
        const churn_case& what = cases[s.what.width];
        for (std::size_t i = 0; i != what.timers; ++i)
            churns_.push_back(std::make_unique<churn>(engine.executor(i), *this));
        if (what.pending != 0)
        {
            pending_.reserve(what.pending);
            for (std::size_t i = 0; i != what.pending; ++i)
            {
                pending_.emplace_back(engine.executor(i), std::chrono::minutes(60 + i % 60));
                pending_.back().async_wait([](boost::system::error_code) {});
            }
        }
    }

    bench::outcome operator()()
    {
        done_.expect(static_cast<int>(churns_.size()));
        const auto start = bench::clock::now();
        for (const auto& c : churns_)
        {
            c->ran = 0;
            boost::asio::post(c->timer.get_executor(), [at = c.get()] { at->churn_on(); });
        }
        const bool right = done_.wait();
        const auto elapsed = bench::clock::now() - start;
        for (const auto& c : churns_)
        {
            if (!right || c->ran != length_ || c->expired)
                return bench::failed("a cancelled timer did not say so exactly once");
        }
        return {churns_.size() * length_, elapsed};
    }

private:
    using timer_type = boost::asio::basic_waitable_timer<std::chrono::steady_clock,
        boost::asio::wait_traits<std::chrono::steady_clock>, typename Engine::executor_type>;

    struct alignas(64) churn
    {
        churn(const typename Engine::executor_type& executor, timer_churn& owner)
            : timer(executor), all(owner)
        {
        }

        // Another thread may run the handler while cancel() has not returned here, and a timer must
        // not be used by two: the later of both goes on.
        void churn_on()
        {
            do
            {
                both.store(2, std::memory_order_relaxed);
                timer.expires_after(all.timeout_);
                timer.async_wait(
                    [this](boost::system::error_code error)
                    {
                        expired |= error != boost::asio::error::operation_aborted;
                        ++ran;
                        if (is_later() && !is_done())
                            churn_on();
                    });
                timer.cancel();
            } while (is_later() && !is_done());
        }

        bool is_later() noexcept
        {
            return both.fetch_sub(1, std::memory_order_acq_rel) == 1;
        }

        bool is_done() noexcept
        {
            if (ran != all.length_)
                return false;
            all.done_.arrive();
            return true;
        }

        timer_type timer;
        timer_churn& all;
        std::uint64_t ran = 0;
        bool expired = false;
        std::atomic<int> both{0};
    };

    std::chrono::seconds timeout_;
    std::uint64_t length_;
    std::vector<std::unique_ptr<churn>> churns_;
    std::vector<timer_type> pending_;
    bench::countdown done_;
};

} // namespace

int main(int argc, char** argv)
{
    bench::question asked{"timer_churn", "one timer armed, cancelled and told so", {}};
    for (std::size_t i = 0; i != std::size(cases); ++i)
        asked.rows.push_back({cases[i].name, 51'200, 12'800, i, false});
    return bench::run<timer_churn>(argc, argv, asked);
}
