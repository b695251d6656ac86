#!/usr/bin/env bash
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

# Whether programs can be built with liburing and the kernel lets them use it; says why if not.

set -u
cd "$(dirname "$0")/../.." || exit 1
mkdir -p build
cat >build/io_uring.cpp <<'PROGRAM'
#include <cstdio>
#include <cstring>
#include <liburing.h>
int main()
{
    io_uring ring;
    int const error = io_uring_queue_init(8, &ring, 0);
    if (error != 0)
        std::printf("no io_uring here: the kernel says %s\n", std::strerror(-error));
    return error != 0;
}
PROGRAM
if ! g++ build/io_uring.cpp -o build/io_uring -luring 2>build/io_uring.log; then
    echo "no io_uring here: no liburing-dev"
    exit 1
fi
build/io_uring
