// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_EXAMPLE_HTTP_FILE_SERVER_SESSION_SET_HPP
#define WEFT_EXAMPLE_HTTP_FILE_SERVER_SESSION_SET_HPP

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace example
{

class session;

/// What all sessions have done together.
struct session_counts
{
    std::atomic<unsigned long> connections{0}; ///< accepted
    std::atomic<unsigned long> requests{0};    ///< received in full
    std::atomic<unsigned long> answers{0};     ///< to these, written in full
};

/// The sessions there are, so that a server which stops can tell them and wait for them.
/// All functions may be called from any thread.
class session_set
{
public:
    void insert(std::shared_ptr<session> const& added);

    /// Called by a session's destructor.
    void erase(session const* removed);

    /// Asks every session to end, and calls on_empty when the last one has.
    void stop_all(std::function<void()> on_empty);

    /// Ends every session that waits for a request, none of which has arrived.
    void end_waiting();

    session_counts counts;

    /// From now on nobody is told about the last session.
    void forget_on_empty();

private:
    std::vector<std::shared_ptr<session>> all() const;

    std::mutex mutex_;
    std::unordered_map<session const*, std::weak_ptr<session>> sessions_;
    std::function<void()> on_empty_;
};

} // namespace example

#endif
