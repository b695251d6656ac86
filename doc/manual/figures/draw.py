#!/usr/bin/env python3
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

"""Draws the figures of the manual as SVG.

    draw.py            writes them beside this script
    draw.py --check    ends with 1 if a written one is not what it would write

Colours are those of light pages; the style sheet of the manual changes them, by class, on dark ones."""

import os
import sys
from xml.sax.saxutils import escape

FILL = {"box": "#eef2f6", "strong": "#d9e8f8", "warm": "#fdf0d9"}
EDGE = "#55616c"


class Figure:
    """A drawing that grows by boxes, arrows and texts, in pixels from its top left corner."""

    def __init__(self, title, width, height):
        self.title, self.width, self.height = title, width, height
        self.parts = []

    def text(self, x, y, lines, size=14, anchor="middle", style="", weight="normal"):
        lines = lines if isinstance(lines, list) else [lines]
        y -= (len(lines) - 1) * size * 0.62
        colour = "#5b6670" if style == "faint" else "#1d2329"
        for line in lines:
            self.parts.append(f'<text class="{style}" x="{x}" y="{y + size * 0.35:.1f}" font-size="{size}" '
                              f'font-weight="{weight}" text-anchor="{anchor}" fill="{colour}">{escape(line)}</text>')
            y += size * 1.24

    def box(self, x, y, w, h, lines, kind="box", size=14):
        self.parts.append(f'<rect class="{kind}" x="{x}" y="{y}" width="{w}" height="{h}" rx="6" fill="{FILL[kind]}" '
                          f'stroke="{EDGE}" stroke-width="1.2"/>')
        self.text(x + w / 2, y + h / 2, lines, size)

    def frame(self, x, y, w, h, label):
        self.parts.append(f'<rect class="frame" x="{x}" y="{y}" width="{w}" height="{h}" rx="9" fill="none" '
                          f'stroke="#b8c2cb" stroke-width="1.2" stroke-dasharray="5 4"/>')
        self.text(x + 12, y + 16, label, 13, "start", "faint")

    def arrow(self, points, label=None, at=None, anchor="middle", both=False):
        """Along the points; the label is centred at `at`."""
        path = " ".join(f"{'L' if i else 'M'}{x} {y}" for i, (x, y) in enumerate(points))
        self.parts.append(f'<path class="arrow" d="{path}" fill="none" stroke="{EDGE}" stroke-width="1.5"/>')
        self.head(points[-2], points[-1])
        if both:
            self.head(points[1], points[0])
        if label:
            self.text(at[0], at[1], label, 12.5, anchor, "faint")

    def head(self, before, tip):
        dx, dy = tip[0] - before[0], tip[1] - before[1]
        length = (dx * dx + dy * dy) ** 0.5
        dx, dy = dx / length, dy / length
        a = (tip[0] - 9 * dx - 4.5 * dy, tip[1] - 9 * dy + 4.5 * dx)
        b = (tip[0] - 9 * dx + 4.5 * dy, tip[1] - 9 * dy - 4.5 * dx)
        self.parts.append(f'<path class="head" d="M{tip[0]} {tip[1]} L{a[0]:.1f} {a[1]:.1f} L{b[0]:.1f} {b[1]:.1f} Z" '
                          f'fill="{EDGE}"/>')

    def svg(self):
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" width="{self.width}" '
                f'height="{self.height}" font-family="DejaVu Sans, Liberation Sans, sans-serif" role="img">\n'
                f'<title>{escape(self.title)}</title>\n' + "\n".join(self.parts) + "\n</svg>\n")


def overview():
    f = Figure("The parts of weft and what they stand on", 760, 400)
    f.box(30, 20, 700, 44, "your program: sockets, timers, coroutines, Boost.Beast, Boost.MySQL, ...", "warm")
    f.box(30, 104, 220, 58, ["mutex, semaphore,", "shared_mutex"])
    f.box(270, 104, 220, 58, "channel")
    f.box(510, 104, 220, 58, ["strand, steady_timer,", "awaitable"])
    f.arrow([(140, 64), (140, 104)])
    f.arrow([(380, 64), (380, 104)])
    f.arrow([(620, 64), (620, 104)])
    f.box(30, 202, 700, 50, "executor: post, defer, dispatch on io_context or thread_pool", "strong")
    for x in (140, 380, 620):
        f.arrow([(x, 162), (x, 202)])
    f.box(30, 292, 340, 84, ["scheduler", "a queue for each thread, stealing, sleeping"], "strong")
    f.box(390, 292, 340, 84, ["Asio's reactor", "epoll or io_uring, one for each context"])
    f.arrow([(200, 252), (200, 292)])
    f.arrow([(560, 292), (560, 272), (300, 272), (300, 292)], "completed operations", (430, 282))
    return f


def scheduler():
    f = Figure("Where work is: slots, rings, the injection queue and the reactor", 780, 480)
    f.box(20, 20, 190, 50, ["threads outside", "the context"], "warm")
    f.box(400, 20, 190, 50, "injection queue", "strong")
    f.arrow([(210, 45), (400, 45)], "post", (305, 34))
    for i, x in enumerate((20, 295, 570)):
        f.frame(x, 130, 190, 216, f"worker {i + 1}, in run()")
        f.box(x + 25, 162, 140, 38, "LIFO slot")
        f.box(x + 25, 216, 140, 54, ["ring of 256,", "first in, first out"], "strong", 13)
        f.box(x + 25, 290, 140, 38, "running handler", "warm")
        f.arrow([(x + 95, 270), (x + 95, 290)])
        f.arrow([(x + 165, 309), (x + 178, 309), (x + 178, 243), (x + 165, 243)])
        f.arrow([(x + 25, 309), (x + 12, 309), (x + 12, 181), (x + 25, 181)])
    f.arrow([(570, 235), (485, 235)], ["steals", "half"], (528, 214))
    f.arrow([(430, 70), (430, 100), (115, 100), (115, 130)], "a batch", (260, 89))
    f.arrow([(470, 130), (470, 100), (545, 100), (545, 70)], "the newest half of a full ring", (556, 89), "start")
    f.text(390, 364, "right side: post goes to the back of the ring; left side: a continuation goes to the slot", 12.5,
           style="faint")
    f.box(235, 406, 310, 54, ["Asio's reactor, behind the driver lock:", "one worker at a time looks or sleeps in it"])
    f.arrow([(235, 433), (115, 433), (115, 346)], ["completions,", "into the ring"], (127, 396), "start")
    return f


def sleeping():
    f = Figure("How a worker goes to sleep without losing a wake-up", 780, 430)
    f.text(185, 22, "a worker without work", 15, weight="bold")
    f.text(605, 22, "whoever publishes work", 15, weight="bold")
    left = [("steal: nothing found", "box"), ("announce: make the event counter\u00a0even, and remember it", "strong"),
            ("look everywhere once more", "box"), ("commit: sleep, unless the counter\u00a0has changed", "strong"),
            ("sleep: on a futex, or in the reactor", "warm")]
    for i, (words, kind) in enumerate(left):
        f.box(40, 44 + i * 74, 290, 48, words.split("\u00a0"), kind)
        if i:
            f.arrow([(185, 44 + i * 74 - 26), (185, 44 + i * 74)])
    right = [("put it into a queue", "box"), ("if the event counter is even,\u00a0make it odd", "strong"),
             ("wake one sleeper,\u00a0unless somebody searches already", "strong")]
    for i, (words, kind) in enumerate(right):
        f.box(460, 44 + i * 74, 290, 48, words.split("\u00a0"), kind)
        if i:
            f.arrow([(605, 44 + i * 74 - 26), (605, 44 + i * 74)])
    f.arrow([(330, 142), (460, 142)], both=True, label="one atomic word", at=(395, 130))
    f.arrow([(460, 216), (395, 216), (395, 364), (330, 364)], ["wakes the sleeper, who", "begins again, as a searcher"],
            (406, 330), "start")
    f.arrow([(40, 290), (18, 290), (18, 68), (40, 68)])
    f.text(24, 412, "left edge: the counter has changed, so there may be work; the worker looks again", 12.5, "start", "faint")
    return f


def locks():
    f = Figure("The states of the one word of a lock", 780, 370)
    f.box(30, 110, 190, 70, ["FREE", "holds the free permits"], "strong")
    f.box(295, 110, 190, 70, ["ONE", "points to one waiter"], "box")
    f.box(560, 110, 190, 70, ["LIST", "several wait, in a list"], "box")
    f.arrow([(220, 130), (295, 130)], ["the first", "waits"], (257, 100))
    f.arrow([(295, 160), (220, 160)], ["served or", "cancelled"], (257, 190))
    f.arrow([(485, 130), (560, 130)], ["a second", "waits"], (522, 100))
    f.arrow([(655, 180), (655, 240), (125, 240), (125, 180)], "the last of the list is served or cancelled", (390, 228))
    f.arrow([(90, 110), (90, 70), (160, 70), (160, 110)], ["take or give back:", "one compare-exchange"], (125, 44))
    f.box(295, 290, 190, 54, ["CLOSED", "for good"], "warm")
    f.arrow([(60, 180), (60, 317), (295, 317)], "close(), from any state", (175, 305))
    return f


def channel():
    f = Figure("A value's way through a channel", 760, 360)
    f.box(20, 140, 120, 60, "sender", "warm")
    f.box(620, 140, 120, 60, "receiver", "warm")
    f.frame(220, 90, 320, 160, "ring: exactly capacity slots, each with a stamp")
    for i in range(6):
        f.box(240 + i * 48, 130, 40, 60, "", "strong" if 1 <= i <= 3 else "box")
    f.text(308, 214, "head", 13)
    f.text(452, 214, "tail", 13)
    f.arrow([(308, 206), (308, 192)])
    f.arrow([(452, 206), (452, 192)])
    f.arrow([(140, 160), (220, 160)], ["claim the tail,", "write, stamp"], (180, 130))
    f.arrow([(540, 160), (620, 160)], ["claim the head,", "read, stamp"], (580, 130))
    f.box(220, 20, 150, 46, ["senders that wait,", "with their values"], size=13)
    f.box(390, 20, 150, 46, "receivers that wait", size=13)
    f.arrow([(80, 140), (80, 43), (220, 43)], "full", (140, 32))
    f.arrow([(680, 140), (680, 43), (540, 43)], "empty", (615, 32))
    f.arrow([(295, 66), (295, 90)])
    f.arrow([(465, 90), (465, 66)])
    f.text(380, 290, "Whoever makes room, or brings a value, performs the operation for the one that has waited longest.", 13)
    f.text(380, 314, "Nobody is woken to try again; a receiver that is cancelled has taken nothing.", 13)
    return f


FIGURES = {"overview": overview, "scheduler": scheduler, "sleeping": sleeping, "locks": locks, "channel": channel}


def main():
    stale = []
    for name, draw in FIGURES.items():
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".svg")
        wanted = draw().svg()
        if sys.argv[1:] == ["--check"]:
            if not os.path.exists(path) or open(path, encoding="utf-8").read() != wanted:
                stale.append(name)
        else:
            with open(path, "w", encoding="utf-8") as f:
                f.write(wanted)
    if stale:
        sys.exit("draw.py: not what it draws: " + ", ".join(stale))


if __name__ == "__main__":
    main()
