// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Not in scheduler.cpp: what the compiler inlines there, in the path of a handler, depends on how
// much there is.

#include "inspection.hpp"

#include <weft/sched/context_scheduler.hpp>
#include <weft/sched/wait_events.hpp>

#include "asio_traits.hpp"
#include "basic_scheduler.hpp"
#include "thread_view.hpp"

#include <ctime>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

inline namespace WEFT_LOCAL
{

using implementation = basic_scheduler<asio_traits>;

/// The processor time that a thread has used; 0 if the system does not say.
WEFT_INLINE std::chrono::nanoseconds cpu_time_of(pthread_t thread) noexcept
{
    clockid_t clock;
    timespec time{};
    if (::pthread_getcpuclockid(thread, &clock) != 0 || ::clock_gettime(clock, &time) != 0)
        return {};
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

} // namespace WEFT_LOCAL

WEFT_INLINE context_view context_scheduler::view() const
{
    return inspection<asio_traits>::view(static_cast<implementation const&>(*this));
}

WEFT_INLINE drain_report context_scheduler::survey() const
{
    return inspection<asio_traits>::survey(static_cast<implementation const&>(*this));
}

WEFT_INLINE std::uint64_t wait_events::marks_of(scheduler const& s, std::uint64_t number) noexcept
{
    // The last of so many: who has few needs no memory for them.
    constexpr std::uint64_t waits_per_sample = 16;
    std::uint64_t const sampled = number % waits_per_sample == waits_per_sample - 1 ? timed : 0;
    auto const& measured = static_cast<implementation const&>(s).measured;
    unsigned const switches = measured.switches();
#if !defined(WEFT_USDT)
    // As a context is that nobody has changed.
    if (switches == static_cast<unsigned>(timing::sampled))
        return sampled;
    bool const records = (switches & measured.recording) != 0;
#else
    // Somebody may be attached to the probes.
    bool const records = true;
#endif
    timing const mode = measured.mode_in(switches);
    std::uint64_t const times = mode == timing::all ? timed : mode == timing::sampled ? sampled : 0;
    return times | (records ? recorded : 0);
}

WEFT_INLINE void look_at_threads(context_scheduler const& s, std::vector<thread_view>& out)
{
    out.clear();
    static_cast<implementation const&>(s).workers.for_each(
        [&out](implementation::worker const& w)
        {
            thread_view v;
            v.worker = w.index;
            v.present = w.holder.present;
            v.awake = v.present && w.sleep.rest() == resting::no;
            v.entries = w.holder.entries;
            v.handlers = w.count.handlers.value();
            v.parks = w.count.parks.value();
            if (v.awake)
                v.cpu = cpu_time_of(w.holder.thread);
            out.push_back(v);
        });
}

WEFT_INLINE bool reach_thread(
    context_scheduler const& s, thread_view const& seen, std::function<void(pthread_t)> const& act)
{
    bool there = false;
    static_cast<implementation const&>(s).workers.for_each(
        [&](implementation::worker const& w)
        {
            if (w.index != seen.worker || !w.holder.present || w.holder.entries != seen.entries)
                return;
            there = true;
            act(w.holder.thread);
        });
    return there;
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
