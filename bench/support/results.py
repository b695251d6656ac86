# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

"""The file of results: how it is read, checked and looked things up in. Standard library only."""

import json
import math
import re
import statistics
import sys

SCHEMA = "weft-bench-1"

# What a question's own file and the merged one must say, and in what form.
QUESTION = {"question": str, "operation": str, "unit": str, "comparable": bool, "quick": bool,
            "rounds": int, "machine": dict, "cells": list}
CELL = {"row": str, "threads": int, "column": str, "median": (int, float), "best": (int, float),
        "spread": (int, float), "round_medians": list, "cores": (int, float),
        "foreign": (int, float)}


class Bad(Exception):
    """What the user gave cannot be used; the text says why."""


def fail(error):
    """Ends the program as the tools of this folder do with bad input."""
    print(f"{sys.argv[0].rsplit('/', 1)[-1]}: {error}", file=sys.stderr)
    sys.exit(2)


def load_json(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except OSError as error:
        raise Bad(f"{path}: {error.strerror}") from error
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise Bad(f"{path}: not JSON: {error}") from error


def require(where, value, fields):
    if not isinstance(value, dict):
        raise Bad(f"{where}: not an object")
    for name, kind in fields.items():
        if name not in value:
            raise Bad(f"{where}: no '{name}'")
        if not isinstance(value[name], kind) or (isinstance(value[name], bool) and kind is not bool):
            raise Bad(f"{where}: '{name}' is of another kind than it should be")
        if isinstance(value[name], float) and not math.isfinite(value[name]):
            raise Bad(f"{where}: '{name}' is no number")


def check_question(where, question):
    require(where, question, QUESTION)
    where = f"{where}: {question['question']}"
    for cell in question["cells"]:
        require(where, cell, CELL)


def load(path):
    results = load_json(path)
    if not isinstance(results, dict) or "schema" not in results:
        raise Bad(f"{path}: no file of results: it names no schema")
    if results["schema"] != SCHEMA:
        raise Bad(f"{path}: schema '{results['schema']}', not '{SCHEMA}'")
    require(path, results, {"date": str, "label": str, "quick": bool, "machine": dict,
                            "questions": list, "instructions": list})
    for question in results["questions"]:
        check_question(path, question)
    for counted in results["instructions"]:
        require(path, counted, {"question": str, "row": str, "column": str,
                                "per_operation": (int, float), "repeats": list})
    return results


def cells(results):
    """Every cell by (question, row, threads, column)."""
    return {(q["question"], c["row"], c["threads"], c["column"]): (q, c)
            for q in results["questions"] for c in q["cells"]}


def host_kind(machine):
    """Says what kind of machine it was, not which."""
    cpu = re.sub(r"\((r|tm)\)|\bprocessor\b|\bcpu\b|@.*|\d+-core", " ", machine["cpu"].lower())
    words = re.findall(r"[a-z0-9]+", cpu) or ["unknown"]
    return "-".join([f"{machine['cores']}-core"] + words)


# The families of questions, as they are shown.
FAMILIES = (
    ("Scheduler", ("post_inside", "one_thread", "post_outside", "chain", "fan_out", "fib", "skynet", "yield",
                   "spawn_await", "spawn_batch", "timer_churn", "ping_pong", "wake")),
    ("Locks", ("lock", "lock_held", "permits")),
    ("Channels and rings", ("channel_spsc", "channel_mpmc", "ring_spsc", "ring_mpmc")),
    ("Network", ("echo", "echo_latency", "http_keepalive", "accept_churn")),
)

# Questions with many cells and with bounds, which have a page each: what is measured (None: the
# value), its name, and what weft's may be relative to Asio's, at most or, of a rate, at least.
BOUNDS = {
    "latency_matrix": ((None, "p50", 1.05), ("p90", "p90", 1.05), ("p99", "p99", 1.05),
                       ("p99.9", "p99.9", 1.15), ("per second", "requests per second", 1.0)),
    "lateness": ((None, "timer p50", 1.2), ("timer max", "timer max", 2.0),
                 ("socket p50", "socket p50", 1.2), ("socket max", "socket max", 2.0),
                 ("signal p50", "signal p50", 1.2), ("signal max", "signal max", 2.0),
                 ("post p50", "post p50", 1.2), ("post max", "post max", 2.0)),
}
RATES = ("per second",)

# Which column speaks for weft, the first that a question has.
OURS = ("weft::io_context", "weft/weft", "weft on weft", "weft")

# Short iterations with enough cores: fewer have no median worth comparing.
ENOUGH_KEPT = 10

# Columns that are not compared with the first of their question.
COMPARED_WITH = {"weft/weft any": "channel/asio any",
                 "weft::io_context, no hint": "asio::io_context, no hint"}

# Two columns differ if their ratio is further from 1 than this, and than their spreads.
LEAST = 0.10
# So few iterations do not know their own spread, and so few rounds have to agree.
FEW = 5
LEAST_OF_FEW = 0.33
# What is judged by rounds alone: fewer do not show a spread.
ENOUGH_ROUNDS = 3
# A core of a virtual machine may be twice as fast for some seconds as for the next, which the
# spread within fewer rounds does not show.
LEAST_OF_ONE_SPEED = 1.0

# Of what is measured beside a latency, by names: less is better, and few requests decide it.
TAILS = ("p99", "p99.9")


def rows(question):
    """The rows of a question in their order."""
    return list(dict.fromkeys(c["row"] for c in question["cells"]))


def ours(question):
    names = {c["column"] for c in question["cells"]}
    return next((name for name in OURS if name in names), None)


def reference(question, column=None):
    """The column that the others, or this one, are compared with."""
    if column in COMPARED_WITH:
        return COMPARED_WITH[column]
    return question["cells"][0]["column"] if question["cells"] else None


def cell(question, row, threads, column):
    return next((c for c in question["cells"]
                 if (c["row"], c["threads"], c["column"]) == (row, threads, column)), None)


def typical_threads(results, question):
    """As many threads as the machine has cores, or the next that was measured."""
    cores = results["machine"]["cores"]
    measured = sorted({c["threads"] for c in question["cells"]})
    return min(measured, key=lambda t: (abs(t - cores), t)) if measured else None


def ratio(question, own, other):
    """Of times, the median of the rounds: above 1, `own` is faster. None if they cannot be compared.

    Every round is compared with itself, since what else the machine did changes between them."""
    each = ratio_of_each_round(question, own, other)
    return statistics.median(each) if each else None


def ratio_of_each_round(question, own, other):
    """Of times; none where they cannot be compared."""
    if not question["comparable"] or not own or not other or own["best"] <= 0:
        return []
    pairs = list(zip(other["round_medians"], own["round_medians"]))
    return [] if any(b <= 0 for _, b in pairs) else [a / b for a, b in pairs]


def verdict(question, own, other):
    """'win', 'loss' or 'even', of a cell beside the one that it is compared with."""
    each = ratio_of_each_round(question, own, other)
    if not each:
        return None
    paired = statistics.median(each)
    best = other["best"] / own["best"]
    few = min(own.get("iterations", 0), other.get("iterations", 0)) < FEW
    least = LEAST_OF_ONE_SPEED if len(each) < ENOUGH_ROUNDS else LEAST_OF_FEW if few else LEAST
    noise = max(least, (own["spread"] + other["spread"]) / 2)
    away = max(paired, 1 / paired) - 1
    have_to_agree = [best, *(each if len(each) < FEW else ())]
    if away <= noise or any((one > 1) != (paired > 1) for one in have_to_agree):
        return "even"
    return "win" if paired > 1 else "loss"


def extra(cell, name):
    """What was measured beside the value, as a cell of its own; None if its rounds are too few."""
    rounds = cell.get("extra_rounds", {}).get(name, [])
    if len(rounds) < ENOUGH_ROUNDS:
        return None
    middle = statistics.median(rounds)
    low, _, high = statistics.quantiles(rounds, n=4, method="inclusive")
    return {"median": middle, "best": min(rounds), "iterations": len(rounds),
            "spread": (high - low) / middle if middle > 0 else 0.0, "round_medians": rounds}


def extra_verdict(question, own, other, name):
    """As of the value itself, by the rounds; what cannot be judged is 'even'."""
    mine, theirs = extra(own, name), extra(other, name)
    if mine is None or theirs is None:
        return "even"
    return verdict(question, mine, theirs) or "even"


def late_client(own, other, name):
    """Whether the client missed its times by so much more with one of two columns that it explains
    half of the difference between them, or more. Both share the machine: whose fault it was is not
    to be known."""
    late = [extra(cell, "late " + name) for cell in (own, other)]
    found = [extra(cell, name) for cell in (own, other)]
    if None in late or None in found:
        return False
    return (2 * abs(late[0]["median"] - late[1]["median"])
            >= abs(found[0]["median"] - found[1]["median"]))


def relative(own, other, name):
    """Of an extra, or of the value (None): the rounds' ratios, own over other, in their order."""
    mine, theirs = (c["round_medians"] if name is None else c.get("extra_rounds", {}).get(name, [])
                    for c in (own, other))
    pairs = [(a, b) for a, b in zip(mine, theirs) if b > 0]
    return sorted(a / b for a, b in pairs)


# Of rounds that fall either way by chance so many or more on one side are less likely than this.
CHANCE = 0.125


def holds(ratios_of_rounds, name, bound):
    """Whether the median of ratios, in the two digits that are shown, is within its bound; None if it
    is not, but in too few rounds to tell that from chance."""
    def within(ratio):
        return round(ratio, 2) >= bound if name in RATES else round(ratio, 2) <= bound
    if within(statistics.median(ratios_of_rounds)):
        return True
    count = len(ratios_of_rounds)
    beyond = sum(not within(ratio) for ratio in ratios_of_rounds)
    chance = sum(math.comb(count, k) for k in range(beyond, count + 1)) / 2 ** count
    return False if chance <= CHANCE else None


def is_overloaded(cell):
    """Whether more requests of an open loop were on their way than there are connections (Little's
    law): then some waited for one, and ever more of them, and latencies say how long that lasted."""
    case = load_case(cell["row"])
    return bool(case and case["load"] != "closed" and
                cell["extras"]["per second"] * cell["median"] / 1e6 > case["connections"])


def control(question):
    """The column that is measured once more, to see how much chance there is; None if there is none."""
    again = reference(question) + " again"
    return again if any(c["column"] == again for c in question["cells"]) else None


def bounded_cells(question, column=None):
    """A column's cell (weft's) and Asio's beside it, with the rounds' ratios of each figure that has a bound."""
    for own in question["cells"]:
        beside = cell(question, own["row"], own["threads"], reference(question))
        if own["column"] != (column or ours(question)) or beside is None:
            continue
        ratios_of = {title: relative(own, beside, name)
                     for name, title, _ in BOUNDS[question["question"]]}
        if all(ratios_of.values()):
            yield own, beside, ratios_of


def load_case(row):
    """What a row of latency_matrix says of itself; None if it is none."""
    said = re.fullmatch(r"(\d+) us( bimodal)?, (\d+) connections, (closed|\d+ %)(, coroutines)?", row)
    if not said:
        return None
    return {"work": int(said[1]), "shape": "bimodal" if said[2] else "constant",
            "connections": int(said[3]), "load": said[4],
            "style": "coroutines" if said[5] else "callbacks"}


def number(value):
    """As the tables of the programs print it."""
    if value is None:
        return "–"
    if abs(value) >= 1e5:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) < 99.95 else f"{value:.0f}"
