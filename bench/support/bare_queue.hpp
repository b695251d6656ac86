// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A column that nothing can beat by much: a queue of one thread, without synchronisation inside.
// What a row of one sequential program costs there is the program, Asio's coroutines and handlers
// among it, and not its scheduler.

#ifndef BENCH_SUPPORT_BARE_QUEUE_HPP
#define BENCH_SUPPORT_BARE_QUEUE_HPP

#include "harness.hpp"

#include <boost/asio/detail/thread_context.hpp>
#include <boost/asio/detail/thread_info_base.hpp>
#include <boost/asio/execution.hpp>
#include <boost/asio/execution_context.hpp>

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace bench
{

class bare_queue : public boost::asio::execution_context, boost::asio::detail::thread_context
{
    // A handler in place.
    struct entry
    {
        static constexpr std::size_t room = 256 - sizeof(void*);

        void (*run)(void* memory);
        alignas(std::max_align_t) unsigned char memory[room];
    };

public:
    class executor_type
    {
    public:
        explicit executor_type(bare_queue& queue) noexcept : queue_(&queue)
        {
        }

        template <class F>
        void execute(F f) const
        {
            if (std::this_thread::get_id() == queue_->id_)
                queue_->push(std::move(f));
            else
                queue_->push_from_outside(std::move(f));
        }

        bare_queue& query(boost::asio::execution::context_t) const noexcept
        {
            return *queue_;
        }

        static constexpr auto query(boost::asio::execution::blocking_t) noexcept
        {
            return boost::asio::execution::blocking_t(boost::asio::execution::blocking.never);
        }

        executor_type require(boost::asio::execution::blocking_t::never_t) const noexcept
        {
            return *this;
        }

        bool operator==(const executor_type& other) const noexcept
        {
            return queue_ == other.queue_;
        }

        bool operator!=(const executor_type& other) const noexcept
        {
            return queue_ != other.queue_;
        }

    private:
        bare_queue* queue_;
    };

    explicit bare_queue(unsigned) : entries_(size), executor_(*this), thread_([this] { run(); })
    {
        std::unique_lock lock(mutex_);
        id_ = thread_.get_id();
        ready_ = true;
        changed_.notify_one();
    }

    ~bare_queue()
    {
        {
            std::unique_lock lock(mutex_);
            ends_ = true;
            changed_.notify_one();
        }
        thread_.join();
        shutdown();
        destroy();
    }

    const executor_type& executor(std::size_t = 0) const noexcept
    {
        return executor_;
    }

    unsigned threads() const noexcept
    {
        return 1;
    }

private:
    // More than a sequential program ever has in it.
    static constexpr std::size_t size = 64;

    template <class F>
    void push(F f)
    {
        static_assert(sizeof(F) <= entry::room && alignof(F) <= alignof(std::max_align_t));
        if (tail_ - head_ == size)
            throw std::length_error("the bare queue is for sequential programs");
        entry& e = entries_[tail_++ % size];
        ::new (static_cast<void*>(e.memory)) F(std::move(f));
        e.run = [](void* memory)
        {
            F& stored = *static_cast<F*>(memory);
            F here(std::move(stored));
            stored.~F();
            here();
        };
    }

    // While the thread sleeps: that is when a workload begins.
    template <class F>
    void push_from_outside(F f)
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return sleeps_; });
        push(std::move(f));
        changed_.notify_all();
    }

    void run()
    {
        boost::asio::detail::thread_info_base info;
        thread_call_stack::context inside(this, info);
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return ready_; });
        for (;;)
        {
            sleeps_ = true;
            changed_.notify_all();
            changed_.wait(lock, [this] { return ends_ || head_ != tail_; });
            sleeps_ = false;
            if (ends_)
                return;
            lock.unlock();
            while (head_ != tail_)
            {
                entry& e = entries_[head_ % size];
                e.run(e.memory);
                ++head_;
            }
            lock.lock();
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    bool ready_ = false;
    bool sleeps_ = false;
    bool ends_ = false;

    // The thread's; anybody's, under the lock, while it sleeps.
    std::vector<entry> entries_;
    std::size_t head_ = 0;
    std::size_t tail_ = 0;

    executor_type executor_;
    std::thread::id id_;
    std::thread thread_;
};

// The columns of a question and, where one thing follows the other, this one.
template <template <class> class Workload>
std::vector<column> columns_and_bare_queue()
{
    std::vector<column> columns = columns_of<Workload>();
    columns.push_back({"bare queue",
        [](unsigned threads, const setting& s) -> std::unique_ptr<experiment>
        {
            if (s.what.width != 1)
                return nullptr;
            return std::make_unique<experiment_on<bare_queue, Workload>>(threads, s);
        }});
    return columns;
}

} // namespace bench

#endif
