// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "session.hpp"

#include <algorithm>
#include <utility>

namespace example
{

using boost::system::error_code;

namespace
{

constexpr std::size_t max_line = 1024;
constexpr std::size_t max_rooms = 64;

// A client that does not read what it asked for must not fill the server's memory.
constexpr std::size_t max_outbox = 10'000;

// As many lines as one gathering write takes; the kernel's own limit is IOV_MAX, 1024.
constexpr std::size_t max_gather = 64;

bool is_name(std::string_view text)
{
    auto const is_name_char = [](char c)
    {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '_';
    };
    return !text.empty() && text.size() <= 32 &&
           std::all_of(text.begin(), text.end(), is_name_char);
}

/// Splits at the first blank: "SAY room text" is "SAY" and "room text".
std::pair<std::string_view, std::string_view> split(std::string_view text)
{
    auto const blank = text.find(' ');
    if (blank == text.npos)
        return {text, {}};
    return {text.substr(0, blank), text.substr(blank + 1)};
}

} // namespace

session::session(boost::asio::ip::tcp::socket socket, std::shared_ptr<room_directory> directory)
    : socket_(std::move(socket)), directory_(std::move(directory))
{
}

void session::start()
{
    asio::dispatch(socket_.get_executor(), [self = shared_from_this()] { self->read(); });
}

void session::deliver(shared_line line)
{
    asio::post(socket_.get_executor(), [self = shared_from_this(), line = std::move(line)]() mutable
        { self->enqueue(std::move(line)); });
}

void session::read()
{
    asio::async_read_until(socket_, asio::dynamic_buffer(input_, max_line), '\n',
        [self = shared_from_this()](error_code error, std::size_t size)
        {
            if (error == asio::error::not_found)
            {
                self->reply("ERR line too long");
                return self->finish();
            }
            if (error)
                return self->finish();
            std::string_view line{self->input_.data(), size - 1};
            if (line.ends_with('\r'))
                line.remove_suffix(1);
            self->handle(line);
            self->input_.erase(0, size);
            if (self->phase_ == phase::open)
                self->read();
        });
}

void session::handle(std::string_view line)
{
    auto const [command, arguments] = split(line);
    if (command == "NICK")
        return change_nick(arguments);
    if (command == "QUIT")
    {
        reply("BYE");
        return finish();
    }
    if (nick_.empty())
        return reply("ERR say NICK first");
    if (command == "JOIN")
        return join(arguments);
    if (command == "PART")
        return part(arguments);
    if (command == "SAY")
        return say(arguments);
    reply("ERR unknown command");
}

void session::change_nick(std::string_view name)
{
    if (!is_name(name))
        return reply("ERR bad nick");
    if (!rooms_.empty())
        return reply("ERR leave your rooms first");
    nick_ = name;
    reply("OK " + nick_);
}

void session::join(std::string_view name)
{
    if (!is_name(name))
        return reply("ERR bad room name");
    if (rooms_.find(name) != rooms_.end())
        return reply("ERR already in that room");
    if (rooms_.size() == max_rooms)
        return reply("ERR too many rooms");
    auto room = directory_->find_or_create(std::string{name});
    room->join(shared_from_this(), nick_);
    rooms_.emplace(name, std::move(room));
}

void session::part(std::string_view name)
{
    auto const found = rooms_.find(name);
    if (found == rooms_.end())
        return reply("ERR not in that room");
    found->second->leave(shared_from_this(), nick_);
    rooms_.erase(found);
}

void session::say(std::string_view arguments)
{
    auto const [name, text] = split(arguments);
    auto const found = rooms_.find(name);
    if (found == rooms_.end())
        return reply("ERR not in that room");
    if (text.empty())
        return reply("ERR nothing to say");
    found->second->say(nick_, std::string{text});
}

void session::reply(std::string line)
{
    line += '\n';
    enqueue(std::make_shared<std::string const>(std::move(line)));
}

void session::enqueue(shared_line line)
{
    if (phase_ != phase::open)
        return;
    if (outbox_.size() == max_outbox)
        return close();
    outbox_.push_back(std::move(line));
    if (writing_.empty())
        write();
}

void session::write()
{
    auto const count = std::min(outbox_.size(), max_gather);
    for (std::size_t i = 0; i < count; ++i)
        writing_.push_back(asio::buffer(*outbox_[i]));

    asio::async_write(socket_, writing_,
        [self = shared_from_this()](error_code error, std::size_t)
        {
            auto const written = static_cast<std::ptrdiff_t>(self->writing_.size());
            self->outbox_.erase(self->outbox_.begin(), self->outbox_.begin() + written);
            self->writing_.clear();
            if (error)
                return self->close();
            if (!self->outbox_.empty())
                return self->write();
            if (self->phase_ == phase::closing)
                self->close();
        });
}

void session::leave_all()
{
    for (auto const& [name, room] : rooms_)
        room->leave(shared_from_this(), nick_);
    rooms_.clear();
}

void session::finish()
{
    if (phase_ != phase::open)
        return;
    phase_ = phase::closing;
    leave_all();
    if (writing_.empty())
        close();
}

void session::close()
{
    if (phase_ == phase::closed)
        return;
    phase_ = phase::closed;
    leave_all();
    // Closing also ends a read or write that is still outstanding.
    error_code ignored;
    socket_.shutdown(boost::asio::ip::tcp::socket::shutdown_both, ignored);
    socket_.close(ignored);
}

} // namespace example
