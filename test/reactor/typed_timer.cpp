// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/io_context.hpp>
#include <weft/reactor/typed_timer.hpp>
#include <weft/steady_timer.hpp>
#include <weft/system_timer.hpp>
#include <weft/thread_pool.hpp>

#include "support/asio.hpp"

namespace
{

using weft::detail::asio_timer_service;

#if defined(BOOST_ASIO_HAS_IO_URING_AS_DEFAULT)
using reactor_service = asio::detail::io_uring_service;
#else
using reactor_service = asio::detail::reactor;
#endif

// Whether a timer, which is waited for, is weft's own: Asio's has a service.
template <class Timer, class Context>
bool is_own(Context& context, typename Timer::executor_type const& executor)
{
    {
        Timer timer(executor);
        timer.expires_after(std::chrono::hours(1));
        timer.async_wait([](error_code) {});
        BOOST_TEST(timer.cancel() == 1u);
    }
    return !asio::has_service<asio_timer_service>(context);
}

} // namespace

BOOST_AUTO_TEST_CASE(timers_over_an_own_executor_are_own)
{
    weft::io_context context;
    using executor = weft::io_context::executor_type;
    executor const ex = context.get_executor();
    BOOST_TEST(is_own<weft::steady_timer>(context, ex));
    BOOST_TEST(is_own<asio::steady_timer::rebind_executor<executor>::other>(context, ex));
    {
        // Work, as long as it is there.
        auto const tracked = asio::require(ex, asio::execution::outstanding_work.tracked);
        using timer = weft::basic_steady_timer<std::decay_t<decltype(tracked)>>;
        BOOST_TEST(is_own<timer>(context, tracked));
    }
    auto const allocating = asio::require(ex, asio::execution::allocator(std::allocator<int>()));
    BOOST_TEST(
        is_own<weft::basic_steady_timer<std::decay_t<decltype(allocating)>>>(context, allocating));
    using strand = asio::strand<executor>;
    BOOST_TEST(is_own<weft::basic_steady_timer<strand>>(context, strand(ex)));
    using deferred = asio::deferred_t::as_default_on_t<weft::steady_timer>;
    BOOST_TEST(is_own<deferred>(context, ex));
    using awaiting = asio::use_awaitable_t<>::as_default_on_t<weft::steady_timer>;
    BOOST_TEST(is_own<awaiting>(context, ex));
    using awaiting_typed = asio::use_awaitable_t<executor>::as_default_on_t<weft::steady_timer>;
    BOOST_TEST(is_own<awaiting_typed>(context, ex));
    using tuple = asio::as_tuple_t<asio::use_awaitable_t<executor>>;
    BOOST_TEST(is_own<tuple::as_default_on_t<weft::steady_timer>>(context, ex));
    context.run();

    weft::thread_pool pool(1);
    using of_pool = weft::basic_steady_timer<weft::thread_pool::executor_type>;
    BOOST_TEST(is_own<of_pool>(pool, pool.get_executor()));
}

BOOST_AUTO_TEST_CASE(other_timers_are_asios)
{
    weft::io_context context;
    BOOST_TEST(!is_own<asio::steady_timer>(context, context.get_executor()));
}

BOOST_AUTO_TEST_CASE(a_timer_that_moves_to_another_executor_type_is_asios)
{
    weft::io_context context;
    weft::steady_timer timer(context, std::chrono::hours(1));
    error_code result;
    timer.async_wait([&](error_code ec) { result = ec; });
    {
        asio::steady_timer any(std::move(timer));
        BOOST_TEST(asio::has_service<asio_timer_service>(context));
        BOOST_TEST(any.cancel() == 0u);
    }
    // The wait has stayed.
    BOOST_TEST(timer.cancel() == 1u);
    context.run();
    BOOST_TEST(result == asio::error::operation_aborted);
}

BOOST_AUTO_TEST_CASE(a_slot_cancels_a_wait_of_a_timer_that_has_been_moved)
{
    weft::io_context context;
    asio::cancellation_signal signal;
    auto first = std::make_unique<weft::steady_timer>(context, std::chrono::hours(1));
    error_code result;
    first->async_wait(
        asio::bind_cancellation_slot(signal.slot(), [&](error_code ec) { result = ec; }));
    weft::steady_timer second(std::move(*first));
    first.reset();
    signal.emit(asio::cancellation_type::terminal);
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(result == asio::error::operation_aborted);
    BOOST_TEST(second.cancel() == 0u);
}

BOOST_AUTO_TEST_CASE(a_slot_may_be_used_after_the_end_of_the_timer)
{
    weft::io_context context;
    asio::cancellation_signal signal;
    int calls = 0;
    {
        weft::steady_timer timer(context, std::chrono::hours(1));
        timer.async_wait(asio::bind_cancellation_slot(signal.slot(), [&](error_code) { ++calls; }));
    }
    signal.emit(asio::cancellation_type::terminal);
    BOOST_TEST(context.run() == 1u);
    signal.emit(asio::cancellation_type::terminal);
    BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_CASE(a_wait_that_is_cancelled_needs_no_reactor)
{
    weft::io_context context;
    weft::steady_timer timer(context, std::chrono::hours(1));
    timer.async_wait([](error_code) {});
    timer.cancel();
    context.run();
    BOOST_TEST(!asio::has_service<reactor_service>(context));
    // One that is slept for does.
    timer.expires_after(std::chrono::milliseconds(1));
    timer.async_wait([](error_code) {});
    context.restart();
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(asio::has_service<reactor_service>(context));
}

BOOST_AUTO_TEST_CASE(a_system_timer_completes)
{
    weft::io_context context;
    weft::system_timer timer(context, std::chrono::milliseconds(1));
    bool fired = false;
    timer.async_wait([&](error_code ec) { fired = !ec; });
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(fired);
}
