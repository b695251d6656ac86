// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What a busy worker does between two turns: it looks at the clock, and at everything that may have
// waited longer than its own work. Local where handlers are short, global where they are long: the
// longer they are, the closer the order of all is to first come, first served
// (doc/design/decisions/0009, doc/design/simulation.md).

#include <weft/sched/scheduler.hpp>

#include <weft/platform/backoff.hpp>
#include <weft/platform/narrow.hpp>

#include <algorithm>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

namespace
{

constexpr std::chrono::nanoseconds zero{0};

// What makes handlers long: at 10 us of work a request, one queue for all answers as soon as Asio's
// does. For many workers, that none waits for its lock (doc/design/simulation.md).
constexpr std::chrono::microseconds long_handler{5};
constexpr std::chrono::nanoseconds lock_transfer{125};

// A few times what it takes to wake somebody. Guessed.
constexpr std::chrono::microseconds patience{50};

// The common clock need not be more exact than this, and is not written more often.
constexpr std::chrono::microseconds clock_step{16};

// Time between two looks into the reactor, by whatever workers, while there is other work. A look
// costs about 1 us, and less for each event if there are more: those whose data have been read
// meanwhile are not reported.
constexpr std::chrono::nanoseconds shortest_poll_period = std::chrono::microseconds(50);
constexpr std::chrono::nanoseconds longest_poll_period = std::chrono::microseconds(1000);

// Time between two looks of a busy worker at others; and at how many, for a look costs both sides
// up to some hundred nanoseconds: one for each of these intervals, at least one.
constexpr std::chrono::nanoseconds neighbour_period = std::chrono::microseconds(20);
constexpr std::chrono::nanoseconds period_of_each = std::chrono::microseconds(8);

// What is that much older than one's own is taken from others, unless handlers are so long that it
// makes no difference.
constexpr std::chrono::microseconds least_slack{50};

// What is queued behind a handler that takes so long does not wait for it, be it as short as it
// may.
constexpr std::chrono::nanoseconds stuck = std::chrono::microseconds(200);

bool is_long(std::chrono::nanoseconds handler) noexcept
{
    return handler >= long_handler;
}

} // namespace

/// Interrupts the work in the worker's own queues, when a turn is over. True if it found something
/// that goes first: what has waited longer than what is in these queues.
bool scheduler::look_elsewhere(worker& w, ready_operation& op)
{
    read_clock(w);
    if (w.tick_left == 0 || reactor_is_due(w))
        tick(w);
    // Nothing goes before the continuation of the handler that has just run, while that has its
    // turn. The next look comes right after it.
    bool const continues = !w.lifo.empty() && w.lifo_run < options_.lifo_limit && !w.turn.fixed();
    unsigned const turn = (std::min)(continues ? 1u : w.turn.handlers(), w.tick_left);
    w.turn_start = w.tick_left;
    w.run_left = turn;
    w.tick_left -= turn;
    w.early_left = worker::most_early;

    if (continues)
    {
        if (w.shares)
            (void)share(w, nullptr);
        return false;
    }

    ready_time const now = ready_now(w);
    ready_time since;
    auto oldest = zero;
    bool const has_own = w.ring.oldest(since);
    if (has_own)
        oldest = age(since, now);
    // Alone, the order is that of one queue: the injection queue's turn comes with the empty ring.
    bool injected = false;
    if (!inject_.empty() && !runner_.is_single())
    {
        auto const waited = age(inject_.oldest(), now);
        injected = !has_own || w.turn.fixed() || waited > oldest;
        if (injected)
            oldest = (std::max)(oldest, waited);
    }
    // Alone, too: a thread that has left, or blocks, may have left something behind.
    bool goes_first = workers_.size() != 1 && take_older(w, oldest, op);
    if (w.shares && share(w, goes_first ? nullptr : &op))
        goes_first = true;
    goes_first = goes_first || (injected && find_injected(w, op));
    wake_in_place_of_searchers(w);
    if (!goes_first)
        return false;
    --w.run_left;
    w.lifo_run = 0;
    return true;
}

void scheduler::read_clock(worker& w) noexcept
{
    auto const now = std::chrono::steady_clock::now();
    // Early completions count as handlers.
    if (w.turn_start != 0 && w.turn_start != w.tick_left)
        w.turn.record(w.turn_start - w.tick_left, now - w.looked);
    w.looked = now;
    ready_time const at = ready_time_at(now);
    w.now.store(at, memory_order_relaxed);
    if (age(now_.load(memory_order_relaxed), at) >= clock_step)
        now_.store(at, memory_order_relaxed);
    w.shares = handlers_are_long(w);
}

/// Whether the lock of the queue of all is nothing beside the handlers of all workers.
bool scheduler::handlers_are_long(worker& w) const noexcept
{
    // Who looks after a fixed number of handlers is not to wait for others that long.
    if (runner_.is_single() || w.turn.fixed())
        return false;
    auto const bound = (std::max)(
        std::chrono::nanoseconds(long_handler), std::int64_t{idle_.active()} * lock_transfer);
    return w.turn.mean() >= (w.shares ? bound / 2 : bound);
}

/// For a worker whose handlers are long: what is in its ring goes to the queue of all, from which
/// everybody takes in order; but not what is older than that queue, and would come to stand at its
/// end. If nothing stays, and `first` is not null, the oldest of that queue is taken: true. Each
/// handler costs that queue's lock once or twice, which is nothing beside what it does.
bool scheduler::share(worker& w, ready_operation* first) noexcept
{
    auto ring = w.owned_ring();
    std::uint32_t const size = ring.size();
    // The only entry there is is for this worker: it has come to its turn.
    if (size == 0 || (size == 1 && inject_.empty()))
        return false;
    ready_time const now = ready_now(w);
    auto const waited =
        inject_.empty() ? std::chrono::nanoseconds::max() : age(inject_.oldest(), now);
    common_queue::item entries[ring_queue::capacity];
    std::size_t count = 0;
    std::size_t kept = 0;
    ready_operation entry;
    for (ready_time since; count != ring_queue::capacity && ring.pop(entry, since); ++count)
    {
        entries[count] = {entry.op, narrow<std::uint32_t>(entry.result), since};
        if (kept == count && age(since, now) >= waited)
            ++kept;
    }
    common_queue::item taken{};
    std::size_t moved = 0;
    if (first && kept == 0)
        moved = inject_.exchange(entries, count, taken);
    else if (kept != count)
        moved = inject_.push(entries + kept, count - kept);
    // Those that stay, and if there is no memory others: they come out of this ring. They fit,
    // unless a thief is just copying what it has claimed.
    for (std::size_t i = 0; i != count; ++i)
    {
        if (i >= kept && i < kept + moved)
            continue;
        while (!ring.push(ready_operation(entries[i].node, entries[i].result), entries[i].stamp))
            yield_thread();
    }
    published_by_worker();
    if (!taken.node)
        return false;
    w.count.injection_fetches.add(1);
    *first = entry_of(taken);
    return true;
}

/// A searcher stands for all who sleep: nobody is woken while one searches. But it may have been
/// woken, and wait for a core; meanwhile what it would find waits too, and another core may have
/// nothing to do. So if there has been work for others for a while, one more is woken.
void scheduler::wake_in_place_of_searchers(worker& w) noexcept
{
    if (idle_.parked() == 0 || w.ring.size() + inject_.size() < 2)
    {
        w.neglected = 0;
        return;
    }
    if (w.neglected == 0)
        w.neglected = ready_now(w) | 1;
    else if (age(w.neglected, ready_now(w)) >= patience)
    {
        w.neglected = 0;
        wake(idle_.claim_one(idle::searchers::do_not_count));
    }
}

/// Ends a tick: looks into the reactor.
void scheduler::tick(worker& w)
{
    if (!w.ring.empty() || !w.lifo.empty())
        w.count.budget_yields.add(1);
    w.tick_left = options_.tick_budget;
    polled_.store(ready_now(w), memory_order_relaxed);
    settle_inner_work(w);
    poll_driver(w);
}

/// Whether a worker with other work should look into the reactor: once in a round, when it has run
/// what was queued at the last look, but neither too often nor too seldom.
bool scheduler::reactor_is_due(worker& w) const noexcept
{
    auto const since = since_polled(ready_now(w));
    if (since < shortest_poll_period)
        return false;
    // Or when little is left: nobody should run out of work that is there.
    ready_time own;
    auto const later = [last = polled_.load(memory_order_relaxed)](ready_time stamp)
    {
        return age(last, stamp) > zero;
    };
    return since >= longest_poll_period || w.ring.size() + inject_.size() < 2 * idle_.active() ||
           ((inject_.empty() || later(inject_.oldest())) && (!w.ring.oldest(own) || later(own)));
}

/// Whether nobody has just looked into the reactor.
bool scheduler::reactor_may_be_due(ready_time now) const noexcept
{
    return since_polled(now) >= shortest_poll_period;
}

/// The time since the last look into the reactor; more, if there are many workers: they look more
/// often, so that each does as often as one of a few.
std::chrono::nanoseconds scheduler::since_polled(ready_time now) const noexcept
{
    return age(polled_.load(memory_order_relaxed), now) * (std::max)(idle_.active() / 2, 1u);
}

/// For a busy worker: takes what has waited longer than what it would run next, which has waited
/// for `than`, from another worker. Nobody idle comes for that as long as everybody has work of
/// their own, and it may wait for long: there is more of it there, or the handler that runs there
/// is long, or blocks, or its thread has lost its core to another.
bool scheduler::take_older(worker& w, std::chrono::nanoseconds than, ready_operation& op) noexcept
{
    auto const period = is_long(w.turn.mean()) ? neighbour_period : stuck;
    auto const elapsed = w.looked - w.looked_at_neighbour;
    if (w.turn.handlers() != 1 && elapsed < period)
        return false;
    w.looked_at_neighbour = w.looked;
    // All in turn, beginning with whoever had something the last time: there may be more of it.
    std::size_t const last = workers_.size() - 1;
    auto const affordable = 1 + narrow<std::uint64_t>(elapsed / period_of_each);
    for (auto looks = (std::min)(std::uint64_t{last}, affordable); looks != 0; --looks)
    {
        if (w.neighbour > last)
            w.neighbour = 0;
        if (w.neighbour == w.index)
            w.neighbour = w.index == last ? 0 : w.index + 1;
        if (take_from_neighbour(workers_[w.neighbour], w, than, op))
            return true;
        ++w.neighbour;
    }
    return false;
}

bool scheduler::take_from_neighbour(
    worker& other, worker& w, std::chrono::nanoseconds than, ready_operation& op) noexcept
{
    // Moving an entry costs both sides some hundred nanoseconds, and is worth that only if it saves
    // a wait.
    auto const enough = than + (std::max)(std::chrono::nanoseconds(least_slack), 2 * w.turn.mean());
    ready_time const now = ready_now(w);
    auto const wanted = [&](ready_time since)
    {
        return age(since, now) > enough;
    };
    // Where handlers are short it is run there in a moment, unless that worker is in a long one.
    bool const in_a_handler = age(ready_now(other), now) > stuck;
    ready_time since;
    if ((in_a_handler || is_long(w.turn.mean())) && other.ring.oldest(since) && wanted(since))
    {
        // As many as last until the next look.
        std::uint32_t const taken =
            other.stealable_ring().steal_if(w.owned_ring(), op, w.turn.handlers(), wanted);
        if (taken != 0)
        {
            // Of use, whatever comes of it.
            w.lone.forget();
            stolen(other, w, taken);
            return true;
        }
    }
    // The continuation of a handler that does not end.
    return options_.lifo_stealing != lifo_stealing::off && !other.lifo.empty() && in_a_handler &&
           take_slot_of(other, w, op);
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
