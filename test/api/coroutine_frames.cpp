// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// The frames of coroutines that name an executor of weft's: their memory is recycled, on whichever
// thread they end.

// Boost 1.90 and newer: on demand.
#define WEFT_ENABLE_FRAME_RECYCLING

#include <weft/io_context.hpp>
#include <weft/thread_pool.hpp>

#include "api/steady_state.hpp"
#include "support/cases.hpp"
#include "support/sanitized.hpp"

namespace
{

template <class Executor>
using task = asio::awaitable<int, Executor>;

// Counts the nodes of a tree of coroutines that await each other, and let others run in between:
// `depth` frames at a time.
template <class Executor>
task<Executor> nodes(int depth)
{
    if (depth == 0)
        co_return 1;
    int const left = co_await nodes<Executor>(depth - 1);
    co_await asio::post(co_await asio::this_coro::executor, asio::deferred);
    int const right = co_await nodes<Executor>(depth - 1);
    co_return 1 + left + right;
}

template <class Executor, std::size_t Bytes>
asio::awaitable<void, Executor> child(test::steady_state& state)
{
    std::array<char, Bytes> held;
    held.fill('x');
    co_await asio::post(co_await asio::this_coro::executor, asio::deferred);
    if (held.back() == 'x')
        state.part_done();
}

// Many more than a few caches of Asio's hold, and few enough for a sanitizer.
constexpr int children = WEFT_TEST_SANITIZED ? 40 : 200;
constexpr int handlers_of_child = 2;

// Starts a round of as many coroutines, all alive at once.
template <std::size_t Bytes, class Executor>
void spawn_children(Executor executor, test::steady_state& state)
{
    for (int i = 0; i != children; ++i)
        asio::co_spawn(executor, child<Executor, Bytes>(state), asio::detached);
}

template <std::size_t Bytes>
void check_frames_of(std::size_t threads)
{
    weft::io_context io(static_cast<int>(threads));
    weft::thread_pool pool(threads);
    test::steady_state of_io;
    test::steady_state of_pool;
    auto const begin = [](auto executor, test::steady_state& state)
    {
        asio::post(executor, [=, &state]
            { state.start(children, [=, &state] { spawn_children<Bytes>(executor, state); }); });
    };
    begin(io.get_executor(), of_io);
    test::run_on(io, threads);
    of_io.check_allocates_nothing(threads, children * handlers_of_child);
    begin(pool.get_executor(), of_pool);
    pool.join();
    of_pool.check_allocates_nothing(threads, children * handlers_of_child);
}

class failure
{
};

template <class Executor>
task<Executor> fails(int depth)
{
    co_await asio::post(co_await asio::this_coro::executor, asio::deferred);
    if (depth == 0)
        throw failure();
    co_return co_await fails<Executor>(depth - 1);
}

// A frame that is too large for the recycler.
template <class Executor>
task<Executor> has_much()
{
    std::array<int, 5000> much{};
    much.front() = 3;
    much.back() = 4;
    co_await asio::post(co_await asio::this_coro::executor, asio::deferred);
    co_return much.front() + much.back();
}

template <class Executor>
void check_results(Executor executor, weft::io_context& io)
{
    int sum = 0;
    int large = 0;
    bool failed = false;
    asio::co_spawn(executor, nodes<Executor>(8), [&](std::exception_ptr, int n) { sum = n; });
    asio::co_spawn(executor, has_much<Executor>(), [&](std::exception_ptr, int n) { large = n; });
    asio::co_spawn(executor, fails<Executor>(5),
        [&](std::exception_ptr e, int)
        {
            BOOST_REQUIRE(e);
            BOOST_CHECK_THROW(std::rethrow_exception(e), failure);
            failed = true;
        });
    io.run();
    io.restart();
    BOOST_TEST(sum == 511);
    BOOST_TEST(large == 7);
    BOOST_TEST(failed);
}

} // namespace

BOOST_AUTO_TEST_SUITE(coroutine_frames)

BOOST_AUTO_TEST_CASE(coroutines_of_each_executor_return_and_throw)
{
    weft::io_context io(1);
    check_results(io.get_executor(), io);
    check_results(asio::make_strand(io.get_executor()), io);
    check_results(asio::any_io_executor(io.get_executor()), io);
}

BOOST_AUTO_TEST_CASE(many_coroutines_allocate_nothing)
{
    for (std::size_t const threads : {1u, 3u})
    {
        check_frames_of<1>(threads);
        check_frames_of<700>(threads);
        check_frames_of<5000>(threads);
    }
}

// Asio's strand allocates once for each handler that waits in it. Frames would come on top of that:
// two for each coroutine.
BOOST_AUTO_TEST_CASE(coroutines_in_a_strand_allocate_no_frames)
{
    auto const check = [](auto& context)
    {
        auto const strand = asio::make_strand(context.get_executor());
        test::steady_state state;
        asio::post(
            context, [&] { state.start(children, [&] { spawn_children<1>(strand, state); }); });
        if constexpr (std::is_same_v<decltype(context), weft::io_context&>)
            context.run();
        else
            context.join();
        BOOST_TEST(state.finished());
        constexpr std::size_t rounds =
            test::steady_state::rounds_per_window * test::steady_state::windows;
        BOOST_TEST(state.allocations_in_all_windows() <= children * rounds);
    };
    weft::io_context io(1);
    check(io);
    weft::thread_pool pool(1);
    check(pool);
}

BOOST_AUTO_TEST_CASE(a_pool_runs_them)
{
    using executor = weft::thread_pool::executor_type;
    weft::thread_pool pool(3);
    std::vector<int> sums(20);
    for (int& sum : sums)
        asio::co_spawn(
            pool.get_executor(), nodes<executor>(6), [&](std::exception_ptr, int n) { sum = n; });
    pool.join();
    for (int const sum : sums)
        BOOST_TEST(sum == 127);
}

// Frames that end on a thread which was never inside, and some that never start.
BOOST_AUTO_TEST_CASE(a_context_destroys_those_that_wait)
{
    using executor = weft::io_context::executor_type;
    struct counts
    {
        int begun = 0;
        int destroyed = 0;
    } all;
    struct witness
    {
        counts& c;
        ~witness()
        {
            ++c.destroyed;
        }
    };
    auto const waits = [](counts& c) -> asio::awaitable<void, executor>
    {
        ++c.begun;
        witness const w{c};
        asio::steady_timer never(co_await asio::this_coro::executor, std::chrono::hours(1));
        co_await never.async_wait(asio::deferred);
    };
    {
        std::optional<weft::io_context> io(std::in_place);
        for (int i = 0; i != 100; ++i)
            asio::co_spawn(io->get_executor(), waits(all), asio::detached);
        std::thread(
            [&]
            {
                for (int i = 0; i != 50; ++i)
                    io->poll_one();
            })
            .join();
        BOOST_TEST(all.begun > 0);
        BOOST_TEST(all.begun < 100);
        std::thread([&] { io.reset(); }).join();
    }
    BOOST_TEST(all.destroyed == all.begun);
    {
        auto const never_started = waits(all);
    }
}

BOOST_AUTO_TEST_SUITE_END()
