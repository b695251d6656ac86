// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/platform/parker.hpp>

#include "model/check.hpp"
#include "model/reactor.hpp"

namespace
{

using weft::detail::atomic;
using weft::detail::cell;
using weft::detail::deadline;
using weft::detail::memory_order_relaxed;
using weft::detail::parker;
using weft::detail::unpark_result;

// park() returns with a token only, and whoever takes the token sees what its sender wrote. An
// owner that sleeps once too often, or reads what is not there yet, is an error.
template <unsigned Rounds>
struct every_park_takes_a_token
{
    static constexpr int threads = 2;
    static constexpr unsigned early_wakes = 2;

    parker there;
    parker back;
    cell<unsigned> data;

    void thread(unsigned index)
    {
        for (unsigned round = 0; round != Rounds; ++round)
        {
            if (index == 0)
            {
                data.set(round);
                model::require(there.unpark() == unpark_result::done, "nobody is in a driver");
                back.park();
            }
            else
            {
                there.park();
                model::require(data.get() == round, "the data is not there");
                model::require(back.unpark() == unpark_result::done, "nobody is in a driver");
            }
        }
    }
};
WEFT_SCENARIO(exhaustively{3}, every_park_takes_a_token<2>);

// The ways in which an owner waits for a token.
enum class waiting
{
    on_the_futex,
    for_a_time,
    in_the_driver,
    anywhere
};

// The flags order nothing: only taking a token makes it certain that its sender's flag is seen. An
// owner that does not see it sleeps for ever.
template <waiting How, int Wakers>
struct no_token_is_lost
{
    static constexpr int threads = 1 + Wakers;
    static constexpr unsigned early_wakes = 2;

    parker sleep;
    model::job_driver driver;
    atomic<unsigned> flags[Wakers];

    no_token_is_lost()
    {
        for (atomic<unsigned>& flag : flags)
            flag.store(0, memory_order_relaxed);
    }

    void thread(unsigned index)
    {
        if (index != 0)
        {
            flags[index - 1].store(1, memory_order_relaxed);
            if (sleep.unpark() == unpark_result::interrupt_driver)
                driver.interrupt();
            return;
        }
        while (!all_set())
            wait(How == waiting::anywhere ? static_cast<waiting>(model::choose(3)) : How);
    }

    bool all_set() const
    {
        for (atomic<unsigned> const& flag : flags)
            if (flag.load(memory_order_relaxed) == 0)
                return false;
        return true;
    }

    void wait(waiting how)
    {
        if (how == waiting::on_the_futex)
            sleep.park();
        else if (how == waiting::for_a_time)
            sleep.park_until(deadline{});
        else if (sleep.enter_driver())
        {
            model::no_events none;
            driver.wait(-1, none);
            sleep.leave_driver();
        }
    }
};
WEFT_SCENARIO(exhaustively{3}, no_token_is_lost<waiting::on_the_futex, 2>);
WEFT_SCENARIO(exhaustively{2}, no_token_is_lost<waiting::for_a_time, 2>);
WEFT_SCENARIO(exhaustively{2}, no_token_is_lost<waiting::in_the_driver, 2>);
WEFT_SCENARIO(at_random{200000}, no_token_is_lost<waiting::anywhere, 3>);

// Time limits alone wake an owner that nobody unparks.
struct time_limit_ends_the_sleep
{
    static constexpr int threads = 2;
    static constexpr unsigned early_wakes = 1;

    parker sleep;
    cell<unsigned> rounds;

    void thread(unsigned index)
    {
        if (index == 0)
        {
            sleep.park_until(deadline{true});
            sleep.park_until(deadline{true});
            rounds.set(2);
        }
        else
            (void)sleep.unpark();
    }

    void after()
    {
        model::require(rounds.get() == 2, "the owner still sleeps");
    }
};
WEFT_SCENARIO(at_random{20000}, time_limit_ends_the_sleep);

} // namespace
