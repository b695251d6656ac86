// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// All sources of the library, for <weft/impl/src.hpp>: a line for each, and each can come first.
// Not one_in_program.cpp, which is about shared libraries (test/layers/header_only.py).

#include "platform/cheap_clock.cpp"
#include "platform/futex.cpp"
#include "platform/mutex.cpp"
#include "platform/parker.cpp"
#include "platform/process_fence.cpp"
#include "platform/recycler.cpp"
#include "platform/this_thread.cpp"

#include "reactor/driver.cpp"
#include "reactor/thread_slot.cpp"

#include "sched/inspection.cpp"
#include "sched/pool_threads.cpp"
#include "sched/scheduler.cpp"
#include "sched/spare_threads.cpp"
#include "sched/strand_core.cpp"
#include "sched/timers.cpp"

#include "wait/primitive_service.cpp"

#include "drain.cpp"
#include "drain_report.cpp"
#include "dump.cpp"
#include "io_context.cpp"
#include "metrics.cpp"
#include "prometheus_text.cpp"
#include "run_blocking.cpp"
#include "thread_pool.cpp"
#include "to_json.cpp"
#include "validate.cpp"
