// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Every operation is cancelled in every way (cancellation_matrix.hpp). Whatever the outcome, the
// permits are all there afterwards.

#include <weft/mutex.hpp>
#include <weft/semaphore.hpp>
#include <weft/shared_mutex.hpp>

#include "parity/watchdog.hpp"
#include "primitives/cancellation_matrix.hpp"
#include "primitives/places.hpp"
#include "support/asio.hpp"

namespace
{

namespace asio = boost::asio;
using asio::cancellation_type;

constexpr auto for_long = std::chrono::hours(1);

std::chrono::steady_clock::time_point far_away()
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

using operations = std::tuple<lock_in_frame, scoped_lock_in_frame, lock_for, lock_until, acquire,
    scoped_acquire, acquire_for, acquire_until, write, scoped_write, read, scoped_read, write_for,
    write_until, read_for, read_until, scoped_lock_for, scoped_acquire_for, scoped_write_for,
    scoped_read_for>;

} // namespace

BOOST_AUTO_TEST_SUITE(cancellation)

WEFT_TEST_CANCELLATION(operations)

WEFT_TEST_CASE_IN_PLACES(
    a_coroutine_that_is_cancelled_before_it_awaits_throws, test::single_places, where)
{
    test::place place(where);
    weft::mutex m(place.executor);
    asio::cancellation_signal signal;
    bool aborted = false;
    asio::co_spawn(
        place.executor,
        [&]() -> asio::awaitable<void>
        {
            signal.emit(cancellation_type::terminal);
            auto const state = co_await asio::this_coro::cancellation_state;
            BOOST_TEST((state.cancelled() != cancellation_type::none));
            try
            {
                co_await m.async_lock();
            }
            catch (boost::system::system_error const& e)
            {
                aborted = e.code() == asio::error::operation_aborted;
            }
            co_await asio::this_coro::reset_cancellation_state();
        },
        asio::bind_cancellation_slot(signal.slot(), asio::detached));
    place.finish();
    BOOST_TEST(aborted);
    BOOST_TEST(m.try_lock());
}

BOOST_AUTO_TEST_SUITE_END()
