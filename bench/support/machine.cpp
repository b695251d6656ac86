// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "machine.hpp"

#include <boost/version.hpp>

#include <algorithm>
#include <cctype>
#include <ctime>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace bench
{

namespace
{

pid_t our_child = 0;

std::chrono::nanoseconds from_timeval(timeval t)
{
    return std::chrono::seconds(t.tv_sec) + std::chrono::microseconds(t.tv_usec);
}

std::chrono::nanoseconds time_of(clockid_t whose)
{
    timespec t{};
    ::clock_gettime(whose, &t);
    return std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec);
}

process_usage usage_of(int whom)
{
    rusage usage{};
    ::getrusage(whom, &usage);
    return {from_timeval(usage.ru_utime) + from_timeval(usage.ru_stime),
        static_cast<std::uint64_t>(usage.ru_nvcsw)};
}

double child_ticks()
{
    if (our_child == 0)
        return 0;
    std::ifstream file("/proc/" + std::to_string(our_child) + "/stat");
    std::string text(std::istreambuf_iterator<char>(file), {});
    const auto name_end = text.rfind(')');
    if (name_end == std::string::npos)
        return 0;
    std::istringstream fields(text.substr(name_end + 1));
    std::string skipped;
    for (int i = 0; i != 11; ++i)
        fields >> skipped;
    double user = 0;
    double system = 0;
    fields >> user >> system;
    return user + system;
}

} // namespace

process_usage process_usage::now()
{
    return usage_of(RUSAGE_SELF);
}

process_usage process_usage::of_other_threads()
{
    // What getrusage() says of the thread that asks is as old as the last time it slept.
    process_usage others = usage_of(RUSAGE_SELF) - usage_of(RUSAGE_THREAD);
    others.cpu = time_of(CLOCK_PROCESS_CPUTIME_ID) - time_of(CLOCK_THREAD_CPUTIME_ID);
    return others;
}

std::chrono::nanoseconds process_usage::precise_cpu()
{
    return time_of(CLOCK_PROCESS_CPUTIME_ID);
}

process_usage operator-(process_usage a, process_usage b) noexcept
{
    return {a.cpu - b.cpu, a.voluntary_switches - b.voluntary_switches};
}

foreign_load::foreign_load() : start_(read())
{
}

double foreign_load::share() const
{
    const reading now = read();
    const double total = now.total - start_.total;
    if (total <= 0)
        return 0;
    const double foreign = (now.busy - start_.busy) - (now.ours - start_.ours);
    return std::clamp(foreign / total, 0.0, 1.0);
}

foreign_load::reading foreign_load::read()
{
    std::ifstream file("/proc/stat");
    std::string word;
    file >> word;
    double field[8] = {};
    for (double& f : field)
        file >> f;
    enum
    {
        user,
        nice,
        system,
        idle,
        iowait,
        irq,
        softirq,
        steal
    };
    reading result;
    result.busy =
        field[user] + field[nice] + field[system] + field[irq] + field[softirq] + field[steal];
    result.total = result.busy + field[idle] + field[iowait];
    const double ticks_per_second = static_cast<double>(::sysconf(_SC_CLK_TCK));
    const std::chrono::duration<double> own = process_usage::now().cpu;
    result.ours = own.count() * ticks_per_second + child_ticks();
    return result;
}

void count_as_ours(pid_t child) noexcept
{
    our_child = child;
}

machine machine::describe()
{
    machine m;
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
    {
        if (line.rfind("model name", 0) == 0)
        {
            m.cpu = line.substr(std::min(line.find(':') + 2, line.size()));
            break;
        }
    }
    m.cores = std::thread::hardware_concurrency();
    utsname name{};
    ::uname(&name);
    m.kernel = std::string(name.sysname) + " " + name.release;
#if defined(__clang__)
    m.compiler = "clang " __clang_version__;
#else
    m.compiler = "g++ " __VERSION__;
#endif
    m.boost = BOOST_LIB_VERSION;
    std::replace(m.boost.begin(), m.boost.end(), '_', '.');
#if defined(NDEBUG) && defined(__OPTIMIZE__)
    m.optimised = true;
#else
    m.optimised = false;
#endif
    return m;
}

} // namespace bench
