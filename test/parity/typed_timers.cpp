// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Timers whose executor is the context's own, or has that inside: with weft's executors these are
// weft's own as well.

#define WEFT_PARITY_TYPED_TIMERS
#include "timers.cpp"

namespace
{

template <class Executor>
using timer_over = asio::basic_waitable_timer<std::chrono::steady_clock,
    asio::wait_traits<std::chrono::steady_clock>, Executor>;

// A handler that says when it is destroyed without having been called.
struct destroyed_flag
{
    explicit destroyed_flag(int& destroyed) : count(&destroyed)
    {
    }

    destroyed_flag(destroyed_flag&& other) noexcept : count(std::exchange(other.count, nullptr))
    {
    }

    ~destroyed_flag()
    {
        if (count)
            ++*count;
    }

    void operator()(error_code)
    {
        count = nullptr;
    }

    int* count;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(typed_timers, test::with_context)

BOOST_FIXTURE_TEST_CASE(
    waits_that_are_pending_at_the_end_are_destroyed_and_not_called, test::context_of_its_own)
{
    int destroyed = 0;
    {
        io_context context;
        steady_timer soon(context, 0s);
        steady_timer late(context, 1h);
        steady_timer never(context, steady_timer::time_point::max());
        soon.async_wait(destroyed_flag(destroyed));
        for (int i = 0; i != 3; ++i)
            late.async_wait(destroyed_flag(destroyed));
        never.async_wait(destroyed_flag(destroyed));
        // The handlers own their timer.
        auto owned = std::make_shared<steady_timer>(context, 1h);
        owned->async_wait([owned, flag = destroyed_flag(destroyed)](error_code) {});
        owned->async_wait([owned, flag = destroyed_flag(destroyed)](error_code) {});
        asio::post(context,
            [&, owned] { owned->async_wait([flag = destroyed_flag(destroyed)](error_code) {}); });
        owned.reset();
        context.poll_one();
    }
    BOOST_TEST(destroyed == 8);
}

BOOST_AUTO_TEST_CASE(a_timer_for_the_end_of_time_waits_until_it_is_cancelled)
{
    steady_timer timer(context, steady_timer::time_point::max());
    error_code result;
    timer.async_wait([&](error_code ec) { result = ec; });
    BOOST_TEST(context.run_for(1ms) == 0u);
    BOOST_TEST(timer.cancel() == 1u);
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(result == asio::error::operation_aborted);
}

BOOST_AUTO_TEST_CASE(one_wait_of_several_is_cancelled_by_its_slot)
{
    steady_timer timer(context, 1h);
    asio::cancellation_signal signals[3];
    std::vector<int> aborted;
    for (int i = 0; i != 3; ++i)
        timer.async_wait(asio::bind_cancellation_slot(signals[i].slot(),
            [&aborted, i](error_code ec)
            {
                if (ec == asio::error::operation_aborted)
                    aborted.push_back(i);
            }));
    signals[1].emit(asio::cancellation_type::total);
    BOOST_TEST(context.poll() == 1u);
    signals[1].emit(asio::cancellation_type::total);
    BOOST_TEST(context.poll() == 0u);
    signals[0].emit(asio::cancellation_type::terminal);
    signals[2].emit(asio::cancellation_type::partial);
    BOOST_TEST(context.run() == 2u);
    BOOST_TEST((aborted == std::vector<int>{1, 0, 2}));
}

BOOST_AUTO_TEST_CASE(a_slot_keeps_working_for_a_timer_whose_earlier_waits_have_ended)
{
    asio::cancellation_signal signal;
    steady_timer timer(context);
    for (int i = 0; i != 10; ++i)
    {
        timer.expires_after(i % 2 == 0 ? 0s : 3600s);
        error_code result = asio::error::would_block;
        timer.async_wait(
            asio::bind_cancellation_slot(signal.slot(), [&](error_code ec) { result = ec; }));
        if (i % 2 != 0)
            signal.emit(asio::cancellation_type::all);
        context.restart();
        BOOST_TEST(context.run() == 1u);
        BOOST_TEST((result == asio::error::operation_aborted) == (i % 2 != 0));
    }
}

BOOST_AUTO_TEST_CASE(a_moved_timer_fires_where_its_waits_are)
{
    std::vector<steady_timer> timers;
    int fired = 0;
    // Moved again and again as the vector grows.
    for (int i = 0; i != 100; ++i)
    {
        timers.emplace_back(context, std::chrono::microseconds(i % 7));
        timers.back().async_wait([&](error_code ec) { fired += ec ? 1000 : 1; });
    }
    BOOST_TEST(context.run() == 100u);
    BOOST_TEST(fired == 100);
}

BOOST_AUTO_TEST_CASE(the_target_of_a_move_loses_its_own_waits)
{
    steady_timer first(context, 1h);
    steady_timer second(context, 1h);
    std::vector<int> aborted;
    first.async_wait([&](error_code) { aborted.push_back(1); });
    second.async_wait([&](error_code) { aborted.push_back(2); });
    context.poll();
    second = std::move(first);
    context.restart();
    BOOST_TEST(context.poll() == 1u);
    BOOST_TEST((aborted == std::vector<int>{2}));
    BOOST_TEST(second.cancel() == 1u);
    // What was moved from can be used again.
    first.expires_after(0s);
    bool fired = false;
    first.async_wait([&](error_code ec) { fired = !ec; });
    context.restart();
    BOOST_TEST(context.run() == 2u);
    BOOST_TEST(fired);
}

BOOST_AUTO_TEST_CASE(a_timer_moves_to_another_context)
{
    io_context one;
    io_context other;
    steady_timer timer(one, 1h);
    {
        steady_timer theirs(other, 0s);
        theirs.async_wait([](error_code ec) { BOOST_TEST(!ec); });
        timer = std::move(theirs);
    }
    BOOST_TEST((&asio::query(timer.get_executor(), asio::execution::context) == &other));
    BOOST_TEST(one.run() == 0u);
    BOOST_TEST(other.run() == 1u);
}

BOOST_AUTO_TEST_CASE(a_timer_without_waits_becomes_one_of_another_executor_type)
{
    steady_timer timer(context, 1ms);
    const auto expiry = timer.expiry();
    asio::steady_timer any(std::move(timer));
    BOOST_TEST((any.expiry() == expiry));
    error_code result = asio::error::would_block;
    any.async_wait([&](error_code ec) { result = ec; });
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(!result);
    any = steady_timer(context, 0s);
    result = asio::error::would_block;
    any.async_wait([&](error_code ec) { result = ec; });
    context.restart();
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(!result);
}

BOOST_AUTO_TEST_CASE(a_timer_over_a_strand_completes_in_the_strand)
{
    using strand = asio::strand<io_context::executor_type>;
    strand s(context.get_executor());
    timer_over<strand> timer(s, 0s);
    bool inside = false;
    timer.async_wait([&](error_code) { inside = s.running_in_this_thread(); });
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(inside);
}

BOOST_FIXTURE_TEST_CASE(
    a_timer_of_a_pool_and_one_that_tracks_work_complete, test::context_of_its_own)
{
    thread_pool pool(2);
    timer_over<thread_pool::executor_type> timer(pool, 1ms);
    error_code result = asio::error::would_block;
    timer.async_wait([&](error_code ec) { result = ec; });
    pool.join();
    BOOST_TEST(!result);

    io_context context;
    const auto tracked =
        asio::require(context.get_executor(), asio::execution::outstanding_work.tracked);
    timer_over<std::decay_t<decltype(tracked)>> other(tracked, 0s);
    std::optional<decltype(other)> moved(std::move(other));
    other = timer_over<std::decay_t<decltype(tracked)>>(std::move(*moved));
    bool fired = false;
    other.async_wait([&](error_code) { fired = true; });
    BOOST_TEST(context.run_one() == 1u);
    BOOST_TEST(fired);
}

BOOST_AUTO_TEST_CASE(coroutines_wait_for_timers_with_a_default_token)
{
    using token = asio::use_awaitable_t<io_context::executor_type>;
    using timer_type = token::as_default_on_t<steady_timer>;
    int waited = 0;
    auto body = [&]() -> asio::awaitable<void, io_context::executor_type>
    {
        timer_type timer(co_await asio::this_coro::executor);
        for (int i = 0; i != 10; ++i)
        {
            timer.expires_after(std::chrono::microseconds(i));
            co_await timer.async_wait();
            ++waited;
        }
        timer.expires_after(1h);
        co_await timer.async_wait();
        waited = -1;
    };
    asio::cancellation_signal signal;
    std::exception_ptr failure;
    asio::co_spawn(context, body(),
        asio::bind_cancellation_slot(signal.slot(), [&](std::exception_ptr e) { failure = e; }));
    context.run_for(std::chrono::milliseconds(50));
    while (waited != 10)
        context.run_one();
    asio::post(context, [&] { signal.emit(asio::cancellation_type::all); });
    context.restart();
    context.run();
    BOOST_TEST(waited == 10);
    BOOST_TEST(static_cast<bool>(failure));
}

BOOST_AUTO_TEST_CASE(timers_and_sockets_of_one_context_do_not_wait_for_each_other)
{
    asio::local::stream_protocol::socket a(context);
    asio::local::stream_protocol::socket b(context);
    asio::local::connect_pair(a, b);
    char byte[1];
    int read = 0;
    steady_timer timer(context);
    std::function<void()> receive = [&]
    {
        b.async_read_some(asio::buffer(byte),
            [&](error_code ec, std::size_t)
            {
                if (!ec && ++read != 20)
                    receive();
            });
    };
    int ticks = 0;
    std::function<void()> tick = [&]
    {
        timer.expires_after(std::chrono::microseconds(ticks * 20));
        timer.async_wait(
            [&](error_code)
            {
                asio::write(a, asio::buffer("x", 1));
                if (++ticks != 20)
                    tick();
            });
    };
    receive();
    tick();
    context.run();
    BOOST_TEST(ticks == 20);
    BOOST_TEST(read == 20);
}

BOOST_AUTO_TEST_CASE(a_timer_expires_while_all_other_threads_are_in_long_handlers)
{
    const auto work = asio::make_work_guard(context);
    std::latch busy(2);
    std::latch fired(1);
    std::latch end(1);
    steady_timer timer(context);
    test::thread_group runners(3, [&] { context.run(); });
    // The first of them starts the wait, and what is in its own queues it does not come to.
    asio::post(context,
        [&]
        {
            timer.expires_after(1ms);
            timer.async_wait([&](error_code) { fired.count_down(); });
            busy.count_down();
            end.wait();
        });
    asio::post(context,
        [&]
        {
            busy.count_down();
            end.wait();
        });
    busy.wait();
    fired.wait();
    end.count_down();
    context.stop();
    runners.join();
}

BOOST_AUTO_TEST_CASE(poll_and_run_one_see_what_has_expired)
{
    steady_timer timer(context);
    int fired = 0;
    for (int i = 0; i != 20; ++i)
    {
        timer.expires_at(steady_timer::clock_type::now());
        timer.async_wait([&](error_code ec) { fired += ec ? 100 : 1; });
        context.restart();
        BOOST_TEST((i % 2 == 0 ? context.poll_one() : context.run_one()) == 1u);
        BOOST_TEST(fired == i + 1);
    }
}

BOOST_AUTO_TEST_CASE(a_million_timers_can_be_pending)
{
    std::vector<steady_timer> timers;
    timers.reserve(1'000'000);
    std::size_t aborted = 0;
    std::size_t fired = 0;
    const auto now = steady_timer::clock_type::now();
    std::mt19937 random(3);
    for (int i = 0; i != 1'000'000; ++i)
    {
        timers.emplace_back(
            context, i % 10 == 0 ? now : now + std::chrono::hours(1 + random() % 99));
        timers.back().async_wait([&](error_code ec) { ++(ec ? aborted : fired); });
    }
    BOOST_TEST(context.poll() == 100'000u);
    timers.clear();
    context.run();
    BOOST_TEST(fired == 100'000u);
    BOOST_TEST(aborted == 900'000u);
}

BOOST_AUTO_TEST_SUITE_END()
