-- Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
-- SPDX-License-Identifier: BSL-1.0
--
-- The load of run.sh: asks for 0.bin to 15.bin in turn and compares every body with those files,
-- whose directory is the script's argument. Prints one line that begins with RESULT.

local files = 16
local threads = {}

function setup(thread)
    table.insert(threads, thread)
end

-- From here to response() each of wrk's threads has a Lua state of its own.
wrong = 0
local requests = {}
local known = {}
local next_request = 0

function init(args)
    for i = 0, files - 1 do
        local file = assert(io.open(args[1] .. "/" .. i .. ".bin", "rb"))
        known[file:read("*a")] = true
        file:close()
        requests[i] = wrk.format("GET", "/" .. i .. ".bin")
    end
end

function request()
    next_request = (next_request + 1) % files
    return requests[next_request]
end

-- wrk does not tell which request an answer belongs to; check_client, which knows, has checked that
-- names and contents go together.
function response(status, headers, body)
    if status ~= 200 or not known[body] then
        wrong = wrong + 1
    end
end

function done(summary, latency)
    local not_right = 0
    for _, thread in ipairs(threads) do
        not_right = not_right + thread:get("wrong")
    end
    local errors = summary.errors
    not_right = not_right + errors.connect + errors.read + errors.write + errors.timeout
    io.write(string.format("RESULT %.0f %d %d %d %d\n", summary.requests / summary.duration * 1e6,
        latency:percentile(50), latency:percentile(99), summary.requests, not_right))
end
