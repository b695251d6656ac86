// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "drain.hpp"

#include <weft/wait/primitive.hpp>

#include <chrono>
#include <thread>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

inline namespace WEFT_LOCAL
{

// How long threads that are in no handler, or in a short one, take to leave: some wake up first.
inline constexpr std::chrono::milliseconds time_to_leave{20};
inline constexpr std::chrono::microseconds time_between_looks{200};

} // namespace WEFT_LOCAL

WEFT_INLINE drain::drain(context_scheduler& sched, boost::asio::execution_context& context)
    : scheduler_(sched), context_(context), handlers_before_(sched.survey().handlers)
{
}

WEFT_INLINE drain_report drain::finish()
{
    scheduler_.stop();
    drain_report report = scheduler_.survey();
    auto const until = deadline_after(time_to_leave);
    while (report.running_threads != 0 && std::chrono::steady_clock::now() < until)
    {
        std::this_thread::sleep_for(time_between_looks);
        report = scheduler_.survey();
    }
    report.handlers -= handlers_before_;
    report.waiting = primitive_service::waiting_in(context_);
    report.complete = report.queued == 0 && report.outstanding == 0 && report.timers == 0 &&
                      report.waiting == 0 && report.blocked_threads == 0 &&
                      report.running_threads == 0;
    return report;
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
