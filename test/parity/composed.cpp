// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

#include "parity/echo.hpp"

#include <istream>

namespace
{

using asio::ip::tcp;

struct connection
{
    io_context context;
    std::pair<tcp::socket, tcp::socket> pair = test::tcp_pair(context);
    tcp::socket& client = pair.first;
    tcp::socket& server = pair.second;
};

// Waits `times` times and then completes; what a user of async_compose writes.
template <class Token>
auto async_ticks(asio::steady_timer& timer, int times, Token&& token)
{
    return asio::async_compose<Token, void(error_code, int)>(
        [&timer, times, done = 0](auto& self, error_code ec = {}) mutable
        {
            if (ec || done == times)
                return self.complete(ec, done);
            ++done;
            // Longer and longer: on a machine that is slow enough a handler takes longer than any
            // fixed time.
            timer.expires_after(std::chrono::microseconds(done));
            timer.async_wait(std::move(self));
        },
        token, timer);
}

// An operation that hops through the executor of its handler.
template <class Token>
auto async_hops(io_context& context, int times, Token&& token)
{
    return asio::async_compose<Token, void(int)>(
        [times, done = 0](auto& self) mutable
        {
            if (done++ == times)
                return self.complete(times);
            asio::post(asio::get_associated_executor(self), std::move(self));
        },
        token, context);
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(composed, connection)

BOOST_AUTO_TEST_CASE(async_read_gathers_many_small_writes)
{
    const std::string sent = test::pattern(1000, 1);
    std::string received(sent.size(), '\0');
    std::size_t count = 0;
    asio::async_read(server, asio::buffer(received), [&](error_code, std::size_t n) { count = n; });
    std::size_t written = 0;
    std::function<void()> write = [&]
    {
        asio::async_write(client, asio::buffer(sent.data() + written, 1),
            [&](error_code, std::size_t n)
            {
                written += n;
                if (written != sent.size())
                    write();
            });
    };
    write();
    context.run();
    BOOST_TEST(count == sent.size());
    BOOST_TEST(received == sent);
}

BOOST_AUTO_TEST_CASE(completion_conditions_end_a_read)
{
    std::array<char, 100> buffer{};
    asio::write(client, asio::buffer(std::string(60, 'x')));
    std::size_t count = 0;
    asio::async_read(server, asio::buffer(buffer), asio::transfer_at_least(50),
        [&](error_code, std::size_t n) { count = n; });
    context.run();
    BOOST_TEST(count >= 50u);
    context.restart();
    asio::write(client, asio::buffer(std::string(60, 'y')));
    asio::async_read(server, asio::buffer(buffer), asio::transfer_exactly(7),
        [&](error_code, std::size_t n) { count = n; });
    context.run();
    BOOST_TEST(count == 7u);
}

BOOST_AUTO_TEST_CASE(read_until_finds_the_delimiter_and_keeps_the_rest)
{
    asio::streambuf buffer;
    std::string first;
    std::string second;
    asio::async_read_until(server, buffer, "\r\n",
        [&](error_code ec, std::size_t n)
        {
            BOOST_TEST(!ec);
            first.resize(n);
            std::istream(&buffer).read(first.data(), static_cast<std::streamsize>(n));
            asio::async_read_until(server, buffer, '\n',
                [&](error_code, std::size_t)
                { std::getline(std::istream(&buffer) >> std::ws, second); });
        });
    asio::write(client, asio::buffer(std::string("one\r\ntwo\nthree")));
    context.run();
    BOOST_TEST(first == "one\r\n");
    BOOST_TEST(second == "two");
}

BOOST_AUTO_TEST_CASE(read_until_works_on_a_dynamic_string_in_pieces)
{
    std::string line;
    std::size_t length = 0;
    asio::async_read_until(
        server, asio::dynamic_buffer(line), "END", [&](error_code, std::size_t n) { length = n; });
    context.poll();
    for (const char* piece : {"ab", "cE", "N", "Dtail"})
    {
        asio::write(client, asio::buffer(std::string(piece)));
        context.poll();
    }
    context.run();
    BOOST_TEST(length == 6u);
    BOOST_TEST(line.substr(0, length) == "abcEND");
}

BOOST_AUTO_TEST_CASE(read_until_reports_a_line_that_is_too_long)
{
    std::string line;
    error_code result;
    asio::async_read_until(server, asio::dynamic_buffer(line, 16), '\n',
        [&](error_code ec, std::size_t) { result = ec; });
    asio::write(client, asio::buffer(std::string(64, 'x')));
    context.run();
    BOOST_TEST(result == asio::error::not_found);
}

BOOST_AUTO_TEST_CASE(a_composed_operation_completes_on_the_executor_of_its_handler)
{
    io_context handlers;
    auto strand = asio::make_strand(handlers);
    std::string received(1000, '\0');
    bool in_strand = false;
    asio::async_read(server, asio::buffer(received),
        asio::bind_executor(
            strand, [&](error_code, std::size_t) { in_strand = strand.running_in_this_thread(); }));
    asio::async_write(client, asio::buffer(std::string(1000, 'x')), [](error_code, std::size_t) {});
    test::thread_group runner(1, [&] { context.run(); });
    handlers.run();
    BOOST_TEST(in_strand);
}

BOOST_AUTO_TEST_CASE(async_compose_runs_a_user_operation)
{
    asio::steady_timer timer(context);
    int ticks = 0;
    async_ticks(timer, 100, [&](error_code ec, int n) { ticks = ec ? -1 : n; });
    context.run();
    BOOST_TEST(ticks == 100);
}

BOOST_AUTO_TEST_CASE(async_compose_can_be_cancelled_by_its_timer)
{
    asio::steady_timer timer(context);
    error_code result;
    async_ticks(timer, 1 << 30, [&](error_code ec, int) { result = ec; });
    // A cancel may come when the step's wait has just completed: it is then for the next one.
    std::function<void()> cancel = [&]
    {
        timer.cancel();
        if (!result)
            asio::post(context, cancel);
    };
    asio::post(context, cancel);
    context.run();
    BOOST_TEST(result == asio::error::operation_aborted);
}

BOOST_AUTO_TEST_CASE(async_compose_keeps_its_contexts_working_between_its_steps)
{
    io_context other;
    int hops = 0;
    async_hops(context, 100, asio::bind_executor(other, [&](int n) { hops = n; }));
    BOOST_TEST(other.run() >= 100u);
    BOOST_TEST(hops == 100);
    BOOST_TEST(context.run() == 0u);
}

BOOST_AUTO_TEST_CASE(large_transfers_arrive_intact_on_several_threads)
{
    const std::string sent = test::pattern(4 << 20, 9);
    std::string received(sent.size(), '\0');
    asio::async_write(client, asio::buffer(sent), [](error_code, std::size_t) {});
    asio::async_read(server, asio::buffer(received), [](error_code, std::size_t) {});
    test::run_on(context, 4);
    BOOST_TEST((received == sent));
}

BOOST_AUTO_TEST_SUITE_END()
