// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_EXAMPLE_CHAT_SERVER_ROOM_HPP
#define WEFT_EXAMPLE_CHAT_SERVER_ROOM_HPP

#include "../context.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace example
{

class session;
class room_directory;

/// A line on its way to many clients: written once, shared by all their outboxes.
using shared_line = std::shared_ptr<std::string const>;

/// A room: who is in it, and one order of events that all of its members see.
///
/// Every member function may be called from any thread; what it does happens on the room's strand.
/// Rooms run in parallel to each other, and none of them ever holds a lock while it works.
class room : public std::enable_shared_from_this<room>
{
public:
    room(std::string name, io_context::executor_type executor,
        std::shared_ptr<room_directory> directory);
    ~room();

    std::string const& name() const noexcept
    {
        return name_;
    }

    void join(std::shared_ptr<session> member, std::string nick);
    void leave(std::shared_ptr<session> member, std::string nick);
    void say(std::string nick, std::string text);

private:
    void broadcast(std::string line);

    std::string const name_;
    std::shared_ptr<room_directory> const directory_;
    boost::asio::strand<io_context::executor_type> strand_;
    // Touched on the strand only. A session owns its rooms; the way back must not own it.
    std::map<session*, std::weak_ptr<session>> members_;
};

/// All rooms by name. A room exists as long as somebody is in it.
class room_directory : public std::enable_shared_from_this<room_directory>
{
public:
    explicit room_directory(io_context::executor_type executor);

    std::shared_ptr<room> find_or_create(std::string const& name);

private:
    friend class room;
    void forget(std::string const& name);

    io_context::executor_type executor_;
    std::mutex mutex_;
    std::map<std::string, std::weak_ptr<room>> rooms_;
};

} // namespace example

#endif
