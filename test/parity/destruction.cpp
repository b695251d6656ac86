// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

#include <csignal>

namespace
{

using namespace std::chrono_literals;
using stream = asio::local::stream_protocol;
using asio::ip::tcp;

// A completion handler for anything, which must be destroyed and not called.
struct never_called
{
    std::shared_ptr<int> token;

    template <class... Args>
    void operator()(Args&&...) const
    {
        BOOST_ERROR("a handler ran although its context was being destroyed");
    }
};

// Calls a function when the last copy of the handler is destroyed.
struct on_destruction
{
    explicit on_destruction(std::function<void()> last_act)
        : action(new int(0),
              [last_act = std::move(last_act)](int* p)
              {
                  delete p;
                  last_act();
              })
    {
    }

    std::shared_ptr<int> action;

    template <class... Args>
    void operator()(Args&&...) const
    {
        BOOST_ERROR("a handler ran although its context was being destroyed");
    }
};

struct fixture
{
    std::shared_ptr<int> token = std::make_shared<int>(0);

    never_called handler() const
    {
        return never_called{token};
    }

    ~fixture()
    {
        BOOST_TEST(token.use_count() == 1);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(destruction, fixture)

BOOST_AUTO_TEST_CASE(posts_that_never_ran_are_destroyed)
{
    io_context context;
    for (int i = 0; i != 1000; ++i)
        asio::post(context, handler());
    asio::defer(context, handler());
    asio::dispatch(context, handler());
    BOOST_TEST(token.use_count() == 1003);
}

BOOST_AUTO_TEST_CASE(posts_left_over_by_stop_are_destroyed)
{
    io_context context;
    asio::post(context,
        [&]
        {
            for (int i = 0; i != 1000; ++i)
                asio::post(context, handler());
            asio::defer(context, handler());
            asio::defer(context, handler());
            context.stop();
        });
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(token.use_count() == 1003);
}

BOOST_AUTO_TEST_CASE(waits_aborted_by_the_end_of_their_timer_are_destroyed)
{
    io_context context;
    {
        asio::steady_timer timer(context, 1h);
        timer.async_wait(handler());
    }
    BOOST_TEST(token.use_count() == 2);
}

BOOST_AUTO_TEST_CASE(pending_waits_are_destroyed_with_the_timer_they_own)
{
    io_context context;
    auto timer = std::make_shared<asio::steady_timer>(context, 1h);
    timer->async_wait([timer, h = handler()](error_code) { h(); });
    timer->async_wait([timer, h = handler()](error_code) { h(); });
    timer.reset();
    context.poll();
    BOOST_TEST(token.use_count() == 3);
}

BOOST_AUTO_TEST_CASE(pending_socket_operations_are_destroyed)
{
    std::array<char, 16> buffer{};
    io_context context;
    auto [near, far] = test::local_pair(context);
    near.async_read_some(asio::buffer(buffer), handler());
    asio::async_read(far, asio::buffer(buffer), handler());
    far.async_wait(stream::socket::wait_read, handler());
    BOOST_TEST(context.poll() == 0u);
    BOOST_TEST(token.use_count() == 4);
}

BOOST_AUTO_TEST_CASE(pending_accepts_connects_and_signals_are_destroyed)
{
    io_context context;
    tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), 0});
    acceptor.async_accept(handler());
    asio::signal_set signals(context, SIGUSR1);
    signals.async_wait(handler());
    tcp::resolver resolver(context);
    BOOST_TEST(context.poll() == 0u);
    BOOST_TEST(token.use_count() == 3);
}

BOOST_AUTO_TEST_CASE(completed_but_undelivered_operations_are_destroyed)
{
    io_context context;
    auto [near, far] = test::local_pair(context);
    far.async_write_some(asio::buffer("abcd", 4), handler());
    asio::steady_timer timer(context);
    timer.expires_at(asio::steady_timer::time_point::min());
    timer.async_wait(handler());
    timer.cancel();
    context.stop();
    BOOST_TEST(context.run() == 0u);
}

BOOST_AUTO_TEST_CASE(a_socket_operation_cut_off_by_stop_is_destroyed)
{
    io_context context;
    auto [near, far] = test::local_pair(context);
    std::array<char, 16> buffer{};
    asio::async_read(near, asio::buffer(buffer), handler());
    asio::post(context,
        [&]
        {
            far.write_some(asio::buffer("abcd", 4));
            asio::post(context, [&] { context.stop(); });
        });
    context.run();
}

BOOST_AUTO_TEST_CASE(handlers_in_strands_are_destroyed)
{
    io_context context;
    auto strand = asio::make_strand(context);
    for (int i = 0; i != 10; ++i)
        asio::post(strand, handler());
    asio::steady_timer timer(context, 1h);
    timer.async_wait(asio::bind_executor(strand, handler()));
    BOOST_TEST(token.use_count() == 12);
}

BOOST_AUTO_TEST_CASE(handlers_behind_a_stop_in_a_strand_are_destroyed)
{
    io_context context;
    auto strand = asio::make_strand(context);
    asio::post(strand, [&] { context.stop(); });
    context.run_one();
    context.restart();
    asio::post(strand,
        [&]
        {
            context.stop();
            for (int i = 0; i != 10; ++i)
                asio::post(strand, handler());
        });
    context.run();
    BOOST_TEST(token.use_count() == 11);
}

BOOST_AUTO_TEST_CASE(suspended_coroutines_are_destroyed_with_their_locals)
{
    io_context context;
    for (int i = 0; i != 3; ++i)
        asio::co_spawn(
            context,
            [](std::shared_ptr<int> local) -> asio::awaitable<void>
            {
                asio::steady_timer timer(co_await asio::this_coro::executor, 1h);
                co_await timer.async_wait(asio::use_awaitable);
                BOOST_ERROR("resumed");
                (void)local;
            }(token),
            asio::detached);
    context.poll();
    BOOST_TEST(token.use_count() == 4);
}

BOOST_AUTO_TEST_CASE(coroutines_that_never_started_are_destroyed)
{
    io_context context;
    asio::co_spawn(
        context,
        [](std::shared_ptr<int>) -> asio::awaitable<void>
        {
            BOOST_ERROR("started");
            co_return;
        }(token),
        handler());
}

BOOST_AUTO_TEST_CASE(nested_coroutines_are_destroyed_from_the_inside)
{
    io_context context;
    struct inner
    {
        static asio::awaitable<void> wait(std::shared_ptr<int> local, int depth)
        {
            if (depth > 0)
                co_await wait(local, depth - 1);
            asio::steady_timer timer(co_await asio::this_coro::executor, 1h);
            co_await timer.async_wait(asio::use_awaitable);
        }
    };
    asio::co_spawn(context, inner::wait(token, 10), asio::detached);
    context.poll();
    BOOST_TEST(token.use_count() > 11);
}

BOOST_AUTO_TEST_CASE(a_handler_that_posts_while_it_is_destroyed_is_harmless)
{
    io_context context;
    for (int i = 0; i != 3; ++i)
        asio::post(context, on_destruction([&context, h = handler()] { asio::post(context, h); }));
}

BOOST_AUTO_TEST_CASE(a_timer_handler_that_posts_and_cancels_while_it_is_destroyed_is_harmless)
{
    io_context context;
    asio::steady_timer other(context, 1h);
    asio::steady_timer timer(context, 1h);
    timer.async_wait(on_destruction(
        [&context, h = handler()]
        {
            asio::post(context, h);
            asio::dispatch(context, h);
        }));
    context.poll();
}

BOOST_AUTO_TEST_CASE(a_handler_that_owns_its_socket_closes_it_while_it_is_destroyed)
{
    std::array<char, 16> buffer{};
    io_context context;
    const auto near = std::make_shared<stream::socket>(context);
    auto far = std::make_shared<stream::socket>(context);
    asio::local::connect_pair(*near, *far);
    // The far socket is owned by the handler of an operation on itself.
    far->async_read_some(asio::buffer(buffer), [far, h = handler()](error_code, std::size_t) {});
    far.reset();
    context.poll();
    BOOST_TEST(token.use_count() == 2);
}

BOOST_AUTO_TEST_CASE(a_handler_that_starts_an_operation_while_it_is_destroyed_is_harmless)
{
    std::array<char, 16> buffer{};
    io_context context;
    const auto near = std::make_shared<stream::socket>(context);
    stream::socket far(context);
    asio::local::connect_pair(*near, far);
    asio::post(context, on_destruction([h = handler()] { (void)h; }));
    asio::post(context, on_destruction(
                            [near, &buffer, h = handler()]
                            {
                                error_code ignored;
                                near->close(ignored);
                                near->async_read_some(asio::buffer(buffer), h);
                            }));
}

// What it starts completes at once, for the services are shut down; it must go before they do.
BOOST_AUTO_TEST_CASE(what_a_handler_starts_while_it_is_destroyed_may_own_its_object)
{
    std::array<char, 16> buffer{};
    io_context context;
    auto timer = std::make_shared<asio::steady_timer>(context, 1h);
    timer->async_wait([](error_code) {});
    BOOST_TEST(context.poll() == 0u);
    auto near = std::make_shared<stream::socket>(context);
    auto far = std::make_shared<stream::socket>(context);
    asio::local::connect_pair(*near, *far);
    auto const wait = [timer, h = handler()]
    {
        timer->async_wait([timer, h](error_code) { h(); });
    };
    asio::post(context, on_destruction(wait));
    asio::post(asio::make_strand(context), on_destruction(wait));
    asio::post(context, on_destruction(
                            [near, &buffer, h = handler()] {
                                near->async_read_some(asio::buffer(buffer),
                                    [near, h](error_code, std::size_t) { h(); });
                            }));
    asio::post(context, on_destruction(
                            [far, h = handler()] {
                                far->async_write_some(asio::buffer("abcd", 4),
                                    [far, h](error_code, std::size_t) { h(); });
                            }));
}

BOOST_AUTO_TEST_CASE(handlers_that_start_one_another_while_they_are_destroyed_are_all_destroyed)
{
    io_context context;
    auto const timer = std::make_shared<asio::steady_timer>(context, 1h);
    timer->async_wait([](error_code) {});
    BOOST_TEST(context.poll() == 0u);
    struct chain
    {
        io_context& context;
        std::shared_ptr<asio::steady_timer> timer;
        never_called handler;

        void go_on(int left) const
        {
            if (left == 0)
                return asio::post(context, handler);
            timer->async_wait(
                [last = on_destruction([self = *this, left] { self.go_on(left - 1); })](error_code)
                { last(); });
        }
    };
    asio::post(context, on_destruction([c = chain{context, timer, handler()}] { c.go_on(4); }));
}

BOOST_AUTO_TEST_CASE(a_handler_that_stops_and_restarts_while_it_is_destroyed_is_harmless)
{
    io_context context;
    asio::post(context, on_destruction(
                            [&context, h = handler()]
                            {
                                context.stop();
                                context.restart();
                                (void)h;
                            }));
    asio::post(context, handler());
}

BOOST_AUTO_TEST_CASE(a_chain_of_handlers_that_own_each_other_is_destroyed)
{
    io_context context;
    asio::post(context,
        on_destruction([&context, h = handler()]
            { asio::post(context, on_destruction([&context, h] { asio::post(context, h); })); }));
}

BOOST_AUTO_TEST_CASE(what_a_handler_of_a_pool_starts_while_it_is_destroyed_may_own_its_object)
{
    subject::thread_pool pool(1);
    auto timer = std::make_shared<asio::steady_timer>(pool, 1h);
    timer->async_wait([](error_code) {});
    pool.stop();
    pool.join();
    asio::post(pool, on_destruction([timer, h = handler()]
                         { timer->async_wait([timer, h](error_code) { h(); }); }));
    timer.reset();
}

BOOST_AUTO_TEST_CASE(a_pool_that_was_stopped_destroys_what_is_left)
{
    subject::thread_pool pool(1);
    asio::post(pool,
        [&]
        {
            pool.stop();
            for (int i = 0; i != 100; ++i)
                asio::post(pool, handler());
        });
    pool.join();
    BOOST_TEST(token.use_count() == 101);
}

BOOST_AUTO_TEST_SUITE_END()
