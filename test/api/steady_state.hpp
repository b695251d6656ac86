// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_API_STEADY_STATE_HPP
#define WEFT_TEST_API_STEADY_STATE_HPP

#include "parity/counted_new.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <numeric>
#include <utility>

namespace test
{

// Runs a workload round after round, each started by the handler that ends the one before, and
// counts the allocations of the whole program in each of several windows of rounds.
class steady_state
{
public:
    static constexpr int warm_up_rounds = 200;
    static constexpr int rounds_per_window = 100;
    static constexpr std::size_t windows = 5;

    // `begin` starts a round of `parts` parts; each calls part_done() once.
    void start(int parts, std::function<void()> begin)
    {
        parts_ = parts;
        begin_ = std::move(begin);
        begin_round();
    }

    void part_done()
    {
        if (remaining_.fetch_sub(1) == 1)
            round_done();
    }

    bool finished() const
    {
        return window_ == windows + 1;
    }

    // Zero if the steady state allocates nothing. A thread that meets its first work late may still
    // fill its caches in one window; a workload that allocates does so in each.
    std::size_t allocations_in_quietest_window() const
    {
        return *std::min_element(counts_.begin(), counts_.end());
    }

    std::size_t allocations_in_all_windows() const
    {
        return std::accumulate(counts_.begin(), counts_.end(), std::size_t(0));
    }

    // Expects that handlers, of which there were so many in a round, allocate nothing. One thread
    // is held to that strictly. With several, a block may be freed by another thread than allocated
    // it, and the caches that the threads share settle.
    void check_allocates_nothing(std::size_t threads, std::size_t handlers_per_round) const
    {
        BOOST_TEST(finished());
        if (threads == 1)
        {
            BOOST_TEST(allocations_in_all_windows() == 0u);
            return;
        }
        BOOST_TEST(allocations_in_quietest_window() == 0u);
        const std::size_t handlers = handlers_per_round * rounds_per_window * windows;
        BOOST_TEST(allocations_in_all_windows() * 50 <= handlers);
    }

    // The same for what takes its memory from Asio's own caches. These hold two blocks for each
    // thread, so that a handler or a coroutine that goes from one thread to another may miss them;
    // how often one goes depends on time, but each miss needs a move.
    void check_allocates_for_moves_only(std::size_t threads, std::size_t moves) const
    {
        BOOST_TEST(finished());
        BOOST_TEST(allocations_in_all_windows() <=
                   (threads == 1 ? 0 : moves * blocks_per_move + blocks_per_thread * threads));
    }

private:
    static constexpr std::size_t blocks_per_move = 4;
    static constexpr std::size_t blocks_per_thread = 16;

    void begin_round()
    {
        remaining_ = parts_;
        begin_();
    }

    void round_done()
    {
        ++round_;
        const int due = window_ == 0 ? warm_up_rounds : rounds_per_window;
        if (round_ == due)
        {
            const std::size_t now = allocations::count;
            if (window_ != 0)
                counts_[window_ - 1] = now - at_start_;
            at_start_ = now;
            round_ = 0;
            ++window_;
        }
        if (!finished())
            begin_round();
    }

    int parts_ = 0;
    std::function<void()> begin_;
    std::atomic<int> remaining_ = 0;
    int round_ = 0;
    std::atomic<std::size_t> window_ = 0;
    std::size_t at_start_ = 0;
    std::array<std::size_t, windows> counts_{};
};

} // namespace test

#endif
