// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Not in scheduler.cpp: what the compiler inlines there, in the path of a handler, depends on how
// much there is.

#include "inspection.hpp"

#include <weft/sched/context_scheduler.hpp>

#include "asio_traits.hpp"
#include "basic_scheduler.hpp"

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

WEFT_INLINE context_view context_scheduler::view() const
{
    return inspection<asio_traits>::view(static_cast<basic_scheduler<asio_traits> const&>(*this));
}

WEFT_INLINE drain_report context_scheduler::survey() const
{
    return inspection<asio_traits>::survey(static_cast<basic_scheduler<asio_traits> const&>(*this));
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
