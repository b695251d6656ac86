// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Hazard: a handler lost, or run twice, between rings, slots, thieves and the injection queue.
// Every handler marks its own cell; workers post to themselves, foreign threads post from outside.

#include <weft/io_context.hpp>

#include "support/asio.hpp"
#include "support/sanitized.hpp"

namespace
{

constexpr std::uint32_t from_inside = WEFT_TEST_SANITIZED ? 700'000 : 8'000'000;
constexpr std::uint32_t from_outside = from_inside / 4;
constexpr std::uint32_t producers = 2;

struct board
{
    std::unique_ptr<std::atomic<std::uint8_t>[]> cells;
    std::atomic<std::uint64_t> marked{0};
    std::atomic<std::uint64_t> twice{0};

    explicit board(std::size_t n) : cells(new std::atomic<std::uint8_t>[n]())
    {
    }

    void mark(std::uint32_t cell)
    {
        if (cells[cell].fetch_add(1, std::memory_order_relaxed) != 0)
            twice.fetch_add(1, std::memory_order_relaxed);
        marked.fetch_add(1, std::memory_order_relaxed);
    }
};

// Marks [begin, end) by splitting it in two, so that every shape of queue occurs.
struct split
{
    weft::io_context::executor_type executor;
    board* b;
    std::uint32_t begin;
    std::uint32_t end;

    void operator()() const
    {
        if (end - begin == 1)
        {
            b->mark(begin);
            return;
        }
        std::uint32_t const middle = begin + (end - begin) / 2;
        split const left{executor, b, begin, middle};
        split const right{executor, b, middle, end};
        asio::post(executor, left);
        if (begin % 5 == 0)
            asio::defer(executor, right);
        else
            asio::post(executor, right);
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(millions_of_handlers_run_exactly_once)
{
    weft::io_context context;
    board b(from_inside + from_outside);
    auto guard = asio::make_work_guard(context);
    std::vector<std::thread> threads;
    for (int i = 0; i != 4; ++i)
        threads.emplace_back([&] { context.run(); });
    for (std::uint32_t p = 0; p != producers; ++p)
        threads.emplace_back(
            [&, p]
            {
                std::uint32_t const share = from_outside / producers;
                for (std::uint32_t i = 0; i != share; ++i)
                    asio::post(context, [&b, cell = from_inside + p * share + i] { b.mark(cell); });
            });
    asio::post(context, split{context.get_executor(), &b, 0, from_inside});
    threads[4].join();
    threads[5].join();
    guard.reset();
    for (int i = 0; i != 4; ++i)
        threads[static_cast<std::size_t>(i)].join();
    BOOST_TEST(b.marked == from_inside + from_outside);
    BOOST_TEST(b.twice == 0u);
}
