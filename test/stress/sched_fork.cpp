// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Hazard: a context that several threads have run is stopped anywhere, and the process forks with
// posts, timers, reads and writes outstanding. Both processes then go on at the same time, and run
// each handler that they have exactly once.

#include <weft/channel.hpp>
#include <weft/io_context.hpp>
#include <weft/mutex.hpp>
#include <weft/semaphore.hpp>
#include <weft/steady_timer.hpp>

#include "support/cases.hpp"

#include <random>
#include <sys/wait.h>
#include <unistd.h>

namespace
{

using stream = asio::local::stream_protocol;

constexpr std::size_t threads = 3;

// What is known of the handlers of one context.
struct ledger
{
    std::atomic<long> alive{0};
    std::atomic<long> ran{0};
    std::atomic<std::size_t> issued{0};
    std::vector<std::atomic<int>> runs = std::vector<std::atomic<int>>(4096);

    bool each_ran_once() const
    {
        for (std::size_t i = 0; i != issued; ++i)
            if (runs[i] != 1)
                return false;
        return true;
    }
};

// The part of a handler that is counted.
class ticket
{
public:
    explicit ticket(ledger& l) : ledger_(l), number_(l.issued++)
    {
        ++ledger_.alive;
    }

    ticket(ticket const& other) : ledger_(other.ledger_), number_(other.number_)
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
        ++ledger_.ran;
    }

private:
    ledger& ledger_;
    std::size_t const number_;
};

void post_tree(weft::io_context& context, ledger& l, int depth)
{
    asio::post(context,
        [&context, &l, depth, t = ticket(l)]
        {
            t.run();
            if (depth > 0)
            {
                post_tree(context, l, depth - 1);
                post_tree(context, l, depth - 1);
            }
        });
}

class ticking
{
public:
    ticking(weft::io_context& context, ledger& l) : ledger_(l), timer_(context)
    {
    }

    void start(int left)
    {
        timer_.expires_after(std::chrono::microseconds(20));
        timer_.async_wait(
            [this, left, t = ticket(ledger_)](error_code)
            {
                t.run();
                if (left > 1)
                    start(left - 1);
            });
    }

private:
    ledger& ledger_;
    asio::steady_timer timer_;
};

// Messages from one end of a pair of sockets to the other. Both processes have the same pair: after
// the fork, one of them must let go of it.
class conversation
{
public:
    conversation(weft::io_context& context, ledger& l) : ledger_(l), from_(context), to_(context)
    {
        asio::local::connect_pair(from_, to_);
    }

    void read()
    {
        to_.async_read_some(asio::buffer(in_),
            [this, t = ticket(ledger_)](error_code error, std::size_t n)
            {
                t.run();
                received_ += n;
                if (!error && received_ != expected)
                    read();
            });
    }

    void write(std::size_t left = messages)
    {
        asio::async_write(from_, asio::buffer(out_),
            [this, left, t = ticket(ledger_)](error_code error, std::size_t)
            {
                t.run();
                if (!error && left > 1)
                    write(left - 1);
            });
    }

    void let_go()
    {
        from_.close();
        to_.close();
    }

    bool complete() const
    {
        return received_ == expected;
    }

private:
    static constexpr std::size_t message_size = 64;
    static constexpr std::size_t messages = 20;
    static constexpr std::size_t expected = message_size * messages;

    ledger& ledger_;
    stream::socket from_;
    stream::socket to_;
    std::array<char, message_size> in_{};
    std::array<char, message_size> out_{};
    std::size_t received_ = 0;
};

struct activities
{
    activities(weft::io_context& context, ledger& l)
        : ticks(context, l), pending(context, l), of_parent(context, l), of_child(context, l),
          pending_of_parent(context, l), pending_of_child(context, l)
    {
    }

    ticking ticks;
    ticking pending;
    conversation of_parent;
    conversation of_child;
    conversation pending_of_parent;
    conversation pending_of_child;
};

// Both processes: lets go of what is the other's, and runs the rest to its end. 0 if all is well.
int finish(std::optional<weft::io_context>& context, std::unique_ptr<activities>& all, ledger& l,
    bool parent, std::size_t count)
{
    conversation& own = parent ? all->of_parent : all->of_child;
    conversation& own_pending = parent ? all->pending_of_parent : all->pending_of_child;
    (parent ? all->of_child : all->of_parent).let_go();
    (parent ? all->pending_of_child : all->pending_of_parent).let_go();
    own_pending.write();
    context->restart();
    test::run_on(*context, count);
    if (!l.each_ran_once())
        return 1;
    if (l.alive != 0)
        return 2;
    if (!own.complete() || !own_pending.complete())
        return 3;
    all.reset();
    context.reset();
    return 0;
}

// Operations that wait at locks and channels and for a timer of weft's when the process forks.
struct waits
{
    explicit waits(weft::io_context& context)
        : mutex(context), semaphore(context, 0), channel(context, 1),
          timer(context, std::chrono::milliseconds(20))
    {
        auto const count = [this](error_code e, auto&&...)
        {
            done += !e;
        };
        held = mutex.try_lock();
        mutex.async_lock(count);
        semaphore.async_acquire(2, count);
        channel.async_receive(count);
        timer.async_wait(count);
    }

    // Whether all of them end, and new ones begin and end, on `threads` threads.
    int finish(weft::io_context& context)
    {
        mutex.unlock();
        semaphore.release(2);
        bool const sent = channel.try_send(1);
        test::run_on(context, threads);
        context.restart();
        auto const count = [this](error_code e, auto&&...)
        {
            done += !e;
        };
        channel.async_receive(count);
        channel.async_send(2, count);
        mutex.unlock();
        mutex.async_lock(count);
        asio::post(context, [this] { ++done; });
        test::run_on(context, threads);
        return held && sent && done == 8 ? 0 : 1;
    }

    weft::mutex mutex;
    weft::semaphore semaphore;
    weft::channel<int> channel;
    weft::steady_timer timer;
    std::atomic<int> done{0};
    bool held = false;
};

} // namespace

BOOST_AUTO_TEST_SUITE(sched_fork)

BOOST_AUTO_TEST_CASE(what_waits_at_locks_and_channels_waits_in_both_processes)
{
    weft::io_context context;
    waits w(context);
    context.poll();
    context.restart();
    context.notify_fork(weft::io_context::fork_prepare);
    pid_t const child = ::fork();
    if (child == 0)
    {
        test::watchdog::arm(test::watchdog::seconds_per_case / 2);
        context.notify_fork(weft::io_context::fork_child);
        ::_exit(w.finish(context));
    }
    context.notify_fork(weft::io_context::fork_parent);
    BOOST_TEST_REQUIRE(child > 0);
    BOOST_TEST(w.finish(context) == 0);
    int status = 0;
    BOOST_TEST_REQUIRE(::waitpid(child, &status, 0) == child);
    BOOST_TEST(WIFEXITED(status));
    BOOST_TEST(WEXITSTATUS(status) == 0);
}

BOOST_AUTO_TEST_CASE(both_processes_run_what_was_outstanding_exactly_once)
{
    std::mt19937 random(20261121);
    for (int round = 0; round != 30; ++round)
        BOOST_TEST_CONTEXT("round " << round)
        {
            ledger l;
            std::optional<weft::io_context> context(std::in_place);
            auto all = std::make_unique<activities>(*context, l);
            post_tree(*context, l, 6);
            all->ticks.start(20);
            for (conversation* const c : {&all->of_parent, &all->of_child})
            {
                c->read();
                c->write();
            }
            {
                // What is never waited for in vain: the posts and the ticks.
                long const until = static_cast<long>(random() % 147);
                test::thread_group runners(threads, [&] { context->run(); });
                while (l.ran < until)
                    std::this_thread::yield();
                context->stop();
            }

            post_tree(*context, l, 4);
            all->pending.start(1);
            all->pending_of_parent.read();
            all->pending_of_child.read();
            std::size_t const count = 1 + random() % threads;

            context->notify_fork(weft::io_context::fork_prepare);
            pid_t const child = ::fork();
            if (child == 0)
            {
                test::watchdog::arm(test::watchdog::seconds_per_case / 2);
                int code = 125;
                try
                {
                    context->notify_fork(weft::io_context::fork_child);
                    code = finish(context, all, l, false, count);
                }
                catch (...)
                {
                }
                ::_exit(code);
            }
            context->notify_fork(weft::io_context::fork_parent);
            BOOST_TEST_REQUIRE(child > 0);
            int const code = finish(context, all, l, true, count);
            int status = 0;
            BOOST_TEST_REQUIRE(::waitpid(child, &status, 0) == child);
            BOOST_TEST_REQUIRE(code == 0);
            BOOST_TEST_REQUIRE(WIFEXITED(status));
            BOOST_TEST_REQUIRE(WEXITSTATUS(status) == 0);
        }
}

BOOST_AUTO_TEST_SUITE_END()
