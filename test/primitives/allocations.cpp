// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Waiting calls no allocator, whoever waits and whoever wakes.

#include <weft/mutex.hpp>
#include <weft/semaphore.hpp>
#include <weft/shared_mutex.hpp>

#include "api/steady_state.hpp"
#include "support/booked_allocator.hpp"
#include "support/cases.hpp"
#include "support/sanitized.hpp"

#include <weft/io_context.hpp>
#include <weft/platform/recycler.hpp>
#include <weft/thread_pool.hpp>

namespace
{

// So many that no cache of a thread holds them.
constexpr int many = WEFT_TEST_SANITIZED ? 300 : 10000;

// Ways to wait, and to let go of what one has got.
template <class Mutex>
struct locks
{
    using object = Mutex;

    static bool try_begin(Mutex& m)
    {
        return m.try_lock();
    }

    template <class Handler>
    static void begin(Mutex& m, Handler handler)
    {
        m.async_lock(std::move(handler));
    }

    static void end(Mutex& m)
    {
        m.unlock();
    }
};

struct locks_for_a_time : locks<weft::mutex>
{
    template <class Handler>
    static void begin(weft::mutex& m, Handler handler)
    {
        m.async_lock_for(std::chrono::hours(1), std::move(handler));
    }
};

// May be cancelled meanwhile. Each has a signal of its own, which outlives it.
struct locks_with_a_slot : locks<weft::mutex>
{
    template <class Handler>
    static void begin(weft::mutex& m, Handler handler)
    {
        auto const slot = handler.signal->slot();
        m.async_lock(asio::bind_cancellation_slot(slot, std::move(handler)));
    }
};

// Delivered with a lock that gives itself back.
struct scoped_locks : locks<weft::mutex>
{
    template <class Handler>
    static void begin(weft::mutex& m, Handler handler)
    {
        m.async_scoped_lock(std::move(handler));
    }
};

struct three_permits : weft::semaphore
{
    explicit three_permits(weft::io_context& context) : weft::semaphore(context, 3)
    {
    }
};

struct takes_three
{
    using object = three_permits;

    static bool try_begin(object& s)
    {
        return s.try_acquire(3);
    }

    template <class Handler>
    static void begin(object& s, Handler handler)
    {
        s.async_acquire(3, std::move(handler));
    }

    static void end(object& s)
    {
        s.release(3);
    }
};

// Lets go, and waits again, `turns` times in a round, until the last window is over.
template <class Way>
struct locker
{
    typename Way::object& m;
    test::steady_state& state;
    int turns;
    int left = turns;
    std::shared_ptr<asio::cancellation_signal> signal =
        std::make_shared<asio::cancellation_signal>();

    void start()
    {
        Way::begin(m, locker(*this));
    }

    void operator()(error_code)
    {
        Way::end(m);
        proceed();
    }

    template <class Lock>
    void operator()(error_code, Lock lock)
    {
        lock.unlock();
        proceed();
    }

    void proceed()
    {
        if (--left == 0)
        {
            state.part_done();
            left = turns;
        }
        if (!state.finished())
            start();
    }
};

// Waiters of one mutex, which all wait nearly all of the time.
template <class Way>
void check_callbacks(std::size_t waiters)
{
    // Handlers take 30 us under a sanitizer, and a tenth is enough to tell whether each allocates.
    int const few = WEFT_TEST_SANITIZED ? 6 : 50;
    int const turns = waiters < 10 ? 50 : waiters < 100 ? few : waiters < 1000 ? (few + 9) / 10 : 1;
    for (std::size_t threads : {1u, 2u})
    {
        BOOST_TEST_CONTEXT("threads: " << threads << ", waiters: " << waiters)
        {
            weft::io_context context;
            typename Way::object m(context);
            test::steady_state state;
            asio::post(context,
                [&]
                {
                    state.start(static_cast<int>(waiters), [] {});
                    BOOST_TEST(Way::try_begin(m));
                    for (std::size_t i = 0; i != waiters; ++i)
                        locker<Way>{m, state, turns}.start();
                    Way::end(m);
                });
            test::run_on(context, threads);
            state.check_allocates_nothing(threads, waiters * turns);
        }
    }
}

// `rounds` times all of `waiters` wait at once, are let go by this thread, which is no worker, and
// wait again. Expects as many allocations as the most blocks that can be in use or in the caches of
// three threads at once, however many rounds there are. (Not that there are none after a while: a
// cache of the workers may fill late.)
template <class Start>
void check_foreign_wakes(weft::semaphore& s, std::atomic<std::size_t>& woken, std::size_t waiters,
    std::size_t rounds, Start start)
{
    std::size_t const before = test::allocations::count;
    for (std::size_t round = 0; round != rounds; ++round)
    {
        woken = 0;
        for (std::size_t i = 0; i != waiters; ++i)
            start();
        s.release(waiters);
        while (woken != waiters)
            std::this_thread::yield();
    }
    std::size_t const blocks = waiters + 3 * 2 * weft::detail::magazine::capacity;
    // Magazines are allocated too. Twice: the hint whether there is a full one may be late.
    std::size_t const most = 2 * (blocks + blocks / weft::detail::magazine::capacity + 3 * 2);
    BOOST_TEST_REQUIRE(waiters * rounds > 2 * most);
    BOOST_TEST(test::allocations::count - before <= most);
}

} // namespace

BOOST_AUTO_TEST_SUITE(allocations)

BOOST_AUTO_TEST_CASE(callbacks_that_wait_allocate_nothing)
{
    check_callbacks<locks<weft::mutex>>(1);
    check_callbacks<locks<weft::mutex>>(2);
    check_callbacks<locks<weft::mutex>>(100);
    check_callbacks<locks<weft::basic_mutex<weft::io_context::executor_type>>>(100);
}

BOOST_AUTO_TEST_CASE(nor_do_many)
{
    check_callbacks<locks<weft::mutex>>(many);
}

BOOST_AUTO_TEST_CASE(nor_do_the_other_operations)
{
    check_callbacks<locks<weft::shared_mutex>>(10);
    check_callbacks<scoped_locks>(10);
    check_callbacks<takes_three>(10);
    check_callbacks<locks_for_a_time>(10);
    check_callbacks<locks_with_a_slot>(10);
}

BOOST_AUTO_TEST_CASE(foreign_threads_that_wait_and_wake_allocate_nothing)
{
    for (std::size_t waiters : {std::size_t(1), std::size_t(many)})
    {
        BOOST_TEST_CONTEXT("waiters: " << waiters)
        {
            weft::thread_pool pool(2);
            weft::semaphore s(pool, 0);
            std::atomic<std::size_t> woken{0};
            check_foreign_wakes(s, woken, waiters, waiters == 1 ? 2000 : 20,
                [&] { s.async_acquire([&](error_code) { ++woken; }); });
            pool.join();
        }
    }
}

BOOST_AUTO_TEST_CASE(coroutines_that_wait_allocate_nothing)
{
    for (std::size_t threads : {1u, 2u})
    {
        for (int waiters : {1, 2, many})
        {
            BOOST_TEST_CONTEXT("threads: " << threads << ", waiters: " << waiters)
            {
                weft::io_context context;
                weft::mutex m(context);
                std::atomic<int> arrived{0};
                // Each hands the lock to the next, so that all others wait.
                constexpr int rounds = 6;
                constexpr int warm_up_rounds = 2;
                std::atomic<std::size_t> moves{0};
                std::size_t at_start = 0;
                std::size_t at_end = 0;
                for (int i = 0; i != waiters; ++i)
                    asio::co_spawn(
                        context,
                        [&]() -> asio::awaitable<void>
                        {
                            for (int round = 0; round != rounds; ++round)
                            {
                                auto const before = std::this_thread::get_id();
                                co_await m.async_lock();
                                if (std::this_thread::get_id() != before)
                                    ++moves;
                                int const turn = arrived++;
                                if (turn == warm_up_rounds * waiters)
                                    at_start = test::allocations::count;
                                if (turn == (rounds - 1) * waiters)
                                    at_end = test::allocations::count;
                                m.unlock();
                            }
                        },
                        asio::detached);
                BOOST_TEST(m.try_lock());
                asio::post(context, [&] { m.unlock(); });
                test::run_on(context, threads);
                BOOST_TEST(arrived == waiters * rounds);
                BOOST_TEST(at_end - at_start <= test::steady_state::most_for_moves(threads, moves));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(a_handlers_own_allocator_is_used_and_its_memory_returned_before_the_call)
{
    weft::io_context context;
    weft::mutex m(context);
    test::book book;
    BOOST_TEST(m.try_lock());
    int calls = 0;
    for (int i = 0; i != 2; ++i)
        m.async_lock(asio::bind_allocator(test::booked_allocator<char>(book),
            [&](error_code)
            {
                BOOST_TEST(book.alive() == 1 - calls);
                ++calls;
                m.unlock();
            }));
    BOOST_TEST(book.alive() == 2);
    m.unlock();
    context.run();
    BOOST_TEST(calls == 2);
    BOOST_TEST(book.allocations == 2);
    BOOST_TEST(book.alive() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
