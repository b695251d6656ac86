// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// The one main of all Boost.Test programs.
#define BOOST_TEST_MODULE weft
#include <boost/test/unit_test.hpp>
