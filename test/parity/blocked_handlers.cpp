// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Handlers that wait for what another thread has to run.

#include "parity/contexts.hpp"

namespace
{

using namespace std::chrono_literals;
using stream = asio::local::stream_protocol;

constexpr int rounds = 20;

struct fixture
{
    io_context context;
    std::latch released{1};
    stream::socket near{context};
    stream::socket far{context};
    asio::steady_timer timer{context, 1h};
    std::array<char, 4> buffer{};

    fixture()
    {
        asio::local::connect_pair(near, far);
    }

    void run()
    {
        test::run_on(context, 2);
        BOOST_TEST(released.try_wait());
    }

    void wait()
    {
        subject::blocking([this] { released.wait(); });
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(blocked_handlers)

BOOST_AUTO_TEST_CASE(a_handler_can_wait_for_the_handler_it_posted)
{
    for (int round = 0; round != rounds; ++round)
    {
        fixture f;
        asio::post(f.context,
            [&]
            {
                asio::post(f.context, [&] { f.released.count_down(); });
                f.released.wait();
            });
        f.run();
    }
}

BOOST_AUTO_TEST_CASE(a_handler_can_wait_for_a_future_of_its_own_context)
{
    for (int round = 0; round != rounds; ++round)
    {
        fixture f;
        asio::post(f.context,
            [&]
            {
                asio::post(f.context, asio::use_future).wait();
                f.released.count_down();
            });
        f.run();
    }
}

BOOST_AUTO_TEST_CASE(a_handler_can_wait_for_a_timer_and_for_data_to_come)
{
    for (int round = 0; round != rounds; ++round)
    {
        fixture f;
        asio::post(f.context,
            [&]
            {
                // First, for it must not find the data there: then it would have completed here.
                f.near.async_read_some(asio::buffer(f.buffer),
                    [&](error_code, std::size_t) { f.released.count_down(); });
                f.timer.expires_after(1ms);
                f.timer.async_wait(
                    [&](error_code) { asio::write(f.far, asio::buffer("abcd", 4)); });
                f.released.wait();
            });
        f.run();
    }
}

BOOST_AUTO_TEST_CASE(a_handler_can_wait_for_a_resolution)
{
    for (int round = 0; round != rounds; ++round)
    {
        io_context context;
        asio::ip::tcp::resolver resolver(context);
        std::latch released(1);
        asio::post(context,
            [&]
            {
                resolver.async_resolve("127.0.0.1", "80", asio::ip::tcp::resolver::numeric_host,
                    [&](error_code, const asio::ip::tcp::resolver::results_type&)
                    { released.count_down(); });
                released.wait();
            });
        test::run_on(context, 2);
        BOOST_TEST(released.try_wait());
    }
}

BOOST_AUTO_TEST_CASE(a_handler_can_wait_for_a_write_that_completed_at_once)
{
    for (int round = 0; round != rounds; ++round)
    {
        fixture f;
        asio::post(f.context,
            [&]
            {
                asio::async_write(f.near, asio::buffer("abcd", 4),
                    [&](error_code, std::size_t) { f.released.count_down(); });
                f.wait();
            });
        f.run();
    }
}

BOOST_AUTO_TEST_CASE(a_handler_can_wait_for_what_it_cancelled)
{
    for (int round = 0; round != rounds; ++round)
    {
        fixture f;
        f.timer.async_wait([&](error_code) { f.released.count_down(); });
        asio::post(f.context,
            [&]
            {
                f.timer.cancel();
                f.wait();
            });
        f.run();
    }
}

BOOST_AUTO_TEST_CASE(a_handler_can_wait_for_the_read_it_ended_by_closing_the_socket)
{
    for (int round = 0; round != rounds; ++round)
    {
        fixture f;
        f.near.async_read_some(
            asio::buffer(f.buffer), [&](error_code, std::size_t) { f.released.count_down(); });
        asio::post(f.context,
            [&]
            {
                f.near.close();
                f.wait();
            });
        f.run();
    }
}

BOOST_AUTO_TEST_CASE(the_other_event_of_a_descriptor_is_handled_while_the_first_waits_for_it)
{
    for (int round = 0; round != rounds; ++round)
    {
        fixture f;
        std::latch both(2);
        const auto meet = [&](error_code)
        {
            subject::blocking([&] { both.arrive_and_wait(); });
        };
        f.near.async_wait(stream::socket::wait_read, meet);
        f.near.async_wait(stream::socket::wait_write, meet);
        asio::write(f.far, asio::buffer("abcd", 4));
        f.released.count_down();
        f.run();
    }
}

BOOST_AUTO_TEST_CASE(a_handler_in_a_strand_can_wait_for_one_outside)
{
    for (int round = 0; round != rounds; ++round)
    {
        fixture f;
        auto strand = asio::make_strand(f.context);
        asio::post(strand,
            [&]
            {
                asio::post(strand, [] {});
                asio::post(f.context, [&] { f.released.count_down(); });
                f.released.wait();
            });
        f.run();
    }
}

BOOST_AUTO_TEST_SUITE_END()
