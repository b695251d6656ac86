#!/usr/bin/env python3
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

"""Collects the examples of the documentation, so that they can be compiled: blocks of pages that begin with
```cpp, and what stands between @code and @endcode in headers.

    extract.py ROOT PROGRAMS FRAGMENTS      writes two sources
    extract.py --self-test

A block with a main function is a program, and needs no more than it includes itself. One that begins with the
head of a function is taken as it is, and any other is the body of a coroutine; what they speak of is declared
in assumed.hpp."""

import os
import re
import sys

# Languages of blocks that are not C++.
OTHERS = {"sh", "text", "cmake"}


def files(root):
    """Pages and public headers, in order, below the root."""
    found = [name for name in os.listdir(root) if name.endswith(".md")]
    for top, ending in (("doc", ".md"), ("example", ".md"), ("bench", ".md"), ("test", ".md"), ("include", ".hpp")):
        for folder, _, names in os.walk(os.path.join(root, top)):
            found += [os.path.relpath(os.path.join(folder, n), root) for n in names if n.endswith(ending)]
    return sorted(found)


def blocks_of_page(text):
    """(line, text) of each block of C++; ValueError if a block does not say what it is."""
    begun = language = None
    lines = []
    for number, line in enumerate(text.split("\n"), 1):
        fence = re.match(r"\s*```(.*)$", line)
        if not fence:
            lines.append(line)
        elif begun is None:
            begun, language, lines = number, fence.group(1).strip(), []
            if language != "cpp" and language not in OTHERS:
                raise ValueError(f"{number}: a block of unknown language '{language}'")
        else:
            if language == "cpp":
                yield begun + 1, "\n".join(lines)
            begun = None
    if begun is not None:
        raise ValueError(f"{begun}: a block without an end")


def blocks_of_header(text):
    begun = None
    lines = []
    for number, line in enumerate(text.split("\n"), 1):
        comment = re.match(r"\s*/// ?(.*)$", line)
        words = comment.group(1).strip() if comment else None
        if words == "@code":
            begun, lines = number, []
        elif words == "@endcode":
            yield begun + 1, "\n".join(lines)
            begun = None
        elif begun is not None:
            if comment is None:
                raise ValueError(f"{begun}: @code without @endcode")
            lines.append(comment.group(1))
    if begun is not None:
        raise ValueError(f"{begun}: @code without @endcode")


def is_program(block):
    return re.search(r"^int main\(", block, flags=re.M) is not None


def is_function(block):
    """Whether it begins with the head of a function, or of a template."""
    return re.match(r"\s*(template\b|[\w:<>,&* ]+\([^;{}]*\)\s*\{)", block) is not None


def sources(root):
    """The text of both sources, and how many blocks there are."""
    includes = []
    programs = []
    fragments = ['#include "documents/assumed.hpp"\n']
    for path in files(root):
        with open(os.path.join(root, path), encoding="utf-8") as f:
            text = f.read()
        find = blocks_of_page if path.endswith(".md") else blocks_of_header
        try:
            found = list(find(text))
        except ValueError as e:
            raise ValueError(f"{path}:{e}") from None
        for line, block in found:
            space = "example_" + re.sub(r"\W", "_", path) + f"_{line}"
            here = f'#line {line} "{os.path.join(root, path)}"\n'
            if is_program(block):
                includes += re.findall(r"^#include.*$", block, flags=re.M)
                body = re.sub(r"^#include.*$", "", block, flags=re.M)
                programs.append(f"namespace {space}\n{{\n{here}{body}\n}}\n")
            elif is_function(block):
                fragments.append(f"namespace {space}\n{{\n{here}{block}\n}}\n")
            else:
                awaitable = "weft" if "weft::use_awaitable" in block else "boost::asio"
                fragments.append(
                    f"{awaitable}::awaitable<void> {space}();\n\n"
                    f"{awaitable}::awaitable<void> {space}()\n{{\n{{\n{here}{block}\n}}\n    co_return;\n}}\n")
    unique = sorted(set(includes), key=includes.index)
    return "\n".join(unique + programs), "\n".join(fragments), len(programs) + len(fragments) - 1


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def self_test():
    page = "a\n```cpp\nint a;\n```\nb\n```sh\nls\n```\n```cpp\nint b;\nint c;\n```\n"
    assert list(blocks_of_page(page)) == [(3, "int a;"), (10, "int b;\nint c;")]
    header = "/// @code\n/// f();\n///\n///     g();\n/// @endcode\nint x;\n    /// @code\n    /// h();\n    /// @endcode\n"
    assert list(blocks_of_header(header)) == [(2, "f();\n\n    g();"), (8, "h();")]
    for wrong in ("```\nint a;\n```\n", "```c++\nint a;\n```\n", "```cpp\nint a;\n"):
        try:
            list(blocks_of_page(wrong))
            raise AssertionError(wrong)
        except ValueError:
            pass
    for wrong in ("/// @code\n/// f();\nint x;\n", "/// @code\n/// f();"):
        try:
            list(blocks_of_header(wrong))
            raise AssertionError(wrong)
        except ValueError:
            pass
    assert is_program("#include <a>\nint main()\n{\n}\n")
    assert is_function("weft::awaitable<> f(int& a,\n    int b)\n{\n}\n")
    assert not is_function("co_await f(a);\n{\n}\n")
    assert not is_function("auto reply = f([&] { return g(); });")


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    else:
        root, to_programs, to_fragments = sys.argv[1:]
        programs, fragments, count = sources(root)
        if count == 0:
            sys.exit("extract.py: no examples")
        write(to_programs, programs)
        write(to_fragments, fragments)


if __name__ == "__main__":
    main()
