// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Every completion token, when the lock is free and when it is not. Built a second time without
// early completion (tokens_through_the_queue.cpp).

#include <weft/mutex.hpp>

#include "primitives/lock_operations.hpp"
#include "primitives/places.hpp"
#include "primitives/token_matrix.hpp"

#include <boost/asio/experimental/promise.hpp>
#include <boost/asio/experimental/use_promise.hpp>

template <>
constexpr bool test::completes_early<test::lock_operations::lock_for> = false;

BOOST_AUTO_TEST_SUITE(tokens)

namespace
{

namespace experimental = boost::asio::experimental;
using namespace experimental::awaitable_operators;
using lock_type = std::unique_lock<weft::mutex>;

// Runs a coroutine, and unlocks from outside whenever it can go no further.
void run(test::place& place, weft::mutex& m, asio::awaitable<void> body)
{
    bool finished = false;
    asio::co_spawn(place.executor, std::move(body),
        [&](std::exception_ptr e)
        {
            finished = true;
            if (e)
                std::rethrow_exception(e);
        });
    place.context.poll();
    for (int i = 0; i != 10 && !finished; ++i)
    {
        m.unlock();
        place.context.poll();
    }
    place.finish();
    BOOST_TEST(finished);
    BOOST_TEST(m.try_lock());
    m.unlock();
}

// One of each kind: with and without a result, with and without a form that takes no token.
using awaited_operations =
    std::tuple<test::lock_operations::lock_in_frame, test::lock_operations::scoped_lock_in_frame,
        test::lock_operations::lock_for, test::lock_operations::acquire_in_frame,
        test::lock_operations::scoped_acquire_in_frame, test::lock_operations::write,
        test::lock_operations::read_in_frame, test::lock_operations::scoped_read_in_frame>;

} // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(coroutines_await_in_every_way, Operation, awaited_operations)
{
    for (test::where const w : test::single_places)
        BOOST_TEST_CONTEXT(w)
    test::await_in_every_way<Operation>(w);
}

WEFT_TEST_CASE_IN_PLACES(futures, test::single_places)
{
    weft::mutex m(place.executor);
    std::future<void> first = m.async_lock(asio::use_future);
    std::future<lock_type> second = m.async_scoped_lock(asio::use_future);
    place.context.poll();
    first.get();
    BOOST_TEST((second.wait_for(std::chrono::seconds(0)) == std::future_status::timeout));
    m.unlock();
    place.finish();
    BOOST_TEST(second.get().owns_lock());
    BOOST_TEST(m.try_lock());
    std::future<void> third = m.async_lock(asio::use_future);
    m.cancel();
    place.finish();
    BOOST_CHECK_THROW(third.get(), boost::system::system_error);
    m.unlock();
}

WEFT_TEST_CASE_IN_PLACES(operations_that_start_later, test::single_places)
{
    weft::mutex m(place.executor);
    int calls = 0;
    {
        auto operation = m.async_lock();
        auto deferred = m.async_lock(asio::deferred);
        BOOST_TEST(m.try_lock());
        operation([&](error_code) { ++calls; });
        std::move(deferred)([&](error_code) { ++calls; });
    }
    m.unlock();
    place.context.poll();
    BOOST_TEST(calls == 1);
    m.unlock();
    place.finish();
    BOOST_TEST(calls == 2);
    m.unlock();
}

WEFT_TEST_CASE_IN_PLACES(one_permit_is_what_is_taken_unless_it_is_said, test::single_places)
{
    weft::semaphore s(place.executor, 3);
    int calls = 0;
    s.async_acquire([&](error_code ec) { calls += ec ? 0 : 1; });
    asio::co_spawn(
        place.executor,
        [&]() -> asio::awaitable<void>
        {
            co_await s.async_acquire();
            ++calls;
        },
        asio::detached);
    place.finish();
    BOOST_TEST(calls == 2);
    BOOST_TEST(s.available() == 1u);
}

WEFT_TEST_CASE_IN_PLACES(promises, test::single_places)
{
    weft::mutex m(place.executor);
    BOOST_TEST(m.try_lock());
    int calls = 0;
    auto promise = m.async_lock(experimental::use_promise);
    m.unlock();
    place.finish();
    std::move(promise)([&](error_code ec) { calls += ec ? 0 : 1; });
    place.finish();
    BOOST_TEST(calls == 1);
    m.unlock();
}

WEFT_TEST_CASE_IN_PLACES(bound_executors_and_allocators, test::single_places)
{
    weft::io_context other;
    weft::mutex m(place.executor);
    int calls = 0;
    m.async_lock(asio::bind_executor(other.get_executor(),
        asio::bind_allocator(std::allocator<char>(), [&](error_code) { ++calls; })));
    other.run();
    BOOST_TEST(calls == 1);
    m.unlock();
    place.finish();
}

WEFT_TEST_CASE_IN_PLACES(groups_cancel_what_has_not_won, test::single_places)
{
    weft::mutex m(place.executor);
    asio::steady_timer timer(place.executor, std::chrono::hours(1));
    BOOST_TEST(m.try_lock());
    bool done = false;
    experimental::make_parallel_group(
        m.async_lock(asio::deferred), timer.async_wait(asio::deferred))
        .async_wait(experimental::wait_for_one(),
            [&](std::array<std::size_t, 2> order, error_code locked, error_code waited)
            {
                BOOST_TEST(order[0] == 0u);
                BOOST_TEST(!locked);
                BOOST_TEST(waited == asio::error::operation_aborted);
                done = true;
            });
    m.unlock();
    place.finish();
    BOOST_TEST(done);

    done = false;
    timer.expires_after(std::chrono::seconds(0));
    experimental::make_parallel_group(m.async_lock(), timer.async_wait(asio::deferred))
        .async_wait(experimental::wait_for_one(),
            [&](std::array<std::size_t, 2> order, error_code locked, error_code waited)
            {
                BOOST_TEST(order[0] == 1u);
                BOOST_TEST(locked == asio::error::operation_aborted);
                BOOST_TEST(!waited);
                done = true;
            });
    place.finish();
    BOOST_TEST(done);
    m.unlock();
}

WEFT_TEST_CASE_IN_PLACES(
    a_scoped_lock_that_the_other_side_of_or_drops_is_given_back, test::single_places)
{
    weft::mutex m(place.executor);
    weft::mutex n(place.executor);
    run(place, m,
        [](weft::mutex& a, weft::mutex& b) -> asio::awaitable<void>
        {
            for (int i = 0; i != 10; ++i)
            {
                auto const both = co_await (a.async_scoped_lock(asio::use_awaitable) ||
                                            b.async_scoped_lock(asio::use_awaitable));
                bool const first = both.index() == 0;
                // The one that was delivered is held; the other one is not.
                BOOST_TEST(a.try_lock() == !first);
                BOOST_TEST(b.try_lock() == first);
                (first ? b : a).unlock();
            }
            co_await (a.async_scoped_lock(asio::use_awaitable) &&
                      b.async_scoped_lock(asio::use_awaitable));
        }(m, n));
    BOOST_TEST(n.try_lock());
    n.unlock();
}

#if WEFT_HAS_IMMEDIATE_EXECUTOR
WEFT_TEST_CASE_IN_PLACES(
    an_immediate_executor_is_where_what_completes_at_once_runs, test::single_places)
{
    weft::mutex m(place.executor);
    int calls = 0;
    auto const start = [&]
    {
        m.async_lock(asio::bind_immediate_executor(
            asio::system_executor(), [&](error_code ec) { calls += ec ? 0 : 1; }));
    };
    start();
    BOOST_TEST(calls == 1);
    // One that has to wait is none that completes at once.
    start();
    m.unlock();
    BOOST_TEST(calls == 1);
    place.finish();
    BOOST_TEST(calls == 2);
    m.unlock();
}

// Calls at once, and lets through what is thrown.
struct calling_executor
{
    asio::execution_context* context;

    asio::execution_context& query(asio::execution::context_t) const noexcept
    {
        return *context;
    }

    template <class Function>
    void execute(Function function) const
    {
        function();
    }

    bool operator==(calling_executor const& other) const noexcept
    {
        return context == other.context;
    }

    bool operator!=(calling_executor const& other) const noexcept
    {
        return context != other.context;
    }
};

// What leaves the initiating function then is not a refusal: the handler has had the lock.
WEFT_TEST_CASE_IN_PLACES(
    an_exception_of_a_handler_that_is_called_at_once_leaves_the_call, test::single_places)
{
    weft::mutex m(place.executor);
    auto const start = [&](bool unlocks)
    {
        auto& context = asio::query(place.executor, asio::execution::context);
        m.async_lock(asio::bind_immediate_executor(calling_executor{&context},
            [&m, unlocks](error_code)
            {
                if (unlocks)
                    m.unlock();
                throw std::runtime_error("handler");
            }));
    };
    BOOST_CHECK_THROW(start(true), std::runtime_error);
    BOOST_CHECK_THROW(start(false), std::runtime_error);
    BOOST_TEST(!m.try_lock());
    m.unlock();
    BOOST_TEST(m.try_lock());
    BOOST_TEST(!m.try_lock());
    m.unlock();
    place.finish();
}
#endif

BOOST_AUTO_TEST_CASE(executors_with_a_default_token_use_it)
{
    weft::io_context context;
    using token = asio::use_awaitable_t<weft::io_context::executor_type>;
    using executor = token::executor_with_default<weft::io_context::executor_type>;
    weft::basic_mutex<executor> m{executor(context.get_executor())};
    bool done = false;
    asio::co_spawn(
        context.get_executor(),
        [&]() -> asio::awaitable<void, weft::io_context::executor_type>
        {
            asio::awaitable<void, weft::io_context::executor_type> a = m.async_lock();
            co_await std::move(a);
            m.unlock();
            done = true;
        },
        asio::detached);
    context.run();
    BOOST_TEST(done);
}

BOOST_AUTO_TEST_CASE(any_coroutine_executor_will_do)
{
    weft::io_context context;
    weft::mutex any(context);
    weft::basic_mutex<weft::io_context::executor_type> own(context);
    int done = 0;
    auto const body = [&](auto) -> asio::awaitable<void, weft::io_context::executor_type>
    {
        auto const a = co_await any.async_scoped_lock();
        auto const b = co_await own.async_scoped_lock();
        co_await asio::post(
            context.get_executor(), asio::use_awaitable_t<weft::io_context::executor_type>());
        ++done;
    };
    asio::co_spawn(context.get_executor(), body(0), asio::detached);
    asio::co_spawn(context.get_executor(), body(0), asio::detached);
    context.run();
    BOOST_TEST(done == 2);
}

BOOST_AUTO_TEST_SUITE_END()
