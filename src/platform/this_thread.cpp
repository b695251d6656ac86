// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "this_thread.hpp"

#include <weft/platform/visibility.hpp>

#include <cstddef>
#include <cstring>

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace weft
{
namespace detail
{

inline namespace WEFT_LOCAL
{

// The system's limit, without the null at the end.
inline constexpr std::size_t longest_thread_name = 15;

inline constexpr std::size_t cpu_sets = max_cpus / CPU_SETSIZE;
static_assert(cpu_sets * CPU_SETSIZE == max_cpus, "whole sets");

/// Of all CPUs that there may be: the system refuses a set that is too small for its own.
struct cpu_set
{
    static constexpr std::size_t size = cpu_sets * sizeof(cpu_set_t);

    cpu_set() noexcept
    {
        CPU_ZERO_S(size, bits);
    }

    bool read() noexcept
    {
        return ::sched_getaffinity(0, size, bits) == 0;
    }

    bool contains(unsigned cpu) const noexcept
    {
        return CPU_ISSET_S(cpu, size, bits) != 0;
    }

    cpu_set_t bits[cpu_sets];
};

} // namespace WEFT_LOCAL

WEFT_INLINE std::uint64_t number_of_this_thread() noexcept
{
    return static_cast<std::uint64_t>(::syscall(SYS_gettid));
}

WEFT_INLINE std::uint32_t cpu_of_this_thread() noexcept
{
    return static_cast<std::uint32_t>(::sched_getcpu());
}

WEFT_INLINE bool read_usage_of_this_thread(thread_usage& usage) noexcept
{
    // What getrusage() says of the CPU is as old as the last tick.
    timespec cpu{};
    rusage waits{};
    if (::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu) != 0 ||
        ::getrusage(RUSAGE_THREAD, &waits) != 0)
        return false;
    usage.cpu = std::chrono::seconds(cpu.tv_sec) + std::chrono::nanoseconds(cpu.tv_nsec);
    usage.waits = waits.ru_nvcsw;
    return true;
}

WEFT_INLINE void name_this_thread(std::string const& prefix, std::string const& suffix) noexcept
{
    std::string const end = suffix.substr(0, longest_thread_name);
    std::size_t const room = longest_thread_name - end.size();
    std::size_t length = prefix.size() < room ? prefix.size() : room;
    // A byte of the form 10xxxxxx continues a character.
    while (length != 0 && length != prefix.size() &&
           (static_cast<unsigned char>(prefix[length]) & 0xc0u) == 0x80u)
        --length;
    std::string const name = prefix.substr(0, length) + end;
    (void)::pthread_setname_np(::pthread_self(), name.c_str());
}

WEFT_INLINE std::vector<unsigned> cpus_of_this_thread()
{
    std::vector<unsigned> cpus;
    cpu_set allowed;
    if (allowed.read())
        for (unsigned cpu = 0; cpu != max_cpus; ++cpu)
            if (allowed.contains(cpu))
                cpus.push_back(cpu);
    return cpus;
}

WEFT_INLINE bool run_this_thread_on(std::vector<unsigned> const& cpus)
{
    cpu_set wanted;
    for (unsigned const cpu : cpus)
        CPU_SET_S(cpu, cpu_set::size, wanted.bits);
    if (::sched_setaffinity(0, cpu_set::size, wanted.bits) != 0)
        return false;
    // The system leaves out what the thread may not have, as long as something is left.
    cpu_set given;
    if (!given.read())
        return false;
    for (unsigned const cpu : cpus)
        if (!given.contains(cpu))
            return false;
    return true;
}

} // namespace detail
} // namespace weft
