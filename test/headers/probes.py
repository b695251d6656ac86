#!/usr/bin/env python3
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

"""probes.py PROGRAM ROOT: a program with WEFT_USDT has the probes that the manual lists, with as many arguments, and
the scripts for bpftrace ask for nothing else. Without readelf this is skipped (77)."""

import glob
import os
import re
import shutil
import subprocess
import sys

program, root = sys.argv[1:]
if not shutil.which("readelf"):
    print("no readelf here")
    sys.exit(77)


def read(*path):
    with open(os.path.join(root, *path), encoding="utf-8") as f:
        return f.read()


notes = subprocess.run(["readelf", "--notes", "--wide", program], capture_output=True, text=True, check=True).stdout
found = {}
for name, arguments in re.findall(r"Provider: weft\s+Name: (\w+)\s+Location: [^\n]*\s+Arguments:([^\n]*)", notes):
    found.setdefault(name, set()).add(len(arguments.split()))

# |`name` |`first`, `second` |...
listed = {name: len(re.findall("`", arguments)) // 2
    for name, arguments in re.findall(r"^\|`weft:(\w+)`\n\|([^\n]*)$", read("doc", "manual", "production.adoc"), re.M)}

problems = []
if not found:
    problems.append(f"{program} has no probes")
if not listed:
    problems.append("the manual lists no probes")
for name in sorted(set(found) | set(listed)):
    if found.get(name) != {listed.get(name)}:
        problems.append(f"{name}: has {found.get(name)} arguments in the program, {listed.get(name)} in the manual")

scripts = sorted(glob.glob(os.path.join(root, "src", "tool", "bpftrace", "*.bt")))
if not scripts:
    problems.append("there are no scripts")
for path in scripts:
    with open(path, encoding="utf-8") as f:
        text = re.sub(r"//[^\n]*", "", f.read())
    # A probe, and what is done there.
    for name, body in re.findall(r"^usdt:\*:weft:(\w+)\n(.*?)^}", text, re.M | re.S):
        if name not in listed:
            problems.append(f"{path}: no probe {name}")
        elif any(int(n) >= listed[name] for n in re.findall(r"\barg(\d)", body)):
            problems.append(f"{path}: {name} has no such argument")

print("\n".join(problems) if problems else f"{len(found)} probes, {len(scripts)} scripts")
sys.exit(1 if problems else 0)
