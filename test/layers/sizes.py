#!/usr/bin/env python3
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

"""The law of sizes, checked: what a reader has to hold in the head at once. In include/weft and src

- no header is longer than 400 lines; those that users include, without their comments, which are contracts;
- no function is longer than 50 lines, from the line of its opening brace to that of its closing one;
- no class has more than 20 members. Data members and functions count, each name once, so that overloads are one;
  constructors, destructors, assignments, types and friends do not. A record, whose data members are all public, may
  have more data, but not more functions;
X

Layout is clang-format's, so that braces tell where things begin and end.

sizes.py ROOT             the violations
sizes.py ROOT --largest   the ten longest functions and largest classes
sizes.py --self-test      whether violations are found"""

import os
import re
import sys

from trees import problems_in

MOST_LINES_OF_HEADER = 400
MOST_LINES_OF_FUNCTION = 50
MOST_MEMBERS = 20
TOPS = ("include/weft", "src")
# Root headers: half of their lines are contracts of public functions.
CONTRACTS = re.compile(r"include/weft/[a-z_]+\.hpp$")


def without_comments(text):
    """The text with comments, strings, characters and preprocessor lines blanked, line ends kept."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group(0))
    text = re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', blank, text, flags=re.S)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, text, flags=re.M)


def head_of(text):
    """A declaration without attributes, macros' arguments, template parameters and nested parentheses."""
    text = re.sub(r"\[\[.*?\]\]|\balignas\s*\([^()]*\)", " ", text)
    text = re.sub(r"^\s*(?:(?:public|private|protected)\s*:\s*)+", "", text)
    while re.match(r"\s*template\s*<", text):
        depth, at = 0, text.index("<")
        while True:
            depth += {"<": 1, ">": -1}.get(text[at], 0)
            at += 1
            if depth == 0:
                break
        text = text[at:]
    return " ".join(text.split())


class Scope:
    def __init__(self, kind, name, line, access="public"):
        self.kind, self.name, self.line, self.access = kind, name, line, access
        self.data, self.functions, self.hidden = set(), set(), False

    def members(self):
        return len(self.functions) + (len(self.data) if self.hidden else 0)


def classify(head):
    """What a brace after `head` opens: (kind, name)."""
    if re.match(r"(inline )?namespace\b|extern\b *$", head):
        return "namespace", ""
    if re.match(r"enum\b", head):
        return "enum", ""
    found = re.match(r"(class|struct|union)\s+(?:[A-Z_]+(?:\([^)]*\))?\s+)?([\w:]+)", head)
    if found and "(" not in re.sub(r"<[^;{]*>|\bdecltype\b.*|:.*", "", head).replace("WEFT_DECL", ""):
        return found.group(1), found.group(2)
    return None, ""


def declared(head):
    """The name that a member declaration declares, and whether it is a function: or (None, False)."""
    if not head or re.match(r"(using|typedef|friend|static_assert|enum|class|struct|union|template)\b", head):
        return None, False
    plain = head
    while True:  # Template arguments, innermost first; not comparisons, which declarations rarely have.
        shorter = re.sub(r"<[^<>()]*(?:\([^()]*\)[^<>()]*)*>", "", plain)
        if shorter == plain:
            break
        plain = shorter
    function = re.search(r"(operator\s*(?:\(\)|[^\s\w(]+|\w[\w:&* ]*)|~?\w+)\s*\(", re.sub(
        r"\b(decltype|noexcept|explicit|sizeof)\s*\([^()]*(?:\([^()]*\)[^()]*)*\)", " ", plain))
    assigned = re.search(r"(?<![=!<>+\-*/|&])=(?!=)", plain)
    if function and not (assigned and assigned.start() < function.start()
            and not function.group(1).startswith("operator")):
        return function.group(1).replace(" ", ""), True
    plain = re.sub(r"\s*(?<!operator)=.*|\{.*|(?<!:):(?!:).*", "", plain)
    name = re.search(r"(\w+)\s*(?:\[[^\]]*\])*\s*$", plain)
    return (name.group(1), False) if name else (None, False)


def scan(text):
    """(functions, classes): [(lines, name, line)], [Scope]."""
    text = without_comments(text)
    functions, classes, stack = [], [], [Scope("namespace", "", 0)]
    start, line, at, round_depth = 0, 1, 0, 0

    def member(head):
        scope = stack[-1]
        if scope.kind not in ("class", "struct", "union"):
            return
        name, is_function = declared(head)
        own = scope.name.split("::")[-1]
        if not name or name in (own, "~" + own, "operator="):
            return
        if is_function:
            scope.functions.add(name)
        elif not re.search(r"\b(static )?constexpr\b|^static\b", head):
            scope.data.add(name)
            scope.hidden |= scope.access != "public"

    while at < len(text):
        c = text[at]
        if c == "\n":
            line += 1
        elif c == "(":
            round_depth += 1
        elif c == ")":
            round_depth -= 1
        elif round_depth == 0 and stack[-1].kind != "body":
            if c == ";":
                member(head_of(text[start:at]))
                start = at + 1
            elif c == ":" and text[start:at].split() in (["public"], ["private"], ["protected"]):
                stack[-1].access = text[start:at].strip()
                start = at + 1
            elif c == "{":
                head = head_of(text[start:at])
                kind, name = classify(head)
                if kind in ("class", "struct", "union"):
                    stack.append(Scope(kind, name, line, "private" if kind == "class" else "public"))
                    classes.append(stack[-1])
                    start = at + 1
                elif kind:
                    stack.append(Scope(kind, name, line))
                    start = at + 1
                else:  # A function, or an initialiser.
                    end, depth, first = at, 0, line
                    while True:
                        depth += {"{": 1, "}": -1}.get(text[end], 0)
                        line += text[end] == "\n"
                        if depth == 0:
                            break
                        end += 1
                    rest = re.match(r"\s*[;,({]", text[end + 1:])
                    if ")" in head and not rest:
                        member(head)
                        name, _ = declared(re.sub(r"\)\s*(noexcept\s*)?:[^:].*", ")", head))
                        functions.append((line - first + 1, name or "?", first))
                        start = end + 1
                    at = end
            elif c == "}":
                stack.pop()
                start = at + 1
        at += 1
    return functions, classes


def sources(root):
    for top in TOPS:
        for folder, _, files in sorted(os.walk(os.path.join(root, top))):
            for name in sorted(files):
                if name.endswith((".hpp", ".cpp")):
                    full = os.path.join(folder, name)
                    with open(full, encoding="utf-8") as f:
                        yield os.path.relpath(full, root), f.read()


def has_first_paragraph(text):
    """A comment before the namespaces are opened, or right before the first thing in them."""
    body = text.split("\n", 2)[2]
    first = re.search(
        r"^(?:///? \S|(?:class|struct|enum|template|constexpr|void|inline (?!namespace))\b)", body, flags=re.M)
    return bool(first) and first.group(0).startswith("//")


def tested(root):
    """What the tests of test/sched include, by path."""
    found = set()
    folder = os.path.join(root, "test", "sched")
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        with open(os.path.join(folder, name), encoding="utf-8") as f:
            found |= set(re.findall(r'#include [<"]((?:weft/)?sched/[\w.]+)[>"]', f.read()))
    return found


def check(root):
    problems, tests = [], tested(root)
    for path, text in sources(root):
        lines = [l for l in text.splitlines() if not (CONTRACTS.match(path) and re.match(r"\s*(//|$)", l))]
        if path.endswith(".hpp") and len(lines) > MOST_LINES_OF_HEADER:
            problems.append(f"{path}: {len(lines)} lines")
        functions, classes = scan(text)
        problems += [f"{path}:{line}: {name}() has {n} lines"
            for n, name, line in functions if n > MOST_LINES_OF_FUNCTION]
        problems += [f"{path}:{c.line}: {c.name} has {c.members()} members"
            for c in classes if c.members() > MOST_MEMBERS and not CONTRACTS.match(path)]
        if "/sched/" in path:
            if not has_first_paragraph(text):
                problems.append(f"{path}: does not say what it is for")
            header = path.replace("include/", "").replace("src/", "")
            if path.endswith(".hpp") and header not in tests:
                problems.append(f"{path}: no test includes it")
    return problems


def largest(root):
    functions, classes = [], []
    for path, text in sources(root):
        f, c = scan(text)
        functions += [(n, name, f"{path}:{line}") for n, name, line in f]
        classes += [(k.members(), k.name, f"{path}:{k.line}", len(k.data), len(k.functions)) for k in c]
    for n, name, where in sorted(functions, reverse=True)[:10]:
        print(f"{n:4} lines    {name} ({where})")
    for n, name, where, data, count in sorted(classes, reverse=True)[:10]:
        print(f"{n:4} members  {name} ({where}; {data} data, {count} functions)")


def self_test():
    long_function = "void f()\n{\n" + "    g();\n" * 49 + "}\n"
    many = "".join(f"    void f{i}();\n    int a{i}_;\n" for i in range(10))
    start = "// c\n// l\n\n// Why it is here.\n\n"
    includes = "#include <weft/sched/a.hpp>\n"
    cases = [
        ("include/weft/queue/a.hpp", "\n" * 401, "401 lines"),
        ("include/weft/a.hpp", "int a;\n" * 401, "401 lines"),
        ("src/a.cpp", "namespace a\n{\n" + long_function + "}\n", "f() has 51 lines"),
        ("src/a.cpp", "struct a\n{\n" + long_function + "};\n", "f() has 51 lines"),
        ("src/a.cpp", "a::a() : b_(1)\n" + long_function[len("void f()\n"):], "has 51 lines"),
        ("src/queue/a.hpp", "class a\n{\n" + many + "    std::size_t b = f(0);\n};\n", "a has 21 members"),
        ("src/queue/a.hpp", "class a\n{\n" + many + "    bool operator()(int) const;\n};\n", "a has 21 members"),
        ("include/weft/sched/a.hpp", "// c\n// l\nclass a;\n/// Not of the file.\n", "does not say"),
        ("include/weft/sched/b.hpp", start, "no test includes it"),
    ]
    for path, text, expected in cases:
        problems = problems_of({path: text, "test/sched/a.cpp": includes})
        if len(problems) != 1 or expected not in problems[0]:
            print(f"not found in {path}: {expected}; got {problems}")
            return 1
    allowed = {
        "include/weft/a.hpp": "int a;\n" * 400 + "// Contract.\n" * 400,
        "include/weft/sched/a.hpp": start + "class a\n{\n" + many + "    void f1(int);\n    a();\n    ~a();\n"
            "    a& operator=(a const&) = delete;\n    using b = int;\n    friend void g();\n};\n",
        "src/queue/a.hpp": "struct a\n{\n" + "".join(f"    int a{i};\n" for i in range(30)) + "};\n",
        "src/a.cpp": "void f()\n{\n" + "    g({1, 2});\n" * 48 + "}\n",
        "test/sched/a.cpp": includes,
    }
    problems = problems_of(allowed)
    if problems:
        print(f"refused: {problems}")
    return 1 if problems else 0


def problems_of(files):
    return problems_in(files, check)


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(self_test())
    if sys.argv[2:] == ["--largest"]:
        largest(sys.argv[1])
    found = check(sys.argv[1])
    print("\n".join(found))
    sys.exit(1 if found else 0)
