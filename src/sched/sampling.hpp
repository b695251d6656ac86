// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_SAMPLING_HPP
#define WEFT_SRC_SCHED_SAMPLING_HPP

// What looks at the clock for others, if timing is sampled: some turns where each is a handler or
// two, some of the operations that are posted from outside, and some of the calls of poll() and its
// like that run a handler or a few. To look at it takes as long as all else in either of the last
// two.

#include <weft/options.hpp>
#include <weft/sched/pace.hpp>
#include <weft/sched/ready_time.hpp>

#include "ready_clock.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace weft
{
namespace detail
{

template <typename Traits>
struct sampling
{
    using shared = shared_state<Traits>;
    using worker = basic_worker<Traits>;

    // Calls that take longer than this all look at the clock.
    static constexpr std::chrono::nanoseconds short_call{10'000};

    // Of short calls one in so many does, or one in so many where they come in quick succession.
    // Odd, since every other call with one handler looks at the clock before it, and the others
    // after it.
    static constexpr unsigned calls_per_sample = 15;
    static constexpr unsigned quick_calls_per_sample = 63;
    static constexpr std::chrono::nanoseconds quick_succession{10'000};

    // Of operations from outside one in 2^n does.
    static constexpr unsigned some = 4;
    static constexpr unsigned few = 6;

    // Of turns of one handler or a few, one in 2^n is timed, unless handlers take so long that it
    // costs nothing. (Measured: 2 % of a server's requests that take 10 us each; 6 % of what a
    // server executes that sleeps before each request.)
    static constexpr unsigned turns = 2;

    // Of those of a worker that does not share, whose handlers take longer, one in 2^n: it looks at
    // the clock as seldom, if it is alone.
    static constexpr unsigned longer_turns = 3;
    static constexpr unsigned many_in_turn = 4;
    static constexpr std::chrono::nanoseconds long_handler{100'000};

    /// Whether a turn of so many handlers is timed, which begins: each, or some of them, each as
    /// likely as all others.
    static bool times_turn(worker const& w, unsigned handlers) noexcept
    {
        return w.measured.mode == timing::all || handlers >= many_in_turn ||
               w.turn.mean() >= long_handler ||
               is_sample(w.count.handlers.value(),
                   w.shares || handlers_are_short(w) ? turns : longer_turns);
    }

    /// Whether the turn that a look begins is timed. Where the worker makes short calls, and does
    /// not sleep, what looks is a sample already.
    static bool times_next_turn(worker const& w) noexcept
    {
        return (!w.shares && w.measured.awake_since == 0 && handlers_are_short(w)) ||
               times_turn(w, w.shares ? 1 : w.turn.handlers());
    }

    /// Whether handlers are neither so short that each turn is timed, nor so long that each is a
    /// turn of its own.
    static bool handlers_are_middling(worker const& w) noexcept
    {
        return !handlers_are_short(w) && w.turn.mean() < long_handler;
    }

    /// For an only worker, when it begins a turn. While it knows that nothing else is due it would
    /// look, and time a handler, at the same places of each round of its queue. So it looks, and
    /// times, after so many handlers as chance says, and counts on from round to round.
    static void begin_gaps(worker& w) noexcept
    {
        if constexpr (Traits::measures::enabled)
        {
            auto& m = w.measured;
            if (!may_go_by_gaps(w))
                m.sample_at = 0;
            else if (m.sample_at == 0)
                m.sample_at = w.count.handlers.value() + gap(w);
        }
    }

    /// After any other look: whether it goes on so.
    static void go_on_with_gaps(shared& s, worker& w) noexcept
    {
        auto& m = w.measured;
        if (m.sample_at != 0 && (s.workers.size() != 1 || w.shares || !may_go_by_gaps(w)))
            m.sample_at = 0;
    }

    /// How many handlers come before the next one that is timed, or more than a turn has.
    static unsigned until_sample(worker const& w) noexcept
    {
        if constexpr (Traits::measures::enabled)
            if (w.measured.sample_at > w.count.handlers.value())
                return static_cast<unsigned>(w.measured.sample_at - w.count.handlers.value());
        return pace::max + 1;
    }

    /// In the middle of a turn of a worker that shares: the next handler is timed as one that is a
    /// turn of its own. (Those that begin turns, which end by time, follow long ones.)
    static void turn_goes_on(worker& w) noexcept
    {
        if constexpr (Traits::measures::enabled)
            if (w.measured.mode != timing::off && times_turn(w, 1))
                w.measured.wanted |= w.measured.is_timed;
    }

    /// Whether the first handler of a call that looks is timed.
    static bool times_call(worker const& w) noexcept
    {
        return handlers_are_short(w) || times_turn(w, 1);
    }

    static bool handlers_are_short(worker const& w) noexcept
    {
        return w.turn.mean() < pace::target / many_in_turn;
    }

    // Turns of as many handlers, and of fewer, differ in length.
    static constexpr unsigned most_alike = 32;

    /// How many handlers the turn that begins has: as many as the worker's pace says, or where that
    /// is a few one less or more. The first of each turn is what is timed: of handlers that come in
    /// turn, four short ones and a long one, it is not to be the same one always.
    static unsigned length_of_turn(worker& w) noexcept
    {
        unsigned usual = w.turn.handlers();
        if constexpr (Traits::measures::enabled)
            if (w.measured.mode == timing::sampled && usual > 1 && usual <= most_alike &&
                !w.turn.fixed())
            {
                std::size_t const spread = w.random_below(4);
                usual = spread == 0 ? usual - 1 : spread == 3 ? usual + 1 : usual;
            }
        return (std::min)(usual, until_sample(w));
    }

    /// Whether an operation from outside looks at the clock, which comes after so many others: not
    /// each 16th, say, for what comes in bursts of 16 to be seen whole. (Fibonacci hashing, as in
    /// Knuth's The Art of Computer Programming, volume 3, 6.4.)
    static bool is_sample(std::uint64_t pushes, unsigned how_many) noexcept
    {
        return static_cast<std::uint32_t>(pushes) * 0x9e3779b9u >> (32 - how_many) == 0;
    }

    /// Since when an operation from outside is ready, which comes after so many others. While all
    /// sleep nobody else looks at the clock.
    static ready_time ready_outside(
        shared& s, std::uint64_t pushes, unsigned how_many = some) noexcept
    {
        if (s.measured.mode() == timing::all)
            return ready_time_at(Traits::clock::now());
        if (is_sample(pushes, how_many))
            return ready_sample(s);
        return ready_clock<Traits>::now_outside(s) | is_estimated;
    }

    [[gnu::noinline]] static ready_time ready_sample(shared& s) noexcept
    {
        ready_time const now = ready_time_at(Traits::clock::now());
        (void)ready_clock<Traits>::tell_others(s, now);
        return now | is_sampled;
    }

    /// Whether a call that begins is one of those that another one stands for: of short ones, by
    /// the only thread inside. Its clock stands still until it looks, if it does.
    static bool misses_call(shared& s, worker& w) noexcept
    {
        auto& m = w.measured;
        if (m.calls_to_miss == 0 || m.ring || s.measured.switches() != m.switches ||
            m.mode != timing::sampled || !s.runner.is_single())
            return false;
        --m.calls_to_miss;
        ++m.calls_missed;
        m.looked = 0;
        m.want(false);
        w.now.store(w.ready_now() | is_estimated, memory_order_relaxed);
        return true;
    }

    /// The worker looks at the clock, for the first time in a call perhaps.
    static void inside_since(worker& w, std::int64_t now) noexcept
    {
        auto& m = w.measured;
        m.inside.begin(now);
        if (m.called_at == 0)
            return;
        std::int64_t const began = std::exchange(m.called_at, 0);
        std::int64_t const lasted = now - began;
        std::int64_t const missed = std::exchange(m.calls_missed, 0u);
        m.inside.add(lasted * missed);
        std::int64_t const passed = began - std::exchange(m.last_called_at, began);
        m.calls_are_quick = passed <= quick_succession.count() * (missed + 1);
        if (lasted > short_call.count())
            m.calls_to_miss = 0;
        else
            m.calls_to_miss = (m.calls_are_quick ? quick_calls_per_sample : calls_per_sample) - 1;
    }

    /// A turn begins with the worker's last look at the clock, the first one in a call perhaps.
    /// Whether its first handler is to be timed.
    static bool turn_begins(worker& w) noexcept
    {
        auto& m = w.measured;
        inside_since(w, m.looked);
        if (m.sample_at != 0 ? !takes_sample(w) : !times_next_turn(w))
            return false;
        m.wanted |= m.is_timed;
        return true;
    }

private:
    static bool may_go_by_gaps(worker const& w) noexcept
    {
        return w.measured.mode == timing::sampled && handlers_are_middling(w);
    }

    static bool takes_sample(worker& w) noexcept
    {
        if (w.count.handlers.value() < w.measured.sample_at)
            return false;
        w.measured.sample_at = w.count.handlers.value() + gap(w);
        return true;
    }

    /// From one to nearly twice as many as without: where the worker sleeps now and then, what runs
    /// after that is not timed more often.
    static std::uint64_t gap(worker& w) noexcept
    {
        std::size_t const mean = std::size_t{w.turn.handlers()} << longer_turns;
        return 1 + w.random_below(2 * mean - 1);
    }
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_SAMPLING_HPP
