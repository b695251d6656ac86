// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What does a value cost on its way through a channel from four senders to four receivers? Both
// sides do nothing else, so that one of them nearly always waits. Not shown: what the values cost
// that both sides work for.

#include "support/channels.hpp"

int main(int argc, char** argv)
{
    bench::question asked{"channel_mpmc", "one value through a channel, 4 senders and 4 receivers",
        bench::channel_rows(100'000)};
    asked.contended = true;
    asked.threads = {1, 2, 4, 8};
    asked.quick_threads = {1, 2};
    return bench::run(argc, argv, asked, bench::channel_columns<4>());
}
