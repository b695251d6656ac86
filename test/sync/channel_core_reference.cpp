// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Random operations on a channel's core beside the same on what it should do.

#include "sync/channel_core_fixture.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <random>
#include <vector>

using namespace test;

namespace
{

// What the core should do, in the most direct way.
struct reference
{
    struct receiving
    {
        int id;
        std::size_t room;
        std::vector<int>* got;
    };

    std::size_t capacity;
    bool closed = false;
    std::deque<int> buffer;
    std::deque<int> senders;
    std::deque<receiving> receivers;
    std::vector<int> out;

    int next()
    {
        if (buffer.empty())
        {
            int const n = senders.front();
            senders.pop_front();
            out.push_back(n);
            return n;
        }
        int const n = buffer.front();
        buffer.pop_front();
        return n;
    }

    void settle()
    {
        for (;;)
        {
            bool const direct = capacity == 0 && !senders.empty();
            if (!receivers.empty() && (!buffer.empty() || direct))
            {
                receiving r = receivers.front();
                receivers.pop_front();
                while (r.got->size() < r.room && (!buffer.empty() || (direct && !senders.empty())))
                    r.got->push_back(next());
                out.push_back(r.id);
            }
            else if (closed && !receivers.empty())
            {
                out.push_back(-receivers.front().id);
                receivers.pop_front();
            }
            else if (closed && !senders.empty())
            {
                out.push_back(-senders.front());
                senders.pop_front();
            }
            else if (!senders.empty() && buffer.size() < capacity)
            {
                buffer.push_back(senders.front());
                out.push_back(senders.front());
                senders.pop_front();
            }
            else
                return;
        }
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(sync_channel_core_reference, fixture)

BOOST_AUTO_TEST_CASE(random_operations_do_what_the_reference_does)
{
    std::mt19937 random(20260102);
    auto below = [&](std::size_t n)
    {
        return random() % n;
    };
    auto sorted = [](std::vector<int> v)
    {
        std::sort(v.begin(), v.end());
        return v;
    };
    for (int run = 0; run != 3000; ++run)
    {
        std::size_t const capacities[] = {0, 1, 2, 3, 5, 100};
        std::size_t const capacity = capacities[run % 6];
        core c(capacity);
        reference ref{capacity, false, {}, {}, {}, {}};
        std::deque<sender> senders;
        std::deque<receiver> receivers;
        std::deque<std::vector<int>> expected;
        out.clear();
        ids.clear();
        int next = 1;
        for (int step = 0; step != 80; ++step)
        {
            std::size_t const what = below(100);
            if (what < 35)
            {
                sender& s = senders.emplace_back(next++);
                acquisition const a = send(c, s);
                if (a == acquisition::acquired)
                    out.push_back(s.id);
                else if (a == acquisition::closed)
                    out.push_back(-s.id);
                ref.senders.push_back(s.id);
                ref.settle();
            }
            else if (what < 65)
            {
                receiver& r =
                    receivers.emplace_back(1000 + static_cast<int>(receivers.size()), 1 + below(3));
                acquisition const a = receive(c, r);
                if (a == acquisition::acquired)
                    out.push_back(r.id);
                else if (a == acquisition::closed)
                    out.push_back(-r.id);
                ref.receivers.push_back({r.id, r.room, &expected.emplace_back()});
                ref.settle();
            }
            else if (what < 75)
            {
                bool const can =
                    !ref.closed && (ref.buffer.size() < capacity || !ref.receivers.empty());
                BOOST_REQUIRE((try_send(c, next) == ring_result::done) == can);
                if (can && !ref.receivers.empty())
                {
                    ref.receivers.front().got->push_back(next);
                    ref.out.push_back(ref.receivers.front().id);
                    ref.receivers.pop_front();
                }
                else if (can)
                    ref.buffer.push_back(next);
                ++next;
            }
            else if (what < 85)
            {
                bool const can = !ref.buffer.empty() || (capacity == 0 && !ref.senders.empty());
                int const got = try_receive(c);
                BOOST_REQUIRE(got == (can ? ref.next() : ref.closed ? -1 : 0));
                ref.settle();
            }
            else if (what < 97)
            {
                bool mine = false;
                bool expect = false;
                if (below(2) == 0 && !senders.empty())
                {
                    sender& s = senders[below(senders.size())];
                    auto const at = std::find(ref.senders.begin(), ref.senders.end(), s.id);
                    expect = at != ref.senders.end();
                    if (expect)
                        ref.senders.erase(at);
                    mine = c.cancel(s);
                    BOOST_REQUIRE((!mine || s.value.get() == s.id));
                }
                else if (!receivers.empty())
                {
                    receiver& r = receivers[below(receivers.size())];
                    auto const at = std::find_if(ref.receivers.begin(), ref.receivers.end(),
                        [&](auto const& x) { return x.id == r.id; });
                    expect = at != ref.receivers.end();
                    if (expect)
                        ref.receivers.erase(at);
                    mine = c.cancel(r);
                }
                BOOST_REQUIRE(mine == expect);
            }
            else if (what == 97)
            {
                c.cancel_all(take_out());
                for (auto const& r : ref.receivers)
                    ref.out.push_back(-r.id);
                for (int const s : ref.senders)
                    ref.out.push_back(-s);
                ref.receivers.clear();
                ref.senders.clear();
            }
            else if (what == 98)
            {
                ref.closed = true;
                c.close_after_last(resume());
                ref.settle();
            }
            else
            {
                ref.closed = false;
                c.reopen();
            }
            // The order in which the two sides are resumed is nobody's business.
            BOOST_REQUIRE(sorted(out) == sorted(ref.out));
            out.clear();
            ref.out.clear();
            for (std::size_t i = 0; i != receivers.size(); ++i)
                BOOST_REQUIRE(receivers[i].got == expected[i]);
            BOOST_REQUIRE(c.size() == ref.buffer.size());
            BOOST_REQUIRE(c.closed() == ref.closed);
        }
        c.cancel_all([](waiter&) {});
    }
}

BOOST_AUTO_TEST_SUITE_END()
