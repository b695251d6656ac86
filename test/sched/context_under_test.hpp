// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_SCHED_CONTEXT_UNDER_TEST_HPP
#define WEFT_TEST_SCHED_CONTEXT_UNDER_TEST_HPP

#include <weft/options.hpp>
#include <weft/reactor/driven_context.hpp>
#include <weft/reactor/post_op.hpp>
#include <weft/sched/context_scheduler.hpp>
#include <weft/sched/idle.hpp>

#include <memory>
#include <utility>

namespace test
{

/// A context that is nothing but its scheduler.
class context_under_test : public weft::detail::driven_context
{
public:
    explicit context_under_test(weft::options const& o = {})
        : driven_context(default_hint), scheduler_(weft::detail::context_scheduler::make(*this, o))
    {
    }

    ~context_under_test()
    {
        shutdown();
        scheduler_->destroy_queued();
        destroy();
        scheduler_->forget_driver();
        scheduler_->destroy_queued();
    }

    weft::detail::context_scheduler* operator->() const noexcept
    {
        return scheduler_.get();
    }

    weft::detail::context_scheduler& sched() const noexcept
    {
        return *scheduler_;
    }

    /// An operation that calls `f`.
    template <typename F>
    weft::detail::operation* operation(F f)
    {
        return weft::detail::post_op<F, std::allocator<void>>::create(
            *this, std::move(f), std::allocator<void>());
    }

private:
    weft::detail::context_scheduler::owner scheduler_;
};

} // namespace test

#endif // WEFT_TEST_SCHED_CONTEXT_UNDER_TEST_HPP
