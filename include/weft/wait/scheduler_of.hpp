// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_WAIT_SCHEDULER_OF_HPP
#define WEFT_WAIT_SCHEDULER_OF_HPP

// Which executors are weft's own, and which scheduler they submit to: an operation that waits is
// put into that scheduler's queues as it is, and goes to any other executor as a function object.
//
// The contexts themselves are not needed for that: who includes a primitive gets none of them.

#include <weft/config.hpp>
#include <weft/executor.hpp>
#include <weft/fwd.hpp>
#include <weft/platform/visibility.hpp>
#include <weft/sched/scheduler.hpp>

#include <boost/asio/execution.hpp>

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// Whether the type is one of weft's executors.
template <typename Executor>
struct is_own_executor : std::false_type
{
};

template <typename Context, typename Allocator, std::uintptr_t Bits>
struct is_own_executor<basic_executor<Context, Allocator, Bits>> : std::true_type
{
};

/// Whether the type is any_io_executor or its like, which may hold one of weft's executors.
template <typename Executor, typename = void>
struct is_erased_executor : std::false_type
{
};

template <typename Executor>
struct is_erased_executor<Executor,
    std::void_t<
        decltype(std::declval<Executor const&>()
                     .template target<basic_executor<io_context, std::allocator<void>, 0>>())>>
    : std::true_type
{
};

WEFT_DECL scheduler* scheduler_of_context(io_context& context) noexcept;
WEFT_DECL scheduler* scheduler_of_context(thread_pool& context) noexcept;

template <typename Context, std::uintptr_t Bits, typename Executor>
scheduler* scheduler_inside(Executor const& ex) noexcept
{
    auto const* const own =
        ex.template target<basic_executor<Context, std::allocator<void>, Bits>>();
    return own ? scheduler_of_context(own->query(boost::asio::execution::context)) : nullptr;
}

/// The scheduler that the executor submits to, also from inside any_io_executor and the like; null
/// if it is not one of weft's.
template <typename Executor>
scheduler* scheduler_of(Executor const& ex) noexcept
{
    if constexpr (is_own_executor<Executor>::value)
        return &context_access::get_scheduler(ex.query(boost::asio::execution::context));
    else if constexpr (is_erased_executor<Executor>::value)
    {
        // With outstanding_work.untracked, and with tracked.
        constexpr std::uintptr_t tracked = executor_bits::outstanding_work_tracked;
        if (scheduler* const s = scheduler_inside<io_context, 0>(ex))
            return s;
        if (scheduler* const s = scheduler_inside<thread_pool, 0>(ex))
            return s;
        if (scheduler* const s = scheduler_inside<io_context, tracked>(ex))
            return s;
        return scheduler_inside<thread_pool, tracked>(ex);
    }
    else
        return nullptr;
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_WAIT_SCHEDULER_OF_HPP
