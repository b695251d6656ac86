// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Handlers with an executor of their own, whose operation was completed from outside: Asio calls
// them wherever it finds the operation, and they may do what all others may.

#include <weft/io_context.hpp>
#include <weft/run_blocking.hpp>
#include <weft/semaphore.hpp>
#include <weft/thread_pool.hpp>

#include "support/cases.hpp"
#include "support/inline_executor.hpp"

namespace
{

using namespace std::chrono_literals;

// Calls what it is given. The system executor does so too, and ends the program if that throws.
struct inline_executor
{
    template <typename Function>
    void execute(Function function) const
    {
        function();
    }

    bool operator==(inline_executor) const noexcept
    {
        return true;
    }

    bool operator!=(inline_executor) const noexcept
    {
        return false;
    }
};

// A timer that is cancelled from outside when so many threads sleep, one of them in the reactor.
struct timer_cancelled_from_outside
{
    weft::io_context context;
    asio::steady_timer never{context, 1h};

    template <typename Handler, typename Executor = asio::system_executor>
    void call_from_outside(Handler handler, Executor executor = {})
    {
        never.async_wait(
            asio::bind_executor(executor, [handler](error_code) mutable { handler(); }));
    }

    void cancel_when_asleep(std::size_t threads = 1)
    {
        while (context.stats().total.parks < threads)
            std::this_thread::yield();
        never.cancel();
    }

    // The context's only thread is this one.
    std::size_t run()
    {
        test::thread_group canceller(1, [this] { cancel_when_asleep(); });
        return context.run();
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(other_executors, timer_cancelled_from_outside)

BOOST_AUTO_TEST_CASE(it_counts_as_a_handler)
{
    call_from_outside([] {});
    BOOST_TEST(run() == 1u);
    BOOST_TEST(context.stats().total.handlers == 1u);
    context.restart();
    call_from_outside([] {}, inline_executor());
    BOOST_TEST(run() == 1u);
    context.restart();
    call_from_outside([] {}, asio::make_strand(context));
    BOOST_TEST(run() == 1u);
}

// What the thread counts must reach the sum that decides whether run() is over.
BOOST_AUTO_TEST_CASE(work_that_it_starts_keeps_run_from_returning)
{
    asio::steady_timer timer(context);
    bool fired = false;
    call_from_outside(
        [&]
        {
            timer.expires_after(1ms);
            timer.async_wait([&](error_code ec) { fired = !ec; });
            // Another thread takes away what might be the last piece of work.
            auto work = asio::make_work_guard(context);
            std::thread([&] { work.reset(); }).join();
        });
    run();
    BOOST_TEST(fired);
}

BOOST_AUTO_TEST_CASE(work_that_it_finishes_lets_run_return)
{
    auto work = asio::make_work_guard(context);
    call_from_outside([&] { work.reset(); });
    BOOST_TEST(run() == 1u);
    BOOST_TEST(context.stopped());
}

// A thread in a handler that counts as asleep would be woken in vain, and the wake be lost.
BOOST_AUTO_TEST_CASE(its_thread_is_not_taken_for_one_that_sleeps)
{
    auto work = asio::make_work_guard(context);
    std::promise<void> inside;
    std::promise<void> third;
    call_from_outside(
        [&]
        {
            inside.set_value();
            third.get_future().wait();
        });
    test::thread_group runners(2, [&] { context.run(); });
    cancel_when_asleep(2);
    inside.get_future().wait();

    std::promise<void> busy;
    std::latch release(1);
    asio::post(context,
        [&]
        {
            busy.set_value();
            release.wait();
        });
    busy.get_future().wait();
    asio::post(context, [] {});
    auto const parks = context.stats().total.parks;
    release.count_down();
    while (context.stats().total.parks == parks)
        std::this_thread::yield();
    asio::post(context, [&] { third.set_value(); });
    work.reset();
}

// Timers too: they do not wait for a handler if there is another thread.
BOOST_AUTO_TEST_CASE(it_does_not_keep_the_reactor)
{
    asio::steady_timer timer(context);
    std::promise<void> fired;
    call_from_outside(
        [&]
        {
            timer.expires_after(1ms);
            timer.async_wait([&](error_code) { fired.set_value(); });
            fired.get_future().wait();
        });
    test::thread_group runners(2, [&] { context.run(); });
    cancel_when_asleep(2);
}

BOOST_AUTO_TEST_CASE(what_it_submits_is_run_and_dispatched_at_once)
{
    std::vector<int> order;
    call_from_outside(
        [&]
        {
            asio::post(context, [&] { order.push_back(3); });
            asio::defer(context, [&] { order.push_back(2); });
            asio::dispatch(context, [&] { order.push_back(1); });
        });
    BOOST_TEST(run() == 3u);
    BOOST_TEST(order == (std::vector<int>{1, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(it_can_run_the_context)
{
    asio::steady_timer timer(context);
    int calls = 0;
    call_from_outside(
        [&]
        {
            asio::post(context, [&] { ++calls; });
            BOOST_TEST(context.poll() == 1u);
            timer.expires_after(1ms);
            timer.async_wait([&](error_code) { ++calls; });
            BOOST_TEST(context.run_one() == 1u);
        });
    BOOST_TEST(run() == 1u);
    BOOST_TEST(calls == 2);
}

BOOST_AUTO_TEST_CASE(what_it_throws_leaves_run)
{
    call_from_outside([] { throw std::runtime_error("thrown"); }, inline_executor());
    BOOST_CHECK_THROW(run(), std::runtime_error);
    context.restart();
    int calls = 0;
    asio::post(context, [&] { ++calls; });
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_CASE(what_is_thrown_inside_it_leaves_run_when_it_is_done)
{
    bool done = false;
    call_from_outside(
        [&]
        {
            context.get_executor().execute([] { throw std::runtime_error("captured"); });
            done = true;
        },
        inline_executor());
    BOOST_CHECK_THROW(run(), std::runtime_error);
    BOOST_TEST(done);
}

BOOST_AUTO_TEST_CASE(it_can_stop_the_context)
{
    auto work = asio::make_work_guard(context);
    bool ran = false;
    call_from_outside(
        [&]
        {
            asio::post(context, [&] { ran = true; });
            context.stop();
        });
    run();
    BOOST_TEST(!ran);
    context.restart();
    work.reset();
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(ran);
}

BOOST_AUTO_TEST_CASE(it_can_destroy_a_primitive_that_is_waited_for)
{
    std::optional<weft::semaphore> semaphore(std::in_place, context.get_executor(), 0);
    error_code result;
    semaphore->async_acquire([&](error_code ec) { result = ec; });
    call_from_outside([&] { semaphore.reset(); });
    BOOST_TEST(run() == 2u);
    BOOST_TEST(result == asio::error::operation_aborted);
}

BOOST_AUTO_TEST_CASE(others_run_what_it_deferred_while_it_blocks)
{
    std::promise<void> deferred;
    call_from_outside(
        [&]
        {
            asio::defer(context, [&] { deferred.set_value(); });
            weft::run_blocking([&] { deferred.get_future().wait(); });
        });
    test::thread_group runners(2, [&] { context.run(); });
    cancel_when_asleep(2);
}

BOOST_AUTO_TEST_SUITE_END()

namespace
{

struct uncounted_work
{
    weft::io_context context;
    using executor_type = test::inline_executor;
    using timer_type = asio::basic_waitable_timer<std::chrono::steady_clock,
        asio::wait_traits<std::chrono::steady_clock>, executor_type>;

    executor_type const executor{&context};
    std::atomic<unsigned> completed{0};

    // Whether run() returns, in two threads, when `count` operations have completed.
    void runs_until(unsigned count)
    {
        context.poll();
        BOOST_TEST(context.stopped() == (completed == count));
        context.restart();
        test::thread_group(2, [this] { context.run(); }).join();
        BOOST_TEST(completed == count);
        BOOST_TEST(context.stopped());
    }
};

} // namespace

// As Asio's own context does, which counts the operations of its services.
BOOST_FIXTURE_TEST_SUITE(objects_whose_executor_counts_no_work, uncounted_work)

BOOST_AUTO_TEST_CASE(run_waits_for_timers)
{
    timer_type timer(executor, 20ms);
    timer.async_wait([this](error_code) { ++completed; });
    runs_until(1);
}

BOOST_AUTO_TEST_CASE(run_waits_for_what_is_cancelled_from_outside)
{
    timer_type timer(executor, 1h);
    timer.async_wait(
        [this](error_code error)
        {
            BOOST_TEST(error == asio::error::operation_aborted);
            ++completed;
        });
    test::thread_group canceller(1,
        [&]
        {
            while (context.stats().total.parks < 2)
                std::this_thread::yield();
            timer.cancel();
        });
    runs_until(1);
}

BOOST_AUTO_TEST_CASE(run_waits_for_resolvers)
{
    asio::ip::basic_resolver<asio::ip::tcp, executor_type> resolver(executor);
    resolver.async_resolve("127.0.0.1", "80", [this](error_code, auto) { ++completed; });
    runs_until(1);
}

BOOST_AUTO_TEST_CASE(run_waits_for_sockets)
{
    using socket = asio::basic_stream_socket<asio::local::stream_protocol, executor_type>;
    socket reader(executor);
    socket writer(executor);
    asio::local::connect_pair(reader, writer);
    char byte = 0;
    // The first one completes in the reactor, and the second one as soon as it is started.
    reader.async_read_some(asio::buffer(&byte, 1),
        [&](error_code, std::size_t)
        {
            ++completed;
            reader.async_read_some(
                asio::buffer(&byte, 1), [&](error_code, std::size_t) { ++completed; });
        });
    test::thread_group peer(1,
        [&]
        {
            while (context.stats().total.parks == 0)
                std::this_thread::yield();
            writer.write_some(asio::buffer("xy", 2));
        });
    runs_until(2);
}

BOOST_AUTO_TEST_CASE(one_thread_waits_as_well)
{
    timer_type timer(executor, 1ms);
    for (unsigned i = 1; i != 4; ++i)
    {
        timer.expires_after(1ms);
        timer.async_wait([this](error_code) { ++completed; });
        context.run();
        BOOST_TEST(completed == i);
        context.restart();
    }
}

BOOST_AUTO_TEST_SUITE_END()
