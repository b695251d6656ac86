// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Random operations on two channels' cores, which are exchanged now and then, beside the same on
// what they should do.

#include "sync/channel_core_fixture.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <random>
#include <utility>
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
    std::vector<int> send_watchers;
    std::vector<int> receive_watchers;
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
        while (serve_one())
        {
        }
        notify_watchers(send_watchers, can_send());
        notify_watchers(receive_watchers, can_receive());
    }

    bool serve_one()
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
            return false;
        return true;
    }

    void notify_watchers(std::vector<int>& watchers, ring_result found)
    {
        if (found == ring_result::blocked)
            return;
        for (int const id : watchers)
            out.push_back(found == ring_result::done ? id : -id);
        watchers.clear();
    }

    ring_result can_send() const
    {
        if (closed)
            return ring_result::closed;
        bool const can = capacity == 0 ? !receivers.empty() : buffer.size() < capacity;
        return can ? ring_result::done : ring_result::blocked;
    }

    ring_result can_receive() const
    {
        if (!buffer.empty())
            return ring_result::done;
        if (closed)
            return ring_result::closed;
        return capacity == 0 && !senders.empty() ? ring_result::done : ring_result::blocked;
    }

    void cancel_all()
    {
        for (auto const& r : receivers)
            out.push_back(-r.id);
        for (auto const* const ids : {&send_watchers, &receive_watchers})
            for (int const id : *ids)
                out.push_back(-id);
        for (int const s : senders)
            out.push_back(-s);
        receivers.clear();
        senders.clear();
        send_watchers.clear();
        receive_watchers.clear();
    }

    // What moves with the values; those that wait stay.
    void swap(reference& other)
    {
        std::swap(capacity, other.capacity);
        std::swap(closed, other.closed);
        std::swap(buffer, other.buffer);
        settle();
        other.settle();
    }
};

struct watcher : waiter
{
    explicit watcher(int n) : id(n)
    {
    }

    int id;
};

template <class Ids, class Same>
bool erased(Ids& ids, Same same)
{
    auto const at = std::find_if(ids.begin(), ids.end(), same);
    if (at == ids.end())
        return false;
    ids.erase(at);
    return true;
}

// Two cores with what has been started on them.
struct comparison : fixture
{
    struct side
    {
        explicit side(std::size_t capacity)
            : c(capacity), ref{capacity, false, {}, {}, {}, {}, {}, {}}
        {
        }

        core c;
        reference ref;
        std::deque<sender> senders;
        std::deque<receiver> receivers;
        std::deque<watcher> watchers;
        std::deque<std::vector<int>> expected;
    };

    std::mt19937 random{20260102};
    int next_value = 1;
    int next_receiver = 1000;
    int next_watcher = 2000;

    std::size_t below(std::size_t n)
    {
        return random() % n;
    }

    void begun(int id, acquisition a)
    {
        if (a != acquisition::waiting)
            out.push_back(a == acquisition::acquired ? id : -id);
    }

    void send(side& s)
    {
        sender& w = s.senders.emplace_back(next_value++);
        begun(w.id, fixture::send(s.c, w));
        s.ref.senders.push_back(w.id);
        s.ref.settle();
    }

    void receive(side& s)
    {
        receiver& w = s.receivers.emplace_back(next_receiver++, 1 + below(3));
        begun(w.id, fixture::receive(s.c, w));
        s.ref.receivers.push_back({w.id, w.room, &s.expected.emplace_back()});
        s.ref.settle();
    }

    void watch(side& s)
    {
        watcher& w = s.watchers.emplace_back(next_watcher++);
        ids.emplace_back(&w, w.id);
        bool const sending = below(2) == 0;
        begun(w.id, sending ? s.c.watch_send(w) : s.c.watch_receive(w));
        (sending ? s.ref.send_watchers : s.ref.receive_watchers).push_back(w.id);
        s.ref.settle();
    }

    void try_send(side& s)
    {
        reference& ref = s.ref;
        bool const can =
            !ref.closed && (ref.buffer.size() < ref.capacity || !ref.receivers.empty());
        BOOST_REQUIRE((fixture::try_send(s.c, next_value) == ring_result::done) == can);
        if (can && !ref.receivers.empty())
        {
            ref.receivers.front().got->push_back(next_value);
            ref.out.push_back(ref.receivers.front().id);
            ref.receivers.pop_front();
        }
        else if (can)
            ref.buffer.push_back(next_value);
        ref.settle();
        ++next_value;
    }

    void try_receive(side& s)
    {
        bool const can = s.ref.can_receive() == ring_result::done;
        int const got = fixture::try_receive(s.c);
        BOOST_REQUIRE(got == (can ? s.ref.next() : s.ref.closed ? -1 : 0));
        s.ref.settle();
    }

    void cancel_one(side& s)
    {
        auto const has_id = [](int id)
        {
            return [id](int other)
            {
                return id == other;
            };
        };
        bool mine = false;
        bool expect = false;
        std::size_t const what = below(3);
        if (what == 0 && !s.senders.empty())
        {
            sender& w = s.senders[below(s.senders.size())];
            expect = erased(s.ref.senders, has_id(w.id));
            mine = s.c.cancel(w);
            BOOST_REQUIRE((!mine || w.value.get() == w.id));
        }
        else if (what == 1 && !s.receivers.empty())
        {
            receiver& w = s.receivers[below(s.receivers.size())];
            expect = erased(s.ref.receivers, [&](auto const& x) { return x.id == w.id; });
            mine = s.c.cancel(w);
        }
        else if (what == 2 && !s.watchers.empty())
        {
            watcher& w = s.watchers[below(s.watchers.size())];
            expect = erased(s.ref.send_watchers, has_id(w.id)) ||
                     erased(s.ref.receive_watchers, has_id(w.id));
            mine = s.c.cancel(w);
        }
        BOOST_REQUIRE(mine == expect);
    }

    void step(side& s, side& other)
    {
        std::size_t const what = below(100);
        if (what < 30)
            send(s);
        else if (what < 55)
            receive(s);
        else if (what < 63)
            watch(s);
        else if (what < 73)
            try_send(s);
        else if (what < 83)
            try_receive(s);
        else if (what < 94)
            cancel_one(s);
        else if (what == 94)
        {
            s.c.cancel_all(take_out());
            s.ref.cancel_all();
        }
        else if (what == 95)
        {
            s.ref.closed = true;
            s.c.close_after_last(resume());
            s.ref.settle();
        }
        else if (what == 96)
        {
            s.ref.closed = false;
            s.c.reopen();
        }
        else if (what == 97)
        {
            receiver all(0, 1000);
            s.c.reset(all, resume());
            BOOST_REQUIRE(all.got.size() == s.ref.buffer.size());
            s.ref.cancel_all();
            s.ref.buffer.clear();
            s.ref.closed = false;
        }
        else
        {
            s.c.swap(other.c, resume());
            s.ref.swap(other.ref);
        }
    }

    void compare(side& a, side& b)
    {
        // The order in which the two sides are resumed is nobody's business.
        std::vector<int> expected = a.ref.out;
        expected.insert(expected.end(), b.ref.out.begin(), b.ref.out.end());
        std::sort(expected.begin(), expected.end());
        std::sort(out.begin(), out.end());
        BOOST_REQUIRE(out == expected);
        out.clear();
        for (side* const s : {&a, &b})
        {
            s->ref.out.clear();
            for (std::size_t i = 0; i != s->receivers.size(); ++i)
                BOOST_REQUIRE(s->receivers[i].got == s->expected[i]);
            BOOST_REQUIRE(s->c.capacity() == s->ref.capacity);
            BOOST_REQUIRE(s->c.size() == s->ref.buffer.size());
            BOOST_REQUIRE(s->c.closed() == s->ref.closed);
            BOOST_REQUIRE(s->c.can_send() == s->ref.can_send());
            BOOST_REQUIRE(s->c.can_receive() == s->ref.can_receive());
        }
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(sync_channel_core_reference, comparison)

BOOST_AUTO_TEST_CASE(random_operations_do_what_the_reference_does)
{
    std::size_t const capacities[] = {0, 1, 2, 3, 5, 100};
    for (int run = 0; run != 3600; ++run)
    {
        side sides[] = {side(capacities[run % 6]), side(capacities[run / 6 % 6])};
        ids.clear();
        next_value = 1;
        for (int i = 0; i != 160; ++i)
        {
            std::size_t const which = below(2);
            step(sides[which], sides[1 - which]);
            compare(sides[0], sides[1]);
        }
        for (side& s : sides)
            s.c.cancel_all([](waiter&) {});
    }
}

BOOST_AUTO_TEST_SUITE_END()
