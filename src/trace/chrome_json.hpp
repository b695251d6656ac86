// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_TRACE_CHROME_JSON_HPP
#define WEFT_SRC_TRACE_CHROME_JSON_HPP

// Recordings as JSON in the trace event format of Chrome, which ui.perfetto.dev opens.

#include "../platform/symbols.hpp"
#include "recording.hpp"

#include <iosfwd>
#include <vector>

namespace weft
{
namespace detail
{

/// Complete slices, flows and counters of contexts of one process, whose names are `names`. Throws
/// std::bad_alloc, what `out` throws, and std::ios_base::failure if it has not taken everything.
void write_chrome_json(
    std::vector<recording> const& contexts, symbols const& names, std::ostream& out);

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_TRACE_CHROME_JSON_HPP
