// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_WAIT_CHANNEL_REQUEST_HPP
#define WEFT_WAIT_CHANNEL_REQUEST_HPP

// What the operations of a channel ask for, in the form of request<Kind>. The value that is sent,
// or the place for the one that is received, is in the request, and the request in the operation:
// those who perform it on its behalf find it there.

#include <weft/config.hpp>
#include <weft/error.hpp>
#include <weft/sched/budget.hpp>
#include <weft/sync/channel_core.hpp>
#include <weft/wait/primitive.hpp>
#include <weft/wait/request.hpp>
#include <weft/wait/wait_op_base.hpp>

#include <boost/asio/error.hpp>
#include <boost/system/error_code.hpp>

#include <cstddef>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

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
    using error_type = typename Channel::error_type;
    using message_type = typename Channel::message_type;

    static auto& core(Channel& c) noexcept
    {
        return c.core_;
    }
};

/// What the requests of a channel have in common.
template <typename Channel, typename Derived>
class channel_request
{
public:
    using executor_type = typename Channel::executor_type;
    using initiation = initiate_wait<Derived>;
    using tupled = tupled_request<Derived>;
    using redirected = redirected_request<Derived>;

    /// What was received is gone with the operation; there is nothing to give back.
    static constexpr bool gives_back = true;

    static constexpr bool serves_others = true;

    struct refund
    {
        explicit refund(channel_request const&) noexcept
        {
        }

        void give_back() const noexcept
        {
        }
    };

    explicit channel_request(Channel& c) noexcept : channel_(&c)
    {
    }

    auto& state() const noexcept
    {
        return channel_access<Channel>::core(*channel_).state;
    }

    auto& yielding() const noexcept
    {
        return channel_access<Channel>::core(*channel_).yielding;
    }

    executor_type const& get_executor() const noexcept
    {
        return channel_access<Channel>::core(*channel_).get_executor();
    }

    scheduler* get_scheduler() const noexcept
    {
        return channel_access<Channel>::core(*channel_).get_scheduler();
    }

    // Nobody is served thereby.
    bool take_out(waiter& w, served_list&) const noexcept
    {
        return state().cancel(w);
    }

    void give_back() const noexcept
    {
    }

    static boost::system::error_code closed_error() noexcept
    {
        return errc::closed;
    }

    // For eager_operation.

    ready_result try_at_once() noexcept
    {
        if (spend_budget())
            return derived().try_now() ? ready_result::complete : ready_result::wait;
        return derived().possible() ? ready_result::let_others_run : ready_result::wait;
    }

    template <typename Handler>
    static constexpr std::size_t frame_bytes = sizeof(wait_op<Handler, Derived, frame_memory>);

    template <typename Handler>
    void start_in(void* memory, Handler&& handler, ready_result found)
    {
        start_in_frame(memory, std::forward<Handler>(handler), std::move(derived()), found);
    }

private:
    Derived& derived() noexcept
    {
        return static_cast<Derived&>(*this);
    }

    Channel* channel_;
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
