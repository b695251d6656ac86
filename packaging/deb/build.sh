#!/usr/bin/env bash
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

# build.sh BUILD: compiles weft with Debian's flags and makes BUILD/*.deb of it. DEBFULLNAME and DEBEMAIL name the
# maintainer, SOURCE_DATE_EPOCH the date of the changelog. Needs asciidoctor, ruby-rouge and doxygen for the manual.

set -eu
source_dir=$(cd "$(dirname "$0")/../.." && pwd)
build=$1
# Older than the 1 that Debian's own package of the same version would have.
revision=0weft1
: "${DEBFULLNAME:=The weft authors}" "${DEBEMAIL:=weft@localhost.invalid}"
: "${SOURCE_DATE_EPOCH:=$(stat -c %Y "$source_dir/CHANGELOG.md")}"
export DEBFULLNAME DEBEMAIL SOURCE_DATE_EPOCH
export DEB_BUILD_MAINT_OPTIONS=hardening=+bindnow
umask 022
rm -rf "$build"
mkdir -p "$build/files"
build=$(cd "$build" && pwd)
version=$(sed -n 's/^#define WEFT_VERSION_[MP][A-Z]* //p' "$source_dir/include/weft/version.hpp" | paste -sd.)

# What every package has to have.
gzip -9n >"$build/files/changelog.Debian.gz" <<EOF
weft ($version-$revision) unstable; urgency=medium

  * Made by packaging/deb/build.sh; CHANGELOG.md of the sources has the changes.

 -- $DEBFULLNAME <$DEBEMAIL>  $(date -uRd "@$SOURCE_DATE_EPOCH")
EOF
{
    printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: weft\n\n'
    printf 'Files: *\nCopyright: 2026 The weft authors\nLicense: BSL-1.0\n'
    sed -e 's/^$/./' -e 's/^/ /' "$source_dir/LICENSE_1_0.txt"
} >"$build/files/copyright"

# The manual as web pages, beside the pages that it links to; what no package has is not linked.
TREE=.. "$source_dir/doc/build.sh" --html "$build/manual"
sed -Ei 's!<a href="\.\./(test|example|include|bench|packaging|src|CONTRIBUTING)[^"]*">(<code>[^<]*</code>|[^<]*)</a>!\2!g' "$build"/manual/*.html

cmake -G Ninja -S "$source_dir" -B "$build" -DCMAKE_BUILD_TYPE=None -DWEFT_BUILD_BOTH=ON -DBUILD_SHARED_LIBS=ON -DWEFT_BUILD_TOOLS=ON \
    -DWEFT_DEBIAN_FILES="$build/files" -DWEFT_MANUAL="$build/manual" -DCPACK_DEBIAN_PACKAGE_RELEASE=$revision -DCMAKE_INSTALL_PREFIX=/usr \
    -DCMAKE_INSTALL_LIBDIR="lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)" \
    -DCMAKE_CXX_FLAGS="$(dpkg-buildflags --get CXXFLAGS) $(dpkg-buildflags --get CPPFLAGS)" \
    -DCMAKE_SHARED_LINKER_FLAGS="$(dpkg-buildflags --get LDFLAGS) -Wl,-z,defs -Wl,--as-needed" \
    -DCMAKE_EXE_LINKER_FLAGS="$(dpkg-buildflags --get LDFLAGS) -Wl,--as-needed"
cmake --build "$build"
strip --strip-unneeded --remove-section=.comment --remove-section=.note "$build"/libweft.so.*.*.* "$build/weft-trace"
strip --strip-debug --remove-section=.comment --remove-section=.note --enable-deterministic-archives "$build/libweft.a"
(cd "$build" && cpack -G DEB)
