// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_TRACE_CONTROL_HPP
#define WEFT_SRC_SCHED_TRACE_CONTROL_HPP

// Recording as it is begun, ended and read from outside: by any thread, while workers work.

#include <weft/config.hpp>
#include <weft/sched/context_scheduler.hpp>

#include "../trace/recording.hpp"

#include <cstddef>
#include <iosfwd>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

class trace_control
{
public:
    explicit trace_control(context_scheduler& s) noexcept : scheduler_(s)
    {
    }

    /// Throws std::bad_alloc; nothing has changed then.
    void start(std::size_t events);

    void stop() noexcept;

    /// What has been recorded so far. Throws std::bad_alloc.
    recording copy(char const* kind) const;

    /// As JSON. Throws std::bad_alloc, what `out` throws, and std::ios_base::failure.
    void dump(char const* kind, std::ostream& out) const;

    /// For a new scheduler: it records from the beginning if the environment says so (WEFT_TRACE).
    /// Throws std::bad_alloc.
    void obey_environment();

    /// The context ends, and nobody runs it any more: it writes what obey_environment() has begun.
    void finish(char const* kind) noexcept;

private:
    context_scheduler& scheduler_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_TRACE_CONTROL_HPP
