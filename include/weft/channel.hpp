// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#if defined(WEFT_HEADER_ONLY)
#include <weft/impl/src.hpp> // all of it, before this header begins
#endif

#ifndef WEFT_CHANNEL_HPP
#define WEFT_CHANNEL_HPP

#include <weft/config.hpp>
#include <weft/error.hpp>
#include <weft/queue/message.hpp>
#include <weft/sync/channel_core.hpp>
#include <weft/wait/channel/receive_request.hpp>
#include <weft/wait/channel/request.hpp>
#include <weft/wait/channel/send_request.hpp>
#include <weft/wait/channel/signature.hpp>
#include <weft/wait/initiate_wait.hpp>
#include <weft/wait/primitive.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/system/error_code.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace weft
{
inline namespace WEFT_ABI_NAMESPACE
{

/// See the specialisation. The third parameter follows from the second, and is not to be given.
template <typename Executor, typename Signature,
    typename Form = typename detail::channel_form_of<Signature>::type>
class basic_channel;

/// Carries values from any number of senders to any number of receivers. A sender that finds it
/// full waits, and so does a receiver that finds it empty; neither blocks a thread.
///
/// `channel<T>` carries a T with each message, `channel<void>` none, and
/// `channel<void(error_code, A, B)>` several. A message is what its receiver's handler is called
/// with: the error code is sent as well, and is success unless the sender says otherwise.
///
/// A signature may begin with std::exception_ptr instead, which is sent in the same way and thrown
/// by what returns values; errors of the operation itself come as a boost::system::system_error in
/// it. Or it has neither, as in `channel<void(A)>`: handlers of receives are then to be callable
/// with the values, and with an error code alone. Where this page says error code, it means that.
///
/// While there is room, or a value, no lock is touched. Use a mutex for data that several change in
/// place; a semaphore to count without carrying; Asio's channel where one thread is certain and the
/// last nanosecond counts.
///
/// @tparam Signature What a receiver's handler is called with.
/// @tparam Args Types of the values. They are moved. One whose move may throw travels in memory of
/// its own, one allocation each; receiving one asynchronously needs a default constructor, as with
/// all of Asio's signatures: the handler is called with such a value beside an error. Their moves
/// and destructors do not use the channel. Over-aligned ones are not for coroutines, whose frames
/// are aligned for std::max_align_t.
///
/// `Executor`, *Memory*, *Exceptions from handlers* and
/// *Exceptions from executors*: as for basic_mutex; here it is whoever sends, receives, closes or
/// cancels who could not pass the latter on.
///
/// @par Ordering and fairness
/// Values arrive in the order in which they were sent. Senders that wait are served first come,
/// first served, and so are receivers: an async_ operation does not pass those that wait, a try_
/// function may. Whoever makes an operation possible performs it for the one that waits: nobody is
/// woken only to find that others were faster.
///
/// @par Complexity
/// Constant for each value, but for cancel(), close(), reset() and the destructor, which are linear
/// in the number of operations and values that they end. While nobody waits, a send and a receive
/// take one compare-exchange each and no lock, unless the capacity is 0.
///
/// @par Algorithm
/// The ring is Dmitry Vyukov's bounded queue in crossbeam's form (weft/queue/mpmc_ring.hpp); how
/// operations wait and are served is weft's own (weft/sync/channel_ring.hpp), checked by a model.
///
/// @par Capacity
/// So many values, exactly, rest in the channel; a sender that waits has its own. With 0 each send
/// waits for its receive.
///
/// @par Thread Safety
/// Distinct objects: safe. Shared objects: safe, but for construction, moves and destruction. A
/// sender's call still uses the channel when its value has been received: who destroys the channel
/// on receiving the last value must know that the call has returned, or own the channel together.
///
/// @par Destruction
/// Operations that wait complete with boost::asio::error::operation_aborted; values in the channel
/// are destroyed. The rest is as for basic_mutex.
template <typename Executor, typename Signature, typename Error, typename... Args>
class basic_channel<Executor, Signature, detail::channel_form<Error, Args...>>
{
    using error_type = Error;
    using failure = detail::channel_failure<Error>;
    using failure_type = typename failure::type;
    using message_type = detail::message<detail::message_parts<Error, Args...>>;
    using core_type =
        detail::primitive<Executor, detail::channel_core<message_type>, detail::channel_kind>;

    using send_request = detail::send_request<basic_channel>;
    using receive_request = detail::receive_request<basic_channel, Error, Args...>;

    template <typename Token>
    using receive_request_for =
        detail::receive_request_for<basic_channel, Executor, Token, Error, Args...>;

public:
    /// The executor of operations whose handler has none of its own.
    using executor_type = Executor;

    /// What a receive returns: T, a tuple of several, or void.
    using value_type = typename detail::received<Args...>::type;

    /// std::optional of that; bool instead of an optional nothing.
    using optional_type = typename detail::received<Args...>::optional_type;

    /// The same for another executor.
    template <typename OtherExecutor>
    struct rebind_executor
    {
        /// The type.
        using other = basic_channel<OtherExecutor, Signature>;
    };

    /// Makes an open, empty channel.
    /// @throws std::length_error if there cannot be so many slots; std::bad_alloc.
    explicit basic_channel(executor_type const& ex, std::size_t capacity = 0)
        : core_(ex, std::uint64_t(capacity))
    {
    }

    /// The same, with the executor of `context`.
    template <typename Context,
        typename =
            std::enable_if_t<std::is_convertible<Context&, boost::asio::execution_context&>::value>>
    explicit basic_channel(Context& context, std::size_t capacity = 0)
        : basic_channel(executor_type(context.get_executor()), capacity)
    {
    }

    /// Takes the values of `other`, which has none then, and is open. Operations that wait stay
    /// with it: a send that waited has room now. Nobody may use `other` meanwhile.
    /// @throws std::bad_alloc.
    basic_channel(basic_channel&& other);

    /// The same, of a channel with another executor.
    template <typename OtherExecutor,
        typename = std::enable_if_t<std::is_convertible<OtherExecutor, Executor>::value>>
    basic_channel(basic_channel<OtherExecutor, Signature>&& other);

    /// The same for one that exists: its values are destroyed, and it is as after cancel().
    basic_channel& operator=(basic_channel&& other);

    /// The same, of a channel with another executor.
    template <typename OtherExecutor,
        typename = std::enable_if_t<std::is_convertible<OtherExecutor, Executor>::value>>
    basic_channel& operator=(basic_channel<OtherExecutor, Signature>&& other)
    {
        return *this = basic_channel(std::move(other));
    }

    basic_channel(basic_channel const&) = delete;
    basic_channel& operator=(basic_channel const&) = delete;

    /// What it is called in stats::primitives. Any thread; throws std::bad_alloc.
    void set_name(std::string name)
    {
        core_.set_name(std::move(name));
    }

    /// The executor of operations whose handler has none of its own.
    executor_type get_executor() const noexcept
    {
        return core_.get_executor();
    }

    /// How many values there is room for.
    std::size_t capacity() const noexcept
    {
        return static_cast<std::size_t>(core_.state.capacity());
    }

    /// How many values are in the channel: at some moment during the call.
    std::size_t size() const noexcept
    {
        return static_cast<std::size_t>(core_.state.size());
    }

    /// Whether nobody has closed the channel: at some moment during the call.
    bool is_open() const noexcept
    {
        return !core_.state.closed();
    }

    /// Whether a value could be received: at some moment during the call.
    bool ready() const noexcept
    {
        return core_.state.can_receive() == detail::ring_result::done;
    }

    /// Ends the sending. Receivers get what has been sent, including what is just being sent, and
    /// then errc::closed. Senders that wait, and all later ones, get errc::closed. Any thread.
    void close() noexcept
    {
        core_.state.close_after_last(detail::resume_waiters());
    }

    /// Completes all that wait with boost::asio::error::operation_aborted. The channel remains what
    /// it is. Any thread.
    void cancel() noexcept
    {
        core_.cancel();
    }

    /// Cancels, throws the values away, and opens the channel if it is closed. Step by step: what
    /// others do at the same time may fall between the steps.
    void reset() noexcept;

    /// Sends if nobody has to wait for that. Any thread; never blocks.
    ///
    /// @param values The values, or an error and the values. They are not moved from if this fails;
    /// but those of other types, if making the channel's own of them may throw, are, and those
    /// whose move may throw and that cannot be assigned.
    /// @return False if the channel is full or closed, or without a receiver that waits if its
    /// capacity is 0.
    /// @throws What making the values throws, and std::bad_alloc for one whose move may throw. Then
    /// nothing is sent.
    template <typename... Ts>
    bool try_send(Ts&&... values);

    /// Sends up to `count` messages that are all alike, as by try_send(). Returns how many. What
    /// that throws leaves those before sent.
    template <typename... Ts>
    std::size_t try_send_n(std::size_t count, Ts const&... values);

    /// try_send() under the name that Asio has for one that may call a receiver's handler inside
    /// the call. Here none is: it runs next on this thread, if it is one of its executor's.
    template <typename... Ts>
    bool try_send_via_dispatch(Ts&&... values);

    /// try_send_n() under such a name.
    template <typename... Ts>
    std::size_t try_send_n_via_dispatch(std::size_t count, Ts const&... values);

    /// Sends the values of a range one by one until it is at its end or the channel refuses.
    /// Returns where. With std::move_iterator, values that were sent are moved from, and no others,
    /// but for what try_send() says.
    /// Throws as try_send() does, and what the iterators throw.
    template <typename Iterator, typename Sentinel>
    Iterator try_send_some(Iterator first, Sentinel last);

    /// Receives if nobody has to wait for that. Any thread; never blocks.
    ///
    /// @return A value, or nothing if there is none. For channel<void>, whether there was a
    /// message.
    /// @throws boost::system::system_error if the message carries an error, or the exception that
    /// it carries; what moving the value throws. The message is gone then.
    optional_type try_receive();

    /// The same with the error in `failed`, an error code or an exception: that of the message,
    /// boost::asio::error::would_block if there is none, errc::closed if there will not be any.
    optional_type try_receive(failure_type& failed);

    /// Receives if nobody has to wait for that, and calls `handler` inside this call. Returns
    /// whether it did, and throws what the handler throws.
    template <typename Handler>
    bool try_receive(Handler&& handler);

    /// Sends a message.
    ///
    /// @par Completes when
    /// @li the channel has room for the values, or a receiver takes them: with success; or
    /// @li the operation is cancelled, or the channel closed or destroyed: with an error.
    ///
    /// @param error What the receiver gets first. Forms without it send success.
    /// @param values What it gets then.
    /// @param token The completion token. Without one, and if the executor has no default: an
    /// operation to be awaited, or to be called with a token.
    ///
    /// @par Completion Signature
    /// `void(boost::system::error_code)`
    ///
    /// @par Executor
    /// As for basic_mutex::async_lock(). Awaiting it does not suspend if there is room, or a
    /// receiver waits.
    ///
    /// @par Per-Operation Cancellation
    /// Terminal, partial and total: the operation leaves the queue, and its values are not sent. If
    /// they have been, it completes with success.
    ///
    /// @par Errors
    /// @li boost::asio::error::operation_aborted: cancelled, or the channel destroyed.
    /// @li errc::closed: the channel is closed.
    /// The values are destroyed then; async_send_from() gives them back.
    ///
    /// @par Ordering and fairness
    /// See the class.
    ///
    /// @par Thread Safety
    /// Any thread.
    ///
    /// @par Exceptions
    /// What moving the values throws; std::bad_alloc; what the executor throws, which weft's own do
    /// not: only then may the values have been sent.
    ///
    /// @par Lifetime
    /// An operation with a name is copied when it is awaited, or called with a token, unless that
    /// is done with std::move: it can be used again then. With values that can only be moved it
    /// does not compile without std::move.
    ///
    /// @par Example
    /// @code
    /// co_await orders.async_send(std::move(order));
    /// @endcode
    ///
    /// @par See also
    /// async_send_from(), async_wait_send().
    template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) CompletionToken>
    auto async_send(Error error, Args... values, CompletionToken&& token);

    /// Without a token: see above.
    auto async_send(Error error, Args... values);

    /// Sends a message whose error code is success: see above.
    template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) CompletionToken>
    auto async_send(Args... values, CompletionToken&& token);

    /// Without a token: see above.
    auto async_send(Args... values);

    /// Sends the value of a variable, which has it again if that fails.
    ///
    /// Equivalent to async_send(), but for:
    ///
    /// @param value The value. The variable stays alive until the operation completes, and is not
    /// used meanwhile. If the operation is destroyed without completing, the value may be gone.
    ///
    /// @par Exceptions
    /// The variable still has the value then, unless that has been sent, or its move may throw.
    template <typename T,
        BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) CompletionToken>
    auto async_send_from(T& value, CompletionToken&& token);

    /// Without a token: see above.
    template <typename T>
    auto async_send_from(T& value);

    /// Receives a message.
    ///
    /// @par Completes when
    /// @li there is a message for it: with that; or
    /// @li the operation is cancelled, or the channel destroyed, or closed and empty: with an error
    /// and default-constructed values.
    ///
    /// @param token The completion token. Without one, and if the executor has no default: an
    /// operation to be awaited, or to be called with a token.
    ///
    /// @par Completion Signature
    /// That of the channel, by value. Without an error in it, as well `void(error_code)`, for the
    /// operation's own; but use_awaitable throws that, and an operation that is started without a
    /// token completes with `void(error_code, Args...)`.
    ///
    /// @par Executor
    /// As for basic_mutex::async_lock(). Awaiting it does not suspend if there is a value and
    /// nobody waits for one.
    ///
    /// @par Per-Operation Cancellation
    /// Terminal, partial and total: the operation leaves the queue, and takes no value. If it has
    /// one, it completes with that.
    ///
    /// @par Errors
    /// @li what the sender has sent;
    /// @li boost::asio::error::operation_aborted: cancelled, or the channel destroyed;
    /// @li errc::closed: the channel is closed, and everything sent has been received. Compares
    /// equal to boost::asio::experimental::error::channel_closed.
    ///
    /// @par Ordering and fairness
    /// See the class.
    ///
    /// @par Thread Safety
    /// Any thread.
    ///
    /// @par Exceptions
    /// std::bad_alloc, and what the executor throws. A value is lost in the last case only, which
    /// weft's own executors do not have. What moving a value into the handler's call throws leaves
    /// the run() of its executor, and the value is gone.
    ///
    /// @par Lifetime
    /// A value that has been received is the handler's: if that is destroyed or drops it, the value
    /// is gone. So it is when two operations are raced with `||` and both complete: use
    /// async_wait_receive() there, and try_receive() afterwards.
    ///
    /// @par Example
    /// @code
    /// auto [ec, order] = co_await orders.async_receive(as_tuple(deferred));
    /// @endcode
    ///
    /// @par See also
    /// async_receive_some(), async_wait_receive().
    template <typename CompletionToken>
    auto async_receive(CompletionToken&& token);

    /// Without a token: see above.
    auto async_receive();

    /// Receives at least one value and at most as many as there is room for: those that are in the
    /// channel, or with capacity 0 those of senders that wait, some dozens at once.
    ///
    /// Equivalent to async_receive(), but for:
    ///
    /// @param buffer Something with std::data() and std::size(), of T. What it refers to stays
    /// alive until the operation completes. Values that are in it are destroyed inside the channel.
    ///
    /// @par Completion Signature
    /// `void(boost::system::error_code, std::size_t)`: how many. A message with an error ends the
    /// operation, with that error and without its value; those before it are in the buffer and
    /// counted, but a token that throws cannot say how many: as_tuple does.
    ///
    /// @par Exceptions
    /// std::invalid_argument if the buffer has no room. Moves into it must not throw (asserted).
    template <typename Buffer, BOOST_ASIO_COMPLETION_TOKEN_FOR(
                                   void(boost::system::error_code, std::size_t)) CompletionToken>
    auto async_receive_some(Buffer&& buffer, CompletionToken&& token);

    /// Without a token: see above.
    template <typename Buffer>
    auto async_receive_some(Buffer&& buffer);

    /// Waits until a receive could succeed, and receives nothing.
    ///
    /// Others may be faster: call try_receive() then, and wait again if there is nothing. Unlike a
    /// receive it can lose a race without losing a value. It does not meet an async_wait_send().
    ///
    /// @par Completes when
    /// @li there is a value that no receive that waits takes: with success; or
    /// @li it is cancelled, or the channel destroyed, or closed and empty: with an error.
    ///
    /// @par Completion Signature
    /// `void(boost::system::error_code)`
    ///
    /// @par Example
    /// @code
    /// co_await (orders.async_wait_receive(use_awaitable) ||
    ///           refunds.async_wait_receive(use_awaitable));
    /// while (auto order = orders.try_receive())
    ///     serve(*order);
    /// @endcode
    /// Asio's operators join awaitables, and an operation without a token is not one.
    ///
    /// The rest is as for async_receive().
    template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) CompletionToken>
    auto async_wait_receive(CompletionToken&& token);

    /// Without a token: see above.
    auto async_wait_receive();

    /// Waits until a send could succeed, and sends nothing. As async_wait_receive().
    template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) CompletionToken>
    auto async_wait_send(CompletionToken&& token);

    /// Without a token: see above.
    auto async_wait_send();

    /// async_send() of values without an error code, if that takes no longer than `time` from when
    /// the operation begins, which is when it is awaited if the token starts it then.
    ///
    /// Equivalent to it, but for:
    ///
    /// @par Completes when
    /// @li also, the time has passed. What can be done at once is done however short the time.
    ///
    /// @par Executor
    /// Never completes without suspending. A timer of the channel's executor is used, unless the
    /// operation completes at once.
    ///
    /// @par Errors
    /// @li also, boost::asio::error::timed_out.
    template <typename Rep, typename Period,
        BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) CompletionToken>
    auto async_send_for(
        std::chrono::duration<Rep, Period> const& time, Args... values, CompletionToken&& token);

    /// As async_send_for(), until a point in time of std::chrono::steady_clock.
    template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) CompletionToken>
    auto async_send_until(
        std::chrono::steady_clock::time_point const& time, Args... values, CompletionToken&& token);

    /// async_send_from(), if that takes no longer than `time`. The rest as for async_send_for().
    template <typename Rep, typename Period, typename T,
        BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) CompletionToken>
    auto async_send_from_for(
        std::chrono::duration<Rep, Period> const& time, T& value, CompletionToken&& token);

    /// As async_send_from_for(), until a point in time of std::chrono::steady_clock.
    template <typename T,
        BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) CompletionToken>
    auto async_send_from_until(
        std::chrono::steady_clock::time_point const& time, T& value, CompletionToken&& token);

    /// async_receive(), if that takes no longer than `time`. The rest as for async_send_for().
    template <typename Rep, typename Period, typename CompletionToken>
    auto async_receive_for(std::chrono::duration<Rep, Period> const& time, CompletionToken&& token);

    /// As async_receive_for(), until a point in time of std::chrono::steady_clock.
    template <typename CompletionToken>
    auto async_receive_until(
        std::chrono::steady_clock::time_point const& time, CompletionToken&& token);

private:
    template <typename OtherExecutor, typename OtherSignature, typename Form>
    friend class basic_channel;
    template <typename Channel>
    friend struct detail::channel_access;

    template <typename T>
    auto send_from(T& value);

    template <typename Buffer>
    auto receive_some(Buffer& buffer);

    core_type core_;
};

/// A channel for any executor: of a type, of void, or of a signature as with Asio's channels.
template <typename T>
using channel =
    basic_channel<boost::asio::any_io_executor, typename detail::channel_signature<T>::type>;

} // namespace WEFT_ABI_NAMESPACE
} // namespace weft

#include <weft/impl/channel.hpp>

#endif // WEFT_CHANNEL_HPP
