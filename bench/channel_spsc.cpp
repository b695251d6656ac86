// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What does a value cost on its way through a channel from one sender to one receiver?

#include "support/channels.hpp"

int main(int argc, char** argv)
{
    bench::question asked{"channel_spsc", "one value through a channel, 1 sender and 1 receiver",
        bench::channel_rows(100'000)};
    asked.contended = true;
    asked.threads = {1, 2};
    asked.quick_threads = {1, 2};
    return bench::run(argc, argv, asked, bench::channel_columns<1>());
}
