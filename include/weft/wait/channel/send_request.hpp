// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_WAIT_CHANNEL_SEND_REQUEST_HPP
#define WEFT_WAIT_CHANNEL_SEND_REQUEST_HPP

#include <weft/config.hpp>
#include <weft/wait/channel/maybe.hpp>
#include <weft/wait/channel/request.hpp>

#include <boost/system/error_code.hpp>

#include <cassert>
#include <exception>
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

/// What requests to send have in common.
template <typename Channel, typename Derived>
class send_request_base : public channel_request<Channel, Derived>
{
    using base = channel_request<Channel, Derived>;

public:
    using signature = void(boost::system::error_code);

    using base::base;

    bool possible() const noexcept
    {
        return this->state().may_send() && this->state().can_send() == ring_result::done;
    }

    void result() const noexcept
    {
    }

    std::tuple<boost::system::error_code> arguments() const noexcept
    {
        return {};
    }

protected:
    using message_type = typename channel_access<Channel>::message_type;

    // Sends what `construct(void*)` makes.
    template <typename Construct, typename Resume>
    bool try_send(Construct&& construct, Resume const& resume) noexcept
    {
        return this->state().may_send() &&
               this->state().try_send(construct, resume) == ring_result::done;
    }

    // For an operation that is awaited, or called, as an lvalue.
    static message_type copy_of(message_type const& m)
    {
        constexpr bool possible =
            std::is_copy_constructible<typename message_type::parts_type>::value;
        static_assert(possible, "weft::channel: values that can only be moved are sent once, by "
                                "co_await std::move(operation) or std::move(operation)(token)");
        if constexpr (possible)
            return message_type(m);
    }
};

/// Sends values.
template <typename Channel>
class send_request : public send_request_base<Channel, send_request<Channel>>
{
    using base = send_request_base<Channel, send_request>;
    using typename base::message_type;

public:
    template <typename... Args>
    explicit send_request(Channel& c, Args&&... args)
        : base(c), message_(std::in_place, std::forward<Args>(args)...)
    {
    }

    send_request(send_request&&) = default;

    send_request(send_request const& other) : base(other), message_(base::copy_of(other.message_))
    {
    }

    template <typename Resume = resume_waiters>
    bool try_now(Resume const& resume = Resume()) noexcept
    {
        return this->try_send(
            [this](void* to) noexcept { ::new (to) message_type(std::move(message_)); }, resume);
    }

    template <typename Resume = resume_waiters>
    acquisition acquire(waiter& w, Resume const& resume = Resume()) noexcept
    {
        return this->state().send(w, message_, resume);
    }

    template <typename Handler>
    void deliver(Handler& handler, boost::system::error_code const& ec)
    {
        std::move(handler)(ec);
    }

private:
    message_type message_;
};

/// Sends the value of a variable, which has it again if that fails.
///
/// It is taken when it is sent or waits, which is when nothing can be thrown to the caller any
/// more. A value whose move may throw is taken at once: it has to be in its box before.
template <typename Channel>
class send_from_request : public send_request_base<Channel, send_from_request<Channel>>
{
    using base = send_request_base<Channel, send_from_request>;
    using typename base::message_type;
    using error_type = typename channel_access<Channel>::error_type;
    using value_type = typename Channel::value_type;

    static constexpr bool taken_late =
        std::is_nothrow_constructible<message_type, std::in_place_t, error_type, value_type>::value;

public:
    send_from_request(Channel& c, value_type& from) : base(c), from_(&from)
    {
        if constexpr (!taken_late)
            take();
    }

    send_from_request(send_from_request&&) = default;

    send_from_request(send_from_request const& other) : base(other), from_(other.from_)
    {
        // An operation that has not begun.
        if constexpr (taken_late)
            assert(!other.taken_);
        else
            taken_.emplace(base::copy_of(*other.taken_));
    }

    template <typename Resume = resume_waiters>
    bool try_now(Resume const& resume = Resume()) noexcept
    {
        return this->try_send(
            [this](void* to) noexcept
            {
                if constexpr (taken_late)
                    ::new (to) message_type(std::in_place, error_type(), std::move(*from_));
                else
                    ::new (to) message_type(std::move(*taken_));
            },
            resume);
    }

    template <typename Resume = resume_waiters>
    acquisition acquire(waiter& w, Resume const& resume = Resume()) noexcept
    {
        if constexpr (taken_late)
            take();
        acquisition const a = this->state().send(w, *taken_, resume);
        // Its executor may still refuse the operation.
        if constexpr (std::is_nothrow_move_assignable<value_type>::value)
            if (a == acquisition::closed)
                put_back();
        return a;
    }

    template <typename Handler>
    void deliver(Handler& handler, boost::system::error_code const& ec)
    {
        // The handler is called in any case, and what has been thrown leaves run() after it.
        std::exception_ptr thrown;
        try
        {
            if (ec && taken_)
                put_back();
        }
        catch (...)
        {
            thrown = std::current_exception();
        }
        std::move(handler)(ec);
        if (thrown)
            std::rethrow_exception(thrown);
    }

private:
    void take() noexcept(taken_late)
    {
        taken_.emplace(std::in_place, error_type(), std::move(*from_));
    }

    void put_back() noexcept(std::is_nothrow_move_assignable<value_type>::value)
    {
        *from_ = std::get<1>(std::move(**taken_));
        taken_.reset();
    }

    value_type* from_;
    maybe<message_type> taken_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_WAIT_CHANNEL_SEND_REQUEST_HPP
