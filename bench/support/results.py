# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

"""The file of results: how it is read, checked and looked things up in. Standard library only."""

import json
import math
import re
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


def number(value):
    """As the tables of the programs print it."""
    if value is None:
        return "–"
    if abs(value) >= 1e5:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) < 99.95 else f"{value:.0f}"
