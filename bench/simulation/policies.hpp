// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef BENCH_SIMULATION_POLICIES_HPP
#define BENCH_SIMULATION_POLICIES_HPP

#include "parameters.hpp"

#include <string>
#include <vector>

namespace simulation
{

/// ideal, asio, tokio, go, weft, age, age+ and shared; the first is what others are compared with.
std::vector<policy> const& policies();

/// age+ and shared with one parameter changed at a time, and what age does otherwise.
std::vector<policy> variants();

/// The policy or variant of that name. Throws std::invalid_argument if there is none.
policy policy_named(std::string const& name);

} // namespace simulation

#endif // BENCH_SIMULATION_POLICIES_HPP
