// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

#include "parity/counted_new.hpp"

#include <boost/mpl/list.hpp>

#include <cstdlib>
#include <new>

namespace
{

namespace execution = boost::asio::execution;
using contexts = boost::mpl::list<io_context, thread_pool>;

static_assert(std::is_convertible_v<io_context::executor_type, asio::any_io_executor>);
static_assert(std::is_convertible_v<thread_pool::executor_type, asio::any_io_executor>);
static_assert(std::is_convertible_v<io_context::executor_type, asio::any_completion_executor>);
static_assert(std::is_convertible_v<thread_pool::executor_type, asio::any_completion_executor>);
static_assert(std::is_convertible_v<io_context::executor_type, asio::executor>);
static_assert(std::is_constructible_v<asio::steady_timer, io_context&>);
static_assert(std::is_constructible_v<asio::ip::tcp::socket, io_context&>);
static_assert(std::is_constructible_v<asio::ip::tcp::socket, io_context::executor_type>);
static_assert(std::is_constructible_v<asio::ip::tcp::socket, thread_pool&>);

} // namespace

BOOST_AUTO_TEST_SUITE(executor_any)

BOOST_AUTO_TEST_CASE(the_allocation_counter_counts)
{
    BOOST_TEST(test::allocations_in([] { ::operator delete(::operator new(4)); }) == 1u);
    BOOST_TEST(test::allocations_in([] { std::free(std::aligned_alloc(64, 64)); }) == 1u);
    BOOST_TEST(test::allocations_in([] {}) == 0u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(storing_an_executor_type_erased_allocates_nothing, Context, contexts)
{
    Context context(1);
    const auto plain = context.get_executor();
    const auto never = asio::require(plain, execution::blocking.never);
    const auto tracked = asio::require(plain, execution::outstanding_work.tracked);
    const auto all = asio::require(plain, execution::blocking.never,
        execution::relationship.continuation, execution::outstanding_work.tracked);
    const auto count = test::allocations_in(
        [&]
        {
            for (int i = 0; i != 10; ++i)
            {
                asio::any_io_executor any = plain;
                const asio::any_io_executor any_never = never;
                const asio::any_io_executor any_tracked = tracked;
                const asio::any_io_executor any_all = all;
                any = any_never;
                any = any_tracked;
                any = asio::any_io_executor(any_all);
                const asio::any_completion_executor completion = plain;
                const asio::any_completion_executor completion_all = all;
                const asio::any_completion_executor copy = completion_all;
            }
        });
    BOOST_TEST(count == 0u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(changing_a_type_erased_executor_allocates_nothing, Context, contexts)
{
    Context context(1);
    const asio::any_io_executor any = context.get_executor();
    const asio::any_completion_executor completion = context.get_executor();
    const auto count = test::allocations_in(
        [&]
        {
            for (int i = 0; i != 10; ++i)
            {
                const auto tracked = asio::prefer(any, execution::outstanding_work.tracked);
                const auto never = asio::require(tracked, execution::blocking.never);
                const auto next = asio::prefer(never, execution::relationship.continuation);
                const auto again = asio::prefer(next, execution::outstanding_work.untracked);
                const auto other = asio::prefer(completion, execution::outstanding_work.tracked);
            }
        });
    BOOST_TEST(count == 0u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_stored_executor_can_be_had_back, Context, contexts)
{
    Context context(1);
    using executor_type = typename Context::executor_type;
    const asio::any_io_executor any = context.get_executor();
    BOOST_TEST_REQUIRE((any.template target<executor_type>() != nullptr));
    BOOST_TEST((*any.template target<executor_type>() == context.get_executor()));
    BOOST_TEST((any.target_type() == typeid(executor_type)));
    BOOST_TEST((any.template target<asio::system_executor>() == nullptr));
    const auto never = asio::require(any, execution::blocking.never);
    BOOST_TEST_REQUIRE((never.template target<executor_type>() != nullptr));
    BOOST_TEST((asio::query(*never.template target<executor_type>(), execution::blocking) ==
                execution::blocking.never));
    const asio::any_completion_executor completion = context.get_executor();
    BOOST_TEST((completion.template target<executor_type>() != nullptr));
}

BOOST_AUTO_TEST_CASE(a_type_erased_executor_executes_as_the_one_inside)
{
    io_context context;
    const asio::any_io_executor any = context.get_executor();
    const auto never = asio::require(any, execution::blocking.never);
    int calls = 0;
    any.execute(
        [&]
        {
            any.execute([&] { ++calls; });
            BOOST_TEST(calls == 1);
            never.execute([&] { ++calls; });
            BOOST_TEST(calls == 1);
        });
    BOOST_TEST(calls == 0);
    BOOST_TEST(context.run() == 2u);
    BOOST_TEST(calls == 2);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(type_erased_executors_compare_by_what_they_hold, Context, contexts)
{
    Context context(1);
    Context other(1);
    const asio::any_io_executor any = context.get_executor();
    BOOST_TEST((any == asio::any_io_executor(context.get_executor())));
    BOOST_TEST((any != asio::any_io_executor(other.get_executor())));
    BOOST_TEST((any != asio::require(any, execution::blocking.never)));
    BOOST_TEST((any != asio::any_io_executor()));
    BOOST_TEST((asio::require(any, execution::blocking.never) ==
                asio::require(any, execution::blocking.never)));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(queries_pass_through_a_type_erased_executor, Context, contexts)
{
    Context context(1);
    const asio::any_io_executor any = context.get_executor();
    BOOST_TEST(&asio::query(any, execution::context) == &context);
    BOOST_TEST(&any.context() == &context);
}

BOOST_AUTO_TEST_CASE(an_any_executor_with_other_properties_holds_it)
{
    using any = execution::any_executor<execution::context_as_t<io_context&>,
        execution::blocking_t::never_t,
        execution::prefer_only<execution::outstanding_work_t::tracked_t>,
        execution::prefer_only<execution::relationship_t::continuation_t>>;
    io_context context;
    const any executor = context.get_executor();
    static_assert(
        std::is_same_v<decltype(asio::query(executor, execution::context_as<io_context&>)),
            io_context&>);
    BOOST_TEST(&asio::query(executor, execution::context_as<io_context&>) == &context);
    int calls = 0;
    asio::require(executor, execution::blocking.never).execute([&] { ++calls; });
    asio::prefer(executor, execution::outstanding_work.tracked).execute([&] { ++calls; });
    BOOST_TEST(context.run() == 2u);
    BOOST_TEST(calls == 2);
}

BOOST_AUTO_TEST_CASE(the_ts_polymorphic_executor_holds_it)
{
    io_context context;
    const asio::executor executor = context.get_executor();
    int calls = 0;
    executor.post([&] { ++calls; }, std::allocator<void>());
    asio::post(executor, [&] { ++calls; });
    asio::dispatch(executor, [&] { ++calls; });
    executor.on_work_started();
    executor.on_work_finished();
    BOOST_TEST(&executor.context() == &context);
    BOOST_TEST((executor.target<io_context::executor_type>() != nullptr));
    BOOST_TEST(context.run() == 3u);
    BOOST_TEST(calls == 3);
}

BOOST_AUTO_TEST_CASE(a_type_erased_executor_passes_as_an_executor_to_everything)
{
    io_context context;
    const asio::any_io_executor any = context.get_executor();
    asio::steady_timer timer(any, std::chrono::seconds(0));
    bool fired = false;
    timer.async_wait(asio::bind_executor(any, [&](error_code) { fired = true; }));
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(fired);
}

BOOST_AUTO_TEST_CASE(an_io_object_can_be_built_on_the_concrete_executor)
{
    using executor_type = io_context::executor_type;
    using timer_type = asio::basic_waitable_timer<std::chrono::steady_clock,
        asio::wait_traits<std::chrono::steady_clock>, executor_type>;
    io_context context;
    timer_type timer(context, std::chrono::seconds(0));
    static_assert(std::is_same_v<timer_type::executor_type, executor_type>);
    BOOST_TEST((timer.get_executor() == context.get_executor()));
    using rebound = asio::steady_timer::rebind_executor<executor_type>::other;
    rebound other(context, std::chrono::seconds(0));
    int calls = 0;
    timer.async_wait([&](error_code) { ++calls; });
    other.async_wait([&](error_code) { ++calls; });
    BOOST_TEST(context.run() == 2u);
    BOOST_TEST(calls == 2);
}

BOOST_AUTO_TEST_CASE(an_any_completion_handler_remembers_the_executor_it_was_bound_to)
{
    io_context context;
    io_context bound;
    int result = 0;
    asio::any_completion_handler<void(int)> handler =
        asio::bind_executor(bound.get_executor(), [&](int value) { result = value; });
    const auto executor = asio::get_associated_executor(handler, context.get_executor());
    asio::dispatch(executor, [&] { std::move(handler)(42); });
    BOOST_TEST(context.run() == 0u);
    BOOST_TEST(bound.run() == 1u);
    BOOST_TEST(result == 42);
}

BOOST_AUTO_TEST_SUITE_END()
