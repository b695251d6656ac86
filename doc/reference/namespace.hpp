// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Read by Doxygen alone: without a comment of a namespace it does not ask for those of its members.

/// Work-stealing execution contexts for Boost.Asio, with locks and channels.
namespace weft
{
}
