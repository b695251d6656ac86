// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sync/semaphore_state.hpp>
#include <weft/sync/time_limit.hpp>
#include <weft/sync/yielding_waiters.hpp>

#include "model/check.hpp"

#include <optional>

namespace
{

using model::require;
using weft::detail::acquisition;
using weft::detail::atomic;
using weft::detail::cell;

enum outcome : std::uintptr_t
{
    none,
    granted,
    timed_out,
    destroyed
};

// The primitive: its permits, and memory that is gone when the destructor has run.
struct primitive
{
    weft::detail::semaphore_state permits;
    weft::detail::yielding_waiters yielding;
    cell<std::uintptr_t> memory;

    explicit primitive(std::uint64_t free = 0) : permits(free)
    {
        memory.set(1);
    }
};

// Waits without a time limit, behind one that has one.
struct bystander : weft::detail::waiter
{
    void end()
    {
        ++ended;
    }

    unsigned ended = 0;
};

// A wait with a time limit, as wait/timed_wait_op.hpp composes it. The race detector is the judge
// of who uses its memory, and the primitive's, after the end.
class operation : public weft::detail::waiter
{
public:
    operation()
    {
        memory_.set(1);
        outcome_.set(none);
    }

    // The starter; the timer runs already.
    void start(primitive& p, atomic<std::uint32_t>& has_begun)
    {
        acquisition const a = p.permits.acquire(*this, 1);
        has_begun.store(1, weft::detail::memory_order_release);
        weft::detail::futex_wake(has_begun, 1);
        if (a == acquisition::waiting)
        {
            if (limit_.registered())
                time_out(p);
        }
        else
            end(a == acquisition::acquired ? granted : destroyed);
        leave();
    }

    void timer_handler(primitive& p)
    {
        bool const is_aborted = timer_.exchange(1, weft::detail::memory_order_acq_rel) != 0;
        if (!is_aborted && limit_.expired())
            time_out(p);
        leave();
    }

    // Whoever takes the operation out, or did not put it in.
    void end(outcome o)
    {
        outcome_.set(o);
        limit_.ended();
        timer_.exchange(1, weft::detail::memory_order_acq_rel);
        leave();
    }

    // Before there are other threads: it waits for more than there is, and its time is not up.
    void wait_for(primitive& p, std::uint64_t n)
    {
        require(p.permits.acquire(*this, n) == acquisition::waiting, "there is enough");
        (void)limit_.registered();
        leave();
    }

    unsigned handled = 0;
    outcome result = none;

private:
    void time_out(primitive& p)
    {
        weft::detail::served_list served;
        bool const mine = limit_.end_wait(
            [&]
            {
                p.yielding.visit();
                (void)p.memory.get();
                bool const out = p.permits.cancel(*this, served);
                p.yielding.returned();
                return out;
            });
        auto const serve = [](weft::detail::waiter& w)
        {
            static_cast<bystander&>(w).end();
        };
        weft::detail::resume_all(served, serve);
        if (mine)
            end(timed_out);
    }

    void leave()
    {
        (void)memory_.get();
        if (!limit_.leave())
            return;
        memory_.set(0);
        ++handled;
        result = static_cast<outcome>(outcome_.get());
    }

    weft::detail::time_limit limit_;
    atomic<std::uint32_t> timer_{0};
    cell<std::uintptr_t> outcome_;
    cell<std::uintptr_t> memory_;
};

template <outcome Other>
struct one_ends_the_wait
{
    static constexpr int threads = Other == none ? 2 : 3;

    primitive p;
    operation op;
    atomic<std::uint32_t> has_begun{0};

    void thread(unsigned index)
    {
        if (index == 0)
            op.start(p, has_begun);
        else if (index == 1)
            op.timer_handler(p);
        else if (Other == granted)
            p.permits.release(
                1, [](weft::detail::waiter& w) { static_cast<operation&>(w).end(granted); });
        else
        {
            // Who destroys it knows that the initiating function has been called.
            while (has_begun.load(weft::detail::memory_order_acquire) == 0)
                weft::detail::futex_wait(has_begun, 0);
            p.permits.close(
                [](weft::detail::waiter& w) { static_cast<operation&>(w).end(destroyed); });
            p.memory.set(0);
        }
    }

    void after()
    {
        require(op.handled == 1, "the handler is not called, or twice");
        require(op.result == timed_out || op.result == Other, "nobody has ended the wait");
        bool const has_permit = op.result == granted;
        require(p.permits.available() + has_permit == (Other == granted ? 1u : 0u),
            "a permit was lost or made");
    }
};
WEFT_SCENARIO_AS("nobody_else", exhaustively{5}, one_ends_the_wait<none>);
WEFT_SCENARIO_AS("granted", at_random{100000}, one_ends_the_wait<granted>);
WEFT_SCENARIO_AS("granted.few_switches", exhaustively{3}, one_ends_the_wait<granted>);
WEFT_SCENARIO_AS("destroyed", at_random{100000}, one_ends_the_wait<destroyed>);
WEFT_SCENARIO_AS("destroyed.few_switches", exhaustively{3}, one_ends_the_wait<destroyed>);

// One whose time is up gives what it had to the others behind it, each by itself. Meanwhile the
// primitive goes, which has nobody left to tell of that: it is not touched afterwards.
struct late_one_serves_others
{
    static constexpr int threads = 2;

    std::optional<primitive> p{std::in_place, 2};
    operation op;
    bystander others[2];

    late_one_serves_others()
    {
        op.wait_for(*p, 3);
        for (bystander& b : others)
            require(p->permits.acquire(b, 1) == acquisition::waiting, "it is not its turn");
    }

    void thread(unsigned index)
    {
        if (index == 0)
        {
            op.timer_handler(*p);
            return;
        }
        p->yielding.finish();
        p->permits.close(
            [this](weft::detail::waiter& w)
            {
                if (&w == &op)
                    op.end(destroyed);
                else
                    static_cast<bystander&>(w).end();
            });
        p->yielding.finish();
        p->memory.set(0);
        p.reset();
    }

    void after()
    {
        require(op.handled == 1, "the handler is not called, or twice");
        require(op.result == timed_out || op.result == destroyed, "nobody has ended the wait");
        for (bystander const& b : others)
            require(b.ended == 1, "one of the others is not told, or twice");
    }
};
WEFT_SCENARIO(at_random{100000}, late_one_serves_others);
WEFT_SCENARIO_AS("late_one_serves_others.few_switches", exhaustively{3}, late_one_serves_others);

} // namespace
