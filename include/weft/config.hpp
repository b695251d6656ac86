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
// it. They become part of an inline namespace's name: a program whose configuration is not the one
// that weft was compiled with fails to link, and the missing symbol's name says why.
#define WEFT_ABI_JOIN_IMPL(a, b) a##b
#define WEFT_ABI_JOIN(a, b) WEFT_ABI_JOIN_IMPL(a, b)

#if defined(BOOST_ASIO_ENABLE_HANDLER_TRACKING)
#define WEFT_ABI_TRACKING _with_handler_tracking
#else
#define WEFT_ABI_TRACKING _no_handler_tracking
#endif

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

// How many blocks of memory a thread keeps for each purpose. 2 is the default.
#if defined(BOOST_ASIO_DISABLE_SMALL_BLOCK_RECYCLING)
#define WEFT_ABI_CACHE _no_recycling
#elif BOOST_ASIO_RECYCLING_ALLOCATOR_CACHE_SIZE == 2
#define WEFT_ABI_CACHE
#else
#define WEFT_ABI_CACHE WEFT_ABI_JOIN(_cache_, BOOST_ASIO_RECYCLING_ALLOCATOR_CACHE_SIZE)
#endif

#if !defined(BOOST_ASIO_HAS_THREADS)
#error "weft needs threads: Boost.Asio is configured without (BOOST_ASIO_DISABLE_THREADS)"
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

#define WEFT_ABI_NAMESPACE                                                                         \
    WEFT_ABI_JOIN(WEFT_ABI_JOIN(asio_, BOOST_ASIO_VERSION),                                        \
        WEFT_ABI_JOIN(WEFT_ABI_BACKEND, WEFT_ABI_JOIN(WEFT_ABI_CACHE, WEFT_ABI_TRACKING)))

#endif // WEFT_CONFIG_HPP
