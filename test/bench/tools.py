#!/usr/bin/env python3
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

"""What the benchmarks' tools make of files whose content is known: no measuring here."""

import copy
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COLUMNS = ("asio::io_context", "weft::io_context", "weft::thread_pool")
MACHINE = {"cpu": "Some(R) CPU @ 2.00GHz", "cores": 2, "kernel": "Linux 6", "compiler": "g++ 12",
           "boost": "1.81", "optimised": True}
QUANTILES = (0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999, 0.9995, 0.9999, 1)


def cell(rng, row, threads, column, middle, noise):
    """21 iterations in 7 rounds of something that takes about `middle`."""
    values = [middle * rng.uniform(1 - noise, 1 + noise) for _ in range(21)]
    quarters = statistics.quantiles(values, n=4)
    return {"row": row, "threads": threads, "column": column,
            "median": statistics.median(values), "best": min(values),
            "spread": (quarters[2] - quarters[0]) / statistics.median(values), "iterations": 21,
            "round_medians": [statistics.median(values[i:i + 3]) for i in range(0, 21, 3)],
            "cpu_per_operation": middle, "cores": 1.0, "foreign": 0.01,
            "allocations_per_operation": 0.0}


def question(rng, name, rows, noise):
    cells = [cell(rng, row, threads, column, 100.0, noise)
             for row in rows for threads in (1, 2, 8) for column in COLUMNS]
    return {"question": name, "operation": "an operation", "unit": "ns/op", "comparable": True,
            "quick": False, "rounds": 7, "machine": MACHINE, "cells": cells}


def measured(seed, noise=0.05):
    rng = random.Random(seed)
    questions = [question(rng, name, rows, noise) for name, rows in
                 (("chain", ("1 chain", "8 chains")), ("yield", ("8 coroutines",)), ("echo", ("64",)))]
    idle = question(rng, "idle_cpu", ("idle",), noise)
    idle.update(comparable=False, unit="us of CPU per second,")
    latency = question(rng, "wake", ("every 500 us",), noise)
    for c in latency["cells"]:
        c["quantiles"] = [[q, 100 / (1.001 - q)] for q in QUANTILES]
    counted = [{"question": "chain", "row": "1 chain", "column": "weft::io_context",
                "per_operation": 64.0 + rng.uniform(-0.1, 0.1), "repeats": [64.0, 64.1]}]
    return {"schema": "weft-bench-1", "date": "2026-01-01T00:00Z", "label": "v0", "quick": False,
            "options": [], "machine": MACHINE, "libraries": {},
            "questions": questions + [idle, latency], "instructions": counted}


class Tool(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, content):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content if isinstance(content, str) else json.dumps(content))
        return path

    def run_tool(self, tool, *arguments):
        return subprocess.run([sys.executable, "-B", os.path.join(ROOT, "bench", tool), *arguments],
                              capture_output=True, text=True, check=False, timeout=60)


class Compare(Tool):
    def compare(self, old, new, *options):
        return self.run_tool("compare", self.write("old.json", old), self.write("new.json", new),
                             *options)

    def slowed(self, factor, noise=0.05):
        new = measured(2, noise)
        victim = new["questions"][0]["cells"][4]
        for name in ("median", "best"):
            victim[name] *= factor
        victim["round_medians"] = [m * factor for m in victim["round_medians"]]
        return new, f"chain / {victim['row']} / {victim['threads']} threads / {victim['column']}"

    def test_quiet_on_noise(self):
        for seed in range(2, 10):
            for noise in (0.01, 0.05, 0.3):
                result = self.compare(measured(1, noise), measured(seed, noise))
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                self.assertIn(" 0 worse, 0 better, 0 gone", result.stdout)

    def test_finds_the_one_regression(self):
        new, where = self.slowed(1.3)
        result = self.compare(measured(1), new)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn(" 1 worse, 0 better", result.stdout)
        self.assertIn(f"worse  {where}", result.stdout)

    def test_an_improvement_is_no_failure(self):
        new, where = self.slowed(1 / 1.3)
        result = self.compare(measured(1), new)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn(f"better {where}", result.stdout)

    def test_within_the_noise_of_a_noisy_cell(self):
        new, _ = self.slowed(1.3, noise=0.6)
        result = self.compare(measured(1, 0.6), new)
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_a_busy_machine_raises_medians_but_not_the_best(self):
        new, _ = self.slowed(1.3)
        new["questions"][0]["cells"][4]["best"] = 95.0
        result = self.compare(measured(1), new)
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_least(self):
        new, _ = self.slowed(1.3)
        self.assertEqual(self.compare(measured(1), new, "--least", "50").returncode, 0)

    def test_only(self):
        new, _ = self.slowed(1.3)
        self.assertEqual(self.compare(measured(1), new, "--only", "asio::io_context").returncode, 0)
        self.assertEqual(self.compare(measured(1), new, "--only", "weft::io").returncode, 1)

    def test_allocations(self):
        new = measured(2)
        new["questions"][0]["cells"][0]["allocations_per_operation"] = 1.0
        result = self.compare(measured(1), new)
        self.assertEqual(result.returncode, 1)
        self.assertIn("0.000 -> 1.000 allocations", result.stdout)

    def test_instructions(self):
        new = measured(2)
        new["instructions"][0]["per_operation"] = 70.0
        result = self.compare(measured(1), new)
        self.assertEqual(result.returncode, 1)
        self.assertIn("instructions", result.stdout)

    def test_crowded(self):
        old, new = measured(1), measured(2)
        for results, value in ((old, 100.0), (new, 150.0)):
            results["questions"][0]["cells"][0]["crowded"] = {
                "cores_at_least": 1.35, "kept": 50, "made": 60, "median": value, "spread": 0.1}
        result = self.compare(old, new)
        self.assertEqual(result.returncode, 1)
        self.assertIn("crowded: 100 -> 150", result.stdout)
        new["questions"][0]["cells"][0]["crowded"]["kept"] = 3
        self.assertEqual(self.compare(old, new).returncode, 0)

    def test_what_was_not_verified_is_gone(self):
        new = measured(2)
        del new["questions"][0]["cells"][4]
        result = self.compare(measured(1), new)
        self.assertEqual(result.returncode, 1)
        self.assertIn("gone   chain", result.stdout)

    def test_questions_not_asked_again(self):
        new = measured(2)
        del new["questions"][0]
        self.assertEqual(self.compare(measured(1), new).returncode, 0)

    def assert_refused(self, result, text):
        self.assertEqual(result.returncode, 2, result.stdout)
        self.assertIn(text, result.stderr)
        self.assertNotIn("Traceback", result.stderr)

    def test_bad_input(self):
        good = measured(1)
        self.assert_refused(self.run_tool("compare", "/nowhere.json", "/nowhere.json"),
                            "/nowhere.json: No such file")
        self.assert_refused(self.compare(good, "{"), "not JSON")
        self.assert_refused(self.compare(good, "[1]"), "names no schema")
        self.assert_refused(self.compare(dict(good, schema="other-7"), good), "schema 'other-7'")
        for field in ("questions", "machine", "date"):
            broken = copy.deepcopy(good)
            del broken[field]
            self.assert_refused(self.compare(broken, good), f"no '{field}'")
        broken = copy.deepcopy(good)
        broken["questions"][0]["cells"][0]["median"] = "fast"
        self.assert_refused(self.compare(good, broken), "'median'")
        self.assert_refused(self.compare(good, dict(good, questions=[], instructions=[])),
                            "no cell in common")
        self.assert_refused(self.compare(good, good, "--least", "0"), "--least")

    def test_other_machines(self):
        other = dict(measured(2), machine=dict(MACHINE, cpu="Another"))
        self.assert_refused(self.compare(measured(1), other), "different cpu")
        self.assertEqual(self.compare(measured(1), other, "--force").returncode, 0)

    def test_idle_contexts(self):
        old, new = measured(1), measured(2)
        for results, value in ((old, 0.0), (new, 5.0)):
            results["questions"][-2]["cells"][0].update(median=value, best=value, spread=0.1)
        self.assertEqual(self.compare(old, new).returncode, 0)
        new["questions"][-2]["cells"][0].update(median=500.0, best=400.0)
        self.assertEqual(self.compare(old, new).returncode, 1)

    def test_a_busy_machine_is_mentioned(self):
        busy = measured(2)
        for q in busy["questions"]:
            for c in q["cells"]:
                c["foreign"] = 0.5
        self.assertIn("other processes", self.compare(measured(1), busy).stderr)


class Merge(Tool):
    def test_makes_one_file(self):
        rng = random.Random(1)
        paths = [self.write(f"{name}.json", dict(question(rng, name, ("a",), 0.1), label="v1"))
                 for name in ("chain", "fib")]
        result = self.run_tool("merge", *paths, "--directory", self.folder.name, "--options",
                               "--quick -t=1")
        self.assertEqual(result.returncode, 0, result.stderr)
        path = result.stdout.strip()
        self.assertTrue(path.endswith("-2-core-some.json"), path)
        with open(path, encoding="utf-8") as file:
            merged = json.load(file)
        self.assertEqual([q["question"] for q in merged["questions"]], ["chain", "fib"])
        self.assertEqual(merged["options"], ["--quick", "-t=1"])
        self.assertEqual(merged["label"], "v1")
        self.assertEqual(self.run_tool("compare", path, path).returncode, 0)

    def test_puts_the_parts_of_a_question_together(self):
        rng = random.Random(1)
        parts = [dict(question(rng, "chain", (row,), 0.1), label="v1") for row in ("a", "b")]
        parts[1]["rounds"] = 5
        paths = [self.write(f"{i}.json", part) for i, part in enumerate(parts)]
        result = self.run_tool("merge", *paths, "--directory", self.folder.name)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(result.stdout.strip(), encoding="utf-8") as file:
            whole, = json.load(file)["questions"]
        self.assertEqual({c["row"] for c in whole["cells"]}, {"a", "b"})
        self.assertEqual(len(whole["cells"]), sum(len(part["cells"]) for part in parts))
        self.assertEqual(whole["rounds"], 5)
        result = self.run_tool("merge", *paths, paths[0], "--directory", self.folder.name)
        self.assertEqual(result.returncode, 2)
        self.assertIn("chain: in two files: a, 1 threads, asio::io_context", result.stderr)

    def test_refuses_what_does_not_belong_together(self):
        rng = random.Random(1)
        paths = [self.write(f"{label}.json", dict(question(rng, "chain", ("a",), 0.1), label=label))
                 for label in ("v1", "v2")]
        result = self.run_tool("merge", *paths, "--directory", self.folder.name)
        self.assertEqual(result.returncode, 2)
        self.assertIn("differ in 'label'", result.stderr)


class Page(Tool):
    def report(self, results, *options):
        path = self.write("results.json", results)
        result = self.run_tool("report", path, "--directory", self.folder.name, *options)
        if result.returncode != 0:
            return result, ""
        with open(os.path.join(self.folder.name, "benchmarks.md"), encoding="utf-8") as file:
            return result, file.read()


class Report(Page):
    def test_a_loss_stands_beside_the_wins(self):
        results = measured(1)
        cells = results["questions"][0]["cells"]
        for i, c in enumerate(cells):
            if c["column"] == "weft::io_context":
                slow = c["row"] == "1 chain" and c["threads"] == 2
                beside, factor = cells[i - 1], 2.0 if slow else 0.5
                self.assertEqual(beside["column"], "asio::io_context")
                c.update(round_medians=[factor * v for v in beside["round_medians"]],
                         best=factor * beside["best"])
        result, page = self.report(results, "--no-pictures")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(page, r"(?s)### Where weft loses.*\| chain: 1 chain \| 2 \| weft::io_context")
        self.assertIn("(0.50× ▼)", page)
        self.assertIn("(2.00× ▲)", page)
        self.assertIn("`bench/run.sh -- chain`", page)
        self.assertNotIn("| chain: 8 chains | 2 | weft", page)

    def in_rounds(self, *rounds_of_both):
        """The sign of weft's chain where the rounds of Asio's and of its own take so long."""
        results = measured(1)
        beside, own = results["questions"][0]["cells"][:2]
        self.assertEqual((beside["column"], own["column"]), ("asio::io_context", "weft::io_context"))
        for c, rounds in zip((beside, own), map(list, zip(*rounds_of_both))):
            c.update(round_medians=rounds, best=min(rounds), median=statistics.median(rounds), spread=0.02)
        line = next(l for l in self.report(results, "--no-pictures")[1].splitlines()
                    if l.startswith("| 1 chain | 1 |"))
        return "".join(re.findall("[▲▼]", line.split("|")[4]))

    def test_a_core_of_two_speeds_decides_nothing_in_few_rounds(self):
        slower, other_speed = (100, 180), (200, 190)
        self.assertEqual(self.in_rounds(slower), "")
        self.assertEqual(self.in_rounds(slower, slower), "")
        self.assertEqual(self.in_rounds(slower, slower, slower), "▼")
        self.assertEqual(self.in_rounds(slower, slower, other_speed), "")
        self.assertEqual(self.in_rounds(slower, slower, slower, slower, other_speed), "▼")
        self.assertEqual(self.in_rounds((100, 250)), "▼")
        self.assertEqual(self.in_rounds((100, 20)), "▲")

    def test_a_loss_with_the_cores_really_there(self):
        results = measured(1)
        for c, middle in zip(results["questions"][0]["cells"], (100.0, 150.0)):
            c["crowded"] = {"cores_at_least": 1.35, "kept": 50, "made": 60, "median": middle,
                            "spread": 0.1}
        line = "chain: 1 chain, with the cores really there | 1 | weft::io_context"
        self.assertIn(line, self.report(results, "--no-pictures")[1])
        results["questions"][0]["cells"][0]["crowded"]["kept"] = 9
        self.assertNotIn(line, self.report(results, "--no-pictures")[1])

    def test_a_third_column_that_is_faster(self):
        results = measured(1)
        cells = results["questions"][0]["cells"]
        for c in cells:
            if c["column"] == "weft::thread_pool":
                c.update(column="asio::thread_pool", best=c["best"] / 2,
                         round_medians=[v / 2 for v in c["round_medians"]])
        page = self.report(results, "--no-pictures")[1]
        self.assertIn("| chain: 8 chains | 8 | weft::io_context | asio::thread_pool |", page)

    def test_what_was_measured_beside_the_value(self):
        results = measured(1)
        for c in results["questions"][-1]["cells"]:
            c["extras"] = {"p99": 4321.0}
        self.assertRegex(self.report(results, "--no-pictures")[1], r"weft::io_context \| .* \| 4321 \|")

    def with_tails(self, theirs, ours, late=None):
        """Rounds of p99 of the context's two columns, and of how late the client was with ours; what
        the row of two threads has."""
        results = measured(1)
        results["questions"][-1]["unit"] = "ns of latency, p50,"
        for c in results["questions"][-1]["cells"]:
            rounds = {COLUMNS[0]: theirs, COLUMNS[1]: ours}.get(c["column"])
            if rounds and c["threads"] == 2:
                c["extras"] = {"p99": statistics.median(rounds)}
                c["extra_rounds"] = {"p99": rounds}
                if late:
                    c["extra_rounds"]["late p99"] = late if rounds is ours else [10] * len(rounds)
        return self.report(results, "--no-pictures")[1]

    def test_a_tail_that_is_longer_in_every_round(self):
        page = self.with_tails([100, 110, 105], [300, 290, 310])
        self.assertIn("| wake: every 500 us, p99 | 2 | weft::io_context | asio::io_context | 105 | 300 |",
                      page)
        self.assertIn("shorter in 0 and longer in 1; shorter in another 0 and longer in 0,", page)
        self.assertIn("; 0 are undecided, 0 of them", page)

    def test_a_tail_that_is_shorter(self):
        page = self.with_tails([300, 290, 310], [100, 110, 105])
        self.assertNotIn("every 500 us, p99 |", page)
        self.assertIn("shorter in 1 and longer in 0; shorter in another 0 and longer in 0,", page)
        self.assertIn("; 0 are undecided, 0 of them", page)

    def test_tails_that_rounds_do_not_decide(self):
        for theirs, ours in (([100, 110, 2000, 90, 1500], [300, 80, 900, 4000, 250]),
                             ([100, 110, 105], [300, 99, 310]),
                             ([100, 110], [300, 290])):
            page = self.with_tails(theirs, ours)
            self.assertNotIn("every 500 us, p99 |", page)
            self.assertIn("shorter in 0 and longer in 0; shorter in another 0 and longer in 0,", page)
            self.assertIn("; 1 are undecided, 1 of them", page)

    def test_tails_with_a_client_that_was_late(self):
        # As late as with theirs, or by less than half of the difference.
        for late in ([10, 10, 10], [90, 100, 95]):
            page = self.with_tails([100, 110, 105], [300, 290, 310], late)
            self.assertIn("shorter in 0 and longer in 1; shorter in another 0 and longer in 0,", page)
        page = self.with_tails([100, 110, 105], [300, 290, 310], late=[110, 120, 115])
        self.assertNotIn("every 500 us, p99 |", page)
        self.assertIn("shorter in 0 and longer in 0; shorter in another 0 and longer in 1,", page)
        page = self.with_tails([300, 290, 310], [100, 110, 105], late=[400, 500, 450])
        self.assertIn("shorter in 0 and longer in 0; shorter in another 1 and longer in 0,", page)

    def test_says_what_few_cores_cannot_show(self):
        self.assertIn("2 cores cannot show", self.report(measured(1), "--no-pictures")[1])
        many = dict(measured(1), machine=dict(MACHINE, cores=64))
        self.assertNotIn("cannot show\n", self.report(many, "--no-pictures")[1])

    def test_bad_input(self):
        result, _ = self.report(dict(measured(1), questions=[]), "--no-pictures")
        self.assertEqual(result.returncode, 2)
        self.assertIn("no cell was verified", result.stderr)


EXTRAS = {"latency_matrix": ("p90", "p99", "p99.9", "max", "per second", "late p99", "late p99.9",
                             "overtakes p99", "overtakes max"),
          "lateness": ("timer max", "socket p50", "socket max", "signal p50", "signal max",
                       "post p50", "post max")}


def bounded(name, rows, factors=None, threads=(2,)):
    """Results of a question with bounds, seven rounds, in each of which weft has what Asio has, times
    what `factors` says of a row and a figure (None: the value); and rounds differ by far more."""
    rounds = [100.0, 900.0, 110.0, 105.0, 2000.0, 95.0, 107.0]
    cells = []
    for row in rows:
        for t in threads:
            for column in COLUMNS[:2]:
                def times(figure):
                    factor = (factors or {}).get((row, figure), 1.0) if column == COLUMNS[1] else 1.0
                    return [v * factor for v in rounds]
                cells.append({
                    "row": row, "threads": t, "column": column, "median": statistics.median(times(None)),
                    "best": min(times(None)), "spread": 0.1, "iterations": 7,
                    "round_medians": times(None), "cpu_per_operation": 10.0, "cores": 1.0,
                    "foreign": 0.01,
                    "extras": {e: statistics.median(times(e)) for e in EXTRAS[name]},
                    "extra_rounds": {e: times(e) for e in EXTRAS[name]}})
    results = measured(1)
    results["questions"].append({
        "question": name, "operation": "an operation", "unit": "us of latency, p50,",
        "comparable": True, "quick": False, "rounds": 7, "machine": MACHINE, "cells": cells})
    return results


class Bounds(Page):
    LATE = "300 us, 96 connections, closed"
    EVEN = "20 us bimodal, 8 connections, 80 %, coroutines"

    def pages(self, name, *arguments):
        result, page = self.report(bounded(name, *arguments), "--no-pictures")
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(os.path.join(self.folder.name, "benchmarks", f"{name}.md"), encoding="utf-8") as file:
            return page, file.read()

    def test_every_cell_has_a_page_and_what_is_late_stands_on_the_first(self):
        page, cells = self.pages("latency_matrix", (self.LATE, self.EVEN), {(self.LATE, "p99"): 3.0})
        self.assertIn("And in 1 of 2 cells of `latency_matrix`", page)
        all_hold, one_does_not = "2 / 0 / 0", "1 / 0 / 1"
        self.assertIn(f"| 2 | 2 | {all_hold} | {all_hold} | {one_does_not} | {all_hold} | {all_hold} | "
                      f"{one_does_not} |", page)
        self.assertIn(f"| {self.LATE} | 2 | 1.00 | 1.00 | 3.00 ▼ | 1.00 | 1.00 |", page)
        self.assertNotIn(self.EVEN, page)
        self.assertIn(f"| {self.LATE} | 2 | 107 / 107: 1.00 | 107 / 107: 1.00 | 107 / 321: 3.00 ▼ |", cells)
        self.assertIn(f"| {self.EVEN} | 2 |", cells)

    def test_a_bound_is_met_to_two_digits(self):
        for factor, count in ((1.054, 0), (1.056, 1)):
            page, _ = self.pages("latency_matrix", (self.LATE,), {(self.LATE, None): factor})
            self.assertIn(f"And in {count} of 1 cells", page)

    def test_of_a_rate_less_is_worse(self):
        for factor, count in ((1.5, 0), (0.9, 1)):
            page, _ = self.pages("latency_matrix", (self.LATE,), {(self.LATE, "per second"): factor})
            self.assertIn(f"And in {count} of 1 cells", page)

    def test_beyond_in_the_median_but_in_few_rounds(self):
        for beyond, mark in ((4, "▽"), (5, "▽"), (6, "▼"), (7, "▼")):
            results = bounded("latency_matrix", (self.LATE,))
            own = results["questions"][-1]["cells"][1]["extra_rounds"]
            own["p99"] = [v * (1.5 if i < beyond else 0.9) for i, v in enumerate(own["p99"])]
            page = self.report(results, "--no-pictures")[1]
            self.assertIn(f"And in {int(mark == '▼')} of 1 cells", page)
            with open(os.path.join(self.folder.name, "benchmarks", "latency_matrix.md"),
                      encoding="utf-8") as file:
                self.assertIn(f": 1.50 {mark} |", file.read())

    def test_what_asio_beside_itself_differs_by(self):
        results = bounded("latency_matrix", (self.LATE, self.EVEN))
        cells = results["questions"][-1]["cells"]
        for beside in [c for c in cells if c["column"] == COLUMNS[0]]:
            again = copy.deepcopy(beside)
            again["column"] += " again"
            if beside["row"] == self.EVEN:
                again["extra_rounds"]["p99.9"] = [2 * v for v in again["extra_rounds"]["p99.9"]]
            cells.append(again)
        page = self.report(results, "--no-pictures")[1]
        self.assertIn("And in 0 of 2 cells", page)
        self.assertIn("| 2, Asio again | 2 | 2 / 0 / 0 | 2 / 0 / 0 | 2 / 0 / 0 | 1 / 0 / 1 | 2 / 0 / 0 | 1 / 0 / 1 |", page)
        self.assertNotIn("Asio again", self.report(bounded("latency_matrix", (self.LATE,)), "--no-pictures")[1])

    def test_a_rate_with_which_asio_did_not_keep_up(self):
        row = "20 us, 8 connections, 95 %"
        for per_second, count in ((70_000, 0), (80_000, 1)):
            results = bounded("latency_matrix", (row,))
            results["questions"][-1]["cells"][0]["extras"]["per second"] = per_second
            page = self.report(results, "--no-pictures")[1]
            self.assertEqual(page.count("In 1 of them (†) Asio did not keep up"), count)

    def test_a_maximum_may_be_twice_as_late(self):
        row = "3 chains of 3 ms"
        for figure, factor, count in (("post max", 1.9, 0), ("post max", 2.1, 1),
                                      ("signal p50", 1.9, 1), (None, 1.3, 1)):
            page, cells = self.pages("lateness", (row,), {(row, figure): factor})
            self.assertIn(f"And in {count} of 1 cells of `lateness`", page)
            self.assertEqual(cells.count(" ▼ |"), count)

    def test_cells_with_bounds_are_not_counted_with_the_others(self):
        without = self.report(measured(1), "--no-pictures")[1]
        page, _ = self.pages("latency_matrix", (self.LATE,), {(self.LATE, None): 9.0})
        line = next(l for l in without.splitlines() if l.startswith("Of "))
        self.assertIn(line, page)

    def test_cores_that_stay_idle(self):
        results = measured(1)
        name = results["questions"][0]
        name["question"] = "oversubscribed"
        for c in name["cells"]:
            c["cores"] = 1.37 if c["column"] == "weft::io_context" else 1.98
        page = self.report(results, "--no-pictures")[1]
        self.assertRegex(page, r"\| 1 chain \| 8 \| [0-9,]+ \| [0-9,]+ \| [0-9.]+ \| 1.98 \| 1.37 \|")


class Instructions(Tool):
    @unittest.skipUnless(shutil.which("valgrind"), "no valgrind")
    def test_questions_after_options(self):
        result = self.run_tool("instructions", self.folder.name, "--repeats", "1", "chain")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("chain: not built, skipped", result.stderr)

    @unittest.skipUnless(shutil.which("valgrind"), "no valgrind")
    def test_nothing_is_counted_by_the_real_clock(self):
        program = self.write("chain", "#!/bin/sh\necho 1\n")
        os.chmod(program, 0o755)
        result = self.run_tool("instructions", self.folder.name, "--repeats", "1", "chain")
        self.assertEqual(result.returncode, 2)
        self.assertIn("build bench_slow_clock first", result.stderr)


class Plot(Tool):
    def test_says_what_is_missing(self):
        path = self.write("results.json", measured(1))
        result = subprocess.run(
            [sys.executable, "-B", os.path.join(ROOT, "bench", "plot"), path, self.folder.name],
            capture_output=True, text=True, check=False, timeout=60, env={"PATH": "/nowhere"})
        self.assertEqual(result.returncode, 2)
        self.assertIn("gnuplot-nox", result.stderr)

    @unittest.skipUnless(shutil.which("gnuplot"), "no gnuplot")
    def test_draws_all(self):
        path = self.write("results.json", bounded(
            "latency_matrix", (Bounds.LATE, Bounds.EVEN), {(Bounds.LATE, "p99"): 3.0}, (1, 2)))
        result = self.run_tool("plot", path, self.folder.name)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(os.path.join(self.folder.name, "latency_matrix.svg"), encoding="utf-8") as file:
            drawn = file.read()
        self.assertEqual(drawn.count(">3.00<"), 2)
        self.assertIn("2 threads, bimodal; open, 80 %", drawn)
        for name in ("ratios", "threads", "latency", "latency_matrix"):
            with open(os.path.join(self.folder.name, f"{name}.svg"), encoding="utf-8") as file:
                self.assertTrue(file.read().rstrip().endswith("</svg>"))


if __name__ == "__main__":
    unittest.main()
