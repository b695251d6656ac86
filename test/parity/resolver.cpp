// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

namespace
{

using asio::ip::tcp;
using asio::ip::udp;

const auto numeric = tcp::resolver::numeric_host | tcp::resolver::numeric_service;

} // namespace

BOOST_FIXTURE_TEST_SUITE(resolver, test::with_context)

BOOST_AUTO_TEST_CASE(a_numeric_host_is_resolved)
{
    tcp::resolver resolver(context);
    tcp::resolver::results_type results;
    std::thread::id ran_on;
    resolver.async_resolve("127.0.0.1", "80", numeric,
        [&](error_code ec, const tcp::resolver::results_type& found)
        {
            BOOST_TEST(!ec);
            results = found;
            ran_on = std::this_thread::get_id();
        });
    context.run();
    BOOST_TEST_REQUIRE(results.size() == 1u);
    BOOST_TEST(results.begin()->endpoint() == tcp::endpoint(asio::ip::address_v4::loopback(), 80));
    BOOST_TEST((ran_on == std::this_thread::get_id()));
}

BOOST_AUTO_TEST_CASE(localhost_is_resolved_by_name)
{
    tcp::resolver resolver(context);
    std::size_t loopback = 0;
    resolver.async_resolve("localhost", "80",
        [&](error_code ec, const tcp::resolver::results_type& found)
        {
            BOOST_TEST(!ec);
            for (const auto& entry : found)
                loopback += entry.endpoint().address().is_loopback() ? 1 : 0;
        });
    context.run();
    BOOST_TEST(loopback > 0u);
}

BOOST_AUTO_TEST_CASE(an_endpoint_is_resolved_back)
{
    tcp::resolver resolver(context);
    std::size_t found = 0;
    resolver.async_resolve(tcp::endpoint(asio::ip::address_v4::loopback(), 80),
        [&](error_code ec, const tcp::resolver::results_type& results)
        { found = ec ? 0 : results.size(); });
    context.run();
    BOOST_TEST(found == 1u);
}

BOOST_AUTO_TEST_CASE(a_name_that_is_no_address_is_refused)
{
    tcp::resolver resolver(context);
    error_code result;
    resolver.async_resolve("not an address", "80", numeric,
        [&](error_code ec, const tcp::resolver::results_type&) { result = ec; });
    context.run();
    BOOST_TEST(result == asio::error::host_not_found);
}

BOOST_AUTO_TEST_CASE(a_pending_resolution_keeps_run_waiting)
{
    int resolved = 0;
    std::vector<std::unique_ptr<tcp::resolver>> resolvers;
    for (int i = 0; i != 20; ++i)
    {
        resolvers.push_back(std::make_unique<tcp::resolver>(context));
        resolvers.back()->async_resolve("127.0.0.1", "80", numeric,
            [&](error_code ec, const tcp::resolver::results_type&) { resolved += ec ? 0 : 1; });
    }
    BOOST_TEST(test::run_on(context, 1) >= 20u);
    BOOST_TEST(resolved == 20);
}

BOOST_AUTO_TEST_CASE(resolutions_started_by_handlers_complete_on_several_threads)
{
    std::atomic<int> resolved = 0;
    for (int i = 0; i != 50; ++i)
        asio::post(context,
            [&]
            {
                auto resolver = std::make_shared<tcp::resolver>(context);
                resolver->async_resolve("127.0.0.1", "80", numeric,
                    [&, resolver](error_code ec, const tcp::resolver::results_type&)
                    { resolved += ec ? 0 : 1; });
            });
    test::run_on(context, 3);
    BOOST_TEST(resolved == 50);
}

BOOST_AUTO_TEST_CASE(a_resolved_name_can_be_connected_to)
{
    thread_pool pool(2);
    tcp::acceptor acceptor(pool, {asio::ip::address_v4::loopback(), 0});
    tcp::socket client(pool);
    tcp::resolver resolver(pool);
    std::atomic<int> done = 0;
    acceptor.async_accept([&](error_code ec, tcp::socket) { done += ec ? 0 : 1; });
    resolver.async_resolve("127.0.0.1", std::to_string(acceptor.local_endpoint().port()),
        [&](error_code, const tcp::resolver::results_type& results)
        {
            asio::async_connect(
                client, results, [&](error_code ec, const tcp::endpoint&) { done += ec ? 0 : 1; });
        });
    pool.join();
    BOOST_TEST(done == 2);
}

BOOST_AUTO_TEST_CASE(a_udp_name_is_resolved)
{
    udp::resolver resolver(context);
    std::size_t found = 0;
    resolver.async_resolve(udp::v4(), "127.0.0.1", "9",
        [&](error_code ec, const udp::resolver::results_type& results)
        { found = ec ? 0 : results.size(); });
    context.run();
    BOOST_TEST(found == 1u);
}

BOOST_FIXTURE_TEST_CASE(
    destroying_a_context_with_resolutions_pending_is_safe, test::context_of_its_own)
{
    const auto token = std::make_shared<int>(0);
    for (int round = 0; round != 20; ++round)
    {
        io_context context;
        tcp::resolver resolver(context);
        resolver.async_resolve(
            "127.0.0.1", "80", numeric, [token](error_code, const tcp::resolver::results_type&) {});
    }
    BOOST_TEST(token.use_count() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
