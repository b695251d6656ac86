#!/usr/bin/env python3
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

"""What does it cost to compile weft in a program, beside Asio? measure.py [--compiler NAME] [--runs N]: compiles
server.cpp against each, and prints a table in AsciiDoc for doc/manual/installing.adoc. The times are
processor time of the compiler, the least of N runs; they do not show what linking takes, nor what many sources share by
precompiled headers."""

import argparse
import os
import resource
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SERVER = os.path.join(ROOT, "bench", "compile_time", "server.cpp")
WEFT = ["-DON_WEFT", f"-I{ROOT}/include"]
SEPARATE = "-DBOOST_ASIO_SEPARATE_COMPILATION"

# (what a reader calls it, options, source or its text)
CASES = [
    ("Asio, header-only (its default)", [], SERVER),
    ("weft as a library, Asio header-only", WEFT, SERVER),
    ("weft header-only, Asio header-only", [*WEFT, "-DWEFT_HEADER_ONLY"], SERVER),
    ("Asio compiled separately", [SEPARATE], SERVER),
    ("weft as a library, Asio compiled separately", [*WEFT, SEPARATE], SERVER),
    ("once: `<boost/asio/impl/src.hpp>`", [SEPARATE], "#include <boost/asio/impl/src.hpp>\n"),
    ("once: `<weft/impl/src.hpp>`", WEFT, "#include <weft/impl/src.hpp>\n"),
]


def compile_once(command):
    """Processor time in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    print('[cols="4,1,1,1"]\n|===\n|One source |Lines, thousands |-O0, s |-O2, s\n')
    with tempfile.TemporaryDirectory() as folder:
        for name, options, source in CASES:
            if not os.path.exists(source):
                path = os.path.join(folder, "source.cpp")
                with open(path, "w", encoding="utf-8") as f:
                    f.write(source)
                source = path
            command = [args.compiler, "-std=c++17", *options, source]
            lines = subprocess.run([*command, "-E", "-P"], capture_output=True, text=True, check=True).stdout.count("\n")
            took = [min(compile_once([*command, level, "-c", "-o", os.path.join(folder, "object.o")])
                for _ in range(args.runs)) for level in ("-O0", "-O2")]
            print(f"|{name} |{lines / 1000:.0f} |{took[0]:.1f} |{took[1]:.1f}", flush=True)
    print("|===")


if __name__ == "__main__":
    main()
