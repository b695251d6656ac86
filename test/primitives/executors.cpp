// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Executors of handlers and of primitives, each by its own type: what is put into any_io_executor
// first is only one of them.

#include <weft/channel.hpp>
#include <weft/io_context.hpp>
#include <weft/mutex.hpp>
#include <weft/semaphore.hpp>
#include <weft/shared_mutex.hpp>
#include <weft/thread_pool.hpp>

#include "support/cases.hpp"
#include "support/inline_executor.hpp"

#if !defined(BOOST_ASIO_NO_TS_EXECUTORS)
#include <boost/asio/executor.hpp>
#include <boost/asio/io_context_strand.hpp>
#endif

namespace
{

using namespace std::chrono_literals;

// Handlers that have been called, which may be on any thread.
class calls
{
public:
    explicit calls(std::ptrdiff_t expected) : left_(expected)
    {
    }

    ~calls()
    {
        BOOST_TEST(failed_ == 0);
    }

    auto handler()
    {
        return [this](error_code ec, auto const&...)
        {
            if (ec)
                ++failed_;
            left_.count_down();
        };
    }

    bool all() const noexcept
    {
        return left_.try_wait();
    }

    void wait() const
    {
        left_.wait();
    }

private:
    std::latch left_;
    std::atomic<int> failed_{0};
};

struct three_contexts
{
    weft::io_context io;
    weft::io_context weft_context;
    asio::io_context asio_context;

    // Runs what can be run; not to its end while an operation waits.
    void run()
    {
        for (int i = 0; i != 3; ++i)
        {
            io.restart();
            weft_context.restart();
            asio_context.restart();
            io.poll();
            weft_context.poll();
            asio_context.poll();
        }
    }

    // The work of a handler that has been called on another thread is over a little later.
    void run_out(std::function<bool()> const& ran_out)
    {
        for (run(); !ran_out(); run())
            std::this_thread::yield();
    }

    // Operations of all primitives, on the executor `own`, whose handlers have the executor `ex`.
    // The context that `ran_out` asks has work exactly as long as they wait.
    template <typename Own, typename Executor>
    void complete_on(Own const& own, Executor const& ex, std::function<bool()> const& ran_out)
    {
        calls at_once(4);
        calls later(6);
        auto const bound = [&](calls& c)
        {
            return asio::bind_executor(ex, c.handler());
        };
        weft::basic_mutex<Own> mutex(own);
        weft::basic_semaphore<Own> semaphore(own, 1);
        weft::basic_shared_mutex<Own> shared(own);
        weft::basic_channel<Own, void(error_code, int)> channel(own, 1);

        mutex.async_lock(bound(at_once));
        semaphore.async_acquire(bound(at_once));
        shared.async_lock(bound(at_once));
        channel.async_send(error_code(), 1, bound(at_once));
        run();
        at_once.wait();
        run_out(ran_out);

        mutex.async_lock(bound(later));
        semaphore.async_acquire(bound(later));
        semaphore.async_acquire_for(1h, bound(later));
        shared.async_scoped_lock_shared(bound(later));
        channel.async_send(error_code(), 2, bound(later));
        channel.async_send(error_code(), 3, bound(later));
        run();
        BOOST_TEST(!ran_out());
        BOOST_TEST(!later.all());
        mutex.unlock();
        semaphore.release(2);
        shared.unlock();
        for (int i = 1; i != 4; ++i)
            channel.try_receive([&](error_code, int value) { BOOST_TEST(value == i); });
        run();
        later.wait();
        run_out(ran_out);
    }

    template <typename Executor>
    void complete(Executor const& ex, std::function<bool()> const& ran_out)
    {
        complete_on(io.get_executor(), ex, ran_out);
    }

    // `ex` belongs to the context.
    template <typename Executor>
    void complete_in(weft::io_context& context, Executor const& ex)
    {
        complete(ex, [&] { return context.stopped(); });
    }

    template <typename Executor>
    void complete_in(asio::io_context& context, Executor const& ex)
    {
        complete(ex, [&] { return context.stopped(); });
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(executors, three_contexts)

BOOST_AUTO_TEST_CASE(of_a_context)
{
    complete_in(weft_context, weft_context.get_executor());
    complete_in(asio_context, asio_context.get_executor());
}

BOOST_AUTO_TEST_CASE(that_can_hold_any)
{
    complete_in(weft_context, asio::any_io_executor(weft_context.get_executor()));
    complete_in(asio_context, asio::any_io_executor(asio_context.get_executor()));
    complete_in(weft_context, asio::any_completion_executor(weft_context.get_executor()));
    complete_in(asio_context, asio::any_completion_executor(asio_context.get_executor()));
}

// Its executor cannot be asked not to call inside the submission.
BOOST_AUTO_TEST_CASE(of_a_handler_of_any_type)
{
    using handler_type = asio::any_completion_handler<void(error_code)>;
    weft::mutex mutex(io);
    BOOST_TEST(mutex.try_lock());
    calls c(3);
    mutex.async_lock(handler_type(c.handler()));
    mutex.async_lock(handler_type(asio::bind_executor(asio_context, c.handler())));
    mutex.async_lock(handler_type(asio::bind_executor(asio::system_executor(), c.handler())));
    for (int i = 0; i != 3; ++i)
    {
        mutex.unlock();
        run();
    }
    c.wait();
    mutex.unlock();
}

// Neither when it has to wait nor when not.
BOOST_AUTO_TEST_CASE(nothing_is_called_inside_a_call)
{
    weft::mutex mutex(io);
    bool calling = false;
    int count = 0;
    auto const handler = [&](error_code)
    {
        ++count;
        BOOST_TEST(!calling);
    };
    auto const without_a_call_inside = [&](auto const& ex)
    {
        calling = true;
        mutex.async_lock(asio::bind_executor(ex, handler));
        mutex.async_lock(asio::bind_executor(ex, handler));
        calling = false;
        run();
        // On a thread of the executor's.
        asio::post(asio_context,
            [&]
            {
                calling = true;
                mutex.unlock();
                mutex.unlock();
                calling = false;
            });
        run();
    };
    without_a_call_inside(asio::any_completion_executor(asio_context.get_executor()));
    without_a_call_inside(asio::any_completion_executor(weft_context.get_executor()));
    without_a_call_inside(
        asio::any_completion_executor(asio::make_strand(asio_context.get_executor())));
    BOOST_TEST(count == 6);
}

BOOST_AUTO_TEST_CASE(strand_of_a_contexts)
{
    complete_in(weft_context, asio::make_strand(weft_context));
    complete_in(asio_context, asio::make_strand(asio_context));
}

BOOST_AUTO_TEST_CASE(strand_of_one_that_can_hold_any)
{
    complete_in(
        weft_context, asio::make_strand(asio::any_io_executor(weft_context.get_executor())));
    complete_in(
        asio_context, asio::make_strand(asio::any_io_executor(asio_context.get_executor())));
}

BOOST_AUTO_TEST_CASE(strand_of_a_strand)
{
    complete_in(weft_context, asio::make_strand(asio::make_strand(weft_context)));
    complete_in(asio_context,
        asio::make_strand(asio::make_strand(asio::any_io_executor(asio_context.get_executor()))));
}

BOOST_AUTO_TEST_CASE(strand_inside_one_that_can_hold_any)
{
    complete_in(weft_context, asio::any_io_executor(asio::make_strand(weft_context)));
    complete_in(asio_context, asio::make_strand(asio::any_io_executor(asio::make_strand(
                                  asio::any_io_executor(asio_context.get_executor())))));
}

BOOST_AUTO_TEST_CASE(with_other_properties)
{
    using namespace boost::asio::execution;
    complete_in(weft_context,
        asio::prefer(weft_context.get_executor(), relationship.continuation, blocking.never));
    complete_in(weft_context,
        asio::any_io_executor(asio::require(weft_context.get_executor(), blocking.never)));
    complete_in(asio_context, asio::require(asio_context.get_executor(), blocking.never));
}

BOOST_AUTO_TEST_CASE(of_the_system)
{
    auto const ran_out = [this]
    {
        return io.stopped();
    };
    complete(asio::system_executor(), ran_out);
    complete(asio::make_strand(asio::system_executor()), ran_out);
    complete(asio::any_io_executor(asio::system_executor()), ran_out);
}

BOOST_AUTO_TEST_CASE(of_pools)
{
    auto const ran_out = [this]
    {
        return io.stopped();
    };
    weft::thread_pool weft_pool(2);
    complete(weft_pool.get_executor(), ran_out);
    complete(asio::make_strand(asio::any_io_executor(weft_pool.get_executor())), ran_out);
    asio::thread_pool asio_pool(2);
    complete(asio_pool.get_executor(), ran_out);
    complete(asio::make_strand(asio::any_io_executor(asio_pool.get_executor())), ran_out);
}

BOOST_AUTO_TEST_CASE(that_calls_at_once)
{
    auto const ran_out = [this]
    {
        return io.stopped();
    };
    complete(test::inline_executor{&asio_context}, ran_out);
    complete(asio::make_strand(test::inline_executor{&asio_context}), ran_out);
}

BOOST_AUTO_TEST_CASE(of_the_primitive)
{
    auto const ran_out = [this]
    {
        return io.stopped();
    };
    asio::any_io_executor const any(io.get_executor());
    auto const other = asio::make_strand(asio::any_io_executor(asio_context.get_executor()));
    complete_on(any, any, ran_out);
    complete_on(any, other, ran_out);
    complete_on(asio::make_strand(io), other, ran_out);
    complete_on(asio::make_strand(any), asio::make_strand(any), ran_out);
    complete_on(asio::make_strand(any), other, ran_out);
}

BOOST_AUTO_TEST_CASE(bound_twice)
{
    // The outer one counts.
    weft::mutex mutex(io);
    BOOST_TEST(mutex.try_lock());
    auto const outer = asio::make_strand(asio::any_io_executor(asio_context.get_executor()));
    auto const inner = asio::make_strand(asio::any_io_executor(weft_context.get_executor()));
    calls c(1);
    bool inside = false;
    mutex.async_lock(asio::bind_executor(outer, asio::bind_executor(inner,
                                                    [&, handler = c.handler()](error_code ec)
                                                    {
                                                        inside = outer.running_in_this_thread() &&
                                                                 !inner.running_in_this_thread();
                                                        handler(ec);
                                                    })));
    mutex.unlock();
    run();
    c.wait();
    BOOST_TEST(inside);
}

#if !defined(BOOST_ASIO_NO_TS_EXECUTORS)
BOOST_AUTO_TEST_CASE(of_the_networking_ts)
{
    complete_in(weft_context, asio::executor(weft_context.get_executor()));
    complete_in(asio_context, asio::executor(asio_context.get_executor()));
#if !defined(BOOST_ASIO_NO_EXTENSIONS)
    complete_in(asio_context, asio::io_context::strand(asio_context));
#endif
}
#endif

BOOST_AUTO_TEST_SUITE_END()
