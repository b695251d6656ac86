// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "sync/channel_core_fixture.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <memory>
#include <new>
#include <vector>

using namespace test;

BOOST_FIXTURE_TEST_SUITE(sync_channel_core, fixture)

BOOST_AUTO_TEST_CASE(values_are_buffered_up_to_the_capacity)
{
    for (int capacity : {1, 2, 3, 5, 100})
    {
        core c(static_cast<std::uint64_t>(capacity));
        for (int i = 1; i <= capacity; ++i)
            BOOST_TEST(try_send(c, i) == ring_result::done);
        BOOST_TEST(try_send(c, 999) == ring_result::blocked);
        BOOST_TEST(c.size() == static_cast<std::uint64_t>(capacity));
        for (int i = 1; i <= capacity; ++i)
            BOOST_TEST(try_receive(c) == i);
        BOOST_TEST(try_receive(c) == 0);
    }
}

BOOST_AUTO_TEST_CASE(the_sender_performs_the_receive_of_the_one_that_waits)
{
    core c(2);
    receiver a(1001), b(1002);
    BOOST_TEST(receive(c, a) == acquisition::waiting);
    BOOST_TEST(receive(c, b) == acquisition::waiting);
    BOOST_TEST(!c.may_receive());
    BOOST_TEST(try_send(c, 7) == ring_result::done);
    check({1001});
    BOOST_TEST(a.got == std::vector<int>{7});
    BOOST_TEST(!c.cancel(a));
    BOOST_TEST(try_send(c, 8) == ring_result::done);
    check({1002});
    BOOST_TEST(b.got == std::vector<int>{8});
    BOOST_TEST(c.may_receive());
    BOOST_TEST(c.size() == 0u);
}

BOOST_AUTO_TEST_CASE(the_receiver_performs_the_send_of_the_one_that_waits)
{
    core c(1);
    sender a(1), b(2), d(3);
    BOOST_TEST(send(c, a) == acquisition::acquired);
    BOOST_TEST(send(c, b) == acquisition::waiting);
    BOOST_TEST(send(c, d) == acquisition::waiting);
    BOOST_TEST(!c.may_send());
    BOOST_TEST(try_receive(c) == 1);
    check({2});
    BOOST_TEST(b.value.get() == 0);
    BOOST_TEST(d.value.get() == 3);
    BOOST_TEST(try_receive(c) == 2);
    check({3});
    BOOST_TEST(try_receive(c) == 3);
    BOOST_TEST(try_receive(c) == 0);
}

BOOST_AUTO_TEST_CASE(without_a_buffer_they_meet)
{
    core c(0);
    BOOST_TEST(try_send(c, 1) == ring_result::blocked);
    BOOST_TEST(try_receive(c) == 0);
    sender a(1);
    receiver r(1001), s(1002);
    BOOST_TEST(send(c, a) == acquisition::waiting);
    BOOST_TEST(c.can_receive() == ring_result::done);
    BOOST_TEST(c.can_send() == ring_result::blocked);
    // Performed inside the call: the receiver is resumed like any other.
    BOOST_TEST(receive(c, r) == acquisition::waiting);
    check({1, 1001});
    BOOST_TEST(r.got == std::vector<int>{1});
    BOOST_TEST(receive(c, s) == acquisition::waiting);
    BOOST_TEST(c.can_send() == ring_result::done);
    BOOST_TEST(try_send(c, 5) == ring_result::done);
    check({1002});
    BOOST_TEST(s.got == std::vector<int>{5});
    sender b(2);
    BOOST_TEST(send(c, b) == acquisition::waiting);
    BOOST_TEST(try_receive(c) == 2);
    check({2});
}

BOOST_AUTO_TEST_CASE(one_receive_takes_as_many_as_there_are)
{
    for (int capacity : {0, 2, 3, 9})
    {
        core c(static_cast<std::uint64_t>(capacity));
        std::deque<sender> all;
        for (int i = 1; i <= 6; ++i)
            (void)send(c, all.emplace_back(i));
        out.clear();
        receiver r(1001, 4);
        acquisition const a = receive(c, r);
        BOOST_TEST((a == acquisition::acquired || out.back() == 1001));
        // Those that wait are not let in before the receiver has looked.
        std::size_t const expected = capacity == 2 ? 2 : capacity == 3 ? 3 : 4;
        BOOST_TEST(r.got.size() == expected);
        for (std::size_t i = 0; i != r.got.size(); ++i)
            BOOST_TEST(r.got[i] == static_cast<int>(i) + 1);
        c.cancel_all(take_out());
        out.clear();
    }
}

BOOST_AUTO_TEST_CASE(a_cancelled_waiter_loses_its_place_and_nothing_else)
{
    for (int capacity : {0, 1})
    {
        core c(static_cast<std::uint64_t>(capacity));
        receiver a(1001), b(1002);
        (void)receive(c, a);
        (void)receive(c, b);
        BOOST_TEST(c.cancel(a));
        BOOST_TEST(!c.cancel(a));
        BOOST_TEST(try_send(c, 1) == ring_result::done);
        check({1002});
        BOOST_TEST(a.got.empty());
        BOOST_TEST(b.got == std::vector<int>{1});
        sender s(1), t(2), u(3);
        (void)send(c, s);
        (void)send(c, t);
        (void)send(c, u);
        BOOST_TEST(c.cancel(t));
        BOOST_TEST(t.value.get() == 2);
        BOOST_TEST(try_receive(c) == 1);
        BOOST_TEST(try_receive(c) == 3);
        BOOST_TEST(c.may_send());
        out.clear();
    }
}

BOOST_AUTO_TEST_CASE(after_the_end_receivers_get_what_is_left)
{
    core c(2);
    sender a(1), b(2), d(3), late(4);
    (void)send(c, a);
    (void)send(c, b);
    (void)send(c, d);
    c.close_after_last(resume());
    check({-3});
    BOOST_TEST(d.value.get() == 3);
    BOOST_TEST(send(c, late) == acquisition::closed);
    BOOST_TEST(late.value.get() == 4);
    BOOST_TEST(try_send(c, 5) == ring_result::closed);
    receiver r(1001), s(1002);
    BOOST_TEST(receive(c, r) == acquisition::acquired);
    BOOST_TEST(try_receive(c) == 2);
    BOOST_TEST(receive(c, s) == acquisition::closed);
    BOOST_TEST(try_receive(c) == -1);
    c.close_after_last(resume());
    check({});
    c.reopen();
    BOOST_TEST(try_send(c, 6) == ring_result::done);
    BOOST_TEST(try_receive(c) == 6);
}

BOOST_AUTO_TEST_CASE(the_end_lets_all_go_that_wait)
{
    for (int capacity : {0, 3})
    {
        core c(static_cast<std::uint64_t>(capacity));
        receiver r(1001), s(1002), w(1003);
        (void)receive(c, r);
        (void)receive(c, s);
        ids.emplace_back(&w, w.id);
        BOOST_TEST(c.watch_receive(w) == acquisition::waiting);
        c.close_after_last(resume());
        check({-1001, -1002, -1003});
        BOOST_TEST(c.watch_receive(w) == acquisition::closed);
        BOOST_TEST(c.watch_send(w) == acquisition::closed);
    }
}

BOOST_AUTO_TEST_CASE(watchers_are_let_go_and_take_nothing)
{
    for (int capacity : {0, 1})
    {
        core c(static_cast<std::uint64_t>(capacity));
        receiver v(1001), w(1002), r(1003);
        ids.emplace_back(&v, v.id);
        ids.emplace_back(&w, w.id);
        BOOST_TEST(c.watch_receive(v) == acquisition::waiting);
        BOOST_TEST(c.watch_receive(w) == acquisition::waiting);
        (void)receive(c, r);
        // The one that waits in earnest comes first, and leaves nothing for them.
        BOOST_TEST(try_send(c, 1) == ring_result::done);
        check({1003});
        sender s(2);
        (void)send(c, s);
        check({1001, 1002});
        BOOST_TEST(c.watch_receive(v) == acquisition::acquired);
        BOOST_TEST(try_receive(c) == 2);
        out.clear();

        if (capacity == 1)
        {
            BOOST_TEST(c.watch_send(v) == acquisition::acquired);
            BOOST_TEST(try_send(c, 3) == ring_result::done);
        }
        BOOST_TEST(c.watch_send(v) == acquisition::waiting);
        if (capacity == 1)
            BOOST_TEST(try_receive(c) == 3);
        else
        {
            receiver q(1004);
            (void)receive(c, q);
            BOOST_TEST(c.cancel(q));
        }
        check({1001});
        BOOST_TEST(c.watch_receive(w) == acquisition::waiting);
        BOOST_TEST(c.cancel(w));
    }
}

BOOST_AUTO_TEST_CASE(more_than_a_batch_is_served_with_the_lock_free_in_between)
{
    for (int capacity : {0, 1, 200})
    {
        core c(static_cast<std::uint64_t>(capacity));
        std::deque<receiver> all;
        for (int i = 0; i != 100; ++i)
            (void)receive(c, all.emplace_back(1000 + i));
        int calls = 0;
        c.close_after_last(
            [&](waiter& w, acquisition a)
            {
                BOOST_TEST(id_of(w) == 1000 + calls++);
                BOOST_TEST(a == acquisition::closed);
                // Takes the lock, and would wait for ever if it were held.
                BOOST_TEST(!c.cancel(w));
            });
        BOOST_TEST(calls == 100);
    }
}

// However many there are, and those that fill a batch exactly.
BOOST_AUTO_TEST_CASE(the_last_one_that_is_served_may_destroy_it)
{
    for (int capacity : {0, 1})
        for (int count = 1; count != 70; ++count)
        {
            alignas(core) unsigned char place[sizeof(core)];
            core& c = *::new (static_cast<void*>(place)) core(static_cast<std::uint64_t>(capacity));
            std::deque<receiver> all;
            for (int i = 0; i != count; ++i)
                (void)receive(c, all.emplace_back(1000 + i));
            int calls = 0;
            c.close_after_last(
                [&](waiter&, acquisition)
                {
                    if (++calls != count)
                        return;
                    c.~core();
                    std::fill(std::begin(place), std::end(place), static_cast<unsigned char>(0));
                });
            BOOST_TEST(calls == count);
            BOOST_REQUIRE(std::count(std::begin(place), std::end(place), 0) ==
                          static_cast<std::ptrdiff_t>(sizeof(place)));
        }
}

// More of them than one hold of the lock is for, on a ring and without one.
BOOST_AUTO_TEST_CASE(the_first_that_is_resumed_may_destroy_the_channel)
{
    constexpr int many = 100;
    for (std::uint64_t const capacity : {0u, 1u, 100u})
    {
        std::deque<receiver> receivers;
        std::deque<sender> senders;
        auto c = std::make_unique<core>(capacity);
        int calls = 0;
        auto resume = [&](waiter&, acquisition)
        {
            ++calls;
            c.reset();
        };
        auto const wait_to_receive = [&]
        {
            c = std::make_unique<core>(capacity);
            receivers.clear();
            calls = 0;
            for (int i = 0; i != many; ++i)
                BOOST_TEST((receive(*c, receivers.emplace_back(1000 + i)) == acquisition::waiting));
        };

        wait_to_receive();
        c->cancel_all([&](waiter& w) { resume(w, acquisition::closed); });
        BOOST_TEST(calls == many);

        wait_to_receive();
        c->close([&](waiter& w) { resume(w, acquisition::closed); });
        BOOST_TEST(calls == many);

        wait_to_receive();
        {
            receiver nothing;
            c->reset(nothing, resume);
        }
        BOOST_TEST(calls == many);

        wait_to_receive();
        c->close_after_last(resume);
        BOOST_TEST(calls == many);

        // One that takes the values of all senders.
        c = std::make_unique<core>(capacity);
        calls = 0;
        for (int i = 1; i <= many + int(capacity); ++i)
        {
            sender& s = senders.emplace_back(i);
            if (std::uint64_t(i) > capacity)
                BOOST_TEST((send(*c, s) == acquisition::waiting));
            else
                BOOST_TEST((send(*c, s) == acquisition::acquired));
        }
        receiver all(0, 1000);
        BOOST_TEST((c->try_receive(all, resume) == ring_result::done));
        // Those that wait follow as far as there is room for them; the others end with the channel.
        BOOST_TEST(calls != 0);
        BOOST_TEST(!c);
        senders.clear();
    }
}

BOOST_AUTO_TEST_SUITE_END()
