// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/reactor/thread_slot.hpp>

#include <weft/io_context.hpp>
#include <weft/reactor/post_op.hpp>

#include "support/asio.hpp"

#include <boost/asio/detail/scheduler.hpp>
#include <boost/asio/detail/thread_context.hpp>

namespace
{

using weft::detail::operation;
using weft::detail::ready_operation;
using weft::detail::thread_entry;
using weft::detail::thread_slot;

// The scheduler inside a context of weft's, which posts to a thread's slot what is posted on it.
struct fixture
{
    weft::io_context context;
    boost::asio::detail::scheduler& inner =
        boost::asio::use_service<boost::asio::detail::scheduler>(context);
    std::vector<int> order;
    int owner = 0;

    operation* make(int number)
    {
        auto f = [this, number]
        {
            order.push_back(number);
        };
        return weft::detail::post_op<decltype(f), std::allocator<void>>::create(context, f, {});
    }

    // As a continuation: that goes to the slot whatever the backend. What else does is a question
    // for the tests of the driver.
    void post(int number)
    {
        inner.post_immediate_completion(make(number), true);
    }

    void run_all(thread_slot& slot)
    {
        slot.drain([this](operation* op) { ready_operation(op).complete(&owner); });
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(thread_slot_, fixture)

BOOST_AUTO_TEST_CASE(a_new_slot_is_empty)
{
    thread_slot slot;
    BOOST_TEST(!slot.has_posted());
    BOOST_TEST(!slot.ran_nothing());
    slot.drain([](operation*) { BOOST_ERROR("there is nothing"); });
}

BOOST_AUTO_TEST_CASE(what_is_posted_is_drained_once_and_in_order)
{
    thread_slot slot;
    const thread_entry entry(inner, slot);
    for (int i = 0; i != 5; ++i)
        post(i);
    BOOST_TEST(slot.has_posted());
    BOOST_TEST(order.empty());
    run_all(slot);
    BOOST_TEST(!slot.has_posted());
    BOOST_TEST((order == std::vector<int>{0, 1, 2, 3, 4}));
    run_all(slot);
    BOOST_TEST(order.size() == 5u);
}

BOOST_AUTO_TEST_CASE(what_is_posted_while_draining_is_drained_too)
{
    thread_slot slot;
    const thread_entry entry(inner, slot);
    post(0);
    post(1);
    int next = 2;
    slot.drain(
        [&](operation* op)
        {
            if (next != 5)
                post(next++);
            ready_operation(op).complete(&owner);
        });
    BOOST_TEST(!slot.has_posted());
    BOOST_TEST((order == std::vector<int>{0, 1, 2, 3, 4}));
}

BOOST_AUTO_TEST_CASE(the_innermost_entry_of_the_thread_gets_what_is_posted)
{
    thread_slot outer;
    thread_slot inner_slot;
    const thread_entry entry(inner, outer);
    {
        const thread_entry nested(inner, inner_slot);
        post(0);
        BOOST_TEST(!outer.has_posted());
        BOOST_TEST(inner_slot.has_posted());
    }
    post(1);
    BOOST_TEST(outer.has_posted());
    run_all(outer);
    BOOST_TEST((order == std::vector<int>{1}));
    run_all(inner_slot);
    BOOST_TEST((order == std::vector<int>{1, 0}));
}

BOOST_AUTO_TEST_CASE(an_entry_for_another_context_does_not_hide_the_slot)
{
    weft::io_context other;
    thread_slot slot;
    thread_slot slot_of_other;
    const thread_entry entry(inner, slot);
    const thread_entry nested(
        boost::asio::use_service<boost::asio::detail::scheduler>(other), slot_of_other);
    post(0);
    BOOST_TEST(slot.has_posted());
    BOOST_TEST(!slot_of_other.has_posted());
    run_all(slot);
    BOOST_TEST(order.size() == 1u);
}

BOOST_AUTO_TEST_CASE(an_entry_is_this_threads_alone)
{
    thread_slot slot;
    const thread_entry entry(inner, slot);
    std::thread([&] { BOOST_TEST(!inner.can_dispatch()); }).join();
    BOOST_TEST(inner.can_dispatch());
}

BOOST_AUTO_TEST_CASE(a_hidden_entry_is_none_wherever_it_is_and_comes_back_with_another_slot)
{
    thread_slot slot;
    thread_slot other_slot;
    thread_entry entry(inner, slot);
    // Innermost: nor is its memory used.
    entry.hide();
    BOOST_TEST(!inner.can_dispatch());
    BOOST_TEST(boost::asio::detail::thread_context::top_of_thread_call_stack() == nullptr);
    entry.show(inner, slot);
    BOOST_TEST(inner.can_dispatch());
    BOOST_TEST(boost::asio::detail::thread_context::top_of_thread_call_stack() != nullptr);

    // Below a context of Asio's own.
    boost::asio::io_context between;
    boost::asio::post(between,
        [&]
        {
            entry.hide();
            BOOST_TEST(!inner.can_dispatch());
            BOOST_TEST(between.get_executor().running_in_this_thread());
            post(0);
            BOOST_TEST(!slot.has_posted());
            entry.show(inner, other_slot);
            post(1);
        });
    BOOST_TEST(between.run() == 1u);
    BOOST_TEST(inner.can_dispatch());
    BOOST_TEST(!slot.has_posted());
    BOOST_TEST(other_slot.has_posted());
    run_all(other_slot);
    BOOST_TEST((order == std::vector<int>{1}));
}

BOOST_AUTO_TEST_CASE(work_without_an_operation_is_told_until_it_is_settled)
{
    thread_slot slot;
    const thread_entry entry(inner, slot);
    inner.compensating_work_started();
    BOOST_TEST(slot.ran_nothing());
    slot.settle_work();
    BOOST_TEST(!slot.ran_nothing());

    inner.compensating_work_started();
    post(0);
    BOOST_TEST(!slot.ran_nothing());
    slot.drain([](operation* op) { op->destroy(); });
    BOOST_TEST(!slot.ran_nothing());
    inner.compensating_work_started();
    BOOST_TEST(slot.ran_nothing());
}

BOOST_AUTO_TEST_CASE(a_posted_operation_is_no_sign_that_nothing_ran)
{
    thread_slot slot;
    const thread_entry entry(inner, slot);
    post(0);
    BOOST_TEST(!slot.ran_nothing());
    slot.settle_work();
    BOOST_TEST(slot.has_posted());
    run_all(slot);
    BOOST_TEST(order.size() == 1u);
}

// An operation that was started before is on the common count, one that is posted at once is not.
BOOST_AUTO_TEST_CASE(what_asio_has_counted_for_all_is_told_once_when_it_is_handed_over)
{
    thread_slot slot;
    const thread_entry entry(inner, slot);
    post(0);
    inner.post_deferred_completion(make(1));
    inner.post_deferred_completion(make(2));
    run_all(slot);
    BOOST_TEST(slot.take_finished_work() == 2);
    BOOST_TEST(slot.take_finished_work() == 0);
    // An event that completes nothing.
    inner.compensating_work_started();
    slot.settle_work();
    BOOST_TEST(slot.take_finished_work() == -1);
}

BOOST_AUTO_TEST_CASE(the_only_operation_is_handed_over_if_it_was_started_here_and_is_complete)
{
    thread_slot slot;
    const thread_entry entry(inner, slot);
    BOOST_TEST(!slot.take_completed_one());
    post(0);
    operation* const one = slot.completed_one();
    BOOST_TEST_REQUIRE(one);
    BOOST_TEST(slot.take_completed_one() == one);
    BOOST_TEST(!slot.has_posted());
    BOOST_TEST(!slot.take_completed_one());
    BOOST_TEST(slot.take_finished_work() == 0);
    ready_operation(one).complete(&owner);
    BOOST_TEST(order.size() == 1u);
    // Neither one that was started long ago nor one of two.
    inner.post_deferred_completion(make(1));
    BOOST_TEST(!slot.take_completed_one());
    run_all(slot);
    BOOST_TEST(slot.take_finished_work() == 1);
    post(2);
    post(3);
    BOOST_TEST(!slot.take_completed_one());
    run_all(slot);
    BOOST_TEST((order == std::vector<int>{0, 1, 2, 3}));
}

BOOST_AUTO_TEST_SUITE_END()
