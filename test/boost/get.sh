#!/usr/bin/env bash
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

# Builds a Boost that Debian packages in any of its suites, in a folder of its own: sources from the mirror that
# this machine uses, checked against Debian's keys. The system's packages and apt's lists stay as they are.
#
#   test/boost/get.sh VERSION PREFIX      such as: test/boost/get.sh 1.92 build/boost/1.92
#
# Then PREFIX has include/, lib/ and, for test/upstream/run.sh, boost/ and libs/. Does nothing if it is there.

set -eu
[ $# -eq 2 ] || { echo "usage: test/boost/get.sh VERSION PREFIX" >&2; exit 2; }
version=$1
mkdir -p "$2"
prefix=$(cd "$2" && pwd)
[ -e "$prefix/complete" ] && exit 0

apt=$(dirname "$prefix")/apt
source=$prefix/source
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$source"
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' | head -n 1)
[ -n "$mirror" ] || { echo "test/boost/get.sh: apt knows no Debian mirror: apt-get update" >&2; exit 1; }
key=/usr/share/keyrings/debian-archive-keyring.gpg
for suite in trixie forky sid; do
    echo "deb-src [signed-by=$key] $mirror $suite main"
done >"$apt/debian.list"
get() {
    apt-get -o Dir::Etc::sourcelist="$apt/debian.list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$apt/lists" \
        -o Dir::Cache="$apt/cache" -o Acquire::Languages=none -q "$@"
}
get update
cd "$apt"
get source --download-only --tar-only "boost$version"
tar -xf "boost${version}_"*.orig.tar.* -C "$source" --strip-components=1 --exclude='*/libs/*/doc' \
    --exclude='*/doc/html'
cmake -G Ninja -S "$source" -B "$source/build" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON \
    -DCMAKE_INSTALL_PREFIX="$prefix" -DBOOST_INSTALL_LAYOUT=system \
    "-DBOOST_INCLUDE_LIBRARIES=asio;beast;context;json;lockfree;program_options;test"
cmake --build "$source/build" --target install
rm -rf "$source/build"
ln -sfn include/boost "$prefix/boost"
ln -sfn source/libs "$prefix/libs"
touch "$prefix/complete"
