// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Whichever allocation of a channel's function fails, and whichever move of a value throws: the
// caller hears of it, and the channel is as before. No value is there twice, and none stays behind.

#include <weft/channel.hpp>

#include "parity/counted_new.hpp"
#include "primitives/places.hpp"
#include "primitives/refusals.hpp"
#include "support/owned.hpp"

#include <cstring>
#include <iterator>
#include <new>

namespace
{

using test::out_of_memory_in;
using test::owned;
using channel = weft::channel<std::shared_ptr<owned>>;

// Asio's executors may refuse an operation when its value has been sent, or received.
std::vector<test::where> const own_places{
    test::where::weft_io, test::where::weft_io_2, test::where::weft_pool};

constexpr auto for_long = std::chrono::hours(1);

struct fixture : test::all_are_destroyed, test::refusals
{
    std::shared_ptr<owned> value = std::make_shared<owned>(0);

    // As often as it fails, `unchanged` holds.
    template <class Start, class Check>
    void refuse_each_allocation(Start start, Check unchanged)
    {
        refusals::refuse_each_allocation(
            start, [&](bool accepted) { BOOST_TEST((accepted || unchanged())); });
    }
};

struct move_failed : std::exception
{
};

// A value whose move throws when its turn has come.
class fragile
{
public:
    // Moves until one throws; 0 is never.
    static int until_failure;
    static int alive;

    fragile() noexcept
    {
        ++alive;
    }

    explicit fragile(int n) noexcept : number(n)
    {
        ++alive;
    }

    fragile(fragile&& other) : number(other.number)
    {
        if (until_failure != 0 && --until_failure == 0)
            throw move_failed();
        other.number = 0;
        ++alive;
    }

    fragile& operator=(fragile&& other)
    {
        fragile moved(std::move(other));
        number = std::exchange(moved.number, 0);
        return *this;
    }

    ~fragile()
    {
        --alive;
    }

    int number = 0;
};

int fragile::until_failure = 0;
int fragile::alive = 0;

using fragile_channel = weft::channel<fragile>;

// What is done with a channel that has a value, 1, if it has room for one; 10 is for it. What comes
// out is added to `got`.
using act = std::function<void(test::place&, fragile_channel&, int& got)>;

act const acts[] = {
    [](test::place&, fragile_channel& c, int& got)
    { got += c.try_receive().value_or(fragile()).number; },
    [](test::place&, fragile_channel& c, int& got)
    {
        error_code ec;
        if (auto v = c.try_receive(ec))
            got += v->number;
    },
    [](test::place&, fragile_channel& c, int& got)
    { c.try_receive([&](error_code, fragile f) { got += f.number; }); },
    [](test::place& place, fragile_channel& c, int& got)
    {
        c.async_receive([&](error_code, fragile f) { got += f.number; });
        place.context.poll();
    },
    [](test::place& place, fragile_channel& c, int& got)
    {
        // The first waits if there is no value, and the second waits behind it.
        c.async_receive_for(for_long, [&](error_code, fragile f) { got += f.number; });
        c.async_receive([&](error_code, fragile f) { got += f.number; });
        c.try_send(fragile(10));
        place.context.poll();
    },
    [](test::place& place, fragile_channel& c, int& got)
    {
        auto const body = [&]() -> asio::awaitable<void>
        {
            got += (co_await c.async_receive()).number;
            got += (co_await c.async_receive(asio::use_awaitable)).number;
        };
        asio::co_spawn(place.executor, body(),
            [](std::exception_ptr e)
            {
                try
                {
                    if (e)
                        std::rethrow_exception(e);
                }
                catch (boost::system::system_error const&)
                {
                    // Has been cancelled in the end.
                }
            });
        place.context.poll();
        c.try_send(error_code(), fragile(10));
        place.context.poll();
    },
    [](test::place& place, fragile_channel& c, int&)
    {
        c.async_send(fragile(10), [](error_code) {});
        c.async_send_for(for_long, fragile(10), [](error_code) {});
        place.context.poll();
    },
    [](test::place& place, fragile_channel& c, int&)
    {
        c.async_send(fragile(10), asio::deferred)([](error_code) {});
        fragile kept(10);
        c.async_send_from(kept, [](error_code) {});
        place.context.poll();
        c.cancel();
        place.context.poll();
    },
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(channel_bad_alloc, fixture)

WEFT_TEST_CASE_IN_PLACES(what_cannot_start_sends_nothing, own_places)
{
    channel c(place.executor, 5);
    std::size_t size = 0;
    auto const unchanged = [&]
    {
        return c.size() == size;
    };
    refuse_each_allocation([&](auto h) { c.async_send(value, std::move(h)); }, unchanged);
    size = 1;
    refuse_each_allocation(
        [&](auto h) { c.async_send_for(for_long, value, std::move(h)); }, unchanged);
    size = 2;
    auto mine = value;
    auto const still_mine = [&]
    {
        return c.size() == size && mine == value;
    };
    refuse_each_allocation([&](auto h) { c.async_send_from(mine, std::move(h)); }, still_mine);
    BOOST_TEST(!mine);
    size = 3;
    mine = value;
    refuse_each_allocation(
        [&](auto h) { c.async_send_from_for(for_long, mine, std::move(h)); }, still_mine);
    BOOST_TEST(!mine);
    size = 4;
    refuse_each_allocation([&](auto h) { c.async_wait_send(std::move(h)); }, unchanged);
    BOOST_TEST(c.size() == 4u);
    // Those in the channel, and this one.
    BOOST_TEST(value.use_count() == 5);
    place.finish();
    BOOST_TEST(called == 5);
    BOOST_TEST(token.use_count() == 1);
}

WEFT_TEST_CASE_IN_PLACES(what_cannot_start_receives_nothing, own_places)
{
    channel c(place.executor, 5);
    std::shared_ptr<owned> buffer[2];
    BOOST_TEST(c.try_send_n(5, value) == 5u);
    std::size_t size = 5;
    auto const unchanged = [&]
    {
        return c.size() == size;
    };
    refuse_each_allocation([&](auto h) { c.async_receive(std::move(h)); }, unchanged);
    size = 4;
    refuse_each_allocation([&](auto h) { c.async_receive_for(for_long, std::move(h)); }, unchanged);
    size = 3;
    refuse_each_allocation([&](auto h) { c.async_receive_some(buffer, std::move(h)); }, unchanged);
    size = 1;
    refuse_each_allocation([&](auto h) { c.async_wait_receive(std::move(h)); }, unchanged);
    place.finish();
    BOOST_TEST(c.size() == 1u);
    // That one, this one, and two in the buffer.
    BOOST_TEST(value.use_count() == 4);
    BOOST_TEST(called == 4);
    BOOST_TEST(token.use_count() == 1);
}

WEFT_TEST_CASE_FOR_PLACES(what_cannot_wait_does_not_wait, test::places_but_strands)
{
    for (std::size_t const capacity : {0u, 1u})
    {
        test::place place(where);
        called = 0;
        channel empty(place.executor, capacity);
        channel full(place.executor, capacity);
        BOOST_TEST(full.try_send_n(1, value) == capacity);
        std::shared_ptr<owned> buffer[2];
        auto const unchanged = []
        {
            return true;
        };
        refuse_each_allocation([&](auto h) { full.async_send(value, std::move(h)); }, unchanged);
        refuse_each_allocation(
            [&](auto h) { full.async_send_for(for_long, value, std::move(h)); }, unchanged);
        refuse_each_allocation([&](auto h) { empty.async_receive(std::move(h)); }, unchanged);
        refuse_each_allocation(
            [&](auto h) { empty.async_receive_for(for_long, std::move(h)); }, unchanged);
        refuse_each_allocation(
            [&](auto h) { empty.async_receive_some(buffer, std::move(h)); }, unchanged);
        auto mine = value;
        auto mine_for_long = value;
        refuse_each_allocation([&](auto h) { full.async_send_from(mine, std::move(h)); },
            [&] { return mine == value; });
        refuse_each_allocation([&](auto h)
            { full.async_send_from_for(for_long, mine_for_long, std::move(h)); },
            [&] { return mine_for_long == value; });
        BOOST_TEST(!mine);
        BOOST_TEST(!mine_for_long);
        BOOST_TEST(called == 0);
        // Exactly those that were accepted are there.
        BOOST_TEST(empty.try_send_n(3, value) == 3u);
        std::size_t received = 0;
        while (full.try_receive())
            ++received;
        BOOST_TEST(received == 4 + capacity);
        if (capacity == 1)
        {
            BOOST_TEST(full.try_send(value));
            called = 0;
            refuse_each_allocation([&](auto h) { full.async_wait_send(std::move(h)); }, unchanged);
            BOOST_TEST(full.try_receive().has_value());
        }
        place.finish();
        BOOST_TEST(empty.size() == 0u);
        BOOST_TEST(token.use_count() == 1);
        BOOST_TEST(value.use_count() == 2);
    }
}

// Not even for the error: the executor refuses what has ended.
WEFT_TEST_CASE_FOR_PLACES(a_closed_channel_takes_nothing_from_a_variable, test::places_but_strands)
{
    for (std::size_t const capacity : {0u, 1u})
    {
        test::place place(where);
        channel c(place.executor, capacity);
        auto mine = value;
        c.close();
        refuse_each_allocation(
            [&](auto h) { c.async_send_from(mine, std::move(h)); }, [&] { return mine == value; });
        place.finish();
        BOOST_TEST((mine == value));
        BOOST_TEST(token.use_count() == 1);
    }
}

// Nothing of it is found by the next one, nor by the end of the context.
BOOST_AUTO_TEST_CASE(what_cannot_be_made_is_not_in_its_context)
{
    weft::io_context context;
    channel const earlier(context, 1);
    alignas(channel) unsigned char place[sizeof(channel)];
    int refused = 0;
    auto const untouched_when_refused = [&](auto make)
    {
        std::memset(place, 0, sizeof(place));
        bool made = false;
        try
        {
            make();
            made = true;
        }
        catch (std::exception const&)
        {
            ++refused;
        }
        std::memset(place, 0, sizeof(place));
        {
            channel const next(context);
        }
        BOOST_TEST(std::all_of(
            std::begin(place), std::end(place), [](unsigned char byte) { return byte == 0; }));
        return made;
    };
    BOOST_TEST(!untouched_when_refused(
        [&] { ::new (static_cast<void*>(place)) channel(context, std::size_t(-1)); }));
    auto const with_little_memory = [&](auto make)
    {
        for (long allowance = 0;; ++allowance)
        {
            BOOST_REQUIRE(allowance < 50);
            bool const done = untouched_when_refused(
                [&]
                {
                    if (out_of_memory_in([&]
                            { std::launder(make(static_cast<void*>(place)))->~channel(); },
                            allowance))
                        throw std::bad_alloc();
                });
            if (done)
                return;
        }
    };
    with_little_memory([&](void* to) { return ::new (to) channel(context, 3); });
    BOOST_TEST(refused > 1);
    channel full(context, 1);
    BOOST_TEST(full.try_send(value));
    refused = 0;
    with_little_memory([&](void* to) { return ::new (to) channel(std::move(full)); });
    BOOST_TEST(refused > 0);
    BOOST_TEST(full.size() == 0u);
    BOOST_TEST(value.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(a_box_that_cannot_be_had_leaves_the_value)
{
    weft::io_context context;
    BOOST_TEST(out_of_memory_in([&] { fragile_channel c(context, 1); }));
    fragile_channel c(context, 1);
    fragile f(7);
    BOOST_TEST(out_of_memory_in([&] { c.try_send(std::move(f)); }));
    BOOST_TEST(f.number == 7);
    BOOST_TEST(c.size() == 0u);
    BOOST_TEST(!out_of_memory_in([&] { c.try_send(std::move(f)); }, 1));
    BOOST_TEST(f.number == 0);
    BOOST_TEST(c.try_receive().value().number == 7);
}

// Whatever is done, and however many moves go well before: what has come out and what is still in
// the channel are what went in, without the one whose move has failed; and the channel works.
BOOST_AUTO_TEST_CASE(moves_throw_at_every_point)
{
    for (std::size_t const capacity : {0u, 1u, 2u})
        for (act const& a : acts)
        {
            int failures = 0;
            for (int moves = 1;; ++moves)
            {
                BOOST_REQUIRE(moves < 100);
                test::place place(test::where::weft_io);
                bool failed = false;
                int got = 0;
                {
                    fragile_channel c(place.executor, capacity);
                    if (capacity != 0)
                        BOOST_TEST(c.try_send(fragile(1)));
                    fragile::until_failure = moves;
                    try
                    {
                        a(place, c, got);
                    }
                    catch (move_failed const&)
                    {
                        failed = true;
                        ++failures;
                    }
                    BOOST_TEST(failed == (fragile::until_failure == 0));
                    fragile::until_failure = 0;
                    place.context.restart();
                    place.context.poll();
                    c.cancel();
                    place.context.restart();
                    place.context.poll();
                    while (auto v = c.try_receive())
                        got += v->number;
                    // One of each at most, and only a failure costs one.
                    BOOST_TEST((got == 0 || got == 1 || got == 10 || got == 11));
                    BOOST_TEST((failed || capacity == 0 || got % 10 == 1));

                    int later = 0;
                    c.async_send(fragile(5), [&](error_code ec) { later += ec ? 100 : 1; });
                    c.async_receive([&](error_code, fragile f) { later += 2 * f.number; });
                    place.context.restart();
                    place.context.poll();
                    BOOST_TEST(later == 11);
                    BOOST_TEST(!c.ready());
                }
                place.finish();
                BOOST_TEST(fragile::alive == 0);
                if (!failed)
                    break;
            }
            BOOST_TEST_MESSAGE("capacity " << capacity << ", " << failures << " failures");
        }
    BOOST_TEST(fragile::alive == 0);
}

BOOST_AUTO_TEST_SUITE_END()
