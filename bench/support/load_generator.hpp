// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What the process of a load_client does: one thread around epoll.

#ifndef BENCH_SUPPORT_LOAD_GENERATOR_HPP
#define BENCH_SUPPORT_LOAD_GENERATOR_HPP

#include "load_client.hpp"
#include "machine.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace bench
{

// Throws std::runtime_error for whatever is not as it should be.
class load_generator
{
public:
    explicit load_generator(load_waits how);
    load_generator(const load_generator&) = delete;
    load_generator& operator=(const load_generator&) = delete;
    ~load_generator();

    void connect(const load& what);
    void disconnect();
    load_result run(std::chrono::nanoseconds span);
    load_result run_open(std::chrono::nanoseconds span, std::uint32_t per_second);
    load_result run_steadily(std::chrono::nanoseconds lead, std::chrono::nanoseconds span);
    load_result run_randomly(
        std::chrono::nanoseconds lead, std::chrono::nanoseconds span, std::uint32_t per_second);
    load_result churn(std::chrono::nanoseconds span);

private:
    struct connection
    {
        int socket = -1;
        bool heavy = false;
        bool busy = false;
        std::uint64_t number = 0;
        std::size_t received = 0;
        // When what is under way was sent, or was due.
        clock::time_point since;
        std::deque<clock::time_point> due;
        std::size_t size = 0;
        std::size_t answer_size = 0;
        unsigned char message[message_size];
        unsigned char answer[message_size];
    };

    template <class Function>
    void wait(std::chrono::nanoseconds longest, Function&& what);
    void open(std::uint32_t i);
    void send(std::uint32_t i, clock::time_point since);
    void compose(std::uint32_t i);
    bool receive(std::uint32_t i);
    void take_latency(const connection& c, clock::time_point now);
    load_result result(clock::duration elapsed);
    load_result steady_result(std::uint64_t all, clock::duration elapsed, clock::duration counted);

    const load_waits waits_;
    load what_;
    int epoll_ = -1;
    std::vector<connection> connections_;
    std::vector<std::int64_t> latencies_;
    std::uint64_t heavy_ = 0;
    std::uint64_t sent_ = 0;
};

} // namespace bench

#endif
