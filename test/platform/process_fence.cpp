// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/platform/process_fence.hpp>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <thread>

#include <linux/membarrier.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using weft::detail::process_fence;
using weft::detail::process_fence_available;

namespace
{

// A sanitizer may have started a thread of its own.
bool const one_thread_at_start = __libc_single_threaded;

} // namespace

// First: the others register if nobody has.
BOOST_AUTO_TEST_CASE(process_is_registered_before_it_has_threads)
{
    bool const registered = ::syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
    BOOST_TEST(registered == (one_thread_at_start && process_fence_available()));
}

BOOST_AUTO_TEST_CASE(answer_does_not_change)
{
    bool const available = process_fence_available();
    BOOST_TEST(process_fence_available() == available);
    BOOST_TEST(process_fence() == available);
    BOOST_TEST(process_fence() == available);
}

BOOST_AUTO_TEST_CASE(child_of_fork_can_fence_too)
{
    bool const available = process_fence();
    pid_t const child = ::fork();
    BOOST_REQUIRE(child >= 0);
    if (child == 0)
        ::_exit(process_fence() == available ? 0 : 1);
    int status = 0;
    BOOST_REQUIRE(::waitpid(child, &status, 0) == child);
    BOOST_TEST((WIFEXITED(status) && WEXITSTATUS(status) == 0));
}

// Store buffering: one side stores and loads without a fence, the other calls process_fence() in
// between. At least one of them must see the other's store.
BOOST_AUTO_TEST_CASE(fence_stands_in_for_that_of_the_other_side)
{
    if (!process_fence_available())
        return;
    constexpr int rounds = 2000;
    std::atomic<int> mine{0};
    std::atomic<int> theirs{0};
    std::atomic<int> round_of_other{0};
    std::atomic<int> round_done{0};
    int seen_by_other = 0;
    std::thread other(
        [&]
        {
            for (int round = 1; round <= rounds; ++round)
            {
                while (round_of_other.load(std::memory_order_acquire) != round)
                    std::this_thread::yield();
                theirs.store(round, std::memory_order_relaxed);
                std::atomic_signal_fence(std::memory_order_seq_cst);
                seen_by_other = mine.load(std::memory_order_relaxed);
                round_done.store(round, std::memory_order_release);
            }
        });
    int missed_by_both = 0;
    for (int round = 1; round <= rounds; ++round)
    {
        round_of_other.store(round, std::memory_order_release);
        mine.store(round, std::memory_order_relaxed);
        BOOST_TEST(process_fence());
        int const seen_here = theirs.load(std::memory_order_relaxed);
        while (round_done.load(std::memory_order_acquire) != round)
            std::this_thread::yield();
        missed_by_both += seen_here != round && seen_by_other != round;
    }
    other.join();
    BOOST_TEST(missed_by_both == 0);
}
