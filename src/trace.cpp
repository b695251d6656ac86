// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/trace.hpp>

#include <weft/executor.hpp>
#include <weft/io_context.hpp>
#include <weft/thread_pool.hpp>

#include "sched/trace_control.hpp"
#include "trace/crash.hpp"
#include "trace/recorder.hpp"
#include "validate.hpp"

namespace weft
{
namespace trace
{
inline namespace WEFT_ABI_NAMESPACE
{

inline namespace WEFT_LOCAL
{

/// For a dump, the scheduler is found by way of a reference that could change it.
template <typename Context>
detail::trace_control control(Context const& context) noexcept
{
    return detail::trace_control(static_cast<detail::context_scheduler&>(
        detail::context_access::get_scheduler(const_cast<Context&>(context))));
}

template <typename Context>
void start_context(Context& context, options const& opts)
{
    using detail::recorder;
    detail::require_range(
        "weft::trace::options::events", opts.events, recorder::least_events, recorder::most_events);
    control(context).start(opts.events);
}

} // namespace WEFT_LOCAL

WEFT_INLINE void start(io_context& context, options const& opts)
{
    start_context(context, opts);
}

WEFT_INLINE void start(thread_pool& context, options const& opts)
{
    start_context(context, opts);
}

WEFT_INLINE void stop(io_context& context) noexcept
{
    control(context).stop();
}

WEFT_INLINE void stop(thread_pool& context) noexcept
{
    control(context).stop();
}

WEFT_INLINE void dump(io_context const& context, std::ostream& out)
{
    control(context).dump("weft::io_context", out);
}

WEFT_INLINE void dump(thread_pool const& context, std::ostream& out)
{
    control(context).dump("weft::thread_pool", out);
}

WEFT_INLINE void dump_on_crash(char const* path)
{
    detail::write_rings_on_crash(path);
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace trace
} // namespace weft
