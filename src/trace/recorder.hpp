// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_TRACE_RECORDER_HPP
#define WEFT_SRC_TRACE_RECORDER_HPP

// The rings of a context, one for each worker: made when recording begins for the first time, and
// there until the context is destroyed, so that neither workers nor readers wait for each other.
// And one for threads that are no workers, who do.

#include <weft/platform/atomic.hpp>
#include <weft/platform/mutex.hpp>

#include "event_ring.hpp"
#include "recording.hpp"
#include "shared_ring.hpp"
#include "wait_names.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace weft
{
namespace detail
{

class recorder
{
public:
    // What options may ask for.
    static constexpr std::size_t least_events = 64;
    static constexpr std::size_t usual_events = std::size_t{1} << 16;
    static constexpr std::size_t most_events = std::size_t{1} << 24;

    recorder() noexcept;
    ~recorder();

    recorder(recorder const&) = delete;
    recorder& operator=(recorder const&) = delete;

    /// Makes the rings of the first `workers` workers, and lets those of others be made when these
    /// join, each for `events` events or more. What there is already stays as it is. Throws
    /// std::bad_alloc; nothing has changed then. Any thread.
    void prepare(std::size_t events, std::size_t workers);

    /// The ring of a worker, which is made if need be; null if there is no memory. Any thread.
    event_ring* ring_of(std::size_t worker) noexcept;

    /// What is in the rings, and the time. Any thread. Throws std::bad_alloc.
    recording copy() const;

    /// Counts a context that records, and one that does not any more.
    static void began() noexcept;
    static void ended() noexcept;

    // For who writes out all that this process has recorded, when it is too late for locks: the
    // recorders that have rings, and the rings of one.
    static recorder const* first() noexcept;
    recorder const* next() const noexcept;
    event_ring const* newest() const noexcept;

    /// Keeps recorders from coming and going, if that can be had within so many attempts.
    static bool try_hold(unsigned attempts) noexcept;
    static void release() noexcept;

    // Where the timeline goes when the context ends; empty: nowhere. Written before the context is
    // used.
    std::string path;

    // Any thread.
    shared_ring outside;
    wait_names names;

private:
    event_ring* add(std::unique_ptr<event_ring> ring) noexcept;

    mutable mutex mutex_;

    // Guarded by mutex_. 0: nobody has called prepare().
    std::size_t events_ = 0;
    std::vector<event_ring*> by_worker_;

    // Owns the rings, the newest first. Published by release.
    atomic<event_ring*> newest_{nullptr};

    // Guarded by the lock of the list of recorders.
    atomic<recorder*> next_{nullptr};
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_TRACE_RECORDER_HPP
