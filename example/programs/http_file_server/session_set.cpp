// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "session_set.hpp"

#include "session.hpp"

#include <utility>
#include <vector>

namespace example
{

void session_set::insert(std::shared_ptr<session> const& added)
{
    std::lock_guard const lock{mutex_};
    sessions_.emplace(added.get(), added);
}

void session_set::erase(session const* removed)
{
    std::lock_guard const lock{mutex_};
    sessions_.erase(removed);
    if (sessions_.empty() && on_empty_)
        std::exchange(on_empty_, nullptr)();
}

void session_set::stop_all(std::function<void()> on_empty)
{
    // Kept until the lock is gone: the last owner of a session enters erase().
    std::vector<std::shared_ptr<session>> running;
    {
        std::lock_guard const lock{mutex_};
        if (sessions_.empty())
            return on_empty();
        on_empty_ = std::move(on_empty);
        running = all();
    }
    for (auto const& session : running)
        session->stop();
}

void session_set::end_waiting()
{
    std::vector<std::shared_ptr<session>> running;
    {
        std::lock_guard const lock{mutex_};
        running = all();
    }
    for (auto const& session : running)
        session->end_waiting();
}

/// With the lock held.
std::vector<std::shared_ptr<session>> session_set::all() const
{
    std::vector<std::shared_ptr<session>> running;
    running.reserve(sessions_.size());
    for (auto const& [key, session] : sessions_)
    {
        if (auto owner = session.lock())
            running.push_back(std::move(owner));
    }
    return running;
}

void session_set::forget_on_empty()
{
    std::lock_guard const lock{mutex_};
    on_empty_ = nullptr;
}

} // namespace example
