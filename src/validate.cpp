// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "validate.hpp"
#include "platform/this_thread.hpp"

#include <weft/platform/visibility.hpp>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

WEFT_INLINE void require_range(
    char const* option, std::uint64_t value, std::uint64_t least, std::uint64_t most)
{
    if (value < least || value > most)
        throw std::invalid_argument(std::string(option) + " is " + std::to_string(value) +
                                    "; it must be " + std::to_string(least) + " to " +
                                    std::to_string(most));
}

inline namespace WEFT_LOCAL
{

/// Which CPUs exist, and may be used, is known when a thread is to have them.
WEFT_INLINE void require_distinct(std::vector<unsigned> cpus)
{
    for (unsigned const cpu : cpus)
        require_range("weft::options::cpus", cpu, 0, max_cpus - 1);
    std::sort(cpus.begin(), cpus.end());
    auto const twice = std::adjacent_find(cpus.begin(), cpus.end());
    if (twice != cpus.end())
        throw std::invalid_argument(
            "weft::options::cpus names CPU " + std::to_string(*twice) + " twice");
}

} // namespace WEFT_LOCAL

WEFT_INLINE options const& validated(options const& opts)
{
    require_range("weft::options::threads", opts.threads, 0, most_threads);
    require_range("weft::options::tick_budget", opts.tick_budget, 1, 128);
    require_range("weft::options::injection_interval", opts.injection_interval, 0, 127);
    require_range("weft::options::lifo_limit", opts.lifo_limit, 0, 3);
    require_range(
        "weft::options::lifo_stealing", static_cast<std::uint64_t>(opts.lifo_stealing), 0, 2);
    require_range("weft::options::timing", static_cast<std::uint64_t>(opts.timing), 0, 2);
    require_range("weft::options::spin_rounds", opts.spin_rounds, 0, 10000);
    require_range("weft::options::yield_rounds", opts.yield_rounds, 0, 10000);
    require_range(
        "weft::options::max_spare_threads", opts.max_spare_threads, 0, most_threads - opts.threads);
    require_distinct(opts.cpus);
    return opts;
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
