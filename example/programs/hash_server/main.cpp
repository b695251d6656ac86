// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A server that mixes I/O and CPU work. A client sends lines "SEED SIZE", as many as it likes
// without waiting, and gets for each one a line with the hash of that many bytes, in order.
//
// What has arrived together is hashed in parallel. One client with a deep pipeline keeps all
// threads busy: that is the uneven load which one context per thread cannot spread, and which a
// work-stealing context spreads without a common queue. The counters printed at the end show it.

#include "../context.hpp"
#include "../support/command_line.hpp"
#include "../support/coroutine_end.hpp"
#include "../support/listener.hpp"
#include "../support/run.hpp"
#include "async_hash_all.hpp"

#include <array>
#include <iostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace
{

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr auto use_tuple = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t max_line = 64;
constexpr std::size_t read_size = 4096;

/// Takes all complete lines out of input. A line that is no request is left in it, and ends this.
std::vector<example::hash_job> take_requests(std::string& input)
{
    std::vector<example::hash_job> jobs;
    std::size_t taken = 0;
    for (;;)
    {
        auto const end = input.find('\n', taken);
        if (end == input.npos)
            break;
        auto const line = std::string_view{input}.substr(taken, end - taken);
        auto const request = example::parse_hash_request(line);
        if (!request)
            break;
        jobs.push_back({*request});
        taken = end + 1;
    }
    input.erase(0, taken);
    return jobs;
}

/// Whether what take_requests has left can never become a request.
bool is_malformed(std::string const& input)
{
    return input.size() > max_line || input.find('\n') != input.npos;
}

/// One client. It has one operation outstanding at a time and so needs no strand.
asio::awaitable<void> serve(tcp::socket socket, example::io_context::executor_type executor)
{
    std::array<char, read_size> chunk;
    std::string input;
    std::string output;
    for (;;)
    {
        auto const [read_error, size] =
            co_await socket.async_read_some(asio::buffer(chunk), use_tuple);
        if (read_error)
            co_return;
        input.append(chunk.data(), size);

        auto jobs = take_requests(input);
        if (!jobs.empty())
            co_await example::async_hash_all(executor, std::span{jobs}, asio::use_awaitable);

        output.clear();
        for (auto const& job : jobs)
            output += example::to_hex(job.result) + '\n';
        bool const malformed = is_malformed(input);
        if (malformed)
            output += "ERR a request is: SEED SIZE\n";

        auto const [write_error, written] =
            co_await asio::async_write(socket, asio::buffer(output), use_tuple);
        if (write_error || malformed)
            co_return;
    }
}

asio::awaitable<void> accept_all(
    tcp::acceptor acceptor, example::io_context::executor_type executor)
{
    asio::steady_timer back_off{executor};
    for (;;)
    {
        auto [error, socket] = co_await acceptor.async_accept(use_tuple);
        switch (example::classify_accept(error))
        {
        case example::accept_outcome::serve:
            socket.set_option(tcp::no_delay{true}, error);
            asio::co_spawn(executor, serve(std::move(socket), executor), example::end_session);
            break;
        case example::accept_outcome::retry:
            break;
        case example::accept_outcome::back_off:
            back_off.expires_after(example::accept_back_off);
            co_await back_off.async_wait(use_tuple);
            break;
        case example::accept_outcome::closed:
            co_return;
        }
    }
}

} // namespace

int main(int argc, char** argv)
try
{
    example::server_options options;
    options.port = 7009;
    example::command_line line{"Answers lines \"SEED SIZE\" by the hash of that many bytes"};
    options.add_to(line);
    if (auto const code = line.parse(argc, argv))
        return *code;

    example::io_context context{static_cast<int>(options.threads)};

    asio::signal_set signals{context, SIGINT, SIGTERM};
    signals.async_wait([&context](error_code, int) { context.stop(); });

    asio::co_spawn(context,
        accept_all(example::listen(asio::any_io_executor{context.get_executor()}, options),
            context.get_executor()),
        example::end_server);

    example::run(context, options.threads);
    example::print_stats(std::cout, context);
}
catch (std::exception const& e)
{
    std::cerr << argv[0] << ": " << e.what() << '\n';
    return 1;
}
