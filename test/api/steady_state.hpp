// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_API_STEADY_STATE_HPP
#define WEFT_TEST_API_STEADY_STATE_HPP

#include "parity/counted_new.hpp"

#include <weft/platform/recycler.hpp>

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

    // A workload that allocates does so in each window.
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
    // it, and how soon the caches of all are full depends on time; but they are bounded, however
    // many handlers there are.
    void check_allocates_nothing(std::size_t threads, std::size_t handlers_per_round) const
    {
        BOOST_TEST(finished());
        if (threads == 1)
        {
            BOOST_TEST(allocations_in_all_windows() == 0u);
            return;
        }
        constexpr std::size_t magazine = weft::detail::magazine::capacity + 1; // and itself
        const std::size_t blocks =
            classes_in_use * (static_cast<std::size_t>(parts_) + threads * 2 * magazine);
        // Twice: the hint whether there is a full magazine may be late.
        const std::size_t most = 2 * blocks;
        const std::size_t handlers = handlers_per_round * rounds_per_window * windows;
        BOOST_TEST_REQUIRE(handlers > 10 * most);
        BOOST_TEST(allocations_in_all_windows() <= most);
    }

    // The same for what takes its memory from Asio's own caches.
    void check_allocates_for_moves_only(std::size_t threads, std::size_t moves) const
    {
        BOOST_TEST(finished());
        BOOST_TEST(allocations_in_all_windows() <= most_for_moves(threads, moves));
    }

    // Asio's own caches hold two blocks for each thread, so that a handler or a coroutine that goes
    // from one thread to another may miss them; how often one goes depends on time, but each miss
    // needs a move.
    static constexpr std::size_t most_for_moves(std::size_t threads, std::size_t moves)
    {
        return threads == 1 ? 0 : moves * blocks_per_move + blocks_per_thread * threads;
    }

private:
    static constexpr std::size_t blocks_per_move = 4;
    static constexpr std::size_t blocks_per_thread = 16;

    // Sizes of block that a handler takes at once, itself and what carries it.
    static constexpr std::size_t classes_in_use = 4;

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
