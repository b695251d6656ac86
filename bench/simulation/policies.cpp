// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "policies.hpp"

#include <stdexcept>

namespace simulation
{

namespace
{

policy plain(std::string name, rules kind)
{
    policy p;
    p.name = std::move(name);
    p.kind = kind;
    return p;
}

policy age_plus()
{
    policy p = plain("age+", rules::age);
    p.poll_gap = 500'000;
    p.eager_poll = true;
    p.polls_again = true;
    p.polls_in_rounds = true;
    p.polls_below = 2;
    return p;
}

policy shared()
{
    policy p = age_plus();
    p.name = "shared";
    p.shared_from = 5'000;
    p.shared_from_each = 125;
    p.hesitates = true;
    return p;
}

/// Adds `from` as it is after `change`.
template <typename Change>
void add(std::vector<policy>& list, policy from, std::string const& what, Change change)
{
    from.name += ' ' + what;
    change(from);
    list.push_back(from);
}

std::string in_us(nanoseconds t)
{
    return std::to_string(t / 1000);
}

} // namespace

std::vector<policy> const& policies()
{
    static std::vector<policy> const list{plain("ideal", rules::ideal), plain("asio", rules::asio),
        plain("tokio", rules::tokio), plain("go", rules::go), plain("weft", rules::weft),
        plain("age", rules::age), age_plus(), shared()};
    return list;
}

std::vector<policy> variants()
{
    std::vector<policy> list;
    policy const age = plain("age", rules::age);
    add(list, age, "thieves-half", [](policy& p) { p.thieves_take_half = true; });
    add(list, age, "half", [](policy& p) { p.thieves_take_half = p.takes_half = true; });
    add(list, age, "back", [](policy& p) { p.to_the_back = true; });
    add(list, age, "oldest", [](policy& p) { p.seeks_oldest = true; });
    for (policy const& base : {age_plus(), shared()})
    {
        list.push_back(base);
        for (nanoseconds const t : {5'000, 10'000, 50'000, 100'000})
            add(list, base, "T=" + in_us(t), [=](policy& p) { p.turn = t; });
        for (nanoseconds const t : {50'000, 200'000, 1'000'000, 5'000'000})
            add(list, base, "P=" + in_us(t), [=](policy& p) { p.poll_gap = t; });
        add(list, base, "P=200,only",
            [](policy& p)
            {
                p.poll_gap = 200'000;
                p.polls_below = 0;
                p.polls_in_rounds = false;
            });
        add(list, base, "rounds-only", [](policy& p) { p.polls_below = 0; });
        add(list, base, "few-only", [](policy& p) { p.polls_in_rounds = false; });
        add(list, base, "wakes=8", [](policy& p) { p.wakes = 8; });
    }
    for (nanoseconds const t : {0, 5'000, 100'000})
        add(list, age_plus(), "S=" + in_us(t), [=](policy& p) { p.slack = t; });
    for (unsigned const d : {0u, 1u, 4u, 8u})
        add(list, age_plus(), "d=" + std::to_string(d), [=](policy& p) { p.others = d; });
    for (unsigned const d : {0u, 4u})
        add(list, shared(), "d=" + std::to_string(d), [=](policy& p) { p.others = d; });
    for (nanoseconds const t : {1'000, 2'000, 10'000, 20'000, 50'000})
        add(list, shared(), "L=" + in_us(t),
            [=](policy& p)
            {
                p.shared_from = t;
                p.shared_from_each = 0;
            });
    for (nanoseconds const t : {0, 250, 500})
        add(list, shared(), "L=5,each=" + std::to_string(t),
            [=](policy& p) { p.shared_from_each = t; });
    for (nanoseconds const t : {8'000, 10'000, 20'000})
        for (unsigned const few : {4u, 8u, 16u})
            add(list, shared(), "L=" + in_us(t) + ",few=" + std::to_string(few),
                [=](policy& p)
                {
                    p.shared_if_few = t;
                    p.few = few;
                });
    add(list, shared(), "one", [](policy& p) { p.shared_turn = 1; });
    for (nanoseconds const t : {1'000, 5'000, 20'000})
        add(list, shared(), "takes=" + in_us(t), [=](policy& p) { p.shared_turn = t; });
    for (unsigned const part : {2u, 4u, 8u})
        add(list, shared(), "takes=80,part=" + std::to_string(part),
            [=](policy& p)
            {
                p.shared_turn = 80'000;
                p.shared_part = part;
            });
    add(list, shared(), "sudden", [](policy& p) { p.hesitates = false; });
    return list;
}

policy policy_named(std::string const& name)
{
    for (policy const& p : policies())
        if (p.name == name)
            return p;
    for (policy const& p : variants())
        if (p.name == name)
            return p;
    throw std::invalid_argument("no policy '" + name + "'");
}

} // namespace simulation
