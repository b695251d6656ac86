// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_EXAMPLE_MONITOR_WORK_HPP
#define WEFT_EXAMPLE_MONITOR_WORK_HPP

#include <array>
#include <cstdint>
#include <string>
#include <weft.hpp>

namespace example
{

/// What the server does for its clients: some computation that several workers share, and a table
/// that all of them change.
class workload
{
public:
    explicit workload(weft::io_context& context);

    /// Performs one piece of work, and says what came of it.
    weft::awaitable<std::string> perform();

private:
    static constexpr std::size_t parts = 4;

    weft::io_context& context_;
    weft::mutex lock_;
    weft::semaphore places_;

    // Guarded by lock_.
    std::array<std::uint64_t, 16> table_{};
    std::uint64_t done_ = 0;
};

} // namespace example

#endif
