// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_EXAMPLE_HTTP_FILE_SERVER_SESSION_HPP
#define WEFT_EXAMPLE_HTTP_FILE_SERVER_SESSION_HPP

#include "respond.hpp"
#include "session_set.hpp"
#include "types.hpp"

#include <chrono>
#include <cstdint>
#include <memory>

namespace example
{

/// What a client may cost.
struct session_limits
{
    std::chrono::seconds timeout{30};      ///< for a request to arrive, and for each write
    std::uint32_t header_bytes = 8 * 1024; ///< request line and fields together
    std::uint64_t body_bytes = 64 * 1024;  ///< bodies are read and dropped
};

/// One connection: reads requests and writes answers, strictly in turn, which is what makes
/// pipelining safe: what has arrived behind a request waits in the buffer.
class session : public std::enable_shared_from_this<session>
{
public:
    session(tcp_socket socket, std::shared_ptr<site const> files, session_limits limits,
        std::shared_ptr<session_set> peers);
    ~session();

    /// The whole life of the connection; has to run on the socket's strand.
    awaitable<void> run();

    /// Ends the session after the answer it is busy with, or its first one; at once between two. A
    /// request that has arrived is answered. From any thread.
    void stop();

    /// Ends the session if it waits for a request, of which nothing has arrived. From any thread.
    void end_waiting();

private:
    using request_parser = http::request_parser<http::string_body>;

    awaitable<bool> serve_one();
    awaitable<error_code> read_request(request_parser& parser);
    awaitable<error_code> write_continue();
    awaitable<bool> write_answer(http::message_generator answer);
    awaitable<void> linger();

    bool nothing_received();

    tcp_stream stream_;
    beast::flat_buffer buffer_;
    std::shared_ptr<site const> site_;
    session_limits limits_;
    std::shared_ptr<session_set> peers_;
    bool is_waiting_ = false;
    bool is_stopping_ = false;
    bool has_answered_ = false;
};

} // namespace example

#endif
