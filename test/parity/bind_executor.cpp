// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

BOOST_FIXTURE_TEST_SUITE(bind_executor, test::with_context)

BOOST_AUTO_TEST_CASE(a_handler_bound_to_an_executor_has_it_associated)
{
    io_context other;
    // Named, since what is found may be a reference to the one that was passed.
    const auto fallback = other.get_executor();
    const auto bound = asio::bind_executor(context, [] {});
    const auto unbound = [] {
    };
    BOOST_TEST((asio::get_associated_executor(bound) == context.get_executor()));
    BOOST_TEST((asio::get_associated_executor(bound, fallback) == context.get_executor()));
    BOOST_TEST((asio::get_associated_executor(unbound, fallback) == fallback));
}

BOOST_AUTO_TEST_CASE(operations_complete_on_the_context_of_their_handler)
{
    io_context io;
    io_context handlers;
    auto [near, far] = test::local_pair(io);
    std::array<char, 4> buffer{};
    int calls = 0;
    near.async_read_some(
        asio::buffer(buffer), asio::bind_executor(handlers,
                                  [&](error_code, std::size_t)
                                  {
                                      ++calls;
                                      BOOST_TEST(handlers.get_executor().running_in_this_thread());
                                      BOOST_TEST(!io.get_executor().running_in_this_thread());
                                  }));
    asio::steady_timer timer(io, std::chrono::seconds(0));
    timer.async_wait(asio::bind_executor(handlers, [&](error_code) { ++calls; }));
    asio::write(far, asio::buffer("abcd", 4));
    BOOST_TEST(handlers.poll() == 0u);
    BOOST_TEST(!handlers.stopped());
    io.run();
    BOOST_TEST(calls == 0);
    handlers.run();
    BOOST_TEST(calls == 2);
}

BOOST_AUTO_TEST_CASE(a_pending_operation_is_work_of_both_contexts)
{
    io_context io;
    io_context handlers;
    asio::steady_timer timer(io, std::chrono::hours(1));
    timer.async_wait(asio::bind_executor(handlers, [](error_code) {}));
    io.poll();
    handlers.poll();
    BOOST_TEST(!io.stopped());
    BOOST_TEST(!handlers.stopped());
    timer.cancel();
    io.run();
    BOOST_TEST(handlers.run() == 1u);
}

BOOST_AUTO_TEST_CASE(a_pool_can_serve_the_handlers_of_an_io_context)
{
    io_context io;
    thread_pool pool(2);
    std::promise<bool> on_pool;
    asio::steady_timer timer(io, std::chrono::seconds(0));
    timer.async_wait(asio::bind_executor(pool,
        [&](error_code) { on_pool.set_value(pool.get_executor().running_in_this_thread()); }));
    io.run();
    BOOST_TEST(on_pool.get_future().get());
    pool.join();
}

BOOST_AUTO_TEST_CASE(join_of_a_pool_waits_for_the_operation_its_handler_is_bound_to)
{
    io_context io;
    thread_pool pool(1);
    bool ran = false;
    asio::steady_timer timer(io, std::chrono::milliseconds(1));
    timer.async_wait(asio::bind_executor(pool, [&](error_code) { ran = true; }));
    test::thread_group runner(1, [&] { io.run(); });
    pool.join();
    BOOST_TEST(ran);
}

BOOST_AUTO_TEST_CASE(a_handler_bound_to_the_system_executor_runs_where_it_may)
{
    std::promise<std::thread::id> ran_on;
    asio::post(asio::bind_executor(
        asio::system_executor(), [&] { ran_on.set_value(std::this_thread::get_id()); }));
    BOOST_TEST((ran_on.get_future().get() != std::this_thread::get_id()));

    bool inline_call = false;
    asio::steady_timer timer(context, std::chrono::seconds(0));
    timer.async_wait(
        asio::bind_executor(asio::system_executor(), [&](error_code) { inline_call = true; }));
    context.run();
    BOOST_TEST(inline_call);
}

BOOST_AUTO_TEST_CASE(the_system_executor_can_hand_work_to_a_context_and_back)
{
    auto guard = asio::make_work_guard(context);
    int hops = 0;
    std::promise<void> posted;
    asio::post(asio::system_executor(),
        [&]
        {
            ++hops;
            asio::post(context,
                [&]
                {
                    ++hops;
                    asio::dispatch(asio::system_executor(), [&] { ++hops; });
                    BOOST_TEST(hops == 3);
                    guard.reset();
                });
            posted.set_value();
        });
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(hops == 3);
    // The context must not end while another thread is inside a call of it.
    posted.get_future().wait();
}

BOOST_AUTO_TEST_CASE(rebinding_a_bound_handler_changes_where_it_runs)
{
    io_context first;
    io_context second;
    bool ran = false;
    const auto inner = asio::bind_executor(first, [&] { ran = true; });
    asio::post(asio::bind_executor(second, inner));
    BOOST_TEST(first.run() == 0u);
    BOOST_TEST(second.run() == 1u);
    BOOST_TEST(ran);
}

BOOST_AUTO_TEST_SUITE_END()
