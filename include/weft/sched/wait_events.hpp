// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_WAIT_EVENTS_HPP
#define WEFT_SCHED_WAIT_EVENTS_HPP

// What is kept of the waits at locks and channels beyond the moment: for how long some of them have
// lasted, and events of the flight recorder.

#include <weft/config.hpp>
#include <weft/platform/visibility.hpp>
#include <weft/sched/scheduler.hpp>

#include <cstdint>
#include <string>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// What the scheduler of a primitive does with a wait. The last bits of the time at which the wait
/// has begun say it, where those nanoseconds do not matter. Any thread.
struct WEFT_DECL wait_events
{
    static constexpr std::uint64_t timed = 1;    // is in the histogram of the primitive
    static constexpr std::uint64_t recorded = 2; // has a beginning and an end in the recorder
    static constexpr std::uint64_t marks = timed | recorded;

    // Of a primitive whose name has not been asked for yet, and of one that has none.
    static constexpr unsigned name_unknown = 0;
    static constexpr unsigned no_name = 1;

    /// The marks of a wait, of which it is the one with this number: timed is one in 16, or all, as
    /// options::timing says; recorded is each while the context records.
    static std::uint64_t marks_of(scheduler const& s, std::uint64_t number) noexcept;

    /// The number of a name in events of that context: no_name if there is no room for one more.
    static unsigned number_of(scheduler& s, std::string const& name) noexcept;

    /// An operation that is marked as recorded begins to wait; `what` says at which primitive
    /// (event_kind::wait_at).
    static void begin(scheduler& s, std::uint64_t what, void const* op) noexcept;

    /// And waits no more: whether it has `got` what it wanted.
    static void end(scheduler& s, void const* op, bool got) noexcept;

    /// The one for which this thread has called begin() last need not wait.
    static void end_at_once(void const* op, bool got) noexcept;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_WAIT_EVENTS_HPP
