// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_EXAMPLE_SUPPORT_RUN_HPP
#define WEFT_EXAMPLE_SUPPORT_RUN_HPP

#include <exception>
#include <iostream>
#include <mutex>
#include <thread>
#include <vector>

namespace example
{

/// Runs the context on this thread and threads - 1 more until it has no work left or is stopped.
/// The first exception that leaves a handler stops the context and is thrown from here.
template <class Context>
void run(Context& context, unsigned threads)
{
    std::mutex mutex;
    std::exception_ptr failure;

    auto const worker = [&]
    {
        try
        {
            context.run();
        }
        catch (...)
        {
            std::lock_guard const lock{mutex};
            if (!failure)
                failure = std::current_exception();
            context.stop();
        }
    };

    std::vector<std::thread> others;
    others.reserve(threads - 1);
    try
    {
        while (others.size() + 1 < threads)
            others.emplace_back(worker);
        worker();
    }
    catch (...)
    {
        // A thread could not be started: those that were must end before we may leave.
        failure = std::current_exception();
        context.stop();
    }
    for (auto& other : others)
        other.join();
    if (failure)
        std::rethrow_exception(failure);
}

} // namespace example

#endif
