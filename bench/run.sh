#!/bin/sh
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0
#
# Builds and runs the benchmarks: bench/run.sh [--quick] [options of the programs] [-- question...]
# --quick measures for less than 3 minutes, else for less than 25; the build comes on top.
# Tables go to the terminal, the results to bench/results/<date>-<kind of machine>.json, which
# bench/compare, bench/plot and bench/report read, and the report with its pictures to doc/. Those of
# chosen questions stay in build/bench, and so does the report of a run with options.
# --no-instructions leaves out the counting of instructions, which --quick never does.

set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
build=${WEFT_BENCH_BUILD:-$root/build/bench}
jobs=${WEFT_JOBS:-$(nproc)}
packages="g++ cmake ninja-build python3 libboost1.81-dev libboost-json1.81-dev libboost-program-options1.81-dev"
# Compared with, or drawn and counted with: without them something is left out, with a word.
extras="libconcurrentqueue-dev libtbb-dev libuv1-dev gnuplot-nox valgrind"
# Those first that are shortest: what they leave of their time goes to those after them.
questions="fib fan_out volt ring_spsc chain strand accept_churn ring_mpmc timer_churn timer_fire spawn_await post_inside
    one_thread post_outside channel_spsc lock_held http_keepalive spawn_batch yield ping_pong skynet permits
    idle_cpu wake lock channel_mpmc echo_latency echo lateness oversubscribed latency_matrix"
# Their rounds differ most, or take longest. A full run has three of each, before the others share what is left.
thorough="accept_churn http_keepalive lock_held ping_pong permits wake echo_latency echo lateness
    oversubscribed latency_matrix"

say() { printf '%s\n' "$*" >&2; }
die() { say "bench/run.sh: $*"; exit 1; }

options=
all=yes
seconds=1140
instructions=yes
quick=no
budget=
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) sed -n '5,10s/^# //p' "$0"; exit 0 ;;
    --) shift; questions=$*; all=no; break ;;
    -j | --json | --json=*) die "--json is set here; the results are under $build/results" ;;
    --no-instructions) instructions=no ;;
    *[!A-Za-z0-9=,.:/_+-]*) die "'$1': run the program itself for such an option" ;;
    -q | --quick) seconds=150; instructions=no; quick=yes; options="$options $1" ;;
    --budget | --budget=*) budget=given; options="$options $1" ;;
    *) options="$options $1" ;;
    esac
    shift
done
[ -n "$questions" ] || die "no question given"

# Whether the word $1 is one of the others.
among() {
    word=$1
    shift
    for w in "$@"; do [ "$w" != "$word" ] || return 0; done
    return 1
}

if [ "$quick" = no ] && [ "$all" = yes ]; then
    rest=
    for q in $questions; do among "$q" $thorough || rest="$rest $q"; done
    questions="$thorough $rest"
fi

# Names those of the packages that are not installed.
absent() {
    for p in "$@"; do
        dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || printf ' %s' "$p"
    done
}

install() {
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || { say "neither root nor sudo here"; return 1; }
        as_root=sudo
    fi
    $as_root apt-get update -q >&2 || { say "apt-get update failed"; return 1; }
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "$@" >&2
}

if command -v dpkg-query >/dev/null; then
    missing=$(absent $packages)
    wanted=$(absent $extras)
    if [ -n "$missing$wanted" ]; then
        say "installing$missing$wanted"
        if ! install $missing $wanted; then
            # One of the others may be what is not to be had.
            [ -z "$missing" ] || install $missing || die "install$missing first"
            for p in $(absent $extras); do install "$p" || :; done
        fi
        wanted=$(absent $extras)
        [ -z "$wanted" ] || say "not to be had, and left out:$wanted"
    fi
else
    say "not a Debian system: expecting a C++20 compiler, CMake, Ninja, Python 3 and Boost 1.81 or newer"
fi

for q in $questions; do
    [ -f "$root/bench/$q.cpp" ] || die "no question '$q'; there are:
    $(cd "$root/bench" && ls ./*.cpp | sed 's|^./||; s|\.cpp$||' | tr '\n' ' ')"
done
say "building into $build"
mkdir -p "$build/results"
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DWEFT_BUILD_BENCHMARKS=ON \
    -DWEFT_BUILD_TESTS=OFF -DWEFT_BUILD_EXAMPLES=OFF -DWEFT_INSTALL=OFF >"$build/configure.log" 2>&1 ||
    { cat "$build/configure.log" >&2; die "cannot configure"; }
grep 'not compared with' "$build/configure.log" >&2 || :
# Instructions are counted with the clock preloaded.
cmake --build "$build" -j "$jobs" -- bench_slow_clock $(for q in $questions; do echo "bench_$q"; done) >&2 ||
    die "cannot build"

# Those questions that run may take alike what is left; they stop earlier when they have all rounds.
commit=$(git -C "$root" describe --always --dirty 2>/dev/null || echo "no commit")
total=$(echo $questions | wc -w)
end=$(($(date +%s) + seconds))
number=0
wrong=
files=
for q in $questions; do
    left=$((end - $(date +%s)))
    [ "$left" -gt 0 ] || left=1
    share=$((left / (total - number)))
    [ "$share" -gt 0 ] || share=1
    number=$((number + 1))
    say "[$number/$total] $q: at most some $share of $left s"
    rm -f "$build/results/$q.json"
    given=
    if [ -z "$budget" ]; then
        given="--budget $share"
        [ "$quick" = yes ] || ! among "$q" $thorough || given="$given --least-rounds 3"
    fi
    "$build/bench/$q" $options $given --label "$commit" \
        --json "$build/results/$q.json" || wrong="$wrong $q"
    [ ! -f "$build/results/$q.json" ] || files="$files $build/results/$q.json"
    echo
done
[ -n "$files" ] || die "nothing was measured"

counts=
if [ "$instructions" = yes ]; then
    if command -v valgrind >/dev/null; then
        say "counting instructions, at most 5 minutes"
        counts=$build/results/instructions
        rm -f "$counts"
        timeout 300 "$root/bench/instructions" "$build/bench" --output "$counts" $questions ||
            wrong="$wrong instructions"
        [ -f "$counts" ] || counts=
    else
        say "no valgrind: instructions are not counted"
    fi
fi

place=$root/bench/results
[ "$all" = yes ] || place=$build/results/chosen
merged=$("$root/bench/merge" $files --directory "$place" ${counts:+--instructions "$counts"} \
    --options "$options") || die "cannot merge the results"
say "results: $merged"
# The tree's report is of a full run, as it is without options.
report=$build/report
[ "$all" = no ] || [ -n "$options" ] || report=$root/doc
drawn=
if ! command -v gnuplot >/dev/null; then
    say "no gnuplot (Debian: gnuplot-nox): nothing is drawn"
    drawn=--no-pictures
fi
"$root/bench/report" "$merged" --directory "$report" $drawn >&2 || wrong="$wrong report"
[ -z "$wrong" ] || die "not verified or not finished:$wrong"
