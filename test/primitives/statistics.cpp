// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/channel.hpp>
#include <weft/io_context.hpp>
#include <weft/metrics.hpp>
#include <weft/mutex.hpp>
#include <weft/semaphore.hpp>
#include <weft/shared_mutex.hpp>
#include <weft/thread_pool.hpp>

#include "support/asio.hpp"
#include "support/context.hpp"

BOOST_FIXTURE_TEST_SUITE(statistics, test::with_context)

namespace
{

using weft::primitive_stats;

template <class Context>
primitive_stats only(const Context& context)
{
    const auto all = context.stats().primitives;
    BOOST_REQUIRE(all.size() == 1u);
    return all.front();
}

} // namespace

BOOST_AUTO_TEST_CASE(a_context_lists_its_primitives_by_kind_and_name_while_they_live)
{
    BOOST_TEST(context.stats().primitives.empty());
    {
        weft::mutex m(context);
        weft::semaphore s(context, 2);
        weft::shared_mutex r(context);
        weft::channel<int> c(context, 4);
        m.set_name("m");
        s.set_name("s");
        r.set_name("r");
        c.set_name("c");
        c.try_send(1);
        std::map<std::string, primitive_stats> by_name;
        for (auto& p : context.stats().primitives)
            by_name[p.name] = p;
        BOOST_TEST(by_name.size() == 4u);
        BOOST_TEST(by_name["m"].kind == "mutex");
        BOOST_TEST(by_name["s"].kind == "semaphore");
        BOOST_TEST(by_name["r"].kind == "shared_mutex");
        BOOST_TEST(by_name["c"].kind == "channel");
        BOOST_TEST(by_name["c"].length == 1u);
        for (auto& [name, p] : by_name)
        {
            BOOST_TEST(p.waiting == 0u);
            BOOST_TEST(p.contended == 0u);
            BOOST_TEST(p.longest_wait.count() == 0);
        }
    }
    BOOST_TEST(context.stats().primitives.empty());
}

BOOST_AUTO_TEST_CASE(those_of_a_pool_and_without_a_name_are_listed_too)
{
    weft::thread_pool pool(1);
    weft::mutex m(pool.get_executor());
    BOOST_TEST(only(pool).name.empty());
    pool.join();
}

BOOST_AUTO_TEST_CASE(who_waits_is_counted_and_for_how_long)
{
    weft::mutex m(context);
    BOOST_TEST(m.try_lock());
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t waiting = 1; waiting != 5; ++waiting)
    {
        m.async_lock([&](boost::system::error_code) { m.unlock(); });
        BOOST_TEST(only(context).waiting == waiting);
        BOOST_TEST(only(context).contended == waiting);
    }
    // As long as the first has, and not more than since before it came.
    while (std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(3))
        std::this_thread::yield();
    const auto longest = only(context).longest_wait;
    BOOST_TEST((longest >= std::chrono::milliseconds(1)));
    BOOST_TEST((longest <= (std::chrono::steady_clock::now() - begin) * 1001 / 1000));
    m.unlock();
    context.run();
    BOOST_TEST(only(context).waiting == 0u);
    BOOST_TEST(only(context).contended == 4u);
    BOOST_TEST(only(context).longest_wait.count() == 0);
}

BOOST_AUTO_TEST_CASE(what_is_free_is_not_contended)
{
    weft::mutex m(context);
    for (int i = 0; i != 3; ++i)
        m.async_lock([&](boost::system::error_code) { m.unlock(); });
    context.poll_one();
    BOOST_TEST(only(context).contended == 2u);
    context.run();
    context.restart();
    m.async_lock([&](boost::system::error_code) { m.unlock(); });
    context.run();
    BOOST_TEST(only(context).contended == 2u);
}

BOOST_AUTO_TEST_CASE(senders_and_receivers_of_a_channel_wait)
{
    weft::channel<int> c(context, 1);
    c.async_receive([](boost::system::error_code, int) {});
    BOOST_TEST(only(context).waiting == 1u);
    c.try_send(1);
    BOOST_TEST(only(context).waiting == 0u);
    c.try_send(2);
    for (int i = 0; i != 3; ++i)
        c.async_send(i, [](boost::system::error_code) {});
    BOOST_TEST(only(context).waiting == 3u);
    BOOST_TEST(only(context).length == 1u);
    c.close();
    context.run();
    BOOST_TEST(only(context).waiting == 0u);
}

BOOST_AUTO_TEST_CASE(they_are_read_while_they_come_go_and_are_waited_for)
{
    std::atomic<int> finished{0};
    for (int i = 0; i != 4; ++i)
        asio::co_spawn(
            context,
            [&]() -> asio::awaitable<void>
            {
                for (int n = 0; n != 200; ++n)
                {
                    weft::mutex m(context);
                    m.set_name("m" + std::to_string(n));
                    weft::channel<int> c(context, 0);
                    for (int k = 0; k != 3; ++k)
                        m.async_lock(
                            [&](boost::system::error_code error)
                            {
                                if (!error)
                                    c.async_send(
                                        1, [&m](boost::system::error_code) { m.unlock(); });
                            });
                    for (int k = 0; k != 3; ++k)
                        co_await c.async_receive(asio::use_awaitable);
                    co_await m.async_lock(asio::use_awaitable);
                }
                ++finished;
            },
            asio::detached);
    std::thread reader(
        [&]
        {
            while (finished != 4)
                for (auto& p : context.stats().primitives)
                    BOOST_REQUIRE(p.waiting <= 4u);
        });
    std::thread other([&] { context.run(); });
    context.run();
    other.join();
    reader.join();
    BOOST_TEST(context.stats().primitives.empty());
}

BOOST_AUTO_TEST_SUITE_END()
