// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Without the specialisation that lets an operation complete at once, everything works as well.

#define WEFT_DISABLE_EARLY_COMPLETION

#include "channel_tokens.cpp"

static_assert(!WEFT_HAS_EARLY_COMPLETION, "");
