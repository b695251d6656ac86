#!/bin/sh
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0
#
# Builds and runs the benchmarks: bench/run.sh [--quick] [options of the programs] [-- question...]
# --quick measures for less than 3 minutes, else for less than 25; the build comes on top.
# Tables go to the terminal, all samples to build/bench/results/<question>.json.

set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
build=${WEFT_BENCH_BUILD:-$root/build/bench}
jobs=${WEFT_JOBS:-$(nproc)}
packages="g++ cmake ninja-build libboost1.81-dev libboost-json1.81-dev libboost-program-options1.81-dev"
questions="chain post_inside post_outside fan_out fib skynet yield spawn_await timer_churn ping_pong
    echo wake idle_cpu lock lock_held permits
    channel_mpmc channel_spsc ring_mpmc ring_spsc"

say() { printf '%s\n' "$*" >&2; }
die() { say "bench/run.sh: $*"; exit 1; }

options=
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) sed -n '5,7s/^# //p' "$0"; exit 0 ;;
    --) shift; questions=$*; break ;;
    -j | --json | --json=*) die "--json is set here; the results are under $build/results" ;;
    *[!A-Za-z0-9=,.:/_+-]*) die "'$1': run the program itself for such an option" ;;
    *) options="$options $1" ;;
    esac
    shift
done
[ -n "$questions" ] || die "no question given"

missing=
if command -v dpkg-query >/dev/null; then
    for p in $packages; do
        dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || missing="$missing $p"
    done
else
    say "not a Debian system: expecting a C++20 compiler, CMake, Ninja and Boost 1.81 or newer"
fi
if [ -n "$missing" ]; then
    say "installing$missing"
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || die "install$missing first: neither root nor sudo here"
        as_root=sudo
    fi
    $as_root apt-get update -q >&2 || die "apt-get update failed"
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends \
        $missing >&2 || die "cannot install$missing"
fi

say "building into $build"
mkdir -p "$build/results"
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DWEFT_BUILD_BENCHMARKS=ON \
    -DWEFT_BUILD_TESTS=OFF -DWEFT_BUILD_EXAMPLES=OFF -DWEFT_INSTALL=OFF >"$build/configure.log" 2>&1 ||
    { cat "$build/configure.log" >&2; die "cannot configure"; }
for q in $questions; do
    [ -f "$root/bench/$q.cpp" ] || die "no question '$q'; there are:
    $(cd "$root/bench" && ls ./*.cpp | sed 's|^./||; s|\.cpp$||' | tr '\n' ' ')"
done
cmake --build "$build" -j "$jobs" -- $(for q in $questions; do echo "bench_$q"; done) >&2 ||
    die "cannot build"

commit=$(git -C "$root" describe --always --dirty 2>/dev/null || echo "no commit")
total=$(echo $questions | wc -w)
number=0
wrong=
for q in $questions; do
    number=$((number + 1))
    say "[$number/$total] $q"
    "$build/bench/$q" $options --label "$commit" --json "$build/results/$q.json" || wrong="$wrong $q"
    echo
done
[ -z "$wrong" ] || die "not verified or not finished:$wrong"
