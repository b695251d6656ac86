// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "work.hpp"

#include <boost/asio.hpp>

namespace example
{

namespace
{

namespace asio = boost::asio;

/// FNV-1a over numbers from `seed` on: some ten microseconds.
std::uint64_t compute(std::uint64_t seed)
{
    std::uint64_t hash = 14695981039346656037u;
    for (std::uint64_t i = 0; i != 12'000; ++i)
        hash = (hash ^ ((seed + i) & 0xff)) * 1099511628211u;
    return hash;
}

} // namespace

workload::workload(weft::io_context& context)
    : context_(context), lock_(context), places_(context, 8)
{
    lock_.set_name("table");
    places_.set_name("places");
}

weft::awaitable<std::string> workload::perform()
{
    co_await places_.async_acquire(weft::use_awaitable);
    std::array<std::uint64_t, parts> results{};
    weft::channel<std::size_t> finished{context_, parts};
    for (std::size_t i = 0; i != parts; ++i)
        asio::post(context_,
            [&results, &finished, i]
            {
                results[i] = compute(i);
                finished.try_send(i);
            });
    for (std::size_t i = 0; i != parts; ++i)
        co_await finished.async_receive(weft::use_awaitable);

    co_await lock_.async_lock(weft::use_awaitable);
    std::uint64_t const number = ++done_;
    for (std::uint64_t const result : results)
        table_[result % table_.size()] += compute(number) & 1;
    lock_.unlock();
    places_.release();
    co_return "work " + std::to_string(number) + " is done\n";
}

} // namespace example
