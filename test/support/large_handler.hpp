// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_SUPPORT_LARGE_HANDLER_HPP
#define WEFT_TEST_SUPPORT_LARGE_HANDLER_HPP

#include <array>
#include <functional>

namespace test
{

/// Too large for the caches that serve small handlers, so that each submission allocates.
struct large_handler
{
    std::function<void()> action;
    std::array<char, 20000> ballast{};

    void operator()() const
    {
        action();
    }
};

} // namespace test

#endif // WEFT_TEST_SUPPORT_LARGE_HANDLER_HPP
