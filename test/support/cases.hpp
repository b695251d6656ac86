// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_SUPPORT_CASES_HPP
#define WEFT_TEST_SUPPORT_CASES_HPP

// What a test of something asynchronous includes: Asio, Boost.Test, threads, and the watchdog,
// which makes a failure of a hang. Tests that may take long (stress/) do without the last.

#include "parity/threads.hpp"
#include "parity/watchdog.hpp"
#include "support/asio.hpp"

#endif
