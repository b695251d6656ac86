// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// How long after its deadline a drain returns that cannot come to an end, whatever keeps it from
// that.

#include "gates.hpp"

#include <weft/io_context.hpp>
#include <weft/mutex.hpp>
#include <weft/run_blocking.hpp>
#include <weft/thread_pool.hpp>

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/ip/udp.hpp>
#include <boost/asio/post.hpp>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>

namespace inside
{

namespace
{

constexpr auto limit = 60ms;

template <typename Context>
struct forever
{
    Context* context;

    void operator()() const
    {
        boost::asio::post(*context, *this);
    }
};

// What is left undone; the members that a case does not use are idle.
template <typename Context>
class work
{
public:
    explicit work(Context& c) : context_(c)
    {
        (void)mutex_.try_lock();
    }

    void handlers()
    {
        for (int i = 0; i != 8; ++i)
            boost::asio::post(context_, forever<Context>{&context_});
    }

    void lock()
    {
        mutex_.async_lock([](boost::system::error_code) {});
    }

    void timer()
    {
        timer_.expires_after(1h);
        timer_.async_wait([](boost::system::error_code) {});
    }

    void socket()
    {
        socket_.async_receive(
            boost::asio::buffer(buffer_), [](boost::system::error_code, std::size_t) {});
    }

    void long_handlers()
    {
        for (int i = 0; i != 1000; ++i)
            boost::asio::post(context_, [] { std::this_thread::sleep_for(2ms); });
    }

    void blocked()
    {
        boost::asio::post(
            context_, [] { weft::run_blocking([] { std::this_thread::sleep_for(4 * limit); }); });
    }

    void stuck()
    {
        boost::asio::post(context_, [] { std::this_thread::sleep_for(4 * limit); });
    }

private:
    Context& context_;
    weft::basic_mutex<typename Context::executor_type> mutex_{context_.get_executor()};
    boost::asio::basic_waitable_timer<std::chrono::steady_clock,
        boost::asio::wait_traits<std::chrono::steady_clock>, typename Context::executor_type>
        timer_{context_.get_executor()};
    boost::asio::ip::udp::socket socket_{
        context_, boost::asio::ip::udp::endpoint(boost::asio::ip::address_v4::loopback(), 0)};
    char buffer_[64] = {};
};

// An io_context is also run by another thread, so that one which is stuck is not the caller's.
class running
{
public:
    explicit running(weft::io_context& c) : thread_([&c] { c.run(); })
    {
        // It is inside.
        while (c.stats().total.parks == 0)
            std::this_thread::yield();
    }

    ~running()
    {
        thread_.join();
    }

private:
    std::thread thread_;
};

double late(clock::time_point deadline)
{
    return std::chrono::duration<double, std::milli>(clock::now() - deadline).count();
}

double drain_pool(void (work<weft::thread_pool>::*what)())
{
    weft::thread_pool pool(2);
    work<weft::thread_pool> w(pool);
    (w.*what)();
    // Those that block have begun.
    std::this_thread::sleep_for(5ms);
    const auto deadline = clock::now() + limit;
    if (pool.drain_until(deadline).complete)
        throw std::runtime_error("a drain has come to an end");
    return late(deadline);
}

double drain_context(void (work<weft::io_context>::*what)())
{
    weft::io_context context;
    work<weft::io_context> w(context);
    auto guard = boost::asio::make_work_guard(context);
    const running other(context);
    (w.*what)();
    std::this_thread::sleep_for(5ms);
    guard.reset();
    const auto deadline = clock::now() + limit;
    if (context.drain_until(deadline).complete)
        throw std::runtime_error("a drain has come to an end");
    return late(deadline);
}

struct cause
{
    const char* name;
    void (work<weft::thread_pool>::*in_pool)();
    void (work<weft::io_context>::*in_context)();
};

#define CAUSE(name, what)                                                                          \
    {                                                                                              \
        name, &work<weft::thread_pool>::what, &work<weft::io_context>::what                        \
    }

constexpr cause causes[] = {CAUSE("handlers that post others", handlers),
    CAUSE("a wait for a lock", lock), CAUSE("a timer", timer), CAUSE("a socket", socket),
    CAUSE("a thousand handlers of 2 ms", long_handlers),
    CAUSE("a thread inside run_blocking()", blocked), CAUSE("a handler that blocks", stuck)};

#undef CAUSE

} // namespace

gates drains(bool quick)
{
    gates result;
    for (const cause& c : causes)
    {
        std::vector<double> pool;
        std::vector<double> context;
        for (int i = 0; i != (quick ? 1 : 10); ++i)
        {
            pool.push_back(drain_pool(c.in_pool));
            context.push_back(drain_context(c.in_context));
        }
        result.push_back({std::string("drain: left is ") + c.name + ", the latest return",
            std::max(*std::max_element(pool.begin(), pool.end()),
                *std::max_element(context.begin(), context.end())),
            50, "ms",
            "after the deadline; median of a pool " + text_of(median(pool)) +
                ", of an io_context " + text_of(median(context)) + ", " +
                std::to_string(pool.size()) + " of each"});
    }
    return result;
}

} // namespace inside
