// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_PLATFORM_THIS_THREAD_HPP
#define WEFT_SRC_PLATFORM_THIS_THREAD_HPP

// The name of the calling thread, the CPUs it may run on, and what it has used of them.

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace weft
{
namespace detail
{

/// CPUs are numbered from 0 to one less: more than Linux can be built for.
constexpr unsigned max_cpus = 8192;

/// Names the calling thread `prefix` with `suffix`, of which the system keeps 15 bytes: `prefix` is
/// shortened, between two characters of UTF-8. Without effect if the system refuses.
void name_this_thread(std::string const& prefix, std::string const& suffix) noexcept;

/// As debuggers and /proc number it.
std::uint64_t number_of_this_thread() noexcept;

struct thread_usage
{
    std::chrono::nanoseconds cpu{0};
    // How often it has given up its CPU to wait for something.
    long waits = 0;
};

/// What the calling thread has used so far. False if the system does not say. Complexity: two
/// system calls.
bool read_usage_of_this_thread(thread_usage& usage) noexcept;

/// Which CPU the calling thread runs on; it may be another one by now. The largest number if the
/// system does not say. Complexity: some nanoseconds.
std::uint32_t cpu_of_this_thread() noexcept;

/// The CPUs that the calling thread may run on, in ascending order. Empty if the system does not
/// say. Throws std::bad_alloc.
std::vector<unsigned> cpus_of_this_thread();

/// Lets the calling thread run on these CPUs only; each is below max_cpus. False if it cannot run
/// on all of them; what it can run on is unspecified then.
bool run_this_thread_on(std::vector<unsigned> const& cpus);

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_PLATFORM_THIS_THREAD_HPP
