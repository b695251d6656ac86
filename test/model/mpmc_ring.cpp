// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/queue/mpmc_ring.hpp>

#include "model/check.hpp"
#include "model/value.hpp"

#include <cstdint>

namespace
{

using model::require;
using model::value;
using weft::detail::mpmc_ring;
using weft::detail::ring_result;

using ring = mpmc_ring<value>;

// Counts how often each value came out. Of value 10 * p + i, p is the producer.
class ledger
{
public:
    void came_out(unsigned number)
    {
        require(number < size, "a value that was never put in");
        require(!seen_[number], "a value came out twice");
        seen_[number] = true;
    }

    void require_all(unsigned producers, unsigned each) const
    {
        for (unsigned p = 0; p != producers; ++p)
            for (unsigned i = 0; i != each; ++i)
                require(seen_[10 * p + i], "a value was lost");
    }

    bool has(unsigned number) const
    {
        return seen_[number];
    }

private:
    static constexpr unsigned size = 30;

    bool seen_[size] = {};
};

// One consumer: what it gets of one producer is in order.
class consumer
{
public:
    ring_result pop(ring& r, ledger& out)
    {
        unsigned number = value::nothing;
        ring_result const result =
            r.pop([&](value&& v) noexcept { number = value(std::move(v)).number(); });
        if (result == ring_result::done)
        {
            out.came_out(number);
            require(number % 10 >= next_[number / 10], "values of one producer out of order");
            next_[number / 10] = number % 10 + 1;
        }
        return result;
    }

private:
    unsigned next_[3] = {};
};

void push(ring& r, unsigned number)
{
    value v(number);
    while (r.push(std::move(v)) != ring_result::done)
    {
        require(v.number() == number, "a push that failed has taken the value");
        weft::detail::yield_thread();
    }
}

// Producers and consumers that try until they are through; positions wrap on the way.
template <unsigned Capacity, unsigned Producers, unsigned Consumers, unsigned Each>
struct all_come_out_in_order
{
    static constexpr int threads = Producers + Consumers;

    // Capacities 1 and 2 both have laps of 4 positions.
    ring subject{Capacity, (~std::uint64_t(0) >> (Capacity == 1 ? 2 : 3))};
    ledger out;
    unsigned left = Producers * Each;

    void thread(unsigned index)
    {
        if (index < Producers)
        {
            for (unsigned i = 0; i != Each; ++i)
                push(subject, 10 * index + i);
            return;
        }
        consumer self;
        while (left != 0)
        {
            if (self.pop(subject, out) == ring_result::done)
                --left;
            else
                weft::detail::yield_thread();
        }
    }

    void after()
    {
        out.require_all(Producers, Each);
        require(subject.size() == 0, "the ring is not empty");
    }
};
WEFT_SCENARIO_AS("order.1_1s1r", exhaustively{2}, all_come_out_in_order<1, 1, 1, 3>);
WEFT_SCENARIO_AS("order.2_1s1r", exhaustively{2}, all_come_out_in_order<2, 1, 1, 4>);
WEFT_SCENARIO_AS("order.1_2s1r", at_random{200000}, all_come_out_in_order<1, 2, 1, 2>);
WEFT_SCENARIO_AS("order.2_2s1r", at_random{200000}, all_come_out_in_order<2, 2, 1, 2>);
WEFT_SCENARIO_AS("order.1_1s2r", at_random{200000}, all_come_out_in_order<1, 1, 2, 3>);
WEFT_SCENARIO_AS("order.2_1s2r", at_random{200000}, all_come_out_in_order<2, 1, 2, 4>);
WEFT_SCENARIO_AS("order.1_2s2r", at_random{200000}, all_come_out_in_order<1, 2, 2, 2>);
WEFT_SCENARIO_AS("order.2_2s2r", at_random{200000}, all_come_out_in_order<2, 2, 2, 2>);

// A push that stalls between its claim and its end holds up nobody but those behind it: others may
// say "busy", never "empty" or "closed", and never skip it.
template <unsigned Capacity, bool Close>
struct a_push_stalls
{
    static constexpr int threads = 3;

    ring subject{Capacity};
    ledger out;
    bool sent[2] = {};
    bool popped = false;

    void thread(unsigned index)
    {
        if (index == 0)
        {
            consumer self;
            for (int i = 0; i != 2; ++i)
                popped = self.pop(subject, out) == ring_result::done || popped;
        }
        else if (index == 1 || !Close)
            sent[index - 1] = subject.push(value(10 * (index - 1))) == ring_result::done;
        else
        {
            subject.close();
            // Whatever is inside comes out; who is told "closed" has seen all of it.
            consumer self;
            ring_result r;
            while ((r = self.pop(subject, out)) != ring_result::closed)
            {
                require(r != ring_result::blocked, "empty instead of closed");
                weft::detail::yield_thread();
            }
            if (sent[0])
                require(out.has(0) || !popped, "closed, and a value is still inside");
            over = true;
        }
    }

    void after()
    {
        consumer last;
        while (last.pop(subject, out) == ring_result::done)
            require(!over, "a value came after \"closed\"");
        for (unsigned i = 0; i != 2; ++i)
            require(out.has(10 * i) == sent[i], "sent and received are not the same");
    }

    bool over = false;
};
WEFT_SCENARIO_AS("stall.1", exhaustively{3}, a_push_stalls<1, false>);
WEFT_SCENARIO_AS("stall.2", exhaustively{3}, a_push_stalls<2, false>);
WEFT_SCENARIO_AS("close.1", at_random{200000}, a_push_stalls<1, true>);
WEFT_SCENARIO_AS("close.2", at_random{200000}, a_push_stalls<2, true>);

// A ring that is closed and opened again while others push: who was told "done" is in it, who was
// told "closed" is not.
struct closed_and_opened_again
{
    static constexpr int threads = 3;

    ring subject{3};
    ledger out;
    bool sent[2] = {};

    void thread(unsigned index)
    {
        if (index == 2)
        {
            subject.close();
            subject.reopen();
            return;
        }
        ring_result const r = subject.push(value(10 * index));
        require(r == ring_result::done || r == ring_result::closed, "full although there is room");
        sent[index] = r == ring_result::done;
    }

    void after()
    {
        require(!subject.closed(), "closed after it was opened again");
        require(subject.size() == unsigned{sent[0]} + unsigned{sent[1]}, "size");
        push(subject, 20);
        consumer last;
        while (last.pop(subject, out) == ring_result::done)
        {
        }
        for (unsigned i = 0; i != 2; ++i)
            require(out.has(10 * i) == sent[i], "sent and received are not the same");
        require(out.has(20), "the last value was lost");
    }
};
WEFT_SCENARIO_AS("close.reopen", exhaustively{3}, closed_and_opened_again);

// Two full slots' worth of pushes at most, whatever the pops do.
template <unsigned Capacity>
struct never_fuller_than_it_may_be
{
    static constexpr int threads = 3;

    ring subject{Capacity};
    ledger out;
    unsigned pushed = 0;
    unsigned popped = 0;

    void thread(unsigned index)
    {
        if (index < 2)
        {
            for (unsigned i = 0; i != 2; ++i)
                if (subject.push(value(10 * index + i)) == ring_result::done)
                    ++pushed;
        }
        else
        {
            consumer self;
            if (self.pop(subject, out) == ring_result::done)
                ++popped;
        }
        require(subject.size() <= Capacity, "more values than slots");
    }

    void after()
    {
        require(pushed - popped <= Capacity, "more values than slots");
        require(pushed >= Capacity, "full although there was room");
        require(subject.size() == pushed - popped, "size");
        consumer last;
        while (last.pop(subject, out) == ring_result::done)
            ++popped;
        require(pushed == popped, "a value was lost or made");
    }
};
WEFT_SCENARIO_AS("bound.1", at_random{200000}, never_fuller_than_it_may_be<1>);
WEFT_SCENARIO_AS("bound.2", at_random{200000}, never_fuller_than_it_may_be<2>);

// Two threads that each have at most one value in a ring of two.
struct never_full_while_there_is_room
{
    static constexpr int threads = 2;

    ring subject{2};
    ledger out;

    void thread(unsigned index)
    {
        consumer self;
        for (unsigned i = 0; i != 3; ++i)
        {
            ring_result r;
            value v(10 * index + i);
            while ((r = subject.push(std::move(v))) != ring_result::done)
            {
                require(r == ring_result::busy, "full although there was room");
                weft::detail::yield_thread();
            }
            while ((r = self.pop(subject, out)) != ring_result::done)
            {
                require(r == ring_result::busy, "empty although there was a value");
                weft::detail::yield_thread();
            }
        }
    }

    void after()
    {
        out.require_all(2, 3);
    }
};
WEFT_SCENARIO_AS("bound.room", at_random{200000}, never_full_while_there_is_room);

} // namespace
