// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_SPARE_OWNER_HPP
#define WEFT_SCHED_SPARE_OWNER_HPP

// The owner of the threads, if a context has one: told when a thread gives its worker away to
// block, and when it is back.

namespace weft
{
namespace detail
{

class spare_owner
{
public:
    virtual void worker_blocks() noexcept = 0;
    virtual void worker_returns() noexcept = 0;

    /// Whether one spare thread is too many now; if so the caller, which is one, leaves.
    virtual bool retire() noexcept = 0;

protected:
    ~spare_owner() = default;
};

/// How a thread that stood in for another has come to leave.
enum class spare_end
{
    retired,  ///< it was one too many
    over,     ///< the scheduler was stopped
    destroyed ///< by a handler of this thread: neither it nor its owner is there any more
};

} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_SPARE_OWNER_HPP
