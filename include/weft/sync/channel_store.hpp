// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SYNC_CHANNEL_STORE_HPP
#define WEFT_SYNC_CHANNEL_STORE_HPP

// What a channel is made of: a ring of values, and the lists of those that wait (the base).
//
// A channel has one of two flavours: values go through the ring (channel_ring.hpp), or, with
// capacity 0, senders meet receivers (rendezvous.hpp). Which one it is, with_flavour() decides, and
// nothing else asks.

#include <weft/queue/mpmc_ring.hpp>
#include <weft/sync/channel_ring.hpp>
#include <weft/sync/channel_waiters.hpp>
#include <weft/sync/rendezvous.hpp>

#include <cstdint>

namespace weft
{
namespace detail
{

template <typename T>
class channel_store : public channel_waiters
{
public:
    static constexpr std::uint64_t max_capacity = mpmc_ring<T>::max_capacity;

    /// Throws std::length_error if that is more than max_capacity, and std::bad_alloc.
    explicit channel_store(std::uint64_t capacity)
        : capacity_(capacity), ring_(capacity != 0 ? capacity : 1)
    {
    }

    std::uint64_t capacity() const noexcept
    {
        return capacity_;
    }

    std::uint64_t size() const noexcept
    {
        return ring_.size();
    }

    bool closed() const noexcept
    {
        return ring_.closed();
    }

    /// Takes the closing back.
    void reopen() noexcept
    {
        ring_.reopen();
    }

protected:
    template <typename F>
    decltype(auto) with_flavour(F f)
    {
        if (capacity_ == 0)
            return f(rendezvous<T>(*this, ring_));
        return f(channel_ring<T>(*this, ring_));
    }

    // For looks, which change nothing but the lock.
    template <typename F>
    decltype(auto) with_flavour(F f) const
    {
        return const_cast<channel_store*>(this)->with_flavour(f);
    }

    // Constant, but for swap().
    std::uint64_t capacity_;

    // With capacity 0 it is used for nothing but whether it is closed.
    mpmc_ring<T> ring_;
};

} // namespace detail
} // namespace weft

#endif // WEFT_SYNC_CHANNEL_STORE_HPP
