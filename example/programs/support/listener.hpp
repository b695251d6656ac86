// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_EXAMPLE_SUPPORT_LISTENER_HPP
#define WEFT_EXAMPLE_SUPPORT_LISTENER_HPP

#include "command_line.hpp"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <iostream>
#include <stdexcept>

namespace example
{

/// Opens a listening socket on executor and says where on stdout, for whoever asked for port 0.
/// Throws std::runtime_error with the address in its text.
template <class Executor>
auto listen(Executor const& executor, server_options const& options)
{
    using boost::asio::ip::tcp;

    auto const where = options.address + ':' + std::to_string(options.port);
    try
    {
        tcp::endpoint const endpoint{boost::asio::ip::make_address(options.address),
            static_cast<unsigned short>(options.port)};
        boost::asio::basic_socket_acceptor<tcp, Executor> acceptor{executor, endpoint};
        std::cout << "listening on " << acceptor.local_endpoint() << std::endl;
        return acceptor;
    }
    catch (boost::system::system_error const& e)
    {
        throw std::runtime_error("cannot listen on " + where + ": " + e.code().message());
    }
}

/// What an accept loop has to do next.
enum class accept_outcome
{
    serve,    ///< there is a connection
    retry,    ///< that connection is lost, the next one may be fine
    back_off, ///< the machine is short of something: accept again, but not at once
    closed    ///< the listening socket is gone
};

/// A server out of descriptors keeps its backlog, so accept() would fail again immediately: a loop
/// that does not wait burns a whole core, one that gives up never serves again.
inline accept_outcome classify_accept(boost::system::error_code const& error)
{
    namespace errc = boost::system::errc;

    if (!error)
        return accept_outcome::serve;
    if (error == boost::asio::error::operation_aborted ||
        error == boost::asio::error::bad_descriptor)
        return accept_outcome::closed;
    if (error == errc::too_many_files_open || error == errc::too_many_files_open_in_system ||
        error == errc::no_buffer_space || error == errc::not_enough_memory)
        return accept_outcome::back_off;
    return accept_outcome::retry;
}

inline constexpr std::chrono::milliseconds accept_back_off{100};

} // namespace example

#endif
