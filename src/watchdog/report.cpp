// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/platform/visibility.hpp>
#include <weft/watchdog.hpp>

#include <chrono>
#include <cstddef>
#include <ostream>
#include <sstream>

namespace weft
{

inline namespace WEFT_LOCAL
{

WEFT_INLINE auto milliseconds(std::chrono::nanoseconds t)
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(t).count();
}

WEFT_INLINE void write(std::ostream& out, stuck_thread const& t)
{
    out << "  worker " << t.worker << ", thread '" << t.thread_name << "': in one handler for "
        << milliseconds(t.wall) << " ms, of which it ran for " << milliseconds(t.cpu) << " ms\n";
    if (!t.handler.empty())
        out << "    handler: " << t.handler << '\n';
    for (std::size_t i = 0; i != t.stack.size(); ++i)
        out << "    #" << i << ' ' << t.stack[i].name << '\n';
    if (t.stack.empty())
        out << "    no stack\n";
}

WEFT_INLINE char const* text_of(watchdog_report::kind what) noexcept
{
    switch (what)
    {
    case watchdog_report::kind::stall:
        return "a handler does not return";
    case watchdog_report::kind::all_blocked:
        return "all threads are stuck in handlers";
    case watchdog_report::kind::deadlock:
        return "deadlock: only a thread from outside can wake one of its threads";
    }
    return "";
}

} // namespace WEFT_LOCAL

WEFT_INLINE std::string watchdog_report::text() const
{
    std::ostringstream out;
    out << "weft::watchdog: " << context_class << " at " << context << ": " << text_of(what)
        << '\n';
    for (stuck_thread const& t : threads)
        write(out, t);
    out << dump;
    if (left_out != 0)
        out << "  " << left_out << " reports were left out before this one\n";
    return out.str();
}

} // namespace weft
