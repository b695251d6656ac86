// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What a timer does, by whatever thread: it starts waits and cancels them.

#include <weft/sched/scheduler.hpp>

#include "asio_traits.hpp"
#include "basic_scheduler.hpp"

#include <cstddef>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

inline namespace WEFT_LOCAL
{

// A thread that uses the scheduler from outside run(), on behalf of a wait that may be over, and
// with it the context, before it is done.
class outside_scope
{
public:
    outside_scope(outsiders& all, bool outside) noexcept : all_(outside ? &all : nullptr)
    {
        if (all_)
            all_->enter();
    }

    outside_scope(outside_scope const&) = delete;
    outside_scope& operator=(outside_scope const&) = delete;

    ~outside_scope()
    {
        if (all_)
            all_->leave();
    }

private:
    outsiders* const all_;
};

using implementation = basic_scheduler<asio_traits>;

} // namespace WEFT_LOCAL

WEFT_INLINE void scheduler::start_wait(timer& t, bool may_wait, timer_ticks at, timer_wait* wait)
{
    auto& core = static_cast<implementation&>(*this);
    auto const* const w = submission<asio_traits>::this_worker(core);
    outside_scope const scope(core.outside, !w);
    std::size_t const place = w ? timers<timer_waits>::place_of(w->index) : 0;
    // To set an alarm spares the sleeper a wake and the next sleep.
    if (core.timers.add(t, may_wait, place, at, wait) && !core.driver->shorten_wait(at))
        core.driver->interrupt();
}

WEFT_INLINE std::size_t scheduler::cancel_waits(timer& t, std::size_t most) noexcept
{
    auto& core = static_cast<implementation&>(*this);
    outside_scope const scope(core.outside, !this_worker());
    return core.timers.cancel(t, most, [this](timer_wait* wait) { submit(wait); });
}

WEFT_INLINE void scheduler::cancel_wait(timer& t, void const* key) noexcept
{
    auto& core = static_cast<implementation&>(*this);
    outside_scope const scope(core.outside, !this_worker());
    core.timers.cancel_key(t, key, [this](timer_wait* wait) { submit(wait); });
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
