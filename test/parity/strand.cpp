// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"
#include "support/booked_allocator.hpp"

#include <numeric>

namespace
{

namespace execution = boost::asio::execution;
using strand_type = asio::strand<io_context::executor_type>;

// A plain int and a flag: the sanitizers see, and the flag tells, when two handlers meet.
class exclusive_section
{
public:
    void enter()
    {
        if (inside_.exchange(true))
            ++collisions_;
        ++entries_;
        inside_ = false;
    }

    int entries() const
    {
        return entries_;
    }

    int collisions() const
    {
        return collisions_;
    }

private:
    std::atomic<bool> inside_ = false;
    std::atomic<int> collisions_ = 0;
    int entries_ = 0;
};

// Runs until there is nothing left, whatever handlers throw; returns how often they did.
int run_through_exceptions(io_context& context)
{
    for (int thrown = 0;; ++thrown)
    {
        try
        {
            context.run();
            return thrown;
        }
        catch (const std::runtime_error&)
        {
        }
    }
}

std::vector<int> ascending(int count)
{
    std::vector<int> values(static_cast<std::size_t>(count));
    std::iota(values.begin(), values.end(), 0);
    return values;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(strand, test::with_context)

BOOST_FIXTURE_TEST_CASE(
    handlers_of_a_strand_run_in_order_on_any_number_of_threads, test::context_of_its_own)
{
    for (std::size_t threads : {1u, 2u, 4u})
    {
        io_context context;
        auto strand = asio::make_strand(context);
        std::vector<int> order;
        for (int i = 0; i != 10000; ++i)
            asio::post(strand, [&order, i] { order.push_back(i); });
        test::run_on(context, threads);
        BOOST_TEST(order == ascending(10000), boost::test_tools::per_element());
    }
}

BOOST_FIXTURE_TEST_CASE(handlers_of_a_strand_never_run_at_the_same_time, test::context_of_its_own)
{
    for (std::size_t threads : {2u, 3u, 4u})
    {
        io_context context;
        auto strand = asio::make_strand(context);
        exclusive_section section;
        std::atomic<int> outside = 0;
        for (int i = 0; i != 2000; ++i)
            asio::post(context,
                [&]
                {
                    ++outside;
                    asio::post(strand, [&] { section.enter(); });
                    asio::dispatch(strand, [&] { section.enter(); });
                    asio::defer(strand, [&] { section.enter(); });
                });
        test::run_on(context, threads);
        BOOST_TEST(outside == 2000);
        BOOST_TEST(section.entries() == 6000);
        BOOST_TEST(section.collisions() == 0);
    }
}

BOOST_AUTO_TEST_CASE(each_thread_sees_its_own_strand_posts_in_order)
{
    auto strand = asio::make_strand(context);
    auto guard = asio::make_work_guard(context);
    constexpr int posters = 3;
    constexpr int each = 3000;
    std::vector<std::vector<int>> seen(posters);
    test::thread_group runners(2, [&] { context.run(); });
    {
        test::thread_group group;
        for (int poster = 0; poster != posters; ++poster)
            group.add(
                [&, poster]
                {
                    for (int i = 0; i != each; ++i)
                        asio::post(strand, [&seen, poster, i]
                            { seen[static_cast<std::size_t>(poster)].push_back(i); });
                });
    }
    guard.reset();
    runners.join();
    for (const auto& values : seen)
        BOOST_TEST(values == ascending(each), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_chain_in_a_strand_stays_in_the_strand)
{
    auto strand = asio::make_strand(context);
    int calls = 0;
    std::function<void()> link = [&]
    {
        BOOST_TEST_REQUIRE(strand.running_in_this_thread());
        if (++calls < 1000)
            asio::post(strand, link);
    };
    asio::post(strand, link);
    context.run();
    BOOST_TEST(calls == 1000);
}

BOOST_AUTO_TEST_CASE(different_strands_run_at_the_same_time)
{
    constexpr int count = 3;
    std::latch all(count);
    std::vector<strand_type> strands(count, asio::make_strand(context));
    for (auto& strand : strands)
    {
        strand = asio::make_strand(context);
        asio::post(strand, [&] { all.arrive_and_wait(); });
    }
    test::run_on(context, count);
    BOOST_TEST(all.try_wait());
}

BOOST_AUTO_TEST_CASE(dispatch_inside_the_strand_is_inline_and_elsewhere_it_is_not)
{
    auto strand = asio::make_strand(context);
    auto other = asio::make_strand(context);
    std::vector<int> order;
    asio::post(strand,
        [&]
        {
            asio::dispatch(strand, [&] { order.push_back(0); });
            asio::post(strand, [&] { order.push_back(3); });
            order.push_back(1);
            BOOST_TEST(strand.running_in_this_thread());
            BOOST_TEST(!other.running_in_this_thread());
            order.push_back(2);
        });
    BOOST_TEST(order.empty());
    context.run();
    BOOST_TEST(order == ascending(4), boost::test_tools::per_element());
}

// A free strand is entered at once by dispatch from a thread of its context.
BOOST_AUTO_TEST_CASE(dispatch_to_a_free_strand_from_the_context_is_inline)
{
    auto strand = asio::make_strand(context);
    bool ran = false;
    asio::post(context,
        [&]
        {
            asio::dispatch(strand, [&] { ran = true; });
            BOOST_TEST(ran);
        });
    context.run();
}

BOOST_AUTO_TEST_CASE(a_strand_has_the_properties_of_its_executor)
{
    auto strand = asio::make_strand(context.get_executor());
    static_assert(std::is_same_v<decltype(strand), strand_type>);
    BOOST_TEST(&asio::query(strand, execution::context) == &context);
    BOOST_TEST(&strand.context() == &context);
    BOOST_TEST((strand.get_inner_executor() == context.get_executor()));
    BOOST_TEST((asio::query(strand, execution::blocking) == execution::blocking.possibly));
    const auto tracked = asio::require(strand, execution::outstanding_work.tracked);
    BOOST_TEST(
        (asio::query(tracked, execution::outstanding_work) == execution::outstanding_work.tracked));
    const auto copy = strand;
    BOOST_TEST((copy == strand));
    BOOST_TEST((strand != asio::make_strand(context)));
    BOOST_TEST((asio::query(asio::require(strand, execution::blocking.never),
                    execution::blocking) == execution::blocking.never));
}

BOOST_AUTO_TEST_CASE(a_tracked_strand_is_work)
{
    {
        const auto tracked =
            asio::require(asio::make_strand(context), execution::outstanding_work.tracked);
        context.poll();
        BOOST_TEST(!context.stopped());
    }
    BOOST_TEST(context.stopped());
}

BOOST_AUTO_TEST_CASE(a_tracked_strand_that_was_moved_from_is_none)
{
    auto tracked = asio::require(asio::make_strand(context), execution::outstanding_work.tracked);
    {
        auto moved = std::move(tracked);
        auto assigned = moved;
        assigned = std::move(moved);
        const auto& same = assigned;
        assigned = same;
        context.poll();
        BOOST_TEST(!context.stopped());
    }
    context.poll();
    BOOST_TEST(context.stopped());
}

BOOST_AUTO_TEST_CASE(strands_of_type_erased_executors_work_alike)
{
    const asio::any_io_executor any = context.get_executor();
    auto strand = asio::make_strand(any);
    const asio::any_io_executor erased = strand;
    std::vector<int> order;
    asio::post(erased, [&] { order.push_back(0); });
    asio::post(strand, [&] { order.push_back(1); });
    asio::post(erased, [&] { order.push_back(2); });
    test::run_on(context, 2);
    BOOST_TEST(order == ascending(3), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_strand_handler_may_outlive_the_strand_object)
{
    bool ran = false;
    asio::post(asio::make_strand(context), [&] { ran = true; });
    context.run();
    BOOST_TEST(ran);
}

BOOST_AUTO_TEST_CASE(timer_handlers_bound_to_a_strand_exclude_each_other)
{
    auto strand = asio::make_strand(context);
    exclusive_section section;
    std::vector<std::unique_ptr<asio::steady_timer>> timers;
    for (int i = 0; i != 500; ++i)
    {
        timers.push_back(
            std::make_unique<asio::steady_timer>(context, std::chrono::microseconds(i)));
        timers.back()->async_wait(
            asio::bind_executor(strand, [&](error_code) { section.enter(); }));
    }
    test::run_on(context, 3);
    BOOST_TEST(section.entries() == 500);
    BOOST_TEST(section.collisions() == 0);
}

BOOST_AUTO_TEST_CASE(io_objects_built_on_a_strand_complete_in_it)
{
    auto strand = asio::make_strand(context);
    asio::steady_timer timer(strand, std::chrono::seconds(0));
    bool inside = false;
    timer.async_wait([&](error_code) { inside = strand.running_in_this_thread(); });
    context.run();
    BOOST_TEST(inside);
}

BOOST_AUTO_TEST_CASE(many_strands_share_the_threads)
{
    constexpr std::size_t count = 50;
    std::vector<strand_type> strands;
    std::vector<exclusive_section> sections(count);
    for (std::size_t i = 0; i != count; ++i)
        strands.push_back(asio::make_strand(context));
    for (std::size_t round = 0; round != 100; ++round)
        for (std::size_t i = 0; i != count; ++i)
            asio::post(strands[i], [&, i] { sections[i].enter(); });
    test::run_on(context, 4);
    for (const auto& section : sections)
    {
        BOOST_TEST(section.entries() == 100);
        BOOST_TEST(section.collisions() == 0);
    }
}

BOOST_AUTO_TEST_CASE(strands_of_a_pool_are_strands_too)
{
    thread_pool pool(3);
    auto strand = asio::make_strand(pool);
    exclusive_section section;
    std::vector<int> order;
    for (int i = 0; i != 5000; ++i)
        asio::post(strand,
            [&, i]
            {
                section.enter();
                order.push_back(i);
            });
    pool.join();
    BOOST_TEST(section.collisions() == 0);
    BOOST_TEST(order == ascending(5000), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_exception_leaves_run_and_the_rest_runs_in_order)
{
    auto strand = asio::make_strand(context);
    std::vector<int> order;
    for (int i = 0; i != 100; ++i)
        asio::post(strand,
            [&order, i]
            {
                order.push_back(i);
                if (i % 7 == 3)
                    throw std::runtime_error("thrown by a handler");
            });
    BOOST_TEST(run_through_exceptions(context) == 14);
    BOOST_TEST(order == ascending(100), boost::test_tools::per_element());
    BOOST_TEST(!strand.running_in_this_thread());
}

BOOST_AUTO_TEST_CASE(exceptions_on_several_threads_lose_nothing)
{
    auto strand = asio::make_strand(context);
    exclusive_section section;
    std::vector<int> order;
    for (int i = 0; i != 3000; ++i)
        asio::post(strand,
            [&, i]
            {
                section.enter();
                order.push_back(i);
                if (i % 10 == 0)
                    throw std::runtime_error("thrown by a handler");
            });
    std::atomic<int> thrown = 0;
    {
        test::thread_group group(3, [&] { thrown += run_through_exceptions(context); });
    }
    BOOST_TEST(thrown == 300);
    BOOST_TEST(section.collisions() == 0);
    BOOST_TEST(order == ascending(3000), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_is_thrown_in_dispatch_inside_the_strand_comes_to_the_caller)
{
    auto strand = asio::make_strand(context);
    bool caught = false;
    asio::post(strand,
        [&]
        {
            try
            {
                asio::dispatch(strand, [] { throw std::runtime_error("inside"); });
            }
            catch (const std::runtime_error&)
            {
                caught = true;
            }
        });
    BOOST_TEST(run_through_exceptions(context) == 0);
    BOOST_TEST(caught);
}

BOOST_AUTO_TEST_CASE(what_is_thrown_in_dispatch_that_enters_the_strand_leaves_run)
{
    auto strand = asio::make_strand(context);
    bool went_on = false;
    bool later = false;
    asio::post(context,
        [&]
        {
            asio::dispatch(strand,
                [&]
                {
                    asio::post(strand, [&] { later = true; });
                    throw std::runtime_error("inside");
                });
            went_on = true;
        });
    BOOST_TEST(run_through_exceptions(context) == 1);
    BOOST_TEST(went_on);
    BOOST_TEST(later);
}

// Submits to its strand when it is destroyed, which is too late: that is destroyed, too.
class submits_when_destroyed
{
public:
    submits_when_destroyed(std::shared_ptr<int> held, const strand_type& strand)
        : held_(std::move(held)), strand_(strand)
    {
    }

    submits_when_destroyed(submits_when_destroyed&&) = default;

    ~submits_when_destroyed()
    {
        if (!held_)
            return;
        asio::post(strand_, [held = held_] { BOOST_ERROR("called"); });
        asio::dispatch(strand_, [held = held_] { BOOST_ERROR("called"); });
    }

    void operator()() const
    {
        BOOST_ERROR("called");
    }

private:
    std::shared_ptr<int> held_;
    strand_type strand_;
};

BOOST_FIXTURE_TEST_CASE(what_is_queued_is_destroyed_with_the_context, test::context_of_its_own)
{
    const auto token = std::make_shared<int>(0);
    {
        io_context context;
        const strand_type strand = asio::make_strand(context);
        const strand_type other = asio::make_strand(context);
        for (int i = 0; i != 10; ++i)
        {
            asio::post(strand, [token] { BOOST_ERROR("called"); });
            asio::post(strand, submits_when_destroyed(token, strand));
            asio::post(strand, submits_when_destroyed(token, other));
            asio::post(strand, submits_when_destroyed(token, asio::make_strand(context)));
            asio::post(other, [token, strand] { BOOST_ERROR("called"); });
            asio::post(asio::make_strand(context), submits_when_destroyed(token, strand));
            asio::post(context, submits_when_destroyed(token, strand));
        }
    }
    BOOST_TEST(token.use_count() == 1);
}

BOOST_FIXTURE_TEST_CASE(
    what_is_left_in_a_stopped_context_is_destroyed_with_it, test::context_of_its_own)
{
    const auto token = std::make_shared<int>(0);
    int called = 0;
    {
        io_context context;
        const strand_type strand = asio::make_strand(context);
        for (int i = 0; i != 10; ++i)
            asio::post(strand,
                [&, token]
                {
                    ++called;
                    asio::post(strand, [token] { BOOST_ERROR("called"); });
                    context.stop();
                });
        context.run();
        asio::post(strand, [token] { BOOST_ERROR("called"); });
    }
    BOOST_TEST(called >= 1);
    BOOST_TEST(token.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(a_strand_of_a_strand_keeps_its_order)
{
    auto outer = asio::make_strand(context);
    auto inner = asio::make_strand(outer);
    exclusive_section section;
    std::vector<int> order;
    for (int i = 0; i != 1000; ++i)
    {
        asio::post(inner,
            [&, i]
            {
                BOOST_TEST_REQUIRE(inner.running_in_this_thread());
                section.enter();
                order.push_back(i);
            });
        asio::post(outer, [&] { section.enter(); });
    }
    test::run_on(context, 3);
    BOOST_TEST(section.entries() == 2000);
    BOOST_TEST(section.collisions() == 0);
    BOOST_TEST(order == ascending(1000), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(handlers_inside_each_others_strands_see_where_they_are)
{
    auto a = asio::make_strand(context);
    auto b = asio::make_strand(context);
    std::vector<int> order;
    asio::post(a,
        [&]
        {
            asio::dispatch(b,
                [&]
                {
                    BOOST_TEST(a.running_in_this_thread());
                    BOOST_TEST(b.running_in_this_thread());
                    // Both are held by this thread.
                    asio::dispatch(a, [&] { order.push_back(0); });
                    asio::dispatch(b, [&] { order.push_back(1); });
                    asio::post(b, [&] { order.push_back(3); });
                    asio::post(a, [&] { order.push_back(4); });
                });
            BOOST_TEST(!b.running_in_this_thread());
            order.push_back(2);
        });
    context.run();
    BOOST_TEST_REQUIRE(order.size() == 5u);
    BOOST_TEST((order[0] == 0 && order[1] == 1 && order[2] == 2));
}

BOOST_FIXTURE_TEST_CASE(
    the_handlers_allocator_is_used_and_given_everything_back, test::context_of_its_own)
{
    test::book book;
    {
        io_context context;
        auto strand = asio::make_strand(context);
        const test::booked_allocator<> a(book);
        int called = 0;
        for (int i = 0; i != 10; ++i)
        {
            asio::post(strand, asio::bind_allocator(a, [&] { ++called; }));
            asio::defer(strand, asio::bind_allocator(a, [&] { ++called; }));
            asio::dispatch(strand, asio::bind_allocator(a, [&] { ++called; }));
            strand.post([&] { ++called; }, a);
        }
        BOOST_TEST(book.allocations >= 40);
        context.run();
        BOOST_TEST(called == 40);
        BOOST_TEST(book.alive() == 0);
        asio::post(strand, asio::bind_allocator(a, [&] { ++called; }));
    }
    BOOST_TEST(book.alive() == 0);
}

BOOST_AUTO_TEST_CASE(the_last_strand_object_may_go_in_a_handler)
{
    auto strand = std::make_unique<strand_type>(asio::make_strand(context));
    int called = 0;
    asio::post(*strand,
        [&]
        {
            asio::post(*strand, [&] { ++called; });
            asio::dispatch(*strand, [&] { strand.reset(); });
            ++called;
        });
    asio::post(context,
        [&]
        {
            auto other = std::make_unique<strand_type>(asio::make_strand(context));
            auto& there = *other;
            asio::dispatch(there,
                [&called, o = std::move(other)]() mutable
                {
                    asio::post(*o, [&called] { ++called; });
                    o.reset();
                    ++called;
                });
        });
    context.run();
    BOOST_TEST(called == 4);
}

BOOST_AUTO_TEST_CASE(strands_are_copied_moved_and_assigned)
{
    strand_type a = asio::make_strand(context);
    strand_type b = asio::make_strand(context);
    const strand_type copy = a;
    strand_type moved = std::move(a);
    BOOST_TEST((copy == moved));
    a = b;
    BOOST_TEST((a == b));
    a = std::move(moved);
    BOOST_TEST((a == copy));
    const auto& self = a;
    a = self;
    BOOST_TEST((a == copy));
    const asio::any_io_executor erased = a;
    BOOST_TEST((erased == asio::any_io_executor(copy)));
    BOOST_TEST((erased != asio::any_io_executor(b)));
    BOOST_TEST((*erased.target<strand_type>() == a));
    bool ran = false;
    asio::post(a, [&] { ran = true; });
    context.run();
    BOOST_TEST(ran);
}

// As `asio::strand<asio::any_io_executor> strand_{asio::make_strand(context)}` has it.
BOOST_AUTO_TEST_CASE(a_new_strand_becomes_one_of_another_executor)
{
    asio::strand<asio::any_io_executor> strand = asio::make_strand(context);
    strand = asio::make_strand(context);
    std::vector<int> order;
    for (int i = 0; i != 1000; ++i)
        asio::post(strand, [&, i] { order.push_back(i); });
    test::run_on(context, 2);
    BOOST_TEST(order == ascending(1000), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(coroutines_of_a_strand_stay_in_it)
{
    auto strand = asio::make_strand(context);
    exclusive_section section;
    const auto body = [&]() -> asio::awaitable<void, strand_type>
    {
        for (int i = 0; i != 100; ++i)
        {
            section.enter();
            co_await asio::post(strand, asio::use_awaitable_t<strand_type>());
            BOOST_TEST_REQUIRE(strand.running_in_this_thread());
        }
    };
    for (int i = 0; i != 20; ++i)
        asio::co_spawn(strand, body(), asio::detached);
    test::run_on(context, 3);
    BOOST_TEST(section.entries() == 2000);
    BOOST_TEST(section.collisions() == 0);
}

BOOST_AUTO_TEST_CASE(a_nested_run_in_a_strand_leaves_the_strand_held)
{
    auto strand = asio::make_strand(context);
    std::vector<int> order;
    asio::post(strand,
        [&]
        {
            asio::post(strand, [&] { order.push_back(2); });
            asio::post(context, [&] { order.push_back(0); });
            context.poll();
            order.push_back(1);
        });
    context.run();
    BOOST_TEST(order == ascending(3), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
