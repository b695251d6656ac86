// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Hazard: a channel, or its context, is destroyed while operations wait for it, time limits of them
// pass, and other channels of the same context are at work. Each value is destroyed once, and each
// handler called or destroyed once.

#include <weft/channel.hpp>
#include <weft/io_context.hpp>

#include "parity/threads.hpp"
#include "support/asio.hpp"
#include "support/owned.hpp"
#include "support/sanitized.hpp"

namespace
{

constexpr int rounds = WEFT_TEST_SANITIZED ? 400 : 4000;

// Counts how many there are that have not been moved from, and how many were destroyed.
struct balance
{
    std::atomic<int> alive{0};
    std::atomic<int> made{0};
    std::atomic<int> destroyed{0};
};

class value : test::counted
{
public:
    value() noexcept = default;

    explicit value(balance& b) noexcept : balance_(&b)
    {
        ++b.alive;
        ++b.made;
    }

    value(value&& other) noexcept : balance_(std::exchange(other.balance_, nullptr))
    {
    }

    value& operator=(value&& other) noexcept
    {
        value moved(std::move(other));
        std::swap(balance_, moved.balance_);
        return *this;
    }

    ~value()
    {
        if (balance_)
        {
            --balance_->alive;
            ++balance_->destroyed;
        }
    }

private:
    balance* balance_ = nullptr;
};

using channel = weft::basic_channel<weft::io_context::executor_type, void(error_code, value)>;

// Counts the calls, and handlers that exist.
struct tally
{
    std::shared_ptr<int> token = std::make_shared<int>(0);
    std::atomic<int> called{0};
    std::atomic<int> wrong{0};

    auto handler()
    {
        return [this, held = token](error_code ec, auto&&...)
        {
            ++called;
            wrong += !ec || ec == asio::error::operation_aborted || ec == asio::error::timed_out ||
                             ec == weft::errc::closed
                         ? 0
                         : 1;
        };
    }
};

// Starts one of each kind, more than there is room for, with time limits that pass soon. Returns
// how many.
int start_some(channel& c, tally& t, balance& b, std::vector<value>& buffer, int round)
{
    auto const soon = [round](int i)
    {
        return std::chrono::microseconds((round + i) % 8 * 10);
    };
    for (int i = 0; i != 4; ++i)
        if (round % 2 == 0)
        {
            c.async_send(value(b), t.handler());
            c.async_send_for(soon(i), value(b), t.handler());
            c.async_wait_send(t.handler());
        }
        else
        {
            c.async_receive(t.handler());
            c.async_receive_for(soon(i), t.handler());
            c.async_wait_receive(t.handler());
        }
    if (round % 2 != 0)
        c.async_receive_some(buffer, t.handler());
    return 12 + round % 2;
}

// Sends a value to itself, from handler to handler, until it is told to stop.
class busy
{
public:
    busy(weft::io_context& context, balance& b) : channel_(context, 1), balance_(b)
    {
        receive();
        send();
    }

    void stop()
    {
        channel_.close();
    }

    std::atomic<std::uint64_t> received{0};

private:
    void send()
    {
        channel_.async_send(value(balance_),
            [this](error_code ec)
            {
                if (!ec)
                    send();
            });
    }

    void receive()
    {
        channel_.async_receive(
            [this](error_code ec, value)
            {
                if (ec)
                    return;
                ++received;
                receive();
            });
    }

    channel channel_;
    balance& balance_;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(channels_go_while_others_work, test::all_are_destroyed)
{
    balance b;
    tally t;
    int started = 0;
    {
        // A buffer stays until the operation has ended, which is later than its channel does.
        std::vector<std::vector<value>> buffers(rounds);
        for (std::vector<value>& each : buffers)
            each.resize(3);
        weft::io_context context;
        auto guard = asio::make_work_guard(context);
        busy first(context, b);
        busy second(context, b);
        test::thread_group threads(2, [&] { context.run(); });
        for (int round = 0; round != rounds; ++round)
        {
            std::optional<channel> c(
                std::in_place, context, static_cast<std::size_t>(round / 2 % 3));
            started += start_some(*c, t, b, buffers[static_cast<std::size_t>(round)], round);
            if (round % 5 == 0)
                c->close();
            c.reset();
        }
        first.stop();
        second.stop();
        guard.reset();
        threads.join();
        BOOST_TEST(first.received > 0u);
        BOOST_TEST(second.received > 0u);
    }
    BOOST_TEST(t.called == started);
    BOOST_TEST(t.wrong == 0);
    BOOST_TEST(t.token.use_count() == 1);
    BOOST_TEST(b.alive == 0);
    BOOST_TEST(b.made == b.destroyed);
}

BOOST_FIXTURE_TEST_CASE(contexts_go_before_their_channels, test::all_are_destroyed)
{
    balance b;
    tally t;
    int started = 0;
    for (int round = 0; round != rounds / 4; ++round)
    {
        std::vector<value> buffer(3);
        std::optional<weft::io_context> context(std::in_place);
        channel c(*context, static_cast<std::size_t>(round / 2 % 3));
        channel d(*context, 1);
        started += start_some(c, t, b, buffer, round);
        // The threads have come to some of them, and not to others.
        {
            test::thread_group threads(2, [&] { context->run(); });
            started += start_some(d, t, b, buffer, round & ~1);
            context->stop();
        }
        context.reset();
        BOOST_TEST(t.token.use_count() == 1);
    }
    BOOST_TEST(t.called <= started);
    BOOST_TEST(t.wrong == 0);
    BOOST_TEST(b.alive == 0);
    BOOST_TEST(b.made == b.destroyed);
}
