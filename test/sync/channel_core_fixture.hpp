// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What uses a channel's core in its tests: senders, receivers, and a record of what became of them.

#ifndef WEFT_TEST_SYNC_CHANNEL_CORE_FIXTURE_HPP
#define WEFT_TEST_SYNC_CHANNEL_CORE_FIXTURE_HPP

#include <weft/sync/channel_core.hpp>

#include "support/owned.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace test
{

using weft::detail::acquisition;
using weft::detail::ring_result;
using weft::detail::waiter;

// A number that can only be moved; 0 once it has been.
class number : counted
{
public:
    explicit number(int n) : n_(std::make_unique<int>(n))
    {
    }

    number(number&& other) noexcept : n_(std::move(other.n_))
    {
    }

    int get() const noexcept
    {
        return n_ ? *n_ : 0;
    }

private:
    std::unique_ptr<int> n_;
};

using core = weft::detail::channel_core<number>;

struct sender : waiter
{
    explicit sender(int n) : id(n), value(n)
    {
    }

    int id;
    number value;
};

struct receiver : waiter, weft::detail::receiver<number>
{
    explicit receiver(int n = 0, std::size_t most = 1)
        : weft::detail::receiver<number>(&accept), id(n), room(most)
    {
    }

    static bool accept(weft::detail::receiver<number>& r, number&& n) noexcept
    {
        auto& self = static_cast<receiver&>(r);
        BOOST_TEST(self.got.size() < self.room);
        number const taken(std::move(n));
        self.got.push_back(taken.get());
        return self.got.size() < self.room;
    }

    int id;
    std::size_t room;
    std::vector<int> got;
};

// Those that came out, in order: a sender or receiver as its number, negative if with "closed".
struct log : all_are_destroyed
{
    std::vector<int> out;

    auto resume()
    {
        return [this](waiter& w, acquisition outcome)
        {
            BOOST_TEST((outcome != acquisition::waiting));
            int const id = id_of(w);
            out.push_back(outcome == acquisition::acquired ? id : -id);
        };
    }

    auto take_out()
    {
        return [this](waiter& w)
        {
            out.push_back(-id_of(w));
        };
    }

    // Receivers have numbers from 1000. An address may come again: the last one counts.
    std::vector<std::pair<waiter const*, int>> ids;

    int id_of(waiter const& w) const
    {
        return std::find_if(ids.rbegin(), ids.rend(), [&](auto const& i) { return i.first == &w; })
            ->second;
    }

    void check(std::vector<int> const& expected)
    {
        BOOST_TEST(out == expected, boost::test_tools::per_element());
        out.clear();
    }
};

struct fixture : log
{
    acquisition send(core& c, sender& s)
    {
        ids.emplace_back(&s, s.id);
        return c.send(s, s.value, resume());
    }

    acquisition receive(core& c, receiver& r)
    {
        ids.emplace_back(&r, r.id);
        return c.receive(r, r, resume());
    }

    ring_result try_send(core& c, int n)
    {
        return c.try_send([&](void* p) noexcept { ::new (p) number(n); }, resume());
    }

    // 0 if there is nothing, -1 if it is closed.
    int try_receive(core& c)
    {
        receiver r;
        ring_result const result = c.try_receive(r, resume());
        return result == ring_result::done ? r.got.front() : result == ring_result::closed ? -1 : 0;
    }
};

} // namespace test

BOOST_TEST_DONT_PRINT_LOG_VALUE(test::acquisition)
BOOST_TEST_DONT_PRINT_LOG_VALUE(test::ring_result)

#endif
