// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Hazard: timers that are started, cancelled (all waits, the oldest, one by its slot), given a new
// expiry, moved, destroyed and made anew, by handlers and by threads outside, while they expire.
// Every wait ends exactly once and never early; what a cancellation says it has cancelled is what
// ends as cancelled. Contexts that go away with waits destroy these.

#include <weft/io_context.hpp>
#include <weft/steady_timer.hpp>

#include "support/cases.hpp"

#include <cstdlib>
#include <random>

namespace
{

using clock_type = std::chrono::steady_clock;

// More in the environment: WEFT_STRESS_TIMERS=10000000.
std::size_t operations()
{
    const char* const asked = std::getenv("WEFT_STRESS_TIMERS");
    return asked ? std::strtoul(asked, nullptr, 10) : 60'000;
}

struct ledger
{
    std::atomic<std::size_t> started{0};
    std::atomic<std::size_t> ended{0};
    std::atomic<std::size_t> aborted{0};
    std::atomic<std::size_t> destroyed{0};
    std::atomic<std::size_t> early{0};
    std::atomic<std::size_t> cancelled{0};
    std::atomic<std::size_t> emitted{0};
};

// Timers that a lock makes one thread's at a time.
class group
{
public:
    group(weft::io_context& context, ledger& all, unsigned seed)
        : context_(context), all_(all), random_(seed)
    {
        for (auto& timer : timers_)
            timer = std::make_unique<weft::steady_timer>(context_);
    }

    void step()
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        auto& timer = timers_[random_() % timers_.size()];
        switch (random_() % 16)
        {
        case 0:
            all_.cancelled += timer->cancel();
            break;
        case 1:
            all_.cancelled += timer->cancel_one();
            break;
        case 2:
            ++all_.emitted;
            signals_[random_() % signals_.size()].emit(asio::cancellation_type::total);
            break;
        case 3:
        {
            // Moved, and the other's waits are lost.
            auto& other = timers_[random_() % timers_.size()];
            if (&other != &timer)
            {
                all_.cancelled += other->cancel();
                *other = std::move(*timer);
            }
            break;
        }
        case 4:
        {
            auto moved = std::make_unique<weft::steady_timer>(std::move(*timer));
            timer = std::move(moved);
            break;
        }
        case 5:
            all_.cancelled += timer->cancel();
            timer = std::make_unique<weft::steady_timer>(context_);
            break;
        case 6:
        case 7:
        case 8:
            all_.cancelled +=
                timer->expires_at(clock_type::now() + std::chrono::microseconds(random_() % 300));
            start(*timer);
            break;
        case 9:
            all_.cancelled += timer->expires_after(std::chrono::hours(1));
            start(*timer);
            break;
        default:
            start(*timer);
        }
    }

    void cancel_all()
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        for (auto& timer : timers_)
            all_.cancelled += timer->cancel();
    }

private:
    struct on_end
    {
        on_end(ledger& l, clock_type::time_point at) : all(&l), due(at)
        {
        }

        on_end(on_end&& other) noexcept : all(std::exchange(other.all, nullptr)), due(other.due)
        {
        }

        ~on_end()
        {
            if (all)
                ++all->destroyed;
        }

        void operator()(error_code ec)
        {
            ledger& l = *std::exchange(all, nullptr);
            if (ec == asio::error::operation_aborted)
                ++l.aborted;
            else if (ec || clock_type::now() < due)
                ++l.early;
            ++l.ended;
        }

        ledger* all;
        clock_type::time_point due;
    };

    void start(weft::steady_timer& timer)
    {
        ++all_.started;
        if (random_() % 3 == 0)
            timer.async_wait(asio::bind_cancellation_slot(
                signals_[random_() % signals_.size()].slot(), on_end(all_, timer.expiry())));
        else
            timer.async_wait(on_end(all_, timer.expiry()));
    }

    weft::io_context& context_;
    ledger& all_;
    std::mutex mutex_;
    std::mt19937 random_;
    std::array<std::unique_ptr<weft::steady_timer>, 4> timers_;
    std::array<asio::cancellation_signal, 3> signals_;
};

// By so many threads inside, and so many outside, over so many groups.
void play(unsigned inside, unsigned outside, unsigned groups, std::size_t steps, bool to_the_end)
{
    ledger all;
    {
        weft::io_context context;
        std::vector<std::unique_ptr<group>> gs;
        for (unsigned i = 0; i != groups; ++i)
            gs.push_back(std::make_unique<group>(context, all, i + 1));
        std::atomic<std::size_t> left{steps};
        const auto take = [&]
        {
            std::size_t now = left.load();
            while (now != 0 && !left.compare_exchange_weak(now, now - 1))
            {
            }
            return now != 0;
        };
        std::function<void(unsigned)> chain = [&](unsigned at)
        {
            if (!take())
                return;
            gs[at % groups]->step();
            asio::post(context, [&, at] { chain(at * 5 + 1); });
        };
        for (unsigned i = 0; i != 2 * inside; ++i)
            asio::post(context, [&, i] { chain(i); });
        auto guard = asio::make_work_guard(context);
        test::thread_group runners(inside, [&] { context.run(); });
        {
            test::thread_group others;
            for (unsigned i = 0; i != outside; ++i)
                others.add(
                    [&, i]
                    {
                        for (unsigned at = i; take(); at = at * 3 + 1)
                        {
                            gs[at % groups]->step();
                            if (at % 16 == 0)
                                std::this_thread::yield();
                        }
                    });
        }
        while (left != 0)
            std::this_thread::yield();
        if (!to_the_end)
            context.stop();
        guard.reset();
        // Again and again: whoever took the last turns may start waits for hours until it is done.
        std::atomic<bool> joined{!to_the_end};
        std::thread canceller(
            [&]
            {
                while (!joined)
                {
                    for (auto& g : gs)
                        g->cancel_all();
                    std::this_thread::yield();
                }
            });
        runners.join();
        joined = true;
        canceller.join();
    }
    BOOST_TEST(all.early == 0u);
    BOOST_TEST(all.ended + all.destroyed == all.started);
    // The rest was cancelled by its slot.
    BOOST_TEST(all.aborted <= all.cancelled + all.emitted);
    if (to_the_end)
    {
        BOOST_TEST(all.destroyed == 0u);
        BOOST_TEST(all.aborted >= all.cancelled);
    }
}

} // namespace

BOOST_AUTO_TEST_CASE(every_wait_ends_once_with_one_thread)
{
    play(1, 0, 3, operations(), true);
    play(1, 1, 3, operations(), true);
}

BOOST_AUTO_TEST_CASE(every_wait_ends_once_with_several_threads)
{
    play(2, 1, 8, operations(), true);
    play(4, 2, 40, operations(), true);
}

BOOST_AUTO_TEST_CASE(every_wait_ends_once_when_all_meet_at_one_timer)
{
    play(3, 1, 1, operations(), true);
}

BOOST_AUTO_TEST_CASE(every_wait_ends_or_is_destroyed_when_the_context_goes)
{
    for (int i = 0; i != 20; ++i)
        play(2, 1, 4, operations() / 20, false);
}

// A worker that is about to wait for the timer finds the reactor that another thread has made.
BOOST_AUTO_TEST_CASE(a_socket_makes_the_reactor_while_a_timer_is_waited_for)
{
    for (int i = 0; i != 1000; ++i)
    {
        weft::io_context context;
        weft::steady_timer timer(context, std::chrono::microseconds(200));
        bool expired = false;
        timer.async_wait([&](error_code ec) { expired = !ec; });
        std::latch running(1);
        std::thread runner(
            [&]
            {
                running.count_down();
                context.run();
            });
        running.wait();
        for (int volatile turn = 0; turn < i * 7 % 4000;)
            turn = turn + 1;
        asio::ip::udp::socket const socket(context);
        runner.join();
        BOOST_TEST_REQUIRE(expired);
    }
}

// The wait may end the context while the thread that started it is still inside async_wait().
BOOST_AUTO_TEST_CASE(a_context_may_go_as_soon_as_the_wait_has_ended)
{
    for (int i = 0; i != 2000; ++i)
    {
        auto context = std::make_unique<weft::io_context>();
        auto timer = std::make_unique<weft::steady_timer>(*context, std::chrono::seconds(0));
        std::latch running(1);
        std::optional<std::thread> runner;
        auto guard = std::make_optional(asio::make_work_guard(*context));
        runner.emplace(
            [&]
            {
                running.count_down();
                context->run();
                context.reset();
            });
        running.wait();
        weft::steady_timer& started = *timer;
        // The context is this thread's no more when the wait has ended.
        started.async_wait(
            [&](error_code)
            {
                timer.reset();
                guard.reset();
            });
        runner->join();
    }
}

// Nor does its being inside keep run() from returning: nobody looks again when it has left.
BOOST_AUTO_TEST_CASE(run_returns_while_who_started_the_last_wait_is_inside)
{
    for (int i = 0; i != 1000; ++i)
    {
        weft::io_context context;
        weft::steady_timer far(context, std::chrono::hours(1));
        weft::steady_timer near(context, std::chrono::seconds(0));
        far.async_wait([](error_code) {});
        std::thread runner([&] { context.run(); });
        // Until it sleeps for the hour, mostly.
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        near.async_wait([&](error_code) { far.cancel(); });
        runner.join();
    }
}
