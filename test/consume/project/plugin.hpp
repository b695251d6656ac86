// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What the host (host.cpp) asks of its plugin (plugin.cpp). Both link weft.
#ifndef WEFT_TEST_CONSUME_PLUGIN_HPP
#define WEFT_TEST_CONSUME_PLUGIN_HPP

#include <weft.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/detail/thread_context.hpp>

#include <functional>
#include <memory>
#include <string>

// What one of them sees of the things of which a program may have only one.
struct seen_things
{
    void const* level = &weft::detail::current_level;
    void const* budget = &weft::detail::foreign_budget_left;
    void const* recycled = &weft::detail::recycled;
    void const* no_magazine = &weft::detail::no_magazine;
    void const* worker_of_asio = boost::asio::detail::thread_context::top_of_thread_call_stack();

    bool operator==(seen_things const& other) const
    {
        return level == other.level && budget == other.budget && recycled == other.recycled &&
               no_magazine == other.no_magazine && worker_of_asio == other.worker_of_asio;
    }
};

struct plugin
{
    virtual ~plugin() = default;

    virtual seen_things see() const = 0;

    // A context that it has made.
    virtual std::unique_ptr<weft::io_context> make_context() const = 0;

    // Whether `executor` is one of a weft::io_context.
    virtual bool knows(boost::asio::any_io_executor const& executor) const = 0;

    // Starts operations on the context, all of which call `done`: a handler, a timer, a connection
    // to `port`.
    virtual void start(weft::io_context& context, unsigned short port,
        std::function<void(std::string const&)> done) const = 0;

    // Sends `value` through the channel, with the lock held.
    virtual void send(weft::channel<int>& channel, weft::mutex& mutex, int value) const = 0;

    // Throws out of a handler.
    virtual void post_exception(weft::io_context& context) const = 0;

    // To be called by a handler of `pool`: waits for another one.
    virtual void wait_for_another_handler(weft::thread_pool& pool) const = 0;
};

// The plugin's only symbol.
using plugin_function = plugin const&();
#define PLUGIN_FUNCTION "weft_test_plugin"

#endif // WEFT_TEST_CONSUME_PLUGIN_HPP
