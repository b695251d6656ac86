#!/usr/bin/env bash
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

# consume/run.sh SOURCE BUILD [--all]: a stranger's projects use weft in all the ways there are for it: installed and as
# a subdirectory, static and shared, with hidden symbols, in a plugin, inside a library that is installed itself,
# without run-time type information, from a prefix that was moved; and are told when they cannot. --all is for
# ways.sh: what takes longer, or needs more than a compiler.

set -eu
source_dir=$1
build=$2
all=${3:-}
here=$source_dir/test/consume
cxx=${CXX:-g++}
rm -rf "$build"
mkdir -p "$build"

. "$here/support.sh"

# Where it does not matter how the library is compiled: in half the time.
unity=-DCMAKE_UNITY_BUILD=ON

# library NAME CMAKE-ARGUMENTS...: builds weft as a stranger would, and nothing but the library.
library() {
    local name=$1
    shift
    step "library: $name"
    quietly cmake -G Ninja -S "$source_dir" -B "$build/$name" -DCMAKE_INSTALL_PREFIX="$build/prefix-$name" "$@"
    quietly cmake --build "$build/$name"
    [[ " $* " == *" $unity "* ]] || [ "$(find "$build/$name" -name '*.o' | wc -l)" = "$(find "$source_dir/src" -name '*.cpp' ! -path '*/tool/*' | wc -l)" ] ||
        fail "the build of $name has compiled something else than the library"
}

# Compiles programs of the project, which finds weft by the arguments, and runs them.
project() { # NAME PROGRAMS CMAKE-ARGUMENTS...
    local name=$1 programs=$2 program
    shift 2
    step "project: $name"
    quietly cmake -G Ninja -S "$here/project" -B "$build/$name" "$@"
    quietly cmake --build "$build/$name" --target $programs
    for program in $programs; do
        timeout 60 "$build/$name/$program" || fail "$name: $program has failed"
    done
}

# The installed static library, by the commands that the README has.
library static -DCMAKE_BUILD_TYPE=Release
quietly cmake --install "$build/static"
project found-static "consumer primitives one_reactor" -DCMAKE_PREFIX_PATH="$build/prefix-static"

step "the quick start of the manual"
quietly cmake -G Ninja -S "$source_dir/example/tutorial" -B "$build/quick-start" \
    -DCMAKE_PREFIX_PATH="$build/prefix-static"
quietly cmake --build "$build/quick-start"

# The shared library as distributions build it, and everything hidden that is not exported.
hidden=(-DCMAKE_CXX_VISIBILITY_PRESET=hidden -DCMAKE_VISIBILITY_INLINES_HIDDEN=ON)
library shared $unity -DCMAKE_BUILD_TYPE=None -DCMAKE_INSTALL_PREFIX=/usr -DBUILD_SHARED_LIBS=ON "${hidden[@]}" \
    -DCMAKE_CXX_FLAGS="-O2 -fstack-protector-strong -Wformat -Werror=format-security -D_FORTIFY_SOURCE=2" \
    -DCMAKE_SHARED_LINKER_FLAGS="-Wl,-z,relro -Wl,-z,now -Wl,-z,defs -Wl,--as-needed"
DESTDIR=$build/stage quietly cmake --install "$build/shared"
stage=$build/stage/usr
[ -f "$stage/share/doc/weft/LICENSE_1_0.txt" ] || fail "the licence is not installed"
if grep -rlF -e "$build" -e "$source_dir" "$stage" --include='*.cmake' --include='*.hpp'; then
    fail "what is installed names where it was built"
fi
so=$(find "$stage" -name 'libweft.so')
readelf -d "$so" >"$build/dynamic"
grep -q 'SONAME.*libweft\.so\.[0-9]' "$build/dynamic" || fail "the shared library has no SONAME"
if grep -E 'R(UN)?PATH' "$build/dynamic"; then
    fail "the shared library has a path to look for others"
fi
project found-shared "consumer primitives one_reactor" -DCMAKE_PREFIX_PATH="$stage" "${hidden[@]}"
step "plugin"
quietly cmake --build "$build/found-shared" --target host
timeout 60 "$build/found-shared/host" "$build/found-shared/libplugin.so" || fail "host and plugin have failed"

# Whatever an inline function may call is exported, whatever it may touch is in the library.
step "exports"
(cd "$source_dir/include" && find . -name '*.hpp' ! -path ./weft/impl/src.hpp ! -path ./weft/handler_tracking.hpp | sed 's|^\./\(.*\)|#include <\1>|') >"$build/all_headers.cpp"
quietly $cxx -std=c++17 -fPIC -shared -fkeep-inline-functions -fvisibility=hidden -fvisibility-inlines-hidden \
    -DWEFT_DYN_LINK -I"$source_dir/include" "$build/all_headers.cpp" "$so" -Wl,-z,defs -o "$build/all_headers.so"
variables() { nm -DC --defined-only "$@" | sed -n 's/^[0-9a-f]* u \(weft::[a-z_:0-9]*\)$/\1/p' | sort -u; }
variables "$so" >"$build/in_the_library"
variables "$build/all_headers.so" "$build/found-shared/libplugin.so" >"$build/in_others"
[ -s "$build/in_the_library" ] || fail "the library has no variables that are one in the program"
if comm -13 "$build/in_the_library" "$build/in_others" | grep .; then
    fail "these variables are not in the shared library"
fi

# As a subdirectory; inside a shared library that is installed with an export set of its own.
project subdirectory "consumer one_reactor" -DWEFT_SOURCE="$source_dir" $unity
step "embedding"
quietly cmake -G Ninja -S "$here/embedding" -B "$build/embedding" -DWEFT_SOURCE="$source_dir" \
    -DCMAKE_INSTALL_PREFIX="$build/prefix-embedding" $unity
quietly cmake --build "$build/embedding" --target install
quietly cmake -G Ninja -S "$here/embedding" -B "$build/question" -DCMAKE_PREFIX_PATH="$build/prefix-embedding"
quietly cmake --build "$build/question"
"$build/question/question" || fail "the library with weft inside has failed"

# The static library is position independent unless the user says otherwise.
quietly cmake -G Ninja -S "$source_dir" -B "$build/fixed" -DCMAKE_POSITION_INDEPENDENT_CODE=OFF
grep -q -e -fPIC "$build/static/build.ninja" || fail "the static library is not position independent"
if grep -e -fPIC "$build/fixed/build.ninja"; then
    fail "CMAKE_POSITION_INDEPENDENT_CODE=OFF has no effect"
fi

# Without run-time type information: both alike, and they work.
library no-rtti $unity -DCMAKE_CXX_FLAGS=-fno-rtti
library no-typeid $unity -DCMAKE_CXX_FLAGS=-DBOOST_ASIO_NO_TYPEID

# links LIBRARY PROGRAM OPTIONS...; who calls says in $log where the compiler is to write.
links() {
    local library=$1 program=$2
    shift 2
    $cxx -std=c++17 -I"$source_dir/include" "$@" "$here/$program" "$build/$library/libweft.a" -pthread \
        -o "$log.program" >"$log" 2>&1
}
works() {
    local log=$build/log.$BASHPID
    links "$@" || { tail -n 30 "$log"; fail "does not link: $*"; }
    timeout 60 "$log.program" || fail "links and does not work: $*"
}
# Does not link, and the name of what is missing tells: refused WHY LIBRARY OPTIONS...
refused() {
    local why=$1 library=$2 log=$build/log.$BASHPID
    shift 2
    if links "$library" project/consumer.cpp "$@"; then
        fail "a program compiled with '$*' links with library '$library'"
    fi
    grep -q "undefined reference to .weft::asio_[a-z0-9_]*$why" "$log" ||
        { tail -n 30 "$log"; fail "nothing says $why: $*"; }
}

step "the same configuration"
also works no-rtti project/one_reactor.cpp -fno-rtti
also works no-typeid project/one_reactor.cpp -DBOOST_ASIO_NO_TYPEID
also works no-rtti project/one_reactor.cpp -DBOOST_ASIO_NO_TYPEID
also works no-typeid project/one_reactor.cpp -fno-rtti
also works static project/consumer.cpp -DNDEBUG -DBOOST_ASIO_NO_DEPRECATED
also works static hint.cpp -std=c++20 -I"$source_dir/test" -DBOOST_ASIO_CONCURRENCY_HINT_DEFAULT=4 \
    -DBOOST_ASIO_CONCURRENCY_HINT_1=7
together

step "another configuration"
python3 "$here/abi.py" "$source_dir"
also refused _no_typeid static -fno-rtti
also refused _no_typeid static -DBOOST_ASIO_NO_TYPEID
also refused _with_typeid no-rtti
also refused _with_typeid no-typeid
also refused _with_handler_tracking static -DBOOST_ASIO_ENABLE_HANDLER_TRACKING
also refused _select static -DBOOST_ASIO_DISABLE_EPOLL
also refused _cache_5 static -DBOOST_ASIO_RECYCLING_ALLOCATOR_CACHE_SIZE=5
also refused _no_thread_keyword static -DBOOST_ASIO_DISABLE_THREAD_KEYWORD_EXTENSION
together
log=$build/log.exceptions
if links static project/consumer.cpp -fno-exceptions || ! grep -q 'weft needs exceptions' "$log"; then
    tail -n 30 "$log"
    fail "-fno-exceptions is not refused"
fi

# The headers give no warnings to those who ask for many and include them as their own.
step "warnings"
warnings=(-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wnull-dereference -Wconversion -Wsign-conversion
    -Wold-style-cast)
silent() { # COMPILER OPTIONS... SOURCE
    local log=$build/log.$BASHPID
    "$@" "${warnings[@]}" -I"$source_dir/include" -o /dev/null >"$log" 2>&1 ||
        { tail -n 30 "$log"; fail "does not compile: $*"; }
    if grep -E 'include/weft.*warning:' "$log" >"$log.warnings"; then
        sort -u "$log.warnings"
        fail "the headers have warnings: $*"
    fi
}
also silent g++ -std=c++17 -O2 -Wuseless-cast -c "$here/project/primitives.cpp"
also silent g++ -std=c++20 -O2 -Wuseless-cast -c "$source_dir/example/recipes/pipeline.cpp"
also silent clang++-19 -std=c++17 -fsyntax-only "$here/project/primitives.cpp"
also silent clang++-19 -std=c++20 -fsyntax-only "$source_dir/example/recipes/pipeline.cpp"
# Header-only the sources as well.
also silent clang++-19 -std=c++17 -fsyntax-only -DWEFT_HEADER_ONLY "$source_dir/test/headers/header_only/two.cpp"
for language in 17 20; do
    also silent g++ -std=c++$language -fsyntax-only -Wuseless-cast "$build/all_headers.cpp"
    also silent clang++-19 -std=c++$language -fsyntax-only "$build/all_headers.cpp"
done
together

bash "$here/ways.sh" "$source_dir" "$build/ways" $all
step "done"
