#!/usr/bin/env python3
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

"""The law of layers (doc/design/layers.md), checked: includes point downward only and in no circle, the lower
layers never see Asio, a primitive does not bring the contexts, only reactor/ and coroutine/ name
boost::asio::detail, and a file of impl/ belongs to the one header whose templates it defines. And what all shared
objects of a program must have in common says so (platform/visibility.hpp).

includes.py ROOT             the violations
includes.py ROOT --arrows    who includes whom, root headers and impl/ included, one layer after the other
includes.py --self-test      whether violations are found"""

import os
import re
import sys

from trees import problems_in

# Lower number: lower layer. A file may include its own layer and lower ones, but none beside its own.
LAYER = {"platform": 0, "queue": 1, "trace": 1, "reactor": 2, "coroutine": 3, "sched": 3, "sync": 3, "executor": 4, "wait": 5,
    "public": 6, "tool": 6, "watchdog": 7, "list": 8}
WITHOUT_ASIO = {"platform", "queue", "sync", "trace"}
NAMES_ASIOS_INSIDES = {"reactor", "coroutine"}
OUTSIDE_LAYERS = {"config.hpp", "drain_report.hpp",
    "duration_histogram.hpp", "error.hpp", "fwd.hpp", "options.hpp", "stats.hpp", "version.hpp"}
# Who includes a primitive does not get the contexts thereby.
PRIMITIVES = ("channel.hpp", "mutex.hpp", "semaphore.hpp", "shared_mutex.hpp")
CONTEXTS = {"io_context.hpp", "thread_pool.hpp"}
SOURCES = "include/weft/impl/src.hpp"
# Root headers that stand below the others.
LAYER_OF_FILE = {"weft.ipp": "list", "executor.hpp": "executor", "impl/executor.hpp": "executor", "strand.hpp": "executor"}


def layer_of(path):
    """path: below include/weft or src, such as 'sched/idle.hpp'."""
    if path in LAYER_OF_FILE:
        return LAYER_OF_FILE[path]
    folder = path.split("/")[0] if "/" in path else "public"
    return "public" if folder == "impl" else folder


def owner_of(path):
    """The root header whose templates impl/... defines."""
    return path[len("impl/"):] if path.startswith("impl/") else None


def strip_comments(text):
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return re.sub(r"//[^\n]*", "", text)


def circles(arrows):
    """Circles of files. That impl/x.hpp includes x.hpp, of which it is the end, is none."""
    found, finished = [], set()

    def visit(path, way):
        if path in way:
            found.append(" -> ".join(way[way.index(path):] + [path]))
            return
        if path in finished:
            return
        for target in arrows.get(path, ()):
            if target != owner_of(path):
                visit(target, way + [path])
        finished.add(path)

    for path in sorted(arrows):
        visit(path, [])
    return found


def reached(arrows, path):
    """All headers that an include of `path` brings."""
    found, left = set(), [path]
    while left:
        one = left.pop()
        if one not in found:
            found.add(one)
            left += arrows.get(one, [])
    return found


def check(root):
    return examine(root)[0]


def examine(root):
    """The problems, and who includes whom among the headers."""
    problems, arrows, own_arrows = [], {}, {}
    for top in ("include/weft", "src"):
        for folder, _, files in os.walk(os.path.join(root, top)):
            for name in sorted(files):
                # gdb's scripts look into Asio.
                if name.endswith(".py"):
                    continue
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
                    # The sources, which who is WEFT_HEADER_ONLY compiles first.
                    if target == SOURCES[len("include/"):] or where == SOURCES:
                        continue
                    # What the library keeps to itself is named from where it is included, so that no folder of the
                    # compiler's has to be searched for it: it is among the headers if the sources are.
                    own = os.path.normpath(os.path.join(os.path.dirname(path), target))
                    if top == "src" and os.path.isfile(os.path.join(root, "src", own)):
                        if "/" not in own:
                            continue
                        own_arrows.setdefault(path, []).append(own)
                        if LAYER[layer_of(own)] > LAYER[layer]:
                            problems.append(f"{where}: {layer} includes upward: {own}")
                        elif LAYER[layer_of(own)] == LAYER[layer] and layer_of(own) != layer:
                            problems.append(f"{where}: {layer} includes sideways: {own}")
                        continue
                    if os.path.isfile(os.path.join(root, "src", target)):
                        problems.append(f"{where}: is not installed: {target}" if top != "src" else
                            f"{where}: is not named from there: {target}")
                        continue
                    if target.startswith("weft/"):
                        other = target[len("weft/"):]
                        if top == "include/weft":
                            arrows.setdefault(path, []).append(other)
                        if owner_of(other) not in (None, path):
                            problems.append(f"{where}: the templates of another header: {target}")
                        if other in OUTSIDE_LAYERS:
                            if other in ("config.hpp", "fwd.hpp") and layer in WITHOUT_ASIO:
                                problems.append(f"{where}: {layer} sees Asio through {target}")
                            continue
                        if LAYER[layer_of(other)] > LAYER[layer]:
                            problems.append(f"{where}: {layer} includes upward: {target}")
                        if LAYER[layer_of(other)] == LAYER[layer] and layer_of(other) != layer:
                            problems.append(f"{where}: {layer} includes sideways: {target}")
                    elif target.startswith("boost/asio"):
                        if layer in WITHOUT_ASIO:
                            problems.append(f"{where}: {layer} sees Asio: {target}")
                        if "/detail/" in target and layer not in NAMES_ASIOS_INSIDES and path != "config.hpp":
                            problems.append(f"{where}: includes Asio's detail: {target}")
                for shared, name in re.findall(
                        r"(WEFT_ONE_IN_PROGRAM\s+)?\binline\s+(?!namespace|constexpr)([^();{=]*)[;{=]",
                        text):
                    if not shared:
                        problems.append(f"{where}: is not one in the program: {name.split()[-1]}")
                if layer not in NAMES_ASIOS_INSIDES and re.search(r"\basio::detail\b", text):
                    problems.append(f"{where}: names boost::asio::detail")
                if path.startswith("impl/") and where != SOURCES and not os.path.isfile(
                        os.path.join(root, top, owner_of(path))):
                    problems.append(f"{where}: there is no header whose templates it defines")
    problems += [f"include/weft: a circle: {c}" for c in circles(arrows)]
    problems += [f"src: a circle: {c}" for c in circles(own_arrows)]
    problems += [f"include/weft/{p}: brings {c}"
        for p in PRIMITIVES for c in sorted(CONTEXTS & reached(arrows, p))]
    return problems, arrows


def show(arrows):
    """Each root header and file of impl/, and what it includes; then the layers."""
    between = {}
    for path in sorted(arrows, key=lambda p: (LAYER[layer_of(p)], p)):
        for target in arrows[path]:
            if not {path, target} & OUTSIDE_LAYERS:
                between.setdefault(layer_of(path), set()).add(layer_of(target))
        if "/" not in path or path.startswith("impl/"):
            for target in arrows[path]:
                print(f"{path} -> {target}")
    for layer in sorted(between, key=LAYER.get):
        print(f"[{layer}] -> {' '.join(sorted(between[layer] - {layer}))}")


def self_test():
    cases = [
        ("include/weft/queue/a.hpp", "#include <weft/sched/b.hpp>\n", "upward"),
        ("include/weft/platform/a.hpp", "#include <boost/asio/post.hpp>\n", "sees Asio"),
        ("include/weft/sched/a.hpp", "boost::asio::detail::scheduler* s;\n", "names"),
        ("include/weft/sched/a.hpp", "#include <boost/asio/detail/scheduler.hpp>\n", "detail"),
        ("src/other/a.cpp", "", "unknown folder"),
        ("include/weft/sched/a.hpp", "#include <weft/sync/b.hpp>\n", "sideways"),
        ("include/weft/coroutine/a.hpp", "#include <weft/sched/b.hpp>\n", "sideways"),
        ("include/weft/sched/a.hpp", "#include <weft/wait/b.hpp>\n", "upward"),
        ("include/weft/executor.hpp", "#include <weft/wait/b.hpp>\n", "upward"),
        ("include/weft/wait/channel/a.hpp", "#include <weft/mutex.hpp>\n", "upward"),
        ("include/weft/wait/a.hpp", "boost::asio::detail::scheduler* s;\n", "names"),
        ("include/weft/mutex.hpp", "#include <weft/impl/channel.hpp>\n", "of another header"),
        ("include/weft/impl/a.hpp", "#include <weft/impl/b.hpp>\n", "of another header"),
        ("include/weft/impl/a.hpp", "", "there is no header"),
        ("include/weft/sched/a.hpp", "#include <weft/sched/a.hpp>\n", "a circle: sched/a.hpp -> sched/a.hpp"),
        ("include/weft/sched/a.hpp", "inline thread_local int a = 0;\n", "one in the program: a"),
        ("include/weft/sched/a.hpp", "inline int b{};\n", "one in the program: b"),
    ]
    for path, text, expected in cases:
        problems = problems_of({path: text})
        if not any(expected in p for p in problems):
            print(f"not found in {path}: {expected}; got {problems}")
            return 1
    circle = problems_of({f"include/weft/sched/{a}.hpp": f"#include <weft/sched/{b}.hpp>\n"
        for a, b in ("ab", "bc", "ca")})
    if circle != ["include/weft: a circle: sched/a.hpp -> sched/b.hpp -> sched/c.hpp -> sched/a.hpp"]:
        print(f"not found: a circle of three; got {circle}")
        return 1
    context = problems_of({"include/weft/mutex.hpp": "#include <weft/awaitable.hpp>\n",
        "include/weft/awaitable.hpp": "#include <weft/io_context.hpp>\n"})
    if context != ["include/weft/mutex.hpp: brings io_context.hpp"]:
        print(f"not found: a primitive that brings a context; got {context}")
        return 1
    own = problems_of({"src/sched/a.hpp": '#include "b.hpp"\n#include "../wait/c.hpp"\n',
        "src/sched/b.hpp": '#include "a.hpp"\n', "src/wait/c.hpp": "", "src/wait/d.hpp": '#include "wait/c.hpp"\n',
        "include/weft/wait/d.hpp": '#include "wait/c.hpp"\n'})
    if own != ["include/weft/wait/d.hpp: is not installed: wait/c.hpp",
            "src/sched/a.hpp: sched includes upward: wait/c.hpp",
            "src/wait/d.hpp: is not named from there: wait/c.hpp", "src: a circle: sched/a.hpp -> sched/b.hpp -> sched/a.hpp"]:
        print(f"not found: what the library keeps to itself; got {own}")
        return 1
    allowed = problems_of({"include/weft/a.hpp": "#include <weft/impl/a.hpp>\n",
        "include/weft/impl/a.hpp": "#include <weft/a.hpp>\n"})
    if allowed:
        print(f"refused: a header and its templates: {allowed}")
        return 1
    return 0


def problems_of(files):
    return problems_in(files, check)


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(self_test())
    found, who = examine(sys.argv[1])
    if sys.argv[2:] == ["--arrows"]:
        show(who)
    print("\n".join(found))
    sys.exit(1 if found else 0)
