// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/queue/strand_state.hpp>

#include "model/check.hpp"

#include <memory>
#include <utility>

namespace
{

using model::require;
using weft::detail::atomic;
using weft::detail::cell;

// A handler: who submitted it, and as which of its own.
struct node
{
    cell<node*> following;
    cell<unsigned> poster;
    cell<unsigned> number;
};

struct link
{
    static node* next(node* n)
    {
        return n->following.get();
    }

    static void next(node* n, node* following)
    {
        n->following.set(following);
    }
};

using state = weft::detail::strand_state<node, link>;

// What handlers do: everything here is in the strand, and for one thread at a time.
struct protected_by_the_strand
{
    static constexpr unsigned most_threads = 3;

    cell<unsigned> next_of[most_threads];
    cell<unsigned> calls;

    protected_by_the_strand()
    {
        for (auto& n : next_of)
            n.set(0);
        calls.set(0);
        holders.set(0);
    }

    void run(node& n)
    {
        unsigned const poster = n.poster.get();
        require(next_of[poster].get() == n.number.get(), "out of order, or twice");
        next_of[poster].set(n.number.get() + 1);
        called();
    }

    void called()
    {
        calls.set(calls.get() + 1);
    }

    // What a holder has, and the next one gets.
    cell<unsigned> holders;

    void held()
    {
        holders.set(holders.get() + 1);
    }
};

// Several threads submit to a strand, and run what is in it where that makes them the holder; the
// last of them dispatches. Each has a reference, which it gives up when it has submitted.
template <int Threads, unsigned Posts, bool Dispatches, bool GivesReference>
struct everything_runs_once_and_in_order
{
    static constexpr int threads = Threads;

    std::unique_ptr<state> strand = std::make_unique<state>();
    atomic<unsigned> gone{0};
    protected_by_the_strand inside;
    atomic<unsigned> dispatched{0};

    // Read by whoever needs the strand, written by whoever destroys it.
    cell<unsigned> needed;
    node nodes[Threads * Posts];

    everything_runs_once_and_in_order()
    {
        needed.set(1);
        for (int i = 1; i != Threads; ++i)
            strand->add_reference(false);
    }

    void destroy()
    {
        require(gone.exchange(1, weft::detail::memory_order_relaxed) == 0, "destroyed twice");
        needed.set(0);
        strand.reset();
    }

    // As the core does it, if it is never submitted to another thread.
    void hold(state& s)
    {
        inside.held();
        for (;;)
        {
            require(needed.get() == 1, "it is gone");
            node* n = s.take_all();
            while (n)
            {
                node* const following = link::next(n);
                // A handler copies the strand, and destroys the copy.
                s.add_reference(true);
                inside.run(*n);
                require(!s.remove_reference(true), "the holder's was not the last reference");
                n = following;
            }
            switch (s.leave())
            {
            case state::departure::refused:
                break;
            case state::departure::left:
                return;
            case state::departure::last:
                destroy();
                return;
            }
        }
    }

    void thread(unsigned index)
    {
        state& s = *strand;
        for (unsigned i = 0; i != Posts; ++i)
        {
            if (Dispatches && index == Threads - 1)
            {
                if (s.try_hold())
                {
                    inside.called();
                    dispatched.fetch_add(1, weft::detail::memory_order_relaxed);
                    hold(s);
                }
                continue;
            }
            node& n = nodes[index * Posts + i];
            n.poster.set(index);
            n.number.set(i);
            require(needed.get() == 1, "it is gone");
            if (GivesReference && i == Posts - 1)
            {
                if (s.push_with_reference(&n))
                    hold(s);
                else if (s.remove_reference(false))
                    destroy();
                return;
            }
            if (s.push(&n))
                hold(s);
        }
        require(needed.get() == 1, "it is gone");
        if (s.remove_reference(false))
            destroy();
    }

    void after()
    {
        require(gone.load(weft::detail::memory_order_relaxed) == 1, "not destroyed");
        unsigned const posters = Threads - (Dispatches ? 1 : 0);
        require(inside.calls.get() ==
                    posters * Posts + dispatched.load(weft::detail::memory_order_relaxed),
            "a handler was lost");
    }
};
WEFT_SCENARIO_AS(
    "posts.2x1", exhaustively{3}, everything_runs_once_and_in_order<2, 1, false, false>);
WEFT_SCENARIO_AS(
    "posts.2x2", at_random{100000}, everything_runs_once_and_in_order<2, 2, false, false>);
WEFT_SCENARIO_AS(
    "posts.3x2", at_random{100000}, everything_runs_once_and_in_order<3, 2, false, false>);
WEFT_SCENARIO_AS(
    "dispatch.2x2", at_random{100000}, everything_runs_once_and_in_order<2, 2, true, false>);
WEFT_SCENARIO_AS(
    "dispatch.3x2", at_random{100000}, everything_runs_once_and_in_order<3, 2, true, true>);
WEFT_SCENARIO_AS(
    "given.2x2", at_random{100000}, everything_runs_once_and_in_order<2, 2, false, true>);

// A handler makes copies of the strand, of which another thread destroys one, at any time; the
// original is destroyed in the handler.
struct copies_leave_the_strand
{
    static constexpr int threads = 2;

    std::unique_ptr<state> strand = std::make_unique<state>();
    atomic<unsigned> gone{0};
    atomic<state*> given{nullptr};
    node n;

    void destroy()
    {
        require(gone.exchange(1, weft::detail::memory_order_relaxed) == 0, "destroyed twice");
        strand.reset();
    }

    void thread(unsigned index)
    {
        if (index == 0)
        {
            state& s = *strand;
            require(s.push(&n), "nobody holds it");
            require(s.take_all() == &n, "it is there");
            s.add_reference(true);
            s.add_reference(true);
            require(!s.remove_reference(true), "there are others");
            require(!s.remove_reference(true), "there are others");
            s.add_reference(true);
            given.store(&s, weft::detail::memory_order_release);
            require(!s.remove_reference(true), "there is the holder's");
            switch (s.leave())
            {
            case state::departure::refused:
                require(false, "nobody has submitted anything");
                break;
            case state::departure::left:
                break;
            case state::departure::last:
                destroy();
            }
        }
        else
        {
            state* const s = given.load(weft::detail::memory_order_acquire);
            if (!s)
                return;
            taken = true;
            if (s->remove_reference(false))
                destroy();
        }
    }

    bool taken = false;

    void after()
    {
        if (!taken && given.load(weft::detail::memory_order_relaxed)->remove_reference(false))
            destroy();
        require(gone.load(weft::detail::memory_order_relaxed) == 1, "not destroyed");
    }
};
WEFT_SCENARIO_AS("copies", exhaustively{4}, copies_leave_the_strand);

// Who sees that there is no other reference sees what was done by those that had one.
struct the_only_reference_is_seen
{
    static constexpr int threads = 2;

    state strand;
    cell<unsigned> used;

    the_only_reference_is_seen()
    {
        strand.add_reference(false);
    }

    void thread(unsigned index)
    {
        if (index == 0)
        {
            used.set(1);
            require(!strand.remove_reference(false), "there is another");
        }
        else if (strand.is_unused())
            used.set(2);
    }
};
WEFT_SCENARIO(exhaustively{3}, the_only_reference_is_seen);

} // namespace
