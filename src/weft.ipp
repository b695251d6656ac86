// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// All sources of the library, for <weft/impl/src.hpp>: a line for each, and each can come first.
// Not one_in_program.cpp, which is about shared libraries (test/layers/header_only.py).

#include "platform/cheap_clock.cpp"
#include "platform/futex.cpp"
#include "platform/mutex.cpp"
#include "platform/object_file.cpp"
#include "platform/parker.cpp"
#include "platform/process_fence.cpp"
#include "platform/recycler.cpp"
#include "platform/stack_of_thread.cpp"
#include "platform/symbols.cpp"
#include "platform/this_thread.cpp"

#include "trace/chrome_json.cpp"
#include "trace/crash.cpp"
#include "trace/raw_file.cpp"
#include "trace/recorder.cpp"
#include "trace/timeline.cpp"
#include "trace/type_names.cpp"
#include "trace/wait_names.cpp"
#include "trace/where.cpp"

#include "reactor/descriptor.cpp"
#include "reactor/driver.cpp"
#include "reactor/function_of.cpp"
#include "reactor/reactor_watch.cpp"
#include "reactor/thread_slot.cpp"

#include "sched/inspection.cpp"
#include "sched/pool_threads.cpp"
#include "sched/scheduler.cpp"
#include "sched/spare_threads.cpp"
#include "sched/strand_core.cpp"
#include "sched/timers.cpp"
#include "sched/trace_control.cpp"

#include "wait/handler_names.cpp"
#include "wait/primitive_service.cpp"
#include "wait/wait_times.cpp"

#include "drain.cpp"
#include "drain_report.cpp"
#include "dump.cpp"
#include "io_context.cpp"
#include "metrics.cpp"
#include "prometheus_text.cpp"
#include "run_blocking.cpp"
#include "thread_pool.cpp"
#include "to_json.cpp"
#include "trace.cpp"
#include "validate.cpp"

#include "watchdog/report.cpp"
#include "watchdog/watch_list.cpp"
#include "watchdog/watch_service.cpp"
#include "watchdog/watchdog.cpp"
#include "watchdog/watched_context.cpp"
