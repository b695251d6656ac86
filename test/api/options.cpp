// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0
#include <weft/io_context.hpp>
#include <weft/thread_pool.hpp>

#include "support/cases.hpp"

#include <limits>

BOOST_AUTO_TEST_SUITE(options)

namespace
{

struct option_case
{
    std::string name;
    std::string least;
    std::string most;
    std::function<void(weft::options&)> set;
};

bool names(const std::invalid_argument& error, const option_case& option)
{
    const std::string text = error.what();
    BOOST_TEST_INFO(text);
    return text.find(option.name) != std::string::npos &&
           text.find(option.least) != std::string::npos &&
           text.find(option.most) != std::string::npos;
}

template <auto Member, class Value>
std::function<void(weft::options&)> assign(Value value)
{
    return [value](weft::options& options)
    {
        options.*Member = static_cast<std::decay_t<decltype(options.*Member)>>(value);
    };
}

constexpr unsigned huge = std::numeric_limits<unsigned>::max();

const std::vector<option_case> refused = {
    {"threads", "0", "65535", assign<&weft::options::threads>(65536u)},
    {"threads", "0", "65535",
        assign<&weft::options::threads>(std::numeric_limits<std::size_t>::max())},
    {"tick_budget", "1", "128", assign<&weft::options::tick_budget>(0)},
    {"tick_budget", "1", "128", assign<&weft::options::tick_budget>(129)},
    {"tick_budget", "1", "128", assign<&weft::options::tick_budget>(huge)},
    {"injection_interval", "0", "127", assign<&weft::options::injection_interval>(128)},
    {"injection_interval", "0", "127", assign<&weft::options::injection_interval>(huge)},
    {"lifo_limit", "0", "3", assign<&weft::options::lifo_limit>(4)},
    {"lifo_limit", "0", "3", assign<&weft::options::lifo_limit>(huge)},
    {"lifo_stealing", "0", "2", assign<&weft::options::lifo_stealing>(3)},
    {"lifo_stealing", "0", "2", assign<&weft::options::lifo_stealing>(-1)},
    {"spin_rounds", "0", "10000", assign<&weft::options::spin_rounds>(10001)},
    {"spin_rounds", "0", "10000", assign<&weft::options::spin_rounds>(huge)},
    {"yield_rounds", "0", "10000", assign<&weft::options::yield_rounds>(10001)},
    {"max_spare_threads", "0", "65535", assign<&weft::options::max_spare_threads>(65536u)},
    {"max_spare_threads", "0", "65535",
        assign<&weft::options::max_spare_threads>(std::numeric_limits<std::size_t>::max())},
};

const std::vector<option_case> accepted = {
    {"tick_budget", "", "", assign<&weft::options::tick_budget>(1)},
    {"tick_budget", "", "", assign<&weft::options::tick_budget>(128)},
    {"injection_interval", "", "", assign<&weft::options::injection_interval>(0)},
    {"injection_interval", "", "", assign<&weft::options::injection_interval>(1)},
    {"injection_interval", "", "", assign<&weft::options::injection_interval>(127)},
    {"lifo_limit", "", "", assign<&weft::options::lifo_limit>(0)},
    {"lifo_limit", "", "", assign<&weft::options::lifo_limit>(3)},
    {"lifo_stealing", "", "", assign<&weft::options::lifo_stealing>(weft::lifo_stealing::off)},
    {"lifo_stealing", "", "", assign<&weft::options::lifo_stealing>(weft::lifo_stealing::eager)},
    {"spin_rounds", "", "", assign<&weft::options::spin_rounds>(0)},
    {"spin_rounds", "", "", assign<&weft::options::spin_rounds>(10000)},
    {"yield_rounds", "", "", assign<&weft::options::yield_rounds>(0)},
    {"max_spare_threads", "", "", assign<&weft::options::max_spare_threads>(0)},
};

} // namespace

BOOST_AUTO_TEST_CASE(an_option_out_of_range_is_refused_by_name_and_range)
{
    for (const option_case& option : refused)
    {
        BOOST_TEST_CONTEXT(option.name)
        {
            weft::options options;
            option.set(options);
            BOOST_CHECK_EXCEPTION(weft::io_context context(options), std::invalid_argument,
                [&](const auto& error) { return names(error, option); });
            BOOST_CHECK_EXCEPTION(weft::thread_pool pool(options), std::invalid_argument,
                [&](const auto& error) { return names(error, option); });
        }
    }
}

BOOST_AUTO_TEST_CASE(options_at_the_ends_of_their_ranges_are_accepted_and_work)
{
    for (const option_case& option : accepted)
    {
        BOOST_TEST_CONTEXT(option.name)
        {
            weft::options options;
            options.threads = 2;
            option.set(options);
            int calls = 0;
            weft::io_context context(options);
            for (int i = 0; i != 300; ++i)
                asio::post(context, [&] { ++calls; });
            BOOST_TEST(context.run() == 300u);
            BOOST_TEST(calls == 300);
            weft::thread_pool pool(options);
            asio::post(pool, [&] { ++calls; });
            pool.join();
            BOOST_TEST(calls == 301);
        }
    }
}

BOOST_AUTO_TEST_CASE(the_default_options_are_valid)
{
    weft::io_context context{weft::options()};
    BOOST_TEST(context.run() == 0u);
    weft::thread_pool pool{weft::options()};
    BOOST_TEST(asio::query(pool.get_executor(), asio::execution::occupancy) >= 1u);
    pool.join();
}

BOOST_AUTO_TEST_CASE(the_thread_option_sets_the_size_of_a_pool)
{
    weft::options options;
    options.threads = 3;
    weft::thread_pool pool(options);
    BOOST_TEST(asio::query(pool.get_executor(), asio::execution::occupancy) == 3u);
    pool.join();
}

BOOST_AUTO_TEST_CASE(a_pool_of_no_or_too_many_threads_is_refused)
{
    const option_case threads{"threads", "1", "65535", {}};
    for (std::size_t count :
        {std::size_t(0), std::size_t(65536), std::numeric_limits<std::size_t>::max()})
        BOOST_CHECK_EXCEPTION(weft::thread_pool pool(count), std::invalid_argument,
            [&](const auto& error) { return names(error, threads); });
    // What a program gets that passes a negative number.
    const int minus_one = -1;
    BOOST_CHECK_THROW(
        weft::thread_pool pool(static_cast<std::size_t>(minus_one)), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(threads_and_spare_threads_together_are_limited)
{
    weft::options options;
    options.threads = 2;
    options.max_spare_threads = 65534;
    BOOST_CHECK_THROW(weft::thread_pool pool(options), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
