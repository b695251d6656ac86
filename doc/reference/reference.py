#!/usr/bin/env python3
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

"""Makes the pages of the reference, in the look of the manual, out of what Doxygen has read in the headers.

    reference.py XML NAVIGATION STYLE VERSION OUT

Functions of one name are one entry; names are written without the namespaces weft and boost::asio."""

import html
import os
import re
import sys
import xml.etree.ElementTree as ET

TITLES = {"return": "Returns", "see": "See also", "pre": "Precondition", "note": "Note", "param": "Parameters",
          "exception": "Throws", "templateparam": "Template parameters"}
# Classes that are no part of the interface: what a private declaration made Doxygen see, and one line each.
HIDDEN = re.compile(r"_kind$|::scoped_(writer|reader)$|::rebind_executor$|^weft::basic_channel$")
# The order of the index: what a reader looks for together.
GROUPS = [
    ("Contexts", ["io_context", "thread_pool", "executor", "strand", "options", "run_blocking", "drain_report"]),
    ("Coroutines and timers", ["awaitable", "steady_timer", "system_timer"]),
    ("Locks and channels", ["mutex", "shared_mutex", "semaphore", "channel", "error"]),
    ("What a context is doing", ["stats", "duration_histogram", "metrics", "dump", "watchdog", "trace"]),
    ("Version", ["version"]),
]
BLOCKS = {"simplesect", "parameterlist", "itemizedlist", "programlisting", "verbatim"}


def shortened(name):
    """As a user writes it who has said `using namespace weft` and calls boost::asio asio."""
    name = re.sub(r"\bboost::asio::", "asio::", re.sub(r"\bweft::", "", name))
    return re.sub(r"\s*([&*]+)\s*", r"\1 ", re.sub(r"<\s+", "<", re.sub(r"\s+>", ">", name))).strip()


def public(text):
    """A definition, unless it names what is not for users."""
    return "= unspecified"[0 if text.startswith("=") else 2:] if "detail::" in text else shortened(text)


def class_name(name):
    if name.startswith("boost::asio::strand<"):
        return "asio::strand"
    return re.sub(r"<.*", "", shortened(name)).strip()


def page_of(name):
    return "ref-" + class_name(name).replace("::", "-") + ".html"


class Reference:
    def __init__(self, folder):
        self.targets = {}
        self.classes = []
        self.inner = []  # namespaces inside weft that are for users
        for entry in ET.parse(os.path.join(folder, "index.xml")).getroot():
            root = ET.parse(os.path.join(folder, entry.get("refid") + ".xml")).getroot().find("compounddef")
            name = entry.findtext("name")
            if entry.get("kind") in ("class", "struct") and not HIDDEN.search(name):
                self.classes.append(root)
                self.enter(root, page_of(name))
            elif entry.get("kind") == "namespace" and name == "weft":
                self.namespace = root
                self.enter(root, "reference.html")
            elif entry.get("kind") == "namespace" and re.fullmatch(r"weft::\w+", name) and name != "weft::detail":
                for member in root.iter("memberdef"):
                    member.find("name").text = shortened(name) + "::" + member.findtext("name")
                self.inner.append(root)
                self.enter(root, "reference.html")
            elif name == "version.hpp":
                self.macros = [m for m in root.iter("memberdef") if described(m)]
        self.classes.sort(key=lambda c: class_name(c.findtext("compoundname")))

    def enter(self, root, page):
        self.targets[root.get("id")] = page
        for member in root.iter("memberdef"):
            self.targets[member.get("id")] = f"{page}#{member.findtext('name')}"

    # Descriptions

    def inline(self, node):
        parts = [html.escape(node.text or "")]
        for child in node:
            inside = self.inline(child)
            if child.tag == "ref" and child.get("refid") in self.targets:
                inside = f'<a href="{self.targets[child.get("refid")]}">{inside}</a>'
            elif child.tag in ("computeroutput", "emphasis", "bold"):
                tag = {"computeroutput": "code", "emphasis": "em", "bold": "b"}[child.tag]
                inside = f"<{tag}>{inside}</{tag}>"
            elif child.tag == "sp":
                inside = " "
            parts += [inside, html.escape(child.tail or "")]
        return "".join(parts)

    def blocks(self, node):
        """What a description, or an item of a list, consists of."""
        done = []
        for para in node.findall("para"):
            run = ET.Element("run")
            run.text = para.text
            for child in para:
                if child.tag in BLOCKS:
                    done += [self.paragraph(run), self.block(child)]
                    run = ET.Element("run")
                    run.text = child.tail
                else:
                    run.append(child)
            done.append(self.paragraph(run))
        return "\n".join(d for d in done if d)

    def paragraph(self, run):
        text = self.inline(run).strip()
        return f"<p>{text}</p>" if text else ""

    def block(self, node):
        if node.tag == "simplesect":
            title = node.findtext("title") or TITLES.get(node.get("kind"), node.get("kind"))
            return f"<dl><dt>{html.escape(title)}</dt><dd>{self.blocks(node)}</dd></dl>"
        if node.tag == "parameterlist":
            items = "".join(f"<li><code>{html.escape(i.findtext('.//parametername') or '')}</code> "
                            f"{self.blocks(i.find('parameterdescription'))}</li>" for i in node.findall("parameteritem"))
            return f"<dl><dt>{TITLES[node.get('kind')]}</dt><dd><ul class='params'>{items}</ul></dd></dl>"
        if node.tag == "itemizedlist":
            return "<ul>" + "".join(f"<li>{self.blocks(i)}</li>" for i in node.findall("listitem")) + "</ul>"
        if node.tag == "programlisting":
            lines = [self.inline(line) for line in node.findall("codeline")]
            return "<pre>" + re.sub(r"</?a[^>]*>", "", "\n".join(lines)) + "</pre>"
        return f"<pre>{html.escape(node.text or '')}</pre>"

    def description(self, node):
        sections = re.split(r"(?=<dl><dt>)", self.blocks(node.find("detaileddescription")))
        return self.blocks(node.find("briefdescription")) + "\n" + "".join(closed_late(s) for s in sections)

    def brief(self, node):
        return re.sub(r"</?(p|a)\b[^>]*>", "", self.blocks(node.find("briefdescription")))

    # Members

    def entry(self, name, members):
        parts = [f'<h3 id="{html.escape(name)}">{html.escape(name)}</h3>']
        before = None
        for member in members:
            text = self.description(member)
            signature = f"<pre>{html.escape(signature_of(member))}</pre>"
            if text == before:
                parts.insert(-1, signature)
            else:
                parts += [signature, text]
            if member.get("kind") == "enum":
                parts.append("<ul>" + "".join(f"<li><code>{v.findtext('name')}</code> {self.description(v)}</li>"
                                              for v in member.findall("enumvalue")) + "</ul>")
            before = text
        return "\n".join(parts)

    def entries(self, members):
        by_name = {}
        for member in sorted(members, key=place):
            by_name.setdefault(member.findtext("name"), []).append(member)
        rows = "".join(f'<tr><td><a href="#{html.escape(n)}"><code>{html.escape(n)}</code></a></td>'
                       f"<td>{self.brief(m[0])}</td></tr>" for n, m in by_name.items())
        return f"<table>{rows}</table>\n" + "\n".join(self.entry(n, m) for n, m in by_name.items())

    def class_page(self, node):
        name = class_name(node.findtext("compoundname"))
        header = node.find("location").get("file")
        parts = [f"<h1>{name}</h1>", f"<pre>#include &lt;{header}&gt;</pre>", self.description(node), "<h2>Members</h2>",
                 self.entries([m for m in node.iter("memberdef") if shown(m)])]
        return name, "\n".join(parts)

    def index_page(self):
        members = [m for m in self.namespace.iter("memberdef") if shown(m)]
        inner = [m for n in self.inner for m in n.iter("memberdef") if shown(m)]
        found = [(place(c), class_name(c.findtext("compoundname")), page_of(c.findtext("compoundname")), c) for c in self.classes]
        found += [(place(m), m.findtext("name"), "#" + m.findtext("name"), m) for m in members + self.macros + inner]
        groups = "\n".join(self.index_group(title, [f"weft/{h}.hpp" for h in headers], found) for title, headers in GROUPS)
        left = [name for (file, _), name, _, _ in found if not any(file == f"weft/{h}.hpp" for _, hs in GROUPS for h in hs)]
        if left:
            sys.exit(f"reference.py: in no group of the index: {', '.join(left)}")
        return ("<h1>Reference</h1>\n<p>Every public name, out of the comments of the headers. "
                "<code>asio</code> stands for <code>boost::asio</code>; what is not in another namespace is in "
                "<code>weft</code>. <code>#include &lt;weft.hpp&gt;</code> includes all headers.</p>\n"
                f"{groups}\n<h2>Functions, aliases, enumerations and macros</h2>\n{self.entries(members + self.macros)}\n"
                + "\n".join(self.inner_namespace(n) for n in self.inner))

    def index_group(self, title, headers, found):
        rows = {}
        for (file, _), name, target, node in sorted((f for f in found if f[0][0] in headers),
                                                    key=lambda f: (headers.index(f[0][0]), f[0][1])):
            rows.setdefault(name, f'<tr><td><a href="{html.escape(target)}"><code>{html.escape(name)}</code></a></td>'
                            f"<td>{self.brief(node)}</td><td><code>{file}</code></td></tr>")
        return f"<h2>{title}</h2>\n<table><tr><th>Name</th><th></th><th>Header</th></tr>{''.join(rows.values())}</table>"

    def inner_namespace(self, node):
        name = shortened(node.findtext("compoundname"))
        return (f'<h2 id="{name}">Namespace {name}</h2>\n{self.description(node)}\n'
                f'{self.entries([m for m in node.iter("memberdef") if shown(m)])}')


def closed_late(section):
    """With what follows the titled paragraph up to the next title inside it: Doxygen ends it at a blank line."""
    end = section.rfind("</dd></dl>")
    return section if end == -1 else section[:end] + section[end + 10:] + "</dd></dl>\n"


def described(member):
    return bool("".join(member.find("briefdescription").itertext()).strip())


def shown(member):
    return member.get("prot") in ("public", "protected", None) and described(member)


def place(member):
    where = member.find("location")
    return where.get("file"), int(where.get("line"))


def signature_of(member):
    """As it is declared, without constraints."""
    kind, name = member.get("kind"), member.findtext("name")
    of_type = shortened("".join(member.find("type").itertext())) if member.find("type") is not None else ""
    arguments = shortened(member.findtext("argsstring") or "")
    parameters = []
    for p in member.findall("./templateparamlist/param"):
        constraint = "".join(p.find("type").itertext()) + (p.findtext("defval") or "")
        if "enable_if" not in constraint:
            text = shortened("".join(p.find("type").itertext())) + " " + (p.findtext("declname") or "")
            default = "".join(p.find("defval").itertext()) if p.find("defval") is not None else ""
            parameters.append(text.strip() + (f" = {shortened(default)}" if default else ""))
    head = f"template <{', '.join(parameters)}>\n" if parameters else ""
    if kind == "define":
        return f"#define {name}"
    if kind == "enum":
        return f"enum class {name}"
    if kind == "typedef":
        return f"{head}using {name} = {public(of_type.removeprefix('typedef '))};"
    if kind == "variable":
        return f"{head}{of_type} {name} {public(member.findtext('initializer') or '')}".rstrip() + ";"
    explicit = "explicit " if member.get("explicit") == "yes" else ""
    static = "static " if member.get("static") == "yes" else ""
    friend = "friend " if kind == "friend" and not of_type.startswith("friend") else ""
    return re.sub(r" +", " ", f"{head}{static}{explicit}{friend}{of_type} ".lstrip(" ") + f"{name}{arguments};").replace("( ", "(")


def main():
    folder, navigation, style, version, out = sys.argv[1:]
    reference = Reference(folder)
    with open(navigation, encoding="utf-8") as f:
        navigation = f.read().replace("{revnumber}", version)
    with open(style, encoding="utf-8") as f:
        style = f.read()
    pages = {page_of(c.findtext("compoundname")): reference.class_page(c) for c in reference.classes}
    pages["reference.html"] = ("Reference", reference.index_page())
    for name, (title, body) in pages.items():
        with open(os.path.join(out, name), "w", encoding="utf-8") as f:
            f.write(f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="UTF-8">\n'
                    f'<meta name="viewport" content="width=device-width, initial-scale=1.0">\n'
                    f'<meta name="color-scheme" content="light dark">\n<title>{html.escape(title)}</title>\n'
                    f"<style>{style}\nnav.pages a[href='reference.html'] {{ font-weight: 600; color: inherit; }}\n"
                    f"</style>\n</head>\n<body class=\"reference\">\n{navigation}\n"
                    f'<div id="content">\n{body}\n</div>\n</body>\n</html>\n')


if __name__ == "__main__":
    main()
