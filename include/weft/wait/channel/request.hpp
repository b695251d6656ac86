// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_WAIT_CHANNEL_REQUEST_HPP
#define WEFT_WAIT_CHANNEL_REQUEST_HPP

// What the operations of a channel ask for, in the form of request<Kind>. The value that is sent,
// or the place for the one that is received, is in the request, and the request in the operation:
// those who perform it on its behalf find it there.

#include <weft/config.hpp>
#include <weft/sync/channel_core.hpp>
#include <weft/sync/served_list.hpp>
#include <weft/sync/waiter.hpp>
#include <weft/wait/request_base.hpp>
#include <weft/wait/wait_op_base.hpp>

#include <boost/system/error_code.hpp>

#include <tuple>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// What the requests of a channel see of it beside its interface.
template <typename Channel>
struct channel_access
{
    using owner = Channel;
    using error_type = typename Channel::error_type;
    using message_type = typename Channel::message_type;

    static auto& core(Channel& c) noexcept
    {
        return c.core_;
    }
};

/// What the requests of a channel have in common.
template <typename Channel, typename Derived>
class channel_request : public request_base<Derived, channel_access<Channel>>
{
    using base = request_base<Derived, channel_access<Channel>>;

public:
    /// What was received is gone with the operation; there is nothing to give back.
    static constexpr bool gives_back = true;

    static constexpr bool serves_others = true;

    explicit channel_request(Channel& c) noexcept : base(c)
    {
    }

    // Nobody is served thereby.
    bool take_out(waiter& w, served_list&) const noexcept
    {
        return this->state().cancel(w);
    }

    void give_back() const noexcept
    {
    }
};

/// Waits until a send, or a receive, could succeed.
template <typename Channel, bool Send>
class watch_request : public channel_request<Channel, watch_request<Channel, Send>>
{
    using base = channel_request<Channel, watch_request>;

public:
    using signature = void(boost::system::error_code);

    explicit watch_request(Channel& c) noexcept : base(c)
    {
    }

    template <typename Resume = resume_waiters>
    bool try_now(Resume const& = Resume()) const noexcept
    {
        return possible();
    }

    bool possible() const noexcept
    {
        if constexpr (Send)
            return this->state().can_send() == ring_result::done;
        else
            return this->state().can_receive() == ring_result::done;
    }

    template <typename Resume = resume_waiters>
    acquisition acquire(waiter& w, Resume const& = Resume()) const noexcept
    {
        if constexpr (Send)
            return this->state().watch_send(w);
        else
            return this->state().watch_receive(w);
    }

    template <typename Handler>
    void deliver(Handler& handler, boost::system::error_code const& ec) const
    {
        std::move(handler)(ec);
    }

    void result() const noexcept
    {
    }

    std::tuple<boost::system::error_code> arguments() const noexcept
    {
        return {};
    }
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_WAIT_CHANNEL_REQUEST_HPP
