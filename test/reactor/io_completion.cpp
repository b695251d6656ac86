// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/reactor/io_completion.hpp>

#include <weft/io_context.hpp>
#include <weft/thread_pool.hpp>

#include "support/asio.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/require.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace
{

using executor = weft::io_context::executor_type;
using protocol = asio::local::stream_protocol;
using socket_type = asio::basic_stream_socket<protocol, executor>;
using boost::system::error_code;

struct sockets
{
    weft::io_context context;
    socket_type a{context.get_executor()};
    socket_type b{context.get_executor()};
    char buffer[8] = {};

    sockets()
    {
        asio::local::connect_pair(a, b);
    }

    template <typename Handler>
    void read(Handler&& handler)
    {
        a.async_read_some(asio::buffer(buffer), std::forward<Handler>(handler));
    }

    void write()
    {
        asio::write(b, asio::buffer("x", 1));
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(io_completion, sockets)

BOOST_AUTO_TEST_CASE(an_operation_is_work_until_its_handler_has_returned)
{
    bool inside = false;
    read(
        [&](error_code, std::size_t)
        {
            // Nothing else is work.
            BOOST_TEST(!context.stopped());
            inside = true;
        });
    BOOST_TEST(context.poll() == 0u);
    BOOST_TEST(!context.stopped());
    BOOST_TEST(context.run_for(std::chrono::milliseconds(1)) == 0u);
    BOOST_TEST(!context.stopped());
    write();
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(inside);
    BOOST_TEST(context.stopped());
}

BOOST_AUTO_TEST_CASE(a_handler_runs_where_its_operation_has_completed)
{
    std::thread::id ran;
    bool inside = false;
    read(
        [&](error_code, std::size_t)
        {
            ran = std::this_thread::get_id();
            asio::dispatch(context, [&] { inside = true; });
            BOOST_TEST(inside);
        });
    write();
    context.run();
    BOOST_TEST((ran == std::this_thread::get_id()));
}

BOOST_AUTO_TEST_CASE(an_exception_of_a_handler_leaves_run_and_nothing_is_lost)
{
    auto const owner = std::make_shared<int>(1);
    read([owner](error_code, std::size_t) { throw std::runtime_error("handler"); });
    bool after = false;
    asio::post(context, [&] { after = true; });
    write();
    int thrown = 0;
    for (int i = 0; i != 3; ++i)
    {
        try
        {
            context.run();
        }
        catch (std::runtime_error const&)
        {
            ++thrown;
        }
    }
    BOOST_TEST(thrown == 1);
    BOOST_TEST(after);
    BOOST_TEST(owner.use_count() == 1);
    BOOST_TEST(context.stopped());
}

// As on Asio's: it is the other context's handler, whoever has completed the operation.
BOOST_AUTO_TEST_CASE(an_exception_leaves_the_run_of_the_context_whose_handler_it_was)
{
    weft::io_context outer;
    read(asio::bind_executor(outer.get_executor(),
        [](error_code, std::size_t) { throw std::runtime_error("handler"); }));
    write();
    bool inner_threw = false;
    asio::post(outer,
        [&]
        {
            try
            {
                context.run();
            }
            catch (std::runtime_error const&)
            {
                inner_threw = true;
            }
        });
    BOOST_CHECK_THROW(outer.run(), std::runtime_error);
    BOOST_TEST(!inner_threw);
}

// Asio reports both together, and calls the first at once.
BOOST_AUTO_TEST_CASE(the_second_operation_of_an_event_does_not_wait_for_the_handler_of_the_first)
{
    std::vector<char> much(1 << 20);
    std::size_t written = 0;
    bool read_ended = false;
    std::atomic<bool> write_ended{false};
    asio::async_write(a, asio::buffer(much),
        [&](error_code, std::size_t n)
        {
            written = n;
            write_ended = true;
        });
    std::thread::id reader;
    std::vector<char> in(much.size());
    // Both wait for the reactor.
    context.poll();
    BOOST_TEST_REQUIRE(!write_ended);
    int waited = 0;
    read(
        [&](error_code, std::size_t)
        {
            read_ended = true;
            reader = std::this_thread::get_id();
            // A second thread takes what else the event has brought.
            while (!write_ended && ++waited != 5'000)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
        });
    context.poll();
    BOOST_TEST_REQUIRE(!read_ended);
    std::thread other(
        [&]
        {
            write();
            asio::read(b, asio::buffer(in));
        });
    std::thread second([&] { context.run(); });
    context.run();
    second.join();
    BOOST_TEST_REQUIRE(write_ended);
    other.join();
    BOOST_TEST(read_ended);
    BOOST_TEST(waited < 5'000);
    BOOST_TEST(written == much.size());
}

BOOST_AUTO_TEST_CASE(a_handler_of_another_context_is_work_there_and_runs_there)
{
    weft::io_context other;
    bool ran = false;
    read(asio::bind_executor(other.get_executor(),
        [&](error_code, std::size_t)
        {
            ran = true;
            BOOST_TEST(other.get_executor().running_in_this_thread());
        }));
    BOOST_TEST(other.poll() == 0u);
    BOOST_TEST(!other.stopped());
    write();
    context.run();
    BOOST_TEST(!ran);
    BOOST_TEST(other.run() == 1u);
    BOOST_TEST(ran);
    BOOST_TEST(other.stopped());
}

BOOST_AUTO_TEST_CASE(a_handler_that_is_never_to_be_called_in_place_is_not)
{
    bool ran = false;
    read(asio::bind_executor(asio::require(context.get_executor(), asio::execution::blocking.never),
        [&](error_code, std::size_t) { ran = true; }));
    write();
    BOOST_TEST(context.run_one() == 1u);
    BOOST_TEST(!ran);
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(ran);
}

BOOST_AUTO_TEST_CASE(a_timer_and_the_sockets_of_a_pool_call_likewise)
{
    weft::thread_pool pool(1);
    using pool_executor = weft::thread_pool::executor_type;
    asio::basic_stream_socket<protocol, pool_executor> c(pool.get_executor());
    asio::basic_stream_socket<protocol, pool_executor> d(pool.get_executor());
    asio::local::connect_pair(c, d);
    bool read_here = false;
    c.async_read_some(asio::buffer(buffer),
        [&](error_code, std::size_t) { read_here = pool.get_executor().running_in_this_thread(); });
    bool fired_here = false;
    asio::basic_waitable_timer<std::chrono::steady_clock,
        asio::wait_traits<std::chrono::steady_clock>, pool_executor>
        timer(pool.get_executor(), std::chrono::milliseconds(1));
    timer.async_wait(
        [&](error_code) { fired_here = pool.get_executor().running_in_this_thread(); });
    asio::write(d, asio::buffer("x", 1));
    pool.join();
    BOOST_TEST(read_here);
    BOOST_TEST(fired_here);
}

// What the operation keeps for its handler's context ends with the operation.
BOOST_AUTO_TEST_CASE(a_context_that_is_destroyed_with_operations_leaves_others_without_work)
{
    weft::io_context other;
    {
        weft::io_context inner;
        socket_type c(inner.get_executor());
        socket_type d(inner.get_executor());
        asio::local::connect_pair(c, d);
        auto const owner = std::make_shared<int>(1);
        c.async_read_some(asio::buffer(buffer),
            asio::bind_executor(other.get_executor(), [owner](error_code, std::size_t) {}));
        BOOST_TEST(other.poll() == 0u);
        BOOST_TEST(!other.stopped());
        (void)c.release();
    }
    other.restart();
    BOOST_TEST(other.run() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
