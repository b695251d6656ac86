// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "model/channel_parties.hpp"
#include "model/check.hpp"

namespace
{

using model::accounted;
using model::channel;
using model::choose;
using model::outcome;
using model::receiver;
using model::require;
using model::resume;
using model::ring_result;
using model::sender;
using model::take_out;

// Everybody waits as long as it takes: one who waits for ever is an error.
template <unsigned Capacity, unsigned Senders, unsigned Receivers, unsigned Each>
struct all_arrive : accounted
{
    static constexpr int threads = Senders + Receivers;

    channel subject{Capacity};
    sender senders[Senders];
    receiver receivers[Receivers];

    void thread(unsigned index)
    {
        if (index < Senders)
            for (unsigned i = 0; i != Each; ++i)
                senders[index].send(subject, all, 10 * index + i);
        else
            for (unsigned i = 0; i != Senders * Each / Receivers; ++i)
                receivers[index - Senders].receive(subject, all);
    }

    void after()
    {
        all.require_same();
        require(subject.size() == 0, "a value was left");
    }
};
WEFT_SCENARIO_AS("arrive.0_1s1r", exhaustively{3}, all_arrive<0, 1, 1, 2>);
WEFT_SCENARIO_AS("arrive.1_1s1r", exhaustively{2}, all_arrive<1, 1, 1, 2>);
WEFT_SCENARIO_AS("arrive.2_1s1r", at_random{100000}, all_arrive<2, 1, 1, 3>);
WEFT_SCENARIO_AS("arrive.0_2s1r", at_random{100000}, all_arrive<0, 2, 1, 2>);
WEFT_SCENARIO_AS("arrive.1_2s1r", at_random{100000}, all_arrive<1, 2, 1, 2>);
WEFT_SCENARIO_AS("arrive.2_2s1r", at_random{100000}, all_arrive<2, 2, 1, 2>);
WEFT_SCENARIO_AS("arrive.0_1s2r", at_random{100000}, all_arrive<0, 1, 2, 2>);
WEFT_SCENARIO_AS("arrive.1_1s2r", at_random{100000}, all_arrive<1, 1, 2, 2>);
WEFT_SCENARIO_AS("arrive.2_1s2r", at_random{100000}, all_arrive<2, 1, 2, 4>);
WEFT_SCENARIO_AS("arrive.0_2s2r", at_random{100000}, all_arrive<0, 2, 2, 2>);
WEFT_SCENARIO_AS("arrive.1_2s2r", at_random{100000}, all_arrive<1, 2, 2, 2>);
WEFT_SCENARIO_AS("arrive.2_2s2r", at_random{100000}, all_arrive<2, 2, 2, 2>);

// One handler sends twice before either is complete: the values arrive in that order, also when the
// first gives up.
template <unsigned Capacity, bool Patient>
struct two_sends_of_one : accounted
{
    static constexpr int threads = 2;

    channel subject{Capacity};
    sender early;
    sender first;
    sender second;
    receiver mine;

    void thread(unsigned index)
    {
        if (index == 0)
        {
            for (unsigned i = 0; i != Capacity; ++i)
                early.send(subject, all, i);
            first.begin(subject, Capacity);
            second.begin(subject, Capacity + 1);
            bool const sent = first.end(subject, all, Patient) == outcome::done;
            require(sent || !Patient, "not sent");
            require(second.end(subject, all) == outcome::done, "not sent");
            subject.close_after_last(resume);
        }
        else
            mine.receive_all(subject, all);
    }
};
WEFT_SCENARIO_AS("two.sends_0", exhaustively{2}, two_sends_of_one<0, true>);
WEFT_SCENARIO_AS("two.sends_1", exhaustively{2}, two_sends_of_one<1, true>);
WEFT_SCENARIO_AS("two.sends_2", at_random{100000}, two_sends_of_one<2, true>);
WEFT_SCENARIO_AS("two.first_given_up_0", at_random{100000}, two_sends_of_one<0, false>);
WEFT_SCENARIO_AS("two.first_given_up_1", at_random{100000}, two_sends_of_one<1, false>);

// The same with receives.
template <unsigned Capacity, bool Patient>
struct two_receives_of_one : accounted
{
    static constexpr int threads = 2;

    channel subject{Capacity};
    sender mine;
    receiver first;
    receiver second;

    void thread(unsigned index)
    {
        if (index == 0)
        {
            for (unsigned i = 0; i != 2; ++i)
                mine.send(subject, all, i);
        }
        else
        {
            first.begin(subject);
            second.begin(subject);
            bool const received = first.end(subject, all, Patient) == outcome::done;
            require(received || !Patient, "not received");
            require(second.end(subject, all) == outcome::done, "not received");
            require(!received || first.last() < second.last(), "receivers out of order");
            if (!received)
                first.receive(subject, all);
        }
    }

    void after()
    {
        all.require_same();
        require(subject.size() == 0, "a value was left");
    }
};
WEFT_SCENARIO_AS("two.receives_0", exhaustively{2}, two_receives_of_one<0, true>);
WEFT_SCENARIO_AS("two.receives_1", exhaustively{2}, two_receives_of_one<1, true>);
WEFT_SCENARIO_AS("two.receives_2", at_random{100000}, two_receives_of_one<2, true>);
WEFT_SCENARIO_AS("two.first_receive_given_up_0", at_random{100000}, two_receives_of_one<0, false>);
WEFT_SCENARIO_AS("two.first_receive_given_up_1", at_random{100000}, two_receives_of_one<1, false>);

// One receives as many as there are.
template <unsigned Capacity>
struct several_at_once : accounted
{
    static constexpr int threads = 3;

    channel subject{Capacity};
    sender senders[2];
    receiver mine{3};

    void thread(unsigned index)
    {
        if (index < 2)
            for (unsigned i = 0; i != 2; ++i)
                senders[index].send(subject, all, 10 * index + i);
        else
            while (mine.received() != 4)
                mine.receive(subject, all);
    }
};
WEFT_SCENARIO_AS("several.0", at_random{100000}, several_at_once<0>);
WEFT_SCENARIO_AS("several.1", at_random{100000}, several_at_once<1>);
WEFT_SCENARIO_AS("several.2", at_random{100000}, several_at_once<2>);

// The first receiver gives up at any time. The second gets a value nevertheless, and ends it.
template <unsigned Capacity>
struct a_receiver_gives_up : accounted
{
    static constexpr int threads = 4;

    channel subject{Capacity};
    sender senders[2];
    receiver receivers[2];

    void thread(unsigned index)
    {
        if (index < 2)
            senders[index].send(subject, all, 10 * index);
        else if (index == 2)
            receivers[0].receive(subject, all, false);
        else
        {
            require(receivers[1].receive(subject, all) == outcome::done, "two values for two");
            subject.close_after_last(resume);
        }
    }

    void after()
    {
        receivers[1].try_receive_all(subject, all);
        all.require_same();
    }
};
WEFT_SCENARIO_AS("give_up.receiver_0", at_random{100000}, a_receiver_gives_up<0>);
WEFT_SCENARIO_AS("give_up.receiver_1", at_random{100000}, a_receiver_gives_up<1>);
WEFT_SCENARIO_AS("give_up.receiver_2", at_random{100000}, a_receiver_gives_up<2>);

// The same with senders.
template <unsigned Capacity>
struct a_sender_gives_up : accounted
{
    static constexpr int threads = 3;

    channel subject{Capacity};
    sender senders[2];
    receiver mine;

    void thread(unsigned index)
    {
        if (index == 0)
            for (unsigned i = 0; i != 2; ++i)
                senders[0].send(subject, all, i, false);
        else if (index == 1)
        {
            for (unsigned i = 0; i != 2; ++i)
                require(senders[1].send(subject, all, 10 + i) == outcome::done, "not sent");
            subject.close_after_last(resume);
        }
        else
            mine.receive_all(subject, all);
    }
};
WEFT_SCENARIO_AS("give_up.sender_0", at_random{100000}, a_sender_gives_up<0>);
WEFT_SCENARIO_AS("give_up.sender_1", at_random{100000}, a_sender_gives_up<1>);
WEFT_SCENARIO_AS("give_up.sender_2", at_random{100000}, a_sender_gives_up<2>);

// Receivers get everything that was sent, and then the end; senders what they could not send.
template <unsigned Capacity, unsigned Receivers>
struct closed_at_any_time : accounted
{
    static constexpr int threads = 3 + Receivers;

    channel subject{Capacity};
    sender senders[2];
    receiver receivers[Receivers];

    void thread(unsigned index)
    {
        if (index < 2)
        {
            for (unsigned i = 0; i != 2; ++i)
                if (senders[index].send(subject, all, 10 * index + i) != outcome::done)
                    require(subject.closed(), "an error without reason");
        }
        else if (index == 2)
            subject.close_after_last(resume);
        else
        {
            receivers[index - 3].receive_all(subject, all);
            require(subject.closed(), "an error without reason");
        }
    }

    void after()
    {
        all.require_same();
        require(senders[0].send(subject, all, 25) == outcome::closed, "sent after the end");
    }
};
WEFT_SCENARIO_AS("close.0_1r", at_random{100000}, closed_at_any_time<0, 1>);
WEFT_SCENARIO_AS("close.1_1r", at_random{100000}, closed_at_any_time<1, 1>);
WEFT_SCENARIO_AS("close.2_1r", at_random{100000}, closed_at_any_time<2, 1>);
WEFT_SCENARIO_AS("close.0_2r", at_random{100000}, closed_at_any_time<0, 2>);
WEFT_SCENARIO_AS("close.1_2r", at_random{100000}, closed_at_any_time<1, 2>);
WEFT_SCENARIO_AS("close.2_2r", at_random{100000}, closed_at_any_time<2, 2>);

// Those that wait are taken out, and the channel remains.
template <unsigned Capacity>
struct cancelled_at_any_time : accounted
{
    static constexpr int threads = 3;

    channel subject{Capacity};
    sender mine;
    receiver yours;
    bool ended = false;

    void thread(unsigned index)
    {
        if (index == 0)
            for (unsigned i = 0; i != 3; ++i)
                mine.send(subject, all, i, choose(2) == 0 && i < Capacity);
        else if (index == 1)
        {
            for (unsigned i = 0; i != 2; ++i)
                yours.receive(subject, all, false);
        }
        else
            subject.cancel_all(take_out);
    }

    void after()
    {
        yours.try_receive_all(subject, all);
        all.require_same();
        require(!subject.closed(), "closed by cancel");
        if (Capacity != 0)
        {
            require(mine.send(subject, all, 9, false) == outcome::done, "of no use any more");
            require(yours.receive(subject, all, false) == outcome::done, "of no use any more");
        }
    }
};
WEFT_SCENARIO_AS("cancel.0", at_random{100000}, cancelled_at_any_time<0>);
WEFT_SCENARIO_AS("cancel.1", at_random{100000}, cancelled_at_any_time<1>);
WEFT_SCENARIO_AS("cancel.2", at_random{100000}, cancelled_at_any_time<2>);

// Who watches is let go whenever there is something for it, and takes nothing from others.
template <unsigned Capacity>
struct a_watcher_takes_nothing : accounted
{
    static constexpr int threads = 3;

    channel subject{Capacity};
    sender mine;
    receiver watching;
    receiver waiting;

    void thread(unsigned index)
    {
        if (index == 0)
        {
            for (unsigned i = 0; i != 2; ++i)
                mine.send(subject, all, i);
        }
        else if (index == 1)
        {
            do
                watching.watch(subject);
            while (watching.try_receive(subject, all) != ring_result::done);
        }
        else
            waiting.receive(subject, all);
    }
};
WEFT_SCENARIO_AS("watch.one_0", at_random{100000}, a_watcher_takes_nothing<0>);
WEFT_SCENARIO_AS("watch.one_1", at_random{100000}, a_watcher_takes_nothing<1>);
WEFT_SCENARIO_AS("watch.one_2", at_random{100000}, a_watcher_takes_nothing<2>);

// The same with one that watches for room.
template <unsigned Capacity>
struct a_watcher_finds_room : accounted
{
    static constexpr int threads = 3;

    channel subject{Capacity};
    sender waiting;
    sender watching;
    receiver mine;

    void thread(unsigned index)
    {
        if (index == 0)
            for (unsigned i = 0; i != Capacity + 1; ++i)
                waiting.send(subject, all, i);
        else if (index == 1)
        {
            do
                watching.watch(subject);
            while (!watching.try_send(subject, all, 10));
        }
        else
            for (unsigned i = 0; i != Capacity + 2; ++i)
                mine.receive(subject, all);
    }
};
WEFT_SCENARIO_AS("watch.room_0", at_random{100000}, a_watcher_finds_room<0>);
WEFT_SCENARIO_AS("watch.room_1", at_random{100000}, a_watcher_finds_room<1>);
WEFT_SCENARIO_AS("watch.room_2", at_random{100000}, a_watcher_finds_room<2>);

// Of two that watch one is content to know.
template <unsigned Capacity>
struct all_watchers_are_let_go : accounted
{
    static constexpr int threads = 3;

    channel subject{Capacity};
    sender mine;
    receiver watching[2];

    void thread(unsigned index)
    {
        if (index == 0)
            mine.send(subject, all, 0, Capacity != 0);
        else
            watching[index - 1].watch(subject, Capacity != 0);
    }

    void after()
    {
        (void)watching[0].try_receive(subject, all);
        all.require_same();
    }
};
WEFT_SCENARIO_AS("watch.all_0", at_random{100000}, all_watchers_are_let_go<0>);
WEFT_SCENARIO_AS("watch.all_1", at_random{100000}, all_watchers_are_let_go<1>);

} // namespace
