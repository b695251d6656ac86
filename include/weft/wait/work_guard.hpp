// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_WAIT_WORK_GUARD_HPP
#define WEFT_WAIT_WORK_GUARD_HPP

// How an operation that waits keeps the contexts of its executors from running out of work.

#include <weft/config.hpp>
#include <weft/sched/scheduler.hpp>
#include <weft/wait/scheduler_of.hpp>

#include <boost/asio/execution.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/prefer.hpp>

#include <optional>
#include <type_traits>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// One piece of outstanding work of a scheduler; or none.
class scheduler_work_guard
{
public:
    scheduler_work_guard() noexcept = default;

    scheduler_work_guard(scheduler_work_guard&& other) noexcept
        : scheduler_(std::exchange(other.scheduler_, nullptr))
    {
    }

    scheduler_work_guard& operator=(scheduler_work_guard&&) = delete;

    ~scheduler_work_guard()
    {
        finish();
    }

    void finish() noexcept
    {
        if (scheduler* const s = std::exchange(scheduler_, nullptr))
            s->work_finished();
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
class foreign_work_guard
{
    using tracked_type = std::decay_t<decltype(boost::asio::prefer(
        std::declval<Executor const&>(), boost::asio::execution::outstanding_work.tracked))>;

public:
    explicit foreign_work_guard(Executor const& ex)
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
class foreign_work_guard<Executor, false>
{
public:
    explicit foreign_work_guard(Executor const& ex) : work_(ex)
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
class work_guard
{
public:
    work_guard() noexcept = default;

    work_guard(work_guard&& other) noexcept
        : own_(std::move(other.own_)), other_(std::move(other.other_))
    {
    }

    work_guard& operator=(work_guard&&) = delete;

    /// Once. `s` is scheduler_of(ex).
    void start(Executor const& ex, scheduler* s)
    {
        if (s)
            own_.start(s);
        else
            other_.emplace(ex);
    }

    void finish() noexcept
    {
        own_.finish();
        other_.reset();
    }

    /// What submits to the executor, which is not weft's, of work that has been started.
    auto get_executor() const
    {
        return other_->get_executor();
    }

private:
    scheduler_work_guard own_;
    std::optional<foreign_work_guard<Executor>> other_;
};

template <typename Executor>
class work_guard<Executor, true> : public scheduler_work_guard
{
public:
    void start(Executor const&, scheduler* s) noexcept
    {
        scheduler_work_guard::start(s);
    }
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_WAIT_WORK_GUARD_HPP
