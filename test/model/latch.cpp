// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/platform/latch.hpp>

#include "model/check.hpp"

#include <optional>

namespace
{

using weft::detail::cell;
using weft::detail::latch;

// The waiter sees what the setter did before, and may destroy the latch at once.
struct waiter_destroys_the_latch
{
    static constexpr int threads = 2;
    static constexpr unsigned early_wakes = 2;

    std::optional<latch> done{std::in_place};
    cell<unsigned> result;

    void thread(unsigned index)
    {
        if (index == 0)
        {
            result.set(42);
            done->set();
        }
        else
        {
            done->wait();
            done.reset();
            model::require(result.get() == 42, "the setter's result is not there");
        }
    }
};
WEFT_SCENARIO(exhaustively{4}, waiter_destroys_the_latch);
WEFT_SCENARIO_AS("waiter_destroys_the_latch.random", at_random{50000}, waiter_destroys_the_latch);

} // namespace
