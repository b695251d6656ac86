// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: what does a permit cost when there are several? semaphore_8_2: 8 coroutines and 2
// permits. rwlock_90_10: 10 coroutines, one lock in ten is a writer's. Both also held while the
// coroutine suspends once, by a post; and by as many chains of callbacks. The stand-in for both in
// Asio is a channel: with room for as many messages as there are permits, or with one, for it has
// no readers. Those of std:: block the thread (the semaphore is the C library's), and are there for
// scale. How many are inside is checked before the clock runs, in an iteration of its own, since
// that costs more than a permit; what they do, in every one.

#include "support/chains.hpp"
#include "support/locks.hpp"

#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>

#include <atomic>
#include <shared_mutex>

#include <semaphore.h>

constexpr std::size_t permit_count = 2;

template <class Executor>
struct weft_locks
{
    explicit weft_locks(const Executor& e) : semaphore(e, permit_count), shared(e)
    {
    }

    bench::weft_semaphore<Executor> semaphore;
    weft::basic_shared_mutex<Executor> shared;
};

template <class Executor>
struct channels
{
    explicit channels(const Executor& e) : semaphore(e, permit_count), exclusive(e, 1)
    {
    }

    bench::channel_lock<Executor> semaphore;
    bench::channel_lock<Executor> exclusive;
};

// The C library's: std::counting_semaphore of libstdc++ 12 may sleep for ever (GCC's bug 98033).
class blocking_semaphore
{
public:
    explicit blocking_semaphore(unsigned permits) noexcept
    {
        ::sem_init(&semaphore_, 0, permits);
    }

    blocking_semaphore(const blocking_semaphore&) = delete;
    blocking_semaphore& operator=(const blocking_semaphore&) = delete;

    ~blocking_semaphore()
    {
        ::sem_destroy(&semaphore_);
    }

    void acquire() noexcept
    {
        while (::sem_wait(&semaphore_) != 0)
        {
            // Interrupted by a signal.
        }
    }

    void release() noexcept
    {
        ::sem_post(&semaphore_);
    }

private:
    ::sem_t semaphore_;
};

// Taken at once or by blocking: there is nothing to wait for.
template <class Executor>
struct std_locks
{
    explicit std_locks(const Executor&)
    {
    }

    blocking_semaphore semaphore{permit_count};
    std::shared_mutex shared;

    static constexpr bool blocks = true;
};

constexpr std::size_t of_semaphore = 8;
constexpr std::size_t of_shared_mutex = 10;

template <class Engine, class Locks>
class use_permits
{
    using executor = typename Engine::executor_type;

public:
    use_permits(Engine& engine, const bench::setting& s)
        : engine_(engine), locks_(engine.executor()), tasks_(s.what.width % bench::by_callbacks),
          calls_back_(s.what.width > bench::by_callbacks), times_(s.operations / tasks_),
          shared_(tasks_ == of_shared_mutex), held_(s.what.variant)
    {
    }

    bench::outcome operator()()
    {
        count_ = 0;
        written_ = 0;
        intruded_ = false;
        auto result =
            calls_back_ ? run_callbacks()
                        : all_.run(engine_.executor(), tasks_, tasks_ * times_,
                              [this](std::size_t) { return shared_ ? read_and_write() : take(); });
        watched_ = false;
        if (count_ != tasks_ * times_ || (shared_ && written_ != tasks_ * ((times_ + 9) / 10)))
            return bench::failed("a section was not run, or a writer not alone");
        if (intruded_)
            return bench::failed("there were more inside than may be");
        return result;
    }

private:
    using nothing = boost::asio::awaitable<void, executor>;

    static constexpr bool blocks = requires
    {
        Locks::blocks;
    };

    nothing take()
    {
        for (std::uint64_t i = 0; i != times_; ++i)
        {
            if constexpr (blocks)
                locks_.semaphore.acquire();
            else
                co_await locks_.semaphore.acquire();
            enter_permitted();
            if (held_)
                co_await suspend();
            leave_permitted();
        }
        co_return;
    }

    nothing read_and_write()
    {
        for (std::uint64_t i = 0; i != times_; ++i)
        {
            const bool writes = is_writer(i);
            if constexpr (blocks)
                writes ? locks_.shared.lock() : locks_.shared.lock_shared();
            else if constexpr (requires { locks_.shared; })
            {
                if (writes)
                    co_await locks_.shared.async_lock();
                else
                    co_await locks_.shared.async_lock_shared();
            }
            else
                co_await locks_.exclusive.acquire();
            const std::uint64_t before = enter_shared();
            if (held_)
                co_await suspend();
            leave_shared(writes, before);
        }
        co_return;
    }

    friend class bench::chains<executor, use_permits>;

    bench::outcome run_callbacks()
    {
        if constexpr (blocks)
            return bench::failed("it calls nothing back");
        else
            return chains_.run(tasks_, times_, held_);
    }

    template <class Handler>
    void acquire(std::uint64_t i, Handler&& handler)
    {
        if (!shared_)
            locks_.semaphore.acquire(std::forward<Handler>(handler));
        else if constexpr (!requires { locks_.shared; })
            locks_.exclusive.acquire(std::forward<Handler>(handler));
        else if (is_writer(i))
            locks_.shared.async_lock(std::forward<Handler>(handler));
        else
            locks_.shared.async_lock_shared(std::forward<Handler>(handler));
    }

    std::uint64_t enter(std::uint64_t)
    {
        if (shared_)
            return enter_shared();
        enter_permitted();
        return 0;
    }

    void leave(std::uint64_t i, std::uint64_t before)
    {
        if (shared_)
            leave_shared(is_writer(i), before);
        else
            leave_permitted();
    }

    static bool is_writer(std::uint64_t i)
    {
        return i % 10 == 0;
    }

    void enter_permitted()
    {
        if (watched_ && inside_.fetch_add(1, std::memory_order_relaxed) >= permit_count)
            intruded_ = true;
        count_.fetch_add(1, std::memory_order_relaxed);
    }

    void leave_permitted()
    {
        if (watched_)
            inside_.fetch_sub(1, std::memory_order_relaxed);
        locks_.semaphore.release();
    }

    std::uint64_t enter_shared()
    {
        count_.fetch_add(1, std::memory_order_relaxed);
        return written_;
    }

    void leave_shared(bool writes, std::uint64_t before)
    {
        if (written_ != before)
            intruded_ = true;
        if (writes)
            written_ = before + 1;
        if constexpr (requires { locks_.shared; })
            writes ? locks_.shared.unlock() : locks_.shared.unlock_shared();
        else
            locks_.exclusive.release();
    }

    auto suspend()
    {
        return boost::asio::post(engine_.executor(), boost::asio::deferred);
    }

    Engine& engine_;
    Locks locks_;
    std::size_t tasks_;
    bool calls_back_;
    std::uint64_t times_;
    bool shared_;
    bool held_;
    std::atomic<std::uint64_t> count_{0};
    std::uint64_t volatile written_ = 0;
    // Only during the first iteration, which is not measured.
    bool watched_ = true;
    std::atomic<std::size_t> inside_{0};
    std::atomic<bool> intruded_{false};
    bench::tasks<executor> all_;
    bench::chains<executor, use_permits> chains_{engine_.executor(), *this};
};

int main(int argc, char** argv)
{
    using namespace bench;
    question asked{"permits", "acquire, add one, release",
        {{"semaphore_8_2", 100'000, 50'000, of_semaphore, false},
            {"rwlock_90_10", 100'000, 50'000, of_shared_mutex, false},
            {"semaphore_8_2, held", 75'000, 40'000, of_semaphore, true},
            {"rwlock_90_10, held", 75'000, 40'000, of_shared_mutex, true},
            {"semaphore_8_2, callbacks", 100'000, 50'000, by_callbacks + of_semaphore, false},
            {"rwlock_90_10, callbacks", 100'000, 50'000, by_callbacks + of_shared_mutex, false},
            {"semaphore_8_2, callbacks, held", 75'000, 40'000, by_callbacks + of_semaphore, true},
            {"rwlock_90_10, callbacks, held", 75'000, 40'000, by_callbacks + of_shared_mutex,
                true}}};
    asked.contended = true;
    asked.threads = {1, 2, 4, 8};
    asked.quick_threads = {1, 2};
    column floor = without_callbacks(lock_column<weft_engine, std_locks, use_permits>("std::"));
    floor.make = [make = floor.make](unsigned threads, const setting& s)
    {
        return s.what.variant ? nullptr : make(threads, s);
    };
    return run(argc, argv, asked,
        {lock_column<asio_engine, channels, use_permits>("channel/asio"),
            lock_column<weft_engine, weft_locks, use_permits>("weft/weft"),
            lock_column<asio_engine, weft_locks, use_permits>("weft/asio"),
            without_callbacks(lock_column<over_any_executor<asio_engine>, channels, use_permits>(
                "channel/asio any")),
            without_callbacks(lock_column<over_any_executor<weft_engine>, weft_locks, use_permits>(
                "weft/weft any")),
            std::move(floor)});
}
