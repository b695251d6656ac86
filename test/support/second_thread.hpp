// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_SUPPORT_SECOND_THREAD_HPP
#define WEFT_TEST_SUPPORT_SECOND_THREAD_HPP

#include <latch>
#include <thread>

namespace test
{

/// Does nothing, but as long as it lives the process has more than one thread: what a process of
/// one thread spares itself it does not spare then, whichever tests have run before.
class second_thread
{
public:
    second_thread() : thread_([this] { over_.wait(); })
    {
    }

    second_thread(second_thread const&) = delete;
    second_thread& operator=(second_thread const&) = delete;

    ~second_thread()
    {
        over_.count_down();
        thread_.join();
    }

private:
    std::latch over_{1};
    std::thread thread_;
};

} // namespace test

#endif // WEFT_TEST_SUPPORT_SECOND_THREAD_HPP
