// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_TRACE_RECORDING_HPP
#define WEFT_SRC_TRACE_RECORDING_HPP

// What has been recorded in a context, as somebody has copied it.

#include "event.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weft
{
namespace detail
{

/// In place of the number of a worker: what threads have done that are none.
constexpr std::size_t no_worker = static_cast<std::size_t>(-1);

struct worker_recording
{
    std::size_t worker = 0;
    std::uint64_t lost = 0; ///< events that were there before
    std::vector<event> events;
};

struct recording
{
    std::string context;   ///< what it is called
    std::uint64_t now = 0; ///< when it was copied, by the clock of the events
    std::uint64_t process = 0;
    std::vector<worker_recording> workers; ///< one for each ring
    std::vector<std::string> names;        ///< of locks and channels, from first_name on
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_TRACE_RECORDING_HPP
