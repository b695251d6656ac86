// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_WAIT_CHANNEL_RECEIVE_REQUEST_HPP
#define WEFT_WAIT_CHANNEL_RECEIVE_REQUEST_HPP

#include <weft/config.hpp>
#include <weft/wait/channel/maybe.hpp>
#include <weft/wait/channel/request.hpp>
#include <weft/wait/channel/signature.hpp>
#include <weft/wait/initiate_wait.hpp>

#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>

#include <cassert>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// Where a message lands whose receiver has asked for one.
template <typename Message>
class receive_slot : public receiver_as<receive_slot<Message>, Message>
{
public:
    receive_slot() noexcept = default;
    receive_slot(receive_slot&&) = default;

    receive_slot(receive_slot const& other) : receiver_as<receive_slot, Message>()
    {
        // An operation that has not begun.
        assert(!other);
        (void)other;
    }

    bool take(Message&& m) noexcept
    {
        assert(!message_ && "nobody has looked at what has come before");
        message_.emplace(std::move(m));
        return false;
    }

    explicit operator bool() const noexcept
    {
        return bool(message_);
    }

    Message& operator*() noexcept
    {
        return *message_;
    }

    void clear() noexcept
    {
        message_.reset();
    }

private:
    maybe<Message> message_;
};

/// Receives into `Receiver`.
template <typename Channel, typename Derived,
    typename Receiver = receive_slot<typename channel_access<Channel>::message_type>>
class receive_request_base : public channel_request<Channel, Derived>
{
public:
    template <typename... Args>
    explicit receive_request_base(Channel& c, Args... args) noexcept
        : channel_request<Channel, Derived>(c), slot_(args...)
    {
    }

    template <typename Resume = resume_waiters>
    bool try_now(Resume const& resume = Resume()) noexcept
    {
        return this->state().may_receive() &&
               this->state().try_receive(slot_, resume) == ring_result::done;
    }

    bool possible() const noexcept
    {
        return this->state().may_receive() && this->state().can_receive() == ring_result::done;
    }

    template <typename Resume = resume_waiters>
    acquisition acquire(waiter& w, Resume const& resume = Resume()) noexcept
    {
        return this->state().receive(w, slot_, resume);
    }

protected:
    // Whoever takes the result of an operation that was awaited leaves it as it was: one that has a
    // name may be awaited again.
    struct clearing
    {
        Receiver& slot;

        ~clearing()
        {
            slot.clear();
        }
    };

    Receiver slot_;
};

/// Receives a value for a handler that gets an error with it.
template <typename Channel, typename Error, typename... Args>
class receive_request
    : public receive_request_base<Channel, receive_request<Channel, Error, Args...>>
{
    using base = receive_request_base<Channel, receive_request>;
    using failure = channel_failure<Error>;
    using result_type = typename received<Args...>::type;

    // Where the signature of the channel has none, it is one for coroutines, which make an
    // exception of it.
    static constexpr bool has_error = !std::is_same<Error, no_error>::value;

public:
    // Values, also where the signature of the channel has references to them.
    using signature = void(typename failure::type, std::decay_t<Args>...);

    explicit receive_request(Channel& c) noexcept : base(c)
    {
    }

    template <typename Handler>
    void deliver(Handler& handler, boost::system::error_code const& ec)
    {
        // A value excludes an error of the operation's own.
        if (!this->slot_)
            std::move(handler)(failure::of(ec), std::decay_t<Args>()...);
        else if constexpr (has_error)
            call_with(std::move(handler), **this->slot_);
        else
            std::apply([&](no_error&, auto&... values)
                { std::move(handler)(boost::system::error_code(), std::move(values)...); },
                **this->slot_);
    }

    result_type result()
    {
        typename base::clearing const at_the_end{this->slot_};
        message_parts<Error, Args...>& parts = **this->slot_;
        if constexpr (has_error)
            if (std::get<0>(parts))
                failure::raise(std::get<0>(parts));
        return received<Args...>::from(std::move(parts));
    }

    std::tuple<typename failure::type, std::decay_t<Args>...> arguments()
    {
        typename base::clearing const at_the_end{this->slot_};
        if constexpr (has_error)
            return std::move(**this->slot_);
        else
            return std::apply(
                [](no_error&, auto&... values)
                {
                    return std::tuple<typename failure::type, std::decay_t<Args>...>(
                        boost::system::error_code(), std::move(values)...);
                },
                **this->slot_);
    }
};

/// The same for a handler that is called with the values, or with an error and nothing else.
template <typename Channel, typename... Args>
class overloaded_receive_request
    : public receive_request_base<Channel, overloaded_receive_request<Channel, Args...>>
{
    using base = receive_request_base<Channel, overloaded_receive_request>;

public:
    using signature = void(std::decay_t<Args>...);
    using handler_signatures = signatures<signature, void(boost::system::error_code)>;

    explicit overloaded_receive_request(Channel& c) noexcept : base(c)
    {
    }

    template <typename Handler>
    void deliver(Handler& handler, boost::system::error_code const& ec)
    {
        if (this->slot_)
            call_with(std::move(handler), **this->slot_);
        else
            std::move(handler)(ec);
    }
};

/// What a token starts: use_awaitable, which must know one signature, what coroutines do.
template <typename Channel, typename Executor, typename Token, typename Error, typename... Args>
using receive_request_for = std::conditional_t<std::is_same<Error, no_error>::value &&
                                                   !eager_token_for<Executor, Token>::awaits,
    overloaded_receive_request<Channel, Args...>, receive_request<Channel, Error, Args...>>;

/// Receives into a buffer. A message with an error is the last.
template <typename Channel>
class receive_buffer
    : public receiver_as<receive_buffer<Channel>, typename channel_access<Channel>::message_type>
{
    using message_type = typename channel_access<Channel>::message_type;
    using value_type = typename Channel::value_type;

public:
    receive_buffer(value_type* to, std::size_t room) noexcept : to_(to), room_(room)
    {
    }

    bool take(message_type&& m) noexcept
    {
        message_type taken(std::move(m));
        ec_ =
            channel_failure<typename channel_access<Channel>::error_type>::of(std::get<0>(*taken));
        if (ec_)
            return false;
        to_[count_++] = std::get<1>(std::move(*taken));
        return count_ != room_;
    }

    std::size_t count() const noexcept
    {
        return count_;
    }

    boost::system::error_code const& error() const noexcept
    {
        return ec_;
    }

    void clear() noexcept
    {
        count_ = 0;
        ec_.clear();
    }

private:
    value_type* to_;
    std::size_t room_;
    std::size_t count_ = 0;
    boost::system::error_code ec_;
};

/// Receives as many values as there are and there is room for, and at least one.
template <typename Channel>
class receive_some_request
    : public receive_request_base<Channel, receive_some_request<Channel>, receive_buffer<Channel>>
{
    using base = receive_request_base<Channel, receive_some_request, receive_buffer<Channel>>;

public:
    using signature = void(boost::system::error_code, std::size_t);

    receive_some_request(Channel& c, typename Channel::value_type* to, std::size_t room) noexcept
        : base(c, to, room)
    {
    }

    template <typename Handler>
    void deliver(Handler& handler, boost::system::error_code const& ec)
    {
        std::move(handler)(ec ? ec : this->slot_.error(), this->slot_.count());
    }

    std::size_t result()
    {
        typename base::clearing const at_the_end{this->slot_};
        if (this->slot_.error())
            throw boost::system::system_error(this->slot_.error());
        return this->slot_.count();
    }

    std::tuple<boost::system::error_code, std::size_t> arguments()
    {
        typename base::clearing const at_the_end{this->slot_};
        return {this->slot_.error(), this->slot_.count()};
    }
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_WAIT_CHANNEL_RECEIVE_REQUEST_HPP
