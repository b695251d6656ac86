// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Every operation of a channel is cancelled in every way (cancellation_matrix.hpp). Whatever the
// outcome, each value is in one place afterwards.

#include "primitives/cancellation_matrix.hpp"
#include "primitives/channel_operations.hpp"

#include "support/cases.hpp"
#include "support/owned.hpp"

BOOST_FIXTURE_TEST_SUITE(channel_cancellation, test::all_are_destroyed)

WEFT_TEST_CANCELLATION(test::channel_operations::all)

BOOST_AUTO_TEST_SUITE_END()
