#!/usr/bin/env python3
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

"""monitor_page.py URL PICTURE [BROWSER]: loads the page of example/programs/monitor in a headless Chromium, checks that
it shows the workers, their busy share, delays and locks, and keeps a picture of it. The server works meanwhile (--load)."""

import html.parser
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

# Of the page in its light colours: first lines and bars; second lines; the reactor in bars.
FIRST, SECOND, REACTOR = (0x25, 0x63, 0xeb), (0xd9, 0x77, 0x06), (0x05, 0x96, 0x69)


class Page(html.parser.HTMLParser):
    """The texts of the rows of each table, and of each box of an element with an id."""

    def __init__(self):
        super().__init__()
        self.inside = []
        self.rows = {}
        self.texts = {}

    def handle_starttag(self, tag, attributes):
        if tag in ("meta", "br", "link"):
            return
        attributes = dict(attributes)
        self.inside.append((tag, attributes.get("id")))
        table = self.innermost()
        if tag == "tr" and table:
            self.rows.setdefault(table, []).append([])
        elif tag in ("td", "th") and table:
            self.rows[table][-1].append("")
        elif tag == "div" and table and self.inside[-2][0] in ("td", "th"):
            # A bar: how wide its parts are.
            self.rows[table][-1][-1] = "bar"
        elif table and self.rows.get(table) and self.rows[table][-1] and self.rows[table][-1][-1].startswith("bar"):
            self.rows[table][-1][-1] += " " + attributes.get("style", "")

    def handle_endtag(self, tag):
        while self.inside and self.inside.pop()[0] != tag:
            pass

    def handle_data(self, text):
        where = self.innermost()
        if not where:
            return
        self.texts[where] = self.texts.get(where, "") + " " + text.strip()
        if self.inside[-1][0] in ("td", "th"):
            self.rows[where][-1][-1] += text

    def innermost(self):
        return next((name for _, name in reversed(self.inside) if name), None)


def pixels(path):
    """How often each colour occurs in a PNG of 8 bits for each channel."""
    with open(path, "rb") as f:
        data = f.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colours, _, _, interlaced = struct.unpack(">IIBBBBB", body)
            assert depth == 8 and colours in (2, 6) and not interlaced
        elif kind == b"IDAT":
            packed += body
        at += 12 + size
    step = 3 if colours == 2 else 4
    raw, line, found = zlib.decompress(packed), bytearray(width * step), {}
    for y in range(height):
        begin = y * (width * step + 1)
        line = unfiltered(raw[begin], bytearray(raw[begin + 1:begin + 1 + width * step]), line, step)
        for x in range(0, width * step, step):
            colour = tuple(line[x:x + 3])
            found[colour] = found.get(colour, 0) + 1
    return found


def unfiltered(kind, line, above, step):
    for i in range(len(line)):
        left = line[i - step] if i >= step else 0
        corner = above[i - step] if i >= step else 0
        if kind == 1:
            line[i] = (line[i] + left) & 255
        elif kind == 2:
            line[i] = (line[i] + above[i]) & 255
        elif kind == 3:
            line[i] = (line[i] + (left + above[i]) // 2) & 255
        elif kind == 4:
            guess = left + above[i] - corner
            nearest = min((abs(guess - left), 0, left), (abs(guess - above[i]), 1, above[i]), (abs(guess - corner), 2, corner))
            line[i] = (line[i] + nearest[2]) & 255
    return line


def browse(browser, folder, url, *options):
    # A budget of virtual time: the page looks once in a second of it.
    command = [browser, "--headless", "--disable-gpu", "--no-sandbox", "--hide-scrollbars", "--no-first-run",
        "--disable-dev-shm-usage", f"--user-data-dir={folder}", "--virtual-time-budget=15000", *options, url]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


def check(page, colours):
    problems = []

    def expect(holds, what):
        if not holds:
            problems.append(what)

    numbers = page.texts.get("numbers", "")
    for name in ("handlers per second", "busy", "queue delay p99", "run time p99", "wake latency p50",
        "outstanding work", "I/O events per second"):
        expect(re.search(re.escape(name) + r" +[0-9.]+", numbers), f"no number '{name}' in: {numbers}")
    expect(page.texts.get("state", "").strip().startswith("as of"), f"the page says: {page.texts.get('state')}")

    workers = page.rows.get("workers", [])[1:]
    expect(len(workers) >= 2, f"no two workers: {workers}")
    for worker in workers:
        expect(worker[1].startswith("bar") and "width" in worker[1], f"no bar: {worker}")
        expect(re.fullmatch(r"[0-9]+ %", worker[2]), f"no busy share: {worker}")
    expect(any(worker[3] != "0" for worker in workers), f"nobody runs handlers: {workers}")
    locks = page.rows.get("primitives", [])[1:]
    expect(any(lock[:2] == ["table", "mutex"] for lock in locks), f"not the lock of the table: {locks}")

    # More than the keys below the pictures have, which are there without lines and bars: 440, 352 and 88.
    for name, colour, least in (("first", FIRST, 600), ("second", SECOND, 500), ("reactor's", REACTOR, 80)):
        expect(colours.get(colour, 0) >= least, f"{colours.get(colour, 0)} pixels of the {name} colour")
    return problems


def main():
    url, picture = sys.argv[1:3]
    browser = sys.argv[3] if len(sys.argv) > 3 else shutil.which("chromium") or shutil.which("google-chrome")
    if not browser:
        print("monitor_page.py: no chromium here")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        # By the same colours everywhere; fonts may differ.
        page = Page()
        page.feed(browse(browser, folder, url, "--dump-dom"))
        browse(browser, folder, url, "--window-size=1000,900", f"--screenshot={os.path.abspath(picture)}")
    problems = check(page, pixels(picture))
    print("\n".join(problems) if problems else
        f"{len(page.rows['workers']) - 1} workers, {len(page.rows['primitives']) - 1} locks and channels: {picture}")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
