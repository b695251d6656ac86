// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// An HTTP/1.1 file server on Boost.Beast, in coroutines.
//
//   http_file_server --port 8080 --threads 4 /srv/www

#include "../context.hpp"
#include "../support/command_line.hpp"
#include "../support/run.hpp"
#include "server.hpp"

#include <chrono>
#include <exception>
#include <iostream>
#include <memory>
#include <string>

int main(int argc, char** argv)
try
{
    example::server_options options;
    options.port = 8080;
    unsigned timeout = 30;
    unsigned grace = 10;
    bool stats = false;
    std::string root;

    example::command_line line{"Serves the files below a directory over HTTP/1.1"};
    options.add_to(line);
    line.number("timeout", timeout, 1, 3600, "seconds a client may be silent");
    line.number("grace", grace, 0, 3600, "seconds to finish answers in, after SIGINT or SIGTERM");
    line.flag("stats", stats, "print the context's counters at the end");
    line.positional("root", root, "directory to serve");
    if (auto const code = line.parse(argc, argv))
        return *code;

    auto const files = std::make_shared<example::site const>(root);
    example::session_limits limits;
    limits.timeout = std::chrono::seconds{timeout};

    example::io_context context{static_cast<int>(options.threads)};
    example::server server{context, options, files, limits, std::chrono::seconds{grace}};
    server.start();
    example::run(context, options.threads);

    auto const& done = server.counts();
    std::cout << "stopped: " << done.connections << " connections, " << done.requests
              << " requests, " << done.answers << " answers" << std::endl;
    if (stats)
        example::print_stats(std::cout, context);
}
catch (std::exception const& e)
{
    std::cerr << argv[0] << ": " << e.what() << '\n';
    return 1;
}
