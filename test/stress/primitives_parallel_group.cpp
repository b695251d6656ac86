// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Hazard: a group of operations on a pool emits its signals on the thread on which the first of
// them completes, while the others complete on other threads.

#include <weft/channel.hpp>
#include <weft/mutex.hpp>
#include <weft/semaphore.hpp>
#include <weft/thread_pool.hpp>

#include "support/asio.hpp"
#include "support/sanitized.hpp"

namespace
{

constexpr int rounds = WEFT_TEST_SANITIZED ? 1000 : 5000;

// `Subject` is made of an executor: `begin()` describes an operation that has to wait, `serve()`
// lets it complete. Both of a group are served at once, each on a thread of its own.
template <class Subject, class Pool>
void both_complete_at_once()
{
    Pool pool(4);
    for (int round = 0; round != rounds; ++round)
    {
        auto const a = std::make_shared<Subject>(pool.get_executor());
        auto const b = std::make_shared<Subject>(pool.get_executor());
        auto const calls = std::make_shared<std::atomic<int>>(0);
        asio::experimental::make_parallel_group(a->begin(), b->begin())
            .async_wait(asio::experimental::wait_for_one(),
                [calls](std::array<std::size_t, 2>, auto const&...)
                {
                    ++*calls;
                    calls->notify_one();
                });
        asio::post(pool, [a] { a->serve(); });
        asio::post(pool, [b] { b->serve(); });
        calls->wait(0);
        BOOST_TEST(*calls == 1);
    }
    pool.join();
}

struct receives
{
    explicit receives(asio::any_io_executor const& ex) : c(ex, 1)
    {
    }

    auto begin()
    {
        return c.async_receive(asio::deferred);
    }

    void serve()
    {
        c.try_send(std::make_unique<int>(1));
    }

    weft::channel<std::unique_ptr<int>> c;
};

struct sends_in_time
{
    explicit sends_in_time(asio::any_io_executor const& ex) : c(ex, 0)
    {
    }

    auto begin()
    {
        return c.async_send_for(std::chrono::hours(1), std::make_unique<int>(1), asio::deferred);
    }

    void serve()
    {
        (void)c.try_receive();
    }

    weft::channel<std::unique_ptr<int>> c;
};

struct locks
{
    explicit locks(asio::any_io_executor const& ex) : m(ex)
    {
        m.try_lock();
    }

    auto begin()
    {
        return m.async_lock(asio::deferred);
    }

    void serve()
    {
        m.unlock();
    }

    weft::mutex m;
};

struct acquires_in_time
{
    explicit acquires_in_time(asio::any_io_executor const& ex) : s(ex, 0)
    {
    }

    auto begin()
    {
        return s.async_acquire_for(std::chrono::hours(1), 2, asio::deferred);
    }

    void serve()
    {
        s.release(2);
    }

    weft::semaphore s;
};

using subjects = std::tuple<receives, sends_in_time, locks, acquires_in_time>;

} // namespace

BOOST_AUTO_TEST_SUITE(primitives_parallel_group)

BOOST_AUTO_TEST_CASE_TEMPLATE(on_weft, Subject, subjects)
{
    both_complete_at_once<Subject, weft::thread_pool>();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(on_asio, Subject, subjects)
{
    both_complete_at_once<Subject, asio::thread_pool>();
}

BOOST_AUTO_TEST_SUITE_END()
