// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

#include "parity/echo.hpp"

namespace
{

using namespace std::chrono_literals;
using asio::awaitable;
using asio::use_awaitable;
using asio::ip::tcp;

// Runs one coroutine on a context of its own, and what it throws fails the test.
void run_coroutine(const std::function<awaitable<void>(io_context&)>& body)
{
    io_context context;
    std::exception_ptr error;
    bool finished = false;
    asio::co_spawn(context, body(context),
        [&](std::exception_ptr e)
        {
            error = e;
            finished = true;
        });
    context.run();
    BOOST_TEST(finished);
    if (error)
        std::rethrow_exception(error);
}

} // namespace

BOOST_AUTO_TEST_SUITE(coroutine_tokens)

BOOST_AUTO_TEST_CASE(as_tuple_delivers_the_error_as_a_value)
{
    run_coroutine(
        [](io_context& context) -> awaitable<void>
        {
            auto [client, server] = test::tcp_pair(context);
            client.close();
            std::array<char, 4> buffer{};
            const auto [ec, n] = co_await server.async_read_some(
                asio::buffer(buffer), asio::as_tuple(use_awaitable));
            BOOST_TEST(ec == asio::error::eof);
            BOOST_TEST(n == 0u);
        });
}

BOOST_AUTO_TEST_CASE(redirect_error_delivers_the_error_elsewhere)
{
    run_coroutine(
        [](io_context& context) -> awaitable<void>
        {
            asio::steady_timer timer(context, 1h);
            asio::post(context, [&] { timer.cancel(); });
            error_code ec;
            co_await timer.async_wait(asio::redirect_error(use_awaitable, ec));
            BOOST_TEST(ec == asio::error::operation_aborted);
        });
}

BOOST_AUTO_TEST_CASE(errors_are_thrown_as_system_error)
{
    run_coroutine(
        [](io_context& context) -> awaitable<void>
        {
            asio::steady_timer timer(context, 1h);
            asio::post(context, [&] { timer.cancel(); });
            bool thrown = false;
            try
            {
                co_await timer.async_wait(use_awaitable);
            }
            catch (const boost::system::system_error& error)
            {
                thrown = error.code() == asio::error::operation_aborted;
            }
            BOOST_TEST(thrown);
        });
}

BOOST_AUTO_TEST_CASE(a_deferred_operation_starts_when_it_is_awaited)
{
    run_coroutine(
        [](io_context& context) -> awaitable<void>
        {
            asio::steady_timer timer(context);
            timer.expires_after(0s);
            auto operation = timer.async_wait(asio::deferred);
            timer.expires_after(1ms);
            co_await std::move(operation);
            BOOST_TEST((asio::steady_timer::clock_type::now() >= timer.expiry()));
            co_await asio::post(context, asio::deferred);
        });
}

BOOST_AUTO_TEST_CASE(deferred_operations_chain_without_a_coroutine)
{
    io_context context;
    asio::steady_timer timer(context, 0s);
    int result = 0;
    timer.async_wait(asio::deferred(
        [&](error_code)
        {
            timer.expires_after(0s);
            return timer.async_wait(asio::append(asio::deferred, 42));
        }))([&](error_code, int value) { result = value; });
    BOOST_TEST(context.run() == 2u);
    BOOST_TEST(result == 42);
}

BOOST_AUTO_TEST_CASE(append_prepend_and_consign_pass_values_through)
{
    io_context context;
    const auto token = std::make_shared<int>(0);
    asio::steady_timer timer(context, 0s);
    int appended = 0;
    timer.async_wait(asio::append([&](error_code, int value) { appended = value; }, 1));
    int prepended = 0;
    timer.async_wait(asio::prepend([&](int value, error_code) { prepended = value; }, 2));
    timer.async_wait(asio::consign([&](error_code) { BOOST_TEST(token.use_count() == 2); }, token));
    BOOST_TEST(context.run() == 3u);
    BOOST_TEST(appended == 1);
    BOOST_TEST(prepended == 2);
    BOOST_TEST(token.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(a_default_token_makes_the_operation_awaitable)
{
    run_coroutine(
        [](io_context& context) -> awaitable<void>
        {
            using timer_type = asio::use_awaitable_t<>::as_default_on_t<asio::steady_timer>;
            timer_type timer(context, 1ms);
            co_await timer.async_wait();
            using tuple_type =
                asio::as_tuple_t<asio::use_awaitable_t<>>::as_default_on_t<asio::steady_timer>;
            tuple_type other(context, 1ms);
            const auto [ec] = co_await other.async_wait();
            BOOST_TEST(!ec);
        });
}

BOOST_AUTO_TEST_CASE(awaitables_with_the_concrete_executor_work)
{
    using executor_type = io_context::executor_type;
    using timer_type = asio::basic_waitable_timer<std::chrono::steady_clock,
        asio::wait_traits<std::chrono::steady_clock>, executor_type>;
    constexpr asio::use_awaitable_t<executor_type> token;
    io_context context;
    bool finished = false;
    asio::co_spawn(
        context,
        [&]() -> awaitable<void, executor_type>
        {
            const executor_type executor = co_await asio::this_coro::executor;
            BOOST_TEST((executor == context.get_executor()));
            timer_type timer(executor, 1ms);
            co_await timer.async_wait(token);
            co_await asio::post(executor, token);
            finished = true;
        },
        asio::detached);
    context.run();
    BOOST_TEST(finished);
}

BOOST_AUTO_TEST_CASE(a_signal_cancels_a_coroutine_where_it_waits)
{
    io_context context;
    asio::cancellation_signal signal;
    error_code result;
    asio::co_spawn(
        context,
        [&]() -> awaitable<void>
        {
            asio::steady_timer timer(co_await asio::this_coro::executor, 1h);
            co_await timer.async_wait(asio::redirect_error(use_awaitable, result));
        },
        asio::bind_cancellation_slot(signal.slot(), asio::detached));
    context.poll();
    signal.emit(asio::cancellation_type::terminal);
    context.run();
    BOOST_TEST(result == asio::error::operation_aborted);
}

BOOST_AUTO_TEST_CASE(cancellation_passes_down_nested_coroutines)
{
    io_context context;
    asio::cancellation_signal signal;
    struct nested
    {
        static awaitable<void> wait(int depth)
        {
            if (depth > 0)
            {
                co_await wait(depth - 1);
                co_return;
            }
            asio::steady_timer timer(co_await asio::this_coro::executor, 1h);
            co_await timer.async_wait(use_awaitable);
        }
    };
    std::exception_ptr error;
    asio::co_spawn(context, nested::wait(5),
        asio::bind_cancellation_slot(signal.slot(), [&](std::exception_ptr e) { error = e; }));
    asio::post(context, [&] { signal.emit(asio::cancellation_type::terminal); });
    context.run();
    BOOST_TEST_REQUIRE((error != nullptr));
    BOOST_CHECK_THROW(std::rethrow_exception(error), boost::system::system_error);
}

BOOST_AUTO_TEST_CASE(a_coroutine_sees_its_cancellation_state_and_can_reset_it)
{
    io_context context;
    asio::cancellation_signal signal;
    bool seen = false;
    bool went_on = false;
    asio::co_spawn(
        context,
        [&]() -> awaitable<void>
        {
            co_await asio::this_coro::throw_if_cancelled(false);
            asio::steady_timer timer(co_await asio::this_coro::executor, 1h);
            co_await timer.async_wait(asio::as_tuple(use_awaitable));
            auto state = co_await asio::this_coro::cancellation_state;
            seen = state.cancelled() == asio::cancellation_type::terminal;
            co_await asio::this_coro::reset_cancellation_state();
            timer.expires_after(1ms);
            const auto [ec] = co_await timer.async_wait(asio::as_tuple(use_awaitable));
            went_on = !ec;
        },
        asio::bind_cancellation_slot(signal.slot(), asio::detached));
    context.poll();
    signal.emit(asio::cancellation_type::terminal);
    context.run();
    BOOST_TEST(seen);
    BOOST_TEST(went_on);
}

BOOST_AUTO_TEST_CASE(a_cancelled_coroutine_throws_at_its_next_await)
{
    io_context context;
    asio::cancellation_signal signal;
    bool second_step = false;
    std::exception_ptr error;
    asio::co_spawn(
        context,
        [&]() -> awaitable<void>
        {
            const auto executor = co_await asio::this_coro::executor;
            co_await asio::post(executor, use_awaitable);
            signal.emit(asio::cancellation_type::terminal);
            co_await asio::post(executor, use_awaitable);
            second_step = true;
        },
        asio::bind_cancellation_slot(signal.slot(), [&](std::exception_ptr e) { error = e; }));
    context.run();
    BOOST_TEST(!second_step);
    BOOST_TEST((error != nullptr));
}

BOOST_AUTO_TEST_SUITE_END()
