// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_PLATFORM_PROBE_HPP
#define WEFT_SRC_PLATFORM_PROBE_HPP

// Static probes (USDT) for bpftrace, perf and SystemTap, which attach to them while the program
// runs: with WEFT_USDT each is a nop and a note in the file of the program, without it nothing. The
// probes and their arguments are in doc/manual/production.adoc.

#if defined(WEFT_USDT)

#if !__has_include(<sys/sdt.h>)
#error "WEFT_USDT needs <sys/sdt.h> (Debian: systemtap-sdt-dev)"
#endif

#include <sys/sdt.h>

#define WEFT_PROBE2(name, a, b) DTRACE_PROBE2(weft, name, a, b)
#define WEFT_PROBE3(name, a, b, c) DTRACE_PROBE3(weft, name, a, b, c)
#define WEFT_PROBE4(name, a, b, c, d) DTRACE_PROBE4(weft, name, a, b, c, d)

#else

#define WEFT_PROBE2(name, a, b) static_cast<void>(0)
#define WEFT_PROBE3(name, a, b, c) static_cast<void>(0)
#define WEFT_PROBE4(name, a, b, c, d) static_cast<void>(0)

#endif

#endif // WEFT_SRC_PLATFORM_PROBE_HPP
