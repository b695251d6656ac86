// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0
#include <weft/thread_pool.hpp>

#include "support/cases.hpp"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

namespace
{

// The signal that ends a child process which runs `body`, or 0.
int signal_of(const std::function<void()>& body)
{
    const pid_t child = ::fork();
    if (child == 0)
    {
        std::signal(SIGABRT, SIG_DFL);
        test::watchdog::arm(test::watchdog::seconds_per_case / 2);
        ::close(STDERR_FILENO);
        body();
        ::_exit(0);
    }
    int status = 0;
    BOOST_TEST_REQUIRE(::waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

struct collector
{
    std::atomic<int> exceptions = 0;
    std::atomic<int> of_other_type = 0;

    weft::options options(std::size_t threads)
    {
        weft::options result;
        result.threads = threads;
        result.on_exception = [this](std::exception_ptr error)
        {
            try
            {
                std::rethrow_exception(error);
            }
            catch (const std::runtime_error&)
            {
                ++exceptions;
            }
            catch (...)
            {
                ++of_other_type;
            }
        };
        return result;
    }

    // What ends a program in which a handler of a pool that it owns does this.
    template <class Function>
    int signal_of_its_owner(Function body)
    {
        return signal_of(
            [&]
            {
                auto pool = std::make_unique<weft::thread_pool>(options(1));
                auto& context = *pool;
                std::latch posted(1);
                asio::post(context,
                    [&, p = std::move(pool)]() mutable
                    {
                        posted.wait();
                        body(std::move(p));
                    });
                posted.count_down();
                ::pause();
            });
    }
};

[[noreturn]] void fail()
{
    throw std::runtime_error("failed");
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(pool_exceptions, collector)

BOOST_AUTO_TEST_CASE(by_default_an_exception_terminates_the_program)
{
    BOOST_TEST(signal_of(
                   []
                   {
                       weft::thread_pool pool(1);
                       asio::post(pool, &fail);
                       pool.join();
                   }) == SIGABRT);
    BOOST_TEST(signal_of(
                   []
                   {
                       weft::thread_pool pool(1);
                       asio::post(pool, [] {});
                       pool.join();
                   }) == 0);
}

BOOST_AUTO_TEST_CASE(by_default_an_exception_on_an_attached_thread_terminates_the_program)
{
    BOOST_TEST(signal_of(
                   []
                   {
                       weft::thread_pool pool(1);
                       std::atomic<int> arrived = 0;
                       for (int i = 0; i != 2; ++i)
                           asio::post(pool,
                               [&, caller = std::this_thread::get_id()]
                               {
                                   ++arrived;
                                   while (arrived != 2)
                                       std::this_thread::yield();
                                   if (std::this_thread::get_id() == caller)
                                       fail();
                               });
                       pool.attach();
                   }) == SIGABRT);
}

// Whoever would have been told is gone with the pool.
BOOST_AUTO_TEST_CASE(an_exception_of_a_handler_that_has_destroyed_the_pool_terminates_the_program)
{
    BOOST_TEST(signal_of_its_owner(
                   [](auto pool)
                   {
                       pool.reset();
                       fail();
                   }) == SIGABRT);
}

BOOST_AUTO_TEST_CASE(an_exception_of_a_dispatch_that_has_destroyed_the_pool_terminates_the_program)
{
    BOOST_TEST(signal_of_its_owner(
                   [](auto pool)
                   {
                       pool->get_executor().execute(
                           [&]
                           {
                               pool.reset();
                               fail();
                           });
                       ::_exit(0);
                   }) == SIGABRT);
}

// It is there, and what it has captured, until it returns.
BOOST_AUTO_TEST_CASE(on_exception_may_destroy_the_pool)
{
    for (std::size_t const threads : {1u, 2u})
        for (bool const inside : {false, true})
        {
            std::unique_ptr<weft::thread_pool> pool;
            std::weak_ptr<int> captured;
            std::promise<bool> survived;
            std::latch posted(1);
            {
                weft::options opts;
                opts.threads = threads;
                auto const held = std::make_shared<int>(0);
                captured = held;
                opts.on_exception = [&, held](std::exception_ptr)
                {
                    pool.reset();
                    survived.set_value(!captured.expired());
                };
                pool = std::make_unique<weft::thread_pool>(opts);
            }
            asio::post(*pool,
                [&]
                {
                    posted.wait();
                    if (inside)
                        asio::dispatch(*pool, &fail);
                    else
                        fail();
                });
            posted.count_down();
            BOOST_TEST(survived.get_future().get());
            BOOST_TEST(!pool);
            while (!captured.expired())
                std::this_thread::yield();
        }
}

BOOST_AUTO_TEST_CASE(an_exception_is_handed_to_on_exception_and_the_pool_goes_on)
{
    for (std::size_t threads : {1u, 3u})
    {
        exceptions = 0;
        weft::thread_pool pool(options(threads));
        std::atomic<int> calls = 0;
        for (int i = 0; i != 1000; ++i)
            asio::post(pool,
                [&, i]
                {
                    ++calls;
                    if (i % 10 == 0)
                        fail();
                });
        pool.join();
        BOOST_TEST(calls == 1000);
        BOOST_TEST(exceptions == 100);
        BOOST_TEST(of_other_type == 0);
    }
}

BOOST_AUTO_TEST_CASE(what_a_handler_posted_before_it_threw_is_run)
{
    weft::thread_pool pool(options(2));
    std::atomic<int> calls = 0;
    asio::post(pool,
        [&]
        {
            for (int i = 0; i != 1000; ++i)
                asio::post(pool, [&] { ++calls; });
            fail();
        });
    pool.join();
    BOOST_TEST(calls == 1000);
    BOOST_TEST(exceptions == 1);
}

BOOST_AUTO_TEST_CASE(exceptions_of_timers_and_inline_dispatches_are_handed_over_too)
{
    weft::thread_pool pool(options(1));
    asio::steady_timer timer(pool, std::chrono::seconds(0));
    timer.async_wait([](boost::system::error_code) { fail(); });
    asio::post(pool, [&] { asio::dispatch(pool, &fail); });
    asio::post(pool, [] { throw 42; });
    pool.join();
    BOOST_TEST(exceptions == 2);
    BOOST_TEST(of_other_type == 1);
}

BOOST_AUTO_TEST_CASE(exceptions_on_attached_threads_are_handed_over_too)
{
    weft::thread_pool pool(options(1));
    test::thread_group attached(2, [&] { pool.attach(); });
    for (int i = 0; i != 300; ++i)
        asio::post(pool, &fail);
    pool.join();
    attached.join();
    BOOST_TEST(exceptions == 300);
}

BOOST_AUTO_TEST_CASE(on_exception_may_post_to_the_pool)
{
    std::atomic<int> retried = 0;
    weft::thread_pool* target = nullptr;
    weft::options opts;
    opts.threads = 2;
    opts.on_exception = [&](std::exception_ptr)
    {
        asio::post(*target, [&] { ++retried; });
    };
    weft::thread_pool pool(opts);
    target = &pool;
    for (int i = 0; i != 100; ++i)
        asio::post(pool, &fail);
    pool.join();
    BOOST_TEST(retried == 100);
}

BOOST_AUTO_TEST_SUITE_END()
