#!/usr/bin/env python3
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

"""Checks that the comment of each public function says what its users must know.

    contracts.py ROOT         needs doxygen
    contracts.py --self-test

An asynchronous operation needs the paragraphs of OPERATION. Any other function says on which threads it may be called,
what it throws, and what it costs; or its class does, in a paragraph of that title. A function may refer to another one, by
"As f()", "Equivalent to f()", "The same" and the like: it has what that one has. Each option has a default, and a range if
it is a number; a class with an algorithm says where that comes from."""

import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

OPERATION = ["Completes when", "Completion Signature", "Executor", "Per-Operation Cancellation", "Errors", "Ordering and fairness",
             "Thread Safety", "Exceptions", "Complexity", "Example", "See also"]
# What says it inside a sentence, in place of a paragraph.
SAYS = {
    "Thread Safety": r"\b[Aa]ny thread\b|\bany thread\b",
    "Exceptions": r"\b[Tt]hrow|\bthrew\b|what .* throws",
    "Complexity": r"\b[Cc]onstant time\b|\b[Ll]inear in\b|\b[Ll]ogarithmic\b|\brelaxed load\b|\bcost grows\b|\bThe cost\b|\bCosts\b",
}
FUNCTION = ["Thread Safety", "Exceptions", "Complexity"]
# Classes that only describe something, of whose copies each thread has its own.
OPTIONS = {"weft::options", "weft::watchdog_options", "weft::trace::options"}
ALGORITHMS = {"weft::io_context", "weft::thread_pool", "weft::basic_mutex", "weft::basic_semaphore", "weft::basic_shared_mutex",
              "weft::basic_channel", "boost::asio::strand", "weft::basic_steady_timer", "weft::duration_histogram",
              "weft::run_blocking", "weft::overloaded"}
HIDDEN = re.compile(r"_kind$|::scoped_(writer|reader)$|::rebind_executor$|^weft::basic_channel$")
NUMBER = re.compile(r"\b(unsigned|int|double|size_t|uint\d+_t|(nano|milli|micro)?seconds)\b")
# "The same" and its like refer to the entry before.
BEFORE = re.compile(r"^(The same\b|As above|Without a token: see above|The opposite|The end of what)|see above\.$")
REFERS = re.compile(r"\b(?:As|as|as for|As for|Equivalent to|under the names? .* for|Together with|Otherwise as|otherwise as) "
                    r"(?:in )?((?:\w+::)*\w+)\(|^((?:\w+::)*\w+)\([^)]*\)[.,]|^((?:\w+::)*\w+)\([^)]*\) (?:of|under)|"
                    r"throws as ((?:\w+::)*\w+)\(")


def words(node):
    return " ".join("".join(node.itertext()).split()) if node is not None else ""


class Entry:
    """A function, with what its comment says."""

    def __init__(self, name, owner, member=None):
        self.name, self.owner = name, owner
        self.brief = words(member.find("briefdescription")) if member is not None else ""
        detail = member.find("detaileddescription") if member is not None else None
        self.text = (self.brief + " " + words(detail)).strip()
        self.titles = titles_of(detail)
        self.place = place(member) if member is not None else ("", 0)
        self.noexcept = "noexcept" in (member.findtext("argsstring") or "") if member is not None else False
        self.parameters = [words(p.find("type")) for p in member.findall("param")] if member is not None else []

    def has(self, item):
        return item in self.titles or item in SAYS and bool(re.search(SAYS[item], self.text)) or \
            item == "Exceptions" and self.noexcept


def place(member):
    where = member.find("location")
    return where.get("file"), int(where.get("line"))


def titles_of(detail):
    found = set()
    for section in detail.iter("simplesect") if detail is not None else []:
        found |= set(re.split(r", | and ", words(section.find("title")))) | {words(section.find("title"))}
        found |= {"See also"} if section.get("kind") == "see" else set()
    for section in detail.iter("parameterlist") if detail is not None else []:
        found |= {"Exceptions"} if section.get("kind") == "exception" else set()
    return found


def class_name(name):
    return re.sub(r"<.*", "", name).strip()


class Contracts:
    def __init__(self, folder):
        self.entries = {}   # (class, function): entries in the order of the header
        self.classes = {}   # name: its comment, as an entry
        self.options = []   # (name of the member, its text, its type, its default)
        for compound in ET.parse(os.path.join(folder, "index.xml")).getroot():
            if compound.get("kind") not in ("class", "struct", "namespace"):
                continue
            root = ET.parse(os.path.join(folder, compound.get("refid") + ".xml")).getroot().find("compounddef")
            name = compound.findtext("name")
            if compound.get("kind") == "namespace" and not re.fullmatch(r"weft(::trace)?", name) or \
                    compound.get("kind") != "namespace" and HIDDEN.search(name):
                continue
            self.enter(class_name(name), root, compound.get("kind") == "namespace")

    def enter(self, owner, root, is_namespace):
        if not is_namespace:
            self.classes[owner] = Entry(owner, owner, root)
        for member in root.iter("memberdef"):
            entry = Entry(member.findtext("name"), "" if is_namespace else owner, member)
            if member.get("prot") not in ("public", "protected", None) or not entry.brief:
                continue
            if member.get("kind") == "typedef" and is_namespace:
                self.classes[owner + "::" + entry.name] = entry
            elif member.get("kind") in ("function", "friend"):
                self.entries.setdefault((entry.owner, entry.name), []).append(entry)
                if is_namespace:
                    self.classes.setdefault(owner + "::" + entry.name, entry)
            elif member.get("kind") == "variable" and owner in OPTIONS:
                self.options.append((owner + "::" + entry.name, entry, words(member.find("type")), words(member.find("initializer"))))

    def in_order(self, owner):
        return sorted((e for (o, _), es in self.entries.items() if o == owner for e in es), key=lambda e: e.place)

    def before(self, entry):
        """The entry before, for a comment that says "the same"."""
        previous = None
        for other in self.in_order(entry.owner):
            if other.place >= entry.place:
                break
            previous = other
        return previous

    def targets(self, entry):
        """What the comment refers to."""
        if BEFORE.search(entry.brief) and self.before(entry):
            yield self.before(entry)
        for match in REFERS.finditer(entry.text):
            name = next(g for g in match.groups() if g)
            owner, _, function = name.rpartition("::")
            if name.startswith("boost::asio::"):
                yield None
            for candidate in ([entry.owner] if not owner else []) + [owner, "weft::" + owner]:
                yield from (e for e in self.entries.get((candidate, function), []) if e is not entry)

    def has(self, entry, item, seen=()):
        if entry is None or entry.has(item):
            return True
        owner = self.classes.get(entry.owner)
        if owner is not None and self.class_has(owner, item):
            return True
        return any(self.has(t, item, seen + (entry,)) for t in self.targets(entry) if t not in seen)

    def class_has(self, owner, item, seen=()):
        if item in owner.titles:
            return True
        # "`Executor`, *Memory* and *Exceptions from handlers*: as for basic_mutex."
        for name in re.findall(r"as for (?:weft::)?(\w+)\b(?!\()", owner.text) + re.findall(r"\bas (io_context)\b", owner.text):
            other = self.classes.get("weft::" + name)
            if other is not None and other not in seen + (owner,) and self.class_has(other, item, seen + (owner,)):
                return True
        return False

    def wrong(self):
        for (owner, name), entries in self.entries.items():
            for entry in entries:
                operation = name.startswith("async_")
                items = OPERATION if operation else FUNCTION
                if name.startswith("~") or name == owner.rpartition("::")[2] and is_copy(entry, owner):
                    continue
                missing = [i for i in items if not self.has(entry, i)]
                if missing:
                    yield entry.place, f"{owner + '::' if owner else ''}{name}: nothing of {', '.join(missing)}"
        for name, entry, type_, initializer in self.options:
            if not initializer and "Default" not in entry.text and "(the default)" not in entry.text and "Empty" not in entry.text:
                yield entry.place, f"{name}: no default"
            if NUMBER.search(type_) and not re.search(r"function|vector", type_) and "Range" not in entry.text:
                yield entry.place, f"{name}: no range"
        for name in sorted(ALGORITHMS):
            entry = self.classes.get(name)
            if entry is None:
                yield ("contracts.py", 0), f"{name}: there is no such name"
            elif not self.class_has(entry, "Algorithm"):
                yield entry.place, f"{name}: nothing of Algorithm"


def is_copy(entry, owner):
    """A copy or a move, of which all is said by that."""
    return len(entry.parameters) == 1 and re.fullmatch(rf"{owner.rpartition('::')[2]} (const )?&&?", entry.parameters[0]) is not None


def read_headers(root, folder):
    with open(os.path.join(root, "doc", "reference", "Doxyfile"), encoding="utf-8") as f:
        text = f.read() + f"OUTPUT_DIRECTORY = {folder}\n"
    subprocess.run(["doxygen", "-"], input=text, text=True, cwd=root, check=True)
    return Contracts(os.path.join(folder, "xml"))


def self_test():
    def entry(brief, titles=(), noexcept=False, owner="weft::c", name="f", line=1):
        made = Entry(name, owner)
        made.brief = made.text = brief
        made.titles, made.noexcept, made.place = set(titles), noexcept, ("x.hpp", line)
        return made

    contracts = Contracts.__new__(Contracts)
    contracts.options = []
    contracts.classes = {"weft::c": entry("A class.", ["Complexity"])}
    full = entry("Does it. Any thread. Throws std::bad_alloc.")
    contracts.entries = {("weft::c", "f"): [full], ("weft::c", "g"): [entry("As f().", name="g", line=2)],
                         ("weft::c", "h"): [entry("Does it.", name="h", line=3)],
                         ("weft::c", "i"): [entry("The same.", name="i", line=4)],
                         ("weft::c", "async_j"): [entry("Waits.", OPERATION[:-1], name="async_j", line=5)]}
    found = [text for _, text in contracts.wrong() if "no such name" not in text]
    assert found == ["weft::c::h: nothing of Thread Safety, Exceptions", "weft::c::i: nothing of Thread Safety, Exceptions",
                     "weft::c::async_j: nothing of See also"], found
    assert entry("x", noexcept=True).has("Exceptions") and not entry("x").has("Exceptions")


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return
    with tempfile.TemporaryDirectory() as folder:
        wrong = sorted(read_headers(os.path.abspath(sys.argv[1]), folder).wrong())
    print("\n".join(f"include/{file}:{line}: {text}" for (file, line), text in wrong))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
