// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_PRIMITIVES_LOCK_OPERATIONS_HPP
#define WEFT_TEST_PRIMITIVES_LOCK_OPERATIONS_HPP

// The operations of locks, as cancellation_matrix.hpp and token_matrix.hpp want them.

#include <weft/mutex.hpp>
#include <weft/semaphore.hpp>
#include <weft/shared_mutex.hpp>

#include "support/asio.hpp"

namespace test
{
namespace lock_operations
{

inline constexpr auto for_long = std::chrono::hours(1);

inline std::chrono::steady_clock::time_point far_away()
{
    return std::chrono::steady_clock::now() + for_long;
}

// A primitive that is held, with how to let go of it, and whether it is wholly free.
struct held_mutex
{
    weft::mutex object;

    explicit held_mutex(asio::any_io_executor const& ex) : object(ex)
    {
        object.try_lock();
    }

    void let_go()
    {
        object.unlock();
    }

    bool is_free()
    {
        return object.try_lock();
    }
};

struct held_semaphore
{
    weft::semaphore object;

    explicit held_semaphore(asio::any_io_executor const& ex) : object(ex, 2)
    {
        object.try_acquire(2);
        object.release();
    }

    void let_go()
    {
        object.release();
    }

    bool is_free()
    {
        return object.available() == 2;
    }
};

struct read_locked
{
    weft::shared_mutex object;

    explicit read_locked(asio::any_io_executor const& ex) : object(ex)
    {
        object.try_lock_shared();
    }

    void let_go()
    {
        object.unlock_shared();
    }

    bool is_free()
    {
        return object.try_lock();
    }
};

struct write_locked
{
    weft::shared_mutex object;

    explicit write_locked(asio::any_io_executor const& ex) : object(ex)
    {
        object.try_lock();
    }

    void let_go()
    {
        object.unlock();
    }

    bool is_free()
    {
        return object.try_lock();
    }
};

// An operation: how it is started, and how a result that is nobody's own is given back.
#define WEFT_TEST_OPERATION(name, held, start, undo)                                               \
    struct name : held                                                                             \
    {                                                                                              \
        using held::held;                                                                          \
        template <class Token>                                                                     \
        auto begin(Token&& token)                                                                  \
        {                                                                                          \
            return start;                                                                          \
        }                                                                                          \
        template <class... Guard>                                                                  \
        void result(Guard...)                                                                      \
        {                                                                                          \
        }                                                                                          \
        void check(bool aborted)                                                                   \
        {                                                                                          \
            if (!aborted)                                                                          \
            {                                                                                      \
                undo;                                                                              \
            }                                                                                      \
            BOOST_TEST(this->is_free());                                                           \
        }                                                                                          \
    };
#define WEFT_TEST_TOKEN std::forward<Token>(token)

WEFT_TEST_OPERATION(lock, held_mutex, object.async_lock(WEFT_TEST_TOKEN), object.unlock())
WEFT_TEST_OPERATION(scoped_lock, held_mutex, object.async_scoped_lock(WEFT_TEST_TOKEN), )
WEFT_TEST_OPERATION(
    lock_for, held_mutex, object.async_lock_for(for_long, WEFT_TEST_TOKEN), object.unlock())
WEFT_TEST_OPERATION(
    acquire, held_semaphore, object.async_acquire(2, WEFT_TEST_TOKEN), object.release(2))
WEFT_TEST_OPERATION(
    scoped_acquire, held_semaphore, object.async_scoped_acquire(2, WEFT_TEST_TOKEN), )
WEFT_TEST_OPERATION(acquire_for, held_semaphore,
    object.async_acquire_for(for_long, 2, WEFT_TEST_TOKEN), object.release(2))
WEFT_TEST_OPERATION(write, read_locked, object.async_lock(WEFT_TEST_TOKEN), object.unlock())
WEFT_TEST_OPERATION(scoped_write, read_locked, object.async_scoped_lock(WEFT_TEST_TOKEN), )
WEFT_TEST_OPERATION(
    read, write_locked, object.async_lock_shared(WEFT_TEST_TOKEN), object.unlock_shared())
WEFT_TEST_OPERATION(scoped_read, write_locked, object.async_scoped_lock_shared(WEFT_TEST_TOKEN), )
WEFT_TEST_OPERATION(
    write_for, read_locked, object.async_lock_for(for_long, WEFT_TEST_TOKEN), object.unlock())
WEFT_TEST_OPERATION(read_for, write_locked, object.async_lock_shared_for(for_long, WEFT_TEST_TOKEN),
    object.unlock_shared())
WEFT_TEST_OPERATION(
    lock_until, held_mutex, object.async_lock_until(far_away(), WEFT_TEST_TOKEN), object.unlock())
WEFT_TEST_OPERATION(acquire_until, held_semaphore,
    object.async_acquire_until(far_away(), 2, WEFT_TEST_TOKEN), object.release(2))
WEFT_TEST_OPERATION(
    write_until, read_locked, object.async_lock_until(far_away(), WEFT_TEST_TOKEN), object.unlock())
WEFT_TEST_OPERATION(read_until, write_locked,
    object.async_lock_shared_until(far_away(), WEFT_TEST_TOKEN), object.unlock_shared())
WEFT_TEST_OPERATION(
    scoped_lock_for, held_mutex, object.async_scoped_lock_for(for_long, WEFT_TEST_TOKEN), )
WEFT_TEST_OPERATION(scoped_acquire_for, held_semaphore,
    object.async_scoped_acquire_for(for_long, 2, WEFT_TEST_TOKEN), )
WEFT_TEST_OPERATION(
    scoped_write_for, read_locked, object.async_scoped_lock_for(for_long, WEFT_TEST_TOKEN), )
WEFT_TEST_OPERATION(
    scoped_read_for, write_locked, object.async_scoped_lock_shared_for(for_long, WEFT_TEST_TOKEN), )

// Those that have a form without a token.
struct lock_in_frame : lock
{
    using lock::lock;

    asio::awaitable<void> await_in_frame()
    {
        co_await object.async_lock();
    }
};

struct scoped_lock_in_frame : scoped_lock
{
    using scoped_lock::scoped_lock;

    asio::awaitable<void> await_in_frame()
    {
        auto const guard = co_await object.async_scoped_lock();
    }
};

struct acquire_in_frame : acquire
{
    using acquire::acquire;

    asio::awaitable<void> await_in_frame()
    {
        co_await object.async_acquire(2);
    }
};

struct scoped_acquire_in_frame : scoped_acquire
{
    using scoped_acquire::scoped_acquire;

    asio::awaitable<void> await_in_frame()
    {
        auto const guard = co_await object.async_scoped_acquire(2);
    }
};

struct read_in_frame : read
{
    using read::read;

    asio::awaitable<void> await_in_frame()
    {
        co_await object.async_lock_shared();
    }
};

struct scoped_read_in_frame : scoped_read
{
    using scoped_read::scoped_read;

    asio::awaitable<void> await_in_frame()
    {
        auto const guard = co_await object.async_scoped_lock_shared();
    }
};

using all = std::tuple<lock_in_frame, scoped_lock_in_frame, lock_for, lock_until, acquire_in_frame,
    scoped_acquire_in_frame, acquire_for, acquire_until, write, scoped_write, read_in_frame,
    scoped_read_in_frame, write_for, write_until, read_for, read_until, scoped_lock_for,
    scoped_acquire_for, scoped_write_for, scoped_read_for>;

} // namespace lock_operations
} // namespace test

#endif
