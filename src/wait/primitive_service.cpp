// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/wait/primitive.hpp>

#include "../trace/event.hpp"

#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

WEFT_INLINE boost::asio::execution_context::id primitive_service::id;

WEFT_INLINE primitive_service::primitive_service(boost::asio::execution_context& context)
    : boost::asio::execution_context::service(context)
{
}

WEFT_INLINE primitive_service::~primitive_service() = default;

WEFT_INLINE void primitive_service::add(primitive_base& p) noexcept
{
    mutex_.lock();
    p.next_ = first_;
    p.prev_ = nullptr;
    if (first_)
        first_->prev_ = &p;
    first_ = &p;
    mutex_.unlock();
}

WEFT_INLINE void primitive_service::remove(primitive_base& p) noexcept
{
    // The lock is the caller's.
    (p.prev_ ? p.prev_->next_ : first_) = p.next_;
    if (p.next_)
        p.next_->prev_ = p.prev_;
    p.service_ = nullptr;
}

/// Destroys what waits without running it. What the handlers own goes with them, and may be
/// primitives.
WEFT_INLINE void primitive_service::shutdown()
{
    for (;;)
    {
        primitive_base::operations abandoned;
        mutex_.lock();
        primitive_base* const p = first_;
        if (p)
        {
            remove(*p);
            p->abandon(abandoned);
        }
        mutex_.unlock();
        if (!p)
            return;
        while (operation* const op = abandoned.pop())
            op->destroy();
    }
}

WEFT_INLINE std::size_t primitive_service::waiting_in(boost::asio::execution_context& context)
{
    // Who has never had a primitive gets no service.
    if (!boost::asio::has_service<primitive_service>(context))
        return 0;
    auto& service = boost::asio::use_service<primitive_service>(context);
    std::lock_guard<adaptive_mutex> const lock(service.mutex_);
    std::size_t count = 0;
    for (primitive_base const* p = service.first_; p; p = p->next_)
        count += p->look().waiting;
    return count;
}

WEFT_INLINE std::vector<primitive_stats> primitive_service::look_at_all(
    boost::asio::execution_context& context)
{
    std::vector<primitive_stats> found;
    if (!boost::asio::has_service<primitive_service>(context))
        return found;
    auto& service = boost::asio::use_service<primitive_service>(context);
    std::lock_guard<adaptive_mutex> const lock(service.mutex_);
    for (primitive_base const* p = service.first_; p; p = p->next_)
    {
        found.push_back(p->look());
        found.back().name = p->name_;
    }
    return found;
}

WEFT_INLINE std::vector<primitive_view> primitive_service::look_at_waiters(
    boost::asio::execution_context& context)
{
    std::vector<primitive_view> found;
    if (!boost::asio::has_service<primitive_service>(context))
        return found;
    auto& service = boost::asio::use_service<primitive_service>(context);
    std::lock_guard<adaptive_mutex> const lock(service.mutex_);
    for (primitive_base* p = service.first_; p; p = p->next_)
    {
        primitive_stats stats = p->look();
        if (stats.waiting == 0)
            continue;
        stats.name = p->name_;
        waiters_view waiters;
        p->show_waiters(waiters);
        found.push_back({std::move(stats), {waiters.one, waiters.one + waiters.shown}});
    }
    return found;
}

WEFT_INLINE void primitive_base::set_name(std::string name)
{
    if (primitive_service* const s = service_)
    {
        std::lock_guard<adaptive_mutex> const lock(s->mutex_);
        name_.swap(name);
        name_number_.store(wait_events::name_unknown, std::memory_order_relaxed);
    }
}

WEFT_INLINE void primitive_base::record_wait(scheduler& s, unsigned kind, waiter const& w) noexcept
{
    unsigned name = name_number_.load(std::memory_order_relaxed);
    if (name == wait_events::name_unknown)
    {
        name = wait_events::no_name;
        if (primitive_service* const service = service_)
        {
            std::lock_guard<adaptive_mutex> const lock(service->mutex_);
            if (!name_.empty())
                name = wait_events::number_of(s, name_);
            name_number_.store(name, std::memory_order_relaxed);
        }
    }
    wait_events::begin(s, place_of_wait(name, kind, reinterpret_cast<std::uintptr_t>(this)), &w);
}

WEFT_INLINE primitive_base::primitive_base(boost::asio::execution_context& context)
    : service_(&boost::asio::use_service<primitive_service>(context))
{
}

WEFT_INLINE void primitive_base::join_context() noexcept
{
    if (service_)
        service_->add(*this);
}

WEFT_INLINE void primitive_base::follow(primitive_base const& other) noexcept
{
    leave_context();
    service_ = other.service_;
    // The number was the other context's.
    name_number_.store(wait_events::name_unknown, std::memory_order_relaxed);
    join_context();
}

WEFT_INLINE void primitive_base::leave_context() noexcept
{
    if (primitive_service* const s = service_)
    {
        s->mutex_.lock();
        s->remove(*this);
        s->mutex_.unlock();
    }
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
