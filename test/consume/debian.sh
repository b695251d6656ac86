#!/usr/bin/env bash
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

# debian.sh SOURCE BUILD: makes the .debs, has lintian look at them, and installs them into a Debian that mmdebstrap
# makes of nothing, where the server is built by CMake and by pkg-config, static, shared and header-only, and runs. Needs root,
# the network, and the packages lintian and mmdebstrap.

set -eu
source_dir=$1
build=$2
here=$source_dir/test/consume
. "$here/support.sh"
mkdir -p "$build"

step "packages"
quietly "$source_dir/packaging/deb/build.sh" "$build/debs"
step "lintian"
lintian --allow-root --fail-on error,warning "$build"/debs/*.deb || fail "lintian has something to say"

step "mmdebstrap"
rm -rf "$build/chroot"
quietly mmdebstrap --variant=apt --include=g++,cmake,ninja-build,pkgconf \
    "$(. /etc/os-release; echo "$VERSION_CODENAME")" "$build/chroot"
trap 'rm -rf "$build/chroot"' EXIT
mkdir "$build/chroot/work"
cp "$build"/debs/*.deb "$here"/server/* "$build/chroot/work"
cat >"$build/chroot/work/build.sh" <<'EOF'
set -eu
cd /work
apt-get update -q
DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends ./*.deb
for kind in shared static header_only; do
    case $kind in
        shared) package=weft ;;
        static) package=weft-static ;;
        header_only) package=weft-header-only ;;
    esac
    cmake -G Ninja -S . -B build/$kind -DWEFT_COMPONENT=$kind -DWEFT_EXPECTED=$kind
    cmake --build build/$kind
    g++ -std=c++17 server.cpp $(pkg-config --cflags --libs $package) -o build/$kind/by-pkg-config
    for program in build/$kind/server build/$kind/by-pkg-config; do
        ./$program
        ldd $program | grep libweft || [ $kind != shared ]
    done
done
dpkg -L weft-doc | grep -q README.md
test -f /usr/share/doc/weft/manual/ref-io_context.html
weft-trace --help
test -f /usr/share/man/man1/weft-trace.1.gz
dpkg -L weft-tools | grep -q 'gdb/auto-load/.*libweft.so.*-gdb.py'
apt-get purge -qy 'libweft*' weft-doc weft-tools
[ -z "$(find / -xdev -name '*weft*' -not -path '/work/*' -not -path '/var/*' -not -path '/proc/*')" ]
EOF
step "in there"
# There is no cache of compiled objects in there.
quietly env -u CMAKE_CXX_COMPILER_LAUNCHER chroot "$build/chroot" bash /work/build.sh
step "done"
