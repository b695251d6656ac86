// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Runs one measurement in a process of its own. What it leaves behind would be part of the next:
// memory that some library keeps, a heap in pieces, arenas of threads that have ended (measured: a
// tree of coroutines takes up to three times as long in a heap that others have used).

#ifndef BENCH_SUPPORT_ISOLATED_HPP
#define BENCH_SUPPORT_ISOLATED_HPP

#include "report.hpp"

#include <functional>

namespace bench
{

/// Calls `measure` in a child process, and appends what it has found to the same cell here. If the
/// process ends otherwise than by returning, that is the cell's failure. To be called by a process
/// that has no other thread.
void in_process_of_its_own(cell& c, const std::function<void(cell&)>& measure);

} // namespace bench

#endif
