// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "plugin.hpp"

#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/system_error.hpp>

#include <chrono>
#include <future>
#include <mutex>
#include <utility>

namespace asio = boost::asio;
using boost::system::error_code;

namespace
{

class the_plugin final : public plugin
{
    seen_things see() const override
    {
        return {};
    }

    std::unique_ptr<weft::io_context> make_context() const override
    {
        return std::make_unique<weft::io_context>();
    }

    bool knows(asio::any_io_executor const& executor) const override
    {
        return executor.target<weft::io_context::executor_type>() != nullptr;
    }

    void start(weft::io_context& context, unsigned short port,
        std::function<void(std::string const&)> done) const override
    {
        asio::post(context, [done] { done("handler"); });
        auto const timer =
            std::make_shared<asio::steady_timer>(context, std::chrono::milliseconds(1));
        timer->async_wait([timer, done](error_code ec) { done(ec ? ec.message() : "timer"); });
        auto const socket = std::make_shared<asio::ip::tcp::socket>(context);
        socket->async_connect({asio::ip::address_v4::loopback(), port},
            [socket, done](error_code ec) { done(ec ? ec.message() : "connection"); });
    }

    void send(weft::channel<int>& channel, weft::mutex& mutex, int value) const override
    {
        mutex.async_scoped_lock([&channel, value](error_code, std::unique_lock<weft::mutex>)
            { channel.async_send(value, [](error_code) {}); });
    }

    void post_exception(weft::io_context& context) const override
    {
        asio::post(context,
            [] { throw boost::system::system_error(make_error_code(weft::errc::closed)); });
    }

    void wait_for_another_handler(weft::thread_pool& pool) const override
    {
        std::promise<void> promise;
        asio::post(pool, [&promise] { promise.set_value(); });
        weft::run_blocking([&promise] { promise.get_future().wait(); });
    }
};

} // namespace

extern "C" [[gnu::visibility("default")]] plugin const& weft_test_plugin();

extern "C" plugin const& weft_test_plugin()
{
    static the_plugin const one;
    return one;
}
