// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "load_generator.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace bench
{

namespace
{

constexpr std::chrono::seconds patience{5};

int check(const char* what, int result)
{
    if (result < 0)
        throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
    return result;
}

bool is_heavy(heavy_ones which, std::uint32_t i)
{
    switch (which)
    {
    case heavy_ones::none:
    case heavy_ones::one_in_hundred:
        break;
    case heavy_ones::scattered:
        return ((i * 2'654'435'761U) >> 16) % 10 == 0;
    case heavy_ones::every_tenth:
        return i % 10 == 0;
    }
    return false;
}

// Of a message, by its number (SplitMix64).
bool is_one_in_hundred(std::uint64_t seed, std::uint64_t number)
{
    std::uint64_t x = (seed << 32) + number * 0x9e37'79b9'7f4a'7c15U;
    x = (x ^ (x >> 30)) * 0xbf58'476d'1ce4'e5b9U;
    x = (x ^ (x >> 27)) * 0x94d0'49bb'1331'11ebU;
    return (x ^ (x >> 31)) % 100 == 0;
}

} // namespace

load_generator::load_generator(load_waits how) : waits_(how)
{
}

// Calls what(index) for every connection that can be read, or has waited until the deadline.
template <class Function>
void load_generator::wait(std::chrono::nanoseconds longest, Function&& what)
{
    const auto whole = std::chrono::duration_cast<std::chrono::seconds>(longest);
    const timespec asleep{whole.count(), (longest - whole).count()};
    const timespec at_once{};
    const bool awake = waits_ == load_waits::awake;
    const clock::time_point until = awake ? clock::now() + longest : clock::time_point();
    epoll_event events[256];
    int n = 0;
    do
        n = ::epoll_pwait2(epoll_, events, 256, awake ? &at_once : &asleep, nullptr);
    while (n == 0 && awake && clock::now() < until);
    if (n == 0 && longest == patience)
        throw std::runtime_error("no answer within 5 s");
    if (n < 0 && errno != EINTR)
        throw std::runtime_error("epoll_pwait2 failed");
    for (int e = 0; e < n; ++e)
        what(events[e].data.u32);
}

load_generator::~load_generator()
{
    disconnect();
}

void load_generator::connect(const load& what)
{
    what_ = what;
    sent_ = 0;
    epoll_ = check("epoll_create1", ::epoll_create1(EPOLL_CLOEXEC));
    connections_.resize(what.connections);
    for (std::uint32_t i = 0; i != what.connections; ++i)
        open(i);
}

void load_generator::open(std::uint32_t i)
{
    connection& c = connections_[i];
    c.socket = check("socket", ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(what_.port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    check("connect", ::connect(c.socket, reinterpret_cast<sockaddr*>(&to), sizeof to));
    const int on = 1;
    check("TCP_NODELAY", ::setsockopt(c.socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on));
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u32 = i;
    check("epoll_ctl", ::epoll_ctl(epoll_, EPOLL_CTL_ADD, c.socket, &event));
    c.heavy = is_heavy(what_.heavy, i);
}

void load_generator::disconnect()
{
    for (const connection& c : connections_)
        ::close(c.socket);
    connections_.clear();
    if (epoll_ >= 0)
        ::close(epoll_);
    epoll_ = -1;
}

load_result load_generator::run(std::chrono::nanoseconds span)
{
    latencies_.clear();
    heavy_ = 0;
    const clock::time_point start = clock::now();
    for (std::uint32_t i = 0; i != connections_.size(); ++i)
        send(i, clock::now());
    std::size_t open = connections_.size();
    clock::time_point now = start;
    while (open != 0)
    {
        wait(patience,
            [&](std::uint32_t i)
            {
                if (!receive(i))
                    return;
                now = clock::now();
                take_latency(connections_[i], now);
                if (now - start < span)
                    send(i, now);
                else
                    --open;
            });
    }
    return result(now - start);
}

load_result load_generator::run_open(std::chrono::nanoseconds span, std::uint32_t per_second)
{
    latencies_.clear();
    heavy_ = 0;
    std::vector<std::int64_t> late;
    const std::chrono::duration<double, std::nano> period(1e9 / per_second);
    const auto total = static_cast<std::uint64_t>(span / period);
    const clock::time_point start = clock::now();
    const auto due = [&](std::uint64_t k)
    {
        return start + std::chrono::duration_cast<clock::duration>(static_cast<double>(k) * period);
    };
    clock::time_point now = start;
    std::uint64_t next = 0;
    while (latencies_.size() != total)
    {
        now = clock::now();
        for (; next != total && due(next) <= now; ++next)
        {
            const auto i = static_cast<std::uint32_t>(next % connections_.size());
            if (connections_[i].busy)
            {
                connections_[i].due.push_back(due(next));
                continue;
            }
            send(i, due(next));
            late.push_back((now - due(next)).count());
        }
        now = clock::now();
        const std::chrono::nanoseconds left = due(next) - now;
        wait(next == total ? patience : std::max(left, std::chrono::nanoseconds(0)),
            [&](std::uint32_t i)
            {
                connection& c = connections_[i];
                if (!receive(i))
                    return;
                now = clock::now();
                take_latency(c, now);
                if (c.due.empty())
                    return;
                const clock::time_point since = c.due.front();
                c.due.pop_front();
                send(i, since);
            });
    }
    load_result r = result(now - start);
    std::sort(late.begin(), late.end());
    r.late_p99 = static_cast<double>(quantile_of_sorted(late, 0.99)) / 1e3;
    r.late_p999 = static_cast<double>(quantile_of_sorted(late, 0.999)) / 1e3;
    return r;
}

load_result load_generator::run_steadily(
    std::chrono::nanoseconds lead, std::chrono::nanoseconds span)
{
    latencies_.clear();
    heavy_ = 0;
    const clock::time_point start = clock::now();
    // The request that each connection waits for, numbered in the order in which they were sent.
    std::vector<std::uint64_t> sent(connections_.size());
    std::uint64_t sends = 0;
    std::vector<std::int64_t> overtakes;
    for (std::uint32_t i = 0; i != connections_.size(); ++i)
    {
        send(i, clock::now());
        sent[i] = ++sends;
    }
    std::size_t open = connections_.size();
    std::uint64_t all = 0;
    clock::time_point now = start;
    while (open != 0)
    {
        wait(patience,
            [&](std::uint32_t i)
            {
                if (!receive(i))
                    return;
                now = clock::now();
                ++all;
                if (now - start >= lead && now - start < lead + span)
                {
                    take_latency(connections_[i], now);
                    overtakes.push_back(std::count_if(
                        sent.begin(), sent.end(), [&](auto other) { return other < sent[i]; }));
                }
                sent[i] = ++sends;
                if (now - start < lead + span)
                    send(i, now);
                else
                    --open;
            });
    }
    load_result r = steady_result(all, now - start, span);
    std::sort(overtakes.begin(), overtakes.end());
    r.overtakes_p99 = static_cast<double>(quantile_of_sorted(overtakes, 0.99));
    r.overtakes_max = static_cast<double>(overtakes.back());
    return r;
}

load_result load_generator::run_randomly(
    std::chrono::nanoseconds lead, std::chrono::nanoseconds span, std::uint32_t per_second)
{
    latencies_.clear();
    heavy_ = 0;
    std::vector<std::int64_t> late;
    std::mt19937_64 random(what_.seed);
    std::exponential_distribution<double> gap(per_second / 1e9);
    std::deque<std::uint32_t> idle(connections_.size());
    std::iota(idle.begin(), idle.end(), 0U);
    std::deque<clock::time_point> waiting;
    const clock::time_point start = clock::now();
    const clock::time_point from = start + lead;
    const clock::time_point end = from + span;
    const auto following = [&](clock::time_point t)
    {
        return t + std::chrono::nanoseconds(static_cast<std::int64_t>(gap(random)));
    };
    const auto send_next = [&]
    {
        send(idle.front(), waiting.front());
        idle.pop_front();
        waiting.pop_front();
    };
    clock::time_point due = following(start);
    clock::time_point last = from;
    clock::time_point now = start;
    std::uint64_t all = 0;
    while (due < end || !waiting.empty() || idle.size() != connections_.size())
    {
        now = clock::now();
        for (; due <= now && due < end; due = following(due))
        {
            if (due >= from)
                late.push_back((now - due).count());
            waiting.push_back(due);
            if (!idle.empty())
                send_next();
        }
        now = clock::now();
        const std::chrono::nanoseconds left = due - now;
        wait(due >= end ? patience : std::max(left, std::chrono::nanoseconds(0)),
            [&](std::uint32_t i)
            {
                if (!receive(i))
                    return;
                now = clock::now();
                ++all;
                if (connections_[i].since >= from)
                {
                    take_latency(connections_[i], now);
                    last = now;
                }
                idle.push_back(i);
                if (!waiting.empty())
                    send_next();
            });
    }
    load_result r = steady_result(all, now - start, last - from);
    std::sort(late.begin(), late.end());
    r.late_p99 = static_cast<double>(quantile_of_sorted(late, 0.99)) / 1e3;
    r.late_p999 = static_cast<double>(quantile_of_sorted(late, 0.999)) / 1e3;
    return r;
}

load_result load_generator::churn(std::chrono::nanoseconds span)
{
    // Nothing waits for the other side to close, and no port waits either: the end is a reset.
    const auto close = [this](std::uint32_t i)
    {
        const linger none{1, 0};
        check("SO_LINGER",
            ::setsockopt(connections_[i].socket, SOL_SOCKET, SO_LINGER, &none, sizeof none));
        ::close(connections_[i].socket);
    };
    const auto begin = [this](std::uint32_t i)
    {
        const clock::time_point now = clock::now();
        open(i);
        send(i, now);
    };
    latencies_.clear();
    heavy_ = 0;
    const clock::time_point start = clock::now();
    for (std::uint32_t i = 0; i != connections_.size(); ++i)
    {
        close(i);
        begin(i);
    }
    std::size_t going = connections_.size();
    clock::time_point now = start;
    while (going != 0)
    {
        wait(patience,
            [&](std::uint32_t i)
            {
                if (!receive(i))
                    return;
                now = clock::now();
                take_latency(connections_[i], now);
                if (now - start >= span)
                {
                    --going;
                    return;
                }
                close(i);
                begin(i);
            });
    }
    return result(now - start);
}

void load_generator::send(std::uint32_t i, clock::time_point since)
{
    connection& c = connections_[i];
    ++c.number;
    if (what_.heavy == heavy_ones::one_in_hundred)
        c.heavy = is_one_in_hundred(what_.seed, sent_++);
    compose(i);
    c.received = 0;
    c.busy = true;
    c.since = since;
    if (::send(c.socket, c.message, c.size, MSG_NOSIGNAL) != static_cast<ssize_t>(c.size))
        throw std::runtime_error("send failed");
}

void load_generator::compose(std::uint32_t i)
{
    connection& c = connections_[i];
    if (what_.speaks == protocol::http)
    {
        const std::uint64_t number = c.number * 1000 + i;
        char text[message_size];
        c.size = static_cast<std::size_t>(
            std::snprintf(text, sizeof text, "GET /%016llu HTTP/1.1\r\nHost: localhost\r\n\r\n",
                static_cast<unsigned long long>(number)));
        std::memcpy(c.message, text, c.size);
        c.answer_size = static_cast<std::size_t>(
            std::snprintf(text, sizeof text, "HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n%016llu",
                static_cast<unsigned long long>(number)));
        std::memcpy(c.answer, text, c.answer_size);
        return;
    }
    for (std::size_t k = 0; k < message_size; k += sizeof c.number)
    {
        const std::uint64_t word = (c.number << 20) + (std::uint64_t{i} << 8) + k / 8;
        std::memcpy(c.message + k, &word, sizeof word);
    }
    c.message[0] = c.heavy ? heavy_message : 0;
    c.size = c.answer_size = message_size;
}

// True once the answer is complete.
bool load_generator::receive(std::uint32_t i)
{
    connection& c = connections_[i];
    const unsigned char* const expected = what_.speaks == protocol::echo ? c.message : c.answer;
    unsigned char buffer[message_size];
    const ssize_t n = ::recv(c.socket, buffer, sizeof buffer, 0);
    if (n <= 0)
        throw std::runtime_error("the server closed a connection");
    const auto size = static_cast<std::size_t>(n);
    if (size > c.answer_size - c.received)
        throw std::runtime_error("an answer is longer than it should be");
    if (std::memcmp(buffer, expected + c.received, size) != 0)
        throw std::runtime_error("an answer is not what it should be");
    c.received += size;
    c.busy = c.received != c.answer_size;
    return !c.busy;
}

void load_generator::take_latency(const connection& c, clock::time_point now)
{
    latencies_.push_back((now - c.since).count());
    heavy_ += c.heavy ? 1 : 0;
}

load_result load_generator::result(clock::duration elapsed)
{
    load_result r;
    r.requests = latencies_.size();
    r.heavy = static_cast<double>(heavy_) / static_cast<double>(r.requests);
    r.elapsed = elapsed;
    r.per_second = static_cast<double>(r.requests) / std::chrono::duration<double>(elapsed).count();
    std::sort(latencies_.begin(), latencies_.end());
    for (std::size_t q = 0; q != quantile_points.size(); ++q)
    {
        r.latency[q] =
            static_cast<double>(quantile_of_sorted(latencies_, quantile_points[q])) / 1e3;
    }
    return r;
}

// Of latencies that are a part of all requests.
load_result load_generator::steady_result(
    std::uint64_t all, clock::duration elapsed, clock::duration counted)
{
    if (latencies_.empty())
        throw std::runtime_error("no request counts: the span is too short");
    load_result r = result(counted);
    r.requests = all;
    r.elapsed = elapsed;
    return r;
}

} // namespace bench
