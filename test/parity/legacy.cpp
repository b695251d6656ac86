// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What older programs use and Asio still has, though deprecated.

#include "parity/contexts.hpp"

namespace
{

class old_service : public io_context::service
{
public:
    static asio::execution_context::id id;

    explicit old_service(io_context& owner) : io_context::service(owner)
    {
    }

    // Services are made with the base class by those who look them up generically.
    explicit old_service(asio::execution_context& owner)
        : io_context::service(static_cast<io_context&>(owner))
    {
    }

    static inline int shutdowns = 0;

private:
    void shutdown_service() override
    {
        ++shutdowns;
    }
};

asio::execution_context::id old_service::id;

} // namespace

BOOST_FIXTURE_TEST_SUITE(legacy, test::with_context)

BOOST_AUTO_TEST_CASE(reset_is_restart)
{
    BOOST_TEST(context.run() == 0u);
    BOOST_TEST(context.stopped());
    context.reset();
    BOOST_TEST(!context.stopped());
}

BOOST_AUTO_TEST_CASE(a_work_object_keeps_run_waiting)
{
    auto work = std::make_unique<io_context::work>(context);
    BOOST_TEST(&work->get_io_context() == &context);
    const auto copy = std::make_unique<io_context::work>(*work);
    work.reset();
    context.poll();
    BOOST_TEST(!context.stopped());
    int calls = 0;
    auto last = std::make_unique<io_context::work>(*copy);
    asio::post(context, [&] { ++calls; });
    BOOST_TEST(context.poll() == 1u);
    BOOST_TEST(!context.stopped());
    BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_CASE(a_context_posts_dispatches_and_wraps)
{
    int posted = 0;
    int sum = 0;
    context.post([&] { ++posted; });
    context.dispatch([&] { ++posted; });
    const auto wrapped = context.wrap([&](int a, int b) { sum += a + b; });
    wrapped(1, 2);
    BOOST_TEST(posted == 0);
    BOOST_TEST(sum == 0);
    BOOST_TEST(context.run() == 3u);
    BOOST_TEST(posted == 2);
    BOOST_TEST(sum == 3);
    // Inside a handler, dispatch() and what was wrapped call at once.
    context.restart();
    context.post(
        [&]
        {
            context.dispatch([&] { ++posted; });
            wrapped(3, 4);
            BOOST_TEST(posted == 3);
            BOOST_TEST(sum == 10);
        });
    BOOST_TEST(context.run() == 1u);
}

BOOST_AUTO_TEST_CASE(a_strand_of_the_context_serialises)
{
    io_context::strand strand(context);
    BOOST_TEST(&strand.context() == &context);
    BOOST_TEST(!strand.running_in_this_thread());
    std::vector<int> order;
    strand.post([&] { order.push_back(1); });
    strand.dispatch([&] { order.push_back(2); });
    strand.wrap([&](int i) { order.push_back(i); })(3);
    asio::post(strand,
        [&]
        {
            BOOST_TEST(strand.running_in_this_thread());
            order.push_back(4);
            strand.dispatch([&] { order.push_back(5); });
        });
    asio::post(context, asio::bind_executor(strand, [&] { order.push_back(6); }));
    context.run();
    BOOST_TEST(order == (std::vector<int>{1, 2, 3, 4, 5, 6}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_end_of_the_last_work_object_ends_run)
{
    auto work = std::make_unique<io_context::work>(context);
    asio::post(context, [&] { work.reset(); });
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(context.stopped());
}

BOOST_FIXTURE_TEST_CASE(a_service_can_be_derived_from_the_contexts_own, test::context_of_its_own)
{
    old_service::shutdowns = 0;
    {
        io_context context;
        old_service& service = asio::use_service<old_service>(context);
        BOOST_TEST(&service.get_io_context() == &context);
        BOOST_TEST(asio::has_service<old_service>(context));
    }
    BOOST_TEST(old_service::shutdowns == 1);
}

BOOST_AUTO_TEST_SUITE_END()
