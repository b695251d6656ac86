#!/usr/bin/env python3
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

"""abi.py SOURCE: holds the table of doc/abi.md against include/weft/config.hpp and the installed Asio. Each
macro that it says is in the name of weft's symbols changes that name as it says, and no other two alike; those that
it says are not, do not; no macro that Asio tests is missing. CXX and CXXFLAGS are those of the environment."""

import concurrent.futures
import fnmatch
import os
import re
import subprocess
import sys
import tempfile

PREFIX = "BOOST_ASIO_"
NAMESPACE = "#include <weft/config.hpp>\nWEFT_ABI_NAMESPACE\n"
# What a macro is defined as, if not as 1.
VALUE = {"RECYCLING_ALLOCATOR_CACHE_SIZE": "=5", "VERSION_NAMESPACE": "=some_namespace",
    "CUSTOM_HANDLER_TRACKING": '="tracking.hpp"'}
# Defined by Asio, for what it has a table of values of.
TRACKING = "".join(f"#define {PREFIX}{name}\n" for name in (
    "INHERIT_TRACKED_HANDLER", "ALSO_INHERIT_TRACKED_HANDLER", "HANDLER_TRACKING_INIT",
    "HANDLER_INVOCATION_END")) + "".join(f"#define {PREFIX}HANDLER_{name}(args)\n" for name in (
    "CREATION", "COMPLETION", "INVOCATION_BEGIN", "OPERATION", "REACTOR_REGISTRATION",
    "REACTOR_DEREGISTRATION", "REACTOR_EVENTS", "REACTOR_OPERATION"))


class Compiler:
    def __init__(self, source, scratch):
        self.command = [os.environ.get("CXX", "g++"), "-std=c++17", *os.environ.get("CXXFLAGS", "").split(),
            f"-I{source}/include", f"-I{scratch}", "-x", "c++", "-"]

    def run(self, text, *options):
        return subprocess.run([*self.command, *options], input=text, capture_output=True, text=True)

    def name(self, macros):
        """The name with these macros defined, or None; and what the compiler says."""
        got = self.run(NAMESPACE, "-E", "-P", *(f"-D{PREFIX}{m}{VALUE.get(m, '')}" for m in macros))
        return (got.stdout.split()[-1] if got.returncode == 0 else None), got.stderr

    def tested_by_asio(self):
        """All macros that a header of Asio's tests."""
        got = self.run("#include <boost/asio/version.hpp>\n", "-E", "-M")
        version = next(w for w in got.stdout.split() if w.endswith("boost/asio/version.hpp"))
        found = set()
        for folder, _, files in os.walk(os.path.dirname(version)):
            if os.path.basename(folder) == "ssl":
                continue
            for name in files:
                with open(os.path.join(folder, name), encoding="utf-8") as f:
                    found.update(re.findall(
                        r"(?:defined\s*\(?|#\s*ifn?def)\s*" + PREFIX + r"(\w+)", f.read()))
        return {m for m in found if not re.search(r"_[HI]PP$", m) and re.fullmatch(r"[A-Z0-9_]+", m)}


def rows_of(page):
    """(list of alternatives, each a list of macros defined together; what the second column says)"""
    rows = []
    for line in page.splitlines():
        cells = [c.strip() for c in line.split("|")[1:-1]]
        if len(cells) == 3 and cells[0].startswith("`"):
            cases = [re.findall(r"`([^`]+)`", case) for case in cells[0].split(", ")]
            rows.append((cases, cells[1].strip("`")))
    return rows


def check(compiler, rows):
    problems = []
    tested = compiler.tested_by_asio()
    listed = [m for cases, _ in rows for case in cases for m in case]
    for macro in sorted(tested):
        if not any(fnmatch.fnmatchcase(macro, pattern) for pattern in listed):
            problems.append(f"{macro} is tested by Asio and not listed")

    here = [(case, says) for cases, says in rows for case in cases
        if all(m in tested and "*" not in m for m in case)]
    default, why = compiler.name([])
    if default is None:
        return [why]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        names = list(pool.map(lambda row: compiler.name(row[0])
            if row[1] in ("no", "error") or row[1].startswith("_") else None, here))
        fails = list(pool.map(lambda row: compiler.run("#include <weft.hpp>\n", "-fsyntax-only",
            *(f"-D{PREFIX}{m}" for m in row[0])).returncode if row[1] == "does not compile" else 1, here))
    seen = {default: "nothing"}
    for (case, says), got, status in zip(here, names, fails):
        what = " with ".join(case)
        if status == 0:
            problems.append(f"{what} compiles")
        if got is None:
            continue
        name, why = got
        if says == "error":
            if name is not None or "weft needs" not in why:
                problems.append(f"{what} is no error")
        elif name is None and "weft needs Boost" in why:
            continue  # refused before a certain version: then it has a name
        elif name is None:
            problems.append(f"{what} does not compile:\n{why}")
        elif says == "no":
            if name != default:
                problems.append(f"{what} changes the name to {name}")
        elif name in seen or says not in name:
            problems.append(f"{what} makes it {name}, as {seen.get(name, 'nothing')} does; expected {says}")
        else:
            seen[name] = what
    print(f"{default}: {len(seen) - 1} other names, {len(tested)} macros of Asio's")
    return problems


def main():
    source = sys.argv[1]
    with open(os.path.join(source, "doc/abi.md"), encoding="utf-8") as f:
        rows = rows_of(f.read())
    with tempfile.TemporaryDirectory() as scratch:
        with open(os.path.join(scratch, "tracking.hpp"), "w", encoding="utf-8") as f:
            f.write(TRACKING)
        problems = check(Compiler(source, scratch), rows)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
