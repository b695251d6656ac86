// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_PRIMITIVES_REFUSALS_HPP
#define WEFT_TEST_PRIMITIVES_REFUSALS_HPP

#include "parity/counted_new.hpp"
#include "support/asio.hpp"

#include <deque>

namespace test
{

// Too large for the caches of small blocks, so that each operation allocates.
struct large_handler
{
    std::shared_ptr<int> token;
    std::atomic<int>* called;
    std::array<char, 20000> ballast{};

    template <class... Args>
    void operator()(boost::system::error_code, Args&&...) const
    {
        ++*called;
    }
};

struct refusals
{
    std::shared_ptr<int> token = std::make_shared<int>(0);
    std::atomic<int> called{0};

    // Outlive the operations that are accepted.
    std::deque<boost::asio::cancellation_signal> signals;

    // Starts the operation with 0, 1, 2... allocations until it does not fail; calls `check` after
    // each time, with whether it was accepted.
    template <class Start, class Check>
    void refuse_each_allocation(Start start, Check check)
    {
        for (long allowance = 0;; ++allowance)
        {
            BOOST_REQUIRE(allowance < 50);
            boost::asio::cancellation_signal& signal = signals.emplace_back();
            large_handler handler{token, &called};
            auto bound = boost::asio::bind_cancellation_slot(signal.slot(), std::move(handler));
            if (!out_of_memory_in([&] { start(std::move(bound)); }, allowance))
            {
                BOOST_TEST(allowance > 0);
                check(true);
                return;
            }
            // It has left nothing in the slot.
            signal.emit(boost::asio::cancellation_type::all);
            check(false);
        }
    }
};

} // namespace test

#endif
