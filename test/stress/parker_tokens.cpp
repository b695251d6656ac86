// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/platform/parker.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <thread>
#include <vector>

namespace
{

using weft::detail::parker;
using weft::detail::unpark_result;

constexpr std::size_t wakers = 3;
constexpr unsigned rounds = 30'000;

// A reactor that does nothing but to be interrupted.
class driver
{
public:
    void wait()
    {
        interrupted_.wait(false, std::memory_order_acquire);
        interrupted_.store(false, std::memory_order_relaxed);
    }

    void interrupt()
    {
        interrupted_.store(true, std::memory_order_release);
        interrupted_.notify_one();
    }

private:
    std::atomic<bool> interrupted_{false};
};

} // namespace

// Each waker counts and leaves a token, and goes on when the owner has seen the count. The counts
// order nothing: an owner that lost a token, or took it without seeing what came before it, sleeps
// for ever.
BOOST_AUTO_TEST_CASE(no_token_is_lost_wherever_the_owner_sleeps)
{
    parker sleep;
    driver reactor;
    std::array<std::atomic<unsigned>, wakers> sent{};
    std::array<std::atomic<unsigned>, wakers> seen{};

    std::vector<std::thread> threads;
    for (std::size_t w = 0; w != wakers; ++w)
        threads.emplace_back(
            [&, w]
            {
                for (unsigned round = 1; round <= rounds; ++round)
                {
                    sent[w].store(round, std::memory_order_relaxed);
                    if (sleep.unpark() == unpark_result::interrupt_driver)
                        reactor.interrupt();
                    while (seen[w].load(std::memory_order_relaxed) != round)
                        std::this_thread::yield();
                }
            });

    std::size_t const all = wakers * std::size_t{rounds};
    std::size_t received = 0;
    std::size_t empty = 0;
    for (std::size_t turn = 0; received != all; ++turn)
    {
        bool any = false;
        for (std::size_t w = 0; w != wakers; ++w)
        {
            unsigned const now = sent[w].load(std::memory_order_relaxed);
            unsigned const before = seen[w].load(std::memory_order_relaxed);
            received += now - before;
            any = any || now != before;
            seen[w].store(now, std::memory_order_relaxed);
        }
        empty += !any;
        if (received == all)
            break;
        if (turn % 3 == 0)
            sleep.park();
        else if (turn % 3 == 1)
            // Far enough away to be no way out of a lost token.
            sleep.park_until(std::chrono::steady_clock::now() + std::chrono::hours(1));
        else if (sleep.enter_driver())
        {
            reactor.wait();
            sleep.leave_driver();
        }
    }
    for (std::thread& t : threads)
        t.join();
    BOOST_TEST(received == all);
    BOOST_TEST_MESSAGE(empty << " tokens told nothing new");
}
