// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/io_context.hpp>
#include <weft/run_blocking.hpp>
#include <weft/thread_pool.hpp>
#include <weft/trace.hpp>
#include <weft/trace/tracked_handler.hpp>

#include "support/cases.hpp"
#include "support/context.hpp"
#include "trace/chrome.hpp"

namespace
{

namespace trace = weft::trace;

struct named_handler
{
    void operator()() const
    {
    }
};

weft::options with(weft::timing how)
{
    weft::options o;
    o.timing = how;
    return o;
}

// Handlers that post others, on several threads.
struct tree
{
    weft::io_context& context;

    void grow(int depth) const
    {
        if (depth != 0)
            for (int i = 0; i != 2; ++i)
                asio::post(context, [*this, depth] { grow(depth - 1); });
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(trace_recording, test::with_context)

BOOST_FIXTURE_TEST_CASE(each_handler_is_a_slice, test::context_of_its_own)
{
    for (auto const how : {weft::timing::off, weft::timing::sampled, weft::timing::all})
    {
        weft::io_context context(with(how));
        trace::start(context);
        for (int i = 0; i != 1000; ++i)
            asio::post(context, named_handler());
        BOOST_TEST(context.run() == 1000u);
        test::chrome_file const file = test::dumped(context);
        BOOST_TEST(file.handlers() == 1000u);
        BOOST_TEST(file.named("named_handler") == 1000u);
        BOOST_TEST(file.lost() == 0u);
        BOOST_TEST((context.stats().run_time.count() != 0) == (how != weft::timing::off));
    }
}

BOOST_AUTO_TEST_CASE(what_is_not_recorded_is_not_there)
{
    BOOST_TEST(test::dumped(context).slices.empty());
    asio::post(context, [] {});
    context.run();
    BOOST_TEST(test::dumped(context).slices.empty());
    trace::stop(context);
    trace::start(context);
    context.restart();
    asio::post(context, [] {});
    context.run();
    BOOST_TEST(test::dumped(context).handlers() == 1u);
    trace::stop(context);
    context.restart();
    asio::post(context, [] {});
    context.run();
    BOOST_TEST(test::dumped(context).handlers() == 1u);
    trace::start(context);
    context.restart();
    asio::post(context, [] {});
    context.run();
    BOOST_TEST(test::dumped(context).handlers() == 2u);
}

BOOST_AUTO_TEST_CASE(as_many_slices_as_handlers_on_several_threads)
{
    trace::start(context);
    tree{context}.grow(12);
    test::run_on(context, 4);
    auto const handlers = context.stats().total.handlers;
    BOOST_TEST(handlers == 8190u);
    test::chrome_file const file = test::dumped(context);
    BOOST_TEST(file.handlers() == handlers);
    BOOST_TEST(file.lost() == 0u);
    BOOST_TEST(file.threads.size() >= 1u);
    BOOST_TEST(file.counters.count("injection queue") == 1u);
    BOOST_TEST(file.counters.count("queue of worker 0") == 1u);
}

BOOST_AUTO_TEST_CASE(a_ring_that_wraps_says_how_much_is_lost)
{
    trace::start(context, {64});
    for (int i = 0; i != 10000; ++i)
        asio::post(context, [] {});
    context.run();
    test::chrome_file const file = test::dumped(context);
    BOOST_TEST(file.handlers() <= 64u);
    BOOST_TEST(file.handlers() != 0u);
    BOOST_TEST(file.lost() >= 10000 - 64);
    BOOST_TEST(file.threads.at(1).find("lost") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_wake_is_a_flow_from_the_handler_to_the_one_that_it_woke_somebody_for)
{
    trace::start(context);
    auto const work = asio::make_work_guard(context);
    test::thread_group runners(2, [&] { context.run(); });
    // One handler waits for another one, which only the other thread can run.
    for (int i = 0; i != 20; ++i)
    {
        std::promise<void> done;
        asio::post(context,
            [&]
            {
                std::promise<void> inner;
                asio::post(context, [&] { inner.set_value(); });
                inner.get_future().wait();
                done.set_value();
            });
        done.get_future().wait();
    }
    // A thread that looks for work again and again sleeps at last.
    while (context.stats().total.parks == 0)
        std::this_thread::yield();
    context.stop();
    runners.join();
    test::chrome_file const file = test::dumped(context);
    BOOST_TEST(file.handlers() == 40u);
    BOOST_TEST(file.flows_of("steal") != 0u);
    BOOST_TEST(file.count("asleep") != 0u);
}

BOOST_AUTO_TEST_CASE(spans_are_drawn_inside_handlers)
{
    trace::start(context);
    trace::span const outside("outside");
    asio::post(context,
        []
        {
            trace::span const whole("the whole \"handler\"");
            for (int i = 0; i != 3; ++i)
                trace::span const part("a part");
        });
    context.run();
    test::chrome_file const file = test::dumped(context);
    BOOST_TEST(file.count("span") == 4u);
    BOOST_TEST(file.named("a part") == 3u);
    BOOST_TEST(file.named("the whole \"handler\"") == 1u);
    BOOST_TEST(file.named("outside") == 0u);
}

BOOST_AUTO_TEST_CASE(names_that_are_no_utf_8_make_no_wrong_json)
{
    trace::start(context);
    asio::post(context,
        []
        {
            trace::span const good("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\t");
            for (char const* const bad : {"1\xff", "2\xc3", "3\xc0\x80", "4\xed\xa0\x80",
                     "5\xe0\x80\x80", "6\xf4\x90\x80\x80", "7\x80", "8\xf0\x80\x80\x80"})
                trace::span const part(bad);
        });
    context.run();
    test::chrome_file const file = test::dumped(context);
    BOOST_TEST(file.named("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\t") == 1u);
    for (char const* const start : {"1?", "2?", "3??", "4???", "5???", "6????", "7?", "8????"})
        BOOST_TEST(file.named(start) == 1u);
}

BOOST_AUTO_TEST_CASE(a_nested_run_is_inside_the_handler)
{
    trace::start(context);
    asio::post(context,
        [&]
        {
            asio::post(context, named_handler());
            context.run_one();
            trace::span const after("after");
        });
    context.run();
    test::chrome_file const file = test::dumped(context);
    BOOST_TEST(file.handlers() == 2u);
    BOOST_REQUIRE(file.named("after") == 1u);
    auto const outer = std::find_if(file.slices.begin(), file.slices.end(),
        [](auto const& s) { return s.category == "handler"; });
    for (auto const& s : file.slices)
        if (s.name == "after" || s.name.find("named_handler") != std::string::npos)
            BOOST_TEST((outer->begin < s.begin && s.end <= outer->end));
}

BOOST_AUTO_TEST_CASE(what_blocks_goes_on_as_the_rest_of_its_handler)
{
    trace::start(context);
    asio::post(context,
        [&]
        {
            weft::run_blocking([] { trace::span const nobody_sees("blocked"); });
            trace::span const after("after");
        });
    context.run();
    test::chrome_file const file = test::dumped(context);
    BOOST_TEST(file.handlers() == 1u);
    BOOST_TEST(file.count("resumed") == 1u);
    BOOST_TEST(file.named("blocked") == 0u);
    BOOST_TEST(file.named("after") == 1u);
}

BOOST_AUTO_TEST_CASE(events_of_descriptors_and_sleeps_are_drawn)
{
    trace::start(context);
    asio::local::stream_protocol::socket one(context);
    asio::local::stream_protocol::socket other(context);
    asio::local::connect_pair(one, other);
    char byte = 0;
    std::size_t rounds = 0;
    asio::steady_timer timer(context);
    std::function<void()> next = [&]
    {
        other.async_read_some(asio::buffer(&byte, 1),
            [&](error_code, std::size_t)
            {
                if (++rounds != 10)
                    next();
            });
        timer.expires_after(std::chrono::milliseconds(1));
        timer.async_wait([&](error_code) { one.write_some(asio::buffer("x", 1)); });
    };
    next();
    context.run();
    test::chrome_file const file = test::dumped(context);
    BOOST_TEST(file.count("io") >= 10u);
    BOOST_TEST(file.named("asleep in the reactor") >= 1u);
    BOOST_TEST(file.handlers() == context.stats().total.handlers);
}

BOOST_AUTO_TEST_CASE(a_pool_records_too)
{
    weft::thread_pool pool(2);
    trace::start(pool);
    // Whoever slept when recording began follows when it is woken, and others when their turn ends.
    std::size_t posted = 0;
    while (test::dumped(pool).handlers() == 0)
    {
        asio::post(pool, [] {});
        ++posted;
    }
    pool.join();
    BOOST_TEST(test::dumped(pool).handlers() <= posted);
}

BOOST_AUTO_TEST_CASE(a_handler_that_destroys_its_pool_may_record)
{
    auto* const pool = new weft::thread_pool(2);
    trace::start(*pool);
    std::promise<void> done;
    asio::post(*pool,
        [&]
        {
            trace::span const before("before");
            delete pool;
            trace::span const after("after");
            done.set_value();
        });
    done.get_future().wait();
    BOOST_TEST(!weft::detail::trace_point::on());
}

// As Asio does where it is compiled with weft/handler_tracking.hpp.
BOOST_FIXTURE_TEST_CASE(
    operations_of_asio_are_drawn_with_their_names_and_places, test::context_of_its_own)
{
    using namespace weft::detail;
    struct operation : tracked_handler
    {
    };
    weft::io_context context;
    trace::start(context);
    operation placed;
    operation elsewhere;
    operation unnamed;
    {
        tracked_location const outer("/home/user/session.cpp", 42, "read_request");
        tracked_location const inner("/usr/include/boost/asio/impl/read.hpp", 1, "async_read");
        tracked_location::creation(context, placed, "socket", nullptr, 0, "async_receive");
    }
    tracked_location::creation(context, elsewhere, "deadline_timer", nullptr, 0, "async_wait");
    asio::post(context,
        [&]
        {
            tracked_completion first(placed);
            first.invocation_begin(error_code(), std::size_t(3));
            first.invocation_end();
            tracked_completion never(unnamed);
            never.invocation_begin();
            never.invocation_end();
            // The handler throws.
            tracked_completion second(elsewhere);
            second.invocation_begin();
        });
    context.run();
    test::chrome_file const file = test::dumped(context);
    BOOST_TEST(file.count("operation") == 2u);
    BOOST_TEST(file.named("socket.async_receive at session.cpp:42") == 1u);
    BOOST_TEST(file.named("deadline_timer.async_wait") == 1u);
    BOOST_TEST(file.handlers() == 1u);
}

BOOST_AUTO_TEST_CASE(a_handler_that_throws_ends)
{
    trace::start(context);
    asio::post(context,
        []
        {
            trace::span const part("part");
            throw std::runtime_error("thrown");
        });
    asio::post(context, named_handler());
    BOOST_CHECK_THROW(context.run(), std::runtime_error);
    context.run();
    test::chrome_file const file = test::dumped(context);
    BOOST_TEST(file.handlers() == 2u);
    BOOST_TEST(file.named("part") == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
