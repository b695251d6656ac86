// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "trace/event_ring.hpp"

#include "model/check.hpp"

#include <cstdint>
#include <vector>

namespace
{

using weft::detail::event;
using weft::detail::event_kind;
using weft::detail::event_ring;

// Whoever copies while the worker writes has whole events, the newest that were there, in order.
template <std::size_t Size, std::uint64_t Events>
struct a_copy_is_a_part_of_what_was_written
{
    static constexpr int threads = 2;

    event_ring ring{Size, 0};

    void thread(unsigned index)
    {
        if (index == 0)
            for (std::uint64_t i = 1; i <= Events; ++i)
                ring.write(i, event_kind::handler, 100 + i);
        else
            look();
    }

    std::uint64_t look()
    {
        std::vector<event> events;
        std::uint64_t number = ring.copy(events);
        for (event const& e : events)
        {
            ++number;
            model::require(e.time == number, "the time of another event");
            model::require(e.payload == 100 + number, "the payload of another event");
            model::require(e.kind == event_kind::handler, "no event");
        }
        return number;
    }

    void after()
    {
        model::require(look() == Events, "not all that was written");
    }
};
WEFT_SCENARIO_AS("of_2", exhaustively{3}, a_copy_is_a_part_of_what_was_written<2, 3>);
WEFT_SCENARIO_AS("of_2.often", at_random{200000}, a_copy_is_a_part_of_what_was_written<2, 5>);
WEFT_SCENARIO_AS("of_4", at_random{200000}, a_copy_is_a_part_of_what_was_written<4, 7>);

} // namespace
