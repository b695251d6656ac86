// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// The columns: each is a context with its threads, already running when a workload sees it. A
// workload asks executor(i) where its i-th independent piece of work belongs, and leaves what that
// piece starts on the same executor. With one context that is always the same executor; with one
// context per thread it is the only balancing there is.

#ifndef BENCH_SUPPORT_COLUMNS_HPP
#define BENCH_SUPPORT_COLUMNS_HPP

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>

#include <weft.hpp>

#include <cstddef>
#include <latch>
#include <memory>
#include <thread>
#include <vector>

namespace bench
{

// Set once, before any context exists: construct contexts without a concurrency hint.
inline bool default_hint = false;

template <class Context>
std::unique_ptr<Context> make_context(unsigned threads)
{
    if (default_hint)
        return std::make_unique<Context>();
    return std::make_unique<Context>(static_cast<int>(threads));
}

// One context, run by all threads.
template <class Context>
class shared_context
{
public:
    using executor_type = typename Context::executor_type;

    explicit shared_context(unsigned threads)
        : count_(threads), context_(make_context<Context>(threads)),
          executor_(context_->get_executor()), guard_(executor_), started_(threads)
    {
        try
        {
            for (unsigned i = 0; i != threads; ++i)
            {
                threads_.emplace_back(
                    [this]
                    {
                        started_.count_down();
                        context_->run();
                    });
            }
        }
        catch (...)
        {
            finish();
            throw;
        }
        started_.wait();
    }

    ~shared_context()
    {
        finish();
    }

    // Runs what there is; then all threads have left.
    void finish()
    {
        guard_.reset();
        for (std::thread& t : threads_)
            t.join();
        threads_.clear();
    }

    const executor_type& executor(std::size_t = 0) const noexcept
    {
        return executor_;
    }

    unsigned threads() const noexcept
    {
        return count_;
    }

private:
    unsigned count_;
    std::unique_ptr<Context> context_;
    executor_type executor_;
    boost::asio::executor_work_guard<executor_type> guard_;
    std::latch started_;
    std::vector<std::thread> threads_;
};

// A pool with threads of its own.
template <class Pool>
class own_pool
{
public:
    using executor_type = typename Pool::executor_type;

    explicit own_pool(unsigned threads)
        : threads_(threads), pool_(threads), executor_(pool_.get_executor())
    {
    }

    ~own_pool()
    {
        finish();
    }

    void finish()
    {
        pool_.join();
    }

    const executor_type& executor(std::size_t = 0) const noexcept
    {
        return executor_;
    }

    unsigned threads() const noexcept
    {
        return threads_;
    }

private:
    unsigned threads_;
    Pool pool_;
    executor_type executor_;
};

// As many contexts as threads, one thread each.
template <class Context>
class context_per_thread
{
public:
    using executor_type = typename Context::executor_type;

    explicit context_per_thread(unsigned threads)
    {
        for (unsigned i = 0; i != threads; ++i)
            contexts_.push_back(std::make_unique<shared_context<Context>>(1));
    }

    ~context_per_thread()
    {
        finish();
    }

    // Together: any of them may be in the middle of a post to any other.
    void finish()
    {
        for (const auto& context : contexts_)
            context->finish();
    }

    const executor_type& executor(std::size_t i = 0) const noexcept
    {
        return contexts_[i % contexts_.size()]->executor();
    }

    unsigned threads() const noexcept
    {
        return static_cast<unsigned>(contexts_.size());
    }

private:
    std::vector<std::unique_ptr<shared_context<Context>>> contexts_;
};

// The first is what all others are compared with.
template <class Visitor>
void for_each_column(Visitor&& visit)
{
    visit.template operator()<shared_context<boost::asio::io_context>>("asio::io_context");
    visit.template operator()<shared_context<weft::io_context>>("weft::io_context");
    visit.template operator()<own_pool<boost::asio::thread_pool>>("asio::thread_pool");
    visit.template operator()<own_pool<weft::thread_pool>>("weft::thread_pool");
    visit.template operator()<context_per_thread<boost::asio::io_context>>("per_thread");
}

} // namespace bench

#endif
