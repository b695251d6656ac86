#!/usr/bin/env python3
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

"""The law of layers (doc/design/layers.md), checked: includes point downward only, the lower layers
never see Asio, and only reactor/ names boost::asio::detail. And what all shared objects of a program must
have in common says so (platform/visibility.hpp)."""

import os
import re
import sys
import tempfile

# Lower number: lower layer. A file may include its own layer and lower ones.
LAYER = {"platform": 0, "queue": 1, "reactor": 2, "sched": 3, "sync": 3, "public": 5, "impl": 5}
WITHOUT_ASIO = {"platform", "queue", "sync"}
OUTSIDE_LAYERS = {"config.hpp", "options.hpp", "stats.hpp", "version.hpp", "fwd.hpp"}


def layer_of(path):
    """path: below include/weft or src, such as 'sched/idle.hpp'."""
    folder = path.split("/")[0] if "/" in path else "public"
    return folder


def strip_comments(text):
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return re.sub(r"//[^\n]*", "", text)


def check(root):
    problems = []
    for top in ("include/weft", "src"):
        for folder, _, files in os.walk(os.path.join(root, top)):
            for name in sorted(files):
                full = os.path.join(folder, name)
                path = os.path.relpath(full, os.path.join(root, top))
                layer = layer_of(path)
                where = os.path.join(top, path)
                if layer not in LAYER:
                    problems.append(f"{where}: unknown folder {layer}")
                    continue
                with open(full, encoding="utf-8") as f:
                    text = strip_comments(f.read())
                for target in re.findall(r'#\s*include\s*[<"]([^>"]+)[>"]', text):
                    if target.startswith("weft/"):
                        other = target[len("weft/"):]
                        if other in OUTSIDE_LAYERS:
                            if other in ("config.hpp", "fwd.hpp") and layer in WITHOUT_ASIO:
                                problems.append(f"{where}: {layer} sees Asio through {target}")
                            continue
                        if LAYER[layer_of(other)] > LAYER[layer]:
                            problems.append(f"{where}: {layer} includes upward: {target}")
                        if {layer, layer_of(other)} == {"sched", "sync"}:
                            problems.append(f"{where}: {layer} includes sideways: {target}")
                    elif target.startswith("boost/asio"):
                        if layer in WITHOUT_ASIO:
                            problems.append(f"{where}: {layer} sees Asio: {target}")
                        if "/detail/" in target and layer != "reactor" and path != "config.hpp":
                            problems.append(f"{where}: includes Asio's detail: {target}")
                for shared, name in re.findall(
                        r"(WEFT_ONE_IN_PROGRAM\s+)?\binline\s+(?!namespace|constexpr)([^();{=]*)[;{=]",
                        text):
                    if not shared:
                        problems.append(f"{where}: is not one in the program: {name.split()[-1]}")
                if layer != "reactor" and re.search(r"\basio::detail\b", text):
                    problems.append(f"{where}: names boost::asio::detail")
    return problems


def self_test():
    cases = [
        ("include/weft/queue/a.hpp", "#include <weft/sched/b.hpp>\n", "upward"),
        ("include/weft/platform/a.hpp", "#include <boost/asio/post.hpp>\n", "sees Asio"),
        ("include/weft/sched/a.hpp", "boost::asio::detail::scheduler* s;\n", "names"),
        ("include/weft/sched/a.hpp", "#include <boost/asio/detail/scheduler.hpp>\n", "detail"),
        ("src/other/a.cpp", "", "unknown folder"),
        ("include/weft/sched/a.hpp", "inline thread_local int a = 0;\n", "one in the program: a"),
        ("include/weft/sched/a.hpp", "inline int b{};\n", "one in the program: b"),
    ]
    for path, text, expected in cases:
        with tempfile.TemporaryDirectory() as root:
            full = os.path.join(root, path)
            os.makedirs(os.path.dirname(full))
            with open(full, "w", encoding="utf-8") as f:
                f.write(text)
            problems = check(root)
            if not any(expected in p for p in problems):
                print(f"not found in {path}: {expected}; got {problems}")
                return 1
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(self_test())
    found = check(sys.argv[1])
    print("\n".join(found))
    sys.exit(1 if found else 0)
