// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// First come, first served.

#include <weft/channel.hpp>
#include <weft/io_context.hpp>
#include <weft/mutex.hpp>
#include <weft/run_blocking.hpp>
#include <weft/semaphore.hpp>
#include <weft/shared_mutex.hpp>

#include "primitives/places.hpp"
#include "support/sanitized.hpp"

BOOST_AUTO_TEST_SUITE(order)

namespace
{

constexpr int grants = WEFT_TEST_SANITIZED ? 100'000 : 1'000'000;

} // namespace

WEFT_TEST_CASE_IN_PLACES(a_million_grants_and_no_inversion, test::places)
{
    weft::mutex m(place.executor);
    // Guarded by m: tickets are drawn by who starts a wait while it has the lock.
    int drawn = 0;
    int served = 0;
    int inversions = 0;
    std::function<void()> draw = [&]
    {
        m.async_lock(
            [&, ticket = drawn++](error_code)
            {
                inversions += ticket != served ? 1 : 0;
                ++served;
                if (drawn < grants)
                    draw();
                m.unlock();
            });
    };
    BOOST_TEST(m.try_lock());
    for (int i = 0; i != 100; ++i)
        draw();
    m.unlock();
    place.finish();
    BOOST_TEST(served == grants);
    BOOST_TEST(inversions == 0);
}

// A coroutine that unlocks and locks at once comes behind those that wait.
WEFT_TEST_CASE_IN_PLACES(nobody_passes_who_waits, test::single_places)
{
    weft::mutex m(place.executor);
    int turn = 0;
    int inversions = 0;
    constexpr int tasks = 10;
    for (int i = 0; i != tasks; ++i)
        asio::co_spawn(
            place.executor,
            [&, i]() -> asio::awaitable<void>
            {
                for (int round = 0; round != 1000; ++round)
                {
                    co_await m.async_lock();
                    inversions += turn != i ? 1 : 0;
                    // The others get into the queue while the first has the lock.
                    if (round == 0 && i == 0)
                        for (int j = 0; j != tasks; ++j)
                            co_await asio::post(place.executor, asio::use_awaitable);
                    turn = (turn + 1) % tasks;
                    m.unlock();
                }
            },
            asio::detached);
    place.finish();
    BOOST_TEST(inversions == 0);
}

// Readers that come and go all the time do not starve a writer.
WEFT_TEST_CASE_FOR_PLACES(a_writer_waits_for_those_before_it_only, test::single_places)
{
    test::place place(where);
    weft::shared_mutex m(place.executor);
    int before = 0;
    int after = 0;
    bool wrote = false;
    std::function<void(int)> read = [&](int left)
    {
        m.async_lock_shared(
            [&, left](error_code)
            {
                (wrote ? after : before)++;
                if (left != 0)
                    read(left - 1);
                m.unlock_shared();
            });
    };
    for (int i = 0; i != 5; ++i)
        read(100);
    m.async_lock(
        [&](error_code)
        {
            wrote = true;
            m.unlock();
        });
    place.finish();
    BOOST_TEST(wrote);
    BOOST_TEST(before == 5);
    BOOST_TEST(after == 500);
}

// Several wait, and one handler serves them one after the other, in `serve(index)`: their handlers
// run in the order in which they were served, whatever the handler does in between and after.
template <class Start, class Serve>
void check_order_of_one_handlers_grants(test::where where, Start start, Serve serve)
{
    constexpr int waiting = 5;
    enum how
    {
        at_once,
        after_a_deferred_one,
        with_others_in_between,
        in_a_nested_poll,
        one_by_one,
        at_the_end_of_a_row, // of continuations, which ends after three
        all_ways
    };
    for (int way = at_once; way != all_ways; ++way)
        BOOST_TEST_CONTEXT("way " << way)
        {
            test::place place(where);
            auto subject = start(place.executor);
            std::vector<int> served;
            for (int i = 0; i != waiting; ++i)
                subject->wait([&served, i] { served.push_back(i); });
            place.context.poll();
            place.context.restart();
            auto const serve_all = [&]
            {
                if (way == after_a_deferred_one)
                    asio::defer(place.executor, [] {});
                for (int i = 0; i != waiting; ++i)
                {
                    serve(*subject, i);
                    if (way == with_others_in_between)
                    {
                        asio::post(place.executor, [] {});
                        asio::defer(place.executor, [] {});
                    }
                    if (way == in_a_nested_poll && i == 1)
                        place.context.poll_one();
                }
            };
            std::function<void(int)> row = [&](int left)
            {
                if (left == 0)
                    serve_all();
                else
                    asio::defer(place.executor, [&row, left] { row(left - 1); });
            };
            if (way == at_the_end_of_a_row)
                asio::post(place.executor, [&] { row(3); });
            else
                asio::post(place.executor, serve_all);
            if (way == one_by_one)
                while (place.context.run_one() != 0)
                {
                }
            place.finish();
            BOOST_TEST(
                served == (std::vector<int>{0, 1, 2, 3, 4}), boost::test_tools::per_element());
        }
}

WEFT_TEST_CASE_FOR_PLACES(values_of_one_handler_arrive_in_order, test::single_places)
{
    struct subject
    {
        explicit subject(asio::any_io_executor const& ex, std::size_t capacity) : c(ex, capacity)
        {
        }

        void wait(std::function<void()> then)
        {
            c.async_receive(
                [this, then](error_code, int value)
                {
                    BOOST_TEST(value == received);
                    ++received;
                    then();
                });
        }

        weft::channel<int> c;
        int received = 0;
    };
    for (std::size_t const capacity : {0u, 1u, 100u})
        check_order_of_one_handlers_grants(
            where, [capacity](auto const& ex) { return std::make_unique<subject>(ex, capacity); },
            [](subject& s, int i) { BOOST_TEST(s.c.try_send(i)); });
}

WEFT_TEST_CASE_FOR_PLACES(senders_that_one_handler_serves_go_on_in_order, test::single_places)
{
    struct subject
    {
        explicit subject(asio::any_io_executor const& ex) : c(ex, 0)
        {
        }

        void wait(std::function<void()> then)
        {
            c.async_send(sent++, [then](error_code) { then(); });
        }

        weft::channel<int> c;
        int sent = 0;
    };
    check_order_of_one_handlers_grants(
        where, [](auto const& ex) { return std::make_unique<subject>(ex); },
        [](subject& s, int i)
        { BOOST_TEST(s.c.try_receive([i](error_code, int value) { BOOST_TEST(value == i); })); });
}

WEFT_TEST_CASE_FOR_PLACES(permits_of_one_handler_are_granted_in_order, test::single_places)
{
    struct subject
    {
        explicit subject(asio::any_io_executor const& ex) : s(ex, 0)
        {
        }

        void wait(std::function<void()> then)
        {
            s.async_acquire([then](error_code) { then(); });
        }

        weft::semaphore s;
    };
    check_order_of_one_handlers_grants(
        where, [](auto const& ex) { return std::make_unique<subject>(ex); },
        [](subject& s, int) { s.s.release(); });
    // By one release of several, too.
    check_order_of_one_handlers_grants(
        where, [](auto const& ex) { return std::make_unique<subject>(ex); },
        [](subject& s, int i)
        {
            if (i % 2 == 0)
                s.s.release(i == 4 ? 1 : 2);
        });
}

WEFT_TEST_CASE_FOR_PLACES(readers_that_one_handler_lets_in_are_in_order, test::single_places)
{
    struct subject
    {
        explicit subject(asio::any_io_executor const& ex) : m(ex)
        {
            m.try_lock();
        }

        void wait(std::function<void()> then)
        {
            m.async_lock_shared([then](error_code) { then(); });
        }

        weft::shared_mutex m;
    };
    check_order_of_one_handlers_grants(
        where, [](auto const& ex) { return std::make_unique<subject>(ex); },
        [](subject& s, int i)
        {
            if (i == 0)
                s.m.unlock();
        });
}

// By way of strands, which submit to the context what they run.
WEFT_TEST_CASE_FOR_PLACES(grants_by_way_of_strands_keep_their_order, test::single_places)
{
    for (unsigned strands = 0; strands != 8; ++strands)
    {
        test::place place(where);
        weft::semaphore s(place.executor, 0);
        std::vector<unsigned> served;
        for (unsigned i = 0; i != 3; ++i)
        {
            auto handler = [&served, i](error_code)
            {
                served.push_back(i);
            };
            if ((strands >> i & 1u) != 0)
                s.async_acquire(asio::bind_executor(
                    asio::any_io_executor(asio::make_strand(place.executor)), handler));
            else
                s.async_acquire(handler);
        }
        asio::post(place.executor,
            [&]
            {
                for (int i = 0; i != 3; ++i)
                    s.release();
            });
        place.finish();
        BOOST_TEST(served == (std::vector<unsigned>{0, 1, 2}), boost::test_tools::per_element());
    }
}

// Two handlers block and come back, each with the worker that the other one had. One of them has
// granted something before. What the second one grants then continues it, if that is its first, and
// goes to the back otherwise: what the worker knows of the other handler does not count.
BOOST_AUTO_TEST_CASE(the_first_grant_of_a_handler_is_the_first_with_another_worker_too)
{
    for (bool const is_first : {false, true})
    {
        weft::io_context context;
        weft::semaphore before(context, 0);
        weft::semaphore after(context, 0);
        std::vector<int> served;
        std::latch first_blocks(1);
        std::latch second_blocks(1);
        std::latch first_is_back(1);
        std::latch done(2);
        auto const serve = [&](int number)
        {
            served.push_back(number);
            done.count_down();
        };
        before.async_acquire([](error_code) {});
        after.async_acquire([&](error_code) { serve(1); });
        asio::post(context,
            [&]
            {
                if (is_first)
                    before.release();
                weft::run_blocking(
                    [&]
                    {
                        first_blocks.count_down();
                        second_blocks.wait();
                    });
                first_is_back.count_down();
                // The other thread has it to itself.
                done.wait();
            });
        asio::post(context,
            [&]
            {
                first_blocks.wait();
                if (!is_first)
                    before.release();
                weft::run_blocking(
                    [&]
                    {
                        second_blocks.count_down();
                        first_is_back.wait();
                    });
                asio::post(context, [&] { serve(2); });
                after.release();
            });
        test::run_on(context, 2);
        BOOST_TEST(served == (is_first ? std::vector<int>{1, 2} : std::vector<int>{2, 1}),
            boost::test_tools::per_element());
    }
}

// Locks of different kinds, in the order in which the handler grants them.
WEFT_TEST_CASE_IN_PLACES(grants_of_several_primitives_keep_their_order, test::single_places)
{
    weft::mutex m(place.executor);
    weft::semaphore s(place.executor, 0);
    weft::channel<int> c(place.executor, 0);
    BOOST_TEST(m.try_lock());
    std::vector<int> served;
    m.async_lock([&](error_code) { served.push_back(1); });
    c.async_receive([&](error_code, int) { served.push_back(2); });
    s.async_acquire([&](error_code) { served.push_back(3); });
    asio::post(place.executor,
        [&]
        {
            m.unlock();
            c.try_send(1);
            s.release();
        });
    place.finish();
    BOOST_TEST(served == (std::vector<int>{1, 2, 3}), boost::test_tools::per_element());
}

// One that wants many is not passed for ever by those that want one.
WEFT_TEST_CASE_IN_PLACES(a_large_request_does_not_starve, test::single_places)
{
    weft::semaphore s(place.executor, 4);
    int small = 0;
    bool served = false;
    std::function<void()> take = [&]
    {
        s.async_acquire(
            [&](error_code)
            {
                ++small;
                if (!served)
                    take();
                s.release();
            });
    };
    for (int i = 0; i != 4; ++i)
        take();
    s.async_acquire(4,
        [&](error_code)
        {
            served = true;
            s.release(4);
        });
    place.finish();
    BOOST_TEST(served);
    BOOST_TEST(small <= 8);
}

BOOST_AUTO_TEST_SUITE_END()
