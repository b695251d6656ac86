// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_COROUTINE_AWAITABLE_FRAMES_HPP
#define WEFT_COROUTINE_AWAITABLE_FRAMES_HPP

// Memory for the frames of coroutines whose type names an executor of weft's:
// boost::asio::awaitable<T, weft::io_context::executor_type>.
//
// Asio keeps two free frames of up to 1 KiB per thread; all others go through the heap. With
// work-stealing the thread that frees a frame is often not the one that allocated it, and then two
// threads meet at the heap's locks for every coroutine (measured on two threads: three to five
// times the time for a tree of coroutines, bench/skynet.cpp and bench/fib.cpp). The recycler is
// made for that.
//
// The two functions of Asio's that allocate and free a frame are specialised for the executors that
// weft's contexts hand out, in the header that makes these complete: no program can have used the
// functions before. Frames of awaitable<T>, which is awaitable<T, any_io_executor>, stay as they
// are: they belong to those parts of a program as well that know nothing of weft.

#include <weft/config.hpp>

#if WEFT_HAS_FRAME_RECYCLING

#include <weft/platform/recycler.hpp>
#include <weft/reactor/insides.hpp>

#include <boost/asio/awaitable.hpp>

#include <cstddef>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

template <typename Frame>
using frame_allocation_of = decltype(Frame::operator new(std::size_t()));

template <typename Frame>
using frame_deallocation_of =
    decltype(Frame::operator delete(static_cast<void*>(nullptr), std::size_t()));

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

/// Outside all namespaces, before the first use of the type. executor.hpp undefines it.
#define WEFT_RECYCLE_AWAITABLE_FRAMES(...)                                                         \
    static_assert(weft::detail::finds<void*, weft::detail::frame_allocation_of,                    \
                      boost::asio::detail::awaitable_frame_base<__VA_ARGS__>> &&                   \
                      weft::detail::finds<void, weft::detail::frame_deallocation_of,               \
                          boost::asio::detail::awaitable_frame_base<__VA_ARGS__>>,                 \
        WEFT_ASIO_CHANGED("awaitable_frame_base::operator new(size_t) and "                        \
                          "operator delete(void*, size_t)"));                                      \
                                                                                                   \
    template <>                                                                                    \
    inline void* boost::asio::detail::awaitable_frame_base<__VA_ARGS__>::operator new(             \
        std::size_t size)                                                                          \
    {                                                                                              \
        return weft::detail::recycler_allocate(size);                                              \
    }                                                                                              \
                                                                                                   \
    template <>                                                                                    \
    inline void boost::asio::detail::awaitable_frame_base<__VA_ARGS__>::operator delete(           \
        void* frame, std::size_t size)                                                             \
    {                                                                                              \
        weft::detail::recycler_deallocate(frame, size);                                            \
    }

#else
#define WEFT_RECYCLE_AWAITABLE_FRAMES(...)
#endif

#endif // WEFT_COROUTINE_AWAITABLE_FRAMES_HPP
