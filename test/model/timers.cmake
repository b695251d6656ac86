# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

weft_model(timers timers.cpp)

# Who starts a wait does not see who goes to sleep, or the other way.
weft_mutant(timers start_without_fence include/weft/sched/timers.hpp
    WITHOUT "        // (A) pairs with (S) in begin_sleep().
        full_fence();"
    CHECKS sleeper_is_woken)
weft_mutant(timers sleep_without_fence include/weft/sched/timers.hpp
    WITHOUT "        // (S) pairs with (A) in add().
        full_fence();"
    CHECKS sleeper_is_woken)
# The sleeper says how long when it has made up its mind, and not that it is about to.
weft_mutant(timers sleep_unannounced include/weft/sched/timers.hpp
    WITHOUT "        until_.store(never, memory_order_relaxed);
"
    CHECKS sleeper_is_woken)
weft_mutant(timers earliest_before_the_announcement include/weft/sched/timers.hpp
    FIND "        until_.store(never, memory_order_relaxed);
        // (S) pairs with (A) in add().
        full_fence();
        timer_ticks const first = earliest();"
    REPLACE "        timer_ticks const first = earliest();
        until_.store(never, memory_order_relaxed);
        full_fence();"
    CHECKS sleeper_is_woken)
# It is told only of what is the earliest of all.
weft_mutant(timers next_is_not_told include/weft/sched/timers.hpp
    FIND "            if (!home->update_next())
                return false;"
    REPLACE "            if (home->heap.earliest() != at)
                return false;"
    CHECKS sleeper_is_woken)
weft_mutant(timers place_not_noted include/weft/sched/timers.hpp
    FIND "        note_used(index + 1);"
    REPLACE "        note_used(1);"
    CHECKS sleeper_is_woken)
weft_mutant(timers expired_without_lock include/weft/sched/timers.hpp
    WITHOUT "                std::lock_guard<adaptive_mutex> const lock(first->mutex);"
    CHECKS a_wait_ends_once)
weft_mutant(timers cancelled_without_lock include/weft/sched/timers.hpp
    FIND "            std::lock_guard<adaptive_mutex> const lock(home->mutex);
            while (ended.size() != most"
    REPLACE "            while (ended.size() != most"
    CHECKS a_wait_ends_once)
# A timer with a slot changes its shard while the slot's owner looks at it there.
weft_mutant(timers moved_without_lock include/weft/sched/timers.hpp
    WITHOUT "            std::lock_guard<adaptive_mutex> const lock(from->mutex);
"
    CHECKS a_key_cancels)
weft_mutant(timers key_sought_in_an_old_shard include/weft/sched/timers.hpp
    FIND "if (now == home)"
    REPLACE "if (now)"
    CHECKS a_key_cancels)
weft_mutant(timers last_share_unacquired include/weft/sched/timers.hpp
    FIND "            // Acquire: what those did that are owners no longer comes before.
            return owners_.load(memory_order_acquire) != 1;"
    REPLACE "            return owners_.load(memory_order_relaxed) != 1;"
    CHECKS "its_wait_alone<true>")
weft_mutant(timers last_owner_unacquired include/weft/sched/timers.hpp
    RELAXED "            return owners_.load(memory_order_acquire) == 1 ||"
    CHECKS last_owner)
weft_mutant(timers owner_unreleased include/weft/sched/timers.hpp
    FIND "owners_.fetch_sub(1, memory_order_acq_rel)"
    REPLACE "owners_.fetch_sub(1, memory_order_acquire)"
    CHECKS last_owner)
weft_mutant(timers shared_in_two_steps include/weft/sched/timers.hpp
    FIND "owners_.fetch_add(1, memory_order_relaxed);"
    REPLACE "owners_.store(owners_.load(memory_order_relaxed) + 1, memory_order_relaxed);"
    CHECKS last_owner)
