// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_TRACE_CRASH_HPP
#define WEFT_SRC_TRACE_CRASH_HPP

namespace weft
{
namespace detail
{

/// See trace::dump_on_crash().
void write_rings_on_crash(char const* path);

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_TRACE_CRASH_HPP
