#!/usr/bin/env bash
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

# serve.sh SERVER CLIENT CHECK: starts a server that needs no arguments, has the client check its answers, and tells it
# to stop. Ends with 0 if the answers were right and the server has stopped without an error.

set -u
output=$(mktemp)
"$1" >"$output" &
server=$!
trap 'kill -KILL $server 2>/dev/null; rm -f "$output"' EXIT

# The test's own time limit ends this if the server never listens.
until port=$(sed -n 's/^listening on .*:\([0-9]*\)$/\1/p' "$output") && [ -n "$port" ]; do
    kill -0 $server 2>/dev/null || { echo "the server has ended" >&2; exit 1; }
    sleep 0.05
done
"$2" "$3" --port "$port" || exit 1
kill -TERM $server
wait $server
