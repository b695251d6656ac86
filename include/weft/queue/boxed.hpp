// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_QUEUE_BOXED_HPP
#define WEFT_QUEUE_BOXED_HPP

#include <memory>
#include <type_traits>
#include <utility>

namespace weft
{
namespace detail
{

/// A value as it travels through a queue whose slots must be filled without throwing: itself, if
/// its move does not throw, and otherwise in memory of its own, so that the box is moved and not
/// the value.
template <typename T, bool Nothrow = std::is_nothrow_move_constructible<T>::value>
class boxed
{
public:
    template <typename... Args>
    explicit boxed(std::in_place_t, Args&&... args) noexcept(
        std::is_nothrow_constructible<T, Args...>::value)
        : value_(std::forward<Args>(args)...)
    {
    }

    T& operator*() noexcept
    {
        return value_;
    }

private:
    T value_;
};

template <typename T>
class boxed<T, false>
{
public:
    template <typename... Args>
    explicit boxed(std::in_place_t, Args&&... args)
        : value_(std::make_unique<T>(std::forward<Args>(args)...))
    {
    }

    boxed(boxed&&) noexcept = default;
    boxed& operator=(boxed&&) noexcept = default;

    boxed(boxed const& other) : value_(std::make_unique<T>(*other.value_))
    {
    }

    /// Not after the box has been moved from.
    T& operator*() noexcept
    {
        return *value_;
    }

private:
    std::unique_ptr<T> value_;
};

} // namespace detail
} // namespace weft

#endif // WEFT_QUEUE_BOXED_HPP
