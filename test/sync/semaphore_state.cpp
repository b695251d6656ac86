// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sync/semaphore_state.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace
{

using weft::detail::acquisition;
using weft::detail::semaphore_state;

struct person : weft::detail::waiter
{
    explicit person(int n = 0) : number(n)
    {
    }

    int number;
};

// A state, and the numbers of those that came out of it.
struct fixture
{
    semaphore_state state{0};
    std::vector<int> out;

    auto to_out()
    {
        return [this](weft::detail::waiter& w)
        {
            out.push_back(static_cast<person&>(w).number);
        };
    }

    void release(std::uint64_t n)
    {
        state.release(n, to_out());
    }

    bool cancel(person& p)
    {
        return cancel(state, p);
    }

    bool cancel(semaphore_state& s, person& p)
    {
        weft::detail::served_list served;
        bool const mine = s.cancel(p, served);
        auto resume = to_out();
        resume_all(served, resume);
        return mine;
    }

    void wait(person& p, std::uint64_t n)
    {
        BOOST_TEST((state.acquire(p, n) == acquisition::waiting));
    }

    void check_out(std::vector<int> const& expected)
    {
        BOOST_TEST(out == expected, boost::test_tools::per_element());
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(sync_semaphore_state, fixture)

BOOST_AUTO_TEST_CASE(permits_that_are_free_are_taken)
{
    release(3);
    BOOST_TEST(state.available() == 3u);
    BOOST_TEST(state.try_acquire(2));
    BOOST_TEST(!state.try_acquire(2));
    BOOST_TEST(state.try_acquire(1));
    BOOST_TEST(!state.try_acquire(1));
    BOOST_TEST(state.available() == 0u);
    check_out({});
}

BOOST_AUTO_TEST_CASE(the_likely_number_is_only_a_guess)
{
    release(2);
    BOOST_TEST(state.try_acquire_one_of(1));
    BOOST_TEST(state.try_acquire_one_of(1));
    BOOST_TEST(!state.try_acquire_one_of(1));
    state.release_only(to_out());
    state.release_only(to_out());
    BOOST_TEST(state.available() == 2u);
}

BOOST_AUTO_TEST_CASE(the_only_waiter_gets_the_next_permit)
{
    person a(1);
    wait(a, 1);
    BOOST_TEST(!state.try_acquire(1));
    release(3);
    check_out({1});
    BOOST_TEST(state.available() == 2u);
}

BOOST_AUTO_TEST_CASE(permits_that_nobody_has_are_free_or_collected)
{
    release(2);
    BOOST_TEST(state.unclaimed() == 2u);
    person a(1), b(2), c(3);
    wait(a, 3);
    BOOST_TEST(state.available() == 0u);
    BOOST_TEST(state.unclaimed() == 2u);
    wait(b, 1);
    BOOST_TEST(state.unclaimed() == 2u);
    release(2);
    check_out({1, 2});
    BOOST_TEST(state.unclaimed() == 0u);
    // The only one that waits, for one permit.
    wait(c, 1);
    BOOST_TEST(state.unclaimed() == 0u);
    release(2);
    BOOST_TEST(state.unclaimed() == 1u);
}

BOOST_AUTO_TEST_CASE(waiters_are_served_in_order_whatever_they_want)
{
    person a(1), b(2), c(3), d(4);
    wait(a, 1);
    wait(b, 3);
    wait(c, 1);
    wait(d, 2);
    release(2);
    check_out({1});
    release(1);
    check_out({1});
    release(2);
    check_out({1, 2, 3});
    BOOST_TEST(!state.try_acquire(1));
    release(3);
    check_out({1, 2, 3, 4});
    BOOST_TEST(state.available() == 1u);
}

BOOST_AUTO_TEST_CASE(one_that_wants_several_keeps_what_is_free)
{
    person a(1);
    release(2);
    wait(a, 3);
    BOOST_TEST(!state.try_acquire(1));
    release(1);
    check_out({1});
    BOOST_TEST(state.available() == 0u);
}

BOOST_AUTO_TEST_CASE(a_cancelled_waiter_gives_what_it_held_to_those_behind)
{
    person a(1), b(2), c(3);
    release(2);
    wait(a, 3);
    wait(b, 1);
    wait(c, 3);
    BOOST_TEST(cancel(a));
    check_out({2});
    BOOST_TEST(!cancel(a));
    BOOST_TEST(!cancel(b));
    BOOST_TEST(cancel(c));
    BOOST_TEST(state.available() == 1u);
}

BOOST_AUTO_TEST_CASE(the_only_waiter_can_be_cancelled)
{
    person a(1), b(2);
    wait(a, 1);
    BOOST_TEST(cancel(a));
    BOOST_TEST(!cancel(a));
    wait(b, 1);
    BOOST_TEST(!cancel(a));
    release(1);
    check_out({2});
    BOOST_TEST(!cancel(b));
}

BOOST_AUTO_TEST_CASE(cancelling_in_the_middle_changes_nothing_for_the_others)
{
    person a(1), b(2), c(3);
    wait(a, 1);
    wait(b, 1);
    wait(c, 1);
    BOOST_TEST(cancel(b));
    release(2);
    check_out({1, 3});
}

BOOST_AUTO_TEST_CASE(one_that_has_its_permits_at_once_cannot_be_cancelled)
{
    person a(1);
    release(1);
    BOOST_TEST((state.acquire(a, 1) == acquisition::acquired));
    BOOST_TEST(!cancel(a));
    BOOST_TEST(state.available() == 0u);
}

BOOST_AUTO_TEST_CASE(more_than_a_batch_is_served_and_resumed_without_the_lock)
{
    std::deque<person> all;
    for (int i = 0; i != 100; ++i)
        wait(all.emplace_back(i), 1);
    int calls = 0;
    state.release(100,
        [&](weft::detail::waiter& w)
        {
            BOOST_TEST(static_cast<person&>(w).number == calls);
            ++calls;
            // Takes the lock, and would wait for ever if it were held.
            BOOST_TEST(!cancel(static_cast<person&>(w)));
        });
    BOOST_TEST(calls == 100);
    BOOST_TEST(state.available() == 0u);
}

BOOST_AUTO_TEST_CASE(cancel_all_takes_everybody_and_leaves_what_was_held)
{
    person a(1), b(2);
    state.cancel_all(to_out());
    wait(a, 1);
    state.cancel_all(to_out());
    check_out({1});
    release(2);
    wait(a, 3);
    wait(b, 1);
    state.cancel_all(to_out());
    check_out({1, 1, 2});
    BOOST_TEST(state.available() == 2u);
    BOOST_TEST(!cancel(a));
}

BOOST_AUTO_TEST_CASE(nobody_can_be_cancelled_any_more_when_the_first_is_resumed)
{
    std::deque<person> all;
    for (int i = 0; i != 40; ++i)
        wait(all.emplace_back(i), 1);
    int calls = 0;
    state.cancel_all(
        [&](weft::detail::waiter&)
        {
            if (calls++ == 0)
                BOOST_TEST(!cancel(all.back()));
        });
    BOOST_TEST(calls == 40);
    BOOST_TEST(state.available() == 0u);
    release(1);
    BOOST_TEST(state.available() == 1u);
}

// More than a batch of them, and who waits for many is cancelled in favour of the others.
BOOST_AUTO_TEST_CASE(the_first_that_is_resumed_may_destroy_the_state)
{
    for (int const what : {0, 1, 2, 3})
    {
        auto s = std::make_unique<semaphore_state>(what == 3 ? 100u : 0u);
        std::deque<person> all;
        person large(-1);
        if (what == 3)
            BOOST_TEST((s->acquire(large, 101) == acquisition::waiting));
        for (int i = 0; i != 100; ++i)
            BOOST_TEST((s->acquire(all.emplace_back(i), 1) == acquisition::waiting));
        int calls = 0;
        auto resume = [&](weft::detail::waiter& w)
        {
            BOOST_TEST(static_cast<person&>(w).number == calls);
            ++calls;
            s.reset();
        };
        weft::detail::served_list served;
        switch (what)
        {
        case 0:
            s->release(100, resume);
            break;
        case 1:
            s->cancel_all(resume);
            break;
        case 2:
            s->close(resume);
            break;
        case 3:
            BOOST_TEST(s->cancel(large, served));
            resume_all(served, resume);
            break;
        }
        BOOST_TEST(calls == 100);
    }
}

namespace
{

// Sees what is free whenever somebody is settled, and lets somebody else begin to wait then.
struct settling
{
    explicit settling(fixture& f) : in(f)
    {
    }

    void settle(weft::detail::waiter& w, acquisition a)
    {
        settled.push_back({static_cast<person&>(w).number, a});
        BOOST_TEST(in.state.available() == 0u);
        BOOST_TEST(!in.state.try_acquire(1));
        if (late)
            in.wait(*std::exchange(late, nullptr), 1);
    }

    void operator()(weft::detail::waiter& w)
    {
        in.to_out()(w);
    }

    fixture& in;
    std::vector<std::pair<int, acquisition>> settled;
    person* late = nullptr;
};

} // namespace

// Whoever takes it may destroy the state.
BOOST_AUTO_TEST_CASE(what_is_left_is_free_when_all_are_settled)
{
    for (int const waiting : {1, 2, 40})
    {
        std::deque<person> all;
        for (int i = 0; i != waiting; ++i)
            wait(all.emplace_back(i), 1);
        settling resume(*this);
        person late(-1);
        if (waiting == 2)
            resume.late = &late;
        state.release(static_cast<std::uint64_t>(waiting) + 3, resume);
        std::size_t const served = all.size() + (waiting == 2 ? 1 : 0);
        BOOST_TEST(resume.settled.size() == served);
        BOOST_TEST(out.size() == served);
        BOOST_TEST(state.try_acquire(waiting == 2 ? 2 : 3));
        BOOST_TEST(state.available() == 0u);
        out.clear();
    }
}

BOOST_AUTO_TEST_CASE(what_was_collected_is_free_when_all_are_settled)
{
    for (bool const somebody_is_late : {false, true})
    {
        person a(1), b(2), late(3);
        release(2);
        wait(a, 3);
        wait(b, 1);
        settling resume(*this);
        if (somebody_is_late)
            resume.late = &late;
        state.cancel_all(resume);
        BOOST_TEST((resume.settled.at(0) == std::pair(1, acquisition::cancelled)));
        BOOST_TEST((resume.settled.at(1) == std::pair(2, acquisition::cancelled)));
        if (somebody_is_late)
            BOOST_TEST((resume.settled.at(2) == std::pair(3, acquisition::acquired)));
        BOOST_TEST(resume.settled.size() == out.size());
        BOOST_TEST(state.try_acquire(somebody_is_late ? 1 : 2));
        BOOST_TEST(state.available() == 0u);
        out.clear();
    }
}

BOOST_AUTO_TEST_CASE(nobody_gets_permits_after_close)
{
    person a(1), b(2), c(3);
    wait(a, 1);
    wait(b, 1);
    BOOST_TEST(!state.closed());
    state.close(to_out());
    BOOST_TEST(state.closed());
    check_out({1, 2});
    release(2);
    BOOST_TEST(state.available() == 2u);
    BOOST_TEST(!state.try_acquire(1));
    BOOST_TEST((state.acquire(c, 1) == acquisition::closed));
    BOOST_TEST((state.acquire(c, 9) == acquisition::closed));
    state.close(to_out());
    check_out({1, 2});
}

BOOST_AUTO_TEST_CASE(close_takes_the_only_waiter)
{
    person a(1);
    wait(a, 1);
    state.close(to_out());
    check_out({1});
    BOOST_TEST(!cancel(a));
}

namespace
{

// What the state should do, in the most direct way.
struct reference
{
    struct entry
    {
        int number;
        std::uint64_t missing;
        std::uint64_t wanted;
    };

    std::uint64_t free = 0;
    bool closed = false;
    std::deque<entry> queue;
    std::vector<int> out;

    void serve()
    {
        while (!queue.empty() && free >= queue.front().missing)
        {
            free -= queue.front().missing;
            out.push_back(queue.front().number);
            queue.pop_front();
        }
        if (!queue.empty())
        {
            queue.front().missing -= free;
            free = 0;
        }
    }

    bool try_acquire(std::uint64_t n)
    {
        bool const can = !closed && queue.empty() && free >= n;
        free -= can ? n : 0;
        return can;
    }

    acquisition acquire(int number, std::uint64_t n)
    {
        if (closed)
            return acquisition::closed;
        if (try_acquire(n))
            return acquisition::acquired;
        queue.push_back({number, n, n});
        serve();
        return acquisition::waiting;
    }

    void release(std::uint64_t n)
    {
        free += n;
        serve();
    }

    bool cancel(int number)
    {
        for (auto i = queue.begin(); i != queue.end(); ++i)
            if (i->number == number)
            {
                free += i->wanted - i->missing;
                queue.erase(i);
                serve();
                return true;
            }
        return false;
    }

    void cancel_all()
    {
        for (entry const& e : queue)
        {
            out.push_back(e.number);
            free += e.wanted - e.missing;
        }
        queue.clear();
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(random_operations_do_what_the_reference_does)
{
    std::mt19937 random(20260101);
    auto below = [&](unsigned n)
    {
        return random() % n;
    };
    for (int run = 0; run != 2000; ++run)
    {
        semaphore_state s(run % 5u);
        reference r;
        r.free = run % 5u;
        std::deque<person> all;
        out.clear();
        for (int step = 0; step != 60; ++step)
        {
            std::uint64_t const n = 1 + below(below(4) == 0 ? 40 : 3);
            unsigned const what = below(40);
            if (what < 16)
            {
                person& p = all.emplace_back(static_cast<int>(all.size()));
                BOOST_REQUIRE((s.acquire(p, n) == r.acquire(p.number, n)));
            }
            else if (what < 20)
                BOOST_REQUIRE(s.try_acquire(n) == r.try_acquire(n));
            else if (what < 32)
            {
                s.release(n, to_out());
                r.release(n);
            }
            else if (what < 39)
            {
                if (all.empty())
                    continue;
                person& p = all[below(static_cast<unsigned>(all.size()))];
                BOOST_REQUIRE(cancel(s, p) == r.cancel(p.number));
            }
            else if (below(4) != 0)
            {
                s.cancel_all(to_out());
                r.cancel_all();
            }
            else
            {
                s.close(to_out());
                r.cancel_all();
                r.closed = true;
            }
            BOOST_REQUIRE(out == r.out);
            BOOST_REQUIRE(s.available() == r.free);
        }
        s.cancel_all([](weft::detail::waiter&) {});
    }
}

BOOST_AUTO_TEST_SUITE_END()
