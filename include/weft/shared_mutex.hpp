// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#if defined(WEFT_HEADER_ONLY)
#include <weft/impl/src.hpp> // all of it, before this header begins
#endif

#ifndef WEFT_SHARED_MUTEX_HPP
#define WEFT_SHARED_MUTEX_HPP

#include <weft/config.hpp>
#include <weft/error.hpp>
#include <weft/platform/deadline.hpp>
#include <weft/sync/shared_mutex_state.hpp>
#include <weft/wait/initiate_wait.hpp>
#include <weft/wait/primitive.hpp>
#include <weft/wait/request.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution_context.hpp>

#include <cassert>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <type_traits>
#include <utility>

namespace weft
{
inline namespace WEFT_ABI_NAMESPACE
{

/// A lock for many readers or one writer, which is awaited: who has to wait for it blocks no
/// thread.
///
/// Pays if readers keep the lock for long, across asynchronous operations for instance; for short
/// sections a mutex is as good. All readers write to one word: it does not scale to many cores.
///
/// A reader must not lock again: a writer that has come in between waits for it, and it for the
/// writer.
///
/// `Executor`, *Memory*, *Destruction*, *Algorithm*, *Exceptions from handlers* and
/// *Exceptions from executors*: as for basic_mutex. A reader takes one permit, a writer all.
///
/// @par Complexity
/// Constant, but for unlock(), unlock_shared(), downgrade(), cancel() and the destructor, which are
/// linear in the number of operations that they complete.
///
/// @par Ordering and fairness
/// First come, first served. A writer that waits holds back the readers behind it, so that writers
/// do not starve; when a writer unlocks, all readers up to the next writer are let in together. A
/// writer that gives up waiting lets in the readers behind it.
///
/// @par Thread Safety
/// Distinct objects: safe. Shared objects: safe, but for construction and destruction.
template <typename Executor = boost::asio::any_io_executor>
class basic_shared_mutex
{
    template <std::uint64_t Permits>
    struct lock_kind;
    struct scoped_writer;
    struct scoped_reader;

    using state_type = detail::shared_mutex_state;

public:
    /// The executor of operations whose handler has none of its own.
    using executor_type = Executor;

    /// The same for another executor.
    template <typename OtherExecutor>
    struct rebind_executor
    {
        /// The type.
        using other = basic_shared_mutex<OtherExecutor>;
    };

    /// Makes a mutex that is free. Throws std::bad_alloc if it is the first in its context.
    explicit basic_shared_mutex(executor_type const& ex) : core_(ex)
    {
    }

    /// The same, with the executor of `context`.
    template <typename Context,
        typename =
            std::enable_if_t<std::is_convertible<Context&, boost::asio::execution_context&>::value>>
    explicit basic_shared_mutex(Context& context)
        : basic_shared_mutex(executor_type(context.get_executor()))
    {
    }

    basic_shared_mutex(basic_shared_mutex const&) = delete;
    basic_shared_mutex& operator=(basic_shared_mutex const&) = delete;

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

    /// Takes the lock as a writer if nobody has it and nobody waits. Any thread; never blocks.
    bool try_lock() noexcept
    {
        return core_.state.try_acquire(state_type::writer);
    }

    /// Takes the lock as a reader if no writer has it and nobody waits. Any thread; never blocks.
    bool try_lock_shared() noexcept
    {
        return core_.state.try_acquire(state_type::reader);
    }

    /// Gives a writer's lock back. Any thread; runs no handler. What is let in is submitted to its
    /// executor: as a continuation of the running handler if it is one, and all at the back, in
    /// their order, if they are several.
    ///
    /// @pre The caller has the lock as a writer (that a writer has it is asserted).
    void unlock() noexcept
    {
        assert(core_.state.unclaimed() == 0 && "no writer has the mutex");
        core_.release(state_type::writer);
    }

    /// Gives a reader's lock back; otherwise as unlock().
    ///
    /// @pre The caller has the lock as a reader (that somebody has it is asserted).
    void unlock_shared() noexcept
    {
        assert(core_.state.unclaimed() != state_type::max_readers && "nobody has the mutex");
        core_.release(state_type::reader);
    }

    /// Makes a reader of the writer that calls, without letting another writer in between; readers
    /// that are next are let in.
    ///
    /// @pre As for unlock().
    void downgrade() noexcept
    {
        assert(core_.state.unclaimed() == 0 && "no writer has the mutex");
        core_.state.downgrade(detail::resume_acquired());
    }

    /// Makes a writer of the reader that calls, if it is the only one and nobody waits. There is no
    /// way to wait for that: two readers who do would wait for each other.
    ///
    /// @pre As for unlock_shared().
    bool try_upgrade() noexcept
    {
        assert(core_.state.unclaimed() != state_type::max_readers && "nobody has the mutex");
        return core_.state.try_upgrade();
    }

    /// Completes all that wait with boost::asio::error::operation_aborted. Any thread.
    void cancel() noexcept
    {
        core_.cancel();
    }

    /// Takes the lock as a writer. Equivalent to basic_mutex::async_lock().
    template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) CompletionToken>
    auto async_lock(CompletionToken&& token)
    {
        return detail::start_wait(writer(), std::forward<CompletionToken>(token));
    }

    /// Without a token: see above.
    auto async_lock()
    {
        return detail::start_wait(writer());
    }

    /// Takes the lock as a reader. Equivalent to basic_mutex::async_lock(), but for:
    ///
    /// @par Completes when
    /// @li no writer has the lock, or waits for it in front of this operation: with success; or
    /// @li the operation is cancelled, or the mutex destroyed: with an error.
    template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) CompletionToken>
    auto async_lock_shared(CompletionToken&& token)
    {
        return detail::start_wait(reader(), std::forward<CompletionToken>(token));
    }

    /// Without a token: see above.
    auto async_lock_shared()
    {
        return detail::start_wait(reader());
    }

    /// Takes the lock as a writer, and delivers it as an object that gives it back. Equivalent to
    /// basic_mutex::async_scoped_lock(), with `std::unique_lock<basic_shared_mutex>`.
    template <BOOST_ASIO_COMPLETION_TOKEN_FOR(
        void(boost::system::error_code, std::unique_lock<basic_shared_mutex>)) CompletionToken>
    auto async_scoped_lock(CompletionToken&& token)
    {
        return detail::start_wait(scoped_write(), std::forward<CompletionToken>(token));
    }

    /// Without a token: see above.
    auto async_scoped_lock()
    {
        return detail::start_wait(scoped_write());
    }

    /// Takes the lock as a reader, and delivers it as an object that gives it back. Equivalent to
    /// basic_mutex::async_scoped_lock(), with `std::shared_lock<basic_shared_mutex>`.
    template <BOOST_ASIO_COMPLETION_TOKEN_FOR(
        void(boost::system::error_code, std::shared_lock<basic_shared_mutex>)) CompletionToken>
    auto async_scoped_lock_shared(CompletionToken&& token)
    {
        return detail::start_wait(scoped_read(), std::forward<CompletionToken>(token));
    }

    /// Without a token: see above.
    auto async_scoped_lock_shared()
    {
        return detail::start_wait(scoped_read());
    }

    /// Takes the lock as a writer, if that takes no longer than `time`. Equivalent to
    /// basic_mutex::async_lock_for(). Readers behind a writer whose time has passed are let in.
    template <typename Rep, typename Period,
        BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) CompletionToken>
    auto async_lock_for(std::chrono::duration<Rep, Period> const& time, CompletionToken&& token)
    {
        return detail::start_timed_wait(
            writer(), detail::duration_of(time), std::forward<CompletionToken>(token));
    }

    /// As async_lock_for(), until a point in time of std::chrono::steady_clock.
    template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) CompletionToken>
    auto async_lock_until(
        std::chrono::steady_clock::time_point const& time, CompletionToken&& token)
    {
        return detail::start_timed_wait(writer(), time, std::forward<CompletionToken>(token));
    }

    /// Takes the lock as a reader, if that takes no longer than `time`. Equivalent to
    /// basic_mutex::async_lock_for().
    template <typename Rep, typename Period,
        BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) CompletionToken>
    auto async_lock_shared_for(
        std::chrono::duration<Rep, Period> const& time, CompletionToken&& token)
    {
        return detail::start_timed_wait(
            reader(), detail::duration_of(time), std::forward<CompletionToken>(token));
    }

    /// As async_lock_shared_for(), until a point in time of std::chrono::steady_clock.
    template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) CompletionToken>
    auto async_lock_shared_until(
        std::chrono::steady_clock::time_point const& time, CompletionToken&& token)
    {
        return detail::start_timed_wait(reader(), time, std::forward<CompletionToken>(token));
    }

    /// Takes the lock as a writer, if that takes no longer than `time`, and delivers it as an
    /// object that gives it back. Equivalent to basic_mutex::async_scoped_lock_for().
    template <typename Rep, typename Period,
        BOOST_ASIO_COMPLETION_TOKEN_FOR(
            void(boost::system::error_code, std::unique_lock<basic_shared_mutex>)) CompletionToken>
    auto async_scoped_lock_for(
        std::chrono::duration<Rep, Period> const& time, CompletionToken&& token)
    {
        return detail::start_timed_wait(
            scoped_write(), detail::duration_of(time), std::forward<CompletionToken>(token));
    }

    /// As async_scoped_lock_for(), until a point in time of std::chrono::steady_clock.
    template <BOOST_ASIO_COMPLETION_TOKEN_FOR(
        void(boost::system::error_code, std::unique_lock<basic_shared_mutex>)) CompletionToken>
    auto async_scoped_lock_until(
        std::chrono::steady_clock::time_point const& time, CompletionToken&& token)
    {
        return detail::start_timed_wait(scoped_write(), time, std::forward<CompletionToken>(token));
    }

    /// Takes the lock as a reader, if that takes no longer than `time`, and delivers it as an
    /// object that gives it back. Equivalent to basic_mutex::async_scoped_lock_for().
    template <typename Rep, typename Period,
        BOOST_ASIO_COMPLETION_TOKEN_FOR(
            void(boost::system::error_code, std::shared_lock<basic_shared_mutex>)) CompletionToken>
    auto async_scoped_lock_shared_for(
        std::chrono::duration<Rep, Period> const& time, CompletionToken&& token)
    {
        return detail::start_timed_wait(
            scoped_read(), detail::duration_of(time), std::forward<CompletionToken>(token));
    }

    /// As async_scoped_lock_shared_for(), until a point in time of std::chrono::steady_clock.
    template <BOOST_ASIO_COMPLETION_TOKEN_FOR(
        void(boost::system::error_code, std::shared_lock<basic_shared_mutex>)) CompletionToken>
    auto async_scoped_lock_shared_until(
        std::chrono::steady_clock::time_point const& time, CompletionToken&& token)
    {
        return detail::start_timed_wait(scoped_read(), time, std::forward<CompletionToken>(token));
    }

private:
    using core_type = detail::primitive<Executor, state_type, detail::shared_mutex_kind>;

    template <std::uint64_t Permits>
    struct lock_kind
    {
        using owner = basic_shared_mutex;
        using count = detail::fixed_count<Permits>;
        using result = void;

        static core_type& core(basic_shared_mutex& m) noexcept
        {
            return m.core_;
        }

        static bool try_acquire(state_type& state, std::uint64_t) noexcept
        {
            return state.try_acquire(Permits);
        }
    };

    struct scoped_writer : lock_kind<state_type::writer>
    {
        using result = std::unique_lock<basic_shared_mutex>;

        static result make_result(basic_shared_mutex& m, std::uint64_t)
        {
            return result(m, std::adopt_lock);
        }
    };

    struct scoped_reader : lock_kind<state_type::reader>
    {
        using result = std::shared_lock<basic_shared_mutex>;

        static result make_result(basic_shared_mutex& m, std::uint64_t)
        {
            return result(m, std::adopt_lock);
        }
    };

    auto writer() noexcept
    {
        return detail::request<lock_kind<state_type::writer>>(*this);
    }

    auto reader() noexcept
    {
        return detail::request<lock_kind<state_type::reader>>(*this);
    }

    auto scoped_write() noexcept
    {
        return detail::request<scoped_writer>(*this);
    }

    auto scoped_read() noexcept
    {
        return detail::request<scoped_reader>(*this);
    }

    core_type core_;
};

/// A shared mutex for any executor.
using shared_mutex = basic_shared_mutex<>;

} // namespace WEFT_ABI_NAMESPACE
} // namespace weft

#endif // WEFT_SHARED_MUTEX_HPP
