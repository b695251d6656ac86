// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/channel.hpp>

#include "primitives/places.hpp"
#include "support/owned.hpp"

BOOST_FIXTURE_TEST_SUITE(channel_move, test::all_are_destroyed)

namespace
{

using test::owned;
using channel = weft::channel<std::unique_ptr<owned>>;
using own_channel =
    weft::channel<std::unique_ptr<owned>>::rebind_executor<weft::io_context::executor_type>::other;

template <class Channel>
void fill(Channel& c)
{
    for (int i = 0; c.try_send(std::make_unique<owned>(i)); ++i)
    {
    }
}

template <class Channel>
std::vector<int> drain(Channel& c)
{
    std::vector<int> got;
    while (auto v = c.try_receive())
        got.push_back(**v);
    return got;
}

} // namespace

WEFT_TEST_CASE_IN_PLACES(values_and_the_end_go_along, test::single_places)
{
    channel first(place.executor, 3);
    fill(first);
    first.close();
    channel second(std::move(first));
    BOOST_TEST(!second.is_open());
    BOOST_TEST(second.capacity() == 3u);
    BOOST_TEST(first.is_open());
    BOOST_TEST(first.capacity() == 3u);
    BOOST_TEST(first.size() == 0u);
    BOOST_TEST((second.get_executor() == first.get_executor()));
    BOOST_TEST((drain(second) == std::vector<int>{0, 1, 2}));
    fill(first);
    BOOST_TEST((drain(first) == std::vector<int>{0, 1, 2}));
    std::vector<channel> many;
    for (int i = 0; i != 5; ++i)
    {
        many.emplace_back(place.executor, 1);
        fill(many.back());
    }
    for (channel& c : many)
        BOOST_TEST(drain(c).size() == 1u);
}

WEFT_TEST_CASE_FOR_PLACES(who_waits_stays, test::single_places)
{
    for (std::size_t const capacity : {0u, 2u})
    {
        test::place place(where);
        channel first(place.executor, capacity);
        fill(first);
        int sent = 0;
        int received = 0;
        first.async_send(std::make_unique<owned>(7), [&](error_code ec) { sent += ec ? 100 : 1; });
        place.context.poll();
        channel second(std::move(first));
        BOOST_TEST(drain(second).size() == capacity);
        place.context.restart();
        place.context.poll();
        BOOST_TEST(sent == (capacity == 0 ? 0 : 1));
        BOOST_TEST((drain(first) == std::vector<int>{7}));
        first.async_receive([&](error_code, std::unique_ptr<owned> v) { received += *v; });
        channel third(std::move(first));
        BOOST_TEST(!third.try_send(std::make_unique<owned>(1)) == (capacity == 0));
        BOOST_TEST(first.try_send(std::make_unique<owned>(8)));
        place.finish();
        BOOST_TEST(sent == 1);
        BOOST_TEST(received == 8);
    }
}

WEFT_TEST_CASE_IN_PLACES(an_assignment_cancels_and_destroys, test::single_places)
{
    test::place other(where);
    auto const token = std::make_shared<owned>(0);
    weft::channel<std::shared_ptr<owned>> to(place.executor, 1);
    weft::channel<std::shared_ptr<owned>> from(other.executor, 2);
    BOOST_TEST(to.try_send(token));
    BOOST_TEST(from.try_send(token));
    bool aborted = false;
    to.async_send(token, [&](error_code ec) { aborted = ec == asio::error::operation_aborted; });
    BOOST_TEST(token.use_count() == 4);
    to = std::move(from);
    place.finish();
    BOOST_TEST(aborted);
    BOOST_TEST(token.use_count() == 2);
    BOOST_TEST(to.capacity() == 2u);
    BOOST_TEST(from.capacity() == 2u);
    BOOST_TEST((to.get_executor() == other.executor));
    BOOST_TEST((from.get_executor() == other.executor));
    BOOST_TEST(from.size() == 0u);
    bool received = false;
    to.async_receive(
        [&](error_code ec, std::shared_ptr<owned> p) { received = !ec && p == token; });
    other.finish();
    BOOST_TEST(received);
    auto& self = to;
    to = std::move(self);
    BOOST_TEST(to.capacity() == 2u);
}

// What waits is destroyed with the context that the channel has come to, and only with that.
BOOST_AUTO_TEST_CASE(an_assignment_changes_the_context)
{
    std::optional<weft::io_context> old(std::in_place);
    std::optional<weft::io_context> now(std::in_place);
    auto const token = std::make_shared<owned>(0);
    own_channel a(*old);
    own_channel b(*old);
    own_channel c(*old);
    b = own_channel(*now);
    old.reset();
    b.async_receive([token](error_code, std::unique_ptr<owned>) {});
    BOOST_TEST(token.use_count() == 2);
    channel any(std::move(b));
    any = own_channel(*now, 1);
    BOOST_TEST(any.capacity() == 1u);
    BOOST_TEST(token.use_count() == 2);
    now.reset();
    BOOST_TEST(token.use_count() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
