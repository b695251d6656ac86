// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_WAIT_OPERATION_MEMORY_HPP
#define WEFT_WAIT_OPERATION_MEMORY_HPP

// Where an operation that waits is kept: in memory of its handler's allocator, or in the coroutine
// that awaits it.

#include <weft/config.hpp>
#include <weft/platform/recycling_allocator.hpp>

#include <boost/asio/associated_allocator.hpp>

#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

template <typename Handler>
using handler_allocator =
    typename boost::asio::associated_allocator<Handler, recycling_allocator<void>>::type;

template <typename Handler>
handler_allocator<Handler> get_handler_allocator(Handler const& handler)
{
    return boost::asio::get_associated_allocator(handler, recycling_allocator<void>());
}

/// Memory for an operation from its handler's allocator.
template <typename Handler>
class handler_memory
{
    template <typename T>
    using traits =
        typename std::allocator_traits<handler_allocator<Handler>>::template rebind_traits<T>;

public:
    explicit handler_memory(Handler const& handler) : allocator_(get_handler_allocator(handler))
    {
    }

    template <typename T>
    void* allocate()
    {
        typename traits<T>::allocator_type a(allocator_);
        return std::addressof(*traits<T>::allocate(a, 1));
    }

    template <typename T>
    void deallocate(T* p) noexcept
    {
        typename traits<T>::allocator_type a(allocator_);
        traits<T>::deallocate(a, p, 1);
    }

private:
    handler_allocator<Handler> allocator_;
};

/// Memory that is there as long as the handler is: in the coroutine that the handler resumes.
template <typename Handler>
class frame_memory
{
public:
    explicit frame_memory(Handler const&) noexcept
    {
    }

    template <typename T>
    void deallocate(T*) noexcept
    {
    }
};

/// Makes an operation in memory of its handler's allocator.
template <typename Op, typename H, typename... Args>
Op* allocate_op(H&& handler, Args&&... args)
{
    handler_memory<std::decay_t<H>> memory(handler);
    struct guard
    {
        handler_memory<std::decay_t<H>>& memory;
        Op* p;

        ~guard()
        {
            if (p)
                memory.deallocate(p);
        }
    } g{memory, static_cast<Op*>(memory.template allocate<Op>())};
    Op* const op =
        ::new (static_cast<void*>(g.p)) Op(std::forward<H>(handler), std::forward<Args>(args)...);
    g.p = nullptr;
    return op;
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_WAIT_OPERATION_MEMORY_HPP
