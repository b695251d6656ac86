// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/queue/local_queue.hpp>

#include "model/check.hpp"

#include <cstdint>

namespace
{

using queue = weft::detail::local_queue<unsigned, 4>;

// Near the end of the positions, so that every counter wraps within a few entries.
constexpr std::uint32_t near_the_end = 0xfffffffd;

constexpr std::uint32_t stamp_of(unsigned entry)
{
    return 100 + entry;
}

// Counts how often each entry came out.
template <unsigned Count>
class ledger
{
public:
    void came_out(unsigned entry)
    {
        model::require(entry < Count, "an entry that was never put in");
        ++seen_[entry];
        model::require(seen_[entry] == 1, "an entry came out twice");
    }

    void came_out(unsigned entry, std::uint32_t stamp)
    {
        came_out(entry);
        model::require(stamp == stamp_of(entry), "the stamp of another entry");
    }

    void drain(queue& q)
    {
        unsigned entry;
        std::uint32_t stamp;
        while (queue::owner(q).pop(entry, stamp))
            came_out(entry, stamp);
    }

    void require_all() const
    {
        for (unsigned const times : seen_)
            model::require(times == 1, "an entry was lost");
    }

private:
    unsigned seen_[Count] = {};
};

// What a scheduler does with a worker's own work: push, spill if full, pop in between.
template <unsigned Count>
void own(queue& q, ledger<Count>& out, unsigned pops)
{
    queue::owner owner(q);
    unsigned entry;
    std::uint32_t stamp;
    for (unsigned i = 0; i != Count; ++i)
    {
        if (!owner.push(i, stamp_of(i)))
        {
            owner.spill([](unsigned) { return true; },
                [&](unsigned e, std::uint32_t s) { out.came_out(e, s); });
            if (!owner.push(i, stamp_of(i)))
                out.came_out(i);
        }
        model::require(owner.size() <= queue::capacity, "more entries than slots");
        model::require(owner.free_slots() <= queue::capacity, "more free slots than slots");
        if (i % 2 == 1 && pops-- != 0 && owner.pop(entry, stamp))
            out.came_out(entry, stamp);
    }
    while (owner.pop(entry, stamp))
        out.came_out(entry, stamp);
}

template <unsigned Count>
void rob(queue& victim, queue& into, ledger<Count>& out, unsigned attempts)
{
    unsigned entry;
    while (attempts-- != 0)
    {
        std::uint32_t seen = 0;
        std::uint32_t const taken = queue::thief(victim).steal_if(queue::owner(into), entry, 4,
            [&](std::uint32_t stamp)
            {
                seen = stamp;
                return true;
            });
        model::require(taken <= queue::capacity, "more entries stolen than slots");
        if (taken == 0)
            continue;
        out.came_out(entry, seen);
        for (std::uint32_t i = 1; i != taken; ++i)
        {
            std::uint32_t stamp;
            model::require(queue::owner(into).pop(entry, stamp), "a stolen entry is missing");
            out.came_out(entry, stamp);
        }
    }
}

// Two rings, of which one is robbed.
template <unsigned Count>
struct one_is_robbed
{
    queue victim{near_the_end};
    queue mine{near_the_end};
    ledger<Count> out;

    void after()
    {
        out.drain(victim);
        out.drain(mine);
        out.require_all();
    }
};

template <std::uint32_t First>
struct owner_pops_while_a_thief_steals
{
    static constexpr int threads = 2;

    queue victim{First};
    queue mine{First};
    ledger<4> out;

    void thread(unsigned index)
    {
        if (index == 0)
            own(victim, out, 2);
        else
            rob(victim, mine, out, 2);
    }

    void after()
    {
        out.drain(victim);
        out.require_all();
    }
};
WEFT_SCENARIO(exhaustively{2}, owner_pops_while_a_thief_steals<0>);
WEFT_SCENARIO(at_random{100000}, owner_pops_while_a_thief_steals<near_the_end>);

struct owner_pops_while_two_thieves_steal
{
    static constexpr int threads = 3;

    queue victim{near_the_end};
    queue mine[2] = {queue{near_the_end}, queue{near_the_end}};
    ledger<5> out;

    void thread(unsigned index)
    {
        if (index == 0)
            own(victim, out, 1);
        else
            rob(victim, mine[index - 1], out, 2);
    }

    void after()
    {
        out.drain(victim);
        out.require_all();
    }
};
WEFT_SCENARIO(at_random{100000}, owner_pops_while_two_thieves_steal);

// Never pops before the end, so that the ring overflows.
template <std::uint32_t First>
struct full_ring_spills_while_a_thief_steals
{
    static constexpr int threads = 2;

    queue victim{First};
    queue mine{First};
    ledger<7> out;

    void thread(unsigned index)
    {
        if (index == 0)
            own(victim, out, 0);
        else
            rob(victim, mine, out, 2);
    }

    void after()
    {
        out.drain(victim);
        out.require_all();
    }
};
WEFT_SCENARIO(exhaustively{2}, full_ring_spills_while_a_thief_steals<0>);
WEFT_SCENARIO(at_random{100000}, full_ring_spills_while_a_thief_steals<near_the_end>);

// Spills with room left: what stays in the ring is written to other places there.
struct ring_spills_before_it_is_full : one_is_robbed<3>
{
    static constexpr int threads = 2;

    void thread(unsigned index)
    {
        if (index == 1)
        {
            rob(victim, mine, out, 2);
            return;
        }
        queue::owner owner(victim);
        for (unsigned i = 0; i != 3; ++i)
            model::require(owner.push(i, stamp_of(i)), "no place in a ring with room");
        owner.spill([](unsigned) { return true; },
            [&](unsigned e, std::uint32_t s) { out.came_out(e, s); });
    }
};
WEFT_SCENARIO(at_random{100000}, ring_spills_before_it_is_full);

// Entries that may not leave the ring stay in it, in order, whatever a thief does.
struct spill_keeps_what_cannot_move : one_is_robbed<5>
{
    static constexpr int threads = 2;

    static bool movable(unsigned entry)
    {
        return entry % 2 == 0;
    }

    void thread(unsigned index)
    {
        if (index == 1)
        {
            rob(victim, mine, out, 2);
            return;
        }
        queue::owner owner(victim);
        for (unsigned i = 0; i != 5; ++i)
        {
            if (owner.push(i, stamp_of(i)))
                continue;
            owner.spill(movable,
                [&](unsigned e, std::uint32_t s)
                {
                    model::require(movable(e), "an entry left that cannot");
                    out.came_out(e, s);
                });
            if (!owner.push(i, stamp_of(i)))
                out.came_out(i);
        }
    }
};
WEFT_SCENARIO(at_random{100000}, spill_keeps_what_cannot_move);

// A is robbed by the owner of B, which is robbed by the owner of C.
struct stolen_entries_are_stolen_again
{
    static constexpr int threads = 3;

    queue a{near_the_end};
    queue b{near_the_end};
    queue c{near_the_end};
    ledger<4> out;

    void thread(unsigned index)
    {
        if (index == 0)
            own(a, out, 0);
        else if (index == 1)
        {
            unsigned entry;
            if (queue::thief(a).steal(queue::owner(b), entry) != 0)
                out.came_out(entry);
            if (queue::owner(b).pop(entry))
                out.came_out(entry);
        }
        else
            rob(b, c, out, 2);
    }

    void after()
    {
        out.drain(a);
        out.drain(b);
        out.require_all();
    }
};
WEFT_SCENARIO(at_random{100000}, stolen_entries_are_stolen_again);

// The thief's own ring is nearly full: it takes no more than fits, and one.
struct thief_with_little_room_takes_little : one_is_robbed<7>
{
    static constexpr int threads = 2;

    thief_with_little_room_takes_little()
    {
        for (unsigned i = 0; i != 3; ++i)
            model::require(queue::owner(mine).push(4 + i, stamp_of(4 + i)), "no room");
    }

    void thread(unsigned index)
    {
        if (index == 0)
        {
            queue::owner owner(victim);
            unsigned entry;
            for (unsigned i = 0; i != 4; ++i)
                model::require(owner.push(i, stamp_of(i)), "no room");
            if (owner.pop(entry))
                out.came_out(entry);
        }
        else
        {
            unsigned entry;
            std::uint32_t const taken = queue::thief(victim).steal(queue::owner(mine), entry);
            model::require(taken <= 2, "more stolen than there is room for");
            if (taken != 0)
                out.came_out(entry);
        }
    }
};
WEFT_SCENARIO(at_random{100000}, thief_with_little_room_takes_little);

} // namespace
