// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_IMPL_CHANNEL_SEND_REQUEST_HPP
#define WEFT_IMPL_CHANNEL_SEND_REQUEST_HPP

#include <weft/config.hpp>
#include <weft/impl/channel_request.hpp>

#include <boost/system/error_code.hpp>

#include <new>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// Sends a value. `Derived` is this class's heir, if it has one.
template <typename Channel, typename Derived = void>
class send_request
    : public channel_request<Channel,
          std::conditional_t<std::is_void<Derived>::value, send_request<Channel, void>, Derived>>
{
    using base = channel_request<Channel,
        std::conditional_t<std::is_void<Derived>::value, send_request<Channel, void>, Derived>>;
    using parcel = typename channel_access<Channel>::parcel_type;

public:
    using signature = void(boost::system::error_code);

    template <typename... Args>
    explicit send_request(Channel& c, Args&&... args)
        : base(c), parcel_(std::in_place, std::forward<Args>(args)...)
    {
    }

    send_request(send_request&&) = default;

    // Asio's deferred operations can be called as lvalues, which copies them: it must compile even
    // where the values cannot be copied.
    send_request(send_request const& other) : base(other), parcel_(copy_of(other.parcel_))
    {
    }

    bool try_now() noexcept
    {
        return this->state().may_send() && this->state().try_send([this](void* to) noexcept
                                               { ::new (to) parcel(std::move(parcel_)); },
                                               resume_served()) == ring_result::done;
    }

    bool possible() const noexcept
    {
        return this->state().may_send() && this->state().can_send() == ring_result::done;
    }

    acquisition acquire(waiter& w) noexcept
    {
        return this->state().send(w, parcel_, resume_served());
    }

    template <typename Handler>
    void deliver(Handler& handler, boost::system::error_code const& ec)
    {
        std::move(handler)(ec);
    }

    void result() const noexcept
    {
    }

protected:
    parcel parcel_;

private:
    static parcel copy_of(parcel const& p)
    {
        if constexpr (std::is_copy_constructible<
                          typename channel_access<Channel>::message_type>::value)
            return parcel(p);
        else
        {
            (void)p;
            throw std::logic_error("weft::channel: values that can only be moved are sent once");
        }
    }
};

/// Sends a value out of a variable, which has it again if that fails.
template <typename Channel>
class send_from_request : public send_request<Channel, send_from_request<Channel>>
{
    using base = send_request<Channel, send_from_request>;
    using value_type = typename Channel::value_type;

public:
    send_from_request(Channel& c, value_type& from)
        : base(c, typename channel_access<Channel>::error_type(), std::move(from)), from_(&from)
    {
    }

    template <typename Handler>
    void deliver(Handler& handler, boost::system::error_code const& ec)
    {
        if (ec)
            *from_ = std::get<1>(std::move(*this->parcel_));
        std::move(handler)(ec);
    }

private:
    value_type* from_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_IMPL_CHANNEL_SEND_REQUEST_HPP
