// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// The other side of the echo question: a process of its own that knows nothing of Asio, so that
// all columns meet the same load and none shares a queue, an allocator or a thread with it.

#ifndef BENCH_SUPPORT_ECHO_CLIENT_HPP
#define BENCH_SUPPORT_ECHO_CLIENT_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include <sys/types.h>

namespace bench
{

constexpr std::size_t echo_message_size = 1024;

// The first byte of a message that asks for more work than to be echoed.
constexpr unsigned char echo_heavy = 0xff;

struct echo_load
{
    std::uint16_t port = 0;
    std::uint32_t connections = 0;
    // Every tenth connection, at scattered places, sends heavy messages only.
    bool some_heavy = false;
};

struct echo_result
{
    std::uint64_t requests = 0;
    std::chrono::nanoseconds elapsed{0};
    std::chrono::nanoseconds p50{0};
    std::chrono::nanoseconds p99{0};
    char failure[128] = {};
};

class echo_client
{
public:
    // Forks: to be called before the process has threads.
    echo_client();
    echo_client(const echo_client&) = delete;
    echo_client& operator=(const echo_client&) = delete;
    ~echo_client();

    // Each returns what went wrong, or nothing.
    std::string connect(const echo_load& load);
    void disconnect();

    // Closed loop: every connection sends a message, checks its echo, sends the next.
    echo_result run(std::chrono::milliseconds span);

private:
    pid_t child_ = -1;
    int pipe_ = -1;
};

} // namespace bench

#endif
