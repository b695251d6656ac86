// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "result.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace simulation
{

namespace
{

quantiles quantiles_of(std::vector<nanoseconds>& values)
{
    quantiles q;
    if (values.empty())
        return q;
    std::sort(values.begin(), values.end());
    auto const at = [&](double share)
    {
        auto const rank = std::ceil(share * static_cast<double>(values.size()));
        return static_cast<double>(values[static_cast<std::size_t>((std::max)(rank, 1.0)) - 1]);
    };
    q.p50 = at(0.5);
    q.p90 = at(0.9);
    q.p99 = at(0.99);
    q.p999 = at(0.999);
    q.max = at(1);
    return q;
}

/// Orders indices by what `key` says of them, and then by themselves.
template <typename Key>
auto by(Key key)
{
    return [key](std::size_t a, std::size_t b)
    {
        return key(a) != key(b) ? key(a) < key(b) : a < b;
    };
}

/// For each record that was served: how many that became ready later began before it. A Fenwick
/// tree counts, over the order in which they became ready, those that have begun.
std::vector<nanoseconds> overtaken(std::vector<record> const& records)
{
    std::vector<std::size_t> order(records.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), by([&](std::size_t i) { return records[i].ready; }));
    std::vector<std::size_t> place(records.size());
    for (std::size_t i = 0; i != order.size(); ++i)
        place[order[i]] = i;
    // What became ready at the same time was overtaken by nobody.
    for (std::size_t i = 1; i < order.size(); ++i)
        if (records[order[i]].ready == records[order[i - 1]].ready)
            place[order[i]] = place[order[i - 1]];

    std::sort(order.begin(), order.end(), by([&](std::size_t i) { return records[i].begin; }));
    std::vector<std::uint32_t> tree(records.size() + 1);
    std::vector<nanoseconds> result(records.size(), 0);
    nanoseconds begun = 0;
    for (std::size_t const r : order)
    {
        nanoseconds not_later = 0;
        for (std::size_t i = place[r] + 1; i != 0; i &= i - 1)
            not_later += tree[i];
        result[r] = begun - not_later;
        ++begun;
        for (std::size_t i = place[r] + 1; i < tree.size(); i += i & (~i + 1))
            ++tree[i];
    }
    return result;
}

} // namespace

result evaluate(source const& from, counts const& done)
{
    std::vector<record> const& records = from.records();
    result r;
    r.done = done;
    std::vector<nanoseconds> const later_ones = overtaken(records);
    nanoseconds const last = from.stopped();
    nanoseconds const first = last / 10;

    std::vector<nanoseconds> response;
    std::vector<nanoseconds> wait;
    std::vector<nanoseconds> timer;
    std::vector<nanoseconds> post;
    std::vector<nanoseconds> later;
    std::size_t served = 0;
    for (std::size_t i = 0; i != records.size(); ++i)
    {
        record const& one = records[i];
        if (one.what == kind::request && one.end > first && one.end <= last)
            ++served;
        if (one.ready < first)
            continue;
        later.push_back(later_ones[i]);
        switch (one.what)
        {
        case kind::request:
            response.push_back(one.end - one.ready);
            wait.push_back(one.begin - one.ready);
            break;
        case kind::timer:
            timer.push_back(one.begin - one.ready);
            break;
        case kind::post:
            post.push_back(one.begin - one.ready);
            break;
        }
    }
    r.response = quantiles_of(response);
    r.wait = quantiles_of(wait);
    r.ready = records.size();
    r.timer = quantiles_of(timer);
    r.post = quantiles_of(post);
    r.overtaken = quantiles_of(later);
    if (last != first)
        r.throughput = static_cast<double>(served) * 1e9 / static_cast<double>(last - first);
    return r;
}

} // namespace simulation
