// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: what does a lock cost that is held while its coroutine suspends (once, by a post)? By 1
// coroutine and by 10 and 64 that want the same lock: there each unlock hands it to one that waits.
// And by 10 chains of callbacks, which hold it while a post calls them back. Includes the post,
// which the row of one coroutine shows.

#include "support/chains.hpp"
#include "support/locks.hpp"

#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>

template <class Engine, class Lock>
class hold
{
    using executor = typename Engine::executor_type;

public:
    hold(Engine& engine, const bench::setting& s)
        : engine_(engine), count_(engine.executor()), tasks_(s.what.width % bench::by_callbacks),
          calls_back_(s.what.width > bench::by_callbacks), times_(s.operations / tasks_)
    {
    }

    bench::outcome operator()()
    {
        count_.value = 0;
        auto result = calls_back_ ? chains_.run(tasks_, times_, true)
                                  : all_.run(engine_.executor(), tasks_, tasks_ * times_,
                                        [this](std::size_t) { return work(); });
        return count_.value == tasks_ * times_ ? result : bench::failed("the lock did not exclude");
    }

private:
    boost::asio::awaitable<void, executor> work()
    {
        for (std::uint64_t i = 0; i != times_; ++i)
        {
            co_await count_.lock.acquire();
            const std::uint64_t before = count_.enter(i);
            co_await boost::asio::post(engine_.executor(), boost::asio::deferred);
            count_.leave(i, before);
        }
    }

    Engine& engine_;
    bench::locked_count<Lock> count_;
    std::size_t tasks_;
    bool calls_back_;
    std::uint64_t times_;
    bench::tasks<executor> all_;
    bench::chains<executor, bench::locked_count<Lock>> chains_{engine_.executor(), count_};
};

int main(int argc, char** argv)
{
    using namespace bench;
    question asked{"lock_held", "lock, post, unlock",
        {{"1 coroutine", 75'000, 40'000, 1}, {"10 coroutines", 150'000, 60'000, 10},
            {"64 coroutines", 75'000, 40'000, 64},
            {"10, callbacks", 75'000, 40'000, by_callbacks + 10}}};
    asked.contended = true;
    asked.threads = {1, 2, 4, 8};
    asked.quick_threads = {1, 2};
    return run(argc, argv, asked,
        {lock_column<asio_engine, channel_lock, hold>("channel/asio"),
            lock_column<weft_engine, weft_mutex, hold>("weft/weft"),
            lock_column<asio_engine, weft_mutex, hold>("weft/asio"),
            without_callbacks(lock_column<over_any_executor<asio_engine>, channel_lock, hold>(
                "channel/asio any")),
            without_callbacks(
                lock_column<over_any_executor<weft_engine>, weft_mutex, hold>("weft/weft any"))});
}
