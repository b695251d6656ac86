// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Hazard: a primitive is destroyed while, on other threads, time limits of its waiters pass; by the
// handler of the first of many that one call resumes.

#include <weft/channel.hpp>
#include <weft/io_context.hpp>
#include <weft/semaphore.hpp>
#include <weft/shared_mutex.hpp>

#include "parity/threads.hpp"
#include "support/asio.hpp"
#include "support/inline_executor.hpp"
#include "support/sanitized.hpp"

namespace
{

constexpr int rounds = WEFT_TEST_SANITIZED ? 500 : 5000;

// More than one batch.
constexpr int many = 80;

// Starts `many` waits, by `start(handler)`, resumes them all by `resume_all()`, and destroys the
// primitive in the first handler that runs.
template <class Start, class Resume, class Destroy>
void destroy_by_the_first(Start start, Resume resume_all, Destroy destroy)
{
    std::atomic<int> begun{0};
    std::atomic<int> ended{0};
    for (int i = 0; i != many; ++i)
        start(
            [&](auto const&...)
            {
                if (begun++ == 0)
                    destroy();
                ++ended;
            });
    resume_all();
    while (ended != many)
        std::this_thread::yield();
    BOOST_TEST(begun == many);
}

// On `ex`: with each call that resumes several.
template <class Executor>
void destroy_in_every_way(Executor const& ex)
{
    auto const in = [&](auto primitive, auto start, auto resume_all)
    {
        auto* const p = primitive.get();
        destroy_by_the_first([&](auto handler) { start(*p, asio::bind_executor(ex, handler)); },
            [&] { resume_all(*p); }, [&] { primitive.reset(); });
    };
    auto const acquire = [](auto& s, auto handler)
    {
        s.async_acquire(handler);
    };
    auto const read = [](auto& m, auto handler)
    {
        m.async_lock_shared(handler);
    };
    auto const receive = [](auto& c, auto handler)
    {
        c.async_receive(handler);
    };
    auto const semaphore = [&]
    {
        return std::make_unique<weft::semaphore>(ex, 0u);
    };
    auto const channel = [&]
    {
        return std::make_unique<weft::channel<int>>(ex, 0u);
    };
    auto locked = std::make_unique<weft::shared_mutex>(ex);
    BOOST_TEST(locked->try_lock());

    in(semaphore(), acquire, [](auto& s) { s.release(many); });
    in(semaphore(), acquire, [](auto& s) { s.cancel(); });
    in(semaphore(), acquire, [](auto& s) { s.close(); });
    in(std::move(locked), read, [](auto& m) { m.unlock(); });
    in(channel(), receive, [](auto& c) { c.close(); });
    in(channel(), receive, [](auto& c) { c.cancel(); });
}

// weft's, and tells when it is asked to run something.
struct telling_executor
{
    weft::io_context* context;
    std::function<void()> const* tell;

    weft::io_context& query(asio::execution::context_t) const noexcept
    {
        return *context;
    }

    telling_executor require(asio::execution::blocking_t::never_t) const noexcept
    {
        return *this;
    }

    template <class Function>
    void execute(Function function) const
    {
        (*tell)();
        asio::require(context->get_executor(), asio::execution::blocking.never)
            .execute(std::move(function));
    }

    bool operator==(telling_executor const& other) const noexcept
    {
        return context == other.context;
    }

    bool operator!=(telling_executor const& other) const noexcept
    {
        return context != other.context;
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(time_limits_pass_while_the_primitive_goes)
{
    weft::io_context context;
    auto guard = asio::make_work_guard(context);
    std::atomic<int> ended{0};
    std::atomic<int> wrong{0};
    test::thread_group threads(2, [&] { context.run(); });
    for (int round = 0; round != rounds; ++round)
    {
        std::optional<weft::semaphore> s(std::in_place, context, 0u);
        for (int i = 0; i != 8; ++i)
            s->async_acquire_for(std::chrono::microseconds(10 * i), 1u + i % 2u,
                [&](error_code ec)
                {
                    ++ended;
                    wrong += ec == asio::error::timed_out || ec == asio::error::operation_aborted
                                 ? 0
                                 : 1;
                });
        s.reset();
    }
    guard.reset();
    threads.join();
    BOOST_TEST(ended == 8 * rounds);
    BOOST_TEST(wrong == 0);
}

// One whose time is up gives what it had to more than one batch; in the middle of that the
// primitive is destroyed.
BOOST_AUTO_TEST_CASE(one_that_is_late_serves_others_while_the_primitive_goes)
{
    constexpr int others = 40;
    weft::io_context context;
    auto guard = asio::make_work_guard(context);
    auto s = std::make_unique<weft::semaphore>(context, 50u);
    std::atomic<int> told{0};
    std::atomic<bool> destroyed{false};
    std::atomic<int> ended{0};
    std::function<void()> const tell = [&]
    {
        if (told++ != 0)
            return;
        // Long enough for a destructor that does not wait for this thread.
        for (int i = 0; i != 1000 && !destroyed; ++i)
            std::this_thread::yield();
    };
    s->async_acquire_for(std::chrono::milliseconds(1), 60,
        [&](error_code ec) { ended += ec == asio::error::timed_out ? 1 : 0; });
    for (int i = 0; i != others; ++i)
        s->async_acquire(
            asio::bind_executor(telling_executor{&context, &tell}, [&](error_code) { ++ended; }));
    test::thread_group thread(1, [&] { context.run(); });
    while (told == 0)
        std::this_thread::yield();
    s.reset();
    destroyed = true;
    guard.reset();
    thread.join();
    BOOST_TEST(ended == 1 + others);
}

BOOST_AUTO_TEST_CASE(the_first_of_many_destroys_the_primitive_inside_the_call)
{
    asio::io_context context;
    destroy_in_every_way(test::inline_executor{&context});
}

BOOST_AUTO_TEST_CASE(the_first_of_many_destroys_the_primitive_on_another_thread)
{
    weft::io_context context;
    auto guard = asio::make_work_guard(context);
    test::thread_group threads(2, [&] { context.run(); });
    for (int round = 0; round != rounds / 50; ++round)
        destroy_in_every_way(context.get_executor());
    guard.reset();
    threads.join();
}
