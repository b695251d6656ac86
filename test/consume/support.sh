# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

# What the scripts of test/consume share; $build is where they work.

step() { printf '%4ds %s\n' "$SECONDS" "$*"; }
fail() { echo "consume: $*"; exit 1; }

quietly() {
    local log=$build/log.$BASHPID
    "$@" >"$log" 2>&1 || { tail -n 30 "$log"; return 1; }
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
