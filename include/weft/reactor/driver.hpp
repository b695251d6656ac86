// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_REACTOR_DRIVER_HPP
#define WEFT_REACTOR_DRIVER_HPP

// Asio's reactor as the place where one worker of a context waits.
//
// Asio's objects reach their reactor, and post what they completed themselves, through a service:
// boost::asio::detail::scheduler. weft installs one of its own making, without a thread and never
// run, and uses it for two things only: as the mailbox into which threads outside the context post
// Asio's internal operations, and for the arming of the reactor's interrupt, which it does under
// its lock. What the reactor returns is taken out of its hands at once (ready_operation says why).
//
// Before the first I/O object there is no reactor, and yet something may come: a resolver's answer,
// from Asio's own thread. Whoever waits then waits in the mailbox itself, on its condition
// variable, and moves into the reactor when that is made. So nobody need know what objects exist.
//
// The private queue. What Asio posts from our own workers (an operation that succeeded at once, a
// cancelled one) must go to the worker's private queue, without a lock, which a scheduler does that
// believes to have one thread. It gets that belief after its construction, so that those who ask
// for the concurrency hint are told the user's: doc/design/decisions/0001-concurrency-hint.md.

#include <weft/config.hpp>
#include <weft/platform/atomic.hpp>
#include <weft/reactor/operation.hpp>

#include <boost/asio/detail/scheduler.hpp>
#include <boost/asio/detail/scheduler_task.hpp>
#include <boost/asio/execution_context.hpp>

#if WEFT_HAS_SERVICE_MAKER
#include <boost/asio/config.hpp>
#endif

#include <cstddef>
#include <memory>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// The base of weft's contexts: an execution_context whose configuration Asio's services can read.
/// They do so in their constructors, so that it must be there before all of them.
class driven_context : public boost::asio::execution_context
{
protected:
    /// What Asio takes for a context that is given no hint.
    static int const default_hint;

    explicit driven_context(int concurrency_hint);

#if WEFT_HAS_SERVICE_MAKER
    explicit driven_context(service_maker const& initial_services);
#endif

#if WEFT_HAS_CONTEXT_ALLOCATOR
    template <typename Allocator>
    driven_context(std::allocator_arg_t, Allocator const& a, int concurrency_hint)
        : driven_context(
              std::allocator_arg, a, boost::asio::config_from_concurrency_hint(concurrency_hint))
    {
    }

    template <typename Allocator>
    driven_context(std::allocator_arg_t, Allocator const& a, service_maker const& initial_services)
        : boost::asio::execution_context(std::allocator_arg, a, initial_services)
    {
    }
#endif

private:
#if !WEFT_HAS_SERVICE_MAKER
    friend class driver;

    int const concurrency_hint_;
#endif
};

class driver final : public boost::asio::detail::execution_context_service_base<driver>,
                     private boost::asio::detail::scheduler_task
{
public:
    /// Takes what the reactor completed.
    class sink
    {
    public:
        /// Whether one more look at the reactor may follow; asked before each.
        virtual bool has_room() noexcept = 0;

        virtual void ready(ready_operation op) noexcept = 0;

    protected:
        ~sink() = default;
    };

    /// Installs a driver and its scheduler in `context`, before anything that looks for them.
    static driver& install(driven_context& context);

    explicit driver(boost::asio::execution_context& context) noexcept;

    /// What ready_operation::complete() needs as owner.
    void* owner() const noexcept
    {
        return inner_;
    }

    /// For thread_entry.
    boost::asio::detail::scheduler& inner() const noexcept
    {
        return *inner_;
    }

    /// Whether there may be something to find: the reactor exists, or an operation is in the
    /// mailbox or on its way there.
    bool may_have_events() const noexcept
    {
        return has_reactor() || expects_mail();
    }

    /// How many operations one look at the reactor returns at most, of those that cannot be linked.
    static constexpr unsigned max_unlinkable = 128;

    /// Waits for events and runs the mailbox: `usec` microseconds at most, without limit if
    /// negative, not at all if 0; it may return early with nothing. One thread at a time (sched/
    /// has a seat for it), which must be in a thread_entry. Returns how many operations it passed
    /// to `out` or ran from the mailbox.
    std::size_t wait(long usec, sink& out);

    /// For what the wait() in progress on this thread has called: ends that wait, which passes on
    /// what it holds and then leaves the driver to others.
    void abandon_wait() noexcept;

    /// Makes the wait() in progress, or else the next one, return soon. Any thread.
    void interrupt() override;

private:
    // scheduler_task: what inner_ calls.
    void run(long usec, boost::asio::detail::op_queue<operation>& ops) override;

    // execution_context::service
    void shutdown() override
    {
    }

    static boost::asio::detail::scheduler_task* get_task(boost::asio::execution_context& context);

    // What ends a wait in the mailbox: an operation that does nothing, queued once at a time.
    class interruption final : public operation
    {
    public:
        interruption() noexcept : operation(&interruption::arrive)
        {
        }

        /// Whether the caller must put it into the mailbox: it is not there already.
        bool request() noexcept
        {
            return !pending_.exchange(true, memory_order_acq_rel);
        }

        /// Whether it has come out of the mailbox since the last call. For the thread that waits.
        bool arrived() noexcept
        {
            return std::exchange(arrived_, false);
        }

    private:
        static void arrive(void* owner, operation* base, boost::system::error_code const& ec,
            std::size_t result) noexcept;

        atomic<bool> pending_{false};
        bool arrived_ = false;
    };

    bool has_reactor() const noexcept
    {
        return reactor_.load(memory_order_acquire) != nullptr;
    }

    bool expects_mail() const noexcept;

    boost::asio::detail::scheduler* inner_ = nullptr;
    bool mailbox_can_wait_ = true;
    interruption interruption_;
    interruption end_of_wait_;

    // Written once. Release publishes the reactor to whoever acquires.
    atomic<boost::asio::detail::scheduler_task*> reactor_{nullptr};

    // Runs the reactor and takes what it returns out of `ops`.
    void take_events(long usec, boost::asio::detail::op_queue<operation>& ops);

    // Passes on what the reactor returned.
    void deliver() noexcept;

    // The rest belongs to the thread inside wait(). What the reactor returned is held back until
    // the mailbox is empty: an operation that was cancelled from outside comes before what happened
    // later.
    struct wait_state
    {
        sink* out;
        std::size_t passed = 0;
        bool abandoned = false;
        // Whether the wait ends with an operation only, not with the reactor's return.
        bool until_operation = false;
    };
    wait_state* current_ = nullptr;
    ready_operation events_[max_unlinkable];
    std::size_t event_count_ = 0;
    boost::asio::detail::op_queue<operation> completed_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_REACTOR_DRIVER_HPP
