// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/reactor/driver.hpp>

#include <boost/asio/detail/concurrency_hint.hpp>
#include <boost/asio/detail/scheduler.hpp>
#include <boost/system/error_code.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <new>

#if defined(BOOST_ASIO_HAS_IO_URING_AS_DEFAULT)
#include <boost/asio/detail/io_uring_service.hpp>
#else
#include <boost/asio/detail/reactor.hpp>
#endif

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

namespace
{

namespace asio = boost::asio;
using inner_scheduler = asio::detail::scheduler;

#if defined(BOOST_ASIO_HAS_IO_URING_AS_DEFAULT)
using reactor_service = asio::detail::io_uring_service;
#else
using reactor_service = asio::detail::reactor;
#endif

// Access to a private member through an explicit instantiation, which ignores access rights.
template <typename Tag, typename Tag::type Member>
struct expose
{
    friend typename Tag::type member_of(Tag) noexcept
    {
        return Member;
    }
};

struct one_thread_tag
{
    using type = bool const inner_scheduler::*;
    friend type member_of(one_thread_tag) noexcept;
};

template struct expose<one_thread_tag, &inner_scheduler::one_thread_>;

struct outstanding_work_tag
{
    using type = asio::detail::atomic_count inner_scheduler::*;
    friend type member_of(outstanding_work_tag) noexcept;
};

template struct expose<outstanding_work_tag, &inner_scheduler::outstanding_work_>;

struct mutex_tag
{
    using type = asio::detail::conditionally_enabled_mutex inner_scheduler::*;
    friend type member_of(mutex_tag) noexcept;
};

template struct expose<mutex_tag, &inner_scheduler::mutex_>;

// The work that install() counts, so that the inner scheduler never runs out of it.
constexpr long own_work = 1;

// A wait without limit in the reactor, through a function that has no such thing: a day, in
// microseconds.
constexpr long longest_wait = static_cast<long>((std::min)(
    24LL * 60 * 60 * 1000 * 1000, static_cast<long long>((std::numeric_limits<long>::max)())));

// Makes `inner` put what its threads post into their private queues. The member is const: it is not
// assigned but replaced by a new object in its storage, which names of the old one then mean
// ([basic.life], transparently replaceable: the enclosing object is not const).
void use_private_queues(inner_scheduler& inner) noexcept
{
    ::new (const_cast<bool*>(&(inner.*member_of(one_thread_tag())))) bool(true);
}

} // namespace

int const driven_context::default_hint = BOOST_ASIO_CONCURRENCY_HINT_DEFAULT;

#if WEFT_HAS_SERVICE_MAKER
driven_context::driven_context(int concurrency_hint)
    : asio::execution_context(asio::config_from_concurrency_hint(concurrency_hint))
{
}

driven_context::driven_context(service_maker const& initial_services)
    : asio::execution_context(initial_services)
{
}
#else
driven_context::driven_context(int concurrency_hint) : concurrency_hint_(concurrency_hint)
{
}
#endif

driver& driver::install(driven_context& context)
{
    driver& self = asio::make_service<driver>(context);
#if WEFT_HAS_SERVICE_MAKER
    self.inner_ = &asio::make_service<inner_scheduler>(context, false, &driver::get_task);
#else
    auto inner = std::make_unique<inner_scheduler>(
        context, context.concurrency_hint_, false, &driver::get_task);
    asio::add_service(context, inner.get());
    self.inner_ = inner.release();
#endif
    use_private_queues(*self.inner_);
    // The inner scheduler stops for good when its own count of work reaches zero. It never does.
    self.inner_->work_started();
    // Without locks, as the user may have asked, a thread in it cannot be woken.
    self.mailbox_can_wait_ = (self.inner_->*member_of(mutex_tag())).enabled();
    return self;
}

driver::driver(asio::execution_context& context) noexcept
    : asio::detail::execution_context_service_base<driver>(context)
{
}

asio::detail::scheduler_task* driver::get_task(asio::execution_context& context)
{
    driver& self = asio::use_service<driver>(context);
    self.reactor_.store(&asio::use_service<reactor_service>(context), memory_order_release);
    return &self;
}

/// For a driver without a reactor: whoever is to post something counts it as work first.
bool driver::expects_mail() const noexcept
{
    return inner_->*member_of(outstanding_work_tag()) != own_work;
}

std::size_t driver::wait(long usec, sink& out)
{
    wait_state here{&out};
    struct delivery
    {
        driver& d;
        wait_state& here;
        ~delivery()
        {
            // What the operation that abandoned the wait has left in the mailbox is for whoever
            // waits there by now.
            if (here.abandoned)
                d.interrupt();
            else
                d.deliver();
        }
    };

    current_ = &here;
    if (usec != 0 && !mailbox_can_wait_)
        inner_->init_task();
    if (usec < 0)
        usec = longest_wait;
    // Each turn runs the reactor, or one operation that a foreign thread left in the mailbox. Those
    // are few and short (their handlers go to the worker's queue), but not without limit: a flood
    // of them must not keep the worker from its own work.
    constexpr int mailbox_limit = 64;
    std::size_t from_mailbox = 0;
    {
        delivery const at_the_end{*this, here};
        for (int turn = 0; turn != mailbox_limit && !here.abandoned; ++turn)
        {
            boost::system::error_code ec;
            if (usec == 0 && !may_have_events())
                break;
            // A time limit costs the kernel a timer.
            here.until_operation = usec == longest_wait && !has_reactor();
            if ((here.until_operation ? inner_->run_one(ec) : inner_->wait_one(usec, ec)) == 0)
                break;
            // Abandoned, the driver is another thread's by now.
            if (here.abandoned || !(interruption_.arrived() || end_of_wait_.arrived()))
                ++from_mailbox;
            usec = 0;
        }
    }
    return here.passed + from_mailbox;
}

void driver::abandon_wait() noexcept
{
    current_->abandoned = true;
    deliver();
}

void driver::run(long usec, asio::detail::op_queue<operation>& ops)
{
    if (event_count_ == 0 && completed_.empty() && current_->out->has_room())
        take_events(usec, ops);
    // The reactor has been made meanwhile, and the mailbox waits for an operation: its own, for
    // whoever has asked for the interruption may not have put it there yet. In the queue, it is not
    // asked for again: the next wait knows of the reactor.
    if (current_->until_operation && end_of_wait_.request())
    {
        inner_->work_started();
        ops.push(&end_of_wait_);
    }
}

void driver::take_events(long usec, asio::detail::op_queue<operation>& ops)
{
    reactor_.load(memory_order_relaxed)->run(usec < longest_wait ? usec : -1, ops);
    while (operation* const op = ops.front())
    {
        ops.pop();
        ready_operation const ready(op, result_of(op));
        if (ready.linkable())
            completed_.push(op);
        else
            events_[event_count_++] = ready;
    }
}

void driver::deliver() noexcept
{
    current_->passed += event_count_;
    for (std::size_t i = 0; i != event_count_; ++i)
        current_->out->ready(events_[i]);
    event_count_ = 0;
    while (operation* const op = completed_.front())
    {
        completed_.pop();
        ++current_->passed;
        current_->out->ready(ready_operation(op));
    }
}

// A reactor that is made after this has looked for one ends the wait in the mailbox by itself.
void driver::interrupt()
{
    if (auto* const reactor = reactor_.load(memory_order_acquire))
        reactor->interrupt();
    else if (interruption_.request())
        inner_->do_dispatch(&interruption_);
}

void driver::interruption::arrive(
    void* owner, operation* base, boost::system::error_code const&, std::size_t) noexcept
{
    // Without an owner the mailbox is destroyed, with what is in it.
    if (!owner)
        return;
    auto& self = *static_cast<interruption*>(base);
    self.arrived_ = true;
    // The last access: from here on it may be in the mailbox again.
    self.pending_.store(false, memory_order_release);
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
