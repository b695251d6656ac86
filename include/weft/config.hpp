// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_CONFIG_HPP
#define WEFT_CONFIG_HPP

// The macros that weft's code uses; all of them are private. Declarations that depend on Asio
// stand in an inline namespace WEFT_ABI_NAMESPACE, inside weft or inside weft::detail.

#include <boost/asio/detail/config.hpp>
#include <boost/asio/detail/thread_info_base.hpp>
#include <boost/asio/version.hpp>

// The parts of Asio's configuration that change the layout or the meaning of what weft shares with
// it, or how a context finds its services. They become part of an inline namespace's name: a
// program whose configuration is not the one that weft was compiled with fails to link, and the
// missing symbol's name says why. doc/abi.md lists all macros of Asio's, and why others are not
// here.
#define WEFT_ABI_JOIN_IMPL(a, b) a##b
#define WEFT_ABI_JOIN(a, b) WEFT_ABI_JOIN_IMPL(a, b)
#define WEFT_ABI_JOIN4(a, b, c, d) WEFT_ABI_JOIN(WEFT_ABI_JOIN(a, b), WEFT_ABI_JOIN(c, d))

#if defined(BOOST_ASIO_HAS_IO_URING_AS_DEFAULT)
#define WEFT_ABI_BACKEND _io_uring
#elif defined(BOOST_ASIO_HAS_IO_URING)
#define WEFT_ABI_BACKEND _epoll_and_io_uring
#elif defined(BOOST_ASIO_HAS_EPOLL)
#define WEFT_ABI_BACKEND _epoll
#elif defined(BOOST_ASIO_HAS_KQUEUE)
#define WEFT_ABI_BACKEND _kqueue
#else
#define WEFT_ABI_BACKEND _select
#endif

// What interrupts the reactor.
#if defined(__linux__) && !defined(BOOST_ASIO_HAS_EVENTFD)
#define WEFT_ABI_INTERRUPTER _no_eventfd
#else
#define WEFT_ABI_INTERRUPTER
#endif

// What its timers are.
#if defined(BOOST_ASIO_HAS_EPOLL) && !defined(BOOST_ASIO_HAS_TIMERFD)
#define WEFT_ABI_TIMERS _no_timerfd
#else
#define WEFT_ABI_TIMERS
#endif

// What the locks of its descriptors are (Boost 1.92 and newer).
#if !__has_include(<boost/asio/detail/slim_mutex.hpp>) || defined(BOOST_ASIO_HAS_FUTEX)
#define WEFT_ABI_LOCKS
#elif defined(BOOST_ASIO_HAS_STD_ATOMIC_WAIT)
#define WEFT_ABI_LOCKS _atomic_wait
#else
#define WEFT_ABI_LOCKS _no_futex
#endif

// How a context finds a service: by the name of its type, or by the address of its id. Without, for
// instance with -fno-rtti, it would not find the reactor of a library that was compiled with, nor
// the other way round: there would be two.
#if defined(BOOST_ASIO_NO_TYPEID)
#define WEFT_ABI_TYPEID _no_typeid
#else
#define WEFT_ABI_TYPEID _with_typeid
#endif

#if defined(BOOST_ASIO_CUSTOM_HANDLER_TRACKING)
#define WEFT_ABI_TRACKING _with_custom_handler_tracking
#elif defined(BOOST_ASIO_ENABLE_HANDLER_TRACKING)
#define WEFT_ABI_TRACKING _with_handler_tracking
#else
#define WEFT_ABI_TRACKING _no_handler_tracking
#endif

// How many blocks of memory a thread keeps for each purpose. 2 is the default.
#if defined(BOOST_ASIO_DISABLE_SMALL_BLOCK_RECYCLING)
#define WEFT_ABI_CACHE _no_recycling
#elif BOOST_ASIO_RECYCLING_ALLOCATOR_CACHE_SIZE == 2
#define WEFT_ABI_CACHE
#else
#define WEFT_ABI_CACHE WEFT_ABI_JOIN(_cache_, BOOST_ASIO_RECYCLING_ALLOCATOR_CACHE_SIZE)
#endif

// Where these blocks come from: one side allocates what the other frees.
#if defined(BOOST_ASIO_HAS_STD_ALIGNED_ALLOC)
#define WEFT_ABI_BLOCKS
#elif defined(BOOST_ASIO_HAS_BOOST_ALIGN)
#define WEFT_ABI_BLOCKS _boost_align
#else
#define WEFT_ABI_BLOCKS _no_aligned_alloc
#endif

// In what unit their sizes are kept (Boost 1.83 and older).
#if defined(BOOST_ASIO_DISABLE_ALIGNOF)
#define WEFT_ABI_ALIGNMENT _no_alignof
#else
#define WEFT_ABI_ALIGNMENT
#endif

// What the counters of Asio's objects are (Boost 1.83 and older).
#if defined(BOOST_ASIO_DISABLE_STD_ATOMIC)
#define WEFT_ABI_ATOMICS _no_std_atomic
#else
#define WEFT_ABI_ATOMICS
#endif

// Where a thread finds what Asio keeps for it.
#if defined(BOOST_ASIO_HAS_THREAD_KEYWORD_EXTENSION)
#define WEFT_ABI_THREADS
#else
#define WEFT_ABI_THREADS _no_thread_keyword
#endif

// The inline namespace that newer versions of Asio can be put into (Boost 1.92).
#if defined(BOOST_ASIO_VERSION_NAMESPACE)
#define WEFT_ABI_VERSION_NAMESPACE WEFT_ABI_JOIN(_, BOOST_ASIO_VERSION_NAMESPACE)
#else
#define WEFT_ABI_VERSION_NAMESPACE
#endif

#define WEFT_ABI_REACTOR                                                                           \
    WEFT_ABI_JOIN4(WEFT_ABI_BACKEND, WEFT_ABI_INTERRUPTER, WEFT_ABI_TIMERS, WEFT_ABI_LOCKS)
#define WEFT_ABI_MEMORY                                                                            \
    WEFT_ABI_JOIN(WEFT_ABI_CACHE, WEFT_ABI_JOIN(WEFT_ABI_BLOCKS, WEFT_ABI_ALIGNMENT))
#define WEFT_ABI_OTHERS                                                                            \
    WEFT_ABI_JOIN(WEFT_ABI_ATOMICS, WEFT_ABI_JOIN(WEFT_ABI_THREADS, WEFT_ABI_VERSION_NAMESPACE))

#define WEFT_ABI_NAMESPACE                                                                         \
    WEFT_ABI_JOIN4(WEFT_ABI_JOIN(asio_, BOOST_ASIO_VERSION), WEFT_ABI_REACTOR,                     \
        WEFT_ABI_JOIN(WEFT_ABI_TYPEID, WEFT_ABI_TRACKING),                                         \
        WEFT_ABI_JOIN(WEFT_ABI_MEMORY, WEFT_ABI_OTHERS))

#if !defined(BOOST_ASIO_HAS_THREADS)
#error "weft needs threads: Boost.Asio is configured without (BOOST_ASIO_DISABLE_THREADS)"
#endif

// Before, a wait in the io_uring that has a time limit may be over with that limit still in flight:
// the next wait takes it for its own, and what is awaited is missed.
#if defined(BOOST_ASIO_HAS_IO_URING_AS_DEFAULT) && BOOST_ASIO_VERSION < 102802 // Boost 1.83
#error "weft needs Boost 1.83 for io_uring as Boost.Asio's default backend: timed waits hang"
#endif

#if defined(BOOST_ASIO_NO_EXCEPTIONS)
#error "weft needs exceptions: this is compiled without (-fno-exceptions, BOOST_ASIO_NO_EXCEPTIONS)"
#endif

// What a thread of the library keeps for Asio would lack a member that the program's has.
#if defined(BOOST_ASIO_DISABLE_STD_EXCEPTION_PTR)
#error "weft needs std::exception_ptr: Asio is without (BOOST_ASIO_DISABLE_STD_EXCEPTION_PTR)"
#endif

#if defined(WEFT_DYN_LINK) && defined(BOOST_ASIO_DISABLE_VISIBILITY)
#error "weft as a shared library needs visible symbols of Asio (BOOST_ASIO_DISABLE_VISIBILITY)"
#endif

// Whether this Asio still calls handlers through the asio_handler_invoke hook.
#if BOOST_ASIO_VERSION < 102900 // Boost 1.84
#define WEFT_HAS_INVOKE_HOOK 1
#else
#define WEFT_HAS_INVOKE_HOOK 0
#endif

// Whether this Asio still has the bulk functions of an early executors proposal.
#if BOOST_ASIO_VERSION < 102900 && !defined(BOOST_ASIO_NO_DEPRECATED) // Boost 1.84
#define WEFT_HAS_BULK_EXECUTE 1
#else
#define WEFT_HAS_BULK_EXECUTE 0
#endif

// Whether contexts can be constructed with a service_maker, which is also how they are configured.
#if BOOST_ASIO_VERSION >= 103300 // Boost 1.87
#define WEFT_HAS_SERVICE_MAKER 1
#else
#define WEFT_HAS_SERVICE_MAKER 0
#endif

// Whether contexts can be constructed with an allocator.
#if BOOST_ASIO_VERSION >= 103500 // Boost 1.89
#define WEFT_HAS_CONTEXT_ALLOCATOR 1
#else
#define WEFT_HAS_CONTEXT_ALLOCATOR 0
#endif

// Whether Asio's queues of timers have an allocator.
#if BOOST_ASIO_VERSION >= 103500 // Boost 1.89
#define WEFT_HAS_TIMER_QUEUE_ALLOCATOR 1
#else
#define WEFT_HAS_TIMER_QUEUE_ALLOCATOR 0
#endif

// Whether it is not one_thread_ but assume_continuation_ by which a scheduler chooses its threads'
// private queues.
#if BOOST_ASIO_VERSION >= 103802 // Boost 1.92
#define WEFT_HAS_ASSUME_CONTINUATION 1
#else
#define WEFT_HAS_ASSUME_CONTINUATION 0
#endif

// What static assertions say that find Asio's insides changed.
#define WEFT_ASIO_CHANGED(expected)                                                                \
    "weft relies on insides of Boost.Asio that this version has changed: expected " expected       \
    ", as in BOOST_ASIO_VERSION 102600 (Boost 1.81) to 103802 (Boost 1.92)"

// Whether executors have the property inline_exception_handling.
#if BOOST_ASIO_VERSION >= 103700 // Boost 1.90
#define WEFT_HAS_INLINE_EXCEPTION_HANDLING 1
#else
#define WEFT_HAS_INLINE_EXCEPTION_HANDLING 0
#endif

// Whether what resumes a coroutine with an exception or one value compiles.
#if BOOST_ASIO_VERSION >= 102700 // Boost 1.82
#define WEFT_HAS_EXCEPTION_OR_VALUE 1
#else
#define WEFT_HAS_EXCEPTION_OR_VALUE 0
#endif

// Whether handlers have immediate executors.
#if BOOST_ASIO_VERSION >= 102700 // Boost 1.82
#define WEFT_HAS_IMMEDIATE_EXECUTOR 1
#else
#define WEFT_HAS_IMMEDIATE_EXECUTOR 0
#endif

// Whether as_tuple and redirect_error can adapt the default completion token.
#if BOOST_ASIO_VERSION >= 103100 // Boost 1.86
#define WEFT_HAS_PARTIAL_TOKENS 1
#else
#define WEFT_HAS_PARTIAL_TOKENS 0
#endif

// Whether awaiting an operation that can complete at once does not suspend the coroutine.
#if defined(BOOST_ASIO_HAS_CO_AWAIT) && !defined(WEFT_DISABLE_EARLY_COMPLETION)
#define WEFT_HAS_EARLY_COMPLETION 1
#else
#define WEFT_HAS_EARLY_COMPLETION 0
#endif

// Whether weft allocates the frames of coroutines. From Boost 1.90 on the header of coroutines
// brings the name boost::asio::throw_exception with it, and a program that has one of its own and
// `using namespace boost::asio` must not get that from a context's header: there the user asks for
// it, in the whole program.
#if defined(BOOST_ASIO_HAS_CO_AWAIT) && !defined(BOOST_ASIO_DISABLE_AWAITABLE_FRAME_RECYCLING) &&  \
    (BOOST_ASIO_VERSION < 103700 || defined(WEFT_ENABLE_FRAME_RECYCLING))
#define WEFT_HAS_FRAME_RECYCLING 1
#else
#define WEFT_HAS_FRAME_RECYCLING 0
#endif

#endif // WEFT_CONFIG_HPP
