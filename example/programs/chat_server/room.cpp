// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "room.hpp"

#include "session.hpp"

#include <utility>

namespace example
{

room::room(
    std::string name, io_context::executor_type executor, std::shared_ptr<room_directory> directory)
    : name_(std::move(name)), directory_(std::move(directory)), strand_(executor)
{
}

room::~room()
{
    directory_->forget(name_);
}

void room::join(std::shared_ptr<session> member, std::string nick)
{
    asio::post(strand_,
        [self = shared_from_this(), member = std::move(member), nick = std::move(nick)]
        {
            if (self->members_.emplace(member.get(), member).second)
                self->broadcast("JOINED " + self->name_ + ' ' + nick);
        });
}

void room::leave(std::shared_ptr<session> member, std::string nick)
{
    asio::post(strand_,
        [self = shared_from_this(), member = std::move(member), nick = std::move(nick)]
        {
            // Who leaves hears of it too, so that a client knows where the room's events end.
            self->broadcast("LEFT " + self->name_ + ' ' + nick);
            self->members_.erase(member.get());
        });
}

void room::say(std::string nick, std::string text)
{
    asio::post(strand_, [self = shared_from_this(), nick = std::move(nick), text = std::move(text)]
        { self->broadcast("MSG " + self->name_ + ' ' + nick + ' ' + text); });
}

void room::broadcast(std::string line)
{
    line += '\n';
    auto const shared = std::make_shared<std::string const>(std::move(line));
    for (auto const& [key, member] : members_)
    {
        if (auto const session = member.lock())
            session->deliver(shared);
    }
}

room_directory::room_directory(io_context::executor_type executor) : executor_(executor)
{
}

std::shared_ptr<room> room_directory::find_or_create(std::string const& name)
{
    std::lock_guard const lock{mutex_};
    auto& entry = rooms_[name];
    auto found = entry.lock();
    if (!found)
    {
        found = std::make_shared<room>(name, executor_, shared_from_this());
        entry = found;
    }
    return found;
}

void room_directory::forget(std::string const& name)
{
    std::lock_guard const lock{mutex_};
    // Between the end of the room that calls this and now another of its name may have begun.
    auto const entry = rooms_.find(name);
    if (entry != rooms_.end() && entry->second.expired())
        rooms_.erase(entry);
}

} // namespace example
