// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/metrics.hpp>

#include "metrics/sample.hpp"

#include <boost/property_tree/json_parser.hpp>
#include <boost/property_tree/ptree.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>
#include <sstream>
#include <string>

namespace
{

boost::property_tree::ptree parsed(weft::stats const& s)
{
    boost::property_tree::ptree tree;
    std::istringstream in(weft::to_json(s));
    boost::property_tree::read_json(in, tree);
    return tree;
}

} // namespace

BOOST_AUTO_TEST_SUITE(metrics_to_json)

BOOST_AUTO_TEST_CASE(members_are_those_of_the_snapshot_in_nanoseconds)
{
    auto const tree = parsed(test::sample_stats());
    BOOST_TEST(tree.get<std::uint64_t>("taken") == 3'600'000'000'000u);
    BOOST_TEST(tree.get<std::uint64_t>("total.handlers") == 30u);
    BOOST_TEST(tree.get_child("workers").size() == 2u);
    BOOST_TEST(
        tree.get_child("workers").back().second.get<std::uint64_t>("parked") == 1'000'000'000u);
    BOOST_TEST(tree.get<std::uint64_t>("injection_depth") == 3u);
    BOOST_TEST(tree.get<std::uint64_t>("run_time.count") == 3u);
    BOOST_TEST(tree.get<std::uint64_t>("run_time.total") == 2'000'001'500u);
    BOOST_TEST(tree.get_child("run_time.buckets").size() == 3u);
    BOOST_TEST(tree.get<std::uint64_t>("queue_delay.p50") ==
               static_cast<std::uint64_t>(test::sample_stats().queue_delay.quantile(0.5).count()));
    BOOST_TEST(tree.get_child("primitives").size() == 3u);
    BOOST_TEST(tree.get_child("primitives").front().second.get<std::string>("name") == "table");
    BOOST_TEST(tree.get_child("primitives").front().second.get<int>("wait_time.count") == 1);
}

BOOST_AUTO_TEST_CASE(a_primitive_has_all_its_numbers)
{
    weft::stats s;
    weft::primitive_stats& p = s.primitives.emplace_back();
    p.kind = "channel";
    p.waiting = 3;
    p.senders = 2;
    p.longest_wait = std::chrono::nanoseconds(4);
    p.contended = 5;
    p.length = 6;
    p.available = 7;
    auto const tree = parsed(s).get_child("primitives").front().second;
    BOOST_TEST(tree.get<std::string>("kind") == "channel");
    BOOST_TEST(tree.get<std::uint64_t>("waiting") == 3u);
    BOOST_TEST(tree.get<std::uint64_t>("senders") == 2u);
    BOOST_TEST(tree.get<std::uint64_t>("longest_wait") == 4u);
    BOOST_TEST(tree.get<std::uint64_t>("contended") == 5u);
    BOOST_TEST(tree.get<std::uint64_t>("length") == 6u);
    BOOST_TEST(tree.get<std::uint64_t>("available") == 7u);
}

BOOST_AUTO_TEST_CASE(names_are_escaped)
{
    weft::stats s;
    std::string const name = "a\"b\\c\n\x01\x7f\xc3\xa9";
    s.primitives.emplace_back().name = name;
    BOOST_TEST(parsed(s).get_child("primitives").front().second.get<std::string>("name") == name);
    BOOST_TEST(weft::to_json(s).find("\\u000a") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_empty_snapshot_is_an_object)
{
    BOOST_TEST(parsed({}).get_child("workers").empty());
}

BOOST_AUTO_TEST_SUITE_END()
