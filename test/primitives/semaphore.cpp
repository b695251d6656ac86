// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/semaphore.hpp>

#include "primitives/places.hpp"

#include <boost/asio/experimental/channel_error.hpp>

BOOST_AUTO_TEST_SUITE(semaphore)

namespace
{

using permit = weft::semaphore::permit_type;

} // namespace

BOOST_AUTO_TEST_CASE(counts)
{
    weft::io_context context;
    weft::semaphore s(context, 3);
    BOOST_TEST(s.available() == 3u);
    BOOST_TEST(s.try_acquire());
    BOOST_TEST(!s.try_acquire(3));
    BOOST_TEST(s.try_acquire(2));
    BOOST_TEST(!s.try_acquire());
    s.release(5);
    BOOST_TEST(s.available() == 5u);
}

BOOST_AUTO_TEST_CASE(numbers_that_make_no_sense_are_refused)
{
    weft::io_context context;
    constexpr std::uint64_t too_many = weft::semaphore::max_permits + 1;
    BOOST_CHECK_THROW(weft::semaphore(context, too_many), std::invalid_argument);
    weft::semaphore s(context, weft::semaphore::max_permits);
    BOOST_CHECK_THROW(s.try_acquire(0), std::invalid_argument);
    BOOST_CHECK_THROW(s.try_acquire(too_many), std::invalid_argument);
    auto const ignore = [](error_code) {
    };
    BOOST_CHECK_THROW(s.async_acquire(0, ignore), std::invalid_argument);
    BOOST_CHECK_THROW(s.async_acquire(too_many, ignore), std::invalid_argument);
    BOOST_CHECK_THROW(s.async_scoped_acquire(0, [](error_code, permit) {}), std::invalid_argument);
    BOOST_CHECK_THROW(
        s.async_acquire_for(std::chrono::seconds(1), 0, ignore), std::invalid_argument);
    BOOST_TEST(s.try_acquire(weft::semaphore::max_permits));
    s.release(weft::semaphore::max_permits);
}

WEFT_TEST_CASE_IN_PLACES(
    those_who_want_many_are_not_passed_by_those_who_want_few, test::single_places)
{
    weft::semaphore s(place.executor, 2);
    std::vector<int> order;
    s.async_acquire(3, [&](error_code) { order.push_back(3); });
    s.async_acquire([&](error_code) { order.push_back(1); });
    BOOST_TEST(s.available() == 0u);
    BOOST_TEST(!s.try_acquire());
    place.context.poll();
    BOOST_TEST(order.empty());
    s.release();
    place.context.poll();
    BOOST_TEST(order == (std::vector<int>{3}), boost::test_tools::per_element());
    s.release();
    place.finish();
    BOOST_TEST(order == (std::vector<int>{3, 1}), boost::test_tools::per_element());
}

WEFT_TEST_CASE_IN_PLACES(one_release_serves_all_that_it_can, test::places)
{
    weft::semaphore s(place.executor, 0);
    std::atomic<int> served{0};
    for (int i = 0; i != 100; ++i)
        s.async_acquire([&](error_code ec) { served += ec ? 0 : 1; });
    s.release(101);
    place.finish();
    BOOST_TEST(served == 100);
    BOOST_TEST(s.available() == 1u);
}

WEFT_TEST_CASE_IN_PLACES(those_that_are_served_together_run_in_order, test::single_places)
{
    weft::semaphore s(place.executor, 0);
    std::vector<int> order;
    for (int i = 0; i != 100; ++i)
        s.async_acquire([&, i](error_code) { order.push_back(i); });
    asio::post(place.executor, [&] { s.release(100); });
    place.finish();
    BOOST_TEST(order.size() == 100u);
    BOOST_TEST(std::is_sorted(order.begin(), order.end()));
}

WEFT_TEST_CASE_IN_PLACES(no_more_than_the_permits_are_inside, test::places)
{
    weft::semaphore s(place.executor, 3);
    std::atomic<int> inside{0};
    std::atomic<int> most{0};
    std::atomic<int> calls{0};
    for (int i = 0; i != 100; ++i)
        s.async_scoped_acquire(1,
            [&](error_code ec, permit p)
            {
                int const now = ++inside;
                if (now > most)
                    most = now;
                calls += !ec && p.count() == 1 ? 1 : 0;
                --inside;
            });
    place.finish();
    BOOST_TEST(most <= 3);
    BOOST_TEST(calls == 100);
    BOOST_TEST(s.available() == 3u);
}

BOOST_AUTO_TEST_CASE(a_permit_moves_and_gives_back_once)
{
    weft::io_context context;
    weft::semaphore s(context, 5);
    permit a;
    BOOST_TEST(!a);
    BOOST_TEST(s.try_acquire(2));
    a = permit(s, 2);
    BOOST_TEST(bool(a));
    permit b(std::move(a));
    BOOST_TEST(b.count() == 2u);
    BOOST_TEST(s.available() == 3u);
    BOOST_TEST(s.try_acquire(1));
    b = permit(s, 1);
    BOOST_TEST(s.available() == 4u);
    auto& same = b;
    b = std::move(same);
    BOOST_TEST(b.count() == 1u);
    b.reset();
    b.reset();
    BOOST_TEST(s.available() == 5u);
    BOOST_TEST(s.try_acquire(4));
    BOOST_TEST(permit(s, 4).release() == 4u);
    BOOST_TEST(s.available() == 1u);
}

WEFT_TEST_CASE_IN_PLACES(after_close_nobody_gets_permits, test::places)
{
    weft::semaphore s(place.executor, 1);
    std::atomic<int> closed{0};
    auto const expect_closed = [&](error_code ec)
    {
        closed +=
            ec == weft::errc::closed && ec == asio::experimental::error::channel_closed ? 1 : 0;
    };
    s.async_acquire(2, expect_closed);
    s.async_acquire(expect_closed);
    s.close();
    s.async_acquire(expect_closed);
    s.async_acquire_for(std::chrono::hours(1), expect_closed);
    s.async_scoped_acquire(
        1, [&](error_code ec, permit p) { closed += ec == weft::errc::closed && !p ? 1 : 0; });
    BOOST_TEST(!s.try_acquire());
    s.release();
    BOOST_TEST(s.available() == 2u);
    place.finish();
    BOOST_TEST(closed == 5);
}

WEFT_TEST_CASE_IN_PLACES(cancel_leaves_what_was_collected, test::places)
{
    weft::semaphore s(place.executor, 1);
    std::atomic<int> aborted{0};
    s.async_acquire(
        2, [&](error_code ec) { aborted += ec == asio::error::operation_aborted ? 1 : 0; });
    s.cancel();
    BOOST_TEST(s.available() == 1u);
    place.finish();
    BOOST_TEST(aborted == 1);
}

BOOST_AUTO_TEST_SUITE_END()
