// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/io_context.hpp>

#include "api/steady_state.hpp"
#include "parity/echo.hpp"
#include "support/cases.hpp"

namespace
{

using asio::awaitable;
using asio::use_awaitable;
using asio::ip::tcp;
using weft::io_context;

constexpr int parties = 3;
constexpr int steps = 5;

// Counts how often something that goes on handler by handler goes from one thread to another.
class traveller
{
public:
    static inline std::atomic<std::size_t> moves = 0;

    void here()
    {
        if (std::exchange(last_, std::this_thread::get_id()) != std::this_thread::get_id())
            moves.fetch_add(1, std::memory_order_relaxed);
    }

private:
    std::thread::id last_;
};

// Sets up a workload of `parties` parties, runs it on one and on two threads, and expects no
// allocation in the steady state, but for those that moves between threads may cost.
void check(const std::function<std::shared_ptr<void>(io_context&, test::steady_state&)>& set_up)
{
    for (std::size_t threads : {1u, 2u})
    {
        BOOST_TEST_CONTEXT("threads: " << threads)
        {
            io_context context;
            // Makes the reactor, which timers of weft's would otherwise make when a thread first
            // sleeps until a time.
            tcp::socket const with_reactor(context);
            test::steady_state state;
            traveller::moves = 0;
            // Destroyed before the context: it owns I/O objects.
            std::shared_ptr<void> workload;
            asio::post(context, [&] { workload = set_up(context, state); });
            test::run_on(context, threads);
            workload.reset();
            state.check_allocates_for_moves_only(threads, traveller::moves);
        }
    }
}

// What is cancelled while Asio's backend is io_uring completes in the inner scheduler, where Asio
// has no memory to keep: one block each time.
#if defined(BOOST_ASIO_HAS_IO_URING_AS_DEFAULT)
constexpr bool cancelling_allocates = true;
#else
constexpr bool cancelling_allocates = false;
#endif

// A timer that is waited for again and again; every other wait is cancelled.
template <class Timer>
class ticker
{
public:
    ticker(io_context& context, test::steady_state& state) : timer_(context), state_(state)
    {
    }

    void start()
    {
        next();
    }

private:
    void next()
    {
        traveller_.here();
        if (++step_ % steps == 0)
            state_.part_done();
        if (state_.finished())
            return;
        const bool abort = !cancelling_allocates && step_ % 2 == 0;
        timer_.expires_after(
            abort ? std::chrono::nanoseconds(std::chrono::hours(1)) : std::chrono::nanoseconds(0));
        timer_.async_wait([this](error_code) { next(); });
        if (abort)
            timer_.cancel();
    }

    Timer timer_;
    test::steady_state& state_;
    traveller traveller_;
    int step_ = 0;
};

// A client that sends a message and reads it back, again and again, and the peer that echoes it.
template <class Socket>
class echo_pair
{
public:
    echo_pair(io_context& context, test::steady_state& state) : state_(state)
    {
        auto sockets = test::tcp_pair(context);
        client_.emplace(context, tcp::v4(), sockets.first.release());
        server_.emplace(context, tcp::v4(), sockets.second.release());
    }

    void start()
    {
        serve();
        next();
    }

private:
    void next()
    {
        traveller_.here();
        if (++step_ % steps == 0)
            state_.part_done();
        if (state_.finished())
        {
            error_code ignored;
            client_->shutdown(tcp::socket::shutdown_both, ignored);
            return;
        }
        asio::async_write(*client_, asio::buffer(message_),
            [this](error_code ec, std::size_t)
            {
                traveller_.here();
                if (!ec)
                    asio::async_read(*client_, asio::buffer(reply_),
                        [this](error_code read_ec, std::size_t)
                        {
                            if (!read_ec)
                                next();
                        });
            });
    }

    void serve()
    {
        server_->async_read_some(asio::buffer(served_),
            [this](error_code ec, std::size_t n)
            {
                server_traveller_.here();
                if (!ec)
                    asio::async_write(*server_, asio::buffer(served_, n),
                        [this](error_code write_ec, std::size_t)
                        {
                            server_traveller_.here();
                            if (!write_ec)
                                serve();
                        });
            });
    }

    test::steady_state& state_;
    std::optional<Socket> client_;
    std::optional<Socket> server_;
    std::array<char, 64> message_{};
    std::array<char, 64> reply_{};
    std::array<char, 64> served_{};
    traveller traveller_;
    traveller server_traveller_;
    int step_ = 0;
};

template <class Party>
std::shared_ptr<void> start_parties(io_context& context, test::steady_state& state)
{
    auto all = std::make_shared<std::vector<std::unique_ptr<Party>>>();
    for (int i = 0; i != parties; ++i)
        all->push_back(std::make_unique<Party>(context, state));
    state.start(parties, [] {});
    for (const auto& party : *all)
        asio::post(context, [p = party.get()] { p->start(); });
    return all;
}

awaitable<int> ticks(asio::steady_timer& timer)
{
    timer.expires_after(std::chrono::nanoseconds(0));
    co_await timer.async_wait(use_awaitable);
    co_return 1;
}

// Waits, hops and calls another coroutine until the last window is over.
awaitable<void> busy_party(test::steady_state& state)
{
    const auto executor = co_await asio::this_coro::executor;
    asio::steady_timer timer(executor);
    traveller me;
    while (!state.finished())
    {
        int count = 0;
        while (count != steps)
        {
            co_await asio::post(executor, use_awaitable);
            me.here();
            co_await asio::post(executor, asio::deferred);
            me.here();
            count += co_await ticks(timer);
            me.here();
        }
        state.part_done();
    }
}

awaitable<void> hopping_party(test::steady_state& state)
{
    const auto executor = co_await asio::this_coro::executor;
    traveller me;
    while (!state.finished())
    {
        for (int i = 0; i != steps; ++i)
        {
            co_await asio::post(executor, use_awaitable);
            me.here();
        }
        state.part_done();
    }
}

awaitable<void> ticking_party(test::steady_state& state)
{
    asio::steady_timer timer(co_await asio::this_coro::executor);
    traveller me;
    while (!state.finished())
    {
        int count = 0;
        while (count != steps)
        {
            count += co_await ticks(timer);
            me.here();
        }
        state.part_done();
    }
}

awaitable<void> echo_client(tcp::socket socket, test::steady_state& state)
{
    std::array<char, 64> message{};
    traveller me;
    while (!state.finished())
    {
        for (int i = 0; i != steps; ++i)
        {
            co_await asio::async_write(socket, asio::buffer(message), use_awaitable);
            me.here();
            co_await asio::async_read(socket, asio::buffer(message), use_awaitable);
            me.here();
        }
        state.part_done();
    }
}

awaitable<void> echo_server(tcp::socket socket)
{
    std::array<char, 64> buffer{};
    error_code ec;
    traveller me;
    for (;;)
    {
        const std::size_t n = co_await socket.async_read_some(
            asio::buffer(buffer), asio::redirect_error(use_awaitable, ec));
        me.here();
        if (ec)
            co_return;
        co_await asio::async_write(socket, asio::buffer(buffer, n), use_awaitable);
        me.here();
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(allocations_io)

BOOST_AUTO_TEST_CASE(timers_allocate_nothing)
{
    check(&start_parties<ticker<asio::steady_timer>>);
}

BOOST_AUTO_TEST_CASE(timers_on_the_concrete_executor_allocate_nothing)
{
    check(&start_parties<ticker<asio::basic_waitable_timer<std::chrono::steady_clock,
              asio::wait_traits<std::chrono::steady_clock>, io_context::executor_type>>>);
}

BOOST_AUTO_TEST_CASE(socket_conversations_allocate_nothing)
{
    check(&start_parties<echo_pair<tcp::socket>>);
}

BOOST_AUTO_TEST_CASE(socket_conversations_on_the_concrete_executor_allocate_nothing)
{
    check(&start_parties<echo_pair<asio::basic_stream_socket<tcp, io_context::executor_type>>>);
}

// One: Asio keeps two free frames per thread, so that several coroutines which suspend in frames
// of different sizes allocate on every context.
BOOST_AUTO_TEST_CASE(a_coroutine_that_posts_waits_and_calls_another_allocates_nothing)
{
    check(
        [](io_context& context, test::steady_state& state) -> std::shared_ptr<void>
        {
            state.start(parties, [] {});
            asio::co_spawn(context, busy_party(state), asio::detached);
            return nullptr;
        });
}

BOOST_AUTO_TEST_CASE(several_coroutines_that_do_the_same_allocate_nothing)
{
    for (auto party : {&hopping_party, &ticking_party})
    {
        check(
            [party](io_context& context, test::steady_state& state) -> std::shared_ptr<void>
            {
                state.start(parties, [] {});
                for (int i = 0; i != parties; ++i)
                    asio::co_spawn(context, party(state), asio::detached);
                return nullptr;
            });
    }
}

BOOST_AUTO_TEST_CASE(coroutines_that_converse_over_sockets_allocate_nothing)
{
    check(
        [](io_context& context, test::steady_state& state) -> std::shared_ptr<void>
        {
            state.start(parties, [] {});
            for (int i = 0; i != parties; ++i)
            {
                auto sockets = test::tcp_pair(context);
                asio::co_spawn(
                    context, echo_client(std::move(sockets.first), state), asio::detached);
                asio::co_spawn(context, echo_server(std::move(sockets.second)), asio::detached);
            }
            return nullptr;
        });
}

BOOST_AUTO_TEST_SUITE_END()
