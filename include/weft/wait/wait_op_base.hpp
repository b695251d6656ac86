// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_WAIT_WAIT_OP_BASE_HPP
#define WEFT_WAIT_WAIT_OP_BASE_HPP

#include <weft/config.hpp>
#include <weft/error.hpp>
#include <weft/reactor/operation.hpp>
#include <weft/sched/scheduler.hpp>
#include <weft/sync/cancellation.hpp>
#include <weft/sync/served_list.hpp>
#include <weft/sync/waiter.hpp>
#include <weft/wait/wait_times.hpp>

#include <boost/asio/error.hpp>
#include <boost/system/error_code.hpp>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// Where an operation that is complete goes in the queues of its executor.
enum class place
{
    as_continuation, // of the running handler
    at_back
};

/// An operation that waits for permits: what its handler is, is not known here.
///
/// It is its own entry in the list of waiters and in the queues of weft's schedulers: to wait and
/// to be resumed need no memory beyond it.
class wait_op_base : public operation, public waiter
{
public:
    /// Ends the wait. By whoever took the operation out of the state, before it resumes any of
    /// those that it took out; any thread.
    void settle(boost::system::error_code const& ec) noexcept
    {
        note_end(!ec);
        ec_ = ec;
        sever();
    }

    /// Tells the primitive that waits are over, this one if it was `taken` out and those that were
    /// served thereby. By whoever cancels, while the primitive is kept: it may be gone when they
    /// are settled.
    void note_ends(bool taken, served_list const& served) noexcept
    {
        if (taken)
            note_end(false);
        served.for_each([](waiter& w, acquisition outcome)
            { static_cast<wait_op_base&>(w).note_end(outcome == acquisition::acquired); });
    }

    /// Resumes an operation that is settled, to which the caller has no right afterwards.
    void submit(place where) noexcept
    {
        if (submits_itself_)
            submit_elsewhere_(this, where);
        else
            submit_to_scheduler(where);
    }

    void finish(boost::system::error_code const& ec, place where) noexcept
    {
        settle(ec);
        submit(where);
    }

    /// Ends the wait of an operation that is to be destroyed without being run; by the same.
    void abandon() noexcept
    {
        // Without an error its end would give back permits that it has not got.
        settle(boost::asio::error::operation_aborted);
    }

    /// A function of the operation's own class, in whose name its handler's type is.
    void const* code() const noexcept
    {
        return reinterpret_cast<void const*>(submit_elsewhere_);
    }

    /// The scheduler of the handler's executor; null if that is not weft's.
    scheduler const* handler_scheduler() const noexcept
    {
        return scheduler_;
    }

    /// For a cancellation slot: ends the wait of `op` with operation_aborted, unless somebody else
    /// has ended it. Any thread, at any time: `link` is the slot's. The slot, and with it the
    /// caller, may be gone afterwards.
    static void cancel(cancellation_link& link, wait_op_base* op) noexcept;

protected:
    /// The operation need not wait after all, or cannot: the primitive may be gone.
    void did_not_wait(bool got) noexcept
    {
        std::uint64_t const begun = since.get();
        if ((begun & wait_events::recorded) != 0)
            wait_events::end_at_once(static_cast<waiter*>(this), got);
        since.set(begun & ~wait_events::marks);
    }

    using submit_type = void (*)(wait_op_base*, place) noexcept;

    wait_op_base(func_type run, submit_type submit_elsewhere, take_out_type take_out, scheduler* s,
        yielding_waiters& yielding, time_limit* limit = nullptr) noexcept
        : operation(run), waiter(yielding, take_out, limit), scheduler_(s),
          submit_elsewhere_(submit_elsewhere), submits_itself_(s == nullptr)
    {
    }

    ~wait_op_base() = default;

    /// For the starter, whose `op` may be gone: ends the wait as its slot has asked for meanwhile.
    static void started(cancellation_link* link, wait_op_base* op) noexcept;

    /// To the scheduler of the handler's executor, which is weft's.
    void submit_to_scheduler(place where) noexcept
    {
        if (where == place::as_continuation)
            scheduler_->submit_granted(this);
        else
            scheduler_->submit(this);
    }

    // The scheduler of the handler's executor, if that is weft's.
    scheduler* const scheduler_;
    submit_type const submit_elsewhere_;

    // Whether the function above is to be called: nobody else knows the executor, or the operation
    // has something to do before.
    bool submits_itself_;

    // Written by whoever ends the wait; read by the operation when it is run.
    boost::system::error_code ec_;

private:
    // Tells the primitive that this wait is over, if it wants to know, and once.
    void note_end(bool got) noexcept
    {
        std::uint64_t const begun = since.get();
        if ((begun & wait_events::marks) == 0)
            return;
        primitive_waiters::ended(*yielding_, *this, got);
        since.set(begun & ~wait_events::marks);
    }

    static void end_cancelled(bool mine, wait_op_base* op, served_list const& served) noexcept;
};

/// Resumes waiters with what became of their wait. Those that have got what they waited for
/// continue the running handler, in their order; the others go to the back.
class resume_waiters
{
public:
    void settle(waiter& w, acquisition outcome) const noexcept
    {
        static_cast<wait_op_base&>(w).settle(error_of(outcome));
    }

    void operator()(waiter& w, acquisition outcome) const noexcept
    {
        static_cast<wait_op_base&>(w).submit(
            outcome == acquisition::acquired ? place::as_continuation : place::at_back);
    }

private:
    static boost::system::error_code error_of(acquisition outcome) noexcept
    {
        switch (outcome)
        {
        case acquisition::closed:
            return errc::closed;
        case acquisition::cancelled:
            return boost::asio::error::operation_aborted;
        default:
            return {};
        }
    }
};

/// The same where all have got what they waited for, as when permits are released: nobody's outcome
/// is asked for, which saves some 20 instructions each.
class resume_acquired
{
public:
    void settle(waiter& w, acquisition) const noexcept
    {
        static_cast<wait_op_base&>(w).settle({});
    }

    void operator()(waiter& w) const noexcept
    {
        static_cast<wait_op_base&>(w).submit(place::as_continuation);
    }
};

/// Settles those that have been served, and leaves it to the owner of `later` to resume them.
class resume_later
{
public:
    explicit resume_later(served_list& later) noexcept : later_(&later)
    {
    }

    void settle(waiter& w, acquisition outcome) const noexcept
    {
        resume_waiters().settle(w, outcome);
    }

    void operator()(waiter& w, acquisition outcome) const noexcept
    {
        later_->push(w, outcome);
    }

private:
    served_list* later_;
};

inline void wait_op_base::end_cancelled(
    bool mine, wait_op_base* op, served_list const& served) noexcept
{
    if (!mine)
        return;
    op->settle(boost::asio::error::operation_aborted);
    resume_waiters const resume;
    resume_all(served, resume);
    op->submit(place::at_back);
}

inline void wait_op_base::cancel(cancellation_link& link, wait_op_base* op) noexcept
{
    served_list served;
    bool const mine = waiter::cancel(link, *op, served);
    end_cancelled(mine, op, served);
}

inline void wait_op_base::started(cancellation_link* link, wait_op_base* op) noexcept
{
    if (!link)
        return;
    served_list served;
    bool const mine = waiter::started(link, op, served);
    end_cancelled(mine, op, served);
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_WAIT_WAIT_OP_BASE_HPP
