// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Asks the servers of the examples questions whose answers are known, and exits with 1 at the first
// answer that is wrong, late or missing.

#include "checks.hpp"
#include "support/command_line.hpp"

#include <exception>
#include <iostream>
#include <string>

namespace
{

using boost::asio::awaitable;

awaitable<void> choose(std::string what, unsigned short port, std::string root, int process)
{
    if (what == "echo")
        return check::check_echo(port);
    if (what == "chat")
        return check::check_chat(port);
    if (what == "hash")
        return check::check_hash(port);
    if (what == "monitor")
        return check::check_monitor(port);
    if (what == "http")
        return check::check_http(port, root);
    if (what == "http-errors")
        return check::check_http_errors(port);
    if (what == "http-limits")
        return check::check_http_limits(port);
    if (what == "http-stop")
        return check::check_http_stop(port, root, process);
    if (what == "http-drain")
        return check::check_http_drain(port, root, process);
    throw std::runtime_error("no such check: " + what);
}

} // namespace

int main(int argc, char** argv)
try
{
    std::string what;
    std::string root;
    unsigned port = 0;
    unsigned process = 0;
    example::command_line line{
        "Checks a server: echo, chat, hash, monitor, http, http-errors, http-limits, "
        "http-stop or http-drain"};
    line.positional("check", what, "which check");
    line.number("port", port, 0, 65535, "the server's port on 127.0.0.1");
    line.number(
        "process", process, 0, 4194304, "the server's process, for http-stop and http-drain");
    line.text("root", root, "the directory that the server serves");
    if (auto const code = line.parse(argc, argv))
        return *code;

    boost::asio::io_context context{1};
    std::exception_ptr failure;
    boost::asio::co_spawn(context,
        choose(what, static_cast<unsigned short>(port), root, static_cast<int>(process)),
        [&](std::exception_ptr error) { failure = error; });
    context.run();
    if (failure)
        std::rethrow_exception(failure);
    std::cout << what << ": " << check::met << " answers, all right\n";
}
catch (std::exception const& e)
{
    std::cerr << argv[0] << ": " << e.what() << '\n';
    return 1;
}
