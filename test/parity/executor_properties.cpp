// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

#include <boost/mpl/list.hpp>

namespace
{

namespace execution = boost::asio::execution;

template <class T>
struct some_allocator
{
    using value_type = T;

    some_allocator() = default;

    explicit some_allocator(int given) : number(given)
    {
    }

    template <class U>
    some_allocator(const some_allocator<U>& other) : number(other.number)
    {
    }

    T* allocate(std::size_t n)
    {
        return std::allocator<T>().allocate(n);
    }

    void deallocate(T* p, std::size_t n)
    {
        std::allocator<T>().deallocate(p, n);
    }

    friend bool operator==(const some_allocator& a, const some_allocator& b)
    {
        return a.number == b.number;
    }

    int number = 0;
};

template <class Executor, class Property>
using required = std::decay_t<decltype(asio::require(
    std::declval<const Executor&>(), std::declval<const Property&>()))>;

// All that holds of every variant of an executor.
template <class Executor>
constexpr bool well_behaved()
{
    static_assert(execution::is_executor_v<Executor>);
    static_assert(asio::is_executor<Executor>::value);
    static_assert(std::is_nothrow_copy_constructible_v<Executor>);
    static_assert(std::is_nothrow_move_constructible_v<Executor>);
    static_assert(std::is_nothrow_copy_assignable_v<Executor>);
    static_assert(std::is_nothrow_move_assignable_v<Executor>);
    static_assert(std::is_nothrow_destructible_v<Executor>);
    static_assert(noexcept(std::declval<const Executor&>() == std::declval<const Executor&>()));
    static_assert(noexcept(std::declval<const Executor&>() != std::declval<const Executor&>()));
    static_assert(noexcept(std::declval<const Executor&>().running_in_this_thread()));

    static_assert(asio::can_query_v<const Executor&, execution::context_t>);
    static_assert(
        asio::can_query_v<const Executor&, execution::context_as_t<asio::execution_context&>>);
    static_assert(asio::can_query_v<const Executor&, execution::blocking_t>);
    static_assert(asio::can_query_v<const Executor&, execution::relationship_t>);
    static_assert(asio::can_query_v<const Executor&, execution::outstanding_work_t>);
    static_assert(asio::can_query_v<const Executor&, execution::mapping_t>);
    static_assert(asio::can_query_v<const Executor&, execution::allocator_t<void>>);

    static_assert(asio::can_require_v<const Executor&, execution::blocking_t::possibly_t>);
    static_assert(asio::can_require_v<const Executor&, execution::blocking_t::never_t>);
    static_assert(asio::can_require_v<const Executor&, execution::relationship_t::fork_t>);
    static_assert(asio::can_require_v<const Executor&, execution::relationship_t::continuation_t>);
    static_assert(asio::can_require_v<const Executor&, execution::outstanding_work_t::tracked_t>);
    static_assert(asio::can_require_v<const Executor&, execution::outstanding_work_t::untracked_t>);
    static_assert(asio::can_require_v<const Executor&, execution::allocator_t<void>>);
    static_assert(
        asio::can_require_v<const Executor&, execution::allocator_t<some_allocator<void>>>);
    static_assert(asio::can_prefer_v<const Executor&, execution::blocking_t::never_t>);
    static_assert(asio::can_prefer_v<const Executor&, execution::outstanding_work_t::tracked_t>);
    return true;
}

template <class Context>
constexpr bool all_variants_well_behaved()
{
    using plain = typename Context::executor_type;
    using tracked = required<plain, execution::outstanding_work_t::tracked_t>;
    static_assert(well_behaved<plain>());
    static_assert(well_behaved<tracked>());
    static_assert(well_behaved<required<plain, execution::outstanding_work_t::untracked_t>>());
    static_assert(well_behaved<required<plain, execution::blocking_t::never_t>>());
    static_assert(well_behaved<required<plain, execution::blocking_t::possibly_t>>());
    static_assert(well_behaved<required<plain, execution::relationship_t::fork_t>>());
    static_assert(well_behaved<required<tracked, execution::relationship_t::continuation_t>>());
    static_assert(well_behaved<required<plain, execution::allocator_t<void>>>());
    static_assert(well_behaved<required<plain, execution::allocator_t<some_allocator<void>>>>());
    static_assert(well_behaved<required<tracked, execution::allocator_t<some_allocator<void>>>>());

    // At most two words, so that any_io_executor needs no memory for it.
    constexpr std::size_t two_words = 2 * sizeof(void*);
    static_assert(sizeof(plain) <= two_words);
    static_assert(sizeof(tracked) <= two_words);
    static_assert(sizeof(required<plain, execution::blocking_t::never_t>) <= two_words);
    static_assert(sizeof(required<tracked, execution::blocking_t::never_t>) <= two_words);
    static_assert(
        sizeof(required<tracked, execution::relationship_t::continuation_t>) <= two_words);
    static_assert(sizeof(required<plain, execution::allocator_t<void>>) <= two_words);
    return true;
}

static_assert(all_variants_well_behaved<subject::io_context>());
static_assert(all_variants_well_behaved<subject::thread_pool>());
static_assert(asio::can_require_v<const subject::thread_pool::executor_type&,
    execution::blocking_t::always_t>);
static_assert(
    asio::can_query_v<const subject::thread_pool::executor_type&, execution::occupancy_t>);

using contexts = boost::mpl::list<subject::io_context, subject::thread_pool>;

template <class Context>
struct with_context
{
    Context context{1};
    typename Context::executor_type executor = context.get_executor();
};

template <class Context, class Property, class Value, class Default>
void require_back_and_forth(Property property, Value value, Default by_default)
{
    with_context<Context> c;
    const auto there = asio::require(c.executor, value);
    BOOST_TEST((asio::query(there, property) == value));
    const auto back = asio::require(there, by_default);
    BOOST_TEST((asio::query(back, property) == by_default));
    BOOST_TEST((back == c.executor));
}

} // namespace

BOOST_AUTO_TEST_SUITE(executor_properties)

BOOST_AUTO_TEST_CASE_TEMPLATE(a_fresh_executor_has_the_default_properties, Context, contexts)
{
    with_context<Context> c;
    BOOST_TEST((asio::query(c.executor, execution::blocking) == execution::blocking.possibly));
    BOOST_TEST((asio::query(c.executor, execution::relationship) == execution::relationship.fork));
    BOOST_TEST((asio::query(c.executor, execution::outstanding_work) ==
                execution::outstanding_work.untracked));
    BOOST_TEST((asio::query(c.executor, execution::mapping) == execution::mapping.thread));
    BOOST_TEST((asio::query(c.executor, execution::allocator) == std::allocator<void>()));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(blocking_can_be_required_back_and_forth, Context, contexts)
{
    require_back_and_forth<Context>(
        execution::blocking, execution::blocking.never, execution::blocking.possibly);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(relationship_can_be_required_back_and_forth, Context, contexts)
{
    require_back_and_forth<Context>(execution::relationship, execution::relationship.continuation,
        execution::relationship.fork);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(outstanding_work_can_be_required_back_and_forth, Context, contexts)
{
    require_back_and_forth<Context>(execution::outstanding_work,
        execution::outstanding_work.tracked, execution::outstanding_work.untracked);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(properties_do_not_disturb_each_other, Context, contexts)
{
    with_context<Context> c;
    const auto all =
        asio::require(c.executor, execution::blocking.never, execution::relationship.continuation,
            execution::outstanding_work.tracked, execution::allocator(some_allocator<void>(7)));
    BOOST_TEST((asio::query(all, execution::blocking) == execution::blocking.never));
    BOOST_TEST((asio::query(all, execution::relationship) == execution::relationship.continuation));
    BOOST_TEST(
        (asio::query(all, execution::outstanding_work) == execution::outstanding_work.tracked));
    BOOST_TEST(asio::query(all, execution::allocator).number == 7);
    BOOST_TEST(&asio::query(all, execution::context) == &c.context);

    const auto back = asio::require(all, execution::blocking.possibly, execution::relationship.fork,
        execution::outstanding_work.untracked, execution::allocator);
    static_assert(std::is_same_v<decltype(back), const typename Context::executor_type>);
    BOOST_TEST((back == c.executor));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_context_is_found_through_every_query, Context, contexts)
{
    with_context<Context> c;
    const auto& executor = c.executor;
    static_assert(std::is_same_v<decltype(asio::query(executor, execution::context)), Context&>);
    BOOST_TEST(&asio::query(executor, execution::context) == &c.context);
    BOOST_TEST(&asio::query(executor, execution::context_as<asio::execution_context&>) ==
               static_cast<asio::execution_context*>(&c.context));
    BOOST_TEST(&asio::query(executor, execution::context_as<Context&>) == &c.context);
    BOOST_TEST(&asio::query(executor, execution::context_as<const Context&>) == &c.context);
    BOOST_TEST(&asio::query(executor, execution::context_as_t<const asio::execution_context&>()) ==
               static_cast<const asio::execution_context*>(&c.context));
    BOOST_TEST(&executor.context() == &c.context);
    static_assert(std::is_same_v<decltype(executor.context()), Context&>);
}

// As programs do that reach the context through a socket's type-erased executor.
BOOST_AUTO_TEST_CASE(the_context_of_an_any_io_executor_can_be_cast_back)
{
    subject::io_context context;
    const asio::any_io_executor any = context.get_executor();
    BOOST_TEST(&static_cast<subject::io_context&>(any.context()) == &context);
    BOOST_TEST(
        &static_cast<subject::io_context&>(asio::query(any, execution::context)) == &context);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_allocator_is_kept_and_can_be_dropped, Context, contexts)
{
    with_context<Context> c;
    const auto with = asio::require(c.executor, execution::allocator(some_allocator<void>(3)));
    BOOST_TEST(asio::query(with, execution::allocator).number == 3);
    const auto never = asio::require(with, execution::blocking.never);
    BOOST_TEST(asio::query(never, execution::allocator).number == 3);
    const auto tracked = asio::require(with, execution::outstanding_work.tracked);
    BOOST_TEST(asio::query(tracked, execution::allocator).number == 3);
    const auto without = asio::require(tracked, execution::allocator);
    static_assert(
        std::is_same_v<decltype(asio::query(without, execution::allocator)), std::allocator<void>>);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(prefer_follows_require_and_ignores_what_cannot_be, Context, contexts)
{
    with_context<Context> c;
    BOOST_TEST((asio::query(asio::prefer(c.executor, execution::blocking.never),
                    execution::blocking) == execution::blocking.never));
    BOOST_TEST((asio::query(asio::prefer(c.executor, execution::outstanding_work.tracked),
                    execution::outstanding_work) == execution::outstanding_work.tracked));
    BOOST_TEST((asio::prefer(c.executor, execution::mapping.new_thread) == c.executor));
    BOOST_TEST((asio::require(c.executor, execution::mapping.thread) == c.executor));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    executors_are_equal_when_context_and_properties_are, Context, contexts)
{
    with_context<Context> c;
    with_context<Context> other;
    const auto copy = c.executor;
    BOOST_TEST((copy == c.executor));
    BOOST_TEST(!(copy != c.executor));
    BOOST_TEST((c.context.get_executor() == c.executor));
    BOOST_TEST((other.executor != c.executor));
    BOOST_TEST(!(other.executor == c.executor));
    const auto never = asio::require(c.executor, execution::blocking.never);
    BOOST_TEST((never != c.executor));
    BOOST_TEST((asio::require(c.executor, execution::blocking.never) == never));
    const auto seven = asio::require(c.executor, execution::allocator(some_allocator<void>(7)));
    const auto eight = asio::require(c.executor, execution::allocator(some_allocator<void>(8)));
    BOOST_TEST((seven == asio::require(seven, execution::blocking.possibly)));
    BOOST_TEST((seven != eight));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(executors_can_be_assigned_across_contexts, Context, contexts)
{
    with_context<Context> c;
    with_context<Context> other;
    auto executor = c.executor;
    executor = other.executor;
    BOOST_TEST((executor == other.executor));
    executor = std::move(c.executor);
    BOOST_TEST(&executor.context() == &c.context);
    auto never = asio::require(executor, execution::blocking.never);
    never = asio::require(other.executor, execution::blocking.never);
    BOOST_TEST(&never.context() == &other.context);
    BOOST_TEST((asio::query(never, execution::blocking) == execution::blocking.never));
}

BOOST_AUTO_TEST_CASE(a_pool_executor_can_be_asked_to_block_always)
{
    subject::thread_pool pool(1);
    const auto always = asio::require(pool.get_executor(), execution::blocking.always);
    BOOST_TEST((asio::query(always, execution::blocking) == execution::blocking.always));
    static_assert(well_behaved<std::decay_t<decltype(always)>>());
    static_assert(sizeof(always) <= 2 * sizeof(void*));
    const auto possibly = asio::require(always, execution::blocking.possibly);
    BOOST_TEST((asio::query(possibly, execution::blocking) == execution::blocking.possibly));
    const auto never = asio::require(always, execution::blocking.never);
    BOOST_TEST((asio::query(never, execution::blocking) == execution::blocking.never));
}

BOOST_AUTO_TEST_CASE(a_pool_executor_tells_how_many_threads_there_are)
{
    for (std::size_t threads : {1u, 2u, 5u})
    {
        subject::thread_pool pool(threads);
        BOOST_TEST(asio::query(pool.get_executor(), execution::occupancy) == threads);
    }
}

BOOST_AUTO_TEST_SUITE_END()
