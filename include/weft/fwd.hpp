// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_FWD_HPP
#define WEFT_FWD_HPP

#include <weft/config.hpp>

#include <cstdint>

namespace weft
{
inline namespace WEFT_ABI_NAMESPACE
{

template <typename Context, typename Allocator, std::uintptr_t Bits>
class basic_executor;

class io_context;
class thread_pool;

} // namespace WEFT_ABI_NAMESPACE

struct options;
struct stats;
struct worker_stats;

} // namespace weft

#endif // WEFT_FWD_HPP
