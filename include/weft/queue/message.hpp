// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_QUEUE_MESSAGE_HPP
#define WEFT_QUEUE_MESSAGE_HPP

#include <memory>
#include <type_traits>
#include <utility>

namespace weft
{
namespace detail
{

/// What a channel carries from a sender to a receiver. The slots of its queue must be filled
/// without throwing: so the parts are in the message if their move does not throw, and otherwise in
/// memory of their own, to which the message is a pointer.
template <typename T, bool Nothrow = std::is_nothrow_move_constructible<T>::value>
class message
{
public:
    using parts_type = T;

    template <typename... Args>
    explicit message(std::in_place_t, Args&&... args) noexcept(
        std::is_nothrow_constructible<T, Args...>::value)
        : parts_(std::forward<Args>(args)...)
    {
    }

    T& operator*() noexcept
    {
        return parts_;
    }

private:
    T parts_;
};

template <typename T>
class message<T, false>
{
public:
    using parts_type = T;

    template <typename... Args>
    explicit message(std::in_place_t, Args&&... args)
        : parts_(std::make_unique<T>(std::forward<Args>(args)...))
    {
    }

    message(message&&) noexcept = default;
    message& operator=(message&&) noexcept = default;

    message(message const& other) : parts_(std::make_unique<T>(*other.parts_))
    {
    }

    /// Not after the message has been moved from.
    T& operator*() noexcept
    {
        return *parts_;
    }

private:
    std::unique_ptr<T> parts_;
};

} // namespace detail
} // namespace weft

#endif // WEFT_QUEUE_MESSAGE_HPP
