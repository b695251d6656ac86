// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Hazard: a primitive is destroyed while, on other threads, time limits of its waiters pass.

#include <weft/io_context.hpp>
#include <weft/semaphore.hpp>

#include "api/process.hpp"
#include "parity/threads.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <optional>

namespace asio = boost::asio;
using boost::system::error_code;

namespace
{

#if WEFT_TEST_SANITIZED
constexpr int rounds = 500;
#else
constexpr int rounds = 5000;
#endif

} // namespace

BOOST_AUTO_TEST_CASE(time_limits_pass_while_the_primitive_goes)
{
    weft::io_context context;
    auto guard = asio::make_work_guard(context);
    std::atomic<int> ended{0};
    std::atomic<int> wrong{0};
    test::thread_group threads(2, [&] { context.run(); });
    for (int round = 0; round != rounds; ++round)
    {
        std::optional<weft::semaphore> s(std::in_place, context, 0u);
        for (int i = 0; i != 8; ++i)
            s->async_acquire_for(std::chrono::microseconds(10 * i), 1u + i % 2u,
                [&](error_code ec)
                {
                    ++ended;
                    wrong += ec == asio::error::timed_out || ec == asio::error::operation_aborted
                                 ? 0
                                 : 1;
                });
        s.reset();
    }
    guard.reset();
    threads.join();
    BOOST_TEST(ended == 8 * rounds);
    BOOST_TEST(wrong == 0);
}
