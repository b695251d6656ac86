// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_IMPL_EXECUTOR_HOLD_HPP
#define WEFT_IMPL_EXECUTOR_HOLD_HPP

// Executors of operations that wait: which of them are weft's own, and how a context is kept from
// running out of work as long as an operation waits.

#include <weft/config.hpp>
#include <weft/executor.hpp>
#include <weft/io_context.hpp>
#include <weft/sched/scheduler.hpp>
#include <weft/thread_pool.hpp>

#include <boost/asio/execution.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/query.hpp>

#include <optional>
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

template <typename Executor, typename = void>
struct is_erased_executor : std::false_type
{
};

template <typename Executor>
struct is_erased_executor<Executor,
    std::void_t<
        decltype(std::declval<Executor const&>().template target<io_context::executor_type>())>>
    : std::true_type
{
};

template <typename Context, std::uintptr_t Bits, typename Executor>
scheduler* scheduler_inside(Executor const& ex) noexcept
{
    auto const* const own =
        ex.template target<basic_executor<Context, std::allocator<void>, Bits>>();
    return own ? &context_access::get_scheduler(own->query(boost::asio::execution::context))
               : nullptr;
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

/// The execution context of an executor.
template <typename Executor>
boost::asio::execution_context& context_of(Executor const& ex)
{
    return boost::asio::query(
        ex, boost::asio::execution::context_as<boost::asio::execution_context&>);
}

/// One piece of outstanding work of a scheduler; or none.
class scheduler_hold
{
public:
    scheduler_hold() noexcept = default;

    scheduler_hold(scheduler_hold&& other) noexcept
        : scheduler_(std::exchange(other.scheduler_, nullptr))
    {
    }

    scheduler_hold& operator=(scheduler_hold&&) = delete;

    ~scheduler_hold()
    {
        if (scheduler_)
            scheduler_->work_finished();
    }

    /// Once. Null: none.
    void start(scheduler* s) noexcept
    {
        scheduler_ = s;
        if (s)
            s->work_started();
    }

private:
    scheduler* scheduler_ = nullptr;
};

/// Outstanding work of an executor that is not weft's: a copy of it that counts as such.
template <typename Executor,
    bool HasProperties = boost::asio::execution::is_executor<Executor>::value>
class stranger_hold
{
    using tracked_type = std::decay_t<decltype(boost::asio::prefer(
        std::declval<Executor const&>(), boost::asio::execution::outstanding_work.tracked))>;

public:
    explicit stranger_hold(Executor const& ex)
        : executor_(boost::asio::prefer(ex, boost::asio::execution::outstanding_work.tracked))
    {
    }

    tracked_type get_executor() const
    {
        return executor_;
    }

private:
    tracked_type executor_;
};

/// The same where work is counted by calls, as the Networking TS had it. Not for every type that
/// has these calls: a strand of Asio's has them whatever it is made of.
template <typename Executor>
class stranger_hold<Executor, false>
{
public:
    explicit stranger_hold(Executor const& ex) : work_(ex)
    {
    }

    Executor get_executor() const
    {
        return work_.get_executor();
    }

private:
    boost::asio::executor_work_guard<Executor> work_;
};

/// Outstanding work of any executor; or none.
template <typename Executor, bool Own = is_own_executor<Executor>::value>
class executor_hold
{
public:
    executor_hold() noexcept = default;

    executor_hold(executor_hold&& other) noexcept
        : own_(std::move(other.own_)), other_(std::move(other.other_))
    {
    }

    executor_hold& operator=(executor_hold&&) = delete;

    /// Once. `s` is scheduler_of(ex).
    void start(Executor const& ex, scheduler* s)
    {
        if (s)
            own_.start(s);
        else
            other_.emplace(ex);
    }

    /// What submits to the executor, which is not weft's, of a hold that has been started.
    auto get_executor() const
    {
        return other_->get_executor();
    }

private:
    scheduler_hold own_;
    std::optional<stranger_hold<Executor>> other_;
};

template <typename Executor>
class executor_hold<Executor, true> : public scheduler_hold
{
public:
    void start(Executor const&, scheduler* s) noexcept
    {
        scheduler_hold::start(s);
    }
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_IMPL_EXECUTOR_HOLD_HPP
