// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_SUPPORT_SLEEPS_HPP
#define WEFT_TEST_SUPPORT_SLEEPS_HPP

#include <weft/stats.hpp>

#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace test
{

/// How often each of so many threads that run a context has slept.
template <class Context>
std::vector<std::uint64_t> sleeps_of_each(const Context& context, std::size_t threads)
{
    std::vector<std::uint64_t> sleeps;
    for (const weft::worker_stats& worker : context.stats().workers)
        sleeps.push_back(worker.parks);
    sleeps.resize(threads);
    return sleeps;
}

/// Until each thread has slept more often than that.
template <class Context>
void await_sleep(const Context& context, const std::vector<std::uint64_t>& sleeps)
{
    for (std::size_t i = 0; i != sleeps.size(); ++i)
        while (sleeps_of_each(context, sleeps.size())[i] <= sleeps[i])
            std::this_thread::yield();
}

/// Until each of so many threads has slept.
template <class Context>
void await_sleep(const Context& context, std::size_t threads)
{
    await_sleep(context, std::vector<std::uint64_t>(threads));
}

} // namespace test

#endif
