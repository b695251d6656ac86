// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_TRACE_TIMELINE_HPP
#define WEFT_SRC_TRACE_TIMELINE_HPP

// What the events of a recording mean: which worker was in what from when to when, who stole from
// whom and who woke whom, which operations waited for which lock, how long queues were.

#include "recording.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft
{
namespace detail
{

/// From one moment to a later one. Two slices of a worker have no moment in common, or one of them
/// is inside the other.
struct slice
{
    enum kind_type
    {
        handler,   ///< function
        io,        ///< events and descriptor
        resumed,   ///< the rest of a handler that has been inside run_blocking(): function
        span,      ///< text
        operation, ///< the handler of an operation of Asio's: text, with object and place
        searching,
        asleep,
        in_reactor, ///< asleep there
        look        ///< into the reactor: how many operations it found
    };

    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    kind_type kind = handler;
    bool inner = false;      ///< it is inside another one
    bool unfinished = false; ///< it goes on after what was recorded
    std::uint64_t payload = 0;
    std::uint64_t object = 0;
    std::uint64_t place = 0;
};

/// How many handlers there were in a ring.
struct depth_sample
{
    std::uint64_t time = 0;
    std::uint64_t count = 0;
};

struct worker_timeline
{
    std::size_t worker = 0;
    std::uint64_t lost = 0;
    std::uint64_t events = 0;
    std::vector<slice> slices; ///< by their beginning
    std::vector<depth_sample> depths;
};

/// What happened at one worker had a consequence at another one. Both times are in a slice of their
/// worker, the second at its beginning; workers are positions in timeline::workers.
struct flow
{
    enum kind_type
    {
        steal,
        wake
    };

    kind_type kind = steal;
    std::size_t from = 0;
    std::uint64_t from_time = 0;
    std::size_t to = 0;
    std::uint64_t to_time = 0;
};

/// An operation that waits at a lock or channel. Two waits of one lane have no moment in common.
struct wait
{
    /// A moment in a slice of a worker, which is a position in timeline::workers; none: it was
    /// no worker, or it is not known what that was in.
    struct place_in_worker
    {
        std::size_t worker = no_worker;
        std::uint64_t time = 0;
    };

    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t primitive = 0; ///< place_of_wait()
    std::size_t lane = 0;
    bool got = false;        ///< what it wanted
    bool unfinished = false; ///< its end was not recorded
    place_in_worker from;    ///< who began it
    place_in_worker to;      ///< who ended it
};

struct timeline
{
    std::vector<worker_timeline> workers;
    std::vector<depth_sample> injected; ///< by their time
    std::vector<flow> flows;
    std::vector<wait> waits; ///< by their beginning
    std::size_t lanes = 0;   ///< of the waits
};

/// What was recorded, as a timeline. Any events make one: some may have been lost, before them or,
/// in a crash, among them. Throws std::bad_alloc.
timeline timeline_of(recording const& r);

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_TRACE_TIMELINE_HPP
