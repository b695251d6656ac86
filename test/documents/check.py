#!/usr/bin/env python3
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

"""Checks the manual, the other pages, and the comments of public headers.

    check.py ROOT code        code in the manual is included from files that are compiled; programs are short enough
    check.py ROOT links       links lead to something; names of tests and paths in pages exist; each guarantee links to its tests
    check.py ROOT spelling    by aspell, with the words of words.txt (in lower case); ends with 77 if there is no aspell
    check.py FOLDER built     links of the pages that doc/build.sh has written there lead to files and anchors
    check.py --self-test

Code in Markdown pages and headers is compiled by extract.py's way, in the same folder."""

import glob
import html
import os
import re
import shutil
import subprocess
import sys
import tempfile

# What CI compiles, and for CMake: what it configures.
COMPILED = re.compile(r"(example|test|include|src|bench)/[\w/.-]+\.[ch]pp|example/tutorial/CMakeLists\.txt|"
    r"test/consume/server/(CMakeLists\.txt|meson\.build|Jamroot)")
# What the attributes of the manual stand for.
FOLDERS = {"example": "example", "consume": "test/consume"}
# The longest that a file may be, by folder.
LONGEST = {"example/tutorial/*.cpp": 60, "example/recipes/*.cpp": 120}
# Pages that a program writes, and names that are not of this tree.
GENERATED = {"doc/benchmarks.md"}
# What these pages name may be gone.
HISTORY = re.compile(r"CHANGELOG\.md|doc/design/(decisions|latency)/")


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as f:
        return f.read()


def relative(root, pattern):
    """Files that match, relative to the root."""
    return sorted(os.path.relpath(p, root) for p in glob.glob(os.path.join(root, pattern)))


def manual(root):
    return relative(root, "doc/manual/*.adoc")


def manual_pages(root):
    return relative(root, "doc/man/*.adoc")


def pages(root):
    """Markdown pages by people."""
    found = []
    for pattern in ("*.md", "doc/*.md", "doc/design/*.md", "doc/design/*/*.md", "example/*.md", "bench/*.md",
                    "packaging/*.md"):
        found += relative(root, pattern)
    return [p for p in found if p not in GENERATED]


def headers(root):
    return relative(root, "include/weft/*.hpp")


def lines_of(text):
    return enumerate(text.split("\n"), 1)


# Code

def blocks_of_manual(text):
    """(line, language, lines) of each listing of a chapter; the language of one without [source] is empty."""
    language, begun, body = "", None, []
    for number, line in lines_of(text):
        attribute = re.match(r"\[source,(\w+)", line)
        if begun is not None:
            if line == "----":
                yield begun, language, body
                language, begun = "", None
            else:
                body.append(line)
        elif attribute:
            language = attribute.group(1)
        elif line == "----":
            begun, body = number, []


def included(root, line):
    """What is wrong with an include of a listing; None if nothing is."""
    match = re.fullmatch(r"include::\{(\w+)\}/([\w/.-]+)\[tag=(\w+)\]", line)
    if not match or match.group(1) not in FOLDERS:
        return "code that is not included by include::{example}/FILE[tag=NAME]"
    path = FOLDERS[match.group(1)] + "/" + match.group(2)
    if not COMPILED.fullmatch(path) or not os.path.exists(os.path.join(root, path)):
        return f"{path} is not a file that is compiled"
    text = read(root, path)
    tag = match.group(3)
    if f"tag::{tag}[]" not in text or f"end::{tag}[]" not in text:
        return f"{path} has no tag {tag}"
    return None


def check_code(root):
    for path in manual(root):
        for number, language, body in blocks_of_manual(read(root, path)):
            if language not in ("cpp", "cmake", "meson", "jam", "sh"):
                yield f"{path}:{number}: a listing of unknown language '{language}'"
            elif language != "sh":
                for line in body:
                    wrong = included(root, line)
                    if wrong:
                        yield f"{path}:{number}: {wrong}"
    for pattern, longest in LONGEST.items():
        for path in relative(root, pattern):
            length = read(root, path).count("\n")
            if length > longest:
                yield f"{path}: {length} lines, more than {longest}"


# Links

def anchors_of_manual(text):
    named = set(re.findall(r"^\[#([\w-]+)\]$", text, flags=re.M))
    titles = re.findall(r"^=+ (.+)$", text, flags=re.M)
    return named | {"_" + re.sub(r"\W+", "_", t.lower()).strip("_") for t in titles}


def anchors_of_page(text):
    """As hosts of repositories make them."""
    titles = re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), flags=re.M)
    return {re.sub(r"[^\w -]", "", t.lower()).replace(" ", "-") for t in titles}


def links_of_manual(root, path, text):
    here = os.path.dirname(path)
    for match in re.finditer(r"link:([^\[\s]+)\[((?:[^\]\\]|\\.)*)\]", text):
        target, words = match.groups()
        if target.startswith(("http://", "https://")) or re.fullmatch(r"(reference|ref-[\w-]+)\.html", target):
            continue
        name = target.replace("{tree}/", "")
        if name == target or not os.path.exists(os.path.join(root, name)):
            yield match.start(), f"no such file: {target}"
        elif re.fullmatch(r"`\w+`", words) and not re.search(rf"\b{words[1:-1]}\b", read(root, name)):
            yield match.start(), f"{name} has no test {words}"
    for match in re.finditer(r"xref:([\w.-]+)#([\w-]+)\[|<<([\w-]+)>>", text):
        page = os.path.join(here, match.group(1)) if match.group(1) else path
        if not os.path.exists(os.path.join(root, page)):
            yield match.start(), f"no such chapter: {page}"
        elif (match.group(2) or match.group(3)) not in anchors_of_manual(read(root, page)):
            yield match.start(), f"{page} has no anchor {match.group(2) or match.group(3)}"
    for match in re.finditer(r"^image::([\w./-]+)\[", text, flags=re.M):
        if not any(os.path.exists(os.path.join(root, d, match.group(1))) for d in ("doc/manual/figures", "doc/benchmarks")):
            yield match.start(), f"no such picture: {match.group(1)}"


def links_of_page(root, path, text):
    here = os.path.dirname(path)
    for match in re.finditer(r"\]\(([^)\s]+)\)", text):
        target, _, anchor = match.group(1).partition("#")
        if re.match(r"\w+:", target):
            continue
        name = os.path.normpath(os.path.join(here, target)) if target else path
        if not os.path.exists(os.path.join(root, name)):
            yield match.start(), f"no such file: {match.group(1)}"
        elif anchor and name.endswith(".md") and anchor not in anchors_of_page(read(root, name)):
            yield match.start(), f"{name} has no anchor {anchor}"


def paths_of(root, text):
    """Paths in backticks that are to be of this tree."""
    for match in re.finditer(r"`((?:doc|example|test|bench|src|include|packaging|cmake)/[\w./-]*\w)`", text):
        if not os.path.exists(os.path.join(root, match.group(1))):
            # A program of the build, or a file without its ending.
            if not glob.glob(os.path.join(root, match.group(1) + ".*")):
                yield match.start(), f"no such file: {match.group(1)}"


def untested(text):
    """Guarantees, which are the terms of a chapter, that do not end with links to tests."""
    for match in re.finditer(r"^([^\n]+)::\n(.*?)(?=^[^\n]+::\n|^==|\Z)", text, flags=re.M | re.S):
        if not re.search(r"^\+\nTests?: link:", match.group(2), flags=re.M):
            yield match.start(), f"nothing tests '{match.group(1)}'"


def check_links(root):
    for path in manual(root) + manual_pages(root) + pages(root) + headers(root):
        text = read(root, path)
        found = [] if HISTORY.match(path) else list(paths_of(root, text))
        if path.endswith(".adoc"):
            found += links_of_manual(root, path, text)
            found += untested(text) if path.endswith("guarantees.adoc") else []
        elif path.endswith(".md"):
            found += links_of_page(root, path, text)
        for position, wrong in sorted(found):
            yield f"{path}:{text.count(chr(10), 0, position) + 1}: {wrong}"


# Spelling

def words_of_manual(text):
    text = re.sub(r"^(----).*?^----$", blank, text, flags=re.M | re.S)
    text = re.sub(r"^(include::|image::|:[\w!-]+:|\[).*$", "", text, flags=re.M)
    text = re.sub(r"(link|xref):[^\[\s]+\[", "[", text)
    text = re.sub(r"<<[\w-]+>>|\{\w+\}", "", text)
    return re.sub(r"`[^`\n]*`", "", text)


def words_of_page(text):
    text = re.sub(r"^```.*?^```$|<!--.*?-->", blank, text, flags=re.M | re.S)
    text = re.sub(r"^    .*$", "", text, flags=re.M)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    return re.sub(r"``.*?``|`[^`]*`", blank, text)


def words_of_header(text):
    """What comments of public names say."""
    kept = []
    code = False
    for _, line in lines_of(text):
        comment = re.search(r"//[/!]<? ?(.*)$", line)
        words = comment.group(1) if comment else ""
        if words.strip() in ("@code", "@endcode"):
            code = words.strip() == "@code"
            words = ""
        kept.append("" if code else re.sub(r"@(param|tparam) \w+|@\w+", "", words))
    return re.sub(r"`[^`]*`", blank, "\n".join(kept))


def blank(match):
    return "\n" * match.group(0).count("\n")


def prose(text):
    """Without what is a name rather than a word: with an underscore, a digit, ::, a dot or capitals inside."""
    text = re.sub(r"https?://\S+", "", text)
    return re.sub(r"\S*(?:_|::|\w\.\w|\w/\w|\d|[a-z][A-Z])\S*", " ", text)


def check_spelling(root):
    if not shutil.which("aspell"):
        print("check.py: there is no aspell; on Debian: apt-get install aspell aspell-en")
        sys.exit(77)
    known = set(read(root, "test/documents/words.txt").split())
    for path in manual(root) + manual_pages(root) + pages(root) + headers(root):
        text = read(root, path)
        words = {".adoc": words_of_manual, ".md": words_of_page, ".hpp": words_of_header}[os.path.splitext(path)[1]]
        text = prose(words(text))
        answer = subprocess.run(["aspell", "list", "--lang=en_GB", "--encoding=utf-8", "--ignore-case"], input=text,
                                capture_output=True, text=True, check=True)
        for word in sorted(set(answer.stdout.split())):
            if word.lower() not in known and re.sub(r"['’]s?$", "", word.lower()) not in known:
                number = next((n for n, line in lines_of(text) if re.search(rf"\b{word}\b", line)), 0)
                yield f"{path}:{number}: '{word}' is not a word; if it is one, it belongs into test/documents/words.txt"


# What was made

def check_built(folder):
    pages_there = {p: read(folder, p) for p in relative(folder, "*.html")}
    anchors = {p: set(re.findall(r'\bid="([^"]+)"', text)) for p, text in pages_there.items()}
    if not pages_there:
        yield f"{folder}: no pages"
    for page, text in pages_there.items():
        for target in map(html.unescape, re.findall(r'\b(?:href|src)="([^"]+)"', text)):
            name, _, anchor = target.partition("#")
            if re.match(r"\w+:", target):
                continue
            if name and not os.path.exists(os.path.join(folder, name)):
                yield f"{page}: no such file: {target}"
            elif anchor and anchor not in anchors.get(name or page, {anchor}):
                yield f"{page}: no such anchor: {target}"


# Itself

def self_test():
    chapter = "[#a]\n= A\n\n[source,cpp]\n----\nint a;\n----\n\n[source,sh]\n----\nls\n----\n"
    assert [(n, lang, b) for n, lang, b in blocks_of_manual(chapter)] == [(5, "cpp", ["int a;"]), (10, "sh", ["ls"])]
    here = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
    assert included(here, "int a;")
    assert included(here, "include::{example}/nowhere.cpp[tag=a]")
    assert included(here, "include::{example}/tutorial/1_server.cpp[tag=nowhere]")
    assert included(here, "include::{nowhere}/tutorial/1_server.cpp[tag=program]")
    assert included(here, "include::{example}/tutorial/1_server.cpp[tag=program]") is None
    assert included(here, "include::{consume}/server/CMakeLists.txt[tag=link]") is None
    assert "a" in anchors_of_manual(chapter) and "what-it-is" in anchors_of_page("# What it `is`?\n")

    def wrong(text):
        return [w for _, w in links_of_manual(here, "doc/manual/x.adoc", text)]
    assert wrong("link:{tree}/nowhere.md[x]") and wrong("xref:index.adoc#nowhere[x]") and wrong("<<nowhere>>")
    assert wrong("link:{tree}/test/sched/promises.cpp[`p0_nothing`]") and wrong("image::nowhere.svg[]")
    assert not wrong("link:{tree}/README.md[x]") and not wrong("xref:choosing.adoc#tokens[x]")
    assert list(links_of_page(here, "README.md", "[x](nowhere.md) [y](doc/abi.md) [z](#nowhere)"))[1][1].endswith("nowhere")
    assert [w for _, w in untested("A::\nb.\n+\nTest: link:x[y]\n\nB::\nc.\n\n== D\n")] == ["nothing tests 'B'"]
    assert list(paths_of(here, "`doc/nowhere.md` `doc/abi.md`")) == [(0, "no such file: doc/nowhere.md")]
    assert prose("a_b std::x io.hpp 12ns word fooBar").split() == ["word"]
    assert words_of_header("/// Good @param x bad\nint y; // no\n/// @code\n/// f();\n/// @endcode\n").split() == ["Good", "bad"]

    with tempfile.TemporaryDirectory() as folder:
        assert list(check_built(folder))
        with open(os.path.join(folder, "a.html"), "w", encoding="utf-8") as f:
            f.write('<p id="here"><a href="#here"><a href="b.html"><a href="#there"><a href="a.html#here">')
        assert sorted(check_built(folder)) == ["a.html: no such anchor: #there", "a.html: no such file: b.html"]


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return
    root, what = sys.argv[1:]
    wrong = list({"code": check_code, "links": check_links, "spelling": check_spelling,
                  "built": check_built}[what](root))
    print("\n".join(wrong))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
