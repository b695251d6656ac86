// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/mutex.hpp>

#include "primitives/places.hpp"

BOOST_AUTO_TEST_SUITE(mutex)

BOOST_AUTO_TEST_CASE(one_has_it_and_nobody_else)
{
    weft::io_context context;
    weft::mutex m(context);
    BOOST_TEST(m.try_lock());
    BOOST_TEST(!m.try_lock());
    m.unlock();
    BOOST_TEST(m.try_lock());
    m.unlock();
    BOOST_TEST((m.get_executor() == context.get_executor()));
}

BOOST_AUTO_TEST_CASE(is_made_for_any_executor)
{
    weft::io_context context;
    weft::basic_mutex<weft::io_context::executor_type> own(context);
    weft::basic_mutex<weft::io_context::executor_type>::rebind_executor<
        asio::any_io_executor>::other any(own.get_executor());
    static_assert(std::is_same<decltype(any), weft::mutex>::value, "");
    BOOST_TEST(own.try_lock());
    BOOST_TEST(any.try_lock());
    static_assert(!std::is_copy_constructible<weft::mutex>::value, "");
    own.unlock();
    any.unlock();
}

namespace
{

template <class Executor>
void check_waits_on(Executor const& executor)
{
    weft::basic_mutex<Executor> m(executor);
    std::future<void> first = m.async_lock(asio::use_future);
    std::future<void> second = m.async_lock(asio::use_future);
    first.get();
    m.unlock();
    second.get();
    BOOST_CHECK_THROW(m.async_lock_for(std::chrono::nanoseconds(0), asio::use_future).get(),
        boost::system::system_error);
    m.unlock();
    BOOST_TEST(m.try_lock());
    m.unlock();
}

} // namespace

// Without any_io_executor around them.
BOOST_AUTO_TEST_CASE(waits_on_executors_of_all_kinds)
{
    check_waits_on(asio::system_executor());
    check_waits_on(asio::any_io_executor(asio::system_executor()));
    asio::thread_pool theirs(1);
    check_waits_on(theirs.get_executor());
    check_waits_on(asio::make_strand(theirs));
    check_waits_on(asio::require(theirs.get_executor(), asio::execution::outstanding_work.tracked));
    weft::thread_pool ours(1);
    check_waits_on(ours.get_executor());
    check_waits_on(asio::make_strand(ours));
    check_waits_on(asio::require(ours.get_executor(), asio::execution::outstanding_work.tracked));
    check_waits_on(
        asio::any_io_executor(asio::require(ours.get_executor(), asio::execution::blocking.never)));
    theirs.join();
    ours.join();
}

BOOST_AUTO_TEST_CASE(standard_guards_fit)
{
    weft::io_context context;
    weft::mutex m(context);
    {
        std::unique_lock<weft::mutex> lock(m, std::try_to_lock);
        BOOST_TEST(lock.owns_lock());
        BOOST_TEST(!m.try_lock());
    }
    BOOST_TEST(m.try_lock());
    std::lock_guard<weft::mutex> adopted(m, std::adopt_lock);
}

WEFT_TEST_CASE_IN_PLACES(a_free_lock_is_taken_at_once_and_told_later, test::places)
{
    weft::mutex m(place.executor);
    std::atomic<int> calls{0};
    std::atomic<int> locked{0};
    // On one thread of a pool, so that completing inline would be possible.
    asio::post(place.executor,
        [&]
        {
            m.async_lock([&](error_code ec) { calls += ec ? 0 : 1; });
            locked += m.try_lock() ? 0 : 1;
        });
    place.finish();
    BOOST_TEST(calls == 1);
    BOOST_TEST(locked == 1);
    m.unlock();
}

WEFT_TEST_CASE_IN_PLACES(a_completion_is_never_inside_the_call, test::single_places)
{
    weft::mutex m(place.executor);
    int calls = 0;
    bool inside = false;
    std::function<void()> start = [&]
    {
        inside = true;
        m.async_lock(
            [&](error_code)
            {
                BOOST_TEST(!inside);
                ++calls;
            });
        inside = false;
    };
    asio::post(place.executor,
        [&]
        {
            start();
            start();
        });
    place.context.poll();
    BOOST_TEST(calls == 1);
    asio::post(place.executor,
        [&]
        {
            inside = true;
            m.unlock();
            inside = false;
        });
    place.finish();
    BOOST_TEST(calls == 2);
    m.unlock();
}

WEFT_TEST_CASE_IN_PLACES(waiters_get_it_in_the_order_of_their_calls, test::places)
{
    weft::mutex m(place.executor);
    std::vector<int> order;
    BOOST_TEST(m.try_lock());
    for (int i = 0; i != 100; ++i)
        m.async_lock(
            [&, i](error_code ec)
            {
                if (!ec && !m.try_lock())
                    order.push_back(i);
                m.unlock();
            });
    m.unlock();
    place.finish();
    BOOST_TEST(order.size() == 100u);
    BOOST_TEST(std::is_sorted(order.begin(), order.end()));
    BOOST_TEST(m.try_lock());
    m.unlock();
}

WEFT_TEST_CASE_IN_PLACES(a_scoped_lock_gives_back_what_it_has, test::places)
{
    weft::mutex m(place.executor);
    BOOST_TEST(m.try_lock());
    std::atomic<int> calls{0};
    for (int i = 0; i != 10; ++i)
        m.async_scoped_lock([&](error_code ec, std::unique_lock<weft::mutex> lock)
            { calls += !ec && lock.owns_lock() && lock.mutex() == &m ? 1 : 0; });
    m.unlock();
    place.finish();
    BOOST_TEST(calls == 10);
    BOOST_TEST(m.try_lock());
    m.unlock();
}

WEFT_TEST_CASE_IN_PLACES(cancel_completes_all_that_wait, test::places)
{
    weft::mutex m(place.executor);
    m.cancel();
    BOOST_TEST(m.try_lock());
    std::atomic<int> aborted{0};
    for (int waiters : {1, 50})
    {
        for (int i = 0; i != waiters; ++i)
            m.async_lock(
                [&](error_code ec) { aborted += ec == asio::error::operation_aborted ? 1 : 0; });
        m.async_scoped_lock([&](error_code ec, std::unique_lock<weft::mutex> lock)
            { aborted += ec == asio::error::operation_aborted && !lock.mutex() ? 1 : 0; });
        m.cancel();
    }
    place.finish();
    BOOST_TEST(aborted == 53);
    m.unlock();
    BOOST_TEST(m.try_lock());
    m.unlock();
}

WEFT_TEST_CASE_IN_PLACES(handlers_run_where_they_are_associated, test::single_places)
{
    weft::io_context other;
    weft::mutex m(place.executor);
    int there = 0;
    auto handler = asio::bind_executor(other,
        [&](error_code ec)
        {
            BOOST_TEST(!ec);
            BOOST_TEST(other.get_executor().running_in_this_thread());
            ++there;
        });
    m.async_lock(handler);
    m.async_lock(handler);
    other.run_one();
    BOOST_TEST(there == 1);
    m.unlock();
    other.run_one();
    BOOST_TEST(there == 2);
    m.unlock();
}

WEFT_TEST_CASE_IN_PLACES(what_waits_is_work, test::single_places)
{
    weft::io_context other;
    weft::mutex m(place.executor);
    BOOST_TEST(m.try_lock());
    m.async_lock([](error_code) {});
    m.async_lock(asio::bind_executor(other, [](error_code) {}));
    place.context.poll();
    BOOST_TEST(!place.context.stopped());
    other.poll();
    BOOST_TEST(!other.stopped());
    m.unlock();
    place.context.poll();
    // The second waits still, and counts here too.
    BOOST_TEST(!place.context.stopped());
    m.unlock();
    other.poll();
    BOOST_TEST(other.stopped());
    place.context.poll();
    BOOST_TEST(place.context.stopped());
    m.unlock();
}

WEFT_TEST_CASE_IN_PLACES(an_exception_of_a_handler_leaves_run, test::single_places)
{
    weft::mutex m(place.executor);
    m.async_lock([](error_code) { throw std::runtime_error("handler"); });
    m.async_scoped_lock(
        [](error_code, std::unique_lock<weft::mutex>) { throw std::runtime_error("handler"); });
    int calls = 0;
    m.async_lock([&](error_code) { ++calls; });
    BOOST_CHECK_THROW(place.context.run(), std::runtime_error);
    m.unlock();
    // The scoped lock is given back by the exception.
    BOOST_CHECK_THROW(place.context.run(), std::runtime_error);
    place.finish();
    BOOST_TEST(calls == 1);
    m.unlock();
}

WEFT_TEST_CASE_IN_PLACES(move_only_handlers_are_moved_only, test::places)
{
    weft::mutex m(place.executor);
    std::atomic<int> sum{0};
    for (int i = 1; i != 3; ++i)
        m.async_lock(
            [&, p = std::make_unique<int>(i)](error_code)
            {
                sum += *p;
                m.unlock();
            });
    place.finish();
    BOOST_TEST(sum == 3);
}

BOOST_AUTO_TEST_SUITE_END()
