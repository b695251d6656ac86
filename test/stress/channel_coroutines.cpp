// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Hazard: coroutines that mostly do not suspend, wait in their own frames if they have to, and let
// others run in between, while all that wait are cancelled again and again. Who is cancelled has
// its value back, and sends it again: all values arrive, once and in order.

#include <weft/channel.hpp>
#include <weft/thread_pool.hpp>

#include "support/asio.hpp"
#include "support/owned.hpp"
#include "support/sanitized.hpp"

namespace
{

constexpr std::uint32_t each = WEFT_TEST_SANITIZED ? 4'000 : 40'000;
constexpr std::uint32_t senders = 3;
constexpr std::uint32_t receivers = 3;

struct item : test::counted
{
    item(std::uint32_t s, std::uint32_t n) noexcept : sender(s), number(n)
    {
    }

    std::uint32_t sender;
    std::uint32_t number;
};

using value = std::unique_ptr<item>;

class traffic
{
public:
    explicit traffic(std::size_t capacity) : c_(pool_, capacity), received_(senders * each)
    {
        for (std::uint32_t i = 0; i != senders; ++i)
            asio::co_spawn(pool_, send(i), rethrow);
        for (std::uint32_t i = 0; i != receivers; ++i)
            asio::co_spawn(pool_, receive(), rethrow);
        asio::co_spawn(pool_, cancel(), rethrow);
        pool_.join();
        BOOST_TEST(right_.load());
        for (std::uint8_t const times : received_)
            BOOST_REQUIRE(times == 1);
        BOOST_TEST(c_.size() == 0u);
    }

    std::uint64_t aborted() const
    {
        return aborted_;
    }

private:
    static void rethrow(std::exception_ptr e)
    {
        if (e)
            std::rethrow_exception(e);
    }

    void require(bool holds)
    {
        if (!holds)
            right_ = false;
    }

    asio::awaitable<void> send(std::uint32_t me)
    {
        for (std::uint32_t i = 0; i != each; ++i)
        {
            value v = std::make_unique<item>(me, i);
            while (v)
                try
                {
                    co_await c_.async_send_from(v);
                    require(!v);
                }
                catch (boost::system::system_error const& e)
                {
                    require(e.code() == asio::error::operation_aborted);
                    require(v && v->number == i);
                    ++aborted_;
                }
        }
        if (--sending_ == 0)
            c_.close();
    }

    asio::awaitable<void> receive()
    {
        std::array<std::uint32_t, senders> next{};
        for (;;)
            try
            {
                value const v = co_await c_.async_receive();
                require(v->number >= next[v->sender]);
                next[v->sender] = v->number + 1;
                ++received_[v->sender * each + v->number];
            }
            catch (boost::system::system_error const& e)
            {
                if (e.code() == weft::errc::closed)
                    co_return;
                require(e.code() == asio::error::operation_aborted);
                ++aborted_;
            }
    }

    asio::awaitable<void> cancel()
    {
        while (sending_ != 0)
        {
            c_.cancel();
            for (int i = 0; i != 20; ++i)
                co_await asio::post(pool_, asio::use_awaitable);
        }
    }

    weft::thread_pool pool_{3};
    weft::channel<value> c_;
    std::vector<std::uint8_t> received_;
    std::atomic<std::uint32_t> sending_{senders};
    std::atomic<std::uint64_t> aborted_{0};
    std::atomic<bool> right_{true};
};

} // namespace

BOOST_FIXTURE_TEST_CASE(who_is_cancelled_sends_again_and_nothing_is_lost, test::all_are_destroyed)
{
    std::uint64_t aborted = 0;
    for (std::size_t const capacity : {0u, 1u, 2u, 5u, 100u})
    {
        BOOST_TEST_CONTEXT("capacity " << capacity)
        {
            aborted += traffic(capacity).aborted();
        }
    }
    BOOST_TEST(aborted > 0u);
}
