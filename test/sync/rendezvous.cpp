// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sync/rendezvous.hpp>

#include "sync/channel_core_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <deque>
#include <memory>
#include <new>
#include <numeric>
#include <utility>
#include <vector>

using namespace test;

namespace
{

// What a channel's core adds: lists are filled, and functions called with the lock held.
template <class T>
class place : public weft::detail::channel_waiters
{
public:
    weft::detail::rendezvous<T> meeting()
    {
        return weft::detail::rendezvous<T>(*this, ring_);
    }

    ring_result receiver_waits()
    {
        return meeting().probe_send();
    }

    ring_result sender_waits()
    {
        return meeting().probe_receive();
    }

    void add_sender(waiter& w, T& value)
    {
        set_wanted(w, &value);
        senders_.push(w);
        senders_waiting_.store(true);
    }

    void add_receiver(waiter& w, weft::detail::receiver<T>& to)
    {
        set_wanted(w, &to);
        receivers_.push(w);
        receivers_waiting_.store(true);
    }

    // As often as anything is done. Returns how often that is.
    template <class Resume>
    int match_all(bool closed, Resume resume)
    {
        int rounds = 0;
        for (;; ++rounds)
        {
            ready_batch out;
            mutex_.lock();
            if (closed)
                ring_.close();
            bool const progress = meeting().match_waiters(out);
            ring_.reopen();
            mutex_.unlock();
            out.resume_all(resume);
            if (!progress)
                return rounds;
        }
    }

private:
    // For whether it is closed.
    weft::detail::mpmc_ring<T> ring_{1};
};

struct numbers : log
{
    place<number> p;

    void wait(sender& s)
    {
        ids.emplace_back(&s, s.id);
        p.add_sender(s, s.value);
    }

    void wait(receiver& r)
    {
        ids.emplace_back(&r, r.id);
        p.add_receiver(r, r);
    }

    int match_waiters(bool closed = false)
    {
        return p.match_all(closed, resume());
    }

    ring_result hand_over(int n)
    {
        auto construct = [&](void* to) noexcept
        {
            ::new (to) number(n);
            ++constructed;
        };
        auto then = resume();
        return p.meeting().try_send(construct, then);
    }

    ring_result take(receiver& r)
    {
        auto then = resume();
        return p.meeting().try_receive(r, then);
    }

    int constructed = 0;
};

std::vector<int> up_to(int n)
{
    std::vector<int> all(static_cast<std::size_t>(n));
    std::iota(all.begin(), all.end(), 1);
    return all;
}

void check_got(receiver const& r, std::vector<int> const& expected)
{
    BOOST_TEST(r.got == expected, boost::test_tools::per_element());
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(sync_rendezvous, numbers)

BOOST_AUTO_TEST_CASE(who_only_tries_meets_nobody_without_the_lock)
{
    receiver r;
    sender s(1);
    // Would wait for ever if it took the lock.
    p.mutex_.lock();
    BOOST_TEST(hand_over(1) == ring_result::blocked);
    wait(s);
    BOOST_TEST(hand_over(1) == ring_result::blocked);
    p.mutex_.unlock();
    BOOST_TEST(constructed == 0);
    BOOST_TEST(p.cancel(s));

    wait(r);
    p.mutex_.lock();
    BOOST_TEST(take(r) == ring_result::blocked);
    p.mutex_.unlock();
    BOOST_TEST(p.cancel(r));
    check({});
}

BOOST_AUTO_TEST_CASE(a_flag_may_be_up_in_vain)
{
    p.receivers_waiting_.store(true);
    p.senders_waiting_.store(true);
    receiver r;
    for (int i = 0; i != 2; ++i)
    {
        BOOST_TEST(hand_over(1) == ring_result::blocked);
        BOOST_TEST(take(r) == ring_result::blocked);
    }
    BOOST_TEST(constructed == 0);
    check_got(r, {});
    check({});
}

BOOST_AUTO_TEST_CASE(a_value_is_handed_to_the_receiver_that_came_first)
{
    receiver a(1001), b(1002);
    wait(a);
    wait(b);
    BOOST_TEST(p.receiver_waits() == ring_result::done);
    BOOST_TEST(p.sender_waits() == ring_result::blocked);
    BOOST_TEST(hand_over(7) == ring_result::done);
    check({1001});
    check_got(a, {7});
    check_got(b, {});
    BOOST_TEST(p.receivers_waiting_.load());
    BOOST_TEST(hand_over(8) == ring_result::done);
    check({1002});
    check_got(b, {8});
    BOOST_TEST(!p.receivers_waiting_.load());
    BOOST_TEST(p.receiver_waits() == ring_result::blocked);
    BOOST_TEST(hand_over(9) == ring_result::blocked);
    BOOST_TEST(constructed == 2);
}

BOOST_AUTO_TEST_CASE(a_receiver_of_many_leaves_with_the_one_that_is_handed_to_it)
{
    receiver a(1001, 5);
    wait(a);
    BOOST_TEST(hand_over(7) == ring_result::done);
    check({1001});
    check_got(a, {7});
    BOOST_TEST(hand_over(8) == ring_result::blocked);
}

BOOST_AUTO_TEST_CASE(who_tries_to_receive_takes_from_the_sender_that_came_first)
{
    sender a(1), b(2);
    wait(a);
    wait(b);
    BOOST_TEST(p.sender_waits() == ring_result::done);
    BOOST_TEST(p.receiver_waits() == ring_result::blocked);
    receiver r;
    BOOST_TEST(take(r) == ring_result::done);
    check({1});
    check_got(r, {1});
    BOOST_TEST(b.value.get() == 2);
    BOOST_TEST(p.senders_waiting_.load());
    receiver s(0, 5);
    BOOST_TEST(take(s) == ring_result::done);
    check({2});
    check_got(s, {2});
    BOOST_TEST(!p.senders_waiting_.load());
    BOOST_TEST(take(s) == ring_result::blocked);
}

BOOST_AUTO_TEST_CASE(who_tries_to_receive_many_takes_no_more_than_there_is_room_for)
{
    std::deque<sender> all;
    for (int i = 1; i <= 5; ++i)
        wait(all.emplace_back(i));
    receiver r(0, 3);
    BOOST_TEST(take(r) == ring_result::done);
    check({1, 2, 3});
    check_got(r, {1, 2, 3});
    BOOST_TEST(all[3].value.get() == 4);
    BOOST_TEST(all[3].linked());
    BOOST_TEST(all[4].linked());
}

BOOST_AUTO_TEST_CASE(who_tries_to_receive_more_than_a_batch_gets_the_rest_next)
{
    std::deque<sender> all;
    for (int i = 1; i <= 100; ++i)
        wait(all.emplace_back(i));
    receiver r(0, 1000);
    int calls = 0;
    while (take(r) == ring_result::done)
        ++calls;
    BOOST_TEST(calls >= 4);
    BOOST_TEST(calls <= 10);
    check_got(r, up_to(100));
    check(up_to(100));
}

BOOST_AUTO_TEST_CASE(who_waits_on_both_sides_is_introduced_in_order)
{
    sender a(1), b(2), c(3);
    receiver r(1001), s(1002);
    wait(a);
    BOOST_TEST(match_waiters() == 0);
    wait(b);
    wait(c);
    wait(r);
    wait(s);
    BOOST_TEST(match_waiters() == 1);
    check({1, 1001, 2, 1002});
    check_got(r, {1});
    check_got(s, {2});
    BOOST_TEST(a.value.get() == 0);
    BOOST_TEST(c.value.get() == 3);
    BOOST_TEST(c.linked());
    BOOST_TEST(match_waiters() == 0);
}

BOOST_AUTO_TEST_CASE(a_receiver_of_many_is_introduced_to_as_many_senders)
{
    std::deque<sender> all;
    for (int i = 1; i <= 5; ++i)
        wait(all.emplace_back(i));
    receiver r(1001, 3), s(1002, 3), t(1003, 3);
    wait(r);
    wait(s);
    wait(t);
    match_waiters();
    check({1, 2, 3, 1001, 4, 5, 1002});
    check_got(r, {1, 2, 3});
    check_got(s, {4, 5});
    BOOST_TEST(t.linked());
}

BOOST_AUTO_TEST_CASE(more_than_a_batch_is_introduced_in_several_rounds)
{
    for (std::size_t const room : {1u, 2u, 7u, 31u, 32u, 100u})
    {
        place<number> fresh;
        std::deque<sender> senders;
        std::deque<receiver> receivers;
        for (int i = 1; i <= 100; ++i)
        {
            sender& s = senders.emplace_back(i);
            fresh.add_sender(s, s.value);
            receiver& r = receivers.emplace_back(0, room);
            fresh.add_receiver(r, r);
        }
        std::vector<waiter const*> gone;
        int const rounds = fresh.match_all(false,
            [&](waiter& w, acquisition outcome)
            {
                BOOST_TEST((outcome == acquisition::acquired));
                gone.push_back(&w);
            });
        BOOST_TEST(rounds >= 4);
        std::vector<int> got;
        std::size_t served = 0;
        for (receiver const& r : receivers)
        {
            got.insert(got.end(), r.got.begin(), r.got.end());
            served += r.linked() ? 0 : 1;
            BOOST_TEST(r.linked() == r.got.empty());
        }
        BOOST_TEST(got == up_to(100), boost::test_tools::per_element());
        BOOST_TEST(gone.size() == 100 + served);
    }
}

BOOST_AUTO_TEST_CASE(the_end_lets_go_whom_nobody_meets)
{
    receiver r(1001), s(1002);
    sender a(1), b(2);
    wait(r);
    wait(s);
    wait(a);
    BOOST_TEST(match_waiters(true) == 1);
    check({1, 1001, -1002});
    check_got(r, {1});
    check_got(s, {});
    wait(b);
    BOOST_TEST(match_waiters(true) == 1);
    check({-2});
    BOOST_TEST(b.value.get() == 2);
    BOOST_TEST(match_waiters(true) == 0);
}

BOOST_AUTO_TEST_CASE(the_end_lets_all_go_that_are_left_over)
{
    for (bool const sending : {false, true})
    {
        std::deque<sender> senders;
        std::deque<receiver> receivers;
        std::vector<int> expected;
        for (int i = 1; i <= 100; ++i)
        {
            if (sending)
                wait(senders.emplace_back(i));
            else
                wait(receivers.emplace_back(1000 + i));
            expected.push_back(sending ? -i : -1000 - i);
        }
        BOOST_TEST(match_waiters(true) >= 4);
        check(expected);
    }
}

BOOST_AUTO_TEST_CASE(who_is_served_is_resumed_without_the_lock)
{
    sender a(1);
    receiver r(1001), s;
    int calls = 0;
    auto resume = [&](waiter& w, acquisition)
    {
        // Takes the lock, and would wait for ever if it were held.
        BOOST_TEST(!p.cancel(w));
        ++calls;
    };
    auto construct = [](void* to) noexcept
    {
        ::new (to) number(5);
    };
    wait(r);
    BOOST_TEST(p.meeting().try_send(construct, resume) == ring_result::done);
    wait(a);
    BOOST_TEST(p.meeting().try_receive(s, resume) == ring_result::done);
    BOOST_TEST(calls == 2);
}

BOOST_AUTO_TEST_CASE(what_is_made_for_a_receiver_is_destroyed)
{
    // A copy: what is left behind still counts.
    struct copied
    {
        explicit copied(std::shared_ptr<int> p) : shared(std::move(p))
        {
        }

        copied(copied const&) = default;

        std::shared_ptr<int> shared;
    };
    struct absorber : waiter, weft::detail::receiver<copied>
    {
        absorber() : weft::detail::receiver<copied>(&absorb)
        {
        }

        static bool absorb(weft::detail::receiver<copied>&, copied&& c) noexcept
        {
            copied const taken(std::move(c));
            BOOST_TEST(taken.shared.use_count() == 3);
            return true;
        }
    };
    place<copied> q;
    absorber w;
    q.add_receiver(w, w);
    auto const counted = std::make_shared<int>(0);
    auto construct = [&](void* to) noexcept
    {
        ::new (to) copied(counted);
    };
    long left = 0;
    auto resume = [&](waiter&, acquisition)
    {
        left = counted.use_count();
    };
    BOOST_TEST(q.meeting().try_send(construct, resume) == ring_result::done);
    BOOST_TEST(left == 1);
}

BOOST_AUTO_TEST_SUITE_END()
