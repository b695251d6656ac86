// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_PLATFORM_STACK_OF_THREAD_HPP
#define WEFT_SRC_PLATFORM_STACK_OF_THREAD_HPP

// The stack of another thread while that runs: a signal interrupts it, and the handler of the
// signal writes the return addresses into memory that is there already. One thread is asked at a
// time, in the whole process.

#include <chrono>
#include <mutex>
#include <vector>

#include <pthread.h>

namespace weft
{
namespace detail
{

/// The signal that is used unless another one is asked for.
int default_stack_signal() noexcept;

/// Has `signal` answered with stacks, from now on and for good: one that is on its way when nobody
/// wants to know any more must not end the process. Loads the unwinder, which must not be loaded in
/// a handler of a signal. Throws std::invalid_argument if the signal has a handler already, or
/// cannot have one.
void answer_stack_requests(int signal);

/// A request for the stack of one thread; while it is there, no other is made.
class stack_request
{
public:
    stack_request();
    stack_request(stack_request const&) = delete;
    stack_request& operator=(stack_request const&) = delete;

    /// Asks `thread`, which is there, by a signal that is answered. Once.
    void ask(pthread_t thread, int signal) noexcept;

    /// The addresses, innermost first: where the thread was, and where each function returns to.
    /// Empty if the thread has not answered within `patience`, because it blocks the signal, or if
    /// this platform has no unwinder. After ask(). Throws std::bad_alloc.
    std::vector<void*> answer(std::chrono::milliseconds patience);

private:
    std::unique_lock<std::mutex> turn_;
    bool asked_ = false;
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_PLATFORM_STACK_OF_THREAD_HPP
