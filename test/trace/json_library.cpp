// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Boost.JSON, once for this program.

#include <boost/json/src.hpp>
