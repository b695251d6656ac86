// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SYNC_SHARED_MUTEX_STATE_HPP
#define WEFT_SYNC_SHARED_MUTEX_STATE_HPP

// Many readers or one writer: a semaphore with as many permits as there can be readers, of which a
// reader takes one and a writer all. What follows from that: a writer that waits holds back the
// readers behind it and collects what the readers before it give up; a writer's unlock lets in all
// readers up to the next writer; a writer that gives up waiting lets in those behind it.

#include <weft/sync/semaphore_state.hpp>

#include <cstdint>

namespace weft
{
namespace detail
{

class shared_mutex_state : public semaphore_state
{
public:
    /// The number is Tokio's.
    static constexpr std::uint64_t max_readers = (std::uint64_t(1) << 29) - 1;

    static constexpr std::uint64_t reader = 1;
    static constexpr std::uint64_t writer = max_readers;

    shared_mutex_state() noexcept : semaphore_state(max_readers)
    {
    }

    /// Makes a writer of the only reader, if nobody waits.
    bool try_upgrade() noexcept
    {
        return try_acquire(writer - reader);
    }

    /// Makes a reader of the writer, and lets in the readers that are next.
    template <typename Resume>
    void downgrade(Resume&& resume)
    {
        release(writer - reader, resume);
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SYNC_SHARED_MUTEX_STATE_HPP
