// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_PLATFORM_ATOMIC_HPP
#define WEFT_PLATFORM_ATOMIC_HPP

// The seam between weft and the memory it shares: every atomic, fence, lock and plain shared cell
// comes through here. A model test defines WEFT_ATOMICS_HEADER to name a header that declares the
// same words on the model checker's types, and so checks this very source.

#if defined(WEFT_ATOMICS_HEADER)
#include WEFT_ATOMICS_HEADER
#else

#include <atomic>

namespace weft
{
namespace detail
{

template <typename T>
using atomic = std::atomic<T>;

using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

/// A full fence. Each call names the fence or read-modify-write it pairs with.
inline void full_fence() noexcept
{
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

/// Plain data that threads share under a rule written where the cell is declared.
template <typename T>
class cell
{
public:
    T get() const noexcept
    {
        return value_;
    }

    void set(T value) noexcept
    {
        value_ = value;
    }

private:
    T value_;
};

} // namespace detail
} // namespace weft

#endif // defined(WEFT_ATOMICS_HEADER)

#endif // WEFT_PLATFORM_ATOMIC_HPP
