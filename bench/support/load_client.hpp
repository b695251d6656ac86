// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// The other side of the questions about networks: a process of its own that knows nothing of Asio,
// so that all columns meet the same load and none shares a queue, an allocator or a thread with it.

#ifndef BENCH_SUPPORT_LOAD_CLIENT_HPP
#define BENCH_SUPPORT_LOAD_CLIENT_HPP

#include "quantiles.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

namespace bench
{

// Of an echo.
constexpr std::size_t message_size = 1024;

// The first byte of a message that asks for more work than to be echoed.
constexpr unsigned char heavy_message = 0xff;

enum class protocol : std::uint32_t
{
    echo,
    // GET /<16 digits>, answered with these digits and nothing else.
    http
};

// Which connections send heavy messages only: a tenth, at scattered places, which several contexts
// get equally many of; or every tenth, all of which one of two contexts gets. Or which messages,
// whatever connection sends them: one in a hundred, at places that the seed decides.
enum class heavy_ones : std::uint32_t
{
    none,
    scattered,
    every_tenth,
    one_in_hundred
};

struct load
{
    std::uint16_t port = 0;
    std::uint32_t connections = 0;
    heavy_ones heavy = heavy_ones::none;
    protocol speaks = protocol::echo;
    // Of arrivals and of heavy messages that are random: the same one, the same load.
    std::uint64_t seed = 0;
};

struct load_result
{
    // All that were answered, whether their latencies count or not.
    std::uint64_t requests = 0;
    std::chrono::nanoseconds elapsed{0};
    // Latencies in microseconds, at each of quantile_points.
    double latency[quantile_points.size()] = {};
    // The share of requests that were heavy.
    double heavy = 0;
    // Of those whose latencies count.
    double per_second = 0;
    // Of an open loop: percentiles of how late the client itself was, in microseconds.
    double late_p99 = 0;
    double late_p999 = 0;
    // Of a steady closed loop: how many requests that had been sent earlier were not yet answered
    // when one was.
    double overtakes_p99 = 0;
    double overtakes_max = 0;
    char failure[128] = {};

    double at(double quantile) const;
    std::vector<double> quantiles() const;
};

// Whom the kernel runs if both want a core: whoever is due, or the load's process always. The
// latter needs the right to real-time priority.
enum class load_priority
{
    equal,
    first
};

// How the load's process waits for answers. Awake, it asks for them again and again, and has a core
// of its own: a server that answers one wakes nobody, which may cost it several times the answer.
enum class load_waits
{
    asleep,
    awake
};

class load_client
{
public:
    // Forks: to be called before the process has threads. Throws std::runtime_error.
    explicit load_client(
        load_priority priority = load_priority::equal, load_waits waits = load_waits::asleep);
    load_client(const load_client&) = delete;
    load_client& operator=(const load_client&) = delete;
    ~load_client();

    // Each returns what went wrong, or nothing.
    std::string connect(const load& what);
    void disconnect();

    // Closed loop: every connection sends a message, checks its answer, sends the next.
    load_result run(std::chrono::milliseconds span);

    // Open loop: messages are due at a fixed rate, whatever became of those before. Latencies count
    // from when a message was due, not from when it could be sent.
    load_result run_open(std::chrono::milliseconds span, std::uint32_t per_second);

    // Closed loop; latencies count of what is answered after `lead`, and within the span from then.
    load_result run_steadily(std::chrono::milliseconds lead, std::chrono::milliseconds span);

    // Open loop; messages are due at random times, independent of each other. One that is due takes
    // the connection that has been idle for longest, or waits for the next that is. Latencies count
    // of what is due after `lead`, and within the span from then, and from when it is due.
    load_result run_randomly(
        std::chrono::milliseconds lead, std::chrono::milliseconds span, std::uint32_t per_second);

    // As many connections at once as there were: each is opened, echoes one message, is closed.
    load_result churn(std::chrono::milliseconds span);

private:
    pid_t child_ = -1;
    int pipe_ = -1;
};

} // namespace bench

#endif
