// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/drain_report.hpp>

namespace weft
{

WEFT_INLINE std::string drain_report::text() const
{
    std::string result = complete ? "complete" : "incomplete";
    auto const add = [&result](std::uint64_t count, char const* one, char const* several)
    {
        if (count != 0)
            result += ", " + std::to_string(count) + ' ' + (count == 1 ? one : several);
    };
    add(handlers, "handler run", "handlers run");
    add(queued, "handler queued", "handlers queued");
    add(outstanding, "piece of work outstanding", "pieces of work outstanding");
    add(timers, "timer waits", "timers wait");
    add(waiting, "operation waits at a lock or channel", "operations wait at locks and channels");
    add(reactor_operations, "operation of the reactor", "operations of the reactor");
    add(blocked_threads, "thread blocks", "threads block");
    add(running_threads, "thread in a handler", "threads in handlers");
    return result;
}

} // namespace weft
