// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_VAIN_LOOKS_HPP
#define WEFT_SRC_SCHED_VAIN_LOOKS_HPP

// Whether it pays to look into the reactor often.

#include <weft/platform/atomic.hpp>

namespace weft
{
namespace detail
{

/// How many looks of busy workers into the reactor have found nothing since one found something. A
/// hint: two threads that count at once may count once. Not written where nothing changes, for all
/// read it. Any thread.
class vain_looks
{
public:
    static constexpr unsigned many = 8;

    bool are_many() const noexcept
    {
        return count_.load(memory_order_relaxed) >= many;
    }

    void add() noexcept
    {
        unsigned const count = count_.load(memory_order_relaxed);
        if (count < many)
            count_.store(count + 1, memory_order_relaxed);
    }

    /// One has found something.
    void end() noexcept
    {
        if (count_.load(memory_order_relaxed) != 0)
            count_.store(0, memory_order_relaxed);
    }

private:
    // None has brought anything so far.
    atomic<unsigned> count_{many};
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_VAIN_LOOKS_HPP
