// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Hazard: a stop at any moment, from outside and from every kind of handler, twice at once, with
// posts, timers and reads and writes outstanding whose objects their own handlers own. What was
// stopped goes on after a restart, or is destroyed. Every handler runs at most once, is destroyed,
// and runs exactly once in a context that came to its end.

#include <weft/io_context.hpp>
#include <weft/thread_pool.hpp>

#include "support/cases.hpp"

#include <iostream>
#include <random>

namespace
{

using stream = asio::local::stream_protocol;

enum class origin
{
    post,
    timer,
    socket
};

constexpr int depth_of_posts = 5;
constexpr long posts_of_session = (2 << depth_of_posts) - 1;
constexpr long ticks_of_session = 6;
constexpr long writes_of_session = 6;
constexpr long least_of_session = posts_of_session + ticks_of_session + writes_of_session;

// What is known of the handlers of one context; outlives it.
struct ledger
{
    std::atomic<long> alive{0};
    std::atomic<long> ran{0};
    std::atomic<std::size_t> issued{0};
    std::vector<std::atomic<int>> runs = std::vector<std::atomic<int>>(4096);

    // The handler of this origin that takes the counter to 0 stops the context.
    std::atomic<long> until_stop[3] = {};
    std::function<void()> stop_context;
    std::atomic<bool> stopped{false};

    void stop()
    {
        stopped = true;
        stop_context();
    }

    bool each_ran(int least) const
    {
        for (std::size_t i = 0; i != issued; ++i)
            if (runs[i] < least || runs[i] > 1)
                return false;
        return true;
    }
};

// The part of a handler that is counted.
class ticket
{
public:
    ticket(ledger& l, origin o) : ledger_(l), number_(l.issued++), origin_(o)
    {
        ++ledger_.alive;
    }

    ticket(ticket&& other) noexcept
        : ledger_(other.ledger_), number_(other.number_), origin_(other.origin_)
    {
        ++ledger_.alive;
    }

    ~ticket()
    {
        --ledger_.alive;
    }

    void run() const
    {
        ++ledger_.runs.at(number_);
        if (--ledger_.until_stop[static_cast<int>(origin_)] == 0)
            ledger_.stop();
        ++ledger_.ran;
    }

private:
    ledger& ledger_;
    std::size_t const number_;
    origin const origin_;
};

// Chains of posts, of timers, of reads and of writes, which end by themselves. Each uses objects
// of its own, so that they need no lock.
template <typename Context>
class session : public std::enable_shared_from_this<session<Context>>
{
public:
    session(Context& c, ledger& l, std::size_t bytes)
        : context_(c), ledger_(l), short_(c), long_(c, std::chrono::hours(1)), a_(c), b_(c),
          in_(bytes), out_(bytes)
    {
        asio::local::connect_pair(a_, b_);
    }

    void start()
    {
        long_.async_wait(
            [self = this->shared_from_this(), t = make(origin::timer)](error_code) { t.run(); });
        read();
        write(writes_of_session);
        tick(ticks_of_session);
        post(depth_of_posts);
    }

private:
    ticket make(origin o)
    {
        return ticket(ledger_, o);
    }

    void post(int depth)
    {
        asio::post(context_,
            [self = this->shared_from_this(), t = make(origin::post), depth]
            {
                t.run();
                if (depth > 0)
                {
                    self->post(depth - 1);
                    self->post(depth - 1);
                }
            });
    }

    void tick(long left)
    {
        short_.expires_after(std::chrono::microseconds(20));
        short_.async_wait(
            [self = this->shared_from_this(), t = make(origin::timer), left](error_code)
            {
                t.run();
                if (left > 1)
                    self->tick(left - 1);
                else
                    self->long_.cancel();
            });
    }

    void read()
    {
        a_.async_read_some(asio::buffer(in_),
            [self = this->shared_from_this(), t = make(origin::socket)](
                error_code error, std::size_t)
            {
                t.run();
                if (!error)
                    self->read();
            });
    }

    void write(long left)
    {
        b_.async_write_some(asio::buffer(out_),
            [self = this->shared_from_this(), t = make(origin::socket), left](
                error_code, std::size_t)
            {
                t.run();
                if (left > 1)
                    self->write(left - 1);
                else
                    self->b_.close();
            });
    }

    Context& context_;
    ledger& ledger_;
    asio::steady_timer short_;
    asio::steady_timer long_;
    stream::socket a_;
    stream::socket b_;
    std::vector<char> in_;
    std::vector<char> out_;
};

// Decides who stops a context, and when.
class stopper
{
public:
    stopper(std::mt19937& random, ledger& l, long sessions) : ledger_(l)
    {
        ledger_.stopped = false;
        for (std::atomic<long>& n : ledger_.until_stop)
            n = 0;
        long const ran = ledger_.ran;
        long const left = std::max(least_of_session * sessions - ran, 0L);
        long const of_kind[] = {posts_of_session, ticks_of_session, writes_of_session};
        std::size_t const kind = random() % 6;
        switch (kind)
        {
        case 0:
        case 1:
        case 2:
            ledger_.until_stop[kind] = 1 + static_cast<long>(random()) % (of_kind[kind] * sessions);
            break;
        case 3:
        case 4:
            from_outside_ = kind - 2;
            at_ = ran + static_cast<long>(random()) % (left + 1);
            break;
        default:
            break;
        }
    }

    // Returns when this has stopped the context, or at once if a handler or nobody does.
    void stop_from_outside()
    {
        test::thread_group(from_outside_,
            [this]
            {
                while (ledger_.ran < at_)
                    std::this_thread::yield();
                ledger_.stop();
            });
    }

private:
    ledger& ledger_;
    std::size_t from_outside_ = 0;
    long at_ = 0;
};

template <typename Context>
void start_sessions(Context& context, ledger& l, long count, std::mt19937& random)
{
    l.stop_context = [&context]
    {
        context.stop();
    };
    for (long i = 0; i != count; ++i)
        // Of the large ones, the socket does not take all at once.
        std::make_shared<session<Context>>(context, l, random() % 2 == 0 ? 256 : 100'000)->start();
}

struct seeded
{
    std::mt19937::result_type const seed = std::random_device()();
    std::mt19937 random{seed};

    seeded()
    {
        std::cout << "seed " << seed << std::endl;
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(sched_random_stop, seeded)

BOOST_AUTO_TEST_CASE(a_context_that_is_stopped_anywhere_loses_and_repeats_nothing)
{
    for (int round = 0; round != 500; ++round)
        BOOST_TEST_CONTEXT("seed " << seed << ", round " << round)
        {
            ledger l;
            bool stopped = false;
            {
                weft::io_context context;
                long const sessions = 1 + static_cast<long>(random() % 2);
                start_sessions(context, l, sessions, random);
                std::size_t const most_runs = 1 + random() % 3;
                for (std::size_t run = 0; run == 0 || (stopped && run != most_runs); ++run)
                {
                    context.restart();
                    stopper s(random, l, sessions);
                    test::thread_group threads(1 + random() % 3, [&] { context.run(); });
                    s.stop_from_outside();
                    threads.join();
                    stopped = l.stopped;
                    BOOST_REQUIRE(context.stopped());
                }
                BOOST_REQUIRE((stopped || l.alive == 0));
            }
            BOOST_REQUIRE(l.alive == 0);
            BOOST_REQUIRE(l.each_ran(stopped ? 0 : 1));
        }
}

BOOST_AUTO_TEST_CASE(a_pool_that_is_stopped_anywhere_loses_and_repeats_nothing)
{
    for (int round = 0; round != 500; ++round)
        BOOST_TEST_CONTEXT("seed " << seed << ", round " << round)
        {
            ledger l;
            {
                weft::thread_pool pool(1 + random() % 3);
                long const sessions = 1 + static_cast<long>(random() % 2);
                stopper s(random, l, sessions);
                start_sessions(pool, l, sessions, random);
                s.stop_from_outside();
                if (random() % 2 == 0)
                {
                    pool.join();
                    if (!l.stopped)
                    {
                        BOOST_REQUIRE(l.alive == 0);
                        BOOST_REQUIRE(l.each_ran(1));
                    }
                }
            }
            BOOST_REQUIRE(l.alive == 0);
            BOOST_REQUIRE(l.each_ran(0));
        }
}

BOOST_AUTO_TEST_SUITE_END()
