// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Programs take the addresses of run and stop, which Asio overloads unless the deprecated
// functions are off.
#if defined(WEFT_PARITY_ON_ASIO)
#define BOOST_ASIO_NO_DEPRECATED
#endif

#include "parity/contexts.hpp"

#include <boost/bind/bind.hpp>

namespace
{

static_assert(std::is_convertible_v<decltype(&io_context::run), std::size_t (io_context::*)()>);
static_assert(std::is_convertible_v<decltype(&io_context::run_one), std::size_t (io_context::*)()>);
static_assert(std::is_convertible_v<decltype(&io_context::poll), std::size_t (io_context::*)()>);
static_assert(
    std::is_convertible_v<decltype(&io_context::poll_one), std::size_t (io_context::*)()>);
static_assert(std::is_convertible_v<decltype(&io_context::stop), void (io_context::*)()>);
static_assert(std::is_convertible_v<decltype(&io_context::restart), void (io_context::*)()>);
static_assert(std::is_convertible_v<decltype(&io_context::stopped), bool (io_context::*)() const>);
static_assert(std::is_convertible_v<decltype(&thread_pool::stop), void (thread_pool::*)()>);
static_assert(std::is_convertible_v<decltype(&thread_pool::join), void (thread_pool::*)()>);
static_assert(std::is_convertible_v<decltype(&thread_pool::wait), void (thread_pool::*)()>);
static_assert(std::is_convertible_v<decltype(&thread_pool::attach), void (thread_pool::*)()>);

} // namespace

BOOST_FIXTURE_TEST_SUITE(io_context_binding, test::with_context)

BOOST_AUTO_TEST_CASE(run_can_be_bound_and_called)
{
    int calls = 0;
    asio::post(context, [&] { ++calls; });
    BOOST_TEST(std::bind(&io_context::run, &context)() == 1u);
    context.restart();
    asio::post(context, [&] { ++calls; });
    BOOST_TEST(boost::bind(&io_context::run, &context)() == 1u);
    context.restart();
    asio::post(context, [&] { ++calls; });
    BOOST_TEST(std::mem_fn(&io_context::poll)(context) == 1u);
    BOOST_TEST(calls == 3);
}

BOOST_AUTO_TEST_CASE(run_can_be_the_body_of_a_thread)
{
    int calls = 0;
    asio::post(context, [&] { ++calls; });
    std::thread plain(&io_context::run, &context);
    plain.join();
    context.restart();
    asio::post(context, [&] { ++calls; });
    std::thread bound(boost::bind(&io_context::run, &context));
    bound.join();
    context.restart();
    const auto shared = std::make_shared<io_context>();
    asio::post(*shared, [&] { ++calls; });
    std::thread owner(&io_context::run, shared);
    owner.join();
    BOOST_TEST(calls == 3);
}

BOOST_AUTO_TEST_CASE(stop_can_be_posted_as_a_bound_member)
{
    const auto guard = asio::make_work_guard(context);
    asio::post(context, std::bind(&io_context::stop, &context));
    BOOST_TEST(context.run() == 1u);
    context.restart();
    asio::post(context, boost::bind(&io_context::stop, &context));
    BOOST_TEST(context.run() == 1u);
}

BOOST_AUTO_TEST_CASE(pool_members_can_be_bound)
{
    thread_pool pool(1);
    asio::post(pool, std::bind(&thread_pool::stop, &pool));
    std::bind(&thread_pool::join, &pool)();
}

BOOST_AUTO_TEST_SUITE_END()
