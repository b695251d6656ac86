// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/mutex.hpp>
#include <weft/semaphore.hpp>
#include <weft/shared_mutex.hpp>

#include "primitives/places.hpp"

BOOST_AUTO_TEST_SUITE(early_completion)

namespace
{

// Not the address of a variable: sanitizers keep these elsewhere.
[[gnu::noinline]] std::uintptr_t stack_here()
{
    return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
}

} // namespace

// While the coroutine lets others run, it does not keep the lock from them.
WEFT_TEST_CASE_IN_PLACES(a_lock_is_free_while_others_run, test::single_places)
{
    weft::mutex m(place.executor);
    bool stop = false;
    int free = 0;
    int looks = 0;
    asio::co_spawn(
        place.executor,
        [&]() -> asio::awaitable<void>
        {
            while (!stop)
            {
                co_await m.async_lock();
                m.unlock();
            }
        },
        asio::detached);
    std::function<void()> look = [&]
    {
        if (m.try_lock())
        {
            ++free;
            m.unlock();
        }
        stop = ++looks == 100;
        if (!stop)
            asio::post(place.executor, look);
    };
    asio::post(place.executor, look);
    place.finish();
    BOOST_TEST(free == looks);
}

WEFT_TEST_CASE_IN_PLACES(what_lets_others_run_can_be_aborted, test::single_places)
{
    for (bool destroy : {false, true})
    {
        std::optional<weft::mutex> m(std::in_place, place.executor);
        bool aborted = false;
        asio::co_spawn(
            place.executor,
            [&]() -> asio::awaitable<void>
            {
                bool others = false;
                try
                {
                    asio::post(place.executor,
                        [&]
                        {
                            others = true;
                            if (destroy)
                                m.reset();
                            else
                                m->cancel();
                        });
                    for (int i = 0; i != 1000 && !others; ++i)
                    {
                        co_await m->async_lock();
                        m->unlock();
                    }
                }
                catch (boost::system::system_error const& e)
                {
                    aborted = e.code() == asio::error::operation_aborted;
                }
            },
            asio::detached);
        place.finish();
        BOOST_TEST(aborted);
    }
}

WEFT_TEST_CASE_FOR_PLACES(a_million_in_a_row_need_no_stack, test::single_places)
{
    constexpr int rounds = 1'000'000;
    test::place place(where);
    weft::mutex m(place.executor);
    std::uintptr_t lowest = UINTPTR_MAX;
    std::uintptr_t highest = 0;
    asio::co_spawn(
        place.executor,
        [&]() -> asio::awaitable<void>
        {
            for (int i = 0; i != rounds; ++i)
            {
                if (i % 2 == 0)
                    co_await m.async_lock();
                else
                    co_await m.async_lock(asio::use_awaitable);
                m.unlock();
                lowest = (std::min)(lowest, stack_here());
                highest = (std::max)(highest, stack_here());
            }
        },
        asio::detached);
    place.finish();
    BOOST_TEST(highest - lowest < 4096u);
}

WEFT_TEST_CASE_FOR_PLACES(a_million_hand_overs_need_no_stack, test::single_places)
{
    constexpr int rounds = 500'000;
    test::place place(where);
    weft::mutex m(place.executor);
    std::uintptr_t lowest = UINTPTR_MAX;
    std::uintptr_t highest = 0;
    for (int i = 0; i != 2; ++i)
        asio::co_spawn(
            place.executor,
            [&]() -> asio::awaitable<void>
            {
                for (int j = 0; j != rounds; ++j)
                {
                    co_await m.async_lock();
                    if (j == 0)
                        co_await asio::post(place.executor, asio::use_awaitable);
                    m.unlock();
                    lowest = (std::min)(lowest, stack_here());
                    highest = (std::max)(highest, stack_here());
                }
            },
            asio::detached);
    place.finish();
    BOOST_TEST(highest - lowest < 4096u);
}

BOOST_AUTO_TEST_SUITE_END()
