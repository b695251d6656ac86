// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <answer.hpp>

#include <weft/io_context.hpp>

int main()
{
    weft::io_context context;
    int result = 0;
    ask(context, result);
    context.run();
    return result == 42 ? 0 : 1;
}
