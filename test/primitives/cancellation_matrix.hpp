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
//
// All that can be is compiled once for the operations that deliver the same type (operation_of),
// and not for each of them: what an operation leaves in the library depends on its handler's type.

#include "primitives/places.hpp"
#include "support/inline_executor.hpp"
#include "support/sanitized.hpp"

#include <boost/asio/experimental/promise.hpp>
#include <boost/asio/experimental/use_promise.hpp>
#include <boost/system/system_error.hpp>

#include <set>

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

namespace detail
{

template <class... Values>
struct delivered
{
    using type = void;
};

template <class Value>
struct delivered<Value>
{
    using type = Value;
};

} // namespace detail

// What an operation delivers that delivers `Values`, at most one.
template <class... Values>
using delivered = typename detail::delivered<Values...>::type;

template <class... Values>
struct recipient
{
    virtual void receive(boost::system::error_code ec, Values... values) = 0;

protected:
    ~recipient() = default;
};

// The handler of every operation that delivers `Values`.
template <class... Values>
struct handler
{
    recipient<Values...>* to;

    void operator()(boost::system::error_code ec, Values... values) const
    {
        to->receive(ec, std::move(values)...);
    }

    // As the only member of a group.
    void operator()(
        std::array<std::size_t, 1>, boost::system::error_code ec, Values... values) const
    {
        to->receive(ec, std::move(values)...);
    }
};

template <class Token>
using with_slot = boost::asio::cancellation_slot_binder<Token, boost::asio::cancellation_slot>;
template <class Token>
using with_executor = boost::asio::executor_binder<Token, boost::asio::any_io_executor>;

// An operation that delivers `Values`.
template <class... Values>
class operation_of
{
public:
    using handler_type = handler<Values...>;
    using recipient_type = recipient<Values...>;
    using value = delivered<Values...>;

    virtual ~operation_of() = default;
    virtual void let_go() = 0;
    virtual void result(Values... values) = 0;
    virtual void check(bool aborted) = 0;

    virtual void begin(with_slot<handler_type> h) = 0;
    virtual void begin(with_slot<with_executor<handler_type>> h) = 0;
    virtual void begin_described(with_slot<handler_type> h) = 0;
    virtual void begin_in_group(with_slot<handler_type> h) = 0;
    virtual std::future<value> begin(with_slot<with_executor<boost::asio::use_future_t<>>> t) = 0;
    virtual boost::asio::experimental::promise<void(boost::system::error_code, Values...)>
    begin_promised() = 0;
    virtual boost::asio::awaitable<value> begin_awaitable() = 0;
    virtual boost::asio::awaitable<void> await_tuple() = 0;
    // Whether there is a form without a token.
    virtual bool has_frame() const = 0;
    virtual boost::asio::awaitable<void> await_in_frame() = 0;
};

inline auto all_types()
{
    return boost::asio::this_coro::reset_cancellation_state(
        boost::asio::enable_total_cancellation());
}

template <class Operation, class... Values>
class operation_model final : public operation_of<Values...>
{
    using base = operation_of<Values...>;
    using typename base::handler_type;
    using typename base::value;

public:
    explicit operation_model(boost::asio::any_io_executor const& ex) : operation_(ex)
    {
    }

    void let_go() override
    {
        operation_.let_go();
    }

    void result(Values... values) override
    {
        operation_.result(std::move(values)...);
    }

    void check(bool aborted) override
    {
        operation_.check(aborted);
    }

    void begin(with_slot<handler_type> h) override
    {
        operation_.begin(std::move(h));
    }

    void begin(with_slot<with_executor<handler_type>> h) override
    {
        operation_.begin(std::move(h));
    }

    void begin_described(with_slot<handler_type> h) override
    {
        operation_.begin(boost::asio::deferred)(std::move(h));
    }

    void begin_in_group(with_slot<handler_type> h) override
    {
        namespace experimental = boost::asio::experimental;
        experimental::make_parallel_group(operation_.begin(boost::asio::deferred))
            .async_wait(experimental::wait_for_all(), std::move(h));
    }

    std::future<value> begin(with_slot<with_executor<boost::asio::use_future_t<>>> t) override
    {
        return operation_.begin(std::move(t));
    }

    boost::asio::experimental::promise<void(boost::system::error_code, Values...)>
    begin_promised() override
    {
        return operation_.begin(boost::asio::experimental::use_promise);
    }

    boost::asio::awaitable<value> begin_awaitable() override
    {
        return operation_.begin(boost::asio::use_awaitable);
    }

    boost::asio::awaitable<void> await_tuple() override
    {
        co_await all_types();
        auto result = co_await operation_.begin(boost::asio::as_tuple(boost::asio::deferred));
        std::apply(
            [this](boost::system::error_code ec, auto&... values)
            {
                if (ec)
                    throw boost::system::system_error(ec);
                operation_.result(std::move(values)...);
            },
            result);
    }

    bool has_frame() const override
    {
        return requires(Operation & operation)
        {
            operation.await_in_frame();
        };
    }

    boost::asio::awaitable<void> await_in_frame() override
    {
        co_await all_types();
        if constexpr (requires(Operation & operation) { operation.await_in_frame(); })
            co_await operation_.await_in_frame();
    }

private:
    Operation operation_;
};

template <class... Values>
using make_operation = std::unique_ptr<operation_of<Values...>> (*)(
    boost::asio::any_io_executor const&);

// Calls `scenario` with a function that makes an `Operation` for an executor.
template <class Operation, class Scenario>
void with_operation(Scenario scenario)
{
    auto const with = [&]<class... Values>(boost::asio::awaitable<delivered<Values...>>*)
    {
        make_operation<Values...> const make =
            [](boost::asio::any_io_executor const& ex) -> std::unique_ptr<operation_of<Values...>>
        {
            return std::make_unique<operation_model<Operation, Values...>>(ex);
        };
        scenario(make);
    };
    using awaitable = decltype(std::declval<Operation&>().begin(boost::asio::use_awaitable));
    using value = typename awaitable::value_type;
    if constexpr (std::is_void_v<value>)
        with.template operator()<>(nullptr);
    else
        with.template operator()<value>(nullptr);
}

template <class... Values>
class cancellation_scenario : recipient<Values...>
{
    using cancellation_type = boost::asio::cancellation_type;
    using error_code = boost::system::error_code;
    using value = delivered<Values...>;

public:
    cancellation_scenario(make_operation<Values...> make, where w, point p, cancellation_type type,
        token t, bool other_thread)
        : point_(p), type_(type), other_thread_(other_thread), place_(w),
          operation_(make(place_.executor))
    {
        emit_at(point::before);
        start(t);
        place_.context.poll();
        BOOST_TEST(calls_ == 0);
        emit_at(point::queued);
        // co_spawn passes signals on by way of the executor.
        place_.context.poll();
        operation_->let_go();
        emit_at(point::performed);
        place_.finish();
        if (collect_)
            collect_();
        emit_at(point::after);
        BOOST_TEST(calls_ == 1);
        BOOST_TEST(aborted_ == (p == point::queued));
        operation_->check(aborted_);
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

    void receive(error_code ec, Values... values) override
    {
        note(ec);
        if (!ec)
            operation_->result(std::move(values)...);
    }

    void start(token t)
    {
        namespace asio = boost::asio;
        auto const slot = signal_.slot();
        auto const bound = asio::bind_cancellation_slot(slot, handler<Values...>{this});
        switch (t)
        {
        case token::callback:
            operation_->begin(bound);
            break;
        case token::operation:
            operation_->begin_described(bound);
            break;
        case token::coroutine:
            spawn(operation_->await_tuple());
            break;
        case token::frame:
            spawn(operation_->await_in_frame());
            break;
        case token::use_awaitable:
            spawn(await(operation_->begin_awaitable()));
            break;
        case token::future:
            // On the thread of this test, or signals would be emitted beside the handler.
            collect_from(operation_->begin(asio::bind_cancellation_slot(
                slot, asio::bind_executor(place_.executor, asio::use_future))));
            break;
        case token::group:
            operation_->begin_in_group(bound);
            break;
        case token::promise:
            start_with_promise();
            break;
        }
    }

    void collect_from(std::future<value> result)
    {
        collect_ = [this, shared = std::make_shared<std::future<value>>(std::move(result))]
        {
            error_code ec;
            try
            {
                if constexpr (std::is_void_v<value>)
                {
                    shared->get();
                    operation_->result();
                }
                else
                    operation_->result(shared->get());
            }
            catch (boost::system::system_error const& error)
            {
                ec = error.code();
            }
            note(ec);
        };
    }

    void start_with_promise()
    {
        auto result = operation_->begin_promised();
        auto shared = std::make_shared<decltype(result)>(std::move(result));
        // Emits its own signal, by way of the executor.
        cancel_ = [this, shared]
        {
            shared->cancel(type_);
        };
        // Not before: a handler that waits for the promise gets what has been moved from.
        collect_ = [this, shared]
        {
            BOOST_TEST(shared->completed());
            // By value, or what is delivered stays in the promise.
            (*shared)(handler<Values...>{this});
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

    boost::asio::awaitable<void> await(boost::asio::awaitable<value> operation)
    {
        co_await all_types();
        if constexpr (std::is_void_v<value>)
        {
            co_await std::move(operation);
            operation_->result();
        }
        else
            operation_->result(co_await std::move(operation));
    }

    point const point_;
    cancellation_type const type_;
    bool const other_thread_;
    place place_;
    boost::asio::cancellation_signal signal_;
    std::unique_ptr<operation_of<Values...>> operation_;
    // For a token whose result does not come by a handler.
    std::function<void()> collect_;
    // For a token that has a signal of its own.
    std::function<void()> cancel_;
    int calls_ = 0;
    bool aborted_ = false;
};

template <class... Values>
void cancel_everywhere(make_operation<Values...> make, where w)
{
    using boost::asio::cancellation_type;
    bool const has_frame = make(place(w).executor)->has_frame();
    for (point p : {point::before, point::queued, point::performed, point::delivered, point::after})
        for (cancellation_type type :
            {cancellation_type::terminal, cancellation_type::partial, cancellation_type::total})
            for (token t : {token::callback, token::operation, token::coroutine, token::frame,
                     token::use_awaitable, token::future, token::group, token::promise})
                for (bool other_thread : {false, true})
                    if (t != token::frame || has_frame)
                        BOOST_TEST_CONTEXT("point " << int(p) << ", type " << int(type)
                                                    << ", token " << int(t) << ", thread "
                                                    << other_thread)
    cancellation_scenario<Values...>(make, w, p, type, t, other_thread);
}

// An operation and its handler.
template <class... Values>
struct started : recipient<Values...>
{
    started(make_operation<Values...> make, boost::asio::any_io_executor const& ex)
        : operation(make(ex))
    {
    }

    void receive(boost::system::error_code ec, Values... values) override
    {
        ++calls;
        aborted = ec == boost::asio::error::operation_aborted;
        BOOST_TEST((!ec || aborted));
        if (!ec)
            operation->result(std::move(values)...);
        done.store(true);
        done.notify_one();
    }

    auto bound(boost::asio::cancellation_slot slot)
    {
        return boost::asio::bind_cancellation_slot(slot, handler<Values...>{this});
    }

    std::unique_ptr<operation_of<Values...>> operation;
    int calls = 0;
    bool aborted = false;
    std::atomic<bool> done{false};
};

// The signal is destroyed while the operation waits.
template <class... Values>
void destroy_the_signal_first(make_operation<Values...> make, where w)
{
    for (bool const described : {false, true})
    {
        place p(w);
        started<Values...> s(make, p.executor);
        auto signal = std::make_unique<boost::asio::cancellation_signal>();
        if (described)
            s.operation->begin_described(s.bound(signal->slot()));
        else
            s.operation->begin(s.bound(signal->slot()));
        p.context.poll();
        signal.reset();
        s.operation->let_go();
        p.finish();
        BOOST_TEST(s.calls == 1);
        BOOST_TEST(!s.aborted);
        s.operation->check(false);
    }
}

// The slot goes to a second operation when the first has ended, one way or the other, and its
// handler has not been called.
template <class... Values>
void use_the_slot_again(make_operation<Values...> make, where w)
{
    for (bool const cancel_first : {false, true})
    {
        place p(w);
        started<Values...> first(make, p.executor);
        started<Values...> second(make, p.executor);
        boost::asio::cancellation_signal signal;
        first.operation->begin(first.bound(signal.slot()));
        p.context.poll();
        if (cancel_first)
            signal.emit(boost::asio::cancellation_type::total);
        else
            first.operation->let_go();
        second.operation->begin(second.bound(signal.slot()));
        p.context.restart();
        p.context.poll();
        BOOST_TEST(first.calls == 1);
        BOOST_TEST(second.calls == 0);
        signal.emit(boost::asio::cancellation_type::total);
        if (cancel_first)
            first.operation->let_go();
        second.operation->let_go();
        p.finish();
        BOOST_TEST(first.calls == 1);
        BOOST_TEST(second.calls == 1);
        BOOST_TEST(first.aborted == cancel_first);
        BOOST_TEST(second.aborted);
        first.operation->check(first.aborted);
        second.operation->check(second.aborted);
    }
}

// A signal is emitted on one thread while the operation ends on another, and the primitive is
// destroyed as soon as the handler has been called: on the primitive's executor, or on one of
// another kind.
template <class... Values>
void emit_while_it_ends(
    make_operation<Values...> make, place& p, boost::asio::any_io_executor const& of_handler)
{
    namespace asio = boost::asio;
    constexpr int rounds = WEFT_TEST_SANITIZED ? 30 : 100;
    auto const pause = [](int n)
    {
        for (std::atomic<int> i{0}; i.load() < n;)
            ++i;
    };
    for (int round = 0; round != rounds; ++round)
    {
        started<Values...> s(make, p.executor);
        auto signal = std::make_unique<asio::cancellation_signal>();
        s.operation->begin(asio::bind_cancellation_slot(
            signal->slot(), asio::bind_executor(of_handler, handler<Values...>{&s})));
        std::atomic<int> ready{0};
        std::thread other(
            [&]
            {
                ++ready;
                while (ready != 2)
                    std::this_thread::yield();
                pause(round * 7 % 50);
                signal->emit(asio::cancellation_type::total);
                signal.reset();
            });
        while (ready != 1)
            std::this_thread::yield();
        ++ready;
        pause(round * 11 % 50);
        s.operation->let_go();
        s.done.wait(false);
        s.operation->check(s.aborted);
        s.operation.reset();
        other.join();
        BOOST_TEST(s.calls == 1);
    }
}

template <class... Values>
void emit_while_it_ends(make_operation<Values...> make, where w)
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
    emit_while_it_ends<Values...>(make, p, ex);
    p.finish();
}

} // namespace test

// The cases for each of `operations`, a std::tuple.
#define WEFT_TEST_CANCELLATION(operations)                                                         \
    WEFT_TEST_CANCELLATION_CASE(on_weft, operations, cancel_everywhere, weft_io, weft_io)          \
    WEFT_TEST_CANCELLATION_CASE(on_asio, operations, cancel_everywhere, asio_io, asio_io)          \
    WEFT_TEST_CANCELLATION_CASE(                                                                   \
        the_signal_may_be_destroyed_first, operations, destroy_the_signal_first, weft_io, asio_io) \
    WEFT_TEST_CANCELLATION_CASE(                                                                   \
        the_slot_may_be_used_again, operations, use_the_slot_again, weft_io, asio_io)              \
    WEFT_TEST_CANCELLATION_CASE(                                                                   \
        signals_need_no_synchronisation, operations, emit_while_it_ends, weft_pool, asio_pool)

#define WEFT_TEST_CANCELLATION_CASE(name, operations, scenario, first, last)                       \
    BOOST_AUTO_TEST_CASE_TEMPLATE(name, Operation, operations)                                     \
    {                                                                                              \
        for (test::where const w : std::set{test::where::first, test::where::last})                \
            BOOST_TEST_CONTEXT(w)                                                                  \
        test::with_operation<Operation>([&](auto make) { test::scenario(make, w); });              \
    }

#endif
