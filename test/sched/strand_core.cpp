// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What the strands of parity/strand.cpp and api/strand.cpp are made of.

#include <weft/io_context.hpp>
#include <weft/sched/strand_core.hpp>
#include <weft/sched/strand_executor.hpp>
#include <weft/sched/strand_reference.hpp>

#include "sched/context_under_test.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <utility>
#include <vector>

namespace
{

using weft::detail::strand_core;
using weft::detail::strand_reference;
using strand_of_asio = boost::asio::strand<boost::asio::any_io_executor>;

struct strand_fixture
{
    weft::detail::operation* noting(int number)
    {
        return c.operation(
            [this, number]
            {
                ran.push_back(number);
                inside = strand.get()->running_in_this_thread();
            });
    }

    void expect(std::vector<int> const& numbers)
    {
        BOOST_TEST(ran == numbers, boost::test_tools::per_element());
    }

    // Turns of so many handlers, however long they take.
    static weft::options with_long_turns()
    {
        weft::options o;
        o.injection_interval = 61;
        return o;
    }

    test::context_under_test c{with_long_turns()};
    strand_reference strand{c.sched()};
    std::vector<int> ran;
    bool inside = false;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_strand_is_queued_once_and_runs_what_is_in_it, strand_fixture)
{
    strand.get()->submit(noting(1), false);
    c->submit(c.operation([this] { ran.push_back(10); }));
    strand.get()->submit(noting(2), false);
    BOOST_TEST(c->run() == 3u);
    expect({1, 2, 10});
    BOOST_TEST(inside);
    BOOST_TEST(!strand.get()->running_in_this_thread());
}

BOOST_FIXTURE_TEST_CASE(who_is_no_worker_does_not_enter, strand_fixture)
{
    BOOST_TEST(!strand.get()->try_enter());
}

BOOST_FIXTURE_TEST_CASE(a_worker_enters_an_idle_strand_and_others_wait, strand_fixture)
{
    c->submit(c.operation(
        [&]
        {
            BOOST_REQUIRE(strand.get()->try_enter());
            strand_core::visit const v(*strand.get());
            BOOST_TEST(strand.get()->running_in_this_thread());
            BOOST_TEST(!strand.get()->try_enter());
            strand.get()->submit(noting(1), false);
            BOOST_TEST(ran.empty());
        }));
    BOOST_TEST(c->run() == 2u);
    expect({1});
}

BOOST_FIXTURE_TEST_CASE(the_last_reference_may_go_with_an_operation, strand_fixture)
{
    strand_reference other(c.sched());
    auto* const core = other.get();
    BOOST_TEST(core->is_unused());
    strand_reference const copy(other);
    BOOST_TEST(!core->is_unused());
    other.release()->submit_and_remove_reference(c.operation([this] { ran.push_back(1); }), false);
    BOOST_TEST(other.get() == nullptr);
    BOOST_TEST(c->run() == 1u);
    expect({1});
}

BOOST_FIXTURE_TEST_CASE(a_reference_that_was_moved_from_has_none, strand_fixture)
{
    auto* const core = strand.get();
    strand_reference moved(std::move(strand));
    BOOST_TEST(moved.get() == core);
    BOOST_TEST(strand.get() == nullptr);
    strand = moved;
    BOOST_TEST(strand.get() == core);
    strand = strand_reference(c.sched());
    BOOST_TEST(strand.get() != core);
}

BOOST_AUTO_TEST_CASE(a_copy_of_the_inner_executor_is_the_strand)
{
    weft::io_context ctx(1);
    strand_reference const strand(weft::detail::context_access::get_scheduler(ctx));
    using executor = weft::detail::strand_executor<weft::io_context::executor_type>;
    executor const member(ctx.get_executor(), strand.get());
    BOOST_TEST(strand.get()->is_unused());
    {
        executor const copy(member);
        BOOST_TEST(!strand.get()->is_unused());
        BOOST_TEST((copy == member));
    }
    BOOST_TEST(strand.get()->is_unused());
    BOOST_TEST((member.get() == ctx.get_executor()));
}

BOOST_AUTO_TEST_CASE(a_strand_in_use_is_not_converted_by_move)
{
    using implementation = strand_of_asio::implementation_type;
    weft::io_context ctx(1);
    strand_reference strand(weft::detail::context_access::get_scheduler(ctx));
    {
        strand_reference const copy(strand);
        BOOST_CHECK_THROW(static_cast<void>(strand.operator implementation()), std::logic_error);
        BOOST_CHECK_NO_THROW(static_cast<void>(std::as_const(strand).operator implementation()));
    }
    BOOST_CHECK_NO_THROW(static_cast<void>(strand.operator implementation()));
}
