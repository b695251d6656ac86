// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_PARITY_THREADS_HPP
#define WEFT_TEST_PARITY_THREADS_HPP

#include <boost/asio/detail/config.hpp>

#include <cstddef>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

namespace test
{

// Threads that are joined when the group goes out of scope, so that a failed assertion does not
// end in std::terminate.
class thread_group
{
public:
    thread_group() = default;
    thread_group(const thread_group&) = delete;
    thread_group& operator=(const thread_group&) = delete;

    thread_group(std::size_t count, const std::function<void()>& body)
    {
        for (std::size_t i = 0; i != count; ++i)
            add(body);
    }

    ~thread_group()
    {
        join();
    }

    template <class Function>
    void add(Function&& body)
    {
        threads_.emplace_back(std::forward<Function>(body));
    }

    void join()
    {
        for (std::thread& thread : threads_)
            if (thread.joinable())
                thread.join();
        threads_.clear();
    }

private:
    std::vector<std::thread> threads_;
};

// run() on this thread and on count - 1 others, until it returns on all of them.
template <class Context>
std::size_t run_on(Context& context, std::size_t count)
{
    thread_group others;
    std::vector<std::size_t> ran(count, 0);
    for (std::size_t i = 1; i < count; ++i)
        others.add([&, i] { ran[i] = context.run(); });
    ran[0] = context.run();
    others.join();
    std::size_t total = 0;
    for (std::size_t n : ran)
        total += n;
    return total;
}

// Whether it is so many handlers that run() returned. With io_uring as its backend Asio counts its
// own operations as well.
inline bool ran(std::size_t returned, std::size_t handlers)
{
#if defined(BOOST_ASIO_HAS_IO_URING_AS_DEFAULT)
    return returned >= handlers;
#else
    return returned == handlers;
#endif
}

} // namespace test

#endif
