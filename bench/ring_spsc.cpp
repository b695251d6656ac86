// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What does a value cost on its way through a queue from one thread to another, without any
// waiting? Boost's spsc_queue can do only this, and is the measure of what generality costs weft's
// ring.

#include "support/rings.hpp"

int main(int argc, char** argv)
{
    bench::question asked{"ring_spsc", "one value through a queue",
        {{"capacity 64", 500'000, 100'000, 64}, {"capacity 1000", 500'000, 100'000, 1000}}};
    asked.contended = true;
    asked.threads = {2};
    asked.quick_threads = {2};
    asked.allocates = false;
    std::vector<bench::column> columns{
        bench::ring_column<bench::lockfree_spsc_queue>("Boost.Lockfree"),
        bench::ring_column<bench::weft_ring>("weft")};
    bench::add_other_columns(columns);
    return bench::run(argc, argv, asked, columns);
}
