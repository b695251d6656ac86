// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A receive serves a sender that waits, and the sender's handler destroys the channel inside of
// that.

#include <weft/channel.hpp>
#include <weft/io_context.hpp>

#include "support/cases.hpp"
#include "support/inline_executor.hpp"

namespace
{

struct sender_that_waits
{
    // The handler runs where it is served, and destroys the channel if `told` is true by then.
    void wait_to_send(bool const& told)
    {
        channel->async_send(
            std::make_unique<int>(2), asio::bind_executor(test::inline_executor{&nobody_runs},
                                          [this, &told](error_code)
                                          {
                                              waits = false;
                                              if (told)
                                                  channel.reset();
                                          }));
    }

    asio::io_context nobody_runs;
    weft::io_context context;
    std::unique_ptr<weft::channel<std::unique_ptr<int>>> channel =
        std::make_unique<weft::channel<std::unique_ptr<int>>>(context, 1u);
    bool waits = false;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(destroyed_by_the_served, sender_that_waits)

BOOST_AUTO_TEST_CASE(a_receive_whose_handler_is_on_a_strand)
{
    for (bool const timed : {false, true})
    {
        channel = std::make_unique<weft::channel<std::unique_ptr<int>>>(context, 1u);
        BOOST_TEST(channel->try_send(std::make_unique<int>(1)));
        bool const told = true;
        wait_to_send(told);
        int received = 0;
        auto handler = asio::bind_executor(asio::make_strand(context),
            [&](error_code ec, std::unique_ptr<int> value)
            {
                BOOST_TEST(!ec);
                received = value ? *value : 0;
            });
        if (timed)
            channel->async_receive_for(std::chrono::hours(1), handler);
        else
            channel->async_receive(handler);
        BOOST_TEST(!channel);
        context.restart();
        context.run();
        BOOST_TEST(received == 1);
    }
}

BOOST_AUTO_TEST_CASE(a_receive_that_has_let_others_run)
{
    bool others_have_run = false;
    int received = 0;
    asio::co_spawn(
        context,
        [&]() -> asio::awaitable<void>
        {
            while (channel)
            {
                others_have_run = false;
                if (!waits)
                {
                    (void)channel->try_send(std::make_unique<int>(1));
                    wait_to_send(others_have_run);
                }
                // Runs first if the coroutine has no budget left.
                asio::post(context, [&] { others_have_run = true; });
                received += *co_await channel->async_receive() != 0 ? 1 : 0;
            }
        },
        asio::detached);
    context.run();
    BOOST_TEST(!channel);
    BOOST_TEST(received != 0);
}

BOOST_AUTO_TEST_SUITE_END()
