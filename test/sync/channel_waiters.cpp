// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sync/channel_waiters.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

using weft::detail::acquisition;
using weft::detail::channel_waiters;
using weft::detail::waiter;
using weft::detail::waiter_list;

namespace
{

struct person : waiter
{
};

// What a channel's core adds: lists are filled, and functions called with the lock held.
class hall : public channel_waiters
{
public:
    using channel_waiters::lower_flags;
    using channel_waiters::mutex_;
    using channel_waiters::nobody_waits;
    using channel_waiters::ready_batch;
    using channel_waiters::receive_watchers_;
    using channel_waiters::receiver_of;
    using channel_waiters::receivers_;
    using channel_waiters::receivers_waiting_;
    using channel_waiters::send_watchers_;
    using channel_waiters::senders_;
    using channel_waiters::senders_waiting_;
    using channel_waiters::set_wanted;
    using channel_waiters::value_of;

    bool flag(bool senders) const
    {
        return senders ? senders_waiting_.load() : receivers_waiting_.load();
    }

    void raise_flags()
    {
        senders_waiting_.store(true);
        receivers_waiting_.store(true);
    }

    // With its flag.
    void add(waiter_list hall::*list, waiter& w)
    {
        (this->*list).push(w);
        (is_senders(list) ? senders_waiting_ : receivers_waiting_).store(true);
    }

    static bool is_senders(waiter_list hall::*list)
    {
        return list == &hall::senders_ || list == &hall::send_watchers_;
    }
};

// In the order in which cancel_all() empties them.
std::vector<waiter_list hall::*> const lists{
    &hall::receivers_, &hall::senders_, &hall::receive_watchers_, &hall::send_watchers_};

void check(std::vector<waiter const*> const& found, std::vector<waiter const*> const& expected)
{
    BOOST_TEST(found == expected, boost::test_tools::per_element());
}

} // namespace

BOOST_AUTO_TEST_SUITE(sync_channel_waiters)

BOOST_AUTO_TEST_CASE(nobody_waits_if_nobody_is_in_any_list)
{
    for (auto const list : lists)
    {
        hall h;
        person a;
        BOOST_TEST(h.nobody_waits());
        h.add(list, a);
        BOOST_TEST(!h.nobody_waits());
        BOOST_TEST(h.cancel(a));
        BOOST_TEST(h.nobody_waits());
    }
}

BOOST_AUTO_TEST_CASE(flags_are_lowered_for_sides_on_which_nobody_is)
{
    hall h;
    BOOST_TEST(!h.flag(true));
    BOOST_TEST(!h.flag(false));
    h.raise_flags();
    h.lower_flags();
    BOOST_TEST(!h.flag(true));
    BOOST_TEST(!h.flag(false));
    for (auto const list : lists)
    {
        person a;
        (h.*list).push(a);
        h.raise_flags();
        h.lower_flags();
        BOOST_TEST(h.flag(true) == hall::is_senders(list));
        BOOST_TEST(h.flag(false) != hall::is_senders(list));
        a.unlink();
    }
}

BOOST_AUTO_TEST_CASE(flags_that_are_down_stay_down)
{
    hall h;
    person a;
    h.senders_.push(a);
    h.lower_flags();
    BOOST_TEST(!h.flag(true));
    BOOST_TEST(!h.flag(false));
}

BOOST_AUTO_TEST_CASE(a_waiter_is_cancelled_once_from_any_list)
{
    for (auto const list : lists)
    {
        hall h;
        person a, b, c;
        for (person* const p : {&a, &b, &c})
            h.add(list, *p);
        BOOST_TEST(h.cancel(b));
        BOOST_TEST(!b.linked());
        BOOST_TEST(!h.cancel(b));
        BOOST_TEST(h.flag(hall::is_senders(list)));
        BOOST_TEST(&(h.*list).front() == &a);
        BOOST_TEST(h.cancel(a));
        BOOST_TEST(&(h.*list).front() == &c);
        BOOST_TEST(h.cancel(c));
        BOOST_TEST(!h.flag(hall::is_senders(list)));
        BOOST_TEST(!h.cancel(c));
    }
}

BOOST_AUTO_TEST_CASE(one_that_was_never_registered_is_not_cancelled)
{
    hall h;
    person a, b;
    h.add(&hall::receivers_, b);
    BOOST_TEST(!h.cancel(a));
    BOOST_TEST(h.cancel(b));
}

BOOST_AUTO_TEST_CASE(a_flag_stays_up_for_a_watcher_when_the_last_that_waits_in_earnest_goes)
{
    using list = waiter_list hall::*;
    std::pair<list, list> const sides[] = {
        {&hall::senders_, &hall::send_watchers_}, {&hall::receivers_, &hall::receive_watchers_}};
    for (auto const& [earnest, watching] : sides)
    {
        hall h;
        person a, w;
        h.add(earnest, a);
        h.add(watching, w);
        BOOST_TEST(h.cancel(a));
        BOOST_TEST(h.flag(hall::is_senders(earnest)));
        BOOST_TEST(h.cancel(w));
        BOOST_TEST(!h.flag(hall::is_senders(earnest)));
    }
}

BOOST_AUTO_TEST_CASE(all_are_taken_out_in_order_and_those_that_wait_in_earnest_first)
{
    hall h;
    std::deque<person> all(8);
    std::vector<waiter const*> expected;
    // Each list gets two; the lists are filled back to front.
    for (std::size_t i = lists.size(); i-- != 0;)
        for (std::size_t j = 0; j != 2; ++j)
            h.add(lists[i], all[2 * i + j]);
    for (person const& p : all)
        expected.push_back(&p);
    std::vector<waiter const*> out;
    h.cancel_all(
        [&](waiter& w)
        {
            BOOST_TEST(!w.linked());
            BOOST_TEST(!h.flag(true));
            BOOST_TEST(!h.flag(false));
            // Takes the lock, and would wait for ever if it were held.
            BOOST_TEST(!h.cancel(w));
            out.push_back(&w);
        });
    check(out, expected);
    BOOST_TEST(h.nobody_waits());
    // The lock is free again.
    h.cancel_all([](waiter&) { BOOST_ERROR("nobody is there"); });
}

BOOST_AUTO_TEST_CASE(one_that_registers_while_all_are_taken_out_stays)
{
    for (auto const list : lists)
    {
        hall h;
        std::deque<person> all(2 * hall::batch);
        for (person& p : all)
            h.add(list, p);
        person late;
        std::size_t calls = 0;
        h.cancel_all(
            [&](waiter& w)
            {
                BOOST_TEST(&w == &all[calls]);
                if (calls++ == 0)
                    h.add(list, late);
            });
        BOOST_TEST(calls == all.size());
        BOOST_TEST(&(h.*list).front() == &late);
        BOOST_TEST(h.flag(hall::is_senders(list)));
        BOOST_TEST(h.cancel(late));
    }
}

BOOST_AUTO_TEST_CASE(nobody_can_be_cancelled_any_more_when_the_first_is_resumed)
{
    for (auto const list : lists)
    {
        hall h;
        std::deque<person> all(hall::batch + 2);
        for (person& p : all)
            h.add(list, p);
        std::size_t calls = 0;
        h.cancel_all(
            [&](waiter& w)
            {
                BOOST_TEST(&w == &all[calls]);
                if (calls++ == 0)
                    for (person& p : all)
                        BOOST_TEST(!h.cancel(p));
            });
        BOOST_TEST(calls == all.size());
    }
}

BOOST_AUTO_TEST_CASE(the_first_that_is_resumed_may_destroy_the_object)
{
    for (auto const list : lists)
    {
        auto h = std::make_unique<hall>();
        std::deque<person> all(3 * hall::batch);
        for (person& p : all)
            h->add(list, p);
        std::size_t calls = 0;
        h->cancel_all(
            [&](waiter&)
            {
                ++calls;
                h.reset();
            });
        BOOST_TEST(calls == all.size());
    }
}

BOOST_AUTO_TEST_CASE(what_a_waiter_wants_is_found_again)
{
    struct nowhere : weft::detail::receiver<int>
    {
        nowhere()
            : weft::detail::receiver<int>{[](receiver&, int&&) noexcept
                  {
                      return false;
                  }}
        {
        }
    };
    nowhere to;
    int value = 0;
    person a;
    a.held.set(1);
    hall::set_wanted(a, static_cast<weft::detail::receiver<int>*>(&to));
    BOOST_TEST(&hall::receiver_of<int>(a) == &to);
    BOOST_TEST(a.held.get() == 0u);
    hall::set_wanted(a, &value);
    BOOST_TEST(&hall::value_of<int>(a) == &value);
    hall::set_wanted(a, nullptr);
    BOOST_TEST(a.wanted.get() == 0u);
}

BOOST_AUTO_TEST_CASE(a_ready_batch_is_full_when_two_more_have_no_room)
{
    hall::ready_batch out;
    std::deque<person> all(hall::batch);
    std::size_t added = 0;
    for (; !out.full(); added += 2)
    {
        out.add(all[added], acquisition::acquired);
        out.add(all[added + 1], acquisition::closed);
    }
    BOOST_TEST(added == hall::batch);
    std::size_t resumed = 0;
    auto resume = [&](waiter& w, acquisition outcome)
    {
        BOOST_TEST(&w == &all[resumed]);
        BOOST_TEST((outcome == (resumed % 2 == 0 ? acquisition::acquired : acquisition::closed)));
        ++resumed;
    };
    out.begin_next_hold();
    BOOST_TEST(!out.full());
    out.resume_all(resume);
    BOOST_TEST(resumed == hall::batch);
}

BOOST_AUTO_TEST_CASE(a_ready_batch_with_room_for_one_is_full)
{
    hall::ready_batch out;
    std::deque<person> all(hall::batch - 1);
    for (person& p : all)
    {
        BOOST_TEST(!out.full());
        out.add(p, acquisition::acquired);
    }
    BOOST_TEST(out.full());
}

BOOST_AUTO_TEST_CASE(nobody_has_departed_at_first)
{
    hall::ready_batch out;
    auto resume = [](waiter&, acquisition)
    {
        BOOST_ERROR("nobody is there");
    };
    out.resume_all(resume);
    BOOST_TEST(!out.full());
}

BOOST_AUTO_TEST_SUITE_END()
