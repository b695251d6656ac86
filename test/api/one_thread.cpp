// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A process that has started no second thread, as most programs have for a while: no word is locked
// and nobody is woken there, and what is posted takes a shorter way. What can be seen is the same.

#include <weft/io_context.hpp>
#include <weft/run_blocking.hpp>

#include "api/process.hpp"
#include "support/asio.hpp"
#include "support/sanitized.hpp"

#include <boost/asio/dispatch.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace
{

// What a program does to a context at random, and what it sees of it.
template <typename Context>
class random_program
{
public:
    explicit random_program(unsigned seed) : random_(seed)
    {
    }

    std::vector<std::size_t> run()
    {
        for (int step = 0; step != 400; ++step)
            make_step();
        guard_.reset();
        context_.restart();
        do
            seen_.push_back(call([&] { return context_.run(); }));
        while (seen_.back() == thrown);
        return seen_;
    }

private:
    static constexpr std::size_t thrown = 1'000'000;

    std::size_t below(std::size_t limit)
    {
        return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_);
    }

    void make_step()
    {
        switch (below(9))
        {
        case 0:
        case 1:
            // Now and then more than any ring holds.
            post_some(below(10) == 0 ? 700 : 5);
            break;
        case 2:
            seen_.push_back(call([&] { return context_.poll(); }));
            break;
        case 3:
            seen_.push_back(call([&] { return context_.poll_one(); }));
            break;
        case 4:
            seen_.push_back(call([&] { return context_.run_for(std::chrono::seconds(0)); }));
            break;
        case 5:
            // Does not wait: without a guard, or when there is something to run.
            post_some(1);
            seen_.push_back(call([&] { return context_.run_one(); }));
            break;
        case 6:
            guard_.reset();
            break;
        case 7:
            guard_.emplace(context_.get_executor());
            break;
        case 8:
            if (below(4) == 0)
                context_.stop();
            else
                context_.restart();
            break;
        }
        seen_.push_back(context_.stopped() ? 1u : 0u);
    }

    template <typename Call>
    std::size_t call(Call what)
    {
        try
        {
            return what();
        }
        catch (std::runtime_error const&)
        {
            return thrown;
        }
    }

    void post_some(std::size_t most)
    {
        std::size_t const count = 1 + below(most);
        for (std::size_t i = 0; i != count; ++i)
            boost::asio::post(context_, [this, n = next_++] { handle(n); });
    }

    void handle(std::size_t number)
    {
        seen_.push_back(number);
        switch (below(12))
        {
        case 0:
            post_some(2);
            break;
        case 1:
            boost::asio::dispatch(context_, [this, n = next_++] { seen_.push_back(n); });
            break;
        case 2:
            if (depth_ < 3)
            {
                ++depth_;
                seen_.push_back(call([&] { return context_.poll_one(); }));
                --depth_;
            }
            break;
        case 3:
            if (below(10) == 0)
                throw std::runtime_error("from a handler");
            break;
        }
    }

    std::minstd_rand random_;
    std::vector<std::size_t> seen_;
    std::size_t next_ = 0;
    int depth_ = 0;
    Context context_;
    std::optional<boost::asio::executor_work_guard<typename Context::executor_type>> guard_;
};

// In a process of its own, which has one thread at first.
template <typename Condition>
bool holds_in_a_child(Condition condition)
{
    pid_t const child = ::fork();
    if (child == 0)
        ::_exit(condition() ? 0 : 1);
    int status = 0;
    return child > 0 && ::waitpid(child, &status, 0) == child && status == 0;
}

} // namespace

BOOST_AUTO_TEST_SUITE(one_thread)

BOOST_AUTO_TEST_CASE(nobody_has_started_a_thread)
{
    // A sanitizer may have.
    BOOST_TEST((WEFT_TEST_SANITIZED || test::threads_of_this_process() == 1));
}

BOOST_AUTO_TEST_CASE(a_program_sees_what_it_sees_with_asio)
{
    // A program takes half a second under a sanitizer.
    constexpr unsigned programs = WEFT_TEST_SANITIZED ? 40 : 200;
    for (unsigned seed = 1; seed != programs; ++seed)
    {
        auto const expected = random_program<boost::asio::io_context>(seed).run();
        auto const seen = random_program<weft::io_context>(seed).run();
        BOOST_TEST_CONTEXT("seed " << seed)
        BOOST_REQUIRE_EQUAL_COLLECTIONS(seen.begin(), seen.end(), expected.begin(), expected.end());
    }
}

BOOST_AUTO_TEST_CASE(every_post_is_counted_as_one_from_outside)
{
    weft::io_context context;
    for (std::size_t i = 1; i != 1000; ++i)
    {
        boost::asio::post(context, [] {});
        BOOST_TEST(context.stats().total.remote_pushes == i);
        if (i % 3 == 0)
        {
            context.restart();
            context.poll();
        }
    }
}

BOOST_AUTO_TEST_CASE(what_is_posted_while_a_handler_blocks_is_run)
{
    weft::io_context context;
    int ran = 0;
    for (int i = 0; i != 2; ++i)
        boost::asio::post(context,
            [&]
            {
                ++ran;
                weft::run_blocking([&] { boost::asio::post(context, [&] { ++ran; }); });
            });
    BOOST_TEST(context.poll() == 4u);
    BOOST_TEST(ran == 4);
    BOOST_TEST(context.stopped());
}

BOOST_AUTO_TEST_CASE(what_is_posted_while_a_handler_blocks_keeps_its_order)
{
    weft::io_context context;
    std::vector<int> ran;
    auto const post = [&](int number)
    {
        boost::asio::post(context, [&ran, number] { ran.push_back(number); });
    };
    boost::asio::post(context,
        [&]
        {
            weft::run_blocking(
                [&]
                {
                    for (int i = 1; i != 7; ++i)
                        post(i);
                    context.poll_one();
                });
            post(7);
        });
    context.run();
    std::vector<int> const expected{1, 2, 3, 4, 5, 6, 7};
    BOOST_TEST(ran == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_is_left_is_destroyed_with_the_context)
{
    auto const owned = std::make_shared<int>(0);
    {
        weft::io_context context;
        context.poll();
        context.restart();
        for (int i = 0; i != 1000; ++i)
            boost::asio::post(context, [owned] {});
        context.poll_one();
        BOOST_TEST(owned.use_count() == 1000);
    }
    BOOST_TEST(owned.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(a_second_thread_finds_what_was_posted_before_it_was_there)
{
    for (std::size_t first = 0; first != 3; ++first)
        BOOST_TEST(holds_in_a_child(
            [&]
            {
                weft::io_context context;
                context.poll();
                context.restart();
                std::size_t ran = 0;
                for (int i = 0; i != 600; ++i)
                    boost::asio::post(context, [&] { ++ran; });
                for (std::size_t i = 0; i != first; ++i)
                    context.poll_one();
                std::thread([&] { context.run(); }).join();
                return ran == 600;
            }));
}

BOOST_AUTO_TEST_CASE(a_second_thread_runs_what_the_handler_has_posted_that_starts_it)
{
    for (bool const earlier : {false, true})
        BOOST_TEST(holds_in_a_child(
            [&]
            {
                weft::io_context context;
                std::size_t ran = 0;
                if (earlier)
                {
                    context.poll();
                    context.restart();
                }
                boost::asio::post(context,
                    [&]
                    {
                        for (int i = 0; i != 100; ++i)
                            boost::asio::post(context, [&] { ++ran; });
                        std::thread(
                            [&]
                            {
                                for (int i = 0; i != 100; ++i)
                                    context.run_one();
                            })
                            .join();
                        ++ran;
                    });
                return context.run() == 1 && ran == 101;
            }));
}

BOOST_AUTO_TEST_SUITE_END()
