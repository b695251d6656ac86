// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/reactor/operation.hpp>

#include <weft/queue/op_list.hpp>
#include <weft/reactor/post_op.hpp>

#include <boost/asio/execution_context.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <stdexcept>

namespace
{

using weft::detail::operation;
using weft::detail::ready_operation;

template <typename F>
operation* make(F f)
{
    static boost::asio::execution_context context;
    return weft::detail::post_op<F, std::allocator<void>>::create(context, f, {});
}

struct throws_when_moved
{
    explicit throws_when_moved(int n) : left(n)
    {
    }

    throws_when_moved(throws_when_moved const&) = default;

    throws_when_moved(throws_when_moved&& other) : left(other.left - 1)
    {
        if (left < 0)
            throw std::runtime_error("moved too often");
    }

    void operator()()
    {
    }

    int left;
};

} // namespace

BOOST_AUTO_TEST_CASE(an_operation_runs_its_function_once_and_frees_it)
{
    auto const token = std::make_shared<int>(0);
    operation* const op = make([token] { ++*token; });
    int owner = 0;
    ready_operation(op).complete(&owner);
    BOOST_TEST(*token == 1);
    BOOST_TEST(token.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(a_destroyed_operation_frees_its_function_without_running_it)
{
    auto const token = std::make_shared<int>(0);
    ready_operation(make([token] { ++*token; })).destroy();
    BOOST_TEST(*token == 0);
    BOOST_TEST(token.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(an_exception_leaves_complete_and_the_function_is_freed)
{
    auto const token = std::make_shared<int>(0);
    int owner = 0;
    ready_operation const op(make(
        [token]
        {
            ++*token;
            throw std::runtime_error("from a handler");
        }));
    BOOST_CHECK_THROW(op.complete(&owner), std::runtime_error);
    BOOST_TEST(*token == 1);
    BOOST_TEST(token.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(a_function_that_throws_while_it_is_moved_in_leaves_nothing_behind)
{
    boost::asio::execution_context context;
    using op = weft::detail::post_op<throws_when_moved, std::allocator<void>>;
    throws_when_moved f(0);
    BOOST_CHECK_THROW(op::create(context, std::move(f), {}), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(an_over_aligned_function_gets_aligned_memory)
{
    struct alignas(256) wide
    {
        bool* aligned;

        void operator()()
        {
            *aligned = reinterpret_cast<std::uintptr_t>(this) % 256 == 0;
        }
    };
    bool aligned = false;
    int owner = 0;
    ready_operation(make(wide{&aligned})).complete(&owner);
    BOOST_TEST(aligned);
}

BOOST_AUTO_TEST_CASE(operations_form_lists_through_their_own_links)
{
    weft::detail::op_list<operation, weft::detail::operation_link> list;
    operation* const a = make([] {});
    operation* const b = make([] {});
    list.push(a);
    list.push(b);
    BOOST_TEST(list.pop() == a);
    BOOST_TEST(list.pop() == b);
    BOOST_TEST(list.pop() == nullptr);
    a->destroy();
    b->destroy();
}
