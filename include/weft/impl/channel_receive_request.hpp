// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_IMPL_CHANNEL_RECEIVE_REQUEST_HPP
#define WEFT_IMPL_CHANNEL_RECEIVE_REQUEST_HPP

#include <weft/config.hpp>
#include <weft/impl/channel_request.hpp>
#include <weft/impl/channel_signature.hpp>
#include <weft/impl/initiate_wait.hpp>
#include <weft/impl/maybe.hpp>

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

/// Receives one value: into itself.
template <typename Parcel>
class arrival : public receiver_as<arrival<Parcel>, Parcel>
{
public:
    arrival() noexcept = default;
    arrival(arrival&&) = default;

    arrival(arrival const& other) : receiver_as<arrival, Parcel>()
    {
        // An operation that has not begun.
        assert(!other);
        (void)other;
    }

    bool take(Parcel&& p) noexcept
    {
        assert(!value_ && "nobody has looked at what has come before");
        value_.emplace(std::move(p));
        return false;
    }

    explicit operator bool() const noexcept
    {
        return bool(value_);
    }

    Parcel& operator*() noexcept
    {
        return *value_;
    }

    void clear() noexcept
    {
        value_.reset();
    }

private:
    maybe<Parcel> value_;
};

/// Receives into `Receiver`.
template <typename Channel, typename Derived,
    typename Receiver = arrival<typename channel_access<Channel>::parcel_type>>
class receive_request_base : public channel_request<Channel, Derived>
{
public:
    template <typename... Args>
    explicit receive_request_base(Channel& c, Args... args) noexcept
        : channel_request<Channel, Derived>(c), got_(args...)
    {
    }

    template <typename Resume = resume_served>
    bool try_now(Resume const& resume = Resume()) noexcept
    {
        return this->state().may_receive() &&
               this->state().try_receive(got_, resume) == ring_result::done;
    }

    bool possible() const noexcept
    {
        return this->state().may_receive() && this->state().can_receive() == ring_result::done;
    }

    template <typename Resume = resume_served>
    acquisition acquire(waiter& w, Resume const& resume = Resume()) noexcept
    {
        return this->state().receive(w, got_, resume);
    }

protected:
    // Whoever takes the result of an operation that was awaited leaves it as it was: one that has a
    // name may be awaited again.
    struct clearing
    {
        Receiver& got;

        ~clearing()
        {
            got.clear();
        }
    };

    Receiver got_;
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
        if (!this->got_)
            std::move(handler)(failure::of(ec), std::decay_t<Args>()...);
        else if constexpr (has_error)
            call_with(std::move(handler), **this->got_);
        else
            std::apply([&](no_error&, auto&... values)
                { std::move(handler)(boost::system::error_code(), std::move(values)...); },
                **this->got_);
    }

    result_type result()
    {
        typename base::clearing const at_the_end{this->got_};
        message<Error, Args...>& m = **this->got_;
        if constexpr (has_error)
            if (std::get<0>(m))
                failure::raise(std::get<0>(m));
        return received<Args...>::from(std::move(m));
    }

    std::tuple<typename failure::type, std::decay_t<Args>...> arguments()
    {
        typename base::clearing const at_the_end{this->got_};
        if constexpr (has_error)
            return std::move(**this->got_);
        else
            return std::apply(
                [](no_error&, auto&... values)
                {
                    return std::tuple<typename failure::type, std::decay_t<Args>...>(
                        boost::system::error_code(), std::move(values)...);
                },
                **this->got_);
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
        if (this->got_)
            call_with(std::move(handler), **this->got_);
        else
            std::move(handler)(ec);
    }
};

/// What a token starts: use_awaitable, which must know one signature, what coroutines do.
template <typename Channel, typename Executor, typename Token, typename Error, typename... Args>
using receive_request_for = std::conditional_t<std::is_same<Error, no_error>::value &&
                                                   !early_token_for<Executor, Token>::awaits,
    overloaded_receive_request<Channel, Args...>, receive_request<Channel, Error, Args...>>;

/// Receives into a buffer. A message with an error is the last.
template <typename Channel>
class batch : public receiver_as<batch<Channel>, typename channel_access<Channel>::parcel_type>
{
    using parcel = typename channel_access<Channel>::parcel_type;
    using value_type = typename Channel::value_type;

public:
    batch(value_type* to, std::size_t room) noexcept : to_(to), room_(room)
    {
    }

    bool take(parcel&& p) noexcept
    {
        parcel taken(std::move(p));
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
    : public receive_request_base<Channel, receive_some_request<Channel>, batch<Channel>>
{
    using base = receive_request_base<Channel, receive_some_request, batch<Channel>>;

public:
    using signature = void(boost::system::error_code, std::size_t);

    receive_some_request(Channel& c, typename Channel::value_type* to, std::size_t room) noexcept
        : base(c, to, room)
    {
    }

    template <typename Handler>
    void deliver(Handler& handler, boost::system::error_code const& ec)
    {
        std::move(handler)(ec ? ec : this->got_.error(), this->got_.count());
    }

    std::size_t result()
    {
        typename base::clearing const at_the_end{this->got_};
        if (this->got_.error())
            throw boost::system::system_error(this->got_.error());
        return this->got_.count();
    }

    std::tuple<boost::system::error_code, std::size_t> arguments()
    {
        typename base::clearing const at_the_end{this->got_};
        return {this->got_.error(), this->got_.count()};
    }
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_IMPL_CHANNEL_RECEIVE_REQUEST_HPP
