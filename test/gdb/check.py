#!/usr/bin/env python3
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

"""Whether gdb shows what is so in a program that it has stopped.

check.py PROGRAM SCRIPT    PROGRAM is made of stopped.cpp; SCRIPT is src/tool/weft-gdb.py"""

import os
import re
import shutil
import subprocess
import sys

NOT_RUN = 77

EXPECTED = [
    # weft workers
    r"weft scheduler at 0x",
    r'worker \d: awake, thread \d+ "[^"]+", \d+ run',
    r'worker \d: asleep( in the reactor)?, thread \d+ "[^"]+", \d+ run',
    # weft waiters
    r"mutex 'accounts', 2 wait\n(    coroutine wants_accounts, called by needs_more\n){2}",
    r"semaphore, 1 wait\n    wants_permits\n",
    r"channel, 1 wait\n    wants_value to receive\n",
    # print
    r"= weft::io_context, 2 threads inside, 1 asleep",
    r"= weft::mutex 'accounts', 2 wait",
    r"= weft::mutex, 0 wait",
    r"= weft::semaphore, 1 wait",
    r"= weft::channel, 1 wait",
]


def main():
    program, script = sys.argv[1:]
    if not shutil.which("gdb"):
        print("gdb is missing")
        return 1 if os.environ.get("CI") else NOT_RUN
    commands = ["set pagination off", "set debuginfod enabled off", "break stopped_here", "run", "weft workers",
        "weft waiters", "frame function main", "print context", "print accounts", "print free", "print permits",
        "print values", "weft workers context", "weft waiters &context", "kill"]
    arguments = [a for c in commands for a in ("-ex", c)]
    ran = subprocess.run(["gdb", "-nx", "-batch", "-x", script, *arguments, program], stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, timeout=240, stdin=subprocess.DEVNULL)
    missing = [e for e in EXPECTED if not re.search(e, ran.stdout)]
    if ran.stdout.count("mutex 'accounts', 2 wait\n") < 3:
        missing.append("what is the same with and without a context that is named")
    if missing or "Python Exception" in ran.stdout:
        print(ran.stdout)
        print("not found:\n" + "\n".join(missing))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
