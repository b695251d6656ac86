// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What does a value cost on its way through a queue from many threads to many, without any waiting?
// The ring that the channel is made of, and those of others. It does not show what a channel costs:
// nobody is ever put to sleep or woken. moodycamel's queue is unbounded and promises less order.

#include "support/rings.hpp"

int main(int argc, char** argv)
{
    bench::question asked{"ring_mpmc", "one value through a queue",
        {{"capacity 64", 200'000, 50'000, 64}, {"capacity 1000", 200'000, 50'000, 1000}}};
    asked.contended = true;
    asked.threads = {4, 8};
    asked.quick_threads = {8};
    asked.allocates = false;
    std::vector<bench::column> columns{bench::ring_column<bench::lockfree_queue>("Boost.Lockfree"),
        bench::ring_column<bench::weft_ring>("weft")};
    bench::add_other_columns(columns);
    return bench::run(argc, argv, asked, columns);
}
