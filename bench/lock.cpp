// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: what does it cost a coroutine to take a lock, add one, and give it back? By one
// coroutine, by 10 and by 64 that want the same lock; without waiting, `try_lock`; and by 10 chains
// of callbacks. A coroutine that finds weft's lock free goes on at once, one that finds room in
// Asio's channel is posted; a callback is never called at once by either. std::mutex, which blocks
// the thread, and the strand, on which the section is a handler, are there for scale. Does not
// show: sections that suspend (lock_held). Contended rows are bimodal: as soon as one coroutine has
// to wait, the lock is handed over every time.

#include "support/chains.hpp"
#include "support/locks.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>

#include <mutex>
#include <utility>

template <class Executor>
class std_mutex
{
public:
    explicit std_mutex(const Executor&)
    {
    }

    void block()
    {
        mutex_.lock();
    }

    bool try_acquire()
    {
        return mutex_.try_lock();
    }

    void release()
    {
        mutex_.unlock();
    }

private:
    std::mutex mutex_;
};

template <class Engine, class Lock>
class add_one
{
    using executor = typename Engine::executor_type;

public:
    add_one(Engine& engine, const bench::setting& s)
        : engine_(engine), count_(engine.executor()), tasks_(s.what.width % bench::by_callbacks),
          calls_back_(s.what.width > bench::by_callbacks), tries_(s.what.variant),
          times_(s.operations / tasks_)
    {
    }

    bench::outcome operator()()
    {
        count_.value = 0;
        auto result = calls_back_ ? run_callbacks()
                                  : all_.run(engine_.executor(), tasks_, tasks_ * times_,
                                        [this](std::size_t) { return work(); });
        return count_.value == tasks_ * times_ ? result : bench::failed("the lock did not exclude");
    }

private:
    boost::asio::awaitable<void, executor> work()
    {
        if (tries_)
            try_only();
        for (std::uint64_t i = tries_ ? times_ : 0; i != times_; ++i)
        {
            if constexpr (requires { count_.lock.block(); })
                count_.lock.block();
            else
                co_await count_.lock.acquire();
            count_.leave(i, count_.enter(i));
        }
        co_return;
    }

    void try_only()
    {
        for (std::uint64_t i = 0; i != times_;)
        {
            if (count_.lock.try_acquire())
            {
                count_.leave(i, count_.enter(i));
                ++i;
            }
        }
    }

    bench::outcome run_callbacks()
    {
        if constexpr (requires { count_.lock.block(); })
            return bench::failed("it calls nothing back");
        else
            return chains_.run(tasks_, times_);
    }

    Engine& engine_;
    bench::locked_count<Lock> count_;
    std::size_t tasks_;
    bool calls_back_;
    bool tries_;
    std::uint64_t times_;
    bench::tasks<executor> all_;
    bench::chains<executor, bench::locked_count<Lock>> chains_{engine_.executor(), count_};
};

// Sections as handlers of one strand, each of which posts the next of its task.
template <class Engine, class>
class add_one_on_strand
{
    using executor = typename Engine::executor_type;

public:
    add_one_on_strand(Engine& engine, const bench::setting& s)
        : strand_(boost::asio::make_strand(engine.executor())),
          tasks_(s.what.width % bench::by_callbacks), times_(s.operations / tasks_)
    {
    }

    bench::outcome operator()()
    {
        count_ = 0;
        done_.expect(static_cast<int>(tasks_));
        const auto start = bench::clock::now();
        for (std::size_t i = 0; i != tasks_; ++i)
            boost::asio::post(strand_, section{this, times_});
        const bool right = done_.wait();
        const auto elapsed = bench::clock::now() - start;
        if (!right || count_ != tasks_ * times_)
            return bench::failed("the strand did not exclude");
        return {tasks_ * times_, elapsed};
    }

private:
    struct section
    {
        add_one_on_strand* self;
        std::uint64_t left;

        void operator()()
        {
            self->count_ = self->count_ + 1;
            if (--left == 0)
                self->done_.arrive();
            else
                boost::asio::post(self->strand_, *this);
        }
    };

    boost::asio::strand<executor> strand_;
    std::size_t tasks_;
    std::uint64_t times_;
    std::uint64_t volatile count_ = 0;
    bench::countdown done_;
};

template <class Executor>
struct nothing
{
};

int main(int argc, char** argv)
{
    using namespace bench;
    question asked{"lock", "lock, add one, unlock",
        {{"try_lock", 300'000, 100'000, 1, true}, {"lock_uncontended", 300'000, 100'000, 1},
            {"lock_10", 200'000, 100'000, 10}, {"lock_64", 200'000, 100'000, 64},
            {"lock_10, callbacks", 200'000, 100'000, by_callbacks + 10}}};
    asked.contended = true;
    asked.threads = {1, 2, 4, 8};
    asked.quick_threads = {1, 2};
    column strand = lock_column<asio_engine, nothing, add_one_on_strand>("strand/asio");
    // It has nothing that is tried.
    strand.make = [make = strand.make](unsigned threads, const setting& s)
    {
        return s.what.variant ? nullptr : make(threads, s);
    };
    return run(argc, argv, asked,
        {lock_column<asio_engine, channel_lock, add_one>("channel/asio"),
            lock_column<weft_engine, weft_mutex, add_one>("weft/weft"),
            lock_column<asio_engine, weft_mutex, add_one>("weft/asio"),
            lock_column<over_any_executor<asio_engine>, channel_lock, add_one>("channel/asio any"),
            lock_column<over_any_executor<weft_engine>, weft_mutex, add_one>("weft/weft any"),
            std::move(strand),
            without_callbacks(lock_column<weft_engine, std_mutex, add_one>("std::mutex"))});
}
