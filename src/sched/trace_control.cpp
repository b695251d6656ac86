// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Not in scheduler.cpp: what the compiler inlines there, in the path of a handler, depends on how
// much there is.

#include "trace_control.hpp"

#include <weft/sched/wait_events.hpp>
#include <weft/trace/point.hpp>

#include "../platform/probe.hpp"
#include "../platform/symbols.hpp"
#include "../trace/chrome_json.hpp"
#include "../trace/where.hpp"
#include "asio_traits.hpp"
#include "basic_scheduler.hpp"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

inline namespace WEFT_LOCAL
{

using traits = asio_traits;
using worker = basic_worker<traits>;

/// The worker that this thread is, if it records; or null.
WEFT_INLINE worker* recording_worker() noexcept
{
    run_level* const f = current_level;
    if (!f || !f->w)
        return nullptr;
    auto* const w = static_cast<worker*>(f->w);
    return w->measured.ring ? w : nullptr;
}

WEFT_INLINE std::uint64_t word_of(char const* text) noexcept
{
    return reinterpret_cast<std::uintptr_t>(text);
}

} // namespace WEFT_LOCAL
} // namespace WEFT_ABI_NAMESPACE

WEFT_INLINE void trace_point::span_begins(char const* text) noexcept
{
    if (worker* const w = recording_worker())
        tracing<traits>::note(*w, event_kind::span_begin, word_of(text));
}

WEFT_INLINE void trace_point::span_ends(char const* text) noexcept
{
    if (worker* const w = recording_worker())
        tracing<traits>::note(*w, event_kind::span_end, word_of(text));
}

WEFT_INLINE void trace_point::operation_begins(
    char const* object, char const* operation, char const* file, unsigned line) noexcept
{
    worker* const w = recording_worker();
    if (!w)
        return;
    tracing<traits>::note(*w, event_kind::object, word_of(object));
    tracing<traits>::note(*w, event_kind::operation, word_of(operation));
    if (file)
        tracing<traits>::note(*w, event_kind::location,
            small_and_address(line < 0xffff ? line : 0xffff, word_of(file)));
}

WEFT_INLINE void trace_point::operation_ends(char const* operation) noexcept
{
    if (worker* const w = recording_worker())
        tracing<traits>::note(*w, event_kind::operation_end, word_of(operation));
}

inline namespace WEFT_ABI_NAMESPACE
{

inline namespace WEFT_LOCAL
{

WEFT_INLINE basic_scheduler<traits>& implementation_of(scheduler& s) noexcept
{
    return static_cast<basic_scheduler<traits>&>(s);
}

/// Notes it in the ring of the worker that this thread is there, or in that of the others.
template <std::size_t N>
void note_wait(scheduler& s, event const (&events)[N]) noexcept
{
    run_level* const f = find_level(current_level, &s);
    auto* const w = f ? static_cast<worker*>(f->w) : nullptr;
    if (w && w->measured.ring)
        for (auto const& e : events)
            tracing<traits>::note(*w, e.kind, e.payload);
    else
        implementation_of(s).measured.events.outside.write(cheap_clock::now(), events);
}

WEFT_INLINE std::uint64_t word_of_wait(void const* op, bool got) noexcept
{
    return small_and_address(got ? 1 : 0, reinterpret_cast<std::uintptr_t>(op));
}

// Where this thread has last begun a wait.
WEFT_INLINE thread_local scheduler* begun_at = nullptr;

} // namespace WEFT_LOCAL

WEFT_INLINE unsigned wait_events::number_of(scheduler& s, std::string const& name) noexcept
{
    unsigned const number = implementation_of(s).measured.events.names.number_of(name);
    return number != 0 ? number : no_name;
}

WEFT_INLINE void wait_events::begin(scheduler& s, std::uint64_t what, void const* op) noexcept
{
    WEFT_PROBE3(wait_begin, &s, address_in(what), op);
    begun_at = &s;
    auto const& measured = implementation_of(s).measured;
    if ((measured.switches() & measured.recording) != 0)
        note_wait(s,
            {{0, what, event_kind::wait_at}, {0, word_of_wait(op, false), event_kind::wait_begin}});
}

WEFT_INLINE void wait_events::end(scheduler& s, void const* op, bool got) noexcept
{
    WEFT_PROBE3(wait_end, &s, op, got);
    note_wait(s, {{0, word_of_wait(op, got), event_kind::wait_end}});
}

WEFT_INLINE void wait_events::end_at_once(void const* op, bool got) noexcept
{
    end(*begun_at, op, got);
}

WEFT_INLINE void trace_control::start(std::size_t events)
{
    auto& s = implementation_of(scheduler_);
    s.measured.events.prepare(events, s.workers.size());
    s.measured.record(true);
}

WEFT_INLINE void trace_control::stop() noexcept
{
    implementation_of(scheduler_).measured.record(false);
}

WEFT_INLINE recording trace_control::copy(char const* kind) const
{
    recording result = implementation_of(scheduler_).measured.events.copy();
    result.context =
        std::string(kind) + ' ' + hexadecimal(reinterpret_cast<std::uintptr_t>(&scheduler_));
    return result;
}

WEFT_INLINE void trace_control::dump(char const* kind, std::ostream& out) const
{
    write_chrome_json({copy(kind)}, symbols(symbols::maps_of_this_process()), out);
}

WEFT_INLINE void trace_control::obey_environment()
{
    std::string path = next_path_of_environment();
    if (path.empty())
        return;
    start(recorder::usual_events);
    implementation_of(scheduler_).measured.events.path = std::move(path);
}

WEFT_INLINE void trace_control::finish(char const* kind) noexcept
{
    std::string const& path = implementation_of(scheduler_).measured.events.path;
    if (path.empty())
        return;
    try
    {
        std::ofstream out(path);
        if (!out)
            throw std::system_error(errno, std::generic_category());
        dump(kind, out);
    }
    catch (std::exception const& error)
    {
        std::fprintf(stderr, "weft: WEFT_TRACE: %s: %s\n", path.c_str(), error.what());
    }
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
