// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_PRIMITIVES_CANCELLATION_MATRIX_HPP
#define WEFT_TEST_PRIMITIVES_CANCELLATION_MATRIX_HPP

// An operation that has to wait, cancelled at every point of its life, by every type of
// cancellation, with different tokens, from the same and from another thread.
//
// An `Operation` is made of an executor. `begin(token)` starts it; `await_in_frame()`, where there
// is one, is a coroutine that awaits it without a token and passes on what that returns;
// `let_go()` makes it possible; `result(...)` is called with what it delivers, if that is no error;
// `check(aborted)` has the last word.

#include "api/process.hpp"
#include "primitives/places.hpp"
#include "support/inline_executor.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/experimental/promise.hpp>
#include <boost/asio/experimental/use_promise.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/system_executor.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>

namespace test
{

enum class point
{
    before,    // the operation starts
    queued,    // it waits
    performed, // its handler does not know it
    delivered, // inside its handler
    after      // its handler
};

enum class token
{
    callback,
    operation,
    coroutine,
    frame,
    use_awaitable,
    future,
    group,
    promise
};

template <class Operation>
class cancellation_scenario
{
    using cancellation_type = boost::asio::cancellation_type;
    using error_code = boost::system::error_code;

public:
    cancellation_scenario(where w, point p, cancellation_type type, token t, bool other_thread)
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
        emit_at(point::performed);
        place_.finish();
        if (collect_)
            collect_();
        emit_at(point::after);
        BOOST_TEST(calls_ == 1);
        BOOST_TEST(aborted_ == (p == point::queued));
        operation_.check(aborted_);
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
        aborted_ = ec == boost::asio::error::operation_aborted;
        BOOST_TEST((!ec || aborted_));
        if (point_ == point::delivered)
            emit();
    }

    void start(token t)
    {
        namespace asio = boost::asio;
        auto handler = [this](error_code ec, auto&&... result)
        {
            note(ec);
            if (!ec)
                operation_.result(std::move(result)...);
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
            spawn(await_tuple());
            break;
        case token::frame:
            if constexpr (requires { operation_.await_in_frame(); })
            {
                spawn(await_in_frame());
                break;
            }
            [[fallthrough]];
        case token::use_awaitable:
            spawn(await(operation_.begin(asio::use_awaitable)));
            break;
        case token::future:
            // On the thread of this test, or signals would be emitted beside the handler.
            collect_from(operation_.begin(asio::bind_cancellation_slot(
                slot, asio::bind_executor(place_.executor, asio::use_future))));
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

    // Calls `get`, which returns the result or throws its error.
    template <class Get>
    void collect(Get get)
    {
        error_code ec;
        try
        {
            if constexpr (std::is_void_v<decltype(get())>)
            {
                get();
                operation_.result();
            }
            else
                operation_.result(get());
        }
        catch (boost::system::system_error const& error)
        {
            ec = error.code();
        }
        note(ec);
    }

    template <class T>
    void collect_from(std::future<T> result)
    {
        auto shared = std::make_shared<std::future<T>>(std::move(result));
        collect_ = [this, shared]
        {
            collect([&] { return shared->get(); });
        };
    }

    template <class Handler>
    void start_with_promise(Handler handler)
    {
        auto result = operation_.begin(boost::asio::experimental::use_promise);
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
            // By value, or what is delivered stays in the promise.
            (*shared)(
                [handler](error_code ec, auto... values) { handler(ec, std::move(values)...); });
            place_.finish();
        };
    }

    void spawn(boost::asio::awaitable<void> body)
    {
        boost::asio::co_spawn(place_.executor, std::move(body),
            boost::asio::bind_cancellation_slot(signal_.slot(),
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

    static auto all_types()
    {
        return boost::asio::this_coro::reset_cancellation_state(
            boost::asio::enable_total_cancellation());
    }

    boost::asio::awaitable<void> await_tuple()
    {
        co_await all_types();
        auto result = co_await operation_.begin(boost::asio::as_tuple(boost::asio::deferred));
        std::apply(
            [this](error_code ec, auto&... values)
            {
                if (ec)
                    throw boost::system::system_error(ec);
                operation_.result(std::move(values)...);
            },
            result);
    }

    template <class T>
    boost::asio::awaitable<void> await(boost::asio::awaitable<T> operation)
    {
        co_await all_types();
        if constexpr (std::is_void_v<T>)
        {
            co_await std::move(operation);
            operation_.result();
        }
        else
            operation_.result(co_await std::move(operation));
    }

    boost::asio::awaitable<void> await_in_frame()
    {
        co_await all_types();
        co_await operation_.await_in_frame();
    }

    point const point_;
    cancellation_type const type_;
    bool const other_thread_;
    place place_;
    boost::asio::cancellation_signal signal_;
    Operation operation_{place_.executor};
    // For a token whose result does not come by a handler.
    std::function<void()> collect_;
    // For a token that has a signal of its own.
    std::function<void()> cancel_;
    int calls_ = 0;
    bool aborted_ = false;
};

template <class Operation>
void cancel_everywhere(where w)
{
    using boost::asio::cancellation_type;
    for (point p : {point::before, point::queued, point::performed, point::delivered, point::after})
        for (cancellation_type type :
            {cancellation_type::terminal, cancellation_type::partial, cancellation_type::total})
            for (token t : {token::callback, token::operation, token::coroutine, token::frame,
                     token::use_awaitable, token::future, token::group, token::promise})
                for (bool other_thread : {false, true})
                    BOOST_TEST_CONTEXT("point " << int(p) << ", type " << int(type) << ", token "
                                                << int(t) << ", thread " << other_thread)
    cancellation_scenario<Operation>(w, p, type, t, other_thread);
}

// The signal is destroyed while the operation waits.
template <class Operation>
void destroy_the_signal_first(where w)
{
    namespace asio = boost::asio;
    for (bool const described : {false, true})
    {
        place p(w);
        Operation operation{p.executor};
        auto signal = std::make_unique<asio::cancellation_signal>();
        int calls = 0;
        auto handler = asio::bind_cancellation_slot(signal->slot(),
            [&](boost::system::error_code ec, auto&&... result)
            {
                ++calls;
                BOOST_TEST(!ec);
                operation.result(std::move(result)...);
            });
        if (described)
            operation.begin(asio::deferred)(std::move(handler));
        else
            operation.begin(std::move(handler));
        p.context.poll();
        signal.reset();
        operation.let_go();
        p.finish();
        BOOST_TEST(calls == 1);
        operation.check(false);
    }
}

// The slot goes to a second operation when the first has ended, one way or the other, and its
// handler has not been called.
template <class Operation>
void use_the_slot_again(where w)
{
    namespace asio = boost::asio;
    for (bool const cancel_first : {false, true})
    {
        place p(w);
        Operation first{p.executor};
        Operation second{p.executor};
        asio::cancellation_signal signal;
        int calls[2] = {};
        bool aborted[2] = {};
        auto const start = [&](Operation& operation, int index)
        {
            operation.begin(asio::bind_cancellation_slot(signal.slot(),
                [&, index](boost::system::error_code ec, auto&&... result)
                {
                    ++calls[index];
                    aborted[index] = ec == asio::error::operation_aborted;
                    if (!ec)
                        operation.result(std::move(result)...);
                }));
        };
        start(first, 0);
        p.context.poll();
        if (cancel_first)
            signal.emit(asio::cancellation_type::total);
        else
            first.let_go();
        start(second, 1);
        p.context.restart();
        p.context.poll();
        BOOST_TEST(calls[0] == 1);
        BOOST_TEST(calls[1] == 0);
        signal.emit(asio::cancellation_type::total);
        if (cancel_first)
            first.let_go();
        second.let_go();
        p.finish();
        BOOST_TEST(calls[0] == 1);
        BOOST_TEST(calls[1] == 1);
        BOOST_TEST(aborted[0] == cancel_first);
        BOOST_TEST(aborted[1]);
        first.check(aborted[0]);
        second.check(aborted[1]);
    }
}

// A signal is emitted on one thread while the operation ends on another, and the primitive is
// destroyed as soon as the handler has been called: on the primitive's executor, or on one of
// another kind.
template <class Operation>
void emit_while_it_ends(place& p, boost::asio::any_io_executor const& of_handler)
{
    namespace asio = boost::asio;
#if WEFT_TEST_SANITIZED
    constexpr int rounds = 30;
#else
    constexpr int rounds = 100;
#endif
    auto const pause = [](int n)
    {
        for (std::atomic<int> i{0}; i.load() < n;)
            ++i;
    };
    for (int round = 0; round != rounds; ++round)
    {
        std::optional<Operation> operation(std::in_place, p.executor);
        auto signal = std::make_unique<asio::cancellation_signal>();
        int calls = 0;
        bool aborted = false;
        std::atomic<bool> done{false};
        operation->begin(asio::bind_cancellation_slot(
            signal->slot(), asio::bind_executor(of_handler,
                                [&](boost::system::error_code ec, auto&&... result)
                                {
                                    ++calls;
                                    aborted = ec == asio::error::operation_aborted;
                                    if (!ec)
                                        operation->result(std::move(result)...);
                                    done.store(true);
                                    done.notify_one();
                                })));
        std::atomic<int> ready{0};
        std::thread other(
            [&]
            {
                ++ready;
                while (ready != 2)
                {
                }
                pause(round * 7 % 50);
                signal->emit(asio::cancellation_type::total);
                signal.reset();
            });
        while (ready != 1)
            std::this_thread::yield();
        ++ready;
        pause(round * 11 % 50);
        operation->let_go();
        done.wait(false);
        operation->check(aborted);
        operation.reset();
        other.join();
        BOOST_TEST(calls == 1);
    }
}

template <class Operation>
void emit_while_it_ends(where w)
{
    namespace asio = boost::asio;
    place p(w);
    boost::asio::io_context nobody_runs;
    asio::any_io_executor const executors[] = {p.executor,
        asio::any_io_executor(make_strand(p.executor)),
        asio::any_io_executor(asio::system_executor()),
        asio::any_io_executor(inline_executor{&nobody_runs})};
    for (auto const& ex : executors)
        BOOST_TEST_CONTEXT("executor " << &ex - executors)
    emit_while_it_ends<Operation>(p, ex);
    p.finish();
}

} // namespace test

#endif
