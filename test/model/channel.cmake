# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

# The models of the channel: its ring, and the core around it.

weft_model(mpmc_ring mpmc_ring.cpp)
weft_mutant(mpmc_ring push_unpublished include/weft/queue/mpmc_ring.hpp
    RELAXED "s.stamp.store(mine + 1, memory_order_release)"
    CHECKS order)
weft_mutant(mpmc_ring pop_unpublished include/weft/queue/mpmc_ring.hpp
    RELAXED "s.stamp.store(mine + one_lap(), memory_order_release)"
    CHECKS order)
weft_mutant(mpmc_ring slot_filled_before_it_is_claimed include/weft/queue/mpmc_ring.hpp
    FIND "        std::uint64_t const mine = tail;
"
    REPLACE "        std::uint64_t const mine = tail;
        slot_at(mine).stamp.store(mine + 1, memory_order_release);
"
    CHECKS order)
# T10.2: a tail that is not as young as the head makes an empty ring full.
weft_mutant(mpmc_ring full_by_an_old_tail include/weft/queue/mpmc_ring.hpp
    FIND "if (head_.load(memory_order_seq_cst) + one_lap() == tail)"
    REPLACE "if (tail - head_.load(memory_order_seq_cst) >= capacity_)"
    CHECKS bound.room)
# T10.3: closed although a push has claimed a slot, whose value nobody will see.
weft_mutant(mpmc_ring closed_before_the_last_push_is_finished include/weft/queue/mpmc_ring.hpp
    FIND "if (tail == (head | mark_))"
    REPLACE "if ((tail & mark_) != 0)"
    CHECKS close)
weft_mutant(mpmc_ring closed_in_two_steps include/weft/queue/mpmc_ring.hpp
    FIND "tail_.fetch_or(mark_, memory_order_seq_cst);"
    REPLACE "tail_.store(tail_.load(memory_order_seq_cst) | mark_, memory_order_seq_cst);"
    CHECKS close)
weft_mutant(mpmc_ring stamp_without_its_lap include/weft/queue/mpmc_ring.hpp
    FIND "(position & ~(one_lap() - 1)) + one_lap()"
    REPLACE "(position & ~(one_lap() - 1))"
    CHECKS order)

# The channel; two or three waiters to a batch, so that there are several batches.
set(_channel ${CMAKE_CURRENT_BINARY_DIR}/channel)
_weft_edit(${_channel} include/weft/sync/served_list.hpp "batch = 32" "batch = 3")
weft_model(channel channel.cpp INCLUDES ${_channel}/include)
# T10.1: the receiver goes to sleep by a look at the slot, which is filled by a plain store.
weft_mutant(channel sleeps_by_the_stamp include/weft/queue/mpmc_ring.hpp
    FIND "if (tail == head)"
    REPLACE "if ((tail & mark_) == 0 && slot_at(head).stamp.load(memory_order_seq_cst) == head)"
    CHECKS arrive.1_1s1r arrive.2)
weft_mutant(channel sender_looks_without_order include/weft/sync/channel_ring.hpp
    FIND "receivers_waiting_.load(memory_order_seq_cst)"
    REPLACE "receivers_waiting_.load(memory_order_acquire)"
    CHECKS arrive.1_1s1r arrive.2)
weft_mutant(channel receiver_looks_without_order include/weft/sync/channel_ring.hpp
    FIND "senders_waiting_.load(memory_order_seq_cst)"
    REPLACE "senders_waiting_.load(memory_order_acquire)"
    CHECKS arrive.1)
weft_mutant(channel announces_without_order include/weft/sync/channel_ring.hpp
    FIND "        waiting.store(true, memory_order_seq_cst)"
    REPLACE "        waiting.store(true, memory_order_release)"
    CHECKS arrive.1_1s1r arrive.2)
weft_mutant(channel empty_by_an_old_tail include/weft/queue/mpmc_ring.hpp
    FIND "std::uint64_t const tail = tail_.load(memory_order_seq_cst);
        if"
    REPLACE "std::uint64_t const tail = tail_.load(memory_order_acquire);
        if"
    CHECKS arrive.1_1s1r arrive.2)
weft_mutant(channel claims_without_order include/weft/queue/mpmc_ring.hpp
    FIND "tail, position_after(mine), memory_order_seq_cst"
    REPLACE "tail, position_after(mine), memory_order_acq_rel"
    CHECKS arrive.1_1s1r arrive.2)
# The same for those who find it full, and those who make room.
weft_mutant(channel full_by_an_old_head include/weft/queue/mpmc_ring.hpp
    FIND "if (head_.load(memory_order_seq_cst) + one_lap() == tail)"
    REPLACE "if (head_.load(memory_order_acquire) + one_lap() == tail)"
    CHECKS arrive.1_1s1r)
weft_mutant(channel makes_room_without_order include/weft/queue/mpmc_ring.hpp
    FIND "head, position_after(mine), memory_order_seq_cst"
    REPLACE "head, position_after(mine), memory_order_acq_rel"
    CHECKS arrive.1_1s1r)
# T10.3: "closed" while a value is being published.
weft_mutant(channel closed_before_the_last_value include/weft/queue/mpmc_ring.hpp
    FIND "if (tail == (head | mark_))"
    REPLACE "if ((tail & mark_) != 0)"
    CHECKS close.1_1r)
# T10.4: receivers are woken to try again.
weft_mutant(channel woken_to_try_again include/weft/sync/channel_ring.hpp
    FIND "        ring_result const r = take_for(channel_waiters::"
    REPLACE "        if (ring_.probe_pop() == ring_result::done)
        {
            out.add(receivers.pop(), acquisition::waiting);
            return false;
        }
        ring_result const r = take_for(channel_waiters::"
    CHECKS give_up.receiver arrive.2_2s2r)
weft_mutant(channel sleeps_on_busy include/weft/queue/mpmc_ring.hpp
    FIND "        std::uint64_t const now = head_.load(memory_order_seq_cst);
        if (now == head)
            return ring_result::busy;"
    REPLACE "        std::uint64_t const now = head_.load(memory_order_seq_cst);
        if (now == head)
            return ring_result::blocked;"
    CHECKS arrive.1_1s1r)
weft_mutant(channel sender_sleeps_on_busy include/weft/queue/mpmc_ring.hpp
    FIND "        std::uint64_t const now = tail_.load(memory_order_seq_cst);
        if (now == tail)
            return ring_result::busy;"
    REPLACE "        std::uint64_t const now = tail_.load(memory_order_seq_cst);
        if (now == tail)
            return ring_result::blocked;"
    CHECKS arrive.1_1s1r)
# A receiver that has found a value after all leaves senders asleep, or the other way round.
weft_mutant(channel late_success_serves_nobody include/weft/sync/channel_ring.hpp
    FIND "        switch (attempt())
        {
        case ring_result::done:
            this->serve_all_and_unlock(resume);"
    REPLACE "        switch (attempt())
        {
        case ring_result::done:
            (void)resume;
            this->waiters_.lower_flags();
            this->waiters_.mutex_.unlock();"
    CHECKS arrive.1_1s1r)
weft_mutant(channel cancels_what_is_not_its_own include/weft/sync/channel_waiters.hpp
    FIND "        bool const mine = w.linked();
        if (mine)"
    REPLACE "        bool const mine = true;
        if (w.linked())"
    CHECKS give_up)
weft_mutant(channel watchers_are_forgotten include/weft/sync/channel_flavour.hpp
    FIND "        if (!waiters_.receive_watchers_.empty())"
    REPLACE "        if (waiters_.receive_watchers_.empty())"
    CHECKS watch)
weft_mutant(channel watchers_of_room_are_forgotten include/weft/sync/channel_flavour.hpp
    FIND "        if (!waiters_.send_watchers_.empty())"
    REPLACE "        if (waiters_.send_watchers_.empty())"
    CHECKS watch.room)
weft_mutant(channel watcher_announces_without_order include/weft/sync/channel_flavour.hpp
    FIND "            flag.store(true, memory_order_seq_cst)"
    REPLACE "            flag.store(true, memory_order_release)"
    CHECKS watch.one_1)
# Order among the operations of one party: who waits is passed by who comes later.
weft_mutant(channel registers_before_those_that_wait include/weft/sync/channel_ring.hpp
    FIND "        if (!list.empty())
        {
            // Those before"
    REPLACE "        if (!list.empty() && false)
        {
            // Those before"
    CHECKS two.sends)
weft_mutant(channel receives_before_those_that_wait include/weft/sync/channel_ring.hpp
    FIND "        if (!list.empty())
        {
            // Those before"
    REPLACE "        if (!list.empty() && false)
        {
            // Those before"
    CHECKS two.receives)
weft_mutant(channel sends_past_those_that_wait include/weft/sync/channel_ring.hpp
    FIND "return !this->waiters_.senders_waiting_.load(memory_order_relaxed);"
    REPLACE "return true;"
    CHECKS two.sends)
weft_mutant(channel receives_past_those_that_wait include/weft/sync/channel_ring.hpp
    FIND "return !this->waiters_.receivers_waiting_.load(memory_order_relaxed);"
    REPLACE "return true;"
    CHECKS two.receives)
