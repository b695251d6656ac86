// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "echo_client.hpp"

#include "machine.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
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
    disconnect
};

struct command
{
    order what;
    echo_load load;
    std::chrono::milliseconds span;
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

// What the child process is.
class load_generator
{
public:
    ~load_generator()
    {
        disconnect();
    }

    void connect(const echo_load& load)
    {
        epoll_ = check("epoll_create1", ::epoll_create1(EPOLL_CLOEXEC));
        connections_.resize(load.connections);
        for (std::uint32_t i = 0; i != load.connections; ++i)
        {
            connection& c = connections_[i];
            c.socket = check("socket", ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
            sockaddr_in to{};
            to.sin_family = AF_INET;
            to.sin_port = htons(load.port);
            to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
            check("connect", ::connect(c.socket, reinterpret_cast<sockaddr*>(&to), sizeof to));
            const int on = 1;
            check("TCP_NODELAY", ::setsockopt(c.socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on));
            epoll_event event{};
            event.events = EPOLLIN;
            event.data.u32 = i;
            check("epoll_ctl", ::epoll_ctl(epoll_, EPOLL_CTL_ADD, c.socket, &event));
            c.heavy = load.some_heavy && scattered(i) % 10 == 0;
        }
    }

    void disconnect()
    {
        for (const connection& c : connections_)
            ::close(c.socket);
        connections_.clear();
        if (epoll_ >= 0)
            ::close(epoll_);
        epoll_ = -1;
    }

    echo_result run(std::chrono::nanoseconds span)
    {
        latencies_.clear();
        const clock::time_point start = clock::now();
        for (std::uint32_t i = 0; i != connections_.size(); ++i)
            send(i);
        std::size_t open = connections_.size();
        clock::time_point now = start;
        while (open != 0)
        {
            epoll_event events[256];
            const int n = ::epoll_wait(epoll_, events, 256, 5000);
            if (n == 0)
                throw std::runtime_error("no echo within 5 s");
            if (n < 0 && errno != EINTR)
                throw std::runtime_error("epoll_wait failed");
            for (int e = 0; e < n; ++e)
            {
                const std::uint32_t i = events[e].data.u32;
                if (!receive(i))
                    continue;
                now = clock::now();
                latencies_.push_back((now - connections_[i].sent).count());
                if (now - start < span)
                    send(i);
                else
                    --open;
            }
        }
        echo_result result;
        result.requests = latencies_.size();
        result.elapsed = now - start;
        std::sort(latencies_.begin(), latencies_.end());
        const auto at = [this](std::size_t percent)
        {
            return std::chrono::nanoseconds(latencies_[(latencies_.size() - 1) * percent / 100]);
        };
        result.p50 = at(50);
        result.p99 = at(99);
        return result;
    }

private:
    struct connection
    {
        int socket = -1;
        bool heavy = false;
        std::uint64_t number = 0;
        std::size_t received = 0;
        clock::time_point sent;
        unsigned char message[echo_message_size];
    };

    static int check(const char* what, int result)
    {
        if (result < 0)
            throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
        return result;
    }

    static std::uint32_t scattered(std::uint32_t i)
    {
        return (i * 2'654'435'761U) >> 16;
    }

    void send(std::uint32_t i)
    {
        connection& c = connections_[i];
        ++c.number;
        for (std::size_t k = 0; k < echo_message_size; k += sizeof c.number)
        {
            const std::uint64_t word = (c.number << 20) + (std::uint64_t{i} << 8) + k / 8;
            std::memcpy(c.message + k, &word, sizeof word);
        }
        c.message[0] = c.heavy ? echo_heavy : 0;
        c.received = 0;
        c.sent = clock::now();
        if (!send_all(c.socket, c.message, sizeof c.message))
            throw std::runtime_error("send failed");
    }

    // True once the echo is complete.
    bool receive(std::uint32_t i)
    {
        connection& c = connections_[i];
        unsigned char buffer[echo_message_size];
        const ssize_t n = ::recv(c.socket, buffer, sizeof buffer - c.received, 0);
        if (n <= 0)
            throw std::runtime_error("the server closed a connection");
        if (std::memcmp(buffer, c.message + c.received, static_cast<std::size_t>(n)) != 0)
            throw std::runtime_error("an echo differs from its message");
        c.received += static_cast<std::size_t>(n);
        return c.received == sizeof c.message;
    }

    int epoll_ = -1;
    std::vector<connection> connections_;
    std::vector<std::int64_t> latencies_;
};

void obey(int pipe)
{
    load_generator generator;
    command c{};
    while (receive_all(pipe, &c, sizeof c))
    {
        echo_result result;
        try
        {
            switch (c.what)
            {
            case order::connect:
                generator.connect(c.load);
                break;
            case order::run:
                result = generator.run(c.span);
                break;
            case order::disconnect:
                generator.disconnect();
                break;
            }
        }
        catch (const std::exception& e)
        {
            std::snprintf(result.failure, sizeof result.failure, "%s", e.what());
        }
        if (!send_all(pipe, &result, sizeof result))
            break;
    }
}

echo_result ask(int pipe, const command& c)
{
    echo_result result;
    if (!send_all(pipe, &c, sizeof c) || !receive_all(pipe, &result, sizeof result))
        throw std::runtime_error("the load generator is gone");
    return result;
}

} // namespace

echo_client::echo_client()
{
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        throw std::runtime_error("socketpair failed");
    child_ = ::fork();
    if (child_ < 0)
        throw std::runtime_error("fork failed");
    if (child_ == 0)
    {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        ::close(ends[0]);
        obey(ends[1]);
        ::_exit(0);
    }
    ::close(ends[1]);
    pipe_ = ends[0];
    count_as_ours(child_);
}

echo_client::~echo_client()
{
    count_as_ours(0);
    ::close(pipe_);
    ::waitpid(child_, nullptr, 0);
}

std::string echo_client::connect(const echo_load& load)
{
    return ask(pipe_, {order::connect, load, {}}).failure;
}

void echo_client::disconnect()
{
    ask(pipe_, {order::disconnect, {}, {}});
}

echo_result echo_client::run(std::chrono::milliseconds span)
{
    return ask(pipe_, {order::run, {}, span});
}

} // namespace bench
