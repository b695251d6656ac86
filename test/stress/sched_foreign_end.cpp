// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A context is destroyed as soon as run() or its like has returned, although the thread from
// outside that made it return is still in its call. The sanitizers see what that touches: the
// thread sanitizer even if the call is over by then.

#include <weft/io_context.hpp>
#include <weft/thread_pool.hpp>

#include "support/asio.hpp"
#include "support/sanitized.hpp"

namespace
{

// How the owner waits for the end.

struct by_run
{
    using context = weft::io_context;
    static constexpr int rounds = WEFT_TEST_SANITIZED ? 700 : 2'000;

    static void wait(weft::io_context& c)
    {
        c.run();
    }
};

struct by_poll
{
    using context = weft::io_context;
    static constexpr int rounds = WEFT_TEST_SANITIZED ? 700 : 2'000;

    static void wait(weft::io_context& c)
    {
        while (!c.stopped())
            if (c.poll() == 0)
                std::this_thread::yield();
    }
};

// A second thread may take what the first one is woken for.
struct by_run_of_two
{
    using context = weft::io_context;
    static constexpr int rounds = 200;

    static void wait(weft::io_context& c)
    {
        std::thread second([&] { c.run(); });
        c.run();
        second.join();
    }
};

struct by_join
{
    struct context : weft::thread_pool
    {
        context() : thread_pool(2)
        {
        }
    };

    static constexpr int rounds = 200;

    static void wait(weft::thread_pool& c)
    {
        c.join();
    }
};

template <typename Context>
using guard = asio::executor_work_guard<typename Context::executor_type>;

// `end` is called outside, `tidy_up` after the end.
template <typename Owner, typename End, typename TidyUp>
void end_contexts_from_outside(End end, TidyUp tidy_up)
{
    using context = typename Owner::context;
    constexpr int rounds = Owner::rounds;

    std::atomic<int> started{0};
    std::atomic<int> ended{0};
    context* current = nullptr;
    std::optional<guard<context>> work;
    std::thread outside(
        [&]
        {
            for (int i = 1; i <= rounds; ++i)
            {
                while (started.load(std::memory_order_acquire) != i)
                    std::this_thread::yield();
                for (int wait = 0; wait != i * 7 % 200; ++wait)
                    started.load(std::memory_order_relaxed);
                end(*current, work);
                ended.store(i, std::memory_order_release);
            }
        });
    for (int i = 1; i <= rounds; ++i)
    {
        auto c = std::make_unique<context>();
        current = c.get();
        work.emplace(c->get_executor());
        asio::post(*c, [&] { started.store(i, std::memory_order_release); });
        Owner::wait(*c);
        tidy_up(work);
        c.reset();
        while (ended.load(std::memory_order_acquire) != i)
            std::this_thread::yield();
    }
    outside.join();
}

// The last handler takes the last outstanding work away.
template <typename Owner, typename Submit>
void end_contexts_by_a_handler(Submit submit)
{
    end_contexts_from_outside<Owner>([&](auto& context, auto& work)
        { submit(context, [&work] { work.reset(); }); },
        [](auto&) {});
}

template <typename Submit>
void end_contexts_of_all_owners_by_a_handler(Submit submit)
{
    end_contexts_by_a_handler<by_run>(submit);
    end_contexts_by_a_handler<by_poll>(submit);
    end_contexts_by_a_handler<by_run_of_two>(submit);
    end_contexts_by_a_handler<by_join>(submit);
}

} // namespace

BOOST_AUTO_TEST_CASE(the_last_work_guard_goes_outside)
{
    auto const end = [](auto&, auto& work)
    {
        work.reset();
    };
    end_contexts_from_outside<by_run>(end, [](auto&) {});
    end_contexts_from_outside<by_poll>(end, [](auto&) {});
    end_contexts_from_outside<by_run_of_two>(end, [](auto&) {});
    end_contexts_from_outside<by_join>(end, [](auto&) {});
}

BOOST_AUTO_TEST_CASE(stop_is_called_outside)
{
    auto const end = [](auto& context, auto&)
    {
        context.stop();
    };
    auto const tidy_up = [](auto& work)
    {
        work.reset();
    };
    end_contexts_from_outside<by_run>(end, tidy_up);
    end_contexts_from_outside<by_poll>(end, tidy_up);
    end_contexts_from_outside<by_run_of_two>(end, tidy_up);
    end_contexts_from_outside<by_join>(end, tidy_up);
}

BOOST_AUTO_TEST_CASE(the_last_handler_is_posted_outside)
{
    end_contexts_of_all_owners_by_a_handler(
        [](auto& context, auto handler) { asio::post(context, handler); });
}

BOOST_AUTO_TEST_CASE(the_last_handler_is_dispatched_outside)
{
    end_contexts_of_all_owners_by_a_handler(
        [](auto& context, auto handler) { asio::dispatch(context, handler); });
}

BOOST_AUTO_TEST_CASE(the_last_handler_is_deferred_outside)
{
    end_contexts_of_all_owners_by_a_handler(
        [](auto& context, auto handler) { asio::defer(context, handler); });
}

BOOST_AUTO_TEST_CASE(the_last_handler_is_that_of_a_timer_outside)
{
    end_contexts_of_all_owners_by_a_handler(
        [](auto& context, auto handler)
        {
            asio::io_context own;
            asio::steady_timer timer(own, std::chrono::seconds(0));
            timer.async_wait(
                asio::bind_executor(context, [handler](boost::system::error_code) { handler(); }));
            own.run();
        });
}

// Not by the work that is left: by what a handler says.
BOOST_AUTO_TEST_CASE(the_owner_stops_when_a_handler_posted_outside_has_run)
{
    auto const end = [](auto& context, auto&)
    {
        asio::post(context, [&context] { context.stop(); });
    };
    auto const tidy_up = [](auto& work)
    {
        work.reset();
    };
    end_contexts_from_outside<by_run>(end, tidy_up);
    end_contexts_from_outside<by_poll>(end, tidy_up);
    end_contexts_from_outside<by_run_of_two>(end, tidy_up);
    end_contexts_from_outside<by_join>(end, tidy_up);
}
