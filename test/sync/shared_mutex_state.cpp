// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/sync/shared_mutex_state.hpp>

#include <boost/test/unit_test.hpp>

#include <deque>
#include <vector>

namespace
{

using weft::detail::acquisition;
using state = weft::detail::shared_mutex_state;

struct person : weft::detail::waiter
{
    explicit person(int n = 0) : number(n)
    {
    }

    int number;
};

struct fixture
{
    state lock;
    std::vector<int> out;

    auto to_out()
    {
        return [this](weft::detail::waiter& w)
        {
            out.push_back(static_cast<person&>(w).number);
        };
    }

    void wait(person& p, std::uint64_t n)
    {
        BOOST_TEST((lock.acquire(p, n) == acquisition::waiting));
    }

    void check_out(std::vector<int> const& expected)
    {
        BOOST_TEST(out == expected, boost::test_tools::per_element());
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(sync_shared_mutex_state, fixture)

BOOST_AUTO_TEST_CASE(readers_share_and_writers_do_not)
{
    BOOST_TEST(lock.try_acquire(state::reader));
    BOOST_TEST(lock.try_acquire(state::reader));
    BOOST_TEST(!lock.try_acquire(state::writer));
    lock.release(state::reader, to_out());
    lock.release(state::reader, to_out());
    BOOST_TEST(lock.try_acquire(state::writer));
    BOOST_TEST(!lock.try_acquire(state::reader));
    BOOST_TEST(!lock.try_acquire(state::writer));
}

BOOST_AUTO_TEST_CASE(a_waiting_writer_holds_new_readers_back)
{
    person w(1), r(2);
    BOOST_TEST(lock.try_acquire(state::reader));
    wait(w, state::writer);
    BOOST_TEST(!lock.try_acquire(state::reader));
    wait(r, state::reader);
    lock.release(state::reader, to_out());
    check_out({1});
    lock.release(state::writer, to_out());
    check_out({1, 2});
}

BOOST_AUTO_TEST_CASE(a_writer_lets_in_all_readers_up_to_the_next_writer)
{
    std::deque<person> all;
    BOOST_TEST(lock.try_acquire(state::writer));
    for (int i = 0; i != 40; ++i)
        wait(all.emplace_back(i), state::reader);
    wait(all.emplace_back(40), state::writer);
    wait(all.emplace_back(41), state::reader);
    lock.release(state::writer, to_out());
    BOOST_TEST(out.size() == 40u);
    for (int i = 0; i != 40; ++i)
        lock.release(state::reader, to_out());
    BOOST_TEST(out.back() == 40);
    lock.release(state::writer, to_out());
    BOOST_TEST(out.back() == 41);
}

BOOST_AUTO_TEST_CASE(a_writer_that_gives_up_lets_in_those_behind)
{
    person w(1), r(2), s(3);
    BOOST_TEST(lock.try_acquire(state::reader));
    wait(w, state::writer);
    wait(r, state::reader);
    wait(s, state::reader);
    weft::detail::served_list served;
    BOOST_TEST(lock.cancel(w, served));
    auto resume = to_out();
    resume_all(served, resume);
    check_out({2, 3});
    BOOST_TEST(lock.try_acquire(state::reader));
}

BOOST_AUTO_TEST_CASE(the_only_reader_becomes_a_writer_if_nobody_waits)
{
    person w(1);
    BOOST_TEST(lock.try_acquire(state::reader));
    BOOST_TEST(lock.try_acquire(state::reader));
    BOOST_TEST(!lock.try_upgrade());
    lock.release(state::reader, to_out());
    BOOST_TEST(lock.try_upgrade());
    BOOST_TEST(!lock.try_acquire(state::reader));
    lock.downgrade(to_out());
    BOOST_TEST(lock.try_acquire(state::reader));
    lock.release(state::reader, to_out());
    wait(w, state::writer);
    BOOST_TEST(!lock.try_upgrade());
}

BOOST_AUTO_TEST_CASE(downgrading_lets_in_the_readers_that_are_next)
{
    person r(1), w(2), s(3);
    BOOST_TEST(lock.try_acquire(state::writer));
    wait(r, state::reader);
    wait(w, state::writer);
    wait(s, state::reader);
    lock.downgrade(to_out());
    check_out({1});
    lock.release(state::reader, to_out());
    lock.release(state::reader, to_out());
    check_out({1, 2});
}

BOOST_AUTO_TEST_SUITE_END()
