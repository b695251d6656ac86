// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A thread that loses its core in a system call at one socket keeps no other socket's data waiting.

#include <weft/io_context.hpp>

#include "parity/threads.hpp"
#include "support/asio.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <utility>

namespace asio = boost::asio;

namespace
{

using local = asio::local::stream_protocol;

// Longer than anything takes that does not wait for what never comes.
constexpr std::chrono::seconds limit(20);

struct connection
{
    explicit connection(weft::io_context& context) : socket(context), peer(context)
    {
        asio::local::connect_pair(socket, peer);
    }

    template <typename F>
    void read(F f)
    {
        socket.async_read_some(asio::buffer(&byte, 1),
            [f](boost::system::error_code error, std::size_t)
            {
                if (!error)
                    f();
            });
    }

    void send()
    {
        asio::write(peer, asio::buffer("a", 1));
    }

    local::socket socket;
    local::socket peer;
    char byte = 0;
};

/// One byte; whoever looks at it a second time, as Asio does before the system call, stays there.
class slow_buffer
{
public:
    explicit slow_buffer(std::function<void()> stay) : state_(std::make_shared<state>(stay))
    {
    }

    using value_type = asio::const_buffer;
    using const_iterator = asio::const_buffer const*;

    const_iterator begin() const
    {
        if (++state_->looks == 2)
            state_->stay();
        return &state_->content;
    }

    const_iterator end() const
    {
        return &state_->content + 1;
    }

private:
    struct state
    {
        explicit state(std::function<void()> s) : stay(std::move(s))
        {
        }

        std::function<void()> stay;
        int looks = 0;
        asio::const_buffer content = asio::buffer("b", 1);
    };

    std::shared_ptr<state> state_;
};

} // namespace

BOOST_AUTO_TEST_CASE(data_of_one_socket_do_not_wait_for_a_thread_that_is_at_another_one)
{
    for (int round = 0; round != 20; ++round)
    {
        weft::io_context context(2);
        connection slow(context);
        connection other(context);
        std::promise<void> is_there;
        std::promise<void> other_is_busy;
        std::promise<void> have_come;
        std::promise<void> served;
        auto const have_come_there = have_come.get_future().share();
        auto const has_been_served = served.get_future().share();
        std::atomic<int> done{0};
        bool was_served = false;
        slow.read([&] { ++done; });
        other.read([&] { served.set_value(); });
        // That there is room to write: an event that is run when the first thread comes to its
        // descriptor would have to wait for it.
        context.poll();
        // One thread is in its write at `slow`, and the other looks into the reactor when data have
        // come for both, those for `slow` first.
        asio::post(context,
            [&]
            {
                auto const stay = [&]
                {
                    is_there.set_value();
                    was_served = has_been_served.wait_for(limit) == std::future_status::ready;
                };
                slow.socket.async_write_some(slow_buffer(stay),
                    [&](boost::system::error_code error, std::size_t) { done += error ? 0 : 1; });
            });
        asio::post(context,
            [&]
            {
                other_is_busy.set_value();
                have_come_there.wait();
            });
        test::thread_group threads(2, [&] { context.run(); });
        is_there.get_future().wait();
        other_is_busy.get_future().wait();
        slow.send();
        other.send();
        have_come.set_value();
        threads.join();
        BOOST_TEST(was_served);
        BOOST_TEST(done == 2);
    }
}
