// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/reactor/post_op.hpp>

#include "parity/counted_new.hpp"
#include "support/booked_allocator.hpp"

#include <boost/asio/execution_context.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace
{

using test::out_of_memory_in;
using weft::detail::operation;
using weft::detail::ready_operation;

// A handler of which the objects that exist, and the calls, are counted.
struct tally
{
    int alive = 0;
    int calls = 0;
};

template <typename Body>
class counted
{
public:
    counted(tally& t, Body body) : tally_(&t), body_(std::move(body))
    {
        ++tally_->alive;
    }

    counted(counted const& other) : tally_(other.tally_), body_(other.body_)
    {
        ++tally_->alive;
    }

    counted(counted&& other) : tally_(other.tally_), body_(std::move(other.body_))
    {
        ++tally_->alive;
    }

    ~counted()
    {
        --tally_->alive;
    }

    void operator()()
    {
        ++tally_->calls;
        body_();
    }

private:
    tally* tally_;
    Body body_;
};

struct throws_when_moved
{
    explicit throws_when_moved(int& n) : moves_left(&n)
    {
    }

    throws_when_moved(throws_when_moved&& other) : moves_left(other.moves_left)
    {
        if ((*moves_left)-- == 0)
            throw std::runtime_error("moved too often");
    }

    void operator()()
    {
    }

    int* moves_left;
};

struct fixture
{
    boost::asio::execution_context context;
    test::book memory;
    tally handlers;
    int owner = 0;

    template <typename F, typename Allocator>
    operation* make(F&& f, Allocator const& a)
    {
        return weft::detail::post_op<std::decay_t<F>, Allocator>::create(
            context, std::forward<F>(f), a);
    }

    template <typename F>
    operation* make(F&& f)
    {
        return make(std::forward<F>(f), test::booked_allocator<>(memory));
    }

    void run(operation* op)
    {
        ready_operation(op).complete(&owner);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(post_op, fixture)

BOOST_AUTO_TEST_CASE(a_handler_is_kept_until_it_runs_and_gone_afterwards)
{
    operation* const op = make(counted(handlers, [] {}));
    BOOST_TEST(handlers.alive == 1);
    BOOST_TEST(handlers.calls == 0);
    run(op);
    BOOST_TEST(handlers.alive == 0);
    BOOST_TEST(handlers.calls == 1);
}

BOOST_AUTO_TEST_CASE(a_handler_that_is_an_lvalue_is_copied)
{
    counted handler(handlers, [] {});
    operation* const op = make(handler);
    BOOST_TEST(handlers.alive == 2);
    run(op);
    BOOST_TEST(handlers.alive == 1);
    BOOST_TEST(handlers.calls == 1);
    handler();
    BOOST_TEST(handlers.calls == 2);
}

BOOST_AUTO_TEST_CASE(one_handler_object_is_left_while_it_runs)
{
    int alive = 0;
    operation* const op = make(counted(handlers, [&] { alive = handlers.alive; }));
    run(op);
    BOOST_TEST(alive == 1);
}

BOOST_AUTO_TEST_CASE(a_handler_is_destroyed_without_a_call)
{
    operation* const op = make(counted(handlers, [] {}));
    op->destroy();
    BOOST_TEST(handlers.alive == 0);
    BOOST_TEST(handlers.calls == 0);
}

BOOST_AUTO_TEST_CASE(a_handler_that_can_only_be_moved_is_moved)
{
    int seen = 0;
    run(make([&, value = std::make_unique<int>(7)] { seen = *value; }));
    BOOST_TEST(seen == 7);
    make([value = std::make_unique<int>(7)] {})->destroy();
    BOOST_TEST(memory.allocations == 2);
    BOOST_TEST(memory.alive() == 0);
}

BOOST_AUTO_TEST_CASE(a_handler_is_called_as_an_rvalue_or_through_its_hook)
{
    struct by_value_category
    {
        int* lvalue_calls;

        void operator()() &
        {
            ++*lvalue_calls;
        }

        void operator()() &&
        {
            --*lvalue_calls;
        }
    };
    int lvalue_calls = 0;
    run(make(by_value_category{&lvalue_calls}));
    BOOST_TEST(lvalue_calls == (WEFT_HAS_INVOKE_HOOK ? 1 : -1));
}

BOOST_AUTO_TEST_CASE(the_memory_is_back_before_the_handler_runs)
{
    int live = -1;
    operation* const op = make([&] { live = memory.alive(); });
    BOOST_TEST(memory.alive() == 1);
    run(op);
    BOOST_TEST(live == 0);
    BOOST_TEST(memory.allocations == 1);
    BOOST_TEST(memory.deallocations == 1);
}

BOOST_AUTO_TEST_CASE(the_memory_is_back_once_when_the_handler_is_destroyed)
{
    make([] {})->destroy();
    BOOST_TEST(memory.allocations == 1);
    BOOST_TEST(memory.deallocations == 1);
}

BOOST_AUTO_TEST_CASE(a_handler_may_own_the_source_of_its_memory)
{
    for (const bool runs : {true, false})
    {
        auto own = std::make_shared<test::book>();
        const std::weak_ptr<test::book> watch = own;
        test::book& source = *own;
        bool returned = false;
        operation* const op =
            make([&returned, own = std::move(own)] { returned = own->deallocations == 1; },
                test::booked_allocator<>(source));
        BOOST_TEST(!watch.expired());
        if (runs)
            run(op);
        else
            op->destroy();
        BOOST_TEST(returned == runs);
        BOOST_TEST(watch.expired());
    }
}

BOOST_AUTO_TEST_CASE(an_exception_of_the_handler_comes_through_and_leaves_nothing)
{
    operation* const op =
        make(counted(handlers, [] { throw std::runtime_error("from a handler"); }));
    BOOST_CHECK_THROW(run(op), std::runtime_error);
    BOOST_TEST(handlers.calls == 1);
    BOOST_TEST(handlers.alive == 0);
    BOOST_TEST(memory.allocations == 1);
    BOOST_TEST(memory.deallocations == 1);
}

BOOST_AUTO_TEST_CASE(a_handler_that_cannot_be_moved_in_leaves_nothing)
{
    int moves_left = 0;
    BOOST_CHECK_THROW(make(throws_when_moved(moves_left)), std::runtime_error);
    BOOST_TEST(memory.allocations == 1);
    BOOST_TEST(memory.deallocations == 1);
}

BOOST_AUTO_TEST_CASE(a_handler_that_cannot_be_moved_out_leaves_nothing)
{
    for (const bool runs : {true, false})
    {
        test::book own;
        int moves_left = 1;
        operation* const op = make(throws_when_moved(moves_left), test::booked_allocator<>(own));
        BOOST_TEST(moves_left == 0);
        if (runs)
            BOOST_CHECK_THROW(run(op), std::runtime_error);
        else
            BOOST_CHECK_THROW(op->destroy(), std::runtime_error);
        BOOST_TEST(own.allocations == 1);
        BOOST_TEST(own.deallocations == 1);
    }
}

BOOST_AUTO_TEST_CASE(a_handler_is_left_alone_when_there_is_no_memory)
{
    memory.refuse = true;
    counted handler(handlers, [] {});
    BOOST_CHECK_THROW(make(std::move(handler)), std::bad_alloc);
    BOOST_TEST(handlers.alive == 1);
    BOOST_TEST(memory.allocations == 0);
    BOOST_TEST(memory.deallocations == 0);
}

BOOST_AUTO_TEST_CASE(the_default_allocator_says_that_there_is_no_memory)
{
    // Too large for the caches of small blocks.
    std::array<char, 20000> const ballast{};
    counted handler(handlers, [ballast] { (void)ballast; });
    BOOST_TEST(out_of_memory_in([&] { make(std::move(handler), std::allocator<void>()); }));
    BOOST_TEST(handlers.alive == 1);
}

BOOST_AUTO_TEST_CASE(a_handler_that_makes_another_finds_its_own_memory)
{
    struct generation
    {
        fixture& f;
        int left;

        void operator()()
        {
            ++f.handlers.calls;
            if (left == 0)
                return;
            operation* next = nullptr;
            BOOST_TEST(test::allocations_in(
                           [&] {
                               next = f.make(generation{f, left - 1}, std::allocator<void>());
                           }) == 0u);
            f.run(next);
        }
    };
    run(make(generation{*this, 10}, std::allocator<void>()));
    BOOST_TEST(handlers.calls == 11);
}

BOOST_AUTO_TEST_SUITE_END()
