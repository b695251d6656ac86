#!/usr/bin/env python3
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

"""That the library can be compiled in a program's own sources, in several of them too (WEFT_HEADER_ONLY): each source
is in the list src/weft.ipp; what it defines is WEFT_INLINE, and what it has for itself is in WEFT_LOCAL; a header that
declares something which a source defines includes the sources before it begins.

header_only.py ROOT          the violations
header_only.py --self-test   whether violations are found"""

import os
import re
import sys

from trees import problems_in

LIST = "src/weft.ipp"
# About shared libraries alone; and programs of their own.
NEVER_INCLUDED = re.compile(r"one_in_program\.cpp|tool/.*")
# Included by Asio, in its own midst: calls what other headers bring the sources of.
FOR_ASIO = {"handler_tracking.hpp"}
INCLUDES_SOURCES = "#if defined(WEFT_HEADER_ONLY)\n#include <weft/impl/src.hpp>"
# What begins a line at the level of a namespace and defines no function or variable that is not inline.
BEGINS = re.compile(r"(?:(?:namespace|inline|using|class|struct(?! \w+ \w+\[)|enum|union|template|static_assert|"
    r"extern(?! \"C\" (?!WEFT_INLINE))|friend|public|private|protected|constexpr)\b|#|[{}/]|"
    r"\[\[maybe_unused\]\] WEFT_INLINE |WEFT_INLINE )")


def strip_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as f:
        return f.read()


def definitions_without_inline(text):
    """Lines at the level of a namespace that begin a statement, and do not say that it is inline."""
    found, begins = [], True
    for line in strip_comments(text).split("\n"):
        if not line.strip():
            continue
        if begins and not line[0].isspace() and not BEGINS.match(line):
            found.append(line.strip())
        # What a template's line begins is a template still.
        begins = line.rstrip().endswith((";", "{", "}", ":")) or line.startswith("#")
        if not line[0].isspace() and line.startswith("template") and not line.rstrip().endswith(";"):
            begins = False
    return found


def check(root):
    problems = []
    sources = sorted(os.path.relpath(os.path.join(folder, name), os.path.join(root, "src"))
        for folder, _, files in os.walk(os.path.join(root, "src")) for name in files if name.endswith((".cpp", ".hpp")))
    listed = re.findall(r'^#include "([^"]+)"$', read(root, LIST), re.M)
    for name in sources:
        text = strip_comments(read(root, "src", name))
        if NEVER_INCLUDED.fullmatch(name):
            continue
        if name.endswith(".cpp"):
            if listed.count(name) != 1:
                problems.append(f"{LIST}: has src/{name} {listed.count(name)} times")
            problems += [f"src/{name}: is not WEFT_INLINE: {line}" for line in definitions_without_inline(text)]
        if re.search(r"^(inline )?namespace$", text, re.M):
            problems.append(f"src/{name}: a namespace without a name; WEFT_LOCAL is for that")
        if re.search(r"^static (?!_?assert)", text, re.M):
            problems.append(f"src/{name}: static; WEFT_LOCAL is for that")
    problems += [f"{LIST}: there is no src/{name}" for name in listed if name not in sources]

    # Of the headers for users: who includes the sources, and who includes whom.
    folder, texts = os.path.join(root, "include", "weft"), {}
    for name in sorted(os.listdir(folder)):
        if name.endswith(".hpp"):
            texts[name] = read(folder, name)
    leads = {name: INCLUDES_SOURCES in text.split("#ifndef", 1)[0] for name, text in texts.items()}
    for name, text in texts.items():
        if leads[name] or name in FOR_ASIO:
            continue
        if re.search(r"\bWEFT_DECL\b", strip_comments(text)):
            problems.append(f"include/weft/{name}: does not include the sources, and declares what they define")
        for target in re.findall(r"^#include <weft/([^>]+)>", text, re.M):
            # A header of a folder is for those who have included one of these before.
            if leads.get(target, "/" in target):
                problems.append(f"include/weft/{name}: does not include the sources; {target} would in its midst")
    return problems


def self_test():
    good = {LIST: '#include "sched/a.cpp"\n', "src/one_in_program.cpp": "namespace\n{\nint x;\n}\n",
        "src/tool/a.cpp": "int main()\n{\n}\n",
        "src/sched/a.cpp": "inline namespace WEFT_LOCAL\n{\ntemplate <typename T>\nvoid g()\n{\n}\n}\n\n"
            "WEFT_INLINE long_name::result f(\n    int)\n{\n    return 0;\n}\n",
        "include/weft/a.hpp": INCLUDES_SOURCES + "\n#endif\n\n#ifndef WEFT_A_HPP\nWEFT_DECL int f(int);\n#endif\n",
        "include/weft/b.hpp": "#ifndef WEFT_B_HPP\n#endif\n"}
    cases = [
        ("src/sched/b.cpp", "", "has src/sched/b.cpp 0 times"),
        (LIST, good[LIST] * 2, "has src/sched/a.cpp 2 times"),
        (LIST, good[LIST] + '#include "sched/c.cpp"\n', "there is no src/sched/c.cpp"),
        ("src/sched/a.cpp", "WEFT_INLINE void f()\n{\n}\n\nvoid g()\n{\n}\n", "is not WEFT_INLINE: void g()"),
        ("src/sched/a.cpp", "atomic<int> a::b{0};\n", "is not WEFT_INLINE: atomic<int> a::b{0};"),
        ("src/sched/a.cpp", "namespace\n{\n}\n", "a namespace without a name"),
        ("src/sched/a.cpp", "static int f()\n{\n}\n", "static; WEFT_LOCAL"),
        ("include/weft/b.hpp", "#ifndef WEFT_B_HPP\nWEFT_DECL int g();\n#endif\n", "declares what they define"),
        ("include/weft/b.hpp", "#ifndef WEFT_B_HPP\n#include <weft/a.hpp>\n#endif\n", "a.hpp would in its midst"),
        ("include/weft/b.hpp", "#ifndef WEFT_B_HPP\n" + INCLUDES_SOURCES + "\n#endif\nWEFT_DECL int g();\n#endif\n",
            "declares what they define"),
    ]
    if problems_of(good):
        print(f"refused what is right: {problems_of(good)}")
        return 1
    for path, text, expected in cases:
        problems = problems_of({**good, path: text})
        if not any(expected in p for p in problems):
            print(f"not found in {path}: {expected}; got {problems}")
            return 1
    return 0


def problems_of(files):
    return problems_in(files, check)


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(self_test())
    found = check(sys.argv[1])
    print("\n".join(found))
    sys.exit(1 if found else 0)
