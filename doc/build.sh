#!/usr/bin/env bash
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0
#
# Makes the manual of doc/manual: HTML, one page for each chapter, and a PDF; and the reference, HTML, out of the comments
# of the headers.
#
#   doc/build.sh [--html] [DIRECTORY]     into DIRECTORY, build/doc unless it is given
#
# Installs what a bare Debian 12 lacks (as root). Any warning is an error.

set -euo pipefail
export LC_ALL=C.UTF-8

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
pdf=yes
packages=(asciidoctor doxygen python3 ruby-rouge)
if [[ ${1-} == --html ]]; then
    pdf=no
    shift
else
    packages+=(ruby-asciidoctor-pdf)
fi
out=${1:-$root/build/doc}

missing=()
for package in "${packages[@]}"; do
    [[ $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) == *"ok installed" ]] || missing+=("$package")
done
if ((${#missing[@]})); then
    ((EUID == 0)) || { echo "doc/build.sh: missing packages, and not root: apt-get install ${missing[*]}" >&2; exit 1; }
    apt-get update -q >/dev/null
    DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "${missing[@]}" >/dev/null
fi

mkdir -p "$out/figures"
out=$(cd "$out" && pwd)
manual=$root/doc/manual
version=$(sed -nE 's/^#define WEFT_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)$/\2/p' "$root/include/weft/version.hpp" | paste -sd.)

# Links to the sources lead to the tree that this was built from, or to where TREE says that it will be.
attributes=(-a "revnumber=$version" -a "tree=${TREE:-$(realpath --relative-to="$out" "$root")}" -a "example=$root/example"
    -a "consume=$root/test/consume")
options=(--failure-level WARN -a source-highlighter=rouge)

cp "$manual"/figures/*.svg "$root"/doc/benchmarks/*.svg "$out/figures"
chapters=()
for page in "$manual"/*.adoc; do
    [[ $page == */manual.adoc ]] || chapters+=("$page")
done
asciidoctor "${options[@]}" "${attributes[@]}" -a docinfo=shared -a rouge-css=class -a stylesheet=style.css -a "imagesdir=$out/figures" \
    -a toc=left -a toclevels=1 -a "toc-title=On this page" -a sectanchors -D "$out" "${chapters[@]}"
# Inline drawings were read from where they are; what remains are the paths of pictures.
sed -i "s|src=\"$out/figures/|src=\"figures/|g" "$out"/*.html

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$root" && { cat doc/reference/Doxyfile; echo "OUTPUT_DIRECTORY = $work"; } | doxygen -)
python3 "$root/doc/reference/reference.py" "$work/xml" "$manual/docinfo-header.html" "$manual/style.css" "$version" "$out"
echo "$out/index.html"

if [[ $pdf == yes ]]; then
    asciidoctor-pdf "${options[@]}" -a "pdf-theme=$manual/pdf-theme.yml" "${attributes[@]}" -a "imagesdir=$out/figures" -a toc -o "$out/weft.pdf" "$manual/manual.adoc"
    echo "$out/weft.pdf"
fi
