// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What the process and the machine spent between two moments, and what machine it was.

#ifndef BENCH_SUPPORT_MACHINE_HPP
#define BENCH_SUPPORT_MACHINE_HPP

#include <chrono>
#include <cstdint>
#include <string>
#include <sys/types.h>

namespace bench
{

using clock = std::chrono::steady_clock;

// CPU time and context switches of all threads of this process.
struct process_usage
{
    std::chrono::nanoseconds cpu{0};
    std::uint64_t voluntary_switches = 0;

    static process_usage now();

    // But for the thread that asks.
    static process_usage of_other_threads();

    // Up to date to the microsecond, which what getrusage() says is not.
    static std::chrono::nanoseconds precise_cpu();
};

process_usage operator-(process_usage a, process_usage b) noexcept;

// The share of the whole machine (0 to 1) that others used since construction: other processes and,
// in a virtual machine, the host. The kernel counts in hundredths of a second, so it needs some.
class foreign_load
{
public:
    foreign_load();

    double share() const;

private:
    struct reading
    {
        double busy = 0;
        double total = 0;
        double ours = 0;
    };

    static reading read();

    reading start_;
};

// A child whose CPU use belongs to the benchmark (a load generator), not to the others.
void count_as_ours(pid_t child) noexcept;

struct machine
{
    std::string cpu;
    unsigned cores;
    std::string kernel;
    std::string compiler;
    std::string boost;
    bool optimised;

    static machine describe();
};

} // namespace bench

#endif
