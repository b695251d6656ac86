// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "platform/extrapolated_clock.hpp"

#include <weft/platform/cheap_clock.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>
#include <vector>

namespace
{

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;

/// Two clocks that go as the test says.
struct two_clocks
{
    static inline steady_clock::time_point time;
    static inline std::uint64_t count = 0;
    static inline bool counter_is_there = true;
    static inline unsigned readings = 0;

    // How long the thread is away right after each of the next readings of the steady clock.
    static inline std::vector<nanoseconds> away;

    static steady_clock::time_point now()
    {
        ++readings;
        auto const result = time;
        if (!away.empty())
        {
            pass(away.back());
            away.pop_back();
        }
        return result;
    }

    // The same for the counter.
    static inline std::vector<nanoseconds> away_from_counter;

    static std::uint64_t counter()
    {
        auto const result =
            counter_is_there ? count : static_cast<std::uint64_t>(time.time_since_epoch().count());
        if (!away_from_counter.empty())
        {
            pass(away_from_counter.back());
            away_from_counter.pop_back();
        }
        return result;
    }

    static bool has_counter()
    {
        return counter_is_there;
    }

    static void pass(nanoseconds t)
    {
        time += t;
        count += static_cast<std::uint64_t>(t.count());
    }
};

struct one_clock : two_clocks
{
    one_clock()
    {
        time = steady_clock::time_point(std::chrono::hours(1));
        count = 17;
        counter_is_there = true;
        readings = 0;
        away.clear();
        away_from_counter.clear();
    }

    weft::detail::extrapolated_clock<two_clocks> clock;
};

struct real_clocks
{
    static steady_clock::time_point now()
    {
        return steady_clock::now();
    }

    static std::uint64_t counter()
    {
        return weft::detail::cheap_clock::counter();
    }

    static bool has_counter()
    {
        return weft::detail::cheap_clock::has_counter();
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(platform_extrapolated_clock, one_clock)

BOOST_AUTO_TEST_CASE(it_reads_the_steady_clock_once_in_a_millisecond)
{
    for (int i = 0; i != 10'000; ++i)
    {
        BOOST_TEST_REQUIRE((clock.now() == time));
        pass(microseconds(1));
    }
    BOOST_TEST(readings == 10u);
}

BOOST_AUTO_TEST_CASE(it_is_the_steady_clock_where_there_is_no_counter)
{
    counter_is_there = false;
    for (int i = 0; i != 100; ++i)
    {
        BOOST_TEST_REQUIRE((clock.now() == time));
        pass(microseconds(1));
    }
    BOOST_TEST(readings == 0u);
    // There is one from now on.
    counter_is_there = true;
    BOOST_TEST((clock.now() == time));
    BOOST_TEST(readings == 1u);
}

BOOST_AUTO_TEST_CASE(
    it_follows_the_steady_clock_where_the_counter_is_not_exact_and_does_not_go_back)
{
    for (nanoseconds const error : {nanoseconds(-1), nanoseconds(1)})
    {
        auto last = clock.now();
        for (int i = 0; i != 10'000; ++i)
        {
            pass(microseconds(10));
            count += static_cast<std::uint64_t>(error.count());
            auto const now = clock.now();
            BOOST_TEST_REQUIRE((now >= last));
            BOOST_TEST_REQUIRE((now - time <= nanoseconds(101)));
            BOOST_TEST_REQUIRE((time - now <= nanoseconds(101)));
            last = now;
        }
    }
}

BOOST_AUTO_TEST_CASE(it_stands_still_after_a_reading_while_it_is_ahead)
{
    (void)clock.now();
    pass(nanoseconds(999'400));
    count += 500;
    auto const ahead = clock.now();
    BOOST_TEST((ahead - time == nanoseconds(500)));
    pass(nanoseconds(150));
    BOOST_TEST((clock.now() == ahead));
    BOOST_TEST(readings == 2u);
    BOOST_TEST((clock.now() == ahead));
    pass(microseconds(1));
    BOOST_TEST((clock.now() == time));
    BOOST_TEST(readings == 2u);
}

BOOST_AUTO_TEST_CASE(a_counter_that_goes_at_another_rate_is_asked_no_more)
{
    for (std::int64_t const error : {-100'000, 100'000})
    {
        weft::detail::extrapolated_clock<two_clocks> another;
        (void)another.now();
        pass(microseconds(1200));
        count += static_cast<std::uint64_t>(error);
        (void)another.now();
        readings = 0;
        for (int i = 0; i != 100; ++i)
        {
            pass(microseconds(1));
            count += 1'000;
            BOOST_TEST((another.now() == time));
        }
        BOOST_TEST(readings == 100u);
    }
}

BOOST_AUTO_TEST_CASE(a_counter_that_goes_on_while_the_machine_is_suspended_is_still_asked)
{
    (void)clock.now();
    pass(milliseconds(2));
    count += 5'000'000'000;
    (void)clock.now();
    readings = 0;
    pass(microseconds(100));
    BOOST_TEST((clock.now() == time));
    BOOST_TEST(readings == 0u);
}

BOOST_AUTO_TEST_CASE(a_counter_that_jumps_is_not_believed)
{
    (void)clock.now();
    for (std::uint64_t const jump :
        {std::uint64_t{2'000'000}, ~std::uint64_t{1000}, std::uint64_t{1} << 63})
    {
        pass(microseconds(1));
        count += jump;
        BOOST_TEST((clock.now() == time));
    }
}

BOOST_AUTO_TEST_CASE(a_thread_that_is_away_while_it_reads_reads_again)
{
    away = {nanoseconds(900), milliseconds(5), milliseconds(5)};
    auto const now = clock.now();
    BOOST_TEST((time - now == nanoseconds(900)));
    BOOST_TEST(readings == 3u);
    pass(microseconds(1));
    BOOST_TEST((clock.now() == time));
    BOOST_TEST(readings == 3u);
}

BOOST_AUTO_TEST_CASE(what_it_has_read_in_vain_counts_once)
{
    away.assign(4, milliseconds(5));
    BOOST_TEST((time - clock.now() == milliseconds(5)));
    BOOST_TEST(readings == 4u);
    pass(microseconds(1));
    BOOST_TEST((clock.now() == time));
    BOOST_TEST(readings == 5u);
}

BOOST_AUTO_TEST_CASE(also_if_it_was_away_before_the_steady_clock_was_read)
{
    using std::literals::chrono_literals::operator""us;
    // Before the first try and in each of four.
    away_from_counter = {0us, 100us, 0us, 100us, 0us, 100us, 0us, 100us, 0us};
    BOOST_TEST((clock.now() == time));
    BOOST_TEST(readings == 4u);
    pass(microseconds(1));
    BOOST_TEST((clock.now() == time));
    BOOST_TEST(readings == 5u);
}

BOOST_AUTO_TEST_CASE(it_says_what_the_steady_clock_says)
{
    weft::detail::extrapolated_clock<real_clocks> real;
    auto last = real.now();
    for (int i = 0; i != 200'000; ++i)
    {
        auto const before = steady_clock::now();
        auto const now = real.now();
        auto const after = steady_clock::now();
        BOOST_TEST_REQUIRE((now >= last));
        BOOST_TEST_REQUIRE((now + microseconds(2) >= before));
        BOOST_TEST_REQUIRE((now <= after + microseconds(2)));
        last = now;
    }
}

BOOST_AUTO_TEST_SUITE_END()
