// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_CONSUME_ANSWER_HPP
#define WEFT_TEST_CONSUME_ANSWER_HPP

#include <weft/fwd.hpp>

// Posts to `context` what sets `result` to 42.
void ask(weft::io_context& context, int& result);

#endif // WEFT_TEST_CONSUME_ANSWER_HPP
