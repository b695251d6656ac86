#!/usr/bin/env python3
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

"""monitor_scrape.py URL CONFIGURATION: has Prometheus scrape example/programs/monitor at that address, as the
configuration says but for the address, and asks it for what it has stored. The server works meanwhile (--load)."""

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

# A value that grows, one of a worker, and the buckets of a histogram.
QUERIES = ("sum(weft_handlers_total) > 0", "count(weft_worker_busy_seconds_total) >= 2",
           "histogram_quantile(0.99, weft_queue_delay_seconds_bucket) > 0")
PATIENCE = 120  # seconds; two scrapes are enough


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def answer(port, query):
    """The samples that Prometheus has for the query; none as long as it does not answer."""
    url = f"http://127.0.0.1:{port}/api/v1/query?" + urllib.parse.urlencode({"query": query})
    try:
        with urllib.request.urlopen(url, timeout=10) as reply:
            return json.load(reply)["data"]["result"]
    except OSError:
        return []


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[2], encoding="utf-8") as f:
        configuration = re.sub(r"127\.0\.0\.1:\d+", urllib.parse.urlsplit(sys.argv[1]).netloc, f.read())
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "prometheus.yml")
        with open(path, "w", encoding="utf-8") as f:
            f.write(configuration)
        with open(os.path.join(folder, "log"), "wb") as log:
            prometheus = subprocess.Popen(["prometheus", "--config.file=" + path, "--storage.tsdb.path=" + folder + "/data",
                                           f"--web.listen-address=127.0.0.1:{port}"], stdout=log, stderr=log)
        try:
            until = time.monotonic() + PATIENCE
            missing = list(QUERIES)
            while missing and prometheus.poll() is None and time.monotonic() < until:
                missing = [q for q in missing if not answer(port, q)]
                time.sleep(0.2)
        finally:
            prometheus.terminate()
            prometheus.wait()
        if missing:
            with open(os.path.join(folder, "log"), encoding="utf-8", errors="replace") as log:
                print(log.read(), file=sys.stderr)
            print("Prometheus has nothing for: " + "; ".join(missing), file=sys.stderr)
            return 1
    print("Prometheus has stored what the monitor told: " + "; ".join(QUERIES))
    return 0


if __name__ == "__main__":
    sys.exit(main())
