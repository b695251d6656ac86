// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_EXAMPLE_HTTP_FILE_SERVER_SERVER_HPP
#define WEFT_EXAMPLE_HTTP_FILE_SERVER_SERVER_HPP

#include "../support/command_line.hpp"
#include "session.hpp"
#include "types.hpp"

#include <chrono>
#include <memory>

namespace example
{

/// Accepts connections until SIGINT or SIGTERM, then ends in good order: whom the kernel has let in
/// is still accepted, connections that wait for another request are closed, and every request that
/// has arrived, or is the first of its connection, is answered. A second signal, or clients that
/// take longer than the grace period, end it at once.
///
/// Has to be destroyed before the context is.
class server
{
public:
    /// Listens; throws std::runtime_error if it cannot.
    server(io_context& context, server_options const& options, std::shared_ptr<site const> files,
        session_limits limits, std::chrono::seconds grace);
    ~server();

    void start();

    /// What has been done so far.
    session_counts const& counts() const noexcept
    {
        return sessions_->counts;
    }

private:
    awaitable<void> accept_all();
    awaitable<void> stop_on_signal();
    void close_acceptor();
    void serve(tcp_socket socket);

    io_context& context_;
    strand strand_; ///< for everything below that is not shared
    tcp_acceptor acceptor_;
    signal_set signals_;
    timer drained_; ///< expires when the last session has ended
    std::shared_ptr<site const> site_;
    session_limits limits_;
    std::chrono::seconds grace_;
    bool is_stopping_ = false;
    std::shared_ptr<session_set> sessions_ = std::make_shared<session_set>();
};

} // namespace example

#endif
