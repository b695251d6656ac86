// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_WAIT_CHANNEL_MAYBE_HPP
#define WEFT_WAIT_CHANNEL_MAYBE_HPP

#include <weft/config.hpp>

#include <cstring>
#include <new>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// A value that may be there: what std::optional does, but moves an absent one so that g++ sees
/// that nothing is looked at which has not been set.
template <typename T>
class maybe
{
public:
    maybe() noexcept = default;

    maybe(maybe&& other) noexcept : there_(other.there_)
    {
        if (there_)
            ::new (static_cast<void*>(bytes_)) T(std::move(*other));
        else
            std::memset(bytes_, 0, sizeof(bytes_));
    }

    maybe& operator=(maybe&&) = delete;

    ~maybe()
    {
        reset();
    }

    void reset() noexcept
    {
        if (std::exchange(there_, false))
            (**this).~T();
    }

    /// In the place of what is there; `args` are not part of that.
    template <typename... Args>
    void emplace(Args&&... args)
    {
        reset();
        ::new (static_cast<void*>(bytes_)) T(std::forward<Args>(args)...);
        there_ = true;
    }

    explicit operator bool() const noexcept
    {
        return there_;
    }

    /// If there is one; so for the next.
    T& operator*() noexcept
    {
        return *std::launder(reinterpret_cast<T*>(bytes_));
    }

    T const& operator*() const noexcept
    {
        return *std::launder(reinterpret_cast<T const*>(bytes_));
    }

private:
    bool there_ = false;
    alignas(T) unsigned char bytes_[sizeof(T)];
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_WAIT_CHANNEL_MAYBE_HPP
