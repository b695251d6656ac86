// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What the checks of the servers have in common. They run on plain Asio, one thread, and say what
// they expect by exceptions: the first thing that is wrong ends the program.

#ifndef WEFT_TEST_EXAMPLE_CHECKS_HPP
#define WEFT_TEST_EXAMPLE_CHECKS_HPP

#include <boost/asio.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>

namespace check
{

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::ip::tcp;
using boost::system::error_code;

template <class T>
using awaitable = asio::awaitable<T>;

inline constexpr auto use_tuple = asio::as_tuple(asio::use_awaitable);

/// Bounds every wait for a server, so that one that does not answer fails the check.
inline constexpr std::chrono::seconds patience{20};

/// How many expectations have been met.
inline unsigned long met = 0;

inline void expect(bool truth, std::string const& what)
{
    if (!truth)
        throw std::runtime_error("not so: " + what);
    ++met;
}

inline void expect_equal(std::string_view found, std::string_view wanted, std::string const& what)
{
    if (found != wanted)
    {
        throw std::runtime_error(what + ": expected \"" + std::string{wanted.substr(0, 200)} +
                                 "\", got \"" + std::string{found.substr(0, 200)} + '"');
    }
    ++met;
}

/// A client's connection to a server on the loopback interface.
class connection
{
public:
    explicit connection(asio::any_io_executor executor) : stream_(std::move(executor))
    {
    }

    awaitable<void> open(unsigned short port);
    awaitable<void> send(std::string_view text);

    /// The next line, without its end.
    awaitable<std::string> line();

    /// Exactly size bytes.
    awaitable<std::string> bytes(std::size_t size);

    /// Everything up to the end of the stream; a reset connection is an error.
    awaitable<std::string> rest();

    /// Says that nothing more will be sent.
    void finish();

    void close();

    beast::tcp_stream& stream() noexcept
    {
        return stream_;
    }

private:
    beast::tcp_stream stream_;
    std::string input_;
};

awaitable<void> check_echo(unsigned short port);
awaitable<void> check_chat(unsigned short port);
awaitable<void> check_hash(unsigned short port);
awaitable<void> check_monitor(unsigned short port);

/// The files below root are what the server serves.
awaitable<void> check_http(unsigned short port, std::string root);
awaitable<void> check_http_errors(unsigned short port);

/// The server must have a timeout of a second or so, and at most 64 descriptors.
awaitable<void> check_http_limits(unsigned short port);

/// Sends SIGTERM to the server while it is busy; /large.bin below root has to be some megabytes.
awaitable<void> check_http_stop(unsigned short port, std::string root, int process);

/// Sends SIGTERM to the server while clients come and go, and others stay; says how many of their
/// connections and requests were answered. Every answer must be complete. /index.html below root is
/// what they ask for.
awaitable<void> check_http_drain(unsigned short port, std::string root, int process);

} // namespace check

#endif
