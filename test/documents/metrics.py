#!/usr/bin/env python3
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

"""Checks that the dashboard, the page of the metrics and the text speak of the same metrics.

    metrics.py ROOT"""

import json
import os
import re
import sys


def main():
    root = sys.argv[1]

    def text(path):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            return file.read()

    name = r"\bweft_[a-z_]+"
    written = set(re.findall(rf'"({name})"', text("src/prometheus_text.cpp")))
    documented = set(re.findall(rf"^\| (`{name}.*?) \|", text("doc/metrics.md"), re.M))
    documented = {found for cell in documented for found in re.findall(name, cell)}
    dashboard = json.loads(text("example/programs/monitor/grafana.json"))
    shown = {re.sub("_bucket$", "", found) for panel in dashboard["panels"] for target in panel["targets"]
        for found in re.findall(name, target["expr"])}
    problems = [f"{m} is in the text, and not documented" for m in sorted(written - documented)]
    problems += [f"{m} is documented, and not in the text" for m in sorted(documented - written)]
    problems += [f"{m} is on the dashboard, and not in the text" for m in sorted(shown - written)]
    if len(written) < 20 or len(shown) < 10:
        problems.append("hardly any metrics found")
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
