# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

# What the scripts of test/consume share; $build is where they work.

step() { printf '%4ds %s\n' "$SECONDS" "$*"; }
fail() { echo "consume: $*"; exit 1; }

quietly() {
    local log=$build/log.$BASHPID
    "$@" >"$log" 2>&1 || { tail -n 30 "$log"; return 1; }
}

# tarball SOURCE FILE NAME: what a release is, a tree without git whose top folder is NAME: what git knows or would
# take, as it is now.
tarball() {
    local files
    files=$(mktemp)
    if ! git -C "$1" ls-files -z --cached --others --exclude-standard >"$files" 2>/dev/null; then
        (cd "$1" && find . -type f ! -path './.git/*' ! -path './build*' -printf '%P\0') >"$files"
    fi
    tar -C "$1" --null --files-from="$files" --transform="s|^|$3/|" --owner=0 --group=0 --numeric-owner -czf "$2" ||
        fail "no tarball"
    rm "$files"
}

# What has nothing to do with each other runs at the same time: also COMMAND... ... together
running=()
also() {
    "$@" &
    running+=($!)
    [ ${#running[@]} -lt "$(nproc)" ] || together
}
together() {
    local one
    for one in "${running[@]}"; do wait "$one" || exit 1; done
    running=()
}
