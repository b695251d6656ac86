// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "stack_of_thread.hpp"

#include <weft/platform/visibility.hpp>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

#include <signal.h>
#include <ucontext.h>

#if defined(__has_include)
#if __has_include(<execinfo.h>)
#include <execinfo.h>
#define WEFT_HAS_BACKTRACE 1
#endif
#endif
#if !defined(WEFT_HAS_BACKTRACE)
#define WEFT_HAS_BACKTRACE 0
#endif

namespace weft
{
namespace detail
{

inline namespace WEFT_LOCAL
{

inline constexpr int most_frames = 64;

// Whom the answer belongs to, and who may write it:
//
//   free --ask--> the thread that is asked --its handler--> filling --> filled --> free
//
// The thread's own number is the word, so that a signal that comes late finds another request, or
// none, and leaves it alone.
inline constexpr std::uintptr_t free_word = 0;
inline constexpr std::uintptr_t filling = 1;
inline constexpr std::uintptr_t filled = 2;

struct answer_buffer
{
    std::atomic<std::uintptr_t> state{free_word};

    // Of the handler while it is filling; of who has asked when it is filled.
    void* frames[most_frames] = {};
    int count = 0;
    void* interrupted_at = nullptr;
};

// Constant-initialised, and never destroyed in any way that a late signal could notice.
WEFT_INLINE answer_buffer the_answer;

/// Whose turn it is to ask, in the whole process.
WEFT_INLINE std::mutex& turns()
{
    static std::mutex mutex;
    return mutex;
}

WEFT_INLINE std::uintptr_t word_of(pthread_t thread) noexcept
{
    // A number or a pointer.
    static_assert(sizeof(thread) <= sizeof(std::uintptr_t), "a thread has a word for a name");
    std::uintptr_t word = 0;
    std::memcpy(&word, &thread, sizeof(thread));
    return word;
}

WEFT_INLINE void* place_of([[maybe_unused]] void const* context) noexcept
{
#if defined(__x86_64__) && defined(REG_RIP)
    auto const* const c = static_cast<ucontext_t const*>(context);
    return reinterpret_cast<void*>(c->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
    auto const* const c = static_cast<ucontext_t const*>(context);
    return reinterpret_cast<void*>(c->uc_mcontext.pc);
#else
    return nullptr;
#endif
}

WEFT_INLINE int unwind([[maybe_unused]] void** frames, [[maybe_unused]] int most) noexcept
{
#if WEFT_HAS_BACKTRACE
    return ::backtrace(frames, most);
#else
    return 0;
#endif
}

} // namespace WEFT_LOCAL

extern "C" WEFT_INLINE void weft_answer_stack_request(int, siginfo_t*, void* context)
{
    int const error = errno;
    std::uintptr_t me = word_of(::pthread_self());
    if (the_answer.state.compare_exchange_strong(
            me, filling, std::memory_order_acquire, std::memory_order_relaxed))
    {
        the_answer.interrupted_at = place_of(context);
        the_answer.count = unwind(the_answer.frames, most_frames);
        the_answer.state.store(filled, std::memory_order_release);
    }
    errno = error;
}

WEFT_INLINE int default_stack_signal() noexcept
{
    return SIGRTMIN + 2;
}

WEFT_INLINE void answer_stack_requests(int signal)
{
    auto const refuse = [signal](char const* why)
    {
        throw std::invalid_argument("weft::watchdog: signal " + std::to_string(signal) + ' ' + why);
    };
    std::lock_guard<std::mutex> const lock(turns());
    struct sigaction now;
    if (::sigaction(signal, nullptr, &now) != 0)
        refuse("does not exist");
    if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == &weft_answer_stack_request)
        return;
    if ((now.sa_flags & SA_SIGINFO) != 0 || now.sa_handler != SIG_DFL)
        refuse("has a handler already");

    void* here[2];
    (void)unwind(here, 2);
    struct sigaction answering = {};
    answering.sa_sigaction = &weft_answer_stack_request;
    answering.sa_flags = SA_SIGINFO | SA_RESTART;
    ::sigemptyset(&answering.sa_mask);
    if (::sigaction(signal, &answering, nullptr) != 0)
        refuse("cannot have a handler");
}

WEFT_INLINE stack_request::stack_request() : turn_(turns())
{
}

WEFT_INLINE void stack_request::ask(pthread_t thread, int signal) noexcept
{
    std::uintptr_t const before = the_answer.state.load(std::memory_order_relaxed);
    // A handler that never returned: nobody can be asked any more.
    if (before == filling)
        return;
    the_answer.state.store(word_of(thread), std::memory_order_release);
    asked_ = ::pthread_kill(thread, signal) == 0;
    if (!asked_)
        the_answer.state.store(free_word, std::memory_order_relaxed);
}

WEFT_INLINE std::vector<void*> stack_request::answer(std::chrono::milliseconds patience)
{
    if (!asked_)
        return {};
    auto const give_up = std::chrono::steady_clock::now() + patience;
    std::uintptr_t state;
    while ((state = the_answer.state.load(std::memory_order_acquire)) != filled)
    {
        if (std::chrono::steady_clock::now() >= give_up)
        {
            if (state == filling || !the_answer.state.compare_exchange_strong(state, free_word))
                break;
            return {};
        }
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    // It is writing, or has just done so.
    for (int i = 0; i != 1000 && the_answer.state.load(std::memory_order_acquire) != filled; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (the_answer.state.load(std::memory_order_acquire) != filled)
        return {};

    std::vector<void*> found;
    int first = 0;
    // Above it are the handler of the signal and what has called that.
    for (int i = 0; i != the_answer.count; ++i)
        if (the_answer.frames[i] == the_answer.interrupted_at)
            first = i;
    for (int i = first; i < the_answer.count; ++i)
        found.push_back(the_answer.frames[i]);
    the_answer.state.store(free_word, std::memory_order_relaxed);
    return found;
}

} // namespace detail
} // namespace weft
