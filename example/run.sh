#!/usr/bin/env bash
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0
#
# Builds the examples, checks that each of them answers rightly on weft and on Boost.Asio, and loads
# the HTTP file server on both in turn. Exits with 0 only if every answer was right.

set -euo pipefail
export LC_ALL=C

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build/example
rounds=5
seconds=3
warm_up=1
connections=64
threads=2
port=0

usage()
{
    cat <<EOF
usage: $0 [--quick] [--seconds N] [--rounds N] [--connections N] [--threads N] [--port N]
       $0 monitor [--threads N] [--port N]
       $0 timeline
       $0 watchdog

  monitor          builds and starts the monitor example under a load of its own, until Ctrl-C
  watchdog         shows what a watchdog says of a handler that blocks, and of a deadlock

  timeline         writes a timeline of a program's two threads, for ui.perfetto.dev

  --quick          1 second of load per measurement and no warm-up
  --seconds N      seconds of load per measurement (default $seconds)
  --rounds N       measurements of each server (default $rounds)
  --connections N  connections of the load (default $connections)
  --threads N      threads of the servers (default $threads)
  --port N         port for the loaded server (default: any free one)
EOF
}

say()
{
    printf '== %s\n' "$*"
}

fail()
{
    printf 'run.sh: %s\n' "$*" >&2
    exit 1
}

number()
{
    [[ $2 =~ ^(0|[1-9][0-9]{0,4})$ ]] && (($2 >= $3 && $2 <= $4)) && return
    printf 'run.sh: %s takes a number from %s to %s\n' "$1" "$3" "$4" >&2
    exit 2
}

mode=all
while (($#)); do
    case $1 in
    monitor) mode=monitor ;;
    timeline) mode=timeline ;;
    watchdog) mode=watchdog ;;
    --quick) seconds=1 warm_up=0 ;;
    --seconds) number "$1" "${2-}" 1 600; seconds=$2; shift ;;
    --rounds) number "$1" "${2-}" 1 99; rounds=$2; shift ;;
    --connections) number "$1" "${2-}" 1 10000; connections=$2; shift ;;
    --threads) number "$1" "${2-}" 1 1024; threads=$2; shift ;;
    --port) number "$1" "${2-}" 0 65535; port=$2; shift ;;
    --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
    esac
    shift
done

work=$(mktemp -d)
servers=()

clean_up()
{
    local code=$?
    trap - EXIT INT TERM
    ((${#servers[@]} == 0)) || kill -KILL "${servers[@]}" 2>/dev/null || true
    rm -rf "$work"
    exit "$code"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

install_what_is_missing()
{
    local packages=(g++ cmake ninja-build libboost1.81-dev libboost-program-options1.81-dev)
    [[ $mode != all ]] || packages+=(wrk)
    local missing=() package
    command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
        fail "this script knows Debian only; elsewhere build the example/ folder with CMake"
    for package in "${packages[@]}"; do
        [[ $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) == *"ok installed" ]] ||
            missing+=("$package")
    done
    ((${#missing[@]})) || return 0
    ((EUID == 0)) ||
        fail "these packages are missing: ${missing[*]}; run as root, or: apt-get install ${missing[*]}"
    say "installing ${missing[*]}"
    {
        apt-get update &&
            DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
    } >"$work/apt.log" 2>&1 || { tail -n 20 "$work/apt.log" >&2; fail "apt-get has failed"; }
}

# build_all [TARGET]
build_all()
{
    say "configuring a Release build in $build"
    cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DWEFT_BUILD_EXAMPLES=ON \
        -DWEFT_BUILD_TESTS=OFF -DWEFT_BUILD_BENCHMARKS=OFF >"$work/cmake.log" 2>&1 ||
        { cat "$work/cmake.log" >&2; fail "cmake has failed"; }
    say "building (a minute or two the first time)"
    cmake --build "$build" --target "${1:-all}" || fail "the build has failed"
}

# start NAME ARGUMENT...: a server, then listening on $listening_port as process $process.
start()
{
    local name=$1 log=$work/$1.log i
    shift
    : >"$log"
    "$build/example/$name" "$@" >"$log" 2>&1 &
    process=$!
    servers=("$process")
    for ((i = 0; i < 200; ++i)); do
        listening_port=$(sed -n 's/^listening on .*:\([0-9]*\)$/\1/p' "$log")
        [[ -z $listening_port ]] || return 0
        kill -0 "$process" 2>/dev/null || break
        sleep 0.05
    done
    cat "$log" >&2
    fail "$name does not start"
}

# finish NAME: waits for a server that has been told to stop.
finish()
{
    local code=0 i
    for ((i = 0; i < 600; ++i)); do
        kill -0 "$process" 2>/dev/null || break
        sleep 0.05
    done
    ((i < 600)) || fail "$1 does not stop"
    wait "$process" || code=$?
    servers=()
    ((code == 0)) || { cat "$work/$1.log" >&2; fail "$1 has ended with code $code"; }
}

stop()
{
    kill -TERM "$process" || true
    finish "$1"
}

check()
{
    timeout 120 "$build/test/example/check_client" "$@" ||
        { cat "$work/"*.log >&2; fail "wrong answers: check_client $*"; }
}

# refuses CODE TEXT NAME ARGUMENT...: the program says TEXT on stderr and exits with CODE.
refuses()
{
    local wanted=$1 text=$2 name=$3 code=0
    shift 3
    timeout 10 "$build/example/$name" "$@" >/dev/null 2>"$work/refused.log" || code=$?
    ((code == wanted)) && grep -qF -- "$text" "$work/refused.log" ||
        { cat "$work/refused.log" >&2; fail "$name $* exits with $code, expected $wanted and \"$text\""; }
}

make_site()
{
    local i size
    mkdir -p "$work/site/directory" "$work/load"
    echo '<!doctype html><title>weft</title><p>It works.' >"$work/site/index.html"
    echo 'a name with a blank' >"$work/site/a b.TXT"
    echo 'a file in a directory' >"$work/site/directory/page.html"
    : >"$work/site/empty.css"
    head -c 16000000 /dev/urandom >"$work/site/large.bin"
    mkfifo "$work/site/fifo"
    # What the load asks for: small files as sites have them, each of its own length and content.
    for ((i = 0; i < 16; ++i)); do
        size=$((200 + i * i * 60))
        { printf 'file %d of the load\n' "$i"; head -c "$size" /dev/urandom; } >"$work/load/$i.bin"
    done
}

# checks_itself NAME: a program whose exit status says whether its result is right.
checks_itself()
{
    timeout 120 "$build/example/$1" >"$work/$1.log" ||
        { cat "$work/$1.log" >&2; fail "$1 has come to a wrong result"; }
}

# Its first program is a server, each of the others checks itself.
check_tutorial_and_recipes()
{
    local source
    start tutorial_1_server
    check echo --port "$listening_port"
    stop tutorial_1_server
    for source in "$root"/example/tutorial/[2-9]*.cpp; do
        checks_itself "tutorial_$(basename "$source" .cpp)"
    done
    for source in "$root"/example/recipes/*.cpp; do
        checks_itself "$(basename "$source" .cpp)"
    done
}

check_program()
{
    local variant=$1
    local http=http_file_server$variant

    checks_itself "word_count$variant"

    start "echo_server$variant" --port 0 --threads "$threads"
    check echo --port "$listening_port"
    stop "echo_server$variant"

    start "chat_server$variant" --port 0 --threads "$threads"
    check chat --port "$listening_port"
    stop "chat_server$variant"

    start "hash_server$variant" --port 0 --threads "$threads"
    check hash --port "$listening_port"
    stop "hash_server$variant"

    start "$http" --port 0 --threads "$threads" "$work/site"
    check http --port "$listening_port" --root "$work/site"
    check http-errors --port "$listening_port"
    check http-stop --port "$listening_port" --root "$work/site" --process "$process"
    finish "$http"

    local served
    start "$http" --port 0 --threads "$threads" "$work/site"
    served=$(check http-drain --port "$listening_port" --root "$work/site" --process "$process")
    finish "$http"
    # What the clients have seen is what the server says: none that it accepted was left alone.
    served=$(sed -n 's/^served: //p' <<<"$served")
    grep -qxF "stopped: $served" "$work/$http.log" ||
        { cat "$work/$http.log" >&2; fail "$http has lost requests; its clients have seen $served"; }
    say "$http, stopped under load: $served"

    # One thread here, because a context made for one takes other paths than one made for several.
    local limit
    limit=$(ulimit -Sn)
    ulimit -Sn 48
    start "$http" --port 0 --threads 1 --timeout 1 "$work/site"
    ulimit -Sn "$limit"
    check http-limits --port "$listening_port"
    grep -q 'cannot accept' "$work/$http.log" || fail "$http has not run out of descriptors"
    stop "$http"
}

# check_monitor_by PROGRAM SCRIPT ARGUMENT: what that program gets of the monitor at work, if it is here. The script of
# test/example/ starts it, given the monitor's address and the argument.
check_monitor_by()
{
    if ! command -v "$1" >/dev/null || ! command -v python3 >/dev/null; then
        say "no $1 and python3 here: it does not look at the monitor"
        return
    fi
    start monitor --port 0 --threads 2 --load 16
    python3 "$root/test/example/$2" "http://127.0.0.1:$listening_port/" "$3" ||
        fail "$1 does not get from the monitor what it is to get"
    stop monitor
}

show_monitor()
{
    start monitor --port "$port" --threads "$threads" --load 16
    say "a page that draws what the workers do: http://127.0.0.1:$listening_port/"
    say "the same for Prometheus: http://127.0.0.1:$listening_port/metrics (example/programs/monitor/prometheus.yml)"
    say "Ctrl-C ends it"
    wait "$process"
}

show_timeline()
{
    "$build/example/timeline" "$build/timeline.json" || fail "timeline has failed"
    say "open it with ui.perfetto.dev: $build/timeline.json"
}

check_refusals()
{
    start http_file_server --port 0 "$work/site"
    refuses 1 'Address already in use' http_file_server --port "$listening_port" "$work/site"
    refuses 1 'Address already in use' echo_server --port "$listening_port"
    stop http_file_server
    refuses 1 'no such directory' http_file_server --port 0 "$work/nowhere"
    refuses 1 'cannot listen on nowhere' http_file_server --address nowhere "$work/site"
    refuses 2 'required' http_file_server --port 0
    refuses 2 '--threads' http_file_server --threads 0 "$work/site"
    refuses 2 '--threads' chat_server --threads -1
    refuses 2 '--threads' hash_server --threads 2x
    refuses 2 '--port' echo_server --port 65536
    refuses 2 'unrecognised option' echo_server --speed 9
}

# The user and system time of the server so far, in clock ticks.
cpu_ticks()
{
    local text fields
    text=$(<"/proc/$process/stat")
    read -r -a fields <<<"${text##*) }"
    echo $((fields[11] + fields[12]))
}

load()
{
    wrk --latency --threads "$load_threads" --connections "$connections" --duration "$1s" \
        --timeout 10s --script "$root/test/example/load.lua" "http://127.0.0.1:$listening_port" \
        -- "$work/load" >"$work/wrk.log" 2>&1 || { cat "$work/wrk.log" >&2; fail "wrk has failed"; }
    # requests per second, p50 and p99 in microseconds, requests, answers that were not right
    result=$(sed -n 's/^RESULT //p' "$work/wrk.log")
    [[ -n $result ]] || { cat "$work/wrk.log" >&2; fail "wrk has not finished its script"; }
}

# measure NAME ROUND: one line of the table; keeps it in $work/table.
measure()
{
    local name=$1 before after rate p50 p99 requests wrong cpu
    start "$name" --port "$port" --threads "$threads" "$work/load"
    ((warm_up == 0)) || load "$warm_up"
    before=$(cpu_ticks)
    load "$seconds"
    after=$(cpu_ticks)
    stop "$name"
    read -r rate p50 p99 requests wrong <<<"$result"
    ((wrong == 0)) || { cat "$work/wrk.log" >&2; fail "$name: $wrong answers were not right"; }
    ((requests > 0)) || { cat "$work/wrk.log" >&2; fail "$name has answered nothing"; }
    cpu=$(awk -v t=$((after - before)) -v hz="$(getconf CLK_TCK)" -v n="$requests" \
        'BEGIN { printf "%.2f", t / hz * 1e6 / n }')
    printf '%s %s %s %s %s %s %s\n' "$name" "$2" "$rate" "$p50" "$p99" "$cpu" "$requests" \
        >>"$work/table"
    print_row "$2" "$(label "$name")" "$rate" "$p50" "$p99" "$cpu" "$requests"
}

label()
{
    [[ $1 == *_asio ]] && echo asio || echo weft
}

print_row()
{
    printf '%-8s %-6s %12s %10s %10s %16s %16s\n' "$@"
}

# median DECIMALS: the middle one of the numbers on stdin.
median()
{
    sort -n | awk -v format="%.$1f" '
        { v[NR] = $1 }
        END { m = int((NR + 1) / 2); printf format, NR % 2 ? v[m] : (v[m] + v[m + 1]) / 2 }'
}

# of NAME COLUMN: what the rounds gave, in order.
of()
{
    awk -v name="$1" -v column="$2" '$1 == name { print $column }' "$work/table"
}

compare()
{
    local row column decimals weft=() asio=() ratio=()
    print_row round on requests/s p50/us p99/us CPU-us/request right-answers
    for ((row = 1; row <= rounds; ++row)); do
        # Who goes first alternates, so that a machine that slows down or heats up is fair to both.
        if ((row % 2)); then
            measure http_file_server "$row"
            measure http_file_server_asio "$row"
        else
            measure http_file_server_asio "$row"
            measure http_file_server "$row"
        fi
    done
    for column in 3 4 5 6; do
        decimals=$((column == 6 ? 2 : 0))
        weft+=("$(of http_file_server "$column" | median $decimals)")
        asio+=("$(of http_file_server_asio "$column" | median $decimals)")
        # The ratio of each round, not of the medians: what slows the machine down for a while slows
        # both servers of a round.
        ratio+=("$(paste <(of http_file_server "$column") <(of http_file_server_asio "$column") |
            awk '{ printf "%.3f\n", $2 ? $1 / $2 : 0 }' | median 2)")
    done
    print_row median weft "${weft[@]}" ""
    print_row median asio "${asio[@]}" ""
    print_row ratio w/a "${ratio[@]}" ""
}

install_what_is_missing
if [[ $mode == timeline ]]; then
    build_all timeline
    show_timeline
    exit 0
fi
if [[ $mode == monitor ]]; then
    ((port != 0)) || port=8080
    build_all monitor
    show_monitor
    exit
fi
if [[ $mode == watchdog ]]; then
    build_all watchdog
    "$build/example/watchdog"
    exit
fi
build_all
make_site

# The client must not starve the server of cores, nor be the bottleneck where there are many.
cores=$(nproc)
load_threads=$((cores <= 3 ? 1 : cores - 2 < 8 ? cores - 2 : 8))
((load_threads <= connections)) || load_threads=$connections

say "checking the answers of every program on weft"
check_program ""
check_tutorial_and_recipes
start monitor --port 0 --threads "$threads"
check monitor --port "$listening_port"
stop monitor
check_monitor_by chromium monitor_page.py "$build/monitor.png"
check_monitor_by prometheus monitor_scrape.py "$root/example/programs/monitor/prometheus.yml"
grep -A 99 '^worker' "$work/hash_server.log"
awk '$1 == "total" { exit $4 == 0 }' "$work/hash_server.log" || fail "no worker has stolen anything"
say "checking the answers of every program on Boost.Asio"
check_program _asio
say "checking what is refused"
check_refusals

say "loading http_file_server: $threads threads, $connections connections, $seconds s per row," \
    "every body compared"
compare
say "every answer was right"
