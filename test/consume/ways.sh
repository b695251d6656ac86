#!/usr/bin/env bash
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

# ways.sh SOURCE BUILD [--all]: one small server (server/server.cpp) gets weft in the ways that there are for it, static,
# shared and header-only, and runs. Without --all by CMake and pkg-config from a prefix that has been moved, and from a
# tarball; with it in all ways, and by all compilers and standards that are here. That takes half an hour, root, the
# network, and the packages meson, lintian and mmdebstrap. COMPILERS="g++-14" STANDARDS="17 23" name those to be tried.

set -eu
source_dir=$1
build=$2
all=${3:-}
here=$source_dir/test/consume
. "$here/support.sh"
mkdir -p "$build"
cxx=${CXX:-g++}

# serves NAME KIND PROGRAM: it runs, and has the shared library or does not.
serves() {
    local name=$1 kind=$2 program=$3 needs=static
    ! readelf -d "$program" | grep -q 'NEEDED.*libweft' || needs=shared
    [ "$needs" = "${kind/header_only/static}" ] || fail "$name: linked with the $needs library, not the $kind one"
    timeout 60 "$program" >"$program.says" || fail "$name: the server has failed"
    grep -q "^weft [0-9.]*, C++[0-9]*: sent by the client$" "$program.says" || fail "$name: $(cat "$program.says")"
}

# by_cmake NAME KIND CMAKE-ARGUMENTS...
by_cmake() {
    local name=$1 kind=$2
    shift 2
    quietly cmake -G Ninja -S "$here/server" -B "$build/$name" -DWEFT_EXPECTED="$kind" "$@" || fail "$name: configure"
    if [ "$kind" = header_only ] && sed -n '/EXECUTABLE_LINKER/,/^$/p' "$build/$name/build.ninja" | grep 'libweft'; then
        fail "$name: is linked with a library of weft's"
    fi
    quietly cmake --build "$build/$name" --target server || fail "$name: build"
    serves "$name" "$kind" "$build/$name/server"
}

# by_pkg_config NAME KIND PREFIX COMPILER STANDARD
by_pkg_config() {
    local name=$1 kind=$2 prefix=$3 compiler=$4 standard=$5 package
    case $kind in
        static) package=weft-static ;;
        shared) package=weft ;;
        header_only) package=weft-header-only ;;
    esac
    local flags
    flags=$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --cflags --libs "$package")
    case $flags in *"$prefix"*) ;; *) fail "$name: pkg-config has found another weft: $flags" ;; esac
    quietly $compiler -std=c++"${standard/23/2b}" "$here/server/server.cpp" $flags -Wl,-rpath,"$prefix/lib" -o "$build/$name" ||
        fail "$name: build"
    serves "$name" "$kind" "$build/$name"
}

# Who else names the version; version.hpp is right.
version=$(sed -n 's/^#define WEFT_VERSION_[MP][A-Z]* //p' "$source_dir/include/weft/version.hpp" | paste -sd.)
tree=weft-$version
released=$(sed -n "s/^## $version (\(.*\))$/\1/p" "$source_dir/CHANGELOG.md")
[ -n "$released" ] || fail "CHANGELOG.md has no section '## $version (DATE)'"
for names in "packaging/vcpkg/vcpkg.json:\"version\": \"$version\"" "CITATION.cff:version: $version" \
    "CITATION.cff:date-released: $released" "doc/releases/$version.md:weft $version" \
    "packaging/meson/weft.wrap:directory = $tree" "packaging/meson/weft.wrap:source_filename = $tree.tar.gz" \
    "README.md:find_package(weft ${version%.*} CONFIG" "packaging/README.md:libweft${version%.*}" \
    "doc/manual/installing.adoc:libweft${version%.*}" "doc/manual/installing.adoc:$tree.tar.gz" \
    "doc/manual/installing.adoc:find_package(weft ${version%.*})" "doc/abi.md:find_package(weft ${version%.*})" \
    "doc/manual/quick-start.adoc:$tree.tar.gz"; do
    grep -qF -- "${names#*:}" "$source_dir/${names%%:*}" || fail "${names%%:*} does not say '${names#*:}'"
done

# The public hosts run the parts that test/run.sh runs by itself.
parts=$(sed -n 's/^.* -eq 0 \] && parts=(\(.*\))$/\1/p' "$source_dir/test/run.sh")
for file in .github/workflows/ci.yml .gitlab-ci.yml; do
    grep -qiF "part: [${parts// /, }]" "$source_dir/$file" || fail "$file has other parts than test/run.sh: $parts"
done

# Both kinds in one prefix, which is then moved; not optimised, in half the time.
step "a prefix that is moved"
rm -rf "$build/first" "$build/moved" # The build itself may be an old one.
quietly cmake -G Ninja -S "$source_dir" -B "$build/both" -DWEFT_BUILD_BOTH=ON \
    -DCMAKE_UNITY_BUILD=ON -DCMAKE_INSTALL_PREFIX="$build/first" -DCMAKE_INSTALL_LIBDIR=lib
quietly cmake --build "$build/both"
quietly cmake --install "$build/both"
mkdir -p "$build/moved"
moved="$build/moved/to another place"
mv "$build/first" "$moved"
if grep -rlF -e "$build" -e "$source_dir" "$moved/lib/cmake" "$moved/lib/pkgconfig" "$moved/include"; then
    fail "what is installed names where it was built"
fi
# A path without spaces for pkg-config's users, whose shells split words.
ln -sfn "$moved" "$build/moved/here"
moved=$build/moved/here

tarball "$source_dir" "$build/$tree.tar.gz" "$tree"
if [ "$all" != --all ]; then
    # Each kind in two of the ways, by two compilers as two languages: all pairs of these. Header-only the user's warnings
    # are for weft's sources as well.
    strict="-Wall -Wextra -Wpedantic -Wshadow -Werror"
    step "installed, and from a tarball: two compilers"
    also by_cmake found-static static -DCMAKE_PREFIX_PATH="$moved" -DWEFT_COMPONENT=static -DCMAKE_CXX_COMPILER="$cxx" \
        -DCMAKE_CXX_STANDARD=17
    also by_cmake found-shared shared -DCMAKE_PREFIX_PATH="$moved" -DWEFT_COMPONENT=shared \
        -DCMAKE_CXX_COMPILER=clang++-19 -DCMAKE_CXX_STANDARD=20
    also by_pkg_config pkg-config-static static "$moved" clang++-19 20
    also by_pkg_config pkg-config-shared shared "$moved" "$cxx" 17
    also by_pkg_config pkg-config-header-only header_only "$moved" "clang++-19 $strict" 17
    also by_cmake tarball-header-only header_only -DWEFT_BY=FetchContent -DWEFT_SOURCE="$build/$tree.tar.gz" \
        -DWEFT_TARGET=weft::header_only -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_CXX_STANDARD=20 -DCMAKE_CXX_FLAGS="$strict"
    together
else
    standards=(${STANDARDS:-17 20 23})
    compilers=()
    for one in ${COMPILERS:-g++-11 g++-12 g++-13 g++-14 g++-15 clang++-14 clang++-15 clang++-16 clang++-17 clang++-18 \
        clang++-19 clang++-20 clang++-21 clang++-22}; do
        ! command -v "$one" >/dev/null || compilers+=("$one")
    done
    for compiler in "${compilers[@]}"; do
        for standard in "${standards[@]}"; do
            step "installed: $compiler, C++$standard"
            for kind in static shared header_only; do
                also by_cmake "found-$kind-$compiler-$standard" $kind -DCMAKE_PREFIX_PATH="$moved" \
                    -DWEFT_COMPONENT=$kind -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_STANDARD="$standard"
                also by_pkg_config "pkg-config-$kind-$compiler-$standard" $kind "$moved" "$compiler" "$standard"
            done
        done
    done
    together
fi

# The sources as one source of the program, and as a part of each; the two that the test of the headers has as well, by
# all compilers. What is different in two of them, though it has one name, is found when they are optimised as a whole.
without_library() {
    local name=$1 compiler=$2 standard=$3 log=$build/log.$BASHPID
    shift 3
    $compiler -std=c++"${standard/23/2b}" "$@" -I"$source_dir/include" -pthread -o "$build/$name" >"$log" 2>&1 ||
        { tail -n 30 "$log"; fail "$name: build"; }
    if grep -E 'warning:' "$log"; then
        fail "$name: warnings"
    fi
}
by_one_source() {
    without_library "$1" "$2" "$3" "$here/server/server.cpp" "$here/server/weft.cpp"
    serves "$1" static "$build/$1"
}
by_each_source() {
    local name=$1 compiler=$2 standard=$3
    shift 3
    without_library "$name" "$compiler" "$standard" -Wall -Wextra -Wpedantic -Wshadow -Werror -DWEFT_HEADER_ONLY "$@" \
        "$source_dir"/test/headers/header_only/{one,two}.cpp
    timeout 60 "$build/$name" || fail "$name: has failed"
}

# from_source COMPILER KIND STANDARD: as a subdirectory, and fetched as a tarball.
from_source() {
    local compiler=$1 kind=$2 standard=$3 shared=OFF way
    [ "$kind" = static ] || shared=ON
    for way in add_subdirectory FetchContent; do
        local from=$source_dir
        [ $way = add_subdirectory ] || from=$build/$tree.tar.gz
        by_cmake "$way-$kind-$compiler" "$kind" -DWEFT_BY=$way -DWEFT_SOURCE="$from" -DBUILD_SHARED_LIBS=$shared \
            -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_STANDARD="$standard"
    done
}

# b2's project, and what `b2 install` has made.
by_b2() {
    local kind=$1 program flags
    local options=(-q -j "$(nproc)" "--user-config=$build/user-config.jam" "--build-dir=$build/b2-$kind" toolset=gcc
        variant=release "link=$kind" visibility=hidden)
    quietly env -C "$here/server" b2 "${options[@]}" -sWEFT_SOURCE="$source_dir" server header_only_server
    program=$(find "$build/b2-$kind" -type f -name server)
    serves "b2-$kind" "$kind" "$program"
    serves "b2-header-only-$kind" header_only "$(find "$build/b2-$kind" -type f -name header_only_server)"
    quietly env -C "$source_dir" b2 "${options[@]}" --prefix="$build/b2-prefix-$kind" install
    flags="-I$build/b2-prefix-$kind/include -L$build/b2-prefix-$kind/lib -lweft -pthread"
    [ "$kind" = static ] || flags+=" -DWEFT_DYN_LINK -Wl,-rpath,$build/b2-prefix-$kind/lib"
    quietly g++ -std=c++17 "$here/server/server.cpp" $flags -o "$build/b2-installed-$kind"
    serves "b2-installed-$kind" "$kind" "$build/b2-installed-$kind"
    quietly g++ -std=c++17 "$here/server/server.cpp" -DWEFT_HEADER_ONLY -I"$build/b2-prefix-$kind/include" -pthread \
        -o "$build/b2-installed-header-only-$kind"
    serves "b2-installed-header-only-$kind" header_only "$build/b2-installed-header-only-$kind"
}

by_meson() {
    local kind=$1 flags
    local project=$build/meson-$kind
    mkdir -p "$project/subprojects/packagefiles/weft"
    cp "$here/server/server.cpp" "$here/server/meson.build" "$project"
    cp "$source_dir/packaging/meson/weft.wrap" "$project/subprojects"
    cp "$source_dir/packaging/meson/meson.build" "$project/subprojects/packagefiles/weft"
    cp "$build/$tree.tar.gz" "$project/subprojects/packagefiles"
    quietly meson setup "$project/build" "$project" --prefix="$project/prefix" --libdir=lib --buildtype=release \
        --default-library="$kind"
    quietly meson compile -C "$project/build"
    serves "meson-$kind" "$kind" "$project/build/server"
    serves "meson-header-only-$kind" header_only "$project/build/header_only_server"
    # And what it installs of weft.
    quietly meson install -C "$project/build"
    flags=$(PKG_CONFIG_PATH=$project/prefix/lib/pkgconfig pkg-config --cflags --libs weft)
    quietly g++ -std=c++17 "$here/server/server.cpp" $flags -Wl,-rpath,"$project/prefix/lib" -o "$project/installed"
    serves "meson-installed-$kind" "$kind" "$project/installed"
}

by_vcpkg() {
    local kind=$1 linkage=static
    [ "$kind" = static ] || linkage=dynamic
    quietly cmake -DSOURCE="$source_dir" -DPACKAGE="$build/vcpkg-$kind" -DLINKAGE=$linkage -P "$here/vcpkg.cmake"
    by_cmake "vcpkg-$kind.found" "$kind" -DCMAKE_PREFIX_PATH="$build/vcpkg-$kind"
}

# Where Conan is not to be had, that Python can read the recipe, and that the test package's program works.
by_conan() {
    local recipe=$source_dir/packaging/conan
    if command -v conan >/dev/null; then
        export CONAN_HOME=$build/conan
        quietly conan profile detect --force
        quietly conan create "$recipe" --build=missing -s compiler.cppstd=17
        quietly conan create "$recipe" --build=missing -s compiler.cppstd=17 -o "weft/*:shared=True"
    else
        echo "     there is no conan: its recipe is not run"
        quietly python3 -c 'import sys; [compile(open(f).read(), f, "exec") for f in sys.argv[1:]]' \
            "$recipe/conanfile.py" "$recipe/test_package/conanfile.py"
        quietly cmake -G Ninja -S "$recipe/test_package" -B "$build/conan-test" -DCMAKE_PREFIX_PATH="$moved"
        quietly cmake --build "$build/conan-test"
        [ "$("$build/conan-test/hello")" = "weft works" ] || fail "the program of Conan's test package has failed"
    fi
}

if [ "$all" = --all ]; then
    [ "$(PKG_CONFIG_PATH=$moved/lib/pkgconfig pkg-config --modversion weft)" = "$version" ] || fail "weft.pc: version"
    for compiler in "${compilers[@]}"; do
        step "from the source: $compiler"
        also from_source "$compiler" static 17
        also from_source "$compiler" shared 20
        also by_one_source "one-source-$compiler" "$compiler" 17
        also by_each_source "each-source-$compiler" "$compiler" 20
    done
    also by_each_source each-source-as-a-whole g++ 17 -O2 -flto=auto -Wodr
    # Each header can be the first.
    for header in "$source_dir"/include/weft.hpp "$source_dir"/include/weft/*.hpp; do
        also without_library "first-$(basename "$header").o" g++ 17 -DWEFT_HEADER_ONLY -Wall -Wextra -Werror -c -x c++ \
            "$header"
    done
    together
    printf 'using gcc ;\n' >"$build/user-config.jam"
    rm -rf "$build"/meson-* "$build"/vcpkg-* "$build"/b2-*
    for kind in static shared; do
        step "b2: $kind"
        by_b2 $kind
        step "meson: $kind"
        by_meson $kind
        step "vcpkg's port: $kind"
        by_vcpkg $kind
    done
    step "conan"
    by_conan
    step "debian"
    bash "$here/debian.sh" "$source_dir" "$build/debian"
fi

# Which library weft::weft is.
step "components"
configure_server() { # CMAKE-ARGUMENTS...; who calls says in $log where CMake is to write
    cmake -G Ninja -S "$here/server" -B "$log.build" -DCMAKE_PREFIX_PATH="$moved" "$@" >"$log" 2>&1
}
chooses() { # KIND WHAT-IT-WOULD-MEAN-IF-NOT CMAKE-ARGUMENTS...
    local kind=$1 why=$2 log=$build/chooses.$BASHPID
    shift 2
    configure_server -DWEFT_EXPECTED="$kind" "$@" || { tail -n 30 "$log"; fail "$why"; }
}
refuses() { # MESSAGE CMAKE-ARGUMENTS...
    local message=$1 log=$build/chooses.$BASHPID
    shift
    if configure_server "$@" || ! grep -qF "$message" "$log"; then
        tail -n 30 "$log"
        fail "not refused with '$message': $*"
    fi
}
rm -rf "$build"/chooses.*
also chooses shared "without a component weft::weft is not the shared library"
also chooses static "BUILD_SHARED_LIBS=OFF is not heeded" -DBUILD_SHARED_LIBS=OFF
also chooses static "a component is not heeded" -DBUILD_SHARED_LIBS=ON -DWEFT_COMPONENT=static
also chooses header_only "header-only is not heeded" -DBUILD_SHARED_LIBS=ON -DWEFT_COMPONENT=header_only
also refuses "not hidden" -DWEFT_COMPONENT=hidden
also refuses "weft::weft is weft::static" -DWEFT_COMPONENT=static -DWEFT_ALSO=shared
together
rm "$moved"/lib/libweft.so* "$moved"/lib/cmake/weft/weft-shared*
also chooses static "without the shared library weft::weft is not the static one"
also refuses "installed are: static, header_only; not shared" -DWEFT_COMPONENT=shared
together
