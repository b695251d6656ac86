#!/usr/bin/env bash
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

# Installs what a bare Debian 12 lacks, builds, runs the tests, and ends with one line:
# "N passed, N failed". Needs root only if something is missing.
#
#   test/run.sh            everything
#   test/run.sh PART...    only the named parts, of: format release asan tsan models b2 consume
#
# Not in everything: clang-tidy's checks (.clang-tidy) over the headers and the sources of the library; every program
# with each sanitizer and without, with all of its checks, the parity tests on Asio's own contexts, and each header
# without a precompiled one:
#   test/run.sh tidy thorough
# nor this, for it takes an hour or two for each version and downloads it:
#   test/run.sh boost      the library, its tests and Asio's programs on newer Boosts: 1.83 1.88 1.90 1.92
#   BOOST="1.90 1.92" test/run.sh boost

set -u
cd "$(dirname "$0")/.." || exit 1
root=$PWD
jobs=$(nproc)
# One cache serves all checkouts: paths below the root do not count, nor do the dates of files from which
# precompiled headers were made.
export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1 CMAKE_CXX_COMPILER_LAUNCHER=ccache
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime CCACHE_PCH_EXTSUM=1
passed=0
failed=0

packages=(g++ python3 cmake ninja-build ccache clang-19 lld libclang-rt-19-dev llvm-19 clang-format libboost1.81-dev
    libboost-test1.81-dev libboost-context1.81-dev libboost-program-options1.81-dev
    libboost-json1.81-dev libboost1.81-tools-dev relacy-dev pkgconf aspell aspell-en asciidoctor doxygen ruby-rouge gdb
    systemtap-sdt-dev prometheus valgrind)

say() { printf '\n== %s\n' "$*"; }

install_missing() {
    local missing=() p
    for p in "${packages[@]}"; do
        dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || missing+=("$p")
    done
    [ ${#missing[@]} -eq 0 ] && return
    say "installing ${missing[*]}"
    if [ "$(id -u)" -ne 0 ]; then
        echo "test/run.sh: missing packages, and not root: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends \
        "${missing[@]}" || { echo "test/run.sh: apt-get failed" >&2; exit 1; }
}

# count NAME COMMAND...: runs one test that is a command.
count() {
    local name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
        echo "ok: $name"
    else
        failed=$((failed + 1))
        echo "FAILED: $name"
    fi
}

# slowest NAME: what took longest in a suite.
slowest() {
    say "$1: the slowest commands of the build, and the slowest tests"
    awk -F'\t' '!/^#/ { took[$4] = $2 - $1 } END { for (o in took) printf "%7.1f s  %s\n", took[o] / 1000, o }' \
        "build/$1/.ninja_log" | sort -rn | head -n 10
    sed -nE 's|^ *[0-9]+/[0-9]+ Test +#[0-9]+: ([^ ]+) .* ([0-9.]+) sec$|\2 \1|p' "build/$1.test.log" | sort -rn |
        head -n 10 | awk '{ printf "%7.1f s  %s\n", $1, $2 }'
}

# suite NAME TARGETS TESTS CMAKE-ARGUMENTS...: configures, builds the targets, runs the tests that match and
# counts them.
suite() {
    local name=$1 targets=$2 tests=$3 log totals p f
    shift 3
    say "$name: configure and build"
    if ! cmake -G Ninja -S . -B "build/$name" -DWEFT_BUILD_TESTS=ON -DWEFT_BUILD_EXAMPLES=ON \
        -DWEFT_BUILD_BENCHMARKS=ON "$@" >"build/$name.configure.log" 2>&1; then
        tail -n 30 "build/$name.configure.log"
        count "$name: configure" false
        return
    fi
    if ! cmake --build "build/$name" --target $targets -j "$jobs" >"build/$name.build.log" 2>&1; then
        grep -nE 'error|FAILED' "build/$name.build.log" | head -n 40
        count "$name: build" false
        return
    fi
    if grep -q 'warning:' "build/$name.build.log"; then
        grep 'warning:' "build/$name.build.log" | sort -u | head -n 20
        count "$name: no warnings" false
    fi
    say "$name: test"
    log="build/$name.test.log"
    ctest --test-dir "build/$name" --output-on-failure --no-tests=error -R "$tests" -j "$jobs" 2>&1 | tee "$log" |
        grep -vE '^ *Start |^ *[0-9]+/[0-9]+ Test .* Passed'
    totals=$(grep -oE '[0-9]+ tests failed out of [0-9]+' "$log" | tail -n 1)
    if [ -z "$totals" ]; then
        count "$name: ctest ran" false
        return
    fi
    f=${totals%% *}
    p=$((${totals##* } - f))
    passed=$((passed + p))
    failed=$((failed + f))
    slowest "$name"
}

# Each program where it finds most, and half as many schedules of each model; part_thorough has them all.
briefly="-DWEFT_TEST_BRIEFLY=ON -DWEFT_TEST_ASIO_TOO=OFF"

# The benchmarks and examples are built by g++ in bench/run.sh and example/run.sh; here those benchmarks only whose
# instructions are counted (test/bench/instructions.json).
counted="chain;fan_out;lock;channel_spsc;one_thread"
part_release() {
    suite release all . -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=g++ -DWEFT_PRECOMPILE=ON \
        -DWEFT_BUILD_MODELS=OFF -DWEFT_BUILD_EXAMPLES=OFF -DWEFT_BENCHMARKS="$counted" $briefly "$@"
}

# Both sanitizers by clang, in half of g++'s time, and linked by lld in a third of ld's. A third of what is left to
# compile would be the numbers of lines for stacks, and the checks of each pointer for null and alignment, most of which
# the address sanitizer sees as well.
lld=-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld
symbolizer=external_symbolizer_path=/usr/bin/llvm-symbolizer-19

# Examples and benchmarks as well, for clang's warnings.
part_asan() {
    ASAN_OPTIONS=detect_stack_use_after_return=1:$symbolizer \
        UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:$symbolizer \
        suite asan all . -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_COMPILER=clang++-19 -DCMAKE_CXX_FLAGS_DEBUG= \
        -DWEFT_PRECOMPILE=ON -DWEFT_SANITIZE=address,undefined -DWEFT_SANITIZE_EXCEPT=null,alignment \
        $briefly $lld "$@"
}

part_tsan() {
    TSAN_OPTIONS="halt_on_error=1 suppressions=$root/test/support/tsan.supp $symbolizer" \
        suite tsan all . -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_COMPILER=clang++-19 \
        -DCMAKE_CXX_FLAGS_DEBUG=-O1 -DWEFT_PRECOMPILE=ON -DWEFT_SANITIZE=thread $briefly $lld \
        -DWEFT_BUILD_MODELS=OFF -DWEFT_BUILD_EXAMPLES=OFF -DWEFT_BUILD_BENCHMARKS=OFF "$@"
}

part_thorough() {
    part_release -DWEFT_TEST_BRIEFLY=OFF -DWEFT_TEST_ASIO_TOO=ON
    suite headers "weft_headers weft_inner_headers headers_header_only" '^headers_' -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_CXX_COMPILER=g++ -DWEFT_BUILD_MODELS=OFF -DWEFT_BUILD_EXAMPLES=OFF -DWEFT_BUILD_BENCHMARKS=OFF
    part_asan -DWEFT_TEST_BRIEFLY=OFF -DCMAKE_CXX_FLAGS_DEBUG=-g1 -DWEFT_SANITIZE_EXCEPT=
    part_tsan -DWEFT_TEST_BRIEFLY=OFF -DCMAKE_CXX_FLAGS_DEBUG="-g1 -O1"
    part_models -DWEFT_TEST_BRIEFLY=OFF
}

part_models() {
    suite models models '^model_' -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=clang++-19 $lld \
        -DWEFT_PRECOMPILE=ON -DWEFT_BUILD_EXAMPLES=OFF -DWEFT_BUILD_BENCHMARKS=OFF $briefly "$@"
}

# The library and a program of each kind, static: b2 builds the others, and shared ones with hidden symbols, by the same
# rules from the same sources, and must be able to say how.
part_b2() {
    say "b2: build and test"
    printf 'using gcc : : ccache g++ ;\n' >build/user-config.jam
    local b2=(b2 -q -j "$jobs" --user-config=build/user-config.jam --build-dir=build/b2 toolset=gcc variant=debug)
    "${b2[@]}" -n test//all >build/b2.log 2>&1 &&
        "${b2[@]}" -n link=shared visibility=hidden test//all >>build/b2.log 2>&1 &&
        "${b2[@]}" /weft//weft test//wait test//primitives_preconditions >>build/b2.log 2>&1
    local status=$?
    [ $status -eq 0 ] || tail -n 30 build/b2.log
    count "b2" test $status -eq 0
}

part_consume() {
    say "consume: installed package and add_subdirectory"
    count "consume" bash test/consume/run.sh "$root" "$root/build/consume"
}

# Built by test/boost/get.sh in build/boost.
part_boost() {
    local version prefix
    for version in ${BOOST:-1.83 1.88 1.90 1.92}; do
        prefix=$root/build/boost/$version
        say "boost-$version: download and build"
        mkdir -p "$prefix"
        test/boost/get.sh "$version" "$prefix" >"$prefix/get.log" 2>&1 ||
            { tail -n 5 "$prefix/get.log"; count "boost-$version: get" false; continue; }
        boost_suite "boost-$version" "$prefix" all .
        say "boost-$version: Asio's programs"
        LDLIBS="$prefix/lib/libboost_context.so -Wl,-rpath,$prefix/lib" \
            count "boost-$version: Asio's programs" test/upstream/run.sh "$prefix"
        # What reaches io_uring is the reactor and what waits in it.
        say "boost-$version: io_uring"
        if test/boost/has_io_uring.sh; then
            boost_suite "boost-$version-io_uring" "$prefix" "unit_reactor api" '^(unit_reactor$|api_)' \
                -DCMAKE_CXX_FLAGS="-DBOOST_ASIO_HAS_IO_URING -DBOOST_ASIO_DISABLE_EPOLL" \
                -DCMAKE_CXX_STANDARD_LIBRARIES=-luring
        fi
    done
}

# boost_suite NAME PREFIX TARGETS TESTS CMAKE-ARGUMENTS...
boost_suite() {
    local name=$1 prefix=$2 targets=$3 tests=$4
    shift 4
    suite "$name" "$targets" "$tests" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=g++ -DWEFT_PRECOMPILE=ON \
        -DWEFT_TEST_ASIO_TOO=OFF -DWEFT_BUILD_MODELS=OFF -DWEFT_BUILD_EXAMPLES=OFF -DWEFT_BUILD_BENCHMARKS=OFF \
        -DCMAKE_PREFIX_PATH="$prefix" "$@"
}

part_format() {
    say "format"
    local files
    files=$(find include src test example bench packaging -name '*.[ch]pp')
    count "format" clang-format --dry-run --Werror $files
}

part_tidy() {
    say "tidy"
    (cd include && find "$PWD" -name '*.hpp' ! -path '*/impl/src.hpp' ! -name handler_tracking.hpp | sort | sed 's|.*|#include "&"|') >build/all_headers.cpp
    count "tidy" tidy build/all_headers.cpp $(find src -name '*.cpp')
}

tidy() {
    printf '%s\n' "$@" | xargs -P "$jobs" -I '{}' clang-tidy-19 --quiet --config-file=.clang-tidy '{}' -- \
        -std=c++17 -I"$root/include" -Isrc 2>/dev/null
}

mkdir -p build
parts=("$@")
[ ${#parts[@]} -eq 0 ] && parts=(format release asan tsan models b2 consume)
[[ " ${parts[*]} " == *" tidy "* ]] && packages+=(clang-tidy-19)
install_missing

times=()
for part in "${parts[@]}"; do
    if ! declare -F "part_$part" >/dev/null; then
        echo "test/run.sh: no part named $part" >&2
        exit 2
    fi
    began=$SECONDS
    "part_$part"
    times+=("$(printf '%5d s  %s' $((SECONDS - began)) "$part")")
done

say "time of each part"
printf '%s\n' "${times[@]}" "$(printf '%5d s  %s' "$SECONDS" "as a whole")"
printf '\n%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
