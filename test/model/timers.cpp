// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sched/timers.hpp>

#include "model/check.hpp"
#include "model/reactor.hpp"

#include <optional>

namespace
{

using model::choose;
using model::require;
using weft::detail::atomic;
using weft::detail::cell;
using weft::detail::memory_order_acquire;
using weft::detail::memory_order_release;
using weft::detail::never;
using weft::detail::timer_ticks;

// A wait whose link, and what became of it, are plain: the race detector is the judge of the locks.
struct wait
{
    cell<wait*> following;
    cell<unsigned> aborted;
    cell<unsigned> ended;

    wait()
    {
        following.set(nullptr);
        aborted.set(0);
        ended.set(0);
    }

    void end()
    {
        ended.set(ended.get() + 1);
    }
};

struct waits
{
    using wait = ::wait;

    static wait* next(wait* w) noexcept
    {
        return w->following.get();
    }

    static void next(wait* w, wait* following) noexcept
    {
        w->following.set(following);
    }

    static void abort(wait* w) noexcept
    {
        w->aborted.set(1);
    }

    static void const* key(wait* w) noexcept
    {
        (void)w->aborted.get();
        return w;
    }
};

using timers = weft::detail::timers<waits, 2>;

constexpr auto end = [](wait* w)
{
    w->end();
};

// A time that comes, and one that does not.
constexpr timer_ticks soon = 1;
constexpr timer_ticks late = 100;

// Who sleeps for all timers.
class sleeper
{
public:
    // Until `count` waits have expired.
    void run(timers& all, model::job_driver& driver, std::size_t count)
    {
        timer_ticks now = 0;
        while (true)
        {
            expired_ += all.take_expired(now, end);
            if (expired_ >= count)
                return;
            timer_ticks const until = all.begin_sleep(never);
            if (until > now)
            {
                model::no_events none;
                (void)driver.wait(how_long(until), none);
            }
            all.end_sleep();
            if (until == soon)
                now = soon;
        }
    }

private:
    static long how_long(timer_ticks until)
    {
        if (until == never)
            return -1;
        return until == soon ? model::job_driver::certain : model::job_driver::perhaps;
    }

    std::size_t expired_ = 0;
};

// Waits are started while somebody goes to sleep, for a time that comes later if at all.
template <int Starters, bool SamePlace>
struct sleeper_is_woken_for_an_earlier_time
{
    static constexpr int threads = 1 + Starters;

    timers all;
    model::job_driver driver;
    sleeper asleep;
    timers::timer late_timer;
    wait late_wait;
    timers::timer timer[Starters];
    wait w[Starters];

    sleeper_is_woken_for_an_earlier_time()
    {
        if (choose(2) == 0)
            (void)all.add(late_timer, false, 0, late, &late_wait);
    }

    void thread(unsigned index)
    {
        if (index == 0)
        {
            asleep.run(all, driver, Starters);
            return;
        }
        unsigned const i = index - 1;
        if (all.add(timer[i], false, SamePlace ? 0 : index, soon, &w[i]))
            driver.interrupt();
    }

    void after()
    {
        for (wait& one : w)
            require(one.ended.get() == 1 && one.aborted.get() == 0, "a wait is not over");
    }
};
WEFT_SCENARIO(exhaustively{3}, sleeper_is_woken_for_an_earlier_time<1, false>);
WEFT_SCENARIO(at_random{50000}, sleeper_is_woken_for_an_earlier_time<1, true>);
WEFT_SCENARIO(at_random{100000}, sleeper_is_woken_for_an_earlier_time<2, false>);
WEFT_SCENARIO(at_random{100000}, sleeper_is_woken_for_an_earlier_time<2, true>);

// The sleeper, awake for one time, goes to sleep for the next.
struct second_sleep_sees_what_the_first_did_not
{
    static constexpr int threads = 2;
    static constexpr unsigned early_wakes = 1;

    timers all;
    model::job_driver driver;
    sleeper asleep;
    timers::timer timer[2];
    wait w[2];

    void thread(unsigned index)
    {
        if (index == 0)
        {
            asleep.run(all, driver, 2);
            return;
        }
        for (unsigned i = 0; i != 2; ++i)
            if (all.add(timer[i], false, i, soon, &w[i]))
                driver.interrupt();
    }

    void after()
    {
        for (wait& one : w)
            require(one.ended.get() == 1, "a wait is not over");
    }
};
WEFT_SCENARIO(at_random{100000}, second_sleep_sees_what_the_first_did_not);

// A wait is cancelled while it expires. Its timer is at its end right after.
struct a_wait_ends_once
{
    static constexpr int threads = 3;

    timers all;
    std::optional<timers::timer> timer{std::in_place};
    wait w[2];
    std::size_t expired[2] = {};
    std::size_t cancelled = 0;

    void thread(unsigned index)
    {
        if (index != 0)
        {
            expired[index - 1] = all.take_expired(soon, end);
            return;
        }
        (void)all.add(*timer, false, 0, soon, &w[0]);
        (void)all.add(*timer, true, 1, soon, &w[1]);
        cancelled = all.cancel(*timer, 1, end);
        cancelled += all.cancel(*timer, 2, end);
        require(timer->release(), "nobody else has it");
        timer.reset();
    }

    void after()
    {
        require(cancelled + expired[0] + expired[1] == 2, "a wait is lost, or ends twice");
        for (wait& one : w)
            require(one.ended.get() == 1, "a wait does not end once");
        require(w[0].aborted.get() + w[1].aborted.get() == cancelled, "another one is aborted");
    }
};
WEFT_SCENARIO(at_random{100000}, a_wait_ends_once);
WEFT_SCENARIO_AS("a_wait_ends_once.few_switches", exhaustively{2}, a_wait_ends_once);

// A wait is cancelled by its key, by one who has a share of the timer; meanwhile it is over, and
// the timer has another one elsewhere.
template <bool Releases>
struct a_key_cancels_its_wait_alone
{
    static constexpr int threads = 2;

    timers all;
    timers::timer timer;
    wait first;
    wait second;
    wait third;

    a_key_cancels_its_wait_alone()
    {
        timer.share();
        (void)all.add(timer, false, 0, soon, &first);
    }

    void thread(unsigned index)
    {
        if (index == 1)
        {
            all.cancel_key(timer, &first, end);
            if (Releases)
                (void)timer.release();
            return;
        }
        (void)all.cancel(timer, 1, end);
        (void)all.add(timer, false, 1, soon, &second);
        (void)all.cancel(timer, 1, end);
        (void)all.add(timer, false, 0, soon, &third);
    }

    void after()
    {
        require(first.ended.get() == 1 && first.aborted.get() == 1, "the wait is not cancelled");
        require(second.ended.get() == 1, "the wait is not cancelled, or twice");
        require(third.ended.get() == 0, "a wait of another key is cancelled");
        require(all.take_all(end) == 1, "a wait is lost");
    }
};
WEFT_SCENARIO(at_random{100000}, a_key_cancels_its_wait_alone<false>);
WEFT_SCENARIO(at_random{100000}, a_key_cancels_its_wait_alone<true>);

// The last owner ends the life of the timer, after all that the others did with it.
struct the_last_owner_is_the_last
{
    static constexpr int threads = 3;

    timers::timer timer;
    cell<unsigned> memory[3];
    atomic<unsigned> lives{1};

    the_last_owner_is_the_last()
    {
        for (cell<unsigned>& m : memory)
            m.set(0);
        timer.share();
        timer.share();
    }

    void thread(unsigned index)
    {
        memory[index].set(1);
        // A wait with a slot that begins and ends, at two threads at once.
        if (index != 2)
        {
            timer.share();
            require(!timer.release(), "the last owner, and another is left");
        }
        if (!timer.release())
            return;
        for (cell<unsigned>& m : memory)
            m.set(2);
        lives.fetch_sub(1, memory_order_release);
    }

    void after()
    {
        require(lives.load(memory_order_acquire) == 0, "nobody was the last owner, or two were");
    }
};
WEFT_SCENARIO(at_random{100000}, the_last_owner_is_the_last);

} // namespace
