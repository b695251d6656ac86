# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0
"""Trees to check, for the self-tests of the laws in this folder."""

import os
import tempfile


def problems_in(files, check):
    """What check(root) finds in a tree of these files: their texts by their paths."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            full = os.path.join(root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as f:
                f.write(text)
        return check(root)
