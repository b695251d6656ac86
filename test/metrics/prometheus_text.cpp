// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/metrics.hpp>

#include "metrics/exposition.hpp"
#include "metrics/sample.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>

#include <stdlib.h>
#include <unistd.h>

namespace
{

using test::exposition;

} // namespace

BOOST_AUTO_TEST_SUITE(metrics_prometheus_text)

BOOST_AUTO_TEST_CASE(the_parser_refuses_what_is_no_text)
{
    std::string const help = "# HELP a_total h\n# TYPE a_total counter\n";
    BOOST_CHECK_NO_THROW(exposition(help + "a_total 1\n"));
    for (std::string const wrong : {"a_total 1", "a_total{} 1\n", "a_total{b=\"c} 1\n",
             "a_total{b=\"\\x\"} 1\n", "b 1\n", "a_total x\n", "a_total -1\n",
             "a_total 1\na_total 1\n", "# TYPE a_total gauge\n", "a_total 1\n# HELP a_total h\n",
             "a_total{le=\"1\"} 1\n", "# HELP b\n", "# HELP b_total h\n# TYPE b_total gauge\n"})
        BOOST_CHECK_THROW(exposition(help + wrong), std::exception);
    std::string const histogram = "# HELP h h\n# TYPE h histogram\n";
    std::string const first = histogram + "h_bucket{le=\"1\"} 2\n";
    BOOST_CHECK_NO_THROW(exposition(first + "h_bucket{le=\"+Inf\"} 3\nh_sum 4\nh_count 3\n"));
    for (std::string const wrong : {"h_bucket{le=\"+Inf\"} 3\nh_sum 4\nh_count 4\n",
             "h_sum 4\nh_count 2\n", "h_bucket{le=\"+Inf\"} 1\nh_sum 4\nh_count 1\n",
             "h_bucket{le=\"0.5\"} 3\n", "h_bucket{le=\"+Inf\"} 3\nh_count 3\n"})
        BOOST_CHECK_THROW(exposition(first + wrong), std::exception);
}

BOOST_AUTO_TEST_CASE(an_empty_snapshot_is_a_text)
{
    exposition const text(weft::prometheus_text({}));
    BOOST_TEST(text["weft_handler_run_seconds_count"] == 0);
    BOOST_TEST(text["weft_exceptions_total"] == 0);
}

BOOST_AUTO_TEST_CASE(values_are_those_of_the_snapshot_in_seconds)
{
    exposition const text(weft::prometheus_text(test::sample_stats()));
    BOOST_TEST(text["weft_handlers_total{worker=\"0\"}"] == 10);
    BOOST_TEST(text["weft_handlers_total{worker=\"1\"}"] == 20);
    BOOST_TEST(text["weft_worker_busy_seconds_total{worker=\"0\"}"] == 1.5);
    BOOST_TEST(text["weft_worker_parked_seconds_total{worker=\"0\"}"] == 0.25);
    BOOST_TEST(text["weft_worker_in_reactor_seconds_total{worker=\"0\"}"] == 0.25);
    BOOST_TEST(text["weft_ring_depth{worker=\"1\"}"] == 7);
    BOOST_TEST(text["weft_injection_depth"] == 3);
    BOOST_TEST(text["weft_outstanding_work"] == 4);
    BOOST_TEST(text["weft_blocking_calls_total"] == 5);
    BOOST_TEST(text["weft_blocking_seconds_total"] == 0.000000001);
    BOOST_TEST(text["weft_handler_run_seconds_count"] == 3);
    BOOST_TEST(text["weft_handler_run_seconds_bucket{le=\"0.000001024\"}"] == 2);
    BOOST_TEST(text["weft_handler_run_seconds_bucket{le=\"+Inf\"}"] == 3);
    BOOST_TEST(text["weft_handler_run_seconds_sum"] == 2.0000015);
}

BOOST_AUTO_TEST_CASE(a_context_name_is_a_label_of_every_line_and_is_escaped)
{
    exposition const text(weft::prometheus_text(test::sample_stats(), "a \"b\\\n"));
    BOOST_TEST(text["weft_injection_depth{context=\"a \\\"b\\\\\\n\"}"] == 3);
    BOOST_TEST(text["weft_handlers_total{context=\"a \\\"b\\\\\\n\",worker=\"0\"}"] == 10);
    BOOST_TEST(!text.has("weft_injection_depth"));
}

BOOST_AUTO_TEST_CASE(primitives_of_one_kind_and_name_are_one_series)
{
    exposition const text(weft::prometheus_text(test::sample_stats()));
    BOOST_TEST(text["weft_waiters{kind=\"mutex\",name=\"table\"}"] == 5);
    BOOST_TEST(text["weft_longest_wait_seconds{kind=\"mutex\",name=\"table\"}"] == 2);
    BOOST_TEST(text["weft_contended_total{kind=\"mutex\",name=\"table\"}"] == 30);
    BOOST_TEST(text["weft_channel_length{kind=\"channel\",name=\"\"}"] == 9);
    BOOST_TEST(text["weft_wait_seconds_count{kind=\"mutex\",name=\"table\"}"] == 2);
    BOOST_TEST(text["weft_wait_seconds_sum{kind=\"mutex\",name=\"table\"}"] == 2.000001);
    BOOST_TEST(
        text["weft_wait_seconds_bucket{kind=\"mutex\",name=\"table\",le=\"0.000001024\"}"] == 1);
    BOOST_TEST(!text.has("weft_channel_length{kind=\"mutex\",name=\"table\"}"));
}

BOOST_AUTO_TEST_CASE(promtool_has_no_objection)
{
    if (std::system("command -v promtool >/dev/null 2>&1") != 0)
    {
        BOOST_TEST_MESSAGE("skipped: promtool (Debian: prometheus) is not installed");
        return;
    }
    char name[] = "/tmp/weft_metrics_XXXXXX";
    int const file = ::mkstemp(name);
    BOOST_REQUIRE(file >= 0);
    ::close(file);
    std::ofstream(name) << weft::prometheus_text(test::sample_stats(), "server");
    BOOST_TEST(std::system(("promtool check metrics < " + std::string(name)).c_str()) == 0);
    std::remove(name);
}

BOOST_AUTO_TEST_SUITE_END()
