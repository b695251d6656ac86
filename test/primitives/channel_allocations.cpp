// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Sending and receiving calls no allocator once everything is warm; and what is lost when memory or
// a move fails.

#include <weft/channel.hpp>
#include <weft/io_context.hpp>

#include "api/steady_state.hpp"
#include "support/cases.hpp"
#include "support/owned.hpp"

#include <new>

namespace
{

using test::owned;
// It allocates nothing itself.
using channel = weft::channel<test::counted_number>;

// Sends, or receives, until the last window is over.
template <bool Send>
struct worker
{
    channel& c;
    test::steady_state& state;
    int left = 50;

    void start()
    {
        if constexpr (Send)
            c.async_send(left, worker(*this));
        else
            c.async_receive(worker(*this));
    }

    void operator()(error_code ec, int = 0)
    {
        if (ec)
            return;
        if (--left == 0)
        {
            state.part_done();
            left = 50;
        }
        if (state.finished())
            c.close();
        else
            start();
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(primitives_channel_allocations, test::all_are_destroyed)

BOOST_AUTO_TEST_CASE(sending_and_receiving_allocate_nothing)
{
    constexpr std::size_t pairs = 4;
    for (std::size_t const capacity : {0u, 1u, 100u})
        BOOST_TEST_CONTEXT("capacity: " << capacity)
        {
            weft::io_context context;
            channel c(context, capacity);
            test::steady_state state;
            asio::post(context,
                [&]
                {
                    state.start(2 * pairs, [] {});
                    for (std::size_t i = 0; i != pairs; ++i)
                    {
                        worker<true>{c, state}.start();
                        worker<false>{c, state}.start();
                    }
                });
            test::run_on(context, 1);
            state.check_allocates_nothing(1, 2 * pairs * 50);
        }
}

BOOST_AUTO_TEST_CASE(without_memory_nothing_happens)
{
    weft::io_context context;
    weft::channel<std::unique_ptr<owned>> c(context, 1);
    auto value = std::make_unique<owned>(1);
    // Blocks that a thread keeps do not count: all that are there are taken first.
    std::size_t refused = 0;
    test::allocations::allowance = 0;
    for (int i = 0; i != 10000 && refused == 0; ++i)
    {
        try
        {
            c.async_receive([](error_code, std::unique_ptr<owned>) {});
        }
        catch (std::bad_alloc const&)
        {
            ++refused;
        }
    }
    test::allocations::allowance = test::allocations::unlimited;
    BOOST_TEST(refused == 1u);
    c.cancel();
    context.run();
    BOOST_TEST(c.try_send(std::move(value)));
    BOOST_TEST(**c.try_receive() == 1);
}

namespace
{

// Throws at a move when told to.
struct clumsy : test::counted
{
    static inline bool throws = false;

    int number = 0;

    explicit clumsy(int n = 0) : number(n)
    {
    }

    clumsy(clumsy&& other) : number(other.number)
    {
        if (throws)
            throw std::runtime_error("clumsy");
        other.number = -1;
    }

    clumsy& operator=(clumsy&& other)
    {
        number = std::exchange(other.number, -1);
        return *this;
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(a_move_that_throws_harms_nobody_else)
{
    weft::io_context context;
    weft::channel<clumsy> c(context, 2);
    clumsy one(1);
    clumsy::throws = true;
    BOOST_CHECK_THROW((void)c.try_send(std::move(one)), std::runtime_error);
    clumsy::throws = false;
    BOOST_TEST(one.number == 1);
    BOOST_TEST(c.size() == 0u);
    BOOST_TEST(c.try_send(std::move(one)));
    BOOST_TEST(c.try_send(clumsy(2)));
    clumsy three(3);
    BOOST_TEST(!c.try_send(std::move(three)));
    BOOST_TEST(three.number == 3);
    // In the hands of the receiver it is lost, and the channel goes on.
    clumsy::throws = true;
    BOOST_CHECK_THROW((void)c.try_receive(), std::runtime_error);
    clumsy::throws = false;
    int sum = 0;
    c.async_receive([&](error_code, clumsy const& v) { sum += v.number; });
    c.async_send(clumsy(4), asio::detached);
    c.async_receive([&](error_code, clumsy const& v) { sum += 10 * v.number; });
    context.run();
    BOOST_TEST(sum == 42);
    clumsy five(5);
    c.close();
    context.restart();
    error_code result;
    c.async_send_from(five, [&](error_code ec) { result = ec; });
    context.run();
    BOOST_TEST(result == error_code(weft::errc::closed));
    BOOST_TEST(five.number == 5);
}

BOOST_AUTO_TEST_SUITE_END()
