// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sync/yielding_waiters.hpp>

#include "model/check.hpp"

#include <optional>

namespace
{

using model::require;
using weft::detail::cell;
using weft::detail::yielding_waiters;

struct person : weft::detail::waiter
{
};

// The object that waiters are going to ask is destroyed, by another thread, before, after, or
// while their turn comes: nobody asks it afterwards, and nobody touches one that has learnt that it
// was taken. The race detector sees both.
template <int Yielders, bool TakesAll>
struct object_goes_away_at_any_time
{
    static constexpr int threads = Yielders + 1;

    std::optional<yielding_waiters> list{std::in_place};
    cell<unsigned> object;
    person people[Yielders];

    object_goes_away_at_any_time()
    {
        object.set(1);
        for (person& p : people)
            list->add(p);
    }

    void thread(unsigned index)
    {
        if (index == Yielders)
        {
            if (TakesAll)
                list->take_all();
            list->finish();
            object.set(0);
            list.reset();
            return;
        }
        person& self = people[index];
        yielding_waiters& mine = *list;
        if (mine.leave(self))
        {
            require(object.get() == 1, "the object is gone");
            mine.returned();
        }
        // It goes on to wait somewhere else.
        weft::detail::waiter_list other;
        other.push(self);
        self.unlink();
    }
};
WEFT_SCENARIO_AS("goes_away.one", at_random{20000}, object_goes_away_at_any_time<1, false>);
WEFT_SCENARIO_AS("goes_away.two", at_random{40000}, object_goes_away_at_any_time<2, false>);
WEFT_SCENARIO_AS("goes_away.twice", at_random{40000}, object_goes_away_at_any_time<2, true>);

// One is cancelled, on the thread that its turn would come on, while the object goes away or all
// are taken.
struct one_is_cancelled
{
    static constexpr int threads = 2;

    std::optional<yielding_waiters> list{std::in_place};
    std::optional<person> a{std::in_place};

    one_is_cancelled()
    {
        list->add(*a);
    }

    void thread(unsigned index)
    {
        if (index == 0)
        {
            yielding_waiters& mine = *list;
            mine.take(*a);
            require(!mine.leave(*a), "it was not taken");
            a.reset();
        }
        else
            list->finish();
    }
};
WEFT_SCENARIO_AS("cancelled", at_random{20000}, one_is_cancelled);

} // namespace
