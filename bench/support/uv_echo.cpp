// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "uv_echo.hpp"

#include "echo_sessions.hpp"

#include <cerrno>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

namespace bench
{

namespace
{

struct uv_session
{
    uv_tcp_t stream;
    uv_write_t write;
    message_position position;
    char data[message_size];

    static uv_session& of(void* data)
    {
        return *static_cast<uv_session*>(data);
    }

    void start(uv_loop_t* loop, int socket)
    {
        uv_tcp_init(loop, &stream);
        stream.data = write.data = this;
        uv_tcp_open(&stream, socket);
        uv_tcp_nodelay(&stream, 1);
        read();
    }

    uv_stream_t* as_stream()
    {
        return reinterpret_cast<uv_stream_t*>(&stream);
    }

    void read()
    {
        uv_read_start(
            as_stream(),
            [](uv_handle_t* handle, std::size_t, uv_buf_t* buffer)
            { *buffer = uv_buf_init(of(handle->data).data, message_size); },
            [](uv_stream_t* s, ssize_t size, const uv_buf_t*)
            {
                if (size < 0)
                    of(s->data).close();
                else if (size > 0)
                    of(s->data).answer(static_cast<std::size_t>(size));
            });
    }

    // What the socket does not take at once waits, and so do further messages: there is one buffer.
    void answer(std::size_t size)
    {
        position.received(static_cast<unsigned char>(data[0]), size);
        uv_buf_t buffer = uv_buf_init(data, static_cast<unsigned>(size));
        const int sent = uv_try_write(as_stream(), &buffer, 1);
        if (sent == static_cast<int>(size))
            return;
        if (sent < 0 && sent != UV_EAGAIN)
            return close();
        const std::size_t done = sent > 0 ? static_cast<std::size_t>(sent) : 0;
        buffer = uv_buf_init(data + done, static_cast<unsigned>(size - done));
        uv_read_stop(as_stream());
        uv_write(&write, as_stream(), &buffer, 1,
            [](uv_write_t* w, int status)
            { status < 0 ? of(w->data).close() : of(w->data).read(); });
    }

    void close()
    {
        uv_handle_t* const handle = reinterpret_cast<uv_handle_t*>(&stream);
        if (uv_is_closing(handle) == 0)
            uv_close(handle, [](uv_handle_t* h) { delete &of(h->data); });
    }
};

} // namespace

// The address of a loop is known to libuv.
class uv_echo::loop
{
public:
    loop()
    {
        uv_loop_init(&loop_);
        uv_async_init(&loop_, &wake_, [](uv_async_t* a) { static_cast<loop*>(a->data)->take(); });
        wake_.data = this;
        thread_ = std::thread([this] { uv_run(&loop_, UV_RUN_DEFAULT); });
    }

    ~loop()
    {
        give(-1);
        thread_.join();
        uv_loop_close(&loop_);
    }

    // A socket, or -1: there will be no more.
    void give(int socket)
    {
        {
            const std::lock_guard lock(mutex_);
            given_.push_back(socket);
        }
        uv_async_send(&wake_);
    }

private:
    void take()
    {
        std::vector<int> sockets;
        {
            const std::lock_guard lock(mutex_);
            sockets.swap(given_);
        }
        for (const int socket : sockets)
        {
            if (socket >= 0)
                (new uv_session)->start(&loop_, socket);
            else
                uv_close(reinterpret_cast<uv_handle_t*>(&wake_), nullptr);
        }
    }

    uv_loop_t loop_;
    uv_async_t wake_;
    std::mutex mutex_;
    std::vector<int> given_;
    std::thread thread_;
};

uv_echo::uv_echo(unsigned threads)
{
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    if (listener_ < 0 || ::bind(listener_, generic, size) != 0 ||
        ::listen(listener_, SOMAXCONN) != 0 || ::getsockname(listener_, generic, &size) != 0)
        throw std::runtime_error(std::string("cannot listen: ") + std::strerror(errno));
    port_ = ntohs(address.sin_port);
    for (unsigned i = 0; i != threads; ++i)
        loops_.push_back(std::make_unique<loop>());
    accepter_ = std::thread([this] { accept(); });
}

uv_echo::~uv_echo()
{
    ::shutdown(listener_, SHUT_RDWR);
    accepter_.join();
    ::close(listener_);
}

void uv_echo::accept()
{
    for (std::size_t i = 0;; ++i)
    {
        const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (socket < 0)
            return;
        loops_[i % loops_.size()]->give(socket);
    }
}

} // namespace bench
