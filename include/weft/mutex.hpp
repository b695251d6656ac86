// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#if defined(WEFT_HEADER_ONLY)
#include <weft/impl/src.hpp> // all of it, before this header begins
#endif

#ifndef WEFT_MUTEX_HPP
#define WEFT_MUTEX_HPP

#include <weft/config.hpp>
#include <weft/error.hpp>
#include <weft/platform/deadline.hpp>
#include <weft/wait/initiate_wait.hpp>
#include <weft/wait/primitive.hpp>
#include <weft/wait/request.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution_context.hpp>

#include <cassert>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>

namespace weft
{
inline namespace WEFT_ABI_NAMESPACE
{

/// A lock that is awaited: who has to wait for it blocks no thread.
///
/// A holder may keep the lock across asynchronous operations, and may give it back on another
/// thread than took it. For a few instructions that never suspend, std::mutex is the cheaper
/// choice; so that handlers of one connection do not overlap, a strand is the clearer one.
///
/// `Executor` is any of Asio's executors; the fastest are weft's, also inside any_io_executor.
///
/// @par Ordering and fairness
/// First come, first served. unlock() hands the lock to the one that has waited longest, without a
/// moment at which it is free; nobody takes it from there with try_lock(). Cancelling loses the
/// place. What one handler grants several others (here or by other primitives) is delivered in that
/// order if one thread runs them all. An operation with a time limit completes after its timer's
/// handler, and may be passed by one without.
///
/// @par Memory
/// An operation that waits is kept in the coroutine that awaits it, or in memory of its handler's
/// associated allocator; by default blocks that weft recycles, between all threads. Waiting itself
/// calls no allocator once the program has come to its usual number of waiters. (Asio's
/// cancellation slots and the queues of executors other than weft's allocate as they always do.)
///
/// @par Thread Safety
/// Distinct objects: safe. Shared objects: safe, but for construction and destruction. Cancellation
/// signals may be emitted on any thread at any time, also while the operation completes or the
/// mutex is destroyed, and may be destroyed before the operation completes. (One signal is for one
/// thread at a time, as Asio's always are.)
///
/// @par Destruction
/// Operations that wait complete with boost::asio::error::operation_aborted. Nobody may hold the
/// lock. A handler may destroy the mutex, also if the call that resumed it resumes others. The
/// context may be destroyed before or after: with it, operations that wait are destroyed without
/// being completed, and none may begin later. (Asio's strands must not outlive their context, nor
/// then a mutex with one for its executor.)
///
/// @par Complexity
/// Constant, but for cancel() and the destructor, which are linear in the number of operations that
/// wait. A mutex that is free is taken, and given back, by one atomic operation; so waits the first
/// operation. From the second on those that wait are in a list, under a lock of its own.
///
/// @par Algorithm
/// One word is the number of free permits, or the address of the only waiter, or says that there is
/// a list of them: weft's own (weft/sync/semaphore_state.hpp), checked by a model.
///
/// @par Exceptions from handlers
/// They leave the run() of the handler's executor. The lock stays as it was.
///
/// @par Exceptions from executors
/// Those of an executor that is asked to run a handler that has waited end the program: neither
/// unlock() nor a timer could pass them on. So do those of one that is asked to run a handler with
/// a time limit, unless it had the lock at once. weft's executors throw none there; others may if
/// they find no memory.
template <typename Executor = boost::asio::any_io_executor>
class basic_mutex
{
    struct lock_kind;
    struct scoped_kind;

    using lock_request = detail::request<lock_kind>;
    using scoped_request = detail::request<scoped_kind>;

public:
    /// The executor of operations whose handler has none of its own.
    using executor_type = Executor;

    /// The same for another executor.
    template <typename OtherExecutor>
    struct rebind_executor
    {
        /// The type.
        using other = basic_mutex<OtherExecutor>;
    };

    /// Makes a mutex that is free. Throws std::bad_alloc if it is the first in its context.
    explicit basic_mutex(executor_type const& ex) : core_(ex, std::uint64_t(1))
    {
    }

    /// The same, with the executor of `context`.
    template <typename Context,
        typename =
            std::enable_if_t<std::is_convertible<Context&, boost::asio::execution_context&>::value>>
    explicit basic_mutex(Context& context) : basic_mutex(executor_type(context.get_executor()))
    {
    }

    basic_mutex(basic_mutex const&) = delete;
    basic_mutex& operator=(basic_mutex const&) = delete;

    /// What it is called in stats::primitives. Any thread. Throws std::bad_alloc.
    void set_name(std::string name)
    {
        core_.set_name(std::move(name));
    }

    /// The executor of operations whose handler has none of its own.
    executor_type get_executor() const noexcept
    {
        return core_.get_executor();
    }

    /// Takes the lock if it is free and nobody waits. Any thread; never blocks.
    bool try_lock() noexcept
    {
        return core_.state.try_acquire_one_of(1);
    }

    /// Gives the lock back; the one that has waited longest has it then. Any thread; runs no
    /// handler. What waits is submitted as a continuation of the running handler.
    ///
    /// @pre The caller has the lock (that somebody has it is asserted).
    void unlock() noexcept
    {
        assert(core_.state.available() == 0 && "the mutex is not locked");
        core_.state.release_only(detail::resume_acquired());
    }

    /// Completes all that wait with boost::asio::error::operation_aborted. Any thread.
    void cancel() noexcept
    {
        core_.cancel();
    }

    /// Takes the lock.
    ///
    /// @par Completes when
    /// @li the lock is the caller's: with success; or
    /// @li the operation is cancelled, or the mutex destroyed: with an error.
    ///
    /// @param token The completion token. Without one, and if the executor has no default: an
    /// operation to be awaited, or to be called with a token.
    ///
    /// @par Completion Signature
    /// `void(boost::system::error_code)`
    ///
    /// @par Executor
    /// The handler is called on its associated executor, by default that of the mutex, as a
    /// continuation of the handler that unlocked, and never inside this call: an operation that
    /// completes at once is submitted (P2 of io_context), or dispatched on the immediate executor
    /// if the handler has one. While it waits, the contexts of both executors count it as work.
    ///
    /// `co_await m.async_lock()` does not suspend if the lock is free; nor do the forms with
    /// boost::asio::deferred and use_awaitable, also inside as_tuple and redirect_error, and with
    /// such a token as the executor's default. With deferred it costs least:
    /// `auto [ec] = co_await m.async_lock(as_tuple(deferred))` throws nothing. They spend the
    /// handler's budget: when that is used up, they let others run first (see options::tick_budget;
    /// on other executors, after 128 in a row).
    ///
    /// @par Per-Operation Cancellation
    /// Terminal, partial and total: the operation leaves the queue, unless the lock is its own
    /// already, in which case it completes with success.
    ///
    /// @par Errors
    /// @li boost::asio::error::operation_aborted: cancelled, or the mutex destroyed.
    ///
    /// @par Ordering and fairness
    /// See the class.
    ///
    /// @par Thread Safety
    /// Any thread.
    ///
    /// @par Exceptions
    /// std::bad_alloc, and what the executor throws; then nothing has happened.
    ///
    /// @par Example
    /// @code
    /// co_await m.async_lock();
    /// co_await async_write(file, buffer, use_awaitable);
    /// m.unlock();
    /// @endcode
    ///
    /// @par See also
    /// async_scoped_lock(), which cannot lose the lock in a completion that nobody receives, such
    /// as of the other side of `||`.
    template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) CompletionToken>
    auto async_lock(CompletionToken&& token)
    {
        return detail::start_wait(lock(), std::forward<CompletionToken>(token));
    }

    /// Without a token: see above.
    auto async_lock()
    {
        return detail::start_wait(lock());
    }

    /// Takes the lock, and delivers it as an object that gives it back.
    ///
    /// Equivalent to async_lock(), but for:
    ///
    /// @par Completion Signature
    /// `void(boost::system::error_code, std::unique_lock<basic_mutex>)`; with an error, the lock is
    /// empty.
    ///
    /// @par Lifetime
    /// A lock that is not delivered, because the handler is destroyed or the result dropped, is
    /// given back. The mutex must still be there then.
    template <BOOST_ASIO_COMPLETION_TOKEN_FOR(
        void(boost::system::error_code, std::unique_lock<basic_mutex>)) CompletionToken>
    auto async_scoped_lock(CompletionToken&& token)
    {
        return detail::start_wait(scoped_lock(), std::forward<CompletionToken>(token));
    }

    /// Without a token: see above.
    auto async_scoped_lock()
    {
        return detail::start_wait(scoped_lock());
    }

    /// Takes the lock, if that takes no longer than `time` from when the operation begins, which is
    /// when it is awaited if the token starts it then.
    ///
    /// Equivalent to async_lock(), but for:
    ///
    /// @par Completes when
    /// @li also, the time has passed and the lock is not the caller's. A lock that is free is taken
    /// however short the time.
    ///
    /// @par Errors
    /// @li also, boost::asio::error::timed_out.
    ///
    /// @par Executor
    /// Never completes without suspending. A timer of the mutex's executor is used, unless the
    /// operation completes at once.
    template <typename Rep, typename Period,
        BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) CompletionToken>
    auto async_lock_for(std::chrono::duration<Rep, Period> const& time, CompletionToken&& token)
    {
        return detail::start_timed_wait(
            lock(), detail::duration_of(time), std::forward<CompletionToken>(token));
    }

    /// As async_lock_for(), until a point in time of std::chrono::steady_clock.
    template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) CompletionToken>
    auto async_lock_until(
        std::chrono::steady_clock::time_point const& time, CompletionToken&& token)
    {
        return detail::start_timed_wait(lock(), time, std::forward<CompletionToken>(token));
    }

    /// Takes the lock, if that takes no longer than `time`, and delivers it as an object that gives
    /// it back. Equivalent to async_lock_for(), but for what async_scoped_lock() says.
    template <typename Rep, typename Period,
        BOOST_ASIO_COMPLETION_TOKEN_FOR(
            void(boost::system::error_code, std::unique_lock<basic_mutex>)) CompletionToken>
    auto async_scoped_lock_for(
        std::chrono::duration<Rep, Period> const& time, CompletionToken&& token)
    {
        return detail::start_timed_wait(
            scoped_lock(), detail::duration_of(time), std::forward<CompletionToken>(token));
    }

    /// As async_scoped_lock_for(), until a point in time of std::chrono::steady_clock.
    template <BOOST_ASIO_COMPLETION_TOKEN_FOR(
        void(boost::system::error_code, std::unique_lock<basic_mutex>)) CompletionToken>
    auto async_scoped_lock_until(
        std::chrono::steady_clock::time_point const& time, CompletionToken&& token)
    {
        return detail::start_timed_wait(scoped_lock(), time, std::forward<CompletionToken>(token));
    }

private:
    using core_type = detail::primitive<Executor, detail::semaphore_state, detail::mutex_kind>;

    struct lock_kind
    {
        using owner = basic_mutex;
        using count = detail::fixed_count<1>;
        using result = void;

        static core_type& core(basic_mutex& m) noexcept
        {
            return m.core_;
        }

        static bool try_acquire(detail::semaphore_state& state, std::uint64_t) noexcept
        {
            return state.try_acquire_one_of(1);
        }
    };

    struct scoped_kind : lock_kind
    {
        using result = std::unique_lock<basic_mutex>;

        static result make_result(basic_mutex& m, std::uint64_t)
        {
            return result(m, std::adopt_lock);
        }
    };

    lock_request lock() noexcept
    {
        return lock_request(*this);
    }

    scoped_request scoped_lock() noexcept
    {
        return scoped_request(*this);
    }

    core_type core_;
};

/// A mutex for any executor.
using mutex = basic_mutex<>;

} // namespace WEFT_ABI_NAMESPACE
} // namespace weft

#endif // WEFT_MUTEX_HPP
