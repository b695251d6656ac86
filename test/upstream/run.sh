#!/usr/bin/env bash
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

# Boost.Asio's own test programs that name io_context or thread_pool, with weft's classes in their place,
# on any version of Boost. `test/run.sh boost` downloads some and runs this.
#
#   [LDLIBS=...] test/upstream/run.sh BOOST [PATTERN...]
#
#   BOOST    an unpacked release of Boost, with boost/ and libs/
#   PATTERN  only programs whose path contains one of these
#   LDLIBS   libraries that some programs want, such as that Boost's own boost_context
#
# The program of timers runs once more, with weft::steady_timer in place of asio::system_timer.
#
# A program that fails with Asio's own classes as well is skipped. Ends with a line "N passed, N failed, N
# skipped". What is built is in build/upstream/VERSION.

set -u
if [ $# -lt 1 ] || [ ! -d "$1/libs/asio/test" ] || [ ! -e "$1/boost/asio.hpp" ]; then
    echo "usage: test/upstream/run.sh BOOST [PATTERN...]; BOOST is an unpacked release of Boost" >&2
    exit 2
fi
boost=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] && patterns=$(printf '%s\n' "$@") || patterns=
cd "$(dirname "$0")/../.." || exit 1
version=$(grep -oE 'BOOST_LIB_VERSION "[0-9_]+' "$boost/boost/version.hpp" | cut -d'"' -f2)
out=$PWD/build/upstream/$version
tests=$boost/libs/asio/test
rm -rf "$out"
mkdir -p "$out/weft" "$out/asio" "$out/typed"

compiler=(g++ -std=c++20 -O0 -w -pthread -D_XOPEN_SOURCE=600 -DBOOST_ALL_NO_LIB
    -DBOOST_BIND_GLOBAL_PLACEHOLDERS -isystem "$boost" -I"$PWD/include")

# The program, as it is or with weft's classes under names of their own in Asio's namespace; with weft's timers too.
rewritten() { # weft|asio|typed SOURCE
    if [ "$1" = asio ]; then
        cat "$tests/$2"
        return
    fi
    cat <<'NAMES'
#include <weft/io_context.hpp>
#include <weft/steady_timer.hpp>
#include <weft/thread_pool.hpp>
namespace boost { namespace asio {
using io_context_of_weft = weft::io_context;
using thread_pool_of_weft = weft::thread_pool;
using timer_of_weft = weft::steady_timer;
} }
NAMES
    sed -E '/^ *#/!{s/\b(io_context|thread_pool)\b/\1_of_weft/g; s/\bstatic_thread_pool\b/thread_pool_of_weft/g}' \
        "$tests/$2" |
        if [ "$1" = typed ]; then sed -E '/^ *#/!s/\bsystem_timer\b/timer_of_weft/g'; else cat; fi
}

# try weft|asio|typed SOURCE: builds and runs a program.
try() {
    local to=$out/$1/${2//\//_}
    rewritten "$1" "$2" >"$to"
    "${compiler[@]}" -I"$tests" -I"$(dirname "$tests/$2")" "$to" -o "$to.run" \
        "$out/libweft.a" ${LDLIBS:-} >"$to.log" 2>&1 && (cd "$out" && timeout 300 "$to.run" >>"$to.log" 2>&1)
}

one() {
    if [ "$1" = system_timer.cpp ]; then
        if try typed "$1"; then
            echo "passed  $1 with weft::steady_timer"
        else
            echo "FAILED  $1 with weft::steady_timer: $out/typed/$1.log"
        fi
    fi
    if try weft "$1"; then
        echo "passed  $1"
    elif try asio "$1"; then
        echo "FAILED  $1: $out/weft/${1//\//_}.log"
    else
        echo "skipped $1: fails with Asio's own classes, too"
    fi
}

echo "== Boost $version"
find src -name '*.cpp' | while read -r source; do
    "${compiler[@]}" -O1 -c "$source" -o "$out/${source//\//_}.o" || exit 1
done || exit 1
ar rc "$out/libweft.a" "$out"/src_*.o
export -f one rewritten try
export out tests LDLIBS
declare -p compiler >"$out/compiler"
cd "$tests" || exit 1
grep -rlE 'io_context|thread_pool' --include='*.cpp' . | sed 's|^\./||' | grep -vE '^(latency|windows|ssl)/' |
    grep -F -- "$patterns" | sort |
    xargs -P "$(nproc)" -I{} bash -c '. "$out/compiler"; one "$1"' sh {} | tee "$out/results"
number() { grep -c "^$1" "$out/results"; }
echo "$(number passed) passed, $(number FAILED) failed, $(number skipped) skipped"
[ "$(number FAILED)" -eq 0 ] && [ "$(number passed)" -ne 0 ]
