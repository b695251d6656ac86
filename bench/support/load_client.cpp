// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "load_client.hpp"

#include "load_generator.hpp"
#include "machine.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <stdexcept>

#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bench
{

namespace
{

enum class order : std::uint32_t
{
    connect,
    run,
    run_open,
    run_steadily,
    run_randomly,
    churn,
    disconnect
};

struct command
{
    order what;
    load given;
    std::chrono::milliseconds span;
    std::uint32_t per_second;
    std::chrono::milliseconds lead;
};

bool send_all(int fd, const void* data, std::size_t size)
{
    return ::send(fd, data, size, MSG_NOSIGNAL) == static_cast<ssize_t>(size);
}

bool receive_all(int fd, void* data, std::size_t size)
{
    ssize_t n = -1;
    do
    {
        n = ::recv(fd, data, size, MSG_WAITALL);
    } while (n < 0 && errno == EINTR);
    return n == static_cast<ssize_t>(size);
}

load_result carry_out(load_generator& generator, const command& c)
{
    switch (c.what)
    {
    case order::connect:
        generator.connect(c.given);
        break;
    case order::run:
        return generator.run(c.span);
    case order::run_open:
        return generator.run_open(c.span, c.per_second);
    case order::run_steadily:
        return generator.run_steadily(c.lead, c.span);
    case order::run_randomly:
        return generator.run_randomly(c.lead, c.span, c.per_second);
    case order::churn:
        return generator.churn(c.span);
    case order::disconnect:
        generator.disconnect();
        break;
    }
    return {};
}

void obey(int pipe, load_waits waits)
{
    load_generator generator(waits);
    command c{};
    while (receive_all(pipe, &c, sizeof c))
    {
        load_result result;
        try
        {
            result = carry_out(generator, c);
        }
        catch (const std::exception& e)
        {
            // The server waits for its connections to end.
            if (c.what == order::connect)
                generator.disconnect();
            std::snprintf(result.failure, sizeof result.failure, "%s", e.what());
        }
        if (!send_all(pipe, &result, sizeof result))
            break;
    }
}

bool use_policy(int policy)
{
    sched_param priority{};
    priority.sched_priority = policy == SCHED_FIFO ? 1 : 0;
    return ::sched_setscheduler(0, policy, &priority) == 0;
}

bool may_come_first()
{
    return use_policy(SCHED_FIFO) && use_policy(SCHED_OTHER);
}

load_result ask(int pipe, const command& c)
{
    load_result result;
    if (!send_all(pipe, &c, sizeof c) || !receive_all(pipe, &result, sizeof result))
        throw std::runtime_error("the load generator is gone");
    return result;
}

} // namespace

double load_result::at(double quantile) const
{
    const auto found = std::find(quantile_points.begin(), quantile_points.end(), quantile);
    return latency[found - quantile_points.begin()];
}

std::vector<double> load_result::quantiles() const
{
    return {std::begin(latency), std::end(latency)};
}

load_client::load_client(load_priority priority, load_waits waits)
{
    if (priority == load_priority::first && !may_come_first())
        throw std::runtime_error("no right to real-time priority");
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        throw std::runtime_error("socketpair failed");
    child_ = ::fork();
    if (child_ < 0)
        throw std::runtime_error("fork failed");
    if (child_ == 0)
    {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        // Messages are due to the microsecond.
        ::prctl(PR_SET_TIMERSLACK, 1);
        if (priority == load_priority::first)
            use_policy(SCHED_FIFO);
        ::close(ends[0]);
        obey(ends[1], waits);
        ::_exit(0);
    }
    ::close(ends[1]);
    pipe_ = ends[0];
    count_as_ours(child_);
}

load_client::~load_client()
{
    count_as_ours(0);
    ::close(pipe_);
    ::waitpid(child_, nullptr, 0);
}

std::string load_client::connect(const load& what)
{
    return ask(pipe_, {order::connect, what, {}, 0, {}}).failure;
}

void load_client::disconnect()
{
    ask(pipe_, {order::disconnect, {}, {}, 0, {}});
}

load_result load_client::run(std::chrono::milliseconds span)
{
    return ask(pipe_, {order::run, {}, span, 0, {}});
}

load_result load_client::run_open(std::chrono::milliseconds span, std::uint32_t per_second)
{
    return ask(pipe_, {order::run_open, {}, span, per_second, {}});
}

load_result load_client::run_steadily(
    std::chrono::milliseconds lead, std::chrono::milliseconds span)
{
    return ask(pipe_, {order::run_steadily, {}, span, 0, lead});
}

load_result load_client::run_randomly(
    std::chrono::milliseconds lead, std::chrono::milliseconds span, std::uint32_t per_second)
{
    return ask(pipe_, {order::run_randomly, {}, span, per_second, lead});
}

load_result load_client::churn(std::chrono::milliseconds span)
{
    return ask(pipe_, {order::churn, {}, span, 0, {}});
}

} // namespace bench
