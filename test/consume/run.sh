#!/usr/bin/env bash
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

# consume/run.sh SOURCE BUILD: a stranger's project uses weft in both ways that CMake has for it, with
# static and with shared libraries, and is told when it cannot.

set -eu
source_dir=$1
build=$2
rm -rf "$build"
mkdir -p "$build"

quietly() {
    "$@" >"$build/log" 2>&1 || { tail -n 30 "$build/log"; return 1; }
}

for shared in OFF ON; do
    prefix="$build/prefix-$shared"
    quietly cmake -G Ninja -S "$source_dir" -B "$build/weft-$shared" -DCMAKE_BUILD_TYPE=Release \
        -DBUILD_SHARED_LIBS=$shared -DCMAKE_INSTALL_PREFIX="$prefix" -DWEFT_BUILD_TESTS=OFF \
        -DWEFT_BUILD_EXAMPLES=OFF -DWEFT_BUILD_BENCHMARKS=OFF
    quietly cmake --build "$build/weft-$shared" --target install
    quietly cmake -G Ninja -S "$source_dir/test/consume/project" -B "$build/found-$shared" \
        -DCMAKE_PREFIX_PATH="$prefix"
    quietly cmake --build "$build/found-$shared"
    libraries="$prefix/lib:$prefix/lib/$(uname -m)-linux-gnu"
    for program in consumer primitives; do
        LD_LIBRARY_PATH="$libraries" "$build/found-$shared/$program"
    done
done

quietly cmake -G Ninja -S "$source_dir/test/consume/project" -B "$build/subdirectory" \
    -DWEFT_SOURCE="$source_dir"
quietly cmake --build "$build/subdirectory"
"$build/subdirectory/consumer"
"$build/subdirectory/primitives"

# A program whose Asio is configured otherwise does not link, and sees why.
links() {
    ${CXX:-g++} -std=c++17 -I"$source_dir/include" "$@" "$source_dir/test/consume/project/main.cpp" \
        "$build/weft-OFF/libweft.a" -pthread -o "$build/mismatch" >"$build/log" 2>&1
}
for same in -DNDEBUG -DBOOST_ASIO_NO_DEPRECATED; do
    links "$same" || { tail -n 30 "$build/log"; exit 1; }
done
for other in -DBOOST_ASIO_ENABLE_HANDLER_TRACKING -DBOOST_ASIO_DISABLE_EPOLL \
    -DBOOST_ASIO_RECYCLING_ALLOCATOR_CACHE_SIZE=5 -DBOOST_ASIO_DISABLE_SMALL_BLOCK_RECYCLING; do
    if links "$other"; then
        echo "consume: a program compiled with $other links with a library that was not"
        exit 1
    fi
    grep -q 'undefined reference to .weft::asio_' "$build/log" || { tail -n 30 "$build/log"; exit 1; }
done
