// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "where.hpp"

#include <weft/platform/atomic.hpp>
#include <weft/platform/visibility.hpp>

#include <cstddef>
#include <cstdlib>

namespace weft
{
namespace detail
{

inline namespace WEFT_LOCAL
{

WEFT_INLINE atomic<unsigned> contexts_so_far{0};

} // namespace WEFT_LOCAL

WEFT_INLINE std::string next_path_of_environment()
{
    // Not in a program that has more rights than whoever calls it: it would write to any file.
    char const* const path = ::secure_getenv("WEFT_TRACE");
    if (!path || *path == '\0')
        return {};
    return numbered(path, contexts_so_far.fetch_add(1, memory_order_relaxed) + 1);
}

WEFT_INLINE std::string numbered(std::string path, unsigned number)
{
    if (number == 1)
        return path;
    std::size_t const name = path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1;
    std::size_t const dot = path.rfind('.');
    // A name that begins with its only dot has no extension.
    std::size_t const end = dot == std::string::npos || dot <= name ? path.size() : dot;
    return path.insert(end, '.' + std::to_string(number));
}

} // namespace detail
} // namespace weft
