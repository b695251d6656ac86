// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/wait/primitive.hpp>

#include <mutex>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

boost::asio::execution_context::id primitive_service::id;

primitive_service::primitive_service(boost::asio::execution_context& context)
    : boost::asio::execution_context::service(context)
{
}

primitive_service::~primitive_service() = default;

void primitive_service::add(primitive_base& p) noexcept
{
    mutex_.lock();
    p.next_ = first_;
    p.prev_ = nullptr;
    if (first_)
        first_->prev_ = &p;
    first_ = &p;
    mutex_.unlock();
}

void primitive_service::remove(primitive_base& p) noexcept
{
    // The lock is the caller's.
    (p.prev_ ? p.prev_->next_ : first_) = p.next_;
    if (p.next_)
        p.next_->prev_ = p.prev_;
    p.service_ = nullptr;
}

/// Destroys what waits without running it. What the handlers own goes with them, and may be
/// primitives.
void primitive_service::shutdown()
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

std::size_t primitive_service::waiting_in(boost::asio::execution_context& context)
{
    // Who has never had a primitive gets no service.
    if (!boost::asio::has_service<primitive_service>(context))
        return 0;
    std::size_t count = 0;
    boost::asio::use_service<primitive_service>(context).for_each(
        [&count](primitive_view const& v) { count += v.waiting; });
    return count;
}

std::vector<primitive_view> primitive_service::view_of(boost::asio::execution_context& context)
{
    std::vector<primitive_view> views;
    if (boost::asio::has_service<primitive_service>(context))
        boost::asio::use_service<primitive_service>(context).for_each(
            [&views](primitive_view const& v)
            {
                if (v.waiting != 0)
                    views.push_back(v);
            });
    return views;
}

template <typename Out>
void primitive_service::for_each(Out out)
{
    std::lock_guard<adaptive_mutex> const lock(mutex_);
    for (primitive_base* p = first_; p; p = p->next_)
        out(p->view());
}

primitive_base::primitive_base(boost::asio::execution_context& context)
    : service_(&boost::asio::use_service<primitive_service>(context))
{
}

void primitive_base::join_context() noexcept
{
    if (service_)
        service_->add(*this);
}

void primitive_base::follow(primitive_base const& other) noexcept
{
    leave_context();
    service_ = other.service_;
    join_context();
}

void primitive_base::leave_context() noexcept
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
