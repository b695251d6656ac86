// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sync/cancellation.hpp>
#include <weft/sync/semaphore_state.hpp>

#include "model/check.hpp"

#include <new>
#include <optional>

namespace
{

using model::require;
using weft::detail::acquisition;
using weft::detail::atomic;
using weft::detail::cancellation_link;
using weft::detail::cell;
using weft::detail::served_list;
using weft::detail::waiter;

enum outcome : std::uintptr_t
{
    nobody,
    granted,
    cancelled,
    timed_out,
    destroyed
};

// A semaphore, and memory that is gone when its destructor has run.
struct primitive
{
    weft::detail::semaphore_state permits;
    weft::detail::yielding_waiters yielding;
    cell<std::uintptr_t> memory;

    explicit primitive(std::uint64_t free) : permits(free)
    {
        memory.set(1);
    }

    template <typename Resume>
    void destroy(Resume resume)
    {
        yielding.finish();
        permits.close(resume);
        yielding.finish();
        memory.set(0);
    }
};

// A link that knows when it is destroyed: then any access to it is an error, and whoever has a
// share has used it before.
struct counted_link : cancellation_link
{
    explicit counted_link(unsigned& n) noexcept : cancellation_link(&dispose), disposed(n)
    {
        memory.set(1);
    }

    static void use(cancellation_link& link)
    {
        require(static_cast<counted_link&>(link).memory.get() == 1, "the link is gone");
    }

    static void dispose(cancellation_link* link) noexcept
    {
        auto* const self = static_cast<counted_link*>(link);
        self->memory.set(0);
        unsigned& n = self->disposed;
        self->~counted_link();
        ++n;
    }

    cell<std::uintptr_t> memory;
    unsigned& disposed;
};

// What happens to an operation is counted where it can be looked up when it is gone.
struct record
{
    unsigned handled = 0;
    unsigned links_disposed = 0;
    outcome result = nobody;
    alignas(counted_link) unsigned char link[sizeof(counted_link)];

    // At the end of all threads.
    void require_ended() const
    {
        require(handled == 1, "the handler is not called, or twice");
        require(links_disposed == 1, "the link is not destroyed, or twice");
    }
};

// An operation as wait/wait_op.hpp and wait/timed_wait_op.hpp compose it. Whoever runs its handler
// ends it: the race detector is the judge of who uses it afterwards.
class operation : public waiter
{
public:
    operation(primitive& p, record& r, weft::detail::time_limit* limit = nullptr)
        : waiter(p.yielding, &take_out, limit), primitive_(p), record_(r)
    {
        memory_.set(1);
        outcome_.set(nobody);
    }

    // The slot's part of assign_slot().
    cancellation_link& assign_slot()
    {
        link_ = ::new (static_cast<void*>(record_.link)) counted_link(record_.links_disposed);
        return *link_;
    }

    void start()
    {
        cancellation_link* const link = link_;
        acquisition const a = primitive_.permits.acquire(*this, 1);
        if (a != acquisition::waiting)
            sever();
        started(link, this);
        if (a != acquisition::waiting)
        {
            settle(a == acquisition::acquired ? granted : destroyed);
            run();
        }
    }

    // Lets others run before it asks.
    void yield()
    {
        cancellation_link* const link = link_;
        primitive_.yielding.add(*this);
        started(link, this);
    }

    // Its turn has come.
    void ask()
    {
        cancellation_link* const link = link_;
        link->start_again();
        weft::detail::yielding_waiters& list = *yielding_;
        bool waits = false;
        if (!list.leave(*this))
            outcome_.set(destroyed);
        else
        {
            (void)primitive_.memory.get();
            acquisition const a = primitive_.permits.acquire(*this, 1);
            waits = a == acquisition::waiting;
            if (!waits)
                outcome_.set(a == acquisition::acquired ? granted : destroyed);
            list.returned();
        }
        if (!waits)
            sever();
        started(link, this);
        if (!waits)
            run();
    }

    static void emit(cancellation_link& link, operation& op)
    {
        counted_link::use(link);
        served_list served;
        bool const mine = waiter::cancel(link, op, served);
        end_taken_out(mine, op, cancelled, served);
    }

    // By the handler of a timer, which has a part in the operation.
    void time_out(weft::detail::time_limit& limit)
    {
        served_list served;
        bool const mine = limit.end_wait([&] { return look_and_take_out(served); });
        end_taken_out(mine, *this, timed_out, served);
    }

    void settle(outcome o)
    {
        outcome_.set(o);
        sever();
    }

    void run()
    {
        sever();
        require(memory_.get() == 1, "runs twice");
        ++record_.handled;
        record_.result = static_cast<outcome>(outcome_.get());
        memory_.set(0);
    }

private:
    static bool take_out(waiter& w, served_list& served) noexcept
    {
        auto& self = static_cast<operation&>(w);
        (void)self.memory_.get();
        (void)self.primitive_.memory.get();
        return self.primitive_.permits.cancel(w, served);
    }

    static void started(cancellation_link* link, operation* op)
    {
        if (link)
            counted_link::use(*link);
        served_list served;
        bool const mine = waiter::started(link, op, served);
        end_taken_out(mine, *op, cancelled, served);
    }

    static void end_taken_out(bool mine, operation& op, outcome o, served_list const& served);

    primitive& primitive_;
    record& record_;
    cell<std::uintptr_t> outcome_;
    cell<std::uintptr_t> memory_;
};

template <outcome O>
struct resume_with
{
    void settle(waiter& w, acquisition)
    {
        static_cast<operation&>(w).settle(O);
    }

    void operator()(waiter& w)
    {
        static_cast<operation&>(w).run();
    }
};

void operation::end_taken_out(bool mine, operation& op, outcome o, served_list const& served)
{
    if (!mine)
        return;
    op.settle(o);
    resume_with<granted> grant;
    resume_all(served, grant);
    op.run();
}

// Two threads meet.
class gate
{
public:
    void open()
    {
        state_.store(1, weft::detail::memory_order_release);
        weft::detail::futex_wake(state_, 1);
    }

    void pass()
    {
        while (state_.load(weft::detail::memory_order_acquire) == 0)
            weft::detail::futex_wait(state_, 0);
    }

private:
    atomic<std::uint32_t> state_{0};
};

// A signal is emitted while the operation starts; meanwhile somebody releases, or nobody. The
// signal is destroyed right after.
template <bool Release>
struct emitted_at_the_start
{
    static constexpr int threads = Release ? 3 : 2;

    primitive p{0};
    record r;
    operation op{p, r};
    cancellation_link& link = op.assign_slot();

    void thread(unsigned index)
    {
        if (index == 0)
            op.start();
        else if (index == 1)
        {
            operation::emit(link, op);
            link.release();
        }
        else
            p.permits.release(1, resume_with<granted>());
    }

    void after()
    {
        r.require_ended();
        require(r.result == cancelled || (Release && r.result == granted), "a lost signal");
        unsigned const taken = r.result == granted ? 1 : 0;
        require(p.permits.available() + taken == (Release ? 1u : 0u), "a permit was lost or made");
    }
};
WEFT_SCENARIO_AS("start.alone", exhaustively{4}, emitted_at_the_start<false>);
WEFT_SCENARIO_AS("start.released", at_random{100000}, emitted_at_the_start<true>);
WEFT_SCENARIO_AS("start.released.few", exhaustively{2}, emitted_at_the_start<true>);

// The operation waits, behind another one; a signal is emitted, and the primitive is destroyed.
struct emitted_while_the_primitive_goes
{
    static constexpr int threads = 2;

    std::optional<primitive> p{std::in_place, 0};
    record r[2];
    operation first{*p, r[0]};
    operation second{*p, r[1]};
    cancellation_link* links[2] = {&first.assign_slot(), &second.assign_slot()};

    emitted_while_the_primitive_goes()
    {
        first.start();
        second.start();
    }

    void thread(unsigned index)
    {
        if (index == 0)
        {
            operation::emit(*links[1], second);
            operation::emit(*links[0], first);
            for (cancellation_link* const link : links)
                link->release();
        }
        else
        {
            p->destroy(resume_with<destroyed>());
            p.reset();
        }
    }

    void after()
    {
        for (record const& one : r)
        {
            one.require_ended();
            require(one.result == cancelled || one.result == destroyed, "who has ended it?");
        }
    }
};
WEFT_SCENARIO_AS("primitive_goes", at_random{100000}, emitted_while_the_primitive_goes);
WEFT_SCENARIO_AS("primitive_goes.few_switches", exhaustively{2}, emitted_while_the_primitive_goes);

// Two wait, and are released by one call; the handler of the first destroys the primitive, while
// the signal of the second is emitted.
struct destroyed_by_the_first_of_two
{
    static constexpr int threads = 3;

    std::optional<primitive> p{std::in_place, 0};
    record r[2];
    operation first{*p, r[0]};
    operation second{*p, r[1]};
    cancellation_link* links[2] = {&first.assign_slot(), &second.assign_slot()};
    gate first_is_resumed;

    destroyed_by_the_first_of_two()
    {
        first.start();
        second.start();
        links[0]->release();
    }

    struct resume : resume_with<granted>
    {
        explicit resume(destroyed_by_the_first_of_two& m) : model(m)
        {
        }

        void operator()(waiter& w)
        {
            bool const is_first = &w == &model.first;
            resume_with<granted>::operator()(w);
            if (is_first)
                model.first_is_resumed.open();
        }

        destroyed_by_the_first_of_two& model;
    };

    void thread(unsigned index)
    {
        if (index == 0)
            p->permits.release(2, resume(*this));
        else if (index == 1)
        {
            operation::emit(*links[1], second);
            links[1]->release();
        }
        else
        {
            first_is_resumed.pass();
            p->destroy(resume_with<destroyed>());
            p.reset();
        }
    }

    void after()
    {
        for (record const& one : r)
            one.require_ended();
        require(r[0].result == granted, "the first was released");
        require(r[1].result == granted || r[1].result == cancelled, "who has ended the second?");
    }
};
WEFT_SCENARIO_AS("first_of_two", at_random{100000}, destroyed_by_the_first_of_two);

// More is given than those want that wait, or the first that waits has collected a part and all are
// cancelled: something is left. Whoever takes it, and was not resumed, destroys the primitive,
// while the signal of one that was taken out is emitted.
template <int Waiting, bool Collected>
struct left_over
{
    static constexpr int threads = 3;

    std::optional<primitive> p{std::in_place, Collected ? 1 : 0};
    record r[Waiting];
    // The first has no slot if it has collected a part, which its cancellation would give away too.
    std::optional<operation> op[Waiting];
    cancellation_link* link = nullptr;
    bool is_destroyed = false;

    left_over()
    {
        for (int i = 0; i != Waiting; ++i)
        {
            op[i].emplace(*p, r[i]);
            bool const is_last = i == Waiting - 1;
            if (is_last)
                link = &op[i]->assign_slot();
            if (is_last || !Collected)
                op[i]->start();
            else
                require(p->permits.acquire(*op[i], 2) == acquisition::waiting, "there is enough");
        }
    }

    void thread(unsigned index)
    {
        if (index == 0)
        {
            if (Collected)
                p->permits.cancel_all(resume_with<cancelled>());
            else
                p->permits.release(Waiting + 1, resume_with<granted>());
        }
        else if (index == 1)
        {
            operation::emit(*link, *op[Waiting - 1]);
            link->release();
        }
        else
            for (int i = 0; i != 4 && !is_destroyed; ++i)
                if (p->permits.try_acquire(1))
                {
                    p->destroy(resume_with<destroyed>());
                    p.reset();
                    is_destroyed = true;
                }
    }

    void after()
    {
        for (record const& one : r)
        {
            require(one.handled == 1, "the handler is not called, or twice");
            require(one.result == cancelled || (!Collected && one.result == granted),
                "who has ended it?");
        }
        require(r[Waiting - 1].links_disposed == 1, "the link is not destroyed, or twice");
        if (is_destroyed)
            return;
        unsigned all = Collected ? 1 : Waiting + 1;
        for (record const& one : r)
            all -= one.result == granted;
        require(p->permits.available() == all, "a permit was lost or made");
    }
};
WEFT_SCENARIO(at_random{100000}, left_over<1, false>);
WEFT_SCENARIO(at_random{100000}, left_over<2, false>);
WEFT_SCENARIO(at_random{100000}, left_over<2, true>);

// One that is cancelled held a part, which goes to those behind it, each by itself. Meanwhile the
// primitive is destroyed, and the signal of one of those behind is emitted.
struct what_it_held_goes_to_others
{
    static constexpr int threads = 3;

    std::optional<primitive> p{std::in_place, 2};
    record r[3];
    operation large{*p, r[0]};
    operation second{*p, r[1]};
    operation third{*p, r[2]};
    cancellation_link* links[2] = {&large.assign_slot(), &second.assign_slot()};

    what_it_held_goes_to_others()
    {
        require(p->permits.acquire(large, 3) == acquisition::waiting, "there is enough");
        require(!links[0]->started(), "nobody has asked");
        links[0]->release();
        second.start();
        third.start();
    }

    void thread(unsigned index)
    {
        if (index < 2)
        {
            operation::emit(*links[index], index == 0 ? large : second);
            links[index]->release();
        }
        else
        {
            p->destroy(resume_with<destroyed>());
            p.reset();
        }
    }

    void after()
    {
        for (record const& one : r)
        {
            require(one.handled == 1, "the handler is not called, or twice");
            require(one.links_disposed == (&one == &r[2] ? 0u : 1u), "a link is not destroyed");
        }
        require(r[0].result != granted, "there were two permits");
    }
};
WEFT_SCENARIO_AS("served", at_random{200000}, what_it_held_goes_to_others);

// One that has let others run asks at last, while its signal is emitted. There is no permit.
template <bool Destroy>
struct emitted_while_it_asks
{
    static constexpr int threads = Destroy ? 3 : 2;

    std::optional<primitive> p{std::in_place, 0};
    record r;
    operation op{*p, r};
    cancellation_link& link = op.assign_slot();

    emitted_while_it_asks()
    {
        op.yield();
    }

    void thread(unsigned index)
    {
        if (index == 0)
            op.ask();
        else if (index == 1)
        {
            operation::emit(link, op);
            link.release();
        }
        else
        {
            p->destroy(resume_with<destroyed>());
            p.reset();
        }
    }

    void after()
    {
        // One that was taken among those that yield learns it in its turn, as if at the end.
        r.require_ended();
        require(r.result == cancelled || r.result == destroyed, "a lost signal");
    }
};
WEFT_SCENARIO_AS("asks", exhaustively{4}, emitted_while_it_asks<false>);
WEFT_SCENARIO_AS("asks.destroyed", at_random{100000}, emitted_while_it_asks<true>);

// The slot goes to the next operation while the first is being granted.
struct slot_is_used_again
{
    static constexpr int threads = 2;

    primitive p{0};
    record r[2];
    operation first{p, r[0]};
    operation second{p, r[1]};
    cancellation_link& link = first.assign_slot();

    slot_is_used_again()
    {
        first.start();
    }

    void thread(unsigned index)
    {
        if (index == 0)
        {
            p.permits.release(1, resume_with<granted>());
            return;
        }
        if (model::choose(2) == 0)
            operation::emit(link, first);
        cancellation_link& next = second.assign_slot();
        link.release();
        second.start();
        operation::emit(next, second);
        next.release();
    }

    void after()
    {
        for (record const& one : r)
        {
            one.require_ended();
            require(one.result == granted || one.result == cancelled, "who has ended it?");
        }
        unsigned const taken = (r[0].result == granted) + (r[1].result == granted);
        require(p.permits.available() + taken == 1u, "a permit was lost or made");
    }
};
WEFT_SCENARIO_AS("slot_again", exhaustively{2}, slot_is_used_again);

// A time limit passes, a signal is emitted, and somebody releases, all at once.
struct limit_and_signal
{
    static constexpr int threads = 3;

    primitive p{0};
    record r;
    weft::detail::time_limit limit;
    operation op{p, r, &limit};
    cancellation_link& link = op.assign_slot();

    limit_and_signal()
    {
        op.start();
        (void)limit.registered();
    }

    void thread(unsigned index)
    {
        if (index == 0)
        {
            if (limit.expired())
                op.time_out(limit);
        }
        else if (index == 1)
        {
            operation::emit(link, op);
            link.release();
        }
        else
            p.permits.release(1, resume_with<granted>());
    }

    void after()
    {
        r.require_ended();
        require(r.result != nobody && r.result != destroyed, "who has ended it?");
        unsigned const taken = r.result == granted ? 1 : 0;
        require(p.permits.available() + taken == 1u, "a permit was lost or made");
    }
};
WEFT_SCENARIO_AS("limit", at_random{100000}, limit_and_signal);
WEFT_SCENARIO_AS("limit.few_switches", exhaustively{2}, limit_and_signal);

} // namespace
