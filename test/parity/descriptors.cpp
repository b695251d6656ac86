// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

#include "parity/echo.hpp"
#include "parity/threads.hpp"

#include <unistd.h>

namespace
{

using stream = asio::local::stream_protocol;
using asio::posix::stream_descriptor;

template <class Context>
std::pair<stream_descriptor, stream_descriptor> make_pipe(Context& context)
{
    int ends[2];
    BOOST_TEST_REQUIRE(::pipe(ends) == 0);
    return {stream_descriptor(context, ends[0]), stream_descriptor(context, ends[1])};
}

/// So many waits for one pipe, which has something to be read when they are returned.
template <class Handler>
std::vector<stream_descriptor> start_waits(io_context& context, int count, Handler handler)
{
    auto [reader, writer] = make_pipe(context);
    std::vector<stream_descriptor> readers;
    for (int i = 0; i != count; ++i)
    {
        readers.emplace_back(context, ::dup(reader.native_handle()));
        readers.back().async_wait(stream_descriptor::wait_read, handler);
    }
    asio::write(writer, asio::buffer("a", 1));
    return readers;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(descriptors, test::with_context)

BOOST_AUTO_TEST_CASE(local_stream_sockets_carry_bytes_both_ways)
{
    auto [near, far] = test::local_pair(context);
    const std::string forth = test::pattern(1 << 20, 1);
    const std::string back = test::pattern(1 << 20, 2);
    std::string at_far(forth.size(), '\0');
    std::string at_near(back.size(), '\0');
    int done = 0;
    const auto count = [&](error_code ec, std::size_t)
    {
        done += ec ? 0 : 1;
    };
    asio::async_write(near, asio::buffer(forth), [](error_code, std::size_t) {});
    asio::async_write(far, asio::buffer(back), [](error_code, std::size_t) {});
    asio::async_read(far, asio::buffer(at_far), count);
    asio::async_read(near, asio::buffer(at_near), count);
    context.run();
    BOOST_TEST(done == 2);
    BOOST_TEST((at_far == forth));
    BOOST_TEST((at_near == back));
}

BOOST_FIXTURE_TEST_CASE(local_datagram_sockets_carry_messages, test::context_of_its_own)
{
    using datagram = asio::local::datagram_protocol;
    io_context context;
    datagram::socket near(context);
    datagram::socket far(context);
    asio::local::connect_pair(near, far);
    std::array<char, 16> buffer{};
    std::size_t received = 0;
    far.async_receive(asio::buffer(buffer), [&](error_code, std::size_t n) { received = n; });
    near.async_send(asio::buffer("hello", 5), [](error_code, std::size_t) {});
    context.run();
    BOOST_TEST(received == 5u);
}

BOOST_AUTO_TEST_CASE(a_local_acceptor_accepts)
{
    const std::string path = "/tmp/weft-parity-" + std::to_string(::getpid()) + ".sock";
    ::unlink(path.c_str());
    stream::acceptor acceptor(context, stream::endpoint(path));
    stream::socket client(context);
    bool accepted = false;
    bool connected = false;
    acceptor.async_accept([&](error_code ec, stream::socket) { accepted = !ec; });
    client.async_connect(stream::endpoint(path), [&](error_code ec) { connected = !ec; });
    context.run();
    ::unlink(path.c_str());
    BOOST_TEST(accepted);
    BOOST_TEST(connected);
}

BOOST_AUTO_TEST_CASE(a_pipe_carries_more_than_it_can_hold)
{
    auto [reader, writer] = make_pipe(context);
    const std::string sent = test::pattern(1 << 20, 5);
    std::string received(sent.size(), '\0');
    std::size_t n_read = 0;
    std::size_t n_written = 0;
    asio::async_write(
        writer, asio::buffer(sent), [&](error_code, std::size_t n) { n_written = n; });
    asio::async_read(
        reader, asio::buffer(received), [&](error_code, std::size_t n) { n_read = n; });
    context.run();
    BOOST_TEST(n_written == sent.size());
    BOOST_TEST(n_read == sent.size());
    BOOST_TEST((received == sent));
}

// As where clients send ahead.
BOOST_FIXTURE_TEST_CASE(
    poll_finds_what_is_ready_behind_many_events_that_nobody_awaits, test::context_of_its_own)
{
    for (bool const one_by_one : {false, true})
    {
        io_context context;
        auto [unread, ahead] = make_pipe(context);
        auto [in, out] = make_pipe(context);
        // More than a few looks into the reactor bring.
        std::vector<stream_descriptor> others;
        for (int i = 0; i != 600; ++i)
            others.emplace_back(context, ::dup(unread.native_handle()));
        for (int round = 0; round != 3; ++round)
        {
            char byte = 0;
            bool done = false;
            in.async_read_some(
                asio::buffer(&byte, 1), [&](error_code, std::size_t) { done = true; });
            context.poll();
            context.restart();
            asio::write(ahead, asio::buffer("a", 1));
            asio::write(out, asio::buffer("b", 1));
            if (one_by_one)
                while (!done && context.poll_one() != 0)
                    continue;
            else
                BOOST_TEST(context.poll() != 0u);
            BOOST_TEST(done);
            context.restart();
        }
    }
}

// Or whoever posts would wait for all that hundreds of connections have sent.
WEFT_TEST_CASE_WITH_HINTS(a_post_comes_before_the_events_that_a_look_has_left_in_the_reactor)
{
    // Also where the next look is overdue.
    for (auto const work : {std::chrono::microseconds(0), std::chrono::microseconds(50)})
    {
        int events = 0;
        int before = 0;
        auto const readers = start_waits(context, 300,
            [&](error_code)
            {
                auto const end = std::chrono::steady_clock::now() + work;
                while (std::chrono::steady_clock::now() < end)
                    continue;
                if (++events == 100)
                    asio::post(context, [&] { before = events; });
            });
        context.run();
        context.restart();
        BOOST_TEST(events == 300);
        // So many Asio takes at once, of which one may be there to interrupt it.
        BOOST_TEST(before >= 127);
        BOOST_TEST(before <= 128);
    }
}

BOOST_FIXTURE_TEST_CASE(nor_does_a_flood_of_posts_keep_them_there, test::context_of_its_own)
{
    for (unsigned const threads : {1u, 2u})
        for (int const chains : {1, 3, 300})
            for (bool const one_by_one : {false, true})
            {
                io_context context;
                std::atomic<int> events{0};
                auto const readers = start_waits(context, 300, [&](error_code) { ++events; });
                std::function<void()> const flood = [&]
                {
                    if (events != 300)
                        asio::post(context, flood);
                };
                for (int i = 0; i != chains; ++i)
                    asio::post(context, flood);
                test::thread_group(threads,
                    [&]
                    {
                        if (one_by_one)
                            while (context.run_one() != 0)
                                continue;
                        else
                            context.run();
                    });
                BOOST_TEST(events == 300);
            }
}

BOOST_AUTO_TEST_CASE(a_closed_pipe_ends_the_read)
{
    auto [reader, writer] = make_pipe(context);
    std::array<char, 16> buffer{};
    error_code result;
    std::size_t received = 99;
    asio::async_read(reader, asio::buffer(buffer),
        [&](error_code ec, std::size_t n)
        {
            result = ec;
            received = n;
        });
    asio::write(writer, asio::buffer("abcd", 4));
    context.poll();
    writer.close();
    context.run();
    BOOST_TEST(result == asio::error::eof);
    BOOST_TEST(received == 4u);
}

BOOST_AUTO_TEST_CASE(cancel_and_close_of_a_descriptor_abort_its_operations)
{
    auto [reader, writer] = make_pipe(context);
    std::array<char, 16> buffer{};
    int aborted = 0;
    const auto count = [&](error_code ec, std::size_t)
    {
        aborted += ec == asio::error::operation_aborted ? 1 : 0;
    };
    reader.async_read_some(asio::buffer(buffer), count);
    context.poll();
    reader.cancel();
    context.run();
    BOOST_TEST(aborted == 1);
    context.restart();
    reader.async_read_some(asio::buffer(buffer), count);
    context.poll();
    reader.close();
    context.run();
    BOOST_TEST(aborted == 2);
}

BOOST_AUTO_TEST_CASE(a_descriptor_can_be_waited_for_and_released)
{
    auto [reader, writer] = make_pipe(context);
    bool readable = false;
    bool writable = false;
    reader.async_wait(stream_descriptor::wait_read, [&](error_code ec) { readable = !ec; });
    writer.async_wait(stream_descriptor::wait_write, [&](error_code ec) { writable = !ec; });
    context.poll();
    BOOST_TEST(!readable);
    BOOST_TEST(writable);
    asio::write(writer, asio::buffer("a", 1));
    context.run();
    BOOST_TEST(readable);
    const int descriptor = reader.release();
    char byte = 0;
    BOOST_TEST(::read(descriptor, &byte, 1) == 1);
    BOOST_TEST(byte == 'a');
    ::close(descriptor);
}

BOOST_AUTO_TEST_CASE(the_pipe_classes_work)
{
    asio::readable_pipe reader(context);
    asio::writable_pipe writer(context);
    asio::connect_pipe(reader, writer);
    std::array<char, 5> buffer{};
    std::size_t received = 0;
    asio::async_read(
        reader, asio::buffer(buffer), [&](error_code, std::size_t n) { received = n; });
    asio::async_write(writer, asio::buffer("hello", 5), [](error_code, std::size_t) {});
    context.run();
    BOOST_TEST(received == 5u);
}

BOOST_AUTO_TEST_CASE(pipes_on_a_pool_need_no_run)
{
    thread_pool pool(2);
    auto [reader, writer] = make_pipe(pool);
    const std::string sent = test::pattern(1 << 18, 6);
    std::string received(sent.size(), '\0');
    asio::async_write(writer, asio::buffer(sent), [](error_code, std::size_t) {});
    asio::async_read(reader, asio::buffer(received), [](error_code, std::size_t) {});
    pool.join();
    BOOST_TEST((received == sent));
}

BOOST_AUTO_TEST_SUITE_END()
