// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_HEADERS_HEADER_ONLY_PARTS_HPP
#define WEFT_TEST_HEADERS_HEADER_ONLY_PARTS_HPP

#include <weft/fwd.hpp>

#include <cstddef>
#include <string>

// What two.cpp does, with a context that is one.cpp's.

/// Sends 1 to `most` through a channel, and returns their sum.
int sum_through_channel(weft::io_context& context, int most);

/// How many operations wait at the locks and channels of `context`.
std::size_t waiting_in(weft::io_context& context);

/// Where a variable of a source of the library's is.
void const* where_the_clock_is();

/// What answers the signal of a watchdog.
void const* what_answers_for_stacks();

std::string metrics_of(weft::io_context& context);

#endif // WEFT_TEST_HEADERS_HEADER_ONLY_PARTS_HPP
