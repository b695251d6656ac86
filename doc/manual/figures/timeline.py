#!/usr/bin/env python3
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

"""Draws a part of a timeline that weft::trace::dump() or WEFT_TRACE has written, as SVG.

    timeline.py JSON FROM LENGTH [SVG]    from FROM microseconds after the first event on, LENGTH microseconds of it

The manual's timeline.svg is the HTTP file server of the examples with two threads, under the load of wrk:

    WEFT_TRACE=trace.json build/example/example/http_file_server --threads 2 --port 8080 FOLDER"""

import json
import os
import sys
from xml.sax.saxutils import escape

COLOURS = {"handler": "#8db7e0", "io": "#f0c987", "resumed": "#8db7e0", "operation": "#d9e8f8", "span": "#d9e8f8",
           "reactor": "#b9d8b0", "idle": "#e3e3e3", "asleep": "#f7f7f7"}
LEGEND = (("handler", "handler"), ("io", "I/O of a descriptor"), ("reactor", "look into the reactor"),
          ("idle", "looks for work"), ("asleep", "asleep"))
WIDTH, LEFT, ROW, GAP, TOP = 760, 74, 26, 34, 34


class Drawing:
    def __init__(self, begin, length):
        self.begin, self.length, self.parts = begin, length, []

    def x(self, time):
        inside = min(max(time, self.begin), self.begin + self.length)
        return LEFT + (inside - self.begin) / self.length * (WIDTH - LEFT - 12)

    def text(self, x, y, text, size=11, anchor="start", style=""):
        colour = "#5b6670" if style == "faint" else "#1d2329"
        self.parts.append(f'<text class="{style}" x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" '
                          f'fill="{colour}">{escape(text)}</text>')

    def slice(self, event, y, height):
        left, right = self.x(event["ts"]), self.x(event["ts"] + event["dur"])
        width = max(right - left, 0.4)
        self.parts.append(f'<rect class="slice" x="{left:.2f}" y="{y}" width="{width:.2f}" height="{height}" '
                          f'fill="{COLOURS.get(event["cat"], "#cccccc")}" stroke="#55616c" '
                          f'stroke-width="{0.5 if width > 2 else 0.1}"><title>{escape(event["name"])}, '
                          f'{event["dur"]:.1f} us</title></rect>')
        room = int(width / 5.6)
        if room >= 4:
            name = event["name"] if len(event["name"]) <= room else event["name"][:room - 2] + ".."
            self.parts.append(f'<text class="on-slice" x="{left + 3:.1f}" y="{y + height / 2 + 3.2:.1f}" font-size="9" '
                              f'fill="#1d2329">{escape(name)}</text>')


def overlaps(event, begin, end):
    return event["ts"] < end and event["ts"] + event["dur"] > begin


def depth_of(event, slices):
    return sum(1 for s in slices if s is not event and s["tid"] == event["tid"] and s["ts"] <= event["ts"]
               and s["ts"] + s["dur"] >= event["ts"] + event["dur"])


def draw(path, start, length):
    with open(path, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    first = min(e["ts"] for e in events if "ts" in e)
    begin = first + start
    d = Drawing(begin, length)
    slices = [e for e in events if e["ph"] == "X" and overlaps(e, begin, begin + length)]
    names = {e["tid"]: e["args"]["name"].split(" (")[0] for e in events if e["name"] == "thread_name"}
    rows = {tid: TOP + i * (ROW + GAP) for i, tid in enumerate(sorted({s["tid"] for s in slices}))}
    for tid, y in rows.items():
        d.text(8, y + ROW / 2 + 4, names[tid])
    for s in sorted(slices, key=lambda s: -s["dur"]):
        inner = min(depth_of(s, slices), 2)
        d.slice(s, rows[s["tid"]] + 7 * inner, ROW - 7 * inner)
    flows = {}
    for e in events:
        if e["ph"] in "sf" and begin <= e["ts"] <= begin + length and e["tid"] in rows:
            flows.setdefault(e["id"], {})[e["ph"]] = e
    for f in flows.values():
        if len(f) == 2:
            a, b = f["s"], f["f"]
            ya, yb = rows[a["tid"]], rows[b["tid"]]
            ya, yb = (ya + ROW, yb) if ya < yb else (ya, yb + ROW)
            xa, xb = d.x(a["ts"]), d.x(b["ts"])
            d.parts.append(f'<path class="arrow" d="M{xa:.1f} {ya} C{xa:.1f} {(ya + yb) / 2} {xb:.1f} {(ya + yb) / 2} '
                           f'{xb:.1f} {yb}" fill="none" stroke="#b3541e" stroke-width="1.1"/>')
            d.text((xa + xb) / 2 + 4, (ya + yb) / 2 + 4, a["name"], 9, style="faint")
    height = TOP + len(rows) * (ROW + GAP) + 26
    for i in range(6):
        x = d.x(begin + length * i / 5)
        d.parts.append(f'<path class="frame" d="M{x:.1f} 22 V{height - 44}" stroke="#b8c2cb" stroke-width="0.6"/>')
        d.text(x, 16, f"{length * i / 5:.0f} us", 10, "middle" if i < 5 else "end", "faint")
    x = LEFT
    for kind, name in LEGEND:
        d.parts.append(f'<rect x="{x}" y="{height - 26}" width="14" height="12" fill="{COLOURS[kind]}" stroke="#55616c" '
                       f'stroke-width="0.5"/>')
        d.text(x + 19, height - 16, name, 10, style="faint")
        x += 34 + 6.1 * len(name)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
            f'font-family="DejaVu Sans, Liberation Sans, sans-serif" role="img">\n<title>A timeline of an HTTP server '
            f'with two workers</title>\n' + "\n".join(d.parts) + "\n</svg>\n")


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    svg = sys.argv[4] if len(sys.argv) == 5 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "timeline.svg")
    with open(svg, "w", encoding="utf-8") as out:
        out.write(draw(sys.argv[1], float(sys.argv[2]), float(sys.argv[3])))
