// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sync/shared_mutex_state.hpp>
#include <weft/sync/who_waits.hpp>

#include "model/check.hpp"
#include "model/semaphore_under_test.hpp"

#include <cstdint>

namespace
{

using model::choose;
using model::require;
using weft::detail::acquisition;
using weft::detail::cell;
using shared_mutex = weft::detail::shared_mutex_state;

// One that waits, and sleeps until it is handed its permits. Whoever hands it over writes to it as
// its owner: the race detector finds anybody else who still uses it.
class sleeper : public weft::detail::waiter
{
public:
    void hand_over(std::uint32_t outcome)
    {
        using namespace weft::detail;
        wanted.set(0);
        held.set(0);
        require(state_.exchange(outcome, memory_order_acq_rel) == 0, "handed over twice");
        futex_wake(state_, 1);
    }

    std::uint32_t sleep()
    {
        using namespace weft::detail;
        while (state_.load(memory_order_acquire) == 0)
            futex_wait(state_, 0);
        std::uint32_t const outcome = state_.exchange(0, memory_order_acq_rel);
        wanted.set(0);
        held.set(0);
        return outcome;
    }

private:
    weft::detail::atomic<std::uint32_t> state_{0};
};

constexpr std::uint32_t granted = 1;
constexpr std::uint32_t taken_out = 2;

constexpr auto grant = [](weft::detail::waiter& w)
{
    static_cast<sleeper&>(w).hand_over(granted);
};

constexpr auto take_out = [](weft::detail::waiter& w, acquisition a)
{
    static_cast<sleeper&>(w).hand_over(a == acquisition::acquired ? granted : taken_out);
};

// True when it has the permits. One that is not patient gives up as soon as it has to wait.
template <typename Semaphore>
bool obtain(Semaphore& s, sleeper& self, std::uint64_t n, bool patient = true)
{
    switch (s.acquire(self, n))
    {
    case acquisition::acquired:
        return true;
    case acquisition::closed:
    case acquisition::cancelled:
        return false;
    case acquisition::waiting:
        break;
    }
    weft::detail::served_list served;
    bool const gives_up = !patient && s.cancel(self, served);
    weft::detail::resume_all(served, grant);
    if (gives_up)
    {
        self.wanted.set(0);
        self.held.set(0);
        return false;
    }
    return self.sleep() == granted;
}

// What the holders touch.
struct counter : cell<unsigned>
{
    counter()
    {
        set(0);
    }
};

// The data race detector is the judge of exclusion, the deadlock detector that of lost permits.
template <int Threads, unsigned Rounds, bool Impatient>
struct holders_exclude_each_other
{
    static constexpr int threads = Threads;

    model::semaphore lock{1};
    sleeper sleepers[Threads];
    counter count;
    unsigned given_up[Threads] = {};

    void thread(unsigned index)
    {
        for (unsigned i = 0; i != Rounds; ++i)
        {
            if (!obtain(lock, sleepers[index], 1, !Impatient || index == 0))
            {
                ++given_up[index];
                continue;
            }
            count.set(count.get() + 1);
            lock.release(1, grant);
        }
    }

    void after()
    {
        unsigned expected = Threads * Rounds;
        for (unsigned const n : given_up)
            expected -= n;
        require(count.get() == expected, "a critical section was lost");
        require(lock.available() == 1, "a permit was lost or made");
    }
};
WEFT_SCENARIO_AS("exclude.two", exhaustively{3}, holders_exclude_each_other<2, 2, false>);
WEFT_SCENARIO_AS("exclude.three", at_random{60000}, holders_exclude_each_other<3, 2, false>);
WEFT_SCENARIO_AS("exclude.impatient_two", exhaustively{3}, holders_exclude_each_other<2, 2, true>);
WEFT_SCENARIO_AS(
    "exclude.impatient_three", at_random{60000}, holders_exclude_each_other<3, 2, true>);

// As holders_exclude_each_other, by the short ways of weft::mutex: with a guess at how many permits
// are free, and for one that is given back while most likely nobody waits.
template <int Threads, unsigned Rounds>
struct short_ways_exclude_each_other
{
    static constexpr int threads = Threads;

    weft::detail::semaphore_state lock{1};
    sleeper sleepers[Threads];
    counter count;

    void thread(unsigned index)
    {
        for (unsigned i = 0; i != Rounds; ++i)
        {
            if (!lock.try_acquire_one_of(1) && !obtain(lock, sleepers[index], 1))
                require(false, "not in a lock that nobody closes");
            count.set(count.get() + 1);
            lock.release_only(grant);
        }
    }

    void after()
    {
        require(count.get() == Threads * Rounds, "a critical section was lost");
        require(lock.available() == 1, "a permit was lost or made");
    }
};
WEFT_SCENARIO_AS("short.two", exhaustively{3}, short_ways_exclude_each_other<2, 2>);
WEFT_SCENARIO_AS("short.three", at_random{30000}, short_ways_exclude_each_other<3, 2>);

// Somebody looks at those that wait: reads what they have written, and nobody is lost.
template <bool Impatient>
struct waiters_are_looked_at
{
    static constexpr int threads = 3;

    weft::detail::semaphore_state lock{1};
    sleeper sleepers[2];
    counter count;
    unsigned given_up = 0;

    void thread(unsigned index)
    {
        for (unsigned i = 0; i != 2; ++i)
        {
            if (index == 2)
                lock.for_each_waiting(
                    [](weft::detail::waiter& w) { require(w.wanted.get() == 1, "is no waiter"); });
            else if (obtain(lock, sleepers[index], 1, !Impatient || index == 0))
            {
                count.set(count.get() + 1);
                lock.release(1, grant);
            }
            else
                ++given_up;
        }
    }

    void after()
    {
        require(count.get() + given_up == 4, "a critical section was lost");
        require(lock.available() == 1, "a permit was lost or made");
    }
};
WEFT_SCENARIO_AS("looked_at.patient", at_random{60000}, waiters_are_looked_at<false>);
WEFT_SCENARIO_AS("looked_at.impatient", at_random{60000}, waiters_are_looked_at<true>);

// Permits come one by one, from others than those that wait; some want more than one.
template <unsigned First, unsigned Second, bool Impatient>
struct permits_come_one_by_one
{
    static constexpr int threads = 4;

    model::semaphore permits{0};
    sleeper sleepers[2];
    unsigned got = 0;

    void thread(unsigned index)
    {
        if (index == 0)
            got += obtain(permits, sleepers[0], First, !Impatient) ? First : 0;
        else if (index == 1)
            got += obtain(permits, sleepers[1], Second) ? Second : 0;
        else
        {
            unsigned const all = First + Second;
            for (unsigned i = index - 2; i < all; i += 2)
                permits.release(1, grant);
        }
    }

    void after()
    {
        require(permits.available() + got == First + Second, "a permit was lost or made");
    }
};
WEFT_SCENARIO_AS("singly.1_1", at_random{30000}, permits_come_one_by_one<1, 1, false>);
WEFT_SCENARIO_AS("singly.2_1", at_random{60000}, permits_come_one_by_one<2, 1, false>);
WEFT_SCENARIO_AS("singly.2_2", at_random{60000}, permits_come_one_by_one<2, 2, false>);
WEFT_SCENARIO_AS("singly.impatient_2_2", at_random{60000}, permits_come_one_by_one<2, 2, true>);

// Somebody cancels or closes while others come and go.
template <bool Close>
struct all_are_taken_out
{
    static constexpr int threads = 4;

    model::semaphore permits{1};
    sleeper sleepers[2];
    unsigned outcomes[2] = {};

    void thread(unsigned index)
    {
        if (index < 2)
        {
            bool const has = obtain(permits, sleepers[index], index + 1, choose(2) == 0);
            outcomes[index] = has ? index + 1 : 0;
        }
        else if (index == 2)
            permits.release(1, grant);
        else if (Close)
            permits.close(take_out);
        else
        {
            // One that comes later would wait for ever without it.
            permits.cancel_all(take_out);
            permits.release(2, grant);
        }
    }

    void after()
    {
        unsigned const all = Close ? 2 : 4;
        require(
            permits.available() + outcomes[0] + outcomes[1] == all, "a permit was lost or made");
        if (Close)
            require(!permits.try_acquire(1), "permits after the end");
    }
};
WEFT_SCENARIO_AS("taken_out.cancel", at_random{60000}, all_are_taken_out<false>);
WEFT_SCENARIO_AS("taken_out.close", at_random{60000}, all_are_taken_out<true>);

// Readers and writers: a writer has it for itself, and one that gives up lets the others in.
template <int Writers, int Readers, bool Impatient>
struct readers_and_writers
{
    static constexpr int threads = Writers + Readers;

    shared_mutex lock;
    sleeper sleepers[threads];
    counter value;
    unsigned given_up = 0;

    void thread(unsigned index)
    {
        if (index >= Writers)
        {
            if (!obtain(lock, sleepers[index], shared_mutex::reader))
                require(false, "a reader did not get in");
            (void)value.get();
            lock.release(shared_mutex::reader, grant);
            return;
        }
        if (!obtain(lock, sleepers[index], shared_mutex::writer, !Impatient))
        {
            ++given_up;
            return;
        }
        value.set(value.get() + 1);
        if (index == 0)
        {
            lock.downgrade(grant);
            (void)value.get();
            if (lock.try_upgrade())
            {
                value.set(value.get() + 1);
                value.set(value.get() - 1);
                lock.release(shared_mutex::writer, grant);
            }
            else
                lock.release(shared_mutex::reader, grant);
        }
        else
            lock.release(shared_mutex::writer, grant);
    }

    void after()
    {
        require(value.get() + given_up == Writers, "a write was lost");
        require(lock.available() == shared_mutex::max_readers, "a permit was lost or made");
    }
};
WEFT_SCENARIO_AS("readers.1_2", at_random{40000}, readers_and_writers<1, 2, false>);
WEFT_SCENARIO_AS("readers.impatient_1_3", at_random{60000}, readers_and_writers<1, 3, true>);
WEFT_SCENARIO_AS("readers.impatient_2_2", at_random{60000}, readers_and_writers<2, 2, true>);

} // namespace
