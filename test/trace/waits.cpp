// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Operations that wait at locks and channels are slices of their own in a timeline.

#include <weft/channel.hpp>
#include <weft/io_context.hpp>
#include <weft/mutex.hpp>
#include <weft/sched/wait_events.hpp>
#include <weft/semaphore.hpp>
#include <weft/shared_mutex.hpp>
#include <weft/thread_pool.hpp>
#include <weft/trace.hpp>

#include "parity/threads.hpp"
#include "parity/watchdog.hpp"
#include "support/asio.hpp"
#include "trace/chrome.hpp"

#include <atomic>
#include <memory>
#include <thread>

namespace
{

namespace trace = weft::trace;
using boost::system::error_code;

constexpr auto ignore = [](error_code) {
};

struct waits_recorded
{
    waits_recorded()
    {
        trace::start(context);
    }

    // And whatever is ready then.
    template <typename Function>
    void in_handler(Function f)
    {
        asio::post(context, f);
        context.restart();
        context.poll();
    }

    weft::io_context context;
};

// The only wait.
test::drawn_slice wait_in(test::chrome_file const& file)
{
    BOOST_TEST_REQUIRE(file.count("wait") == 1u);
    for (test::drawn_slice const& s : file.slices)
        if (s.category == "wait")
            return s;
    return {};
}

std::size_t waits_that_ended(test::chrome_file const& file, std::string const& how)
{
    return static_cast<std::size_t>(std::count_if(file.slices.begin(), file.slices.end(),
        [&](test::drawn_slice const& s) { return s.category == "wait" && s.how_it_ended == how; }));
}

constexpr char const unfinished[] = "not recorded";
constexpr char const in_vain[] = "without what it wanted";

} // namespace

BOOST_AUTO_TEST_SUITE(trace_waits)

BOOST_FIXTURE_TEST_CASE(a_wait_begins_and_ends_in_handlers, waits_recorded)
{
    weft::mutex m(context);
    m.set_name("sessions");
    BOOST_TEST(m.try_lock());
    asio::post(context, [&] { m.async_lock(ignore); });
    asio::post(context, [&] { m.unlock(); });
    context.run();
    test::chrome_file const file = test::dumped(context);
    auto const wait = wait_in(file);
    BOOST_TEST(wait.name == "mutex \"sessions\"");
    BOOST_TEST(wait.how_it_ended == "");
    BOOST_TEST(file.threads.at(wait.tid) == "waits");
    // From the handler that waits, and to the one that gives the lock back.
    BOOST_TEST(file.flows_of("waits") == 1u);
    BOOST_TEST(file.flows_of("ended by") == 1u);
    BOOST_TEST(file.handlers() == 3u);
    BOOST_TEST(file.lost() == 0u);
}

BOOST_FIXTURE_TEST_CASE(what_need_not_wait_is_none, waits_recorded)
{
    weft::mutex m(context);
    weft::semaphore s(context, 2);
    in_handler(
        [&]
        {
            m.async_lock(ignore);
            s.async_acquire(ignore);
        });
    BOOST_TEST(test::dumped(context).count("wait") == 0u);
}

BOOST_FIXTURE_TEST_CASE(each_kind_by_its_address, waits_recorded)
{
    weft::mutex m(context);
    weft::semaphore s(context, 0);
    weft::shared_mutex rw(context);
    weft::channel<void(error_code, int)> c(context, 0);
    BOOST_TEST(m.try_lock());
    BOOST_TEST(rw.try_lock());
    in_handler(
        [&]
        {
            m.async_lock(ignore);
            s.async_acquire(ignore);
            rw.async_lock_shared(ignore);
            c.async_receive([](error_code, int) {});
        });
    {
        test::chrome_file const file = test::dumped(context);
        BOOST_TEST(file.named("mutex 0x") == 2u);
        BOOST_TEST(file.named("shared_mutex 0x") == 1u);
        BOOST_TEST(file.named("semaphore 0x") == 1u);
        BOOST_TEST(file.named("channel 0x") == 1u);
        // Each in a track of its own, for all last still.
        BOOST_TEST(waits_that_ended(file, unfinished) == 4u);
        BOOST_TEST(file.flows_of("ended by") == 0u);
    }
    in_handler(
        [&]
        {
            m.unlock();
            s.release();
            rw.unlock();
            c.close();
        });
    test::chrome_file const file = test::dumped(context);
    BOOST_TEST(waits_that_ended(file, "") == 3u);
    BOOST_TEST(waits_that_ended(file, in_vain) == 1u);
    BOOST_TEST(file.flows_of("waits") == 4u);
    BOOST_TEST(file.flows_of("ended by") == 4u);
}

BOOST_FIXTURE_TEST_CASE(a_wait_that_is_cancelled_ends_in_vain, waits_recorded)
{
    weft::mutex m(context);
    BOOST_TEST(m.try_lock());
    asio::cancellation_signal signal;
    asio::post(context, [&] { m.async_lock(asio::bind_cancellation_slot(signal.slot(), ignore)); });
    asio::post(context, [&] { m.async_lock_for(std::chrono::milliseconds(1), ignore); });
    asio::post(context, [&] { signal.emit(asio::cancellation_type::all); });
    context.run();
    BOOST_TEST(waits_that_ended(test::dumped(context), in_vain) == 2u);
}

BOOST_FIXTURE_TEST_CASE(threads_that_are_no_workers_wait_and_end_waits, waits_recorded)
{
    weft::mutex m(context);
    m.set_name("outside");
    BOOST_TEST(m.try_lock());
    m.async_lock(ignore);
    {
        test::chrome_file const file = test::dumped(context);
        BOOST_TEST(wait_in(file).how_it_ended == unfinished);
        BOOST_TEST(file.flows_of("waits") == 0u);
        // It is none of a worker's.
        BOOST_TEST(file.threads.size() == 1u);
    }
    std::thread([&] { m.unlock(); }).join();
    context.run();
    test::chrome_file const file = test::dumped(context);
    BOOST_TEST(wait_in(file).how_it_ended == "");
    BOOST_TEST(wait_in(file).name == "mutex \"outside\"");
}

BOOST_FIXTURE_TEST_CASE(a_name_is_that_at_the_beginning_and_outlives_the_lock, waits_recorded)
{
    auto m = std::make_unique<weft::mutex>(context);
    m->set_name("first");
    BOOST_TEST(m->try_lock());
    in_handler([&] { m->async_lock(ignore); });
    m->set_name("second");
    in_handler([&] { m->async_lock(ignore); });
    m->set_name("");
    in_handler([&] { m->async_lock(ignore); });
    m.reset();
    in_handler([] {});
    test::chrome_file const file = test::dumped(context);
    BOOST_TEST(file.named("\"first\"") == 1u);
    BOOST_TEST(file.named("\"second\"") == 1u);
    BOOST_TEST(file.named("mutex 0x") == 1u);
    BOOST_TEST(waits_that_ended(file, in_vain) == 3u);
}

BOOST_AUTO_TEST_CASE(nothing_is_noted_while_the_context_does_not_record)
{
    weft::io_context context;
    weft::mutex m(context);
    BOOST_TEST(m.try_lock());
    m.async_lock(ignore);
    trace::start(context);
    m.unlock();
    context.run();
    BOOST_TEST(test::dumped(context).count("wait") == 0u);
    // One that has begun while it did ends, whatever it does then.
    context.restart();
    m.async_lock(ignore);
    BOOST_TEST(test::dumped(context).count("wait") == 1u);
    trace::stop(context);
    m.unlock();
    context.run();
    BOOST_TEST(wait_in(test::dumped(context)).how_it_ended == "");
}

// Whoever cancels tells of the end while the primitive is kept; for the sanitizers. The other
// operation is served because the first one, before it, waits no more.
BOOST_AUTO_TEST_CASE(a_primitive_may_be_destroyed_while_waits_are_cancelled_that_are_noted)
{
    weft::io_context context;
    context.timing(weft::timing::all);
    trace::start(context);
    auto guard = asio::make_work_guard(context);
    test::thread_group runner(1, [&] { context.run(); });
    for (int round = 0; round != 200; ++round)
    {
        std::atomic<int> ended{0};
        auto const count = [&](error_code)
        {
            ++ended;
        };
        auto s = std::make_unique<weft::semaphore>(context, 1);
        asio::cancellation_signal signal;
        s->async_acquire(2, asio::bind_cancellation_slot(signal.slot(), count));
        s->async_acquire(1, count);
        std::atomic<bool> begun{false};
        std::thread canceller(
            [&]
            {
                begun = true;
                signal.emit(asio::cancellation_type::all);
            });
        while (!begun)
            std::this_thread::yield();
        s.reset();
        canceller.join();

        auto m = std::make_unique<weft::mutex>(context);
        BOOST_TEST(m->try_lock());
        m->async_lock_for(std::chrono::microseconds(round), count);
        m.reset();
        while (ended != 3)
            std::this_thread::yield();
    }
    guard.reset();
    runner.join();
}

BOOST_AUTO_TEST_CASE(a_context_that_ends_ends_its_waits)
{
    std::ostringstream out;
    {
        weft::io_context context;
        trace::start(context);
        weft::mutex m(context);
        BOOST_TEST(m.try_lock());
        m.async_lock(ignore);
    }
    // The other way round.
    auto context = std::make_unique<weft::io_context>();
    trace::start(*context);
    weft::mutex m(*context);
    BOOST_TEST(m.try_lock());
    m.async_lock(ignore);
    context.reset();
}

// Some find the lock free when they are about to wait: these waits end, too.
BOOST_AUTO_TEST_CASE(every_wait_of_many_threads_has_an_end)
{
    weft::thread_pool pool(4);
    trace::start(pool, {1 << 17});
    weft::mutex m(pool);
    weft::channel<void(error_code, int)> c(pool, 1);
    struct chain
    {
        weft::mutex& m;
        int left;

        void operator()(error_code = {})
        {
            m.async_lock(
                [this](error_code)
                {
                    m.unlock();
                    if (--left != 0)
                        (*this)();
                });
        }
    };
    std::vector<chain> chains(8, chain{m, 500});
    for (chain& one : chains)
        asio::post(pool, [&] { one(); });
    std::function<void(int)> const send = [&](int left)
    {
        if (left != 0)
            c.async_send({}, left, [&send, left](error_code) { send(left - 1); });
    };
    std::function<void(int)> const receive = [&](int left)
    {
        if (left != 0)
            c.async_receive([&receive, left](error_code, int) { receive(left - 1); });
    };
    asio::post(pool, [&] { send(2000); });
    asio::post(pool, [&] { receive(2000); });
    pool.join();
    test::chrome_file const file = test::dumped(pool);
    BOOST_TEST(file.lost() == 0u);
    BOOST_TEST(file.count("wait") != 0u);
    BOOST_TEST(waits_that_ended(file, unfinished) == 0u);
    BOOST_TEST(waits_that_ended(file, in_vain) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
