#!/usr/bin/env python3
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

"""refusals.py ROOT BOOST COMPILER: configurations of Boost.Asio that weft does not work with are refused by
weft/config.hpp, with a sentence that says why, and others are not."""

import os
import subprocess
import sys
import tempfile

root, boost, compiler = sys.argv[1:]
folder = tempfile.mkdtemp()


def compiled(text, *macros):
    source = os.path.join(folder, "source.cpp")
    with open(source, "w") as file:
        file.write(text)
    return subprocess.run(
        [compiler, "-std=c++17", "-fsyntax-only", "-w", "-I", os.path.join(root, "include"), "-I", boost]
        + ["-D" + macro for macro in macros] + [source], capture_output=True, text=True)


def asio_is_at_least(version):
    return compiled("#include <boost/asio/version.hpp>\n"
                    f"static_assert(BOOST_ASIO_VERSION >= {version});\n").returncode == 0


problems = []


def expect(refusal, *macros):
    """refusal: the beginning of what #error says, or None."""
    result = compiled("#include <weft/config.hpp>\n", *macros)
    if refusal is None and result.returncode != 0:
        problems.append(f"{macros}: refused\n{result.stderr}")
    if refusal is not None and (result.returncode == 0 or f'#error "{refusal}' not in result.stderr
                                and f'error: "{refusal}' not in result.stderr):
        problems.append(f"{macros}: not refused with: {refusal}\n{result.stderr}")


old_io_uring = None if asio_is_at_least(102802) else "weft needs Boost 1.83 for io_uring"
expect(None)
expect("weft needs threads", "BOOST_ASIO_DISABLE_THREADS")
expect(None, "BOOST_ASIO_DISABLE_EPOLL")
# For files only, beside epoll.
expect(None, "BOOST_ASIO_HAS_IO_URING")
expect(old_io_uring, "BOOST_ASIO_HAS_IO_URING", "BOOST_ASIO_DISABLE_EPOLL")
expect(old_io_uring, "BOOST_ASIO_HAS_IO_URING", "BOOST_ASIO_HAS_IO_URING_AS_DEFAULT")

print("\n".join(problems))
sys.exit(1 if problems else 0)
