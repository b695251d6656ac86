// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/run_blocking.hpp>

#include <weft/sched/context_scheduler.hpp>
#include <weft/sched/run_level.hpp>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

inline namespace WEFT_LOCAL
{

WEFT_INLINE void take_back(run_level* f, std::size_t count) noexcept
{
    if (count > 1)
        take_back(f->outer, count - 1);
    // Unless it was destroyed meanwhile.
    if (f->sched)
        static_cast<context_scheduler*>(f->sched)->take_back(*f);
}

} // namespace WEFT_LOCAL

WEFT_INLINE blocking_region::blocking_region() noexcept
{
    // All that this thread has: whatever contexts it is inside of, Asio's own ones between weft's
    // included, it runs none of them while it blocks.
    for (run_level* f = current_level; f && f->w; f = f->outer)
    {
        // Unless the context was destroyed inside of it.
        if (f->sched)
            static_cast<context_scheduler*>(f->sched)->hand_off(*f);
        ++given_away_;
    }
}

WEFT_INLINE blocking_region::~blocking_region()
{
    if (given_away_ != 0)
        take_back(current_level, given_away_);
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
