// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Sends and receives that need not wait do not suspend the coroutine that awaits them; but before
// it could go on like that for ever, others run, and what happens then loses no value.

#include <weft/channel.hpp>

#include "primitives/places.hpp"
#include "support/owned.hpp"

#include <boost/core/span.hpp>

BOOST_FIXTURE_TEST_SUITE(channel_early_completion, test::all_are_destroyed)

namespace
{

using test::owned;
using value = std::unique_ptr<owned>;
using channel = weft::channel<value>;

value make(int n)
{
    return std::make_unique<owned>(n);
}

// What befalls a coroutine that lets others run.
enum class fate
{
    nothing,
    cancelled,
    closed,
    destroyed,
    signalled,
    overtaken
};

// A coroutine that sends, or receives, until it has had to let others run; they do something then.
struct interrupted
{
    interrupted(test::where w, fate f, bool send) : what(f), sending(send), place(w)
    {
        asio::co_spawn(place.executor, send ? sends() : receives(),
            asio::bind_cancellation_slot(signal.slot(), test::rethrow));
        place.finish();
        BOOST_TEST(ended);
        BOOST_TEST(others);
    }

    fate const what;
    bool const sending;
    test::place place;
    std::optional<channel> c{std::in_place, place.executor, std::size_t(1)};
    asio::cancellation_signal signal;
    bool others = false;
    bool ended = false;
    error_code result;

    // Sends that succeeded, or receives; the value that the last send was about, and what the
    // others took or sent.
    int count = 0;
    value kept;
    value taken;

    void let_others_run()
    {
        asio::post(place.executor,
            [this]
            {
                others = true;
                switch (what)
                {
                case fate::nothing:
                    break;
                case fate::cancelled:
                    c->cancel();
                    break;
                case fate::closed:
                    c->close();
                    break;
                case fate::destroyed:
                    c.reset();
                    break;
                case fate::signalled:
                    signal.emit(asio::cancellation_type::terminal);
                    break;
                case fate::overtaken:
                    if (sending)
                        c->try_send(make(-1));
                    else
                        taken = std::move(c->try_receive().value());
                    // Now the coroutine has to wait.
                    asio::post(place.executor,
                        [this]
                        {
                            if (sending)
                                taken = std::move(c->try_receive().value());
                            else
                                c->try_send(make(-1));
                        });
                    break;
                }
            });
    }

    asio::awaitable<void> sends()
    {
        let_others_run();
        try
        {
            while (!others)
            {
                kept = make(count);
                co_await c->async_send_from(kept);
                ++count;
                if (!others)
                    c->try_receive();
                BOOST_REQUIRE(count < 1000);
            }
        }
        catch (boost::system::system_error const& e)
        {
            result = e.code();
        }
        ended = true;
    }

    asio::awaitable<void> receives()
    {
        let_others_run();
        try
        {
            while (!others)
            {
                if (c->size() == 0)
                    c->try_send(make(count));
                kept = co_await c->async_receive();
                ++count;
                BOOST_REQUIRE(count < 1000);
            }
        }
        catch (boost::system::system_error const& e)
        {
            result = e.code();
        }
        ended = true;
    }
};

} // namespace

// What has room, or finds a value, is in the matrix of channel_tokens.cpp.
WEFT_TEST_CASE_IN_PLACES(a_send_to_one_that_waits_does_not_suspend, test::single_places)
{
    channel direct(place.executor, 0);
    bool others = false;
    int got = 0;
    asio::co_spawn(
        place.executor, [&]() -> asio::awaitable<void> { got = *co_await direct.async_receive(); },
        test::rethrow);
    asio::co_spawn(
        place.executor,
        [&]() -> asio::awaitable<void>
        {
            asio::post(place.executor, [&] { others = true; });
            co_await direct.async_send(make(1000));
            BOOST_TEST(!others);
        },
        test::rethrow);
    place.finish();
    BOOST_TEST(got == 1000);
    BOOST_TEST(others);
}

WEFT_TEST_CASE_FOR_PLACES(a_loop_lets_others_run, test::single_places)
{
    for (bool const send : {false, true})
    {
        interrupted const i(where, fate::nothing, send);
        BOOST_TEST(!i.result);
        BOOST_TEST(i.count > 1);
        BOOST_TEST(i.count <= 129);
    }
}

// What the sender wanted to send is its own, or in the channel; what the receiver has not got is
// still there.
WEFT_TEST_CASE_FOR_PLACES(what_happens_while_others_run_loses_nothing, test::single_places)
{
    for (bool const send : {false, true})
        for (fate const f : {fate::cancelled, fate::signalled, fate::closed})
        {
            interrupted i(where, f, send);
            BOOST_TEST_CONTEXT("fate " << int(f) << ", send " << send)
            {
                // A receiver still gets what was sent.
                if (f == fate::closed && !send)
                    BOOST_TEST(!i.result);
                else if (f == fate::closed)
                    BOOST_TEST(i.result == error_code(weft::errc::closed));
                else
                    BOOST_TEST(i.result == asio::error::operation_aborted);
                if (send || f == fate::closed)
                {
                    BOOST_REQUIRE(i.kept);
                    BOOST_TEST(*i.kept == (send ? i.count : i.count - 1));
                    BOOST_TEST(i.c->size() == 0u);
                }
                else
                    BOOST_TEST(*i.c->try_receive().value() == i.count);
            }
        }
}

WEFT_TEST_CASE_FOR_PLACES(the_channel_may_go_while_others_run, test::single_places)
{
    for (bool const send : {false, true})
    {
        interrupted const i(where, fate::destroyed, send);
        BOOST_TEST(i.result == asio::error::operation_aborted);
        if (send)
            BOOST_TEST(*i.kept == i.count);
    }
}

WEFT_TEST_CASE_FOR_PLACES(the_room_may_be_gone_afterwards, test::single_places)
{
    interrupted received(where, fate::overtaken, false);
    BOOST_TEST(!received.result);
    BOOST_TEST(*received.taken == received.count - 1);
    BOOST_TEST(*received.kept == -1);
    interrupted sent(where, fate::overtaken, true);
    BOOST_TEST(!sent.result);
    BOOST_TEST(*sent.taken == -1);
    BOOST_TEST(*sent.c->try_receive().value() == sent.count - 1);
}

// Sends what can be copied. What cannot is refused at compile time: see test/refused.
WEFT_TEST_CASE_IN_PLACES(a_send_is_awaited_as_an_lvalue, test::single_places)
{
    channel unique(place.executor, 1);
    weft::channel<std::shared_ptr<owned>> shared(place.executor, 2);
    asio::co_spawn(
        place.executor,
        [&]() -> asio::awaitable<void>
        {
            auto twice = shared.async_send(std::make_shared<owned>(1));
            co_await twice;
            co_await twice;
            auto once = unique.async_send(make(1));
            co_await std::move(once);
        },
        test::rethrow);
    place.finish();
    BOOST_TEST(shared.size() == 2u);
    BOOST_TEST(*unique.try_receive().value() == 1);
}

// An operation that is awaited where it is made stays there while it is tried, in each kind of
// expression, and is moved if it has to wait.
WEFT_TEST_CASE_IN_PLACES(operations_are_awaited_in_any_expression, test::single_places)
{
    channel a(place.executor, 1);
    channel b(place.executor, 1);
    int sum = 0;
    bool const never = false;
    auto const sends = [&](channel& c, int begin) -> asio::awaitable<void>
    {
        for (int i = 0; i != 4; ++i)
            co_await c.async_send(make(begin + i));
    };
    auto const receives = [&]() -> asio::awaitable<void>
    {
        auto const digits = [](value x, value y)
        {
            return 10 * *x + *y;
        };
        sum = digits(co_await a.async_receive(), co_await b.async_receive());
        for (bool const first : {true, false})
            sum += *co_await (first ? a.async_receive() : b.async_receive());
        if (never && co_await a.async_receive())
            sum = 0;
        auto named = a.async_receive();
        sum += *co_await std::move(named);
        auto again = b.async_receive();
        sum += *co_await again;
        sum += *co_await again;
        auto const elsewhere = std::make_unique<decltype(named)>(a.async_receive());
        sum += *co_await std::move(*elsewhere);
    };
    asio::co_spawn(place.executor, receives(), test::rethrow);
    asio::co_spawn(place.executor, sends(a, 1), test::rethrow);
    asio::co_spawn(place.executor, sends(b, 1), test::rethrow);
    place.finish();
    BOOST_TEST(sum == 29);
}

// An operation that has a name and is given away again and again begins anew each time: what it
// has received once is not received again, nor is there less room for it.
WEFT_TEST_CASE_IN_PLACES(an_operation_can_be_given_away_again, test::single_places)
{
    channel one(place.executor, 8);
    weft::channel<owned> some(place.executor, 8);
    std::array<owned, 4> buffer{0, 0, -1, -1};
    auto const room = boost::span<owned>(buffer.data(), 2);
    std::vector<int> got;
    bool closed = false;
    for (int i = 1; i != 4; ++i)
    {
        BOOST_TEST_REQUIRE(one.try_send(error_code(), make(i)));
        BOOST_TEST_REQUIRE(some.try_send(error_code(), i));
    }
    asio::co_spawn(
        place.executor,
        [&]() -> asio::awaitable<void>
        {
            auto receive = one.async_receive();
            auto receive_some = some.async_receive_some(room);
            for (int i = 0; i != 2; ++i)
            {
                got.push_back(static_cast<int>(co_await std::move(receive_some)));
                got.push_back(buffer[0]);
            }
            for (int i = 0; i != 3; ++i)
                got.push_back(*co_await std::move(receive));
            asio::post(place.executor, [&] { one.close(); });
            try
            {
                got.push_back(*co_await std::move(receive));
            }
            catch (boost::system::system_error const& e)
            {
                closed = e.code() == weft::errc::closed;
            }
            BOOST_TEST_REQUIRE(some.try_send(error_code(), 4));
            got.push_back(static_cast<int>(co_await receive_some));
        },
        test::rethrow);
    place.finish();
    BOOST_TEST(closed);
    BOOST_TEST(got == (std::vector<int>{2, 1, 1, 3, 1, 2, 3, 1}), boost::test_tools::per_element());
    BOOST_TEST(buffer[2] == -1);
    BOOST_TEST(buffer[3] == -1);
}

BOOST_AUTO_TEST_SUITE_END()
