// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_EXAMPLE_CHAT_SERVER_SESSION_HPP
#define WEFT_EXAMPLE_CHAT_SERVER_SESSION_HPP

#include "../context.hpp"
#include "room.hpp"

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace example
{

/// One client. The socket's executor is a strand: what is read, what rooms deliver and what is
/// written meet there, so that nothing of a session needs a lock.
class session : public std::enable_shared_from_this<session>
{
public:
    session(boost::asio::ip::tcp::socket socket, std::shared_ptr<room_directory> directory);

    /// Begins to read; the session then keeps itself alive until it ends.
    void start();

    /// Queues a line for the client; callable from any thread, lines keep the order of the calls.
    void deliver(shared_line line);

private:
    enum class phase
    {
        open,    ///< commands are read, lines are written
        closing, ///< what is queued is written, then the socket is closed
        closed
    };

    void read();
    void handle(std::string_view line);
    void change_nick(std::string_view name);
    void join(std::string_view name);
    void part(std::string_view name);
    void say(std::string_view arguments);
    void reply(std::string line);
    void enqueue(shared_line line);
    void write();
    void leave_all();
    void finish();
    void close();

    boost::asio::ip::tcp::socket socket_;
    std::shared_ptr<room_directory> directory_;
    std::map<std::string, std::shared_ptr<room>, std::less<>> rooms_;
    std::string nick_;
    std::string input_;
    std::deque<shared_line> outbox_;
    std::vector<boost::asio::const_buffer> writing_;
    phase phase_ = phase::open;
};

} // namespace example

#endif
