// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sync/channel_core.hpp>

#include "model/check.hpp"

#include <cstdint>

namespace
{

using model::choose;
using model::require;
using weft::detail::acquisition;
using weft::detail::cell;
using weft::detail::ring_result;

// A number that is moved: what was moved from is nothing.
class value
{
public:
    explicit value(unsigned number) noexcept : number_(number)
    {
    }

    value(value&& other) noexcept : number_(other.number_)
    {
        other.number_ = nothing;
    }

    unsigned number() const noexcept
    {
        return number_;
    }

    static constexpr unsigned nothing = ~0u;

private:
    unsigned number_;
};

using channel = weft::detail::channel_core<value>;

// Which values were sent and which received. Of value 10 * s + i, s is the sender.
class ledger
{
public:
    void sent(unsigned number)
    {
        require(!sent_[number], "sent twice");
        sent_[number] = true;
    }

    void received(unsigned number)
    {
        require(number < size, "a value that was never sent");
        require(!received_[number], "a value was received twice");
        received_[number] = true;
    }

    void require_same() const
    {
        for (unsigned i = 0; i != size; ++i)
            require(sent_[i] == received_[i], "sent and received are not the same");
    }

private:
    static constexpr unsigned size = 30;

    bool sent_[size] = {};
    bool received_[size] = {};
};

// One that waits, and sleeps until it is handed over. Whoever hands it over writes to it as its
// owner: the race detector finds anybody else who still uses it.
class sleeper : public weft::detail::waiter
{
public:
    void hand_over(acquisition outcome)
    {
        using namespace weft::detail;
        wanted.set(0);
        held.set(0);
        outcome_.set(static_cast<unsigned>(outcome));
        require(state_.exchange(1, memory_order_acq_rel) == 0, "handed over twice");
        futex_wake(state_, 1);
    }

    acquisition sleep()
    {
        using namespace weft::detail;
        while (state_.load(memory_order_acquire) == 0)
            futex_wait(state_, 0);
        state_.store(0, memory_order_relaxed);
        wanted.set(0);
        held.set(0);
        return static_cast<acquisition>(outcome_.get());
    }

private:
    weft::detail::atomic<std::uint32_t> state_{0};
    cell<unsigned> outcome_;
};

constexpr auto resume = [](weft::detail::waiter& w, acquisition outcome)
{
    static_cast<sleeper&>(w).hand_over(outcome);
};

constexpr auto take_out = [](weft::detail::waiter& w)
{
    static_cast<sleeper&>(w).hand_over(acquisition::closed);
};

enum class outcome
{
    done,
    closed,
    given_up
};

// Waits for what was registered. It may give up at any time, and does so unless it is patient.
outcome wait(channel& c, sleeper& self, bool patient)
{
    if (!patient && c.cancel(self))
        return outcome::given_up;
    switch (self.sleep())
    {
    case acquisition::acquired:
        return outcome::done;
    case acquisition::closed:
        return outcome::closed;
    default:
        // Woken to try again, as the seeds do.
        return patient ? outcome::done : outcome::given_up;
    }
}

class sender
{
public:
    outcome send(channel& c, ledger& all, unsigned number, bool patient = true)
    {
        value v(number);
        outcome const o = send_value(c, v, patient);
        require((o == outcome::done) == (v.number() == value::nothing),
            "a value was kept and sent, or neither");
        if (o == outcome::done)
            all.sent(number);
        return o;
    }

private:
    outcome send_value(channel& c, value& v, bool patient)
    {
        // As operations do: they do not pass those that wait.
        if (c.may_send() && c.try_send([&](void* p) noexcept { ::new (p) value(std::move(v)); },
                                resume) == ring_result::done)
            return outcome::done;
        switch (c.send(self_, v, resume))
        {
        case acquisition::acquired:
            return outcome::done;
        case acquisition::closed:
            return outcome::closed;
        default:
            return wait(c, self_, patient);
        }
    }

    sleeper self_;
};

class receiver : private weft::detail::receiver<value>
{
public:
    explicit receiver(unsigned room = 1) : weft::detail::receiver<value>{&accept}, room_(room)
    {
        count_.set(0);
    }

    // Receives one, or as many as there is room for.
    outcome receive(channel& c, ledger& all, bool patient = true)
    {
        for (;;)
        {
            outcome const o = receive_values(c, patient);
            unsigned const count = count_.get();
            if (o == outcome::done && count == 0)
                continue;
            require(
                (o == outcome::done) == (count != 0), "received nothing, or in spite of an error");
            for (unsigned i = 0; i != count; ++i)
            {
                unsigned const number = got_[i].get();
                all.received(number);
                require(number % 10 >= next_[number / 10], "values of one sender out of order");
                next_[number / 10] = number % 10 + 1;
            }
            received_ += count;
            count_.set(0);
            return o;
        }
    }

    ring_result try_receive(channel& c, ledger& all)
    {
        ring_result const r = c.try_receive(*this, resume);
        if (r == ring_result::done)
        {
            all.received(got_[0].get());
            count_.set(0);
            ++received_;
        }
        return r;
    }

    // Takes nothing.
    outcome watch(channel& c, bool patient = true)
    {
        switch (c.watch_receive(self_))
        {
        case acquisition::acquired:
            return outcome::done;
        case acquisition::closed:
            return outcome::closed;
        default:
            return wait(c, self_, patient);
        }
    }

    unsigned received() const
    {
        return received_;
    }

private:
    outcome receive_values(channel& c, bool patient)
    {
        if (c.may_receive() && c.try_receive(*this, resume) == ring_result::done)
            return outcome::done;
        switch (c.receive(self_, *this, resume))
        {
        case acquisition::acquired:
            return outcome::done;
        case acquisition::closed:
            return outcome::closed;
        default:
            return wait(c, self_, patient);
        }
    }

    static bool accept(weft::detail::receiver<value>& r, value&& v) noexcept
    {
        auto& self = static_cast<receiver&>(r);
        unsigned const count = self.count_.get();
        require(count < self.room_, "more values than there is room for");
        self.got_[count].set(value(std::move(v)).number());
        self.count_.set(count + 1);
        return count + 1 != self.room_;
    }

    unsigned const room_;
    sleeper self_;
    cell<unsigned> count_;
    cell<unsigned> got_[3];
    unsigned next_[3] = {};
    unsigned received_ = 0;
};

// Everybody waits as long as it takes: one who waits for ever is an error.
template <unsigned Capacity, unsigned Senders, unsigned Receivers, unsigned Each>
struct all_arrive
{
    static constexpr int threads = Senders + Receivers;
    static constexpr unsigned early_wakes = 0;

    channel subject{Capacity};
    ledger all;
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

// One receives as many as there are.
template <unsigned Capacity>
struct several_at_once
{
    static constexpr int threads = 3;
    static constexpr unsigned early_wakes = 0;

    channel subject{Capacity};
    ledger all;
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

    void after()
    {
        all.require_same();
    }
};

// The first receiver gives up at any time. The second gets a value nevertheless, and ends it.
template <unsigned Capacity>
struct a_receiver_gives_up
{
    static constexpr int threads = 4;
    static constexpr unsigned early_wakes = 0;

    channel subject{Capacity};
    ledger all;
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
        while (receivers[1].try_receive(subject, all) == ring_result::done)
        {
        }
        all.require_same();
    }
};

// The same with senders.
template <unsigned Capacity>
struct a_sender_gives_up
{
    static constexpr int threads = 3;
    static constexpr unsigned early_wakes = 0;

    channel subject{Capacity};
    ledger all;
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
            while (mine.receive(subject, all) == outcome::done)
            {
            }
    }

    void after()
    {
        all.require_same();
    }
};

// Receivers get everything that was sent, and then the end; senders what they could not send.
template <unsigned Capacity, unsigned Receivers>
struct closed_at_any_time
{
    static constexpr int threads = 3 + Receivers;
    static constexpr unsigned early_wakes = 0;

    channel subject{Capacity};
    ledger all;
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
            while (receivers[index - 3].receive(subject, all) == outcome::done)
            {
            }
            require(subject.closed(), "an error without reason");
        }
    }

    void after()
    {
        all.require_same();
        require(senders[0].send(subject, all, 25) == outcome::closed, "sent after the end");
    }
};

// Those that wait are taken out, and the channel remains.
template <unsigned Capacity>
struct cancelled_at_any_time
{
    static constexpr int threads = 3;
    static constexpr unsigned early_wakes = 0;

    channel subject{Capacity};
    ledger all;
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
        while (yours.try_receive(subject, all) == ring_result::done)
        {
        }
        all.require_same();
        require(!subject.closed(), "closed by cancel");
        if (Capacity != 0)
        {
            require(mine.send(subject, all, 9, false) == outcome::done, "of no use any more");
            require(yours.receive(subject, all, false) == outcome::done, "of no use any more");
        }
    }
};

// Who watches is let go whenever there is something for it, and takes nothing from others.
template <unsigned Capacity>
struct a_watcher_takes_nothing
{
    static constexpr int threads = 3;
    static constexpr unsigned early_wakes = 0;

    channel subject{Capacity};
    ledger all;
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

    void after()
    {
        all.require_same();
    }
};

// Of two that watch one is content to know.
template <unsigned Capacity>
struct all_watchers_are_let_go
{
    static constexpr int threads = 3;
    static constexpr unsigned early_wakes = 0;

    channel subject{Capacity};
    ledger all;
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

} // namespace

int main(int argc, char** argv)
{
    using model::at_random;
    using model::exhaustively;
    using model::make_check;
    return model::run(argc, argv,
        {
            make_check<all_arrive<0, 1, 1, 2>>("arrive.0_1s1r", exhaustively{3}),
            make_check<all_arrive<1, 1, 1, 2>>("arrive.1_1s1r", exhaustively{2}),
            make_check<all_arrive<2, 1, 1, 3>>("arrive.2_1s1r", at_random{100000}),
            make_check<all_arrive<0, 2, 1, 2>>("arrive.0_2s1r", at_random{100000}),
            make_check<all_arrive<1, 2, 1, 2>>("arrive.1_2s1r", at_random{100000}),
            make_check<all_arrive<2, 2, 1, 2>>("arrive.2_2s1r", at_random{100000}),
            make_check<all_arrive<0, 1, 2, 2>>("arrive.0_1s2r", at_random{100000}),
            make_check<all_arrive<1, 1, 2, 2>>("arrive.1_1s2r", at_random{100000}),
            make_check<all_arrive<2, 1, 2, 4>>("arrive.2_1s2r", at_random{100000}),
            make_check<all_arrive<0, 2, 2, 2>>("arrive.0_2s2r", at_random{100000}),
            make_check<all_arrive<1, 2, 2, 2>>("arrive.1_2s2r", at_random{100000}),
            make_check<all_arrive<2, 2, 2, 2>>("arrive.2_2s2r", at_random{100000}),
            make_check<several_at_once<0>>("several.0", at_random{100000}),
            make_check<several_at_once<1>>("several.1", at_random{100000}),
            make_check<several_at_once<2>>("several.2", at_random{100000}),
            make_check<a_receiver_gives_up<0>>("give_up.receiver_0", at_random{100000}),
            make_check<a_receiver_gives_up<1>>("give_up.receiver_1", at_random{100000}),
            make_check<a_receiver_gives_up<2>>("give_up.receiver_2", at_random{100000}),
            make_check<a_sender_gives_up<0>>("give_up.sender_0", at_random{100000}),
            make_check<a_sender_gives_up<1>>("give_up.sender_1", at_random{100000}),
            make_check<a_sender_gives_up<2>>("give_up.sender_2", at_random{100000}),
            make_check<closed_at_any_time<0, 1>>("close.0_1r", at_random{100000}),
            make_check<closed_at_any_time<1, 1>>("close.1_1r", at_random{100000}),
            make_check<closed_at_any_time<2, 1>>("close.2_1r", at_random{100000}),
            make_check<closed_at_any_time<0, 2>>("close.0_2r", at_random{100000}),
            make_check<closed_at_any_time<1, 2>>("close.1_2r", at_random{100000}),
            make_check<closed_at_any_time<2, 2>>("close.2_2r", at_random{100000}),
            make_check<cancelled_at_any_time<0>>("cancel.0", at_random{100000}),
            make_check<cancelled_at_any_time<1>>("cancel.1", at_random{100000}),
            make_check<cancelled_at_any_time<2>>("cancel.2", at_random{100000}),
            make_check<a_watcher_takes_nothing<0>>("watch.one_0", at_random{100000}),
            make_check<a_watcher_takes_nothing<1>>("watch.one_1", at_random{100000}),
            make_check<a_watcher_takes_nothing<2>>("watch.one_2", at_random{100000}),
            make_check<all_watchers_are_let_go<0>>("watch.all_0", at_random{100000}),
            make_check<all_watchers_are_let_go<1>>("watch.all_1", at_random{100000}),
        });
}
