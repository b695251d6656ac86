// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: what do Volt's own benchmarks give here? The definitions of its suite (4 workers, its
// numbers of operations, the median of 10 iterations), so that what it publishes can stand beside:
// the first rows on the calling thread alone, without anybody waiting; then tasks that contend.
// Where Volt's semaphore tries before it waits, so do ours. Asio's stand-in for all of them is its
// concurrent channel; that has no readers, and no answer to the rows of the read-write lock.
// Does not show: long runs (see lock, permits, channel_mpmc): 10,000 operations are over before
// four threads have woken. Volt's figures are from another machine.

#include "support/channels.hpp"
#include "support/locks.hpp"
#include "support/spawn.hpp"

namespace
{

enum volt_row : std::size_t
{
    mutex,
    read_lock,
    write_lock,
    semaphore,
    channel_send,
    channel_receive,
    channel_round_trip,
    mutex_contended,
    shared_mutex_contended,
    semaphore_contended,
    spawn_and_await,
    batches,
    // The channel's capacity as well.
    channel_contended = 1024
};

using experiment = std::unique_ptr<bench::experiment>;

template <class Function>
class on_calling_thread final : public bench::experiment
{
public:
    on_calling_thread(std::uint64_t times, Function f) : times_(times), function_(std::move(f))
    {
    }

    bench::outcome iterate() override
    {
        const auto start = bench::clock::now();
        const bool right = function_(times_);
        const auto elapsed = bench::clock::now() - start;
        return right ? bench::outcome{times_, elapsed} : bench::failed("an operation failed");
    }

private:
    std::uint64_t times_;
    Function function_;
};

template <class Function>
experiment calling(std::uint64_t times, Function f)
{
    return std::make_unique<on_calling_thread<Function>>(times, std::move(f));
}

// Takes and gives back without waiting; anything but success is an error.
template <class Lock>
auto take_and_give(Lock lock)
{
    return [lock = std::move(lock)](std::uint64_t times)
    {
        std::uint64_t taken = 0;
        for (std::uint64_t i = 0; i != times; ++i)
        {
            taken += lock->try_acquire() ? 1 : 0;
            lock->release();
        }
        return taken == times;
    };
}

template <class Executor>
struct as_reader
{
    explicit as_reader(const Executor& e) : mutex(e)
    {
    }

    weft::basic_shared_mutex<Executor> mutex;

    bool try_acquire()
    {
        return mutex.try_lock_shared();
    }

    void release()
    {
        mutex.unlock_shared();
    }
};

template <class Executor>
struct as_writer
{
    explicit as_writer(const Executor& e) : mutex(e)
    {
    }

    weft::basic_shared_mutex<Executor> mutex;

    bool try_acquire()
    {
        return mutex.try_lock();
    }

    void release()
    {
        mutex.unlock();
    }
};

template <class Executor>
bool try_send(weft::basic_channel<Executor, bench::channel_signature>& c, std::uint64_t n)
{
    return c.try_send(n);
}

template <class Channel>
bool try_send(Channel& c, std::uint64_t n)
{
    return c.try_send(boost::system::error_code(), n);
}

template <class Channel>
std::uint64_t try_receive(Channel& c)
{
    std::uint64_t value = 0;
    c.try_receive([&](boost::system::error_code, std::uint64_t n) { value = n; });
    return value;
}

// Tasks that take, add one and give back; several at once if there are permits.
template <class Engine, class Lock, class... Permits>
class contended final : public bench::experiment
{
    using executor = typename Engine::executor_type;

public:
    contended(unsigned threads, const bench::setting& s, std::size_t tasks, bool tries,
        Permits... permits)
        : engine_(threads), lock_(engine_.executor(), permits...), tasks_(tasks),
          times_(s.operations / tasks), tries_(tries)
    {
    }

    bench::outcome iterate() override
    {
        count_ = 0;
        alone_ = 0;
        const auto result = all_.run(
            engine_.executor(), tasks_, tasks_ * times_, [this](std::size_t i) { return work(i); });
        const bool right = count_ + alone_ == tasks_ * times_;
        return right ? result : bench::failed("a section was lost, or not alone");
    }

private:
    boost::asio::awaitable<void, executor> work(std::size_t task)
    {
        for (std::uint64_t i = 0; i != times_; ++i)
        {
            if constexpr (requires { lock_.acquire_as(task); })
                co_await lock_.acquire_as(task);
            else if (!tries_ || !lock_.try_acquire())
                co_await lock_.acquire();
            if (lock_alone(task))
                alone_ = alone_ + 1;
            else
                count_.fetch_add(1, std::memory_order_relaxed);
            if constexpr (requires { lock_.release_as(task); })
                lock_.release_as(task);
            else
                lock_.release();
        }
    }

    // Whether nobody else may be inside: then a plain number is added to, and says if somebody was.
    static constexpr bool lock_alone([[maybe_unused]] std::size_t task)
    {
        if constexpr (sizeof...(Permits) != 0)
            return false;
        else if constexpr (requires { Lock::is_writer(task); })
            return Lock::is_writer(task);
        else
            return true;
    }

    Engine engine_;
    Lock lock_;
    std::size_t tasks_;
    std::uint64_t times_;
    bool tries_;
    std::atomic<std::uint64_t> count_{0};
    std::uint64_t volatile alone_ = 0;
    bench::tasks<executor> all_;
};

// Four readers and two writers.
template <class Executor>
class four_and_two
{
public:
    explicit four_and_two(const Executor& e) : mutex_(e)
    {
    }

    boost::asio::awaitable<void, Executor> acquire_as(std::size_t task)
    {
        if (task < 4)
            co_await mutex_.async_lock_shared();
        else
            co_await mutex_.async_lock();
    }

    static constexpr bool is_writer(std::size_t task)
    {
        return task >= 4;
    }

    void release_as(std::size_t task)
    {
        task < 4 ? mutex_.unlock_shared() : mutex_.unlock();
    }

private:
    weft::basic_shared_mutex<Executor> mutex_;
};

template <class Engine>
class spawning final : public bench::experiment
{
public:
    spawning(unsigned threads, const bench::setting& s, std::uint64_t size)
        : engine_(threads), times_(s.operations), size_(size)
    {
    }

    bench::outcome iterate() override
    {
        const auto& executor = engine_.executor();
        std::uint64_t sum = 0;
        done_.expect(1);
        const auto start = bench::clock::now();
        if (size_ == 0)
            boost::asio::co_spawn(executor, bench::spawn_often(executor, times_, &sum, &done_),
                boost::asio::detached);
        else
            boost::asio::co_spawn(executor,
                bench::spawn_batches(executor, times_ / size_, size_, &sum, &done_),
                boost::asio::detached);
        const bool once = done_.wait();
        const auto elapsed = bench::clock::now() - start;
        const std::uint64_t expected =
            size_ == 0 ? times_ * (times_ - 1) / 2 : times_ / size_ * (size_ * (size_ - 1) / 2);
        return once && sum == expected ? bench::outcome{times_, elapsed}
                                       : bench::failed("the awaited results do not sum up");
    }

private:
    Engine engine_;
    std::uint64_t times_;
    std::uint64_t size_;
    bench::countdown done_;
};

template <class Context, class Channel>
experiment channel_row(volt_row row, unsigned threads, const bench::setting& s)
{
    const std::uint64_t times = s.operations;
    // Outlives the channel, which refers to it.
    const auto context = std::make_shared<Context>();
    const auto make = [&](std::size_t capacity)
    {
        return std::shared_ptr<Channel>(
            new Channel(context->get_executor(), capacity), [context](Channel* c) { delete c; });
    };
    if (row == channel_contended)
        return std::make_unique<bench::channel_transfer<Context, Channel, 4>>(threads, s);
    if (row == channel_round_trip)
    {
        return calling(times,
            [c = make(1)](std::uint64_t n)
            {
                std::uint64_t right = 0;
                for (std::uint64_t i = 1; i <= n; ++i)
                    right += try_send(*c, i) && try_receive(*c) == i ? 1 : 0;
                return right == n;
            });
    }

    // Filling is measured, or emptying; the other is not.
    class one_way final : public bench::experiment
    {
    public:
        one_way(std::shared_ptr<Channel> c, std::uint64_t times, bool sends)
            : channel_(std::move(c)), times_(times), sends_(sends)
        {
        }

        bench::outcome iterate() override
        {
            const auto start = bench::clock::now();
            std::uint64_t sent = 0;
            for (std::uint64_t i = 1; i <= times_; ++i)
                sent += try_send(*channel_, i) ? 1 : 0;
            const auto full = bench::clock::now();
            std::uint64_t sum = 0;
            for (std::uint64_t i = 1; i <= times_; ++i)
                sum += try_receive(*channel_);
            const auto end = bench::clock::now();
            if (sent != times_ || sum != times_ * (times_ + 1) / 2)
                return bench::failed("what was received is not what was sent");
            return {times_, sends_ ? full - start : end - full};
        }

    private:
        std::shared_ptr<Channel> channel_;
        std::uint64_t times_;
        bool sends_;
    };
    return std::make_unique<one_way>(make(times), times, row == channel_send);
}

template <class Context, class Lock, class... Args>
experiment lock_row(std::uint64_t times, Args... args)
{
    const auto context = std::make_shared<Context>();
    const std::shared_ptr<Lock> lock(
        new Lock(context->get_executor(), args...), [context](Lock* l) { delete l; });
    return calling(times, take_and_give(lock));
}

experiment with_weft(unsigned threads, const bench::setting& s)
{
    using executor = weft::io_context::executor_type;
    using engine = bench::weft_engine;
    switch (const auto row = static_cast<volt_row>(s.what.width))
    {
    case mutex:
        return lock_row<weft::io_context, bench::weft_mutex<executor>>(s.operations);
    case read_lock:
        return lock_row<weft::io_context, as_reader<executor>>(s.operations);
    case write_lock:
        return lock_row<weft::io_context, as_writer<executor>>(s.operations);
    case semaphore:
        return lock_row<weft::io_context, bench::weft_semaphore<executor>>(
            s.operations, std::size_t{10});
    case mutex_contended:
        return std::make_unique<contended<engine, bench::weft_mutex<executor>>>(
            threads, s, 4u, false);
    case shared_mutex_contended:
        return std::make_unique<contended<engine, four_and_two<executor>>>(threads, s, 6u, false);
    case semaphore_contended:
        return std::make_unique<contended<engine, bench::weft_semaphore<executor>, std::size_t>>(
            threads, s, 8u, true, std::size_t{2});
    case spawn_and_await:
        return std::make_unique<spawning<engine>>(threads, s, 0u);
    case batches:
        return std::make_unique<spawning<engine>>(threads, s, 100u);
    default:
        return channel_row<weft::io_context,
            weft::basic_channel<executor, bench::channel_signature>>(row, threads, s);
    }
}

experiment with_asio(unsigned threads, const bench::setting& s)
{
    using context = boost::asio::io_context;
    using executor = context::executor_type;
    using engine = bench::asio_engine;
    using lock = bench::channel_lock<executor>;
    switch (const auto row = static_cast<volt_row>(s.what.width))
    {
    case mutex:
        return lock_row<context, lock>(s.operations);
    case read_lock:
    case write_lock:
    case shared_mutex_contended:
        return nullptr;
    case semaphore:
        return lock_row<context, lock>(s.operations, std::size_t{10});
    case mutex_contended:
        return std::make_unique<contended<engine, lock>>(threads, s, 4u, false);
    case semaphore_contended:
        return std::make_unique<contended<engine, lock, std::size_t>>(
            threads, s, 8u, true, std::size_t{2});
    case spawn_and_await:
        return std::make_unique<spawning<engine>>(threads, s, 0u);
    case batches:
        return std::make_unique<spawning<engine>>(threads, s, 100u);
    default:
        return channel_row<context,
            boost::asio::experimental::concurrent_channel<executor, bench::channel_signature>>(
            row, threads, s);
    }
}

} // namespace

int main(int argc, char** argv)
{
    constexpr std::uint64_t million = 1'000'000;
    constexpr std::uint64_t many = 100'000;
    constexpr std::uint64_t few = 10'000;
    bench::question asked{"volt", "one operation of Volt's suite",
        {{"mutex", million, million, mutex}, {"rwlock read", million, million, read_lock},
            {"rwlock write", million, million, write_lock},
            {"semaphore", million, million, semaphore}, {"channel send", many, many, channel_send},
            {"channel recv", many, many, channel_receive},
            {"channel roundtrip", many, many, channel_round_trip},
            {"mutex contended", few, few, mutex_contended},
            {"rwlock contended", few, few, shared_mutex_contended},
            {"semaphore contended", few, few, semaphore_contended},
            {"channel MPMC", few, few, channel_contended},
            {"spawn+await", few, few, spawn_and_await}, {"spawn batch", few, few, batches}}};
    asked.threads = {4};
    asked.quick_threads = {4};
    asked.iterations = 10;
    return bench::run(argc, argv, asked, {{"asio", with_asio}, {"weft", with_weft}});
}
