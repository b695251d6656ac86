// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_SUPPORT_CONTEXT_HPP
#define WEFT_TEST_SUPPORT_CONTEXT_HPP

#include <weft/io_context.hpp>

namespace test
{

/// For a suite whose cases have a context each.
struct with_context
{
    weft::io_context context;
};

/// For a case of such a suite that makes its own: with other options, or several.
struct context_of_its_own
{
};

} // namespace test

#endif
