// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// The library, as one source of a program that has no library of weft's.
// tag::separate[]
#include <weft/impl/src.hpp>
// end::separate[]
