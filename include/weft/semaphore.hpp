// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#if defined(WEFT_HEADER_ONLY)
#include <weft/impl/src.hpp> // all of it, before this header begins
#endif

#ifndef WEFT_SEMAPHORE_HPP
#define WEFT_SEMAPHORE_HPP

#include <weft/config.hpp>
#include <weft/error.hpp>
#include <weft/platform/deadline.hpp>
#include <weft/wait/initiate_wait.hpp>
#include <weft/wait/primitive.hpp>
#include <weft/wait/request.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution_context.hpp>

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace weft
{
inline namespace WEFT_ABI_NAMESPACE
{

/// Permits of a semaphore that go back when the object goes away. What async_scoped_acquire()
/// delivers.
///
/// @par Thread Safety
/// Distinct objects: safe. Shared objects: unsafe.
///
/// @par Complexity
/// That of basic_semaphore::release() where permits are given back, otherwise constant.
template <typename Semaphore>
class semaphore_permit
{
public:
    /// Holds nothing.
    semaphore_permit() noexcept = default;

    /// Takes charge of `n` permits that the caller has acquired.
    semaphore_permit(Semaphore& s, std::uint64_t n) noexcept : semaphore_(&s), count_(n)
    {
    }

    /// Takes over the permits of `other`, which holds nothing then.
    semaphore_permit(semaphore_permit&& other) noexcept
        : semaphore_(std::exchange(other.semaphore_, nullptr)),
          count_(std::exchange(other.count_, 0))
    {
    }

    /// The same; gives back those that this object had.
    semaphore_permit& operator=(semaphore_permit&& other) noexcept
    {
        if (this != &other)
        {
            reset();
            semaphore_ = std::exchange(other.semaphore_, nullptr);
            count_ = std::exchange(other.count_, 0);
        }
        return *this;
    }

    ~semaphore_permit()
    {
        reset();
    }

    /// Gives the permits back.
    void reset() noexcept
    {
        if (count_ != 0)
            semaphore_->release(std::exchange(count_, 0));
        semaphore_ = nullptr;
    }

    /// Leaves the permits to the caller, who gives them back some day; returns how many.
    std::uint64_t release() noexcept
    {
        semaphore_ = nullptr;
        return std::exchange(count_, 0);
    }

    /// How many permits this object has.
    std::uint64_t count() const noexcept
    {
        return count_;
    }

    /// Whether this object has any.
    explicit operator bool() const noexcept
    {
        return count_ != 0;
    }

private:
    Semaphore* semaphore_ = nullptr;
    std::uint64_t count_ = 0;
};

/// A limited number of permits, which are awaited: who wants more than are free waits, and blocks
/// no thread.
///
/// For instance, limits how many connections a program opens, or how many bytes are in flight. Any
/// thread may give permits back, also some that nobody has acquired: then it counts events. With
/// one permit, mutex says better what is meant.
///
/// `Executor`, *Memory*, *Algorithm*, *Exceptions from handlers* and
/// *Exceptions from executors*: as for basic_mutex.
///
/// @par Complexity
/// Constant, but for release(), cancel(), close() and the destructor, which are linear in the
/// number of operations that they complete. The rest is as for basic_mutex.
///
/// @par Ordering and fairness
/// First come, first served, whatever the number of permits: who wants many is not passed by those
/// behind who want few, and collects what becomes free until it is enough. Cancelling loses the
/// place, and gives what was collected to those behind.
///
/// @par Thread Safety
/// Distinct objects: safe. Shared objects: safe, but for construction and destruction.
///
/// @par Destruction
/// As for basic_mutex; permits need not have come back, but must not do so any more. Who has got a
/// permit that a release() or cancel() gave back may destroy the semaphore although that call has
/// not returned: also who was not resumed by it, but took it when it was free.
template <typename Executor = boost::asio::any_io_executor>
class basic_semaphore
{
    struct acquire_kind;
    struct scoped_kind;

    using acquire_request = detail::request<acquire_kind>;
    using scoped_request = detail::request<scoped_kind>;

public:
    /// The executor of operations whose handler has none of its own.
    using executor_type = Executor;
    /// What async_scoped_acquire() delivers.
    using permit_type = semaphore_permit<basic_semaphore>;

    /// The same for another executor.
    template <typename OtherExecutor>
    struct rebind_executor
    {
        /// The type.
        using other = basic_semaphore<OtherExecutor>;
    };

    /// The most permits that there can be.
    static constexpr std::uint64_t max_permits = detail::semaphore_state::max_permits;

    /// Makes a semaphore with `permits` free ones.
    /// @throws std::invalid_argument if that is more than max_permits; std::bad_alloc if it is the
    /// first in its context.
    basic_semaphore(executor_type const& ex, std::uint64_t permits)
        : core_(ex, validated(permits, 0))
    {
    }

    /// The same, with the executor of `context`.
    template <typename Context,
        typename =
            std::enable_if_t<std::is_convertible<Context&, boost::asio::execution_context&>::value>>
    basic_semaphore(Context& context, std::uint64_t permits)
        : basic_semaphore(executor_type(context.get_executor()), permits)
    {
    }

    basic_semaphore(basic_semaphore const&) = delete;
    basic_semaphore& operator=(basic_semaphore const&) = delete;

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

    /// Takes `n` permits if they are free and nobody waits. Any thread; never blocks.
    /// @throws std::invalid_argument if `n` is 0 or more than max_permits.
    bool try_acquire(std::uint64_t n = 1)
    {
        return core_.state.try_acquire(validated(n, 1));
    }

    /// Gives `n` permits back; those that have waited longest get them. Any thread; runs no
    /// handler. What waits is submitted to its executor: as a continuation of the running handler
    /// if it is one, and all at the back, in their order, if they are several; also over several
    /// calls in one handler.
    ///
    /// @pre There are no more than max_permits then (asserted).
    void release(std::uint64_t n = 1) noexcept
    {
        core_.release(n);
    }

    /// How many permits are free: at some moment during the call. 0 while anybody waits.
    std::uint64_t available() const noexcept
    {
        return core_.state.available();
    }

    /// Completes all that wait, and all that begin later, with errc::closed. What is given back is
    /// counted and not given out any more. Any thread; cannot be undone.
    void close() noexcept
    {
        core_.state.close(detail::resume_waiters(), detail::acquisition::closed);
    }

    /// Completes all that wait with boost::asio::error::operation_aborted. Any thread.
    void cancel() noexcept
    {
        core_.cancel();
    }

    /// Takes `n` permits.
    ///
    /// @par Completes when
    /// @li the permits are the caller's: with success; or
    /// @li the operation is cancelled, or the semaphore closed or destroyed: with an error.
    ///
    /// @param n How many. More than there will ever be at once waits for ever, and everybody behind
    /// it.
    /// @param token The completion token. Without one, and if the executor has no default: an
    /// operation to be awaited, or to be called with a token.
    ///
    /// @par Completion Signature
    /// `void(boost::system::error_code)`
    ///
    /// @par Executor
    /// As for basic_mutex::async_lock(). Awaiting it does not suspend if the permits are free.
    ///
    /// @par Per-Operation Cancellation
    /// Terminal, partial and total: the operation leaves the queue, and what it has collected goes
    /// to those behind it. If it has all its permits already, it completes with success.
    ///
    /// @par Errors
    /// @li boost::asio::error::operation_aborted: cancelled, or the semaphore destroyed.
    /// @li errc::closed: the semaphore is closed.
    ///
    /// @par Ordering and fairness
    /// See the class.
    ///
    /// @par Thread Safety
    /// Any thread.
    ///
    /// @par Exceptions
    /// std::invalid_argument if `n` is 0 or more than max_permits; std::bad_alloc, and what the
    /// executor throws. Then nothing has happened.
    ///
    /// @par Example
    /// @code
    /// co_await limit.async_acquire();
    /// co_await fetch(url);
    /// limit.release();
    /// @endcode
    ///
    /// @par See also
    /// async_scoped_acquire(), which cannot lose permits in a completion that nobody receives.
    template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) CompletionToken>
    auto async_acquire(std::uint64_t n, CompletionToken&& token)
    {
        return detail::start_wait(acquire(n), std::forward<CompletionToken>(token));
    }

    /// async_acquire(1, token).
    template <typename CompletionToken,
        typename = std::enable_if_t<!std::is_convertible<CompletionToken, std::uint64_t>::value>>
    auto async_acquire(CompletionToken&& token)
    {
        return async_acquire(1, std::forward<CompletionToken>(token));
    }

    /// Without a token: see above.
    auto async_acquire(std::uint64_t n = 1)
    {
        return detail::start_wait(acquire(n));
    }

    /// Takes `n` permits, and delivers them as an object that gives them back.
    ///
    /// Equivalent to async_acquire(), but for:
    ///
    /// @par Completion Signature
    /// `void(boost::system::error_code, permit_type)`; with an error, the permit is empty.
    ///
    /// @par Lifetime
    /// Permits that are not delivered, because the handler is destroyed or the result dropped, are
    /// given back. The semaphore must still be there then.
    template <BOOST_ASIO_COMPLETION_TOKEN_FOR(
        void(boost::system::error_code, semaphore_permit<basic_semaphore>)) CompletionToken>
    auto async_scoped_acquire(std::uint64_t n, CompletionToken&& token)
    {
        return detail::start_wait(scoped_acquire(n), std::forward<CompletionToken>(token));
    }

    /// async_scoped_acquire(1, token).
    template <typename CompletionToken,
        typename = std::enable_if_t<!std::is_convertible<CompletionToken, std::uint64_t>::value>>
    auto async_scoped_acquire(CompletionToken&& token)
    {
        return async_scoped_acquire(1, std::forward<CompletionToken>(token));
    }

    /// Without a token: see above.
    auto async_scoped_acquire(std::uint64_t n = 1)
    {
        return detail::start_wait(scoped_acquire(n));
    }

    /// Takes `n` permits, if that takes no longer than `time` from when the operation begins, which
    /// is when it is awaited if the token starts it then.
    ///
    /// Equivalent to async_acquire(), but for:
    ///
    /// @par Completes when
    /// @li also, the time has passed and the permits are not the caller's. What is free is taken
    /// however short the time.
    ///
    /// @par Errors
    /// @li also, boost::asio::error::timed_out. What it had collected goes to those behind it.
    ///
    /// @par Executor
    /// Never completes without suspending. A timer of the semaphore's executor is used, unless the
    /// operation completes at once.
    template <typename Rep, typename Period,
        BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) CompletionToken>
    auto async_acquire_for(
        std::chrono::duration<Rep, Period> const& time, std::uint64_t n, CompletionToken&& token)
    {
        return detail::start_timed_wait(
            acquire(n), detail::duration_of(time), std::forward<CompletionToken>(token));
    }

    /// async_acquire_for(time, 1, token).
    template <typename Rep, typename Period, typename CompletionToken>
    auto async_acquire_for(std::chrono::duration<Rep, Period> const& time, CompletionToken&& token)
    {
        return async_acquire_for(time, 1, std::forward<CompletionToken>(token));
    }

    /// As async_acquire_for(), until a point in time of std::chrono::steady_clock.
    template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) CompletionToken>
    auto async_acquire_until(
        std::chrono::steady_clock::time_point const& time, std::uint64_t n, CompletionToken&& token)
    {
        return detail::start_timed_wait(acquire(n), time, std::forward<CompletionToken>(token));
    }

    /// async_acquire_until(time, 1, token).
    template <typename CompletionToken>
    auto async_acquire_until(
        std::chrono::steady_clock::time_point const& time, CompletionToken&& token)
    {
        return async_acquire_until(time, 1, std::forward<CompletionToken>(token));
    }

    /// Takes `n` permits, if that takes no longer than `time`, and delivers them as an object that
    /// gives them back. Equivalent to async_acquire_for(), but for what async_scoped_acquire()
    /// says.
    template <typename Rep, typename Period,
        BOOST_ASIO_COMPLETION_TOKEN_FOR(
            void(boost::system::error_code, semaphore_permit<basic_semaphore>)) CompletionToken>
    auto async_scoped_acquire_for(
        std::chrono::duration<Rep, Period> const& time, std::uint64_t n, CompletionToken&& token)
    {
        return detail::start_timed_wait(
            scoped_acquire(n), detail::duration_of(time), std::forward<CompletionToken>(token));
    }

    /// async_scoped_acquire_for(time, 1, token).
    template <typename Rep, typename Period, typename CompletionToken>
    auto async_scoped_acquire_for(
        std::chrono::duration<Rep, Period> const& time, CompletionToken&& token)
    {
        return async_scoped_acquire_for(time, 1, std::forward<CompletionToken>(token));
    }

    /// As async_scoped_acquire_for(), until a point in time of std::chrono::steady_clock.
    template <BOOST_ASIO_COMPLETION_TOKEN_FOR(
        void(boost::system::error_code, semaphore_permit<basic_semaphore>)) CompletionToken>
    auto async_scoped_acquire_until(
        std::chrono::steady_clock::time_point const& time, std::uint64_t n, CompletionToken&& token)
    {
        return detail::start_timed_wait(
            scoped_acquire(n), time, std::forward<CompletionToken>(token));
    }

    /// async_scoped_acquire_until(time, 1, token).
    template <typename CompletionToken>
    auto async_scoped_acquire_until(
        std::chrono::steady_clock::time_point const& time, CompletionToken&& token)
    {
        return async_scoped_acquire_until(time, 1, std::forward<CompletionToken>(token));
    }

private:
    using core_type = detail::primitive<Executor, detail::semaphore_state, detail::semaphore_kind>;

    struct acquire_kind
    {
        using owner = basic_semaphore;
        using count = detail::any_count;
        using result = void;

        static core_type& core(basic_semaphore& s) noexcept
        {
            return s.core_;
        }

        static bool try_acquire(detail::semaphore_state& state, std::uint64_t n) noexcept
        {
            return state.try_acquire(n);
        }
    };

    struct scoped_kind : acquire_kind
    {
        using result = permit_type;

        static result make_result(basic_semaphore& s, std::uint64_t n) noexcept
        {
            return result(s, n);
        }
    };

    static std::uint64_t validated(std::uint64_t n, std::uint64_t least)
    {
        if (n < least || n > max_permits)
            throw std::invalid_argument("weft::semaphore: number of permits");
        return n;
    }

    acquire_request acquire(std::uint64_t n)
    {
        return acquire_request(*this, {validated(n, 1)});
    }

    scoped_request scoped_acquire(std::uint64_t n)
    {
        return scoped_request(*this, {validated(n, 1)});
    }

    core_type core_;
};

/// A semaphore for any executor.
using semaphore = basic_semaphore<>;

} // namespace WEFT_ABI_NAMESPACE
} // namespace weft

#endif // WEFT_SEMAPHORE_HPP
