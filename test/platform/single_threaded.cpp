// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/platform/single_threaded.hpp>

#include <weft/platform/mutex.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <filesystem>
#include <iterator>
#include <thread>

namespace
{

using weft::detail::mutex;
using weft::detail::process_is_single_threaded;

// A sanitizer may have started a thread of its own.
std::ptrdiff_t threads()
{
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

// What holds before any test has started a thread.
struct at_start
{
    bool const is_single = process_is_single_threaded();
    bool const has_one_thread = threads() == 1;
    mutex taken;
    mutex given_back;

    at_start()
    {
        taken.lock();
        given_back.lock();
        given_back.unlock();
    }
} before;

// By another thread.
bool can_take(mutex& m)
{
    bool result = false;
    std::thread(
        [&]
        {
            result = m.try_lock();
            if (result)
                m.unlock();
        })
        .join();
    return result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(single_threaded)

BOOST_AUTO_TEST_CASE(a_process_is_until_it_starts_a_thread)
{
    BOOST_TEST(before.is_single == before.has_one_thread);
    bool inside = true;
    std::thread([&] { inside = process_is_single_threaded(); }).join();
    BOOST_TEST(!inside);
}

BOOST_AUTO_TEST_CASE(a_lock_that_was_taken_before_the_first_thread_keeps_it_out)
{
    BOOST_TEST(!can_take(before.taken));
    before.taken.unlock();
    BOOST_TEST(can_take(before.taken));
    BOOST_TEST(can_take(before.given_back));
}

BOOST_AUTO_TEST_SUITE_END()
