// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A process that has threads before the library is there, as if that were loaded late. To register
// for the process fence takes the kernel 10 to 20 ms then, and nobody waits for it who does not
// need the fence.

#include <weft/io_context.hpp>
#include <weft/platform/process_fence.hpp>
#include <weft/thread_pool.hpp>

#include "support/cases.hpp"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace
{

// Begins before all other objects of the program.
class early_thread
{
public:
    ~early_thread()
    {
        end_.count_down();
        thread_.join();
    }

private:
    std::latch end_{1};
    std::thread thread_{[this]
        {
            end_.wait();
        }};
};

[[gnu::init_priority(101)]] early_thread const early;

bool is_registered()
{
    return ::syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}

} // namespace

BOOST_AUTO_TEST_SUITE(late_loading)

// In this order: what one of them registers stays so.
BOOST_AUTO_TEST_CASE(contexts_are_made_and_run_by_one_thread_without_registration)
{
    BOOST_TEST(!is_registered());
    weft::io_context context;
    int ran = 0;
    asio::post(context, [&] { asio::post(context, [&] { ++ran; }); });
    context.run();
    BOOST_TEST(ran == 1);
    weft::thread_pool pool(1);
    asio::post(pool, asio::use_future([&] { ++ran; })).get();
    pool.join();
    BOOST_TEST(ran == 2);
    BOOST_TEST(!is_registered());
}

BOOST_AUTO_TEST_CASE(the_second_thread_of_a_context_registers)
{
    weft::io_context context;
    std::latch released(1);
    asio::post(context,
        [&]
        {
            asio::post(context, [&] { released.count_down(); });
            std::thread second([&] { context.run_one(); });
            released.wait();
            second.join();
        });
    context.run();
    BOOST_TEST(is_registered() == weft::detail::process_fence_available());
}

BOOST_AUTO_TEST_SUITE_END()
