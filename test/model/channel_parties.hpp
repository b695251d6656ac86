// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_MODEL_CHANNEL_PARTIES_HPP
#define WEFT_TEST_MODEL_CHANNEL_PARTIES_HPP

// Who uses the channel of a model: senders and receivers, what they hand over, and the account of
// it.

#include <weft/sync/channel_core.hpp>

#include "model/check.hpp"
#include "model/value.hpp"

#include <cstdint>
#include <optional>
#include <utility>

namespace model
{

using weft::detail::acquisition;
using weft::detail::cell;
using weft::detail::ring_result;

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

/// For a model: in the end what was sent is what was received.
struct accounted
{
    ledger all;

    void after()
    {
        all.require_same();
    }
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

inline constexpr auto resume = [](weft::detail::waiter& w, acquisition outcome)
{
    static_cast<sleeper&>(w).hand_over(outcome);
};

inline constexpr auto take_out = [](weft::detail::waiter& w)
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
inline outcome wait(channel& c, sleeper& self, bool patient)
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
        // Woken to try again, as in Volt.
        return patient ? outcome::done : outcome::given_up;
    }
}

// What becomes of an operation that has begun so.
inline outcome end_of(acquisition begun, channel& c, sleeper& self, bool patient)
{
    switch (begun)
    {
    case acquisition::acquired:
        return outcome::done;
    case acquisition::closed:
        return outcome::closed;
    default:
        return wait(c, self, patient);
    }
}

class sender
{
public:
    outcome send(channel& c, ledger& all, unsigned number, bool patient = true)
    {
        begin(c, number);
        return end(c, all, patient);
    }

    // The two halves of that: one thread has several that have begun.
    void begin(channel& c, unsigned number)
    {
        number_ = number;
        value& v = value_.emplace(number);
        // As operations do: they do not pass those that wait.
        bool const sent =
            c.may_send() && c.try_send([&](void* p) noexcept { ::new (p) value(std::move(v)); },
                                resume) == ring_result::done;
        begun_ = sent ? acquisition::acquired : c.send(self_, v, resume);
    }

    outcome end(channel& c, ledger& all, bool patient = true)
    {
        outcome const o = end_of(begun_, c, self_, patient);
        require((o == outcome::done) == (value_->number() == value::nothing),
            "a value was kept and sent, or neither");
        if (o == outcome::done)
            all.sent(number_);
        return o;
    }

    bool try_send(channel& c, ledger& all, unsigned number)
    {
        bool const done = c.try_send([&](void* p) noexcept { ::new (p) value(number); }, resume) ==
                          ring_result::done;
        if (done)
            all.sent(number);
        return done;
    }

    // Sends nothing.
    outcome watch(channel& c)
    {
        return end_of(c.watch_send(self_), c, self_, true);
    }

private:
    sleeper self_;
    std::optional<value> value_;
    unsigned number_ = 0;
    acquisition begun_ = acquisition::closed;
};

class receiver : public weft::detail::receiver<value>
{
public:
    explicit receiver(unsigned room = 1) : weft::detail::receiver<value>(&accept), room_(room)
    {
        count_.set(0);
    }

    // Receives one, or as many as there is room for.
    outcome receive(channel& c, ledger& all, bool patient = true)
    {
        outcome o;
        do
        {
            begin(c);
            o = end_of(begun_, c, self_, patient);
        } while (o == outcome::done && count_.get() == 0);
        return account(o, all);
    }

    // Until that is not possible any more.
    void receive_all(channel& c, ledger& all)
    {
        while (receive(c, all) == outcome::done)
        {
        }
    }

    // The two halves of one receive.
    void begin(channel& c)
    {
        bool const received = c.may_receive() && c.try_receive(*this, resume) == ring_result::done;
        begun_ = received ? acquisition::acquired : c.receive(self_, *this, resume);
    }

    outcome end(channel& c, ledger& all, bool patient = true)
    {
        return account(end_of(begun_, c, self_, patient), all);
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

    void try_receive_all(channel& c, ledger& all)
    {
        while (try_receive(c, all) == ring_result::done)
        {
        }
    }

    // Takes nothing.
    outcome watch(channel& c, bool patient = true)
    {
        return end_of(c.watch_receive(self_), c, self_, patient);
    }

    unsigned received() const
    {
        return received_;
    }

    // The value received last.
    unsigned last() const
    {
        return last_;
    }

private:
    outcome account(outcome o, ledger& all)
    {
        unsigned const count = count_.get();
        require((o == outcome::done) == (count != 0), "received nothing, or in spite of an error");
        for (unsigned i = 0; i != count; ++i)
        {
            last_ = got_[i].get();
            all.received(last_);
            require(last_ % 10 >= next_[last_ / 10], "values of one sender out of order");
            next_[last_ / 10] = last_ % 10 + 1;
        }
        received_ += count;
        count_.set(0);
        return o;
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
    unsigned last_ = 0;
    acquisition begun_ = acquisition::closed;
};

} // namespace model

#endif // WEFT_TEST_MODEL_CHANNEL_PARTIES_HPP
