// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_IMPL_EXECUTOR_HPP
#define WEFT_IMPL_EXECUTOR_HPP

#include <weft/executor.hpp>
#include <weft/platform/latch.hpp>
#include <weft/reactor/post_op.hpp>
#include <weft/sched/scheduler.hpp>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

template <typename Context>
struct timers_of
{
    using type = scheduler;

    static scheduler& get(Context& context) noexcept
    {
        return context_access::get_scheduler(context);
    }
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail

inline namespace WEFT_ABI_NAMESPACE
{

template <typename Context, typename Allocator, std::uintptr_t Bits>
bool basic_executor<Context, Allocator, Bits>::running_in_this_thread() const noexcept
{
    return sched().running_in_this_thread();
}

template <typename Context, typename Allocator, std::uintptr_t Bits>
void basic_executor<Context, Allocator, Bits>::add_work() const noexcept
{
    sched().work_started();
}

template <typename Context, typename Allocator, std::uintptr_t Bits>
void basic_executor<Context, Allocator, Bits>::remove_work() const noexcept
{
    sched().work_finished();
}

template <typename Context, typename Allocator, std::uintptr_t Bits>
template <typename Function>
bool basic_executor<Context, Allocator, Bits>::call_in_place(Function& f) const
{
    if ((bits() & blocking_never) != 0 || !sched().enter_dispatch())
        return false;
    detail::invoke(f);
    return true;
}

template <typename Context, typename Allocator, std::uintptr_t Bits>
template <typename Function>
void basic_executor<Context, Allocator, Bits>::execute(Function&& f) const
{
    using function_type = std::decay_t<Function>;
    detail::scheduler& s = sched();
    if ((bits() & blocking_never) == 0 && s.enter_dispatch())
    {
        function_type function(std::forward<Function>(f));
        // The caller may be in the middle of an operation that an exception must not unwind.
        try
        {
            detail::invoke(function);
        }
        catch (...)
        {
            detail::scheduler::capture_current_exception(&s);
        }
        return;
    }
    if constexpr (always)
    {
        execute_and_wait(std::forward<Function>(f));
    }
    else
    {
        auto* const op = detail::post_op<function_type, Allocator>::create(
            *context_ptr(), std::forward<Function>(f), allocator());
        if ((bits() & relationship_continuation) != 0)
            s.submit_continuation(op);
        else
            s.submit(op);
    }
}

template <typename Context, typename Allocator, std::uintptr_t Bits>
template <typename Function>
void basic_executor<Context, Allocator, Bits>::execute_and_wait(Function&& f) const
{
    // The function stays on this stack, and is destroyed here.
    std::decay_t<Function> function(std::forward<Function>(f));
    detail::latch done;

    // Sets the latch when the function has been called, has thrown, or will not be called.
    struct call_and_set
    {
        std::decay_t<Function>* function;
        detail::latch* done;

        call_and_set(std::decay_t<Function>& g, detail::latch& d) noexcept : function(&g), done(&d)
        {
        }

        call_and_set(call_and_set&& other) noexcept
            : function(other.function), done(std::exchange(other.done, nullptr))
        {
        }

        ~call_and_set()
        {
            if (done)
                done->set();
        }

        void operator()()
        {
            detail::invoke(*function);
        }
    };

    sched().submit(detail::post_op<call_and_set, Allocator>::create(
        *context_ptr(), call_and_set(function, done), allocator()));
    done.wait();
}

#if WEFT_HAS_BULK_EXECUTE
template <typename Context, typename Allocator, std::uintptr_t Bits>
template <typename Function>
void basic_executor<Context, Allocator, Bits>::bulk_execute(Function&& f, std::size_t n) const
{
    for (std::size_t i = 0; i != n; ++i)
        execute([function = std::decay_t<Function>(f), i]() mutable { function(i); });
}
#endif

#if !defined(BOOST_ASIO_NO_TS_EXECUTORS)
template <typename Context, typename Allocator, std::uintptr_t Bits>
void basic_executor<Context, Allocator, Bits>::on_work_started() const noexcept
{
    add_work();
}

template <typename Context, typename Allocator, std::uintptr_t Bits>
void basic_executor<Context, Allocator, Bits>::on_work_finished() const noexcept
{
    remove_work();
}

template <typename Context, typename Allocator, std::uintptr_t Bits>
template <typename Function, typename OtherAllocator>
void basic_executor<Context, Allocator, Bits>::dispatch(Function&& f, OtherAllocator const& a) const
{
    if (sched().enter_dispatch())
    {
        std::decay_t<Function> function(std::forward<Function>(f));
        detail::invoke(function);
    }
    else
        post(std::forward<Function>(f), a);
}

template <typename Context, typename Allocator, std::uintptr_t Bits>
template <typename Function, typename OtherAllocator>
void basic_executor<Context, Allocator, Bits>::post(Function&& f, OtherAllocator const& a) const
{
    sched().submit(detail::post_op<std::decay_t<Function>, OtherAllocator>::create(
        *context_ptr(), std::forward<Function>(f), a));
}

template <typename Context, typename Allocator, std::uintptr_t Bits>
template <typename Function, typename OtherAllocator>
void basic_executor<Context, Allocator, Bits>::defer(Function&& f, OtherAllocator const& a) const
{
    sched().submit_continuation(detail::post_op<std::decay_t<Function>, OtherAllocator>::create(
        *context_ptr(), std::forward<Function>(f), a));
}
#endif

} // namespace WEFT_ABI_NAMESPACE
} // namespace weft

#endif // WEFT_IMPL_EXECUTOR_HPP
