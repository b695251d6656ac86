// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Hazard: operations raced by the operators of coroutines (||), each coroutine on a strand of a
// pool, cancel each other while both complete, and are cancelled from outside: a handler lost or
// called twice, a permit or a value lost, a signal emitted to what is gone.

#include <weft/channel.hpp>
#include <weft/mutex.hpp>
#include <weft/semaphore.hpp>
#include <weft/thread_pool.hpp>

#include "support/asio.hpp"
#include "support/sanitized.hpp"

#include <list>

namespace
{

using namespace asio::experimental::awaitable_operators;

constexpr int rounds = WEFT_TEST_SANITIZED ? 500 : 10'000;
constexpr int racers = 8;
constexpr std::uint64_t permits = 3;

// Coroutines that race a permit, a lock, a value and a time limit against each other. Whatever
// wins, what the others have got goes back by itself, but for values: those are only looked for.
template <class Pool>
class race
{
public:
    race()
    {
        for (int i = 0; i != racers; ++i)
            start();
    }

    // All have ended, and nothing is missing.
    void finish()
    {
        pool_.join();
        BOOST_TEST(ended_ == racers);
        BOOST_TEST(failed_ == 0);
        BOOST_TEST(won_ + aborted_ == racers * rounds);
        BOOST_TEST(won_ != 0);
        BOOST_TEST(aborted_ != 0);
        BOOST_TEST(semaphore_.available() == permits);
        BOOST_TEST(mutex_.try_lock());
        mutex_.unlock();
        BOOST_TEST(inside_ == 0u);
    }

private:
    struct racer
    {
        explicit racer(asio::any_io_executor const& ex) : strand(asio::make_strand(ex))
        {
        }

        asio::strand<asio::any_io_executor> strand;
        asio::cancellation_signal signal;
        int round = 0;
    };

    void start()
    {
        racer& r = racers_.emplace_back(pool_.get_executor());
        asio::post(r.strand, [this, &r] { spawn(r); });
    }

    // One round. Its signal may be emitted before it starts, while it races, or not at all.
    void spawn(racer& r)
    {
        asio::co_spawn(r.strand, run(r.round),
            asio::bind_cancellation_slot(r.signal.slot(),
                asio::bind_executor(r.strand, [this, &r](std::exception_ptr e) { end(r, e); })));
        if (r.round % 3 != 0)
            asio::post(r.strand, [&r] { r.signal.emit(asio::cancellation_type::terminal); });
    }

    void end(racer& r, std::exception_ptr e)
    {
        try
        {
            if (e)
                std::rethrow_exception(e);
            ++won_;
        }
        catch (boost::system::system_error const& error)
        {
            if (error.code() == asio::error::operation_aborted)
                ++aborted_;
            else
                ++failed_;
        }
        catch (...)
        {
            // Several have failed, each of them cancelled.
            ++aborted_;
        }
        if (++r.round != rounds)
            spawn(r);
        else
            ++ended_;
    }

    asio::awaitable<void> run(int round)
    {
        auto const token = asio::use_awaitable;
        std::uint64_t const n = 1 + static_cast<std::uint64_t>(round) % permits;
        switch (round % 4)
        {
        case 0:
            (void)co_await (
                semaphore_.async_scoped_acquire(n, token) || mutex_.async_scoped_lock(token));
            break;
        case 1:
            (void)co_await (
                hold(n) || semaphore_.async_scoped_acquire_for(std::chrono::hours(1), n, token));
            break;
        case 2:
            (void)channel_.try_send(round);
            (void)co_await (channel_.async_wait_receive(token) || hold(n));
            channel_.try_receive([](error_code, int) {});
            break;
        default:
            (void)co_await (hold(1) && mutex_.async_scoped_lock(token));
            break;
        }
    }

    // Has permits for a while.
    asio::awaitable<void> hold(std::uint64_t n)
    {
        auto const held = co_await semaphore_.async_scoped_acquire(n, asio::use_awaitable);
        struct counted
        {
            std::atomic<std::uint64_t>& inside;
            std::uint64_t n;

            ~counted()
            {
                inside -= n;
            }
        } const c{inside_, n};
        if ((inside_ += n) > permits)
            ++failed_;
        co_await asio::post(asio::use_awaitable);
    }

    Pool pool_{4};
    weft::semaphore semaphore_{pool_.get_executor(), permits};
    weft::mutex mutex_{pool_.get_executor()};
    weft::channel<int> channel_{pool_.get_executor(), 2};
    std::list<racer> racers_;
    std::atomic<int> ended_{0};
    std::atomic<int> won_{0};
    std::atomic<int> aborted_{0};
    std::atomic<int> failed_{0};
    std::atomic<std::uint64_t> inside_{0};
};

using pools = std::tuple<weft::thread_pool, asio::thread_pool>;

} // namespace

BOOST_AUTO_TEST_SUITE(primitives_operators)

BOOST_AUTO_TEST_CASE_TEMPLATE(coroutines_on_strands_race_and_are_cancelled, Pool, pools)
{
    race<Pool> r;
    r.finish();
}

BOOST_AUTO_TEST_SUITE_END()
