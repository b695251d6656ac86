// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// The echo server in libuv: as many loops as threads, since a loop is for one thread. One more
// thread accepts and deals the connections out in turn; it sleeps while they talk.

#ifndef BENCH_SUPPORT_UV_ECHO_HPP
#define BENCH_SUPPORT_UV_ECHO_HPP

#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace bench
{

class uv_echo
{
public:
    explicit uv_echo(unsigned threads);
    uv_echo(const uv_echo&) = delete;
    uv_echo& operator=(const uv_echo&) = delete;
    ~uv_echo();

    std::uint16_t port() const noexcept
    {
        return port_;
    }

private:
    class loop;

    void accept();

    std::vector<std::unique_ptr<loop>> loops_;
    int listener_ = -1;
    std::uint16_t port_ = 0;
    std::thread accepter_;
};

} // namespace bench

#endif
