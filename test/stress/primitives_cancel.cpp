// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Hazard: a permit lost or made, or a handler lost or called twice, when grants, cancellations and
// registrations of the same waiters meet on several threads.

#include <weft/io_context.hpp>
#include <weft/mutex.hpp>
#include <weft/semaphore.hpp>
#include <weft/shared_mutex.hpp>

#include "parity/threads.hpp"
#include "support/asio.hpp"
#include "support/sanitized.hpp"

#include <random>

namespace
{

constexpr std::uint64_t operations = WEFT_TEST_SANITIZED ? 100'000 : 1'200'000;
constexpr int tasks = 16;

struct totals
{
    std::atomic<std::uint64_t> started{0};
    std::atomic<std::uint64_t> ended{0};
    std::atomic<std::uint64_t> aborted{0};
};

// Starts operations, one after the other; some it cancels, at once or a little later, on its own
// strand, where their handlers run.
template <class Primitive>
class task
{
public:
    task(weft::io_context& context, Primitive& p, totals& t, unsigned seed)
        : strand_(asio::make_strand(context)), primitive_(p), totals_(t), random_(seed)
    {
    }

    void start()
    {
        asio::post(strand_, [this] { next(); });
    }

private:
    void next()
    {
        if (totals_.started.fetch_add(1, std::memory_order_relaxed) >= operations)
        {
            totals_.ended.fetch_add(1, std::memory_order_relaxed);
            return;
        }
        std::uint64_t const what = random_();
        auto const finished = [this, what](error_code ec, auto... guard)
        {
            totals_.ended.fetch_add(1, std::memory_order_relaxed);
            if (ec == asio::error::operation_aborted)
                totals_.aborted.fetch_add(1, std::memory_order_relaxed);
            else if constexpr (sizeof...(guard) == 0)
                give_back(primitive_, what);
            else
                (drop(std::move(guard)), ...);
            next();
        };
        begin(primitive_, what,
            asio::bind_executor(strand_, asio::bind_cancellation_slot(signal_.slot(), finished)));
        switch ((what >> 8) % 4)
        {
        case 0:
            signal_.emit(asio::cancellation_type::total);
            break;
        case 1:
            // Meets the grant, the completion, or the operation after this one.
            asio::post(strand_, [this] { signal_.emit(asio::cancellation_type::terminal); });
            break;
        default:
            break;
        }
    }

    template <class Guard>
    static void drop(Guard) noexcept
    {
    }

    static constexpr std::chrono::hours a_long_time{1};

    // One in eight with a time limit, which takes another way through cancellation; every other one
    // delivers what gives itself back.
    template <class Handler>
    static void begin(weft::semaphore& s, std::uint64_t what, Handler handler)
    {
        std::uint64_t const n = permits(what);
        switch (what % 16)
        {
        case 0:
            s.async_scoped_acquire_for(a_long_time, n, std::move(handler));
            break;
        case 1:
            s.async_acquire_for(a_long_time, n, std::move(handler));
            break;
        default:
            if (what % 2 == 0)
                s.async_scoped_acquire(n, std::move(handler));
            else
                s.async_acquire(n, std::move(handler));
            break;
        }
    }

    static std::uint64_t permits(std::uint64_t what)
    {
        return 1 + (what >> 4) % 3;
    }

    static void give_back(weft::semaphore& s, std::uint64_t what)
    {
        s.release(permits(what));
    }

    template <class Handler>
    static void begin(weft::mutex& m, std::uint64_t what, Handler handler)
    {
        switch (what % 16)
        {
        case 0:
            m.async_scoped_lock_for(a_long_time, std::move(handler));
            break;
        case 1:
            m.async_lock_for(a_long_time, std::move(handler));
            break;
        default:
            if (what % 2 == 0)
                m.async_scoped_lock(std::move(handler));
            else
                m.async_lock(std::move(handler));
            break;
        }
    }

    static void give_back(weft::mutex& m, std::uint64_t)
    {
        m.unlock();
    }

    template <class Handler>
    static void begin(weft::shared_mutex& m, std::uint64_t what, Handler handler)
    {
        bool const writes = is_writer(what);
        switch (what % 16)
        {
        case 0:
            writes ? m.async_scoped_lock_for(a_long_time, std::move(handler))
                   : m.async_scoped_lock_shared_for(a_long_time, std::move(handler));
            break;
        case 1:
            writes ? m.async_lock_for(a_long_time, std::move(handler))
                   : m.async_lock_shared_for(a_long_time, std::move(handler));
            break;
        default:
            if (what % 2 == 0)
                writes ? m.async_scoped_lock(std::move(handler))
                       : m.async_scoped_lock_shared(std::move(handler));
            else
                writes ? m.async_lock(std::move(handler)) : m.async_lock_shared(std::move(handler));
            break;
        }
    }

    static bool is_writer(std::uint64_t what)
    {
        return (what >> 4) % 4 == 0;
    }

    static void give_back(weft::shared_mutex& m, std::uint64_t what)
    {
        if (is_writer(what))
            m.unlock();
        else
            m.unlock_shared();
    }

    asio::strand<weft::io_context::executor_type> strand_;
    Primitive& primitive_;
    totals& totals_;
    std::mt19937 random_;
    asio::cancellation_signal signal_;
};

// Runs all tasks; expects that each operation ends once, and that signals hit some of them.
template <class Primitive>
void race(weft::io_context& context, Primitive& p)
{
    totals t;
    std::vector<std::unique_ptr<task<Primitive>>> all;
    for (unsigned i = 0; i != tasks; ++i)
    {
        all.push_back(std::make_unique<task<Primitive>>(context, p, t, i + 1));
        all.back()->start();
    }
    test::run_on(context, 4);
    BOOST_TEST(t.started == operations + tasks);
    BOOST_TEST(t.ended == t.started);
    BOOST_TEST(t.aborted > 0u);
    BOOST_TEST(t.aborted < operations);
}

} // namespace

BOOST_AUTO_TEST_CASE(a_semaphore_keeps_its_permits)
{
    weft::io_context context;
    weft::semaphore s(context, 4);
    race(context, s);
    BOOST_TEST(s.available() == 4u);
}

BOOST_AUTO_TEST_CASE(a_mutex_is_free_afterwards)
{
    weft::io_context context;
    weft::mutex m(context);
    race(context, m);
    BOOST_TEST(m.try_lock());
}

BOOST_AUTO_TEST_CASE(a_shared_mutex_is_free_afterwards)
{
    weft::io_context context;
    weft::shared_mutex m(context);
    race(context, m);
    BOOST_TEST(m.try_lock());
}
