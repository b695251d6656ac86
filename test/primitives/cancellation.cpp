// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Every operation, cancelled at every point of its life, by every type of cancellation, with
// different tokens, from the same and from another thread. Whatever the outcome, the permits are
// all there afterwards.

#include <weft/mutex.hpp>
#include <weft/semaphore.hpp>
#include <weft/shared_mutex.hpp>

#include "parity/watchdog.hpp"
#include "primitives/places.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/experimental/promise.hpp>
#include <boost/asio/experimental/use_promise.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>

namespace
{

namespace asio = boost::asio;
using asio::cancellation_type;
using boost::system::error_code;

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
        void give_back()                                                                           \
        {                                                                                          \
            undo;                                                                                  \
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

using operations = std::tuple<lock, scoped_lock, lock_for, lock_until, acquire, scoped_acquire,
    acquire_for, acquire_until, write, scoped_write, read, scoped_read, write_for, write_until,
    read_for, read_until, scoped_lock_for, scoped_acquire_for, scoped_write_for, scoped_read_for>;

enum class point
{
    before,    // the operation starts
    queued,    // it waits
    granted,   // it has what it waits for and its handler does not know it
    delivered, // inside its handler
    after      // its handler
};

enum class token
{
    callback,
    operation,
    coroutine,
    use_awaitable,
    future,
    group,
    promise
};

template <class Operation>
class scenario
{
public:
    scenario(test::where w, point p, cancellation_type type, token t, bool other_thread)
        : point_(p), type_(type), other_thread_(other_thread), place_(w)
    {
        emit_at(point::before);
        start(t);
        place_.context.poll();
        BOOST_TEST(calls_ == 0);
        emit_at(point::queued);
        // co_spawn passes signals on by way of the executor.
        place_.context.poll();
        operation_.let_go();
        emit_at(point::granted);
        place_.finish();
        if (collect_)
            collect_();
        emit_at(point::after);
        BOOST_TEST(calls_ == 1);
        BOOST_TEST(aborted_ == (p == point::queued));
        if (!aborted_)
            operation_.give_back();
        BOOST_TEST(operation_.is_free());
    }

private:
    void emit_at(point p)
    {
        if (p != point_)
            return;
        if (!other_thread_)
            emit();
        else
            std::thread([this] { emit(); }).join();
    }

    void emit()
    {
        if (cancel_)
            cancel_();
        else
            signal_.emit(type_);
    }

    void note(error_code ec)
    {
        ++calls_;
        aborted_ = ec == asio::error::operation_aborted;
        BOOST_TEST((!ec || aborted_));
        if (point_ == point::delivered)
            emit();
    }

    void start(token t)
    {
        auto handler = [this](error_code ec, auto&&... result)
        {
            note(ec);
            (void(std::move(result)), ...);
        };
        auto const slot = signal_.slot();
        switch (t)
        {
        case token::callback:
            operation_.begin(asio::bind_cancellation_slot(slot, handler));
            break;
        case token::operation:
            operation_.begin(asio::deferred)(asio::bind_cancellation_slot(slot, handler));
            break;
        case token::coroutine:
            spawn(await_deferred());
            break;
        case token::use_awaitable:
            spawn(await_awaitable());
            break;
        case token::future:
            start_with_future();
            break;
        case token::group:
            asio::experimental::make_parallel_group(operation_.begin(asio::deferred))
                .async_wait(asio::experimental::wait_for_all(),
                    asio::bind_cancellation_slot(slot,
                        [handler](std::array<std::size_t, 1>, error_code ec, auto&&... result)
                        { handler(ec, std::move(result)...); }));
            break;
        case token::promise:
            start_with_promise(handler);
            break;
        }
    }

    void start_with_future()
    {
        // On the thread of this test, or signals would be emitted beside the handler.
        auto result = operation_.begin(asio::bind_cancellation_slot(
            signal_.slot(), asio::bind_executor(place_.executor, asio::use_future)));
        auto shared = std::make_shared<decltype(result)>(std::move(result));
        collect_ = [this, shared]
        {
            error_code ec;
            try
            {
                (void)shared->get();
            }
            catch (boost::system::system_error const& error)
            {
                ec = error.code();
            }
            note(ec);
        };
    }

    template <class Handler>
    void start_with_promise(Handler handler)
    {
        auto result = operation_.begin(asio::experimental::use_promise);
        auto shared = std::make_shared<decltype(result)>(std::move(result));
        // Emits its own signal, by way of the executor.
        cancel_ = [this, shared]
        {
            shared->cancel(type_);
        };
        // Not before: a handler that waits for the promise gets what has been moved from.
        collect_ = [this, shared, handler]
        {
            BOOST_TEST(shared->completed());
            // By value, or guards stay in the promise.
            (*shared)(
                [handler](error_code ec, auto... guard) { handler(ec, std::move(guard)...); });
            place_.finish();
        };
    }

    void spawn(asio::awaitable<void> body)
    {
        asio::co_spawn(place_.executor, std::move(body),
            asio::bind_cancellation_slot(signal_.slot(),
                [this](std::exception_ptr e)
                {
                    error_code ec;
                    try
                    {
                        if (e)
                            std::rethrow_exception(e);
                    }
                    catch (boost::system::system_error const& error)
                    {
                        ec = error.code();
                    }
                    note(ec);
                }));
    }

    asio::awaitable<void> await_deferred()
    {
        co_await asio::this_coro::reset_cancellation_state(asio::enable_total_cancellation());
        // Without a token: waits in the coroutine's frame.
        if constexpr (std::is_same<Operation, lock>::value)
            co_await operation_.object.async_lock();
        else if constexpr (std::is_same<Operation, scoped_lock>::value)
            (void)co_await operation_.object.async_scoped_lock();
        else
            (void)co_await operation_.begin(asio::deferred);
    }

    asio::awaitable<void> await_awaitable()
    {
        co_await asio::this_coro::reset_cancellation_state(asio::enable_total_cancellation());
        (void)co_await operation_.begin(asio::use_awaitable);
    }

    point const point_;
    cancellation_type const type_;
    bool const other_thread_;
    test::place place_;
    asio::cancellation_signal signal_;
    Operation operation_{place_.executor};
    // For a token whose result does not come by a handler.
    std::function<void()> collect_;
    // For a token that has a signal of its own.
    std::function<void()> cancel_;
    int calls_ = 0;
    bool aborted_ = false;
};

template <class Operation>
void enumerate(test::where w)
{
    for (point p : {point::before, point::queued, point::granted, point::delivered, point::after})
        for (cancellation_type type :
            {cancellation_type::terminal, cancellation_type::partial, cancellation_type::total})
            for (token t : {token::callback, token::operation, token::coroutine,
                     token::use_awaitable, token::future, token::group, token::promise})
                for (bool other_thread : {false, true})
                    BOOST_TEST_CONTEXT("point " << int(p) << ", type " << int(type) << ", token "
                                                << int(t) << ", thread " << other_thread)
    scenario<Operation>(w, p, type, t, other_thread);
}

} // namespace

BOOST_AUTO_TEST_SUITE(cancellation)

BOOST_AUTO_TEST_CASE_TEMPLATE(on_weft, Operation, operations)
{
    enumerate<Operation>(test::where::weft_io);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(on_asio, Operation, operations)
{
    enumerate<Operation>(test::where::asio_io);
}

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
