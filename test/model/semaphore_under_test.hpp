// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_MODEL_SEMAPHORE_UNDER_TEST_HPP
#define WEFT_TEST_MODEL_SEMAPHORE_UNDER_TEST_HPP

// Which semaphore the models of semaphore.cpp run: weft's, or one with defects.

#include <weft/sync/semaphore_state.hpp>

#include "model/fast_slot.hpp"

namespace model
{

using semaphore = weft::detail::semaphore_state;

} // namespace model

#endif // WEFT_TEST_MODEL_SEMAPHORE_UNDER_TEST_HPP
