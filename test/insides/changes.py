#!/usr/bin/env python3
# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

"""An Asio whose insides have changed makes weft fail to compile, with a sentence that names what it relied on.

usage: changes.py WEFT BOOST_INCLUDE COMPILER...

Each case puts a changed copy of one of Asio's headers in front of the real ones and compiles."""

import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

SENTENCE = "weft relies on insides of Boost.Asio that this version has changed: expected "
VERSION = "(Boost 1.81)"

DESCRIPTOR = "src/reactor/descriptor.cpp"
DRIVER = "src/reactor/driver.cpp"
FUNCTION = "src/reactor/function_of.cpp"
SLOT = "src/reactor/thread_slot.cpp"
TIMERS = "src/sched/timers.cpp"
COROUTINE = """#include <weft.hpp>
#include <boost/asio/awaitable.hpp>
boost::asio::awaitable<void, weft::io_context::executor_type> f(weft::mutex& m) { co_await m.async_lock(); }
"""

# Header, every match of this, what stands there instead, what the sentence names, what is compiled.
CASES = [
    ("scheduler.hpp", r"\bone_thread_", "single_thread_", "a member scheduler::one_thread_", DRIVER),
    ("scheduler.hpp", r"const bool one_thread_", "const int one_thread_", "bool const scheduler::one_thread_", DRIVER),
    ("scheduler.hpp", r"const bool one_thread_", "bool one_thread_", "bool const scheduler::one_thread_", DRIVER),
    ("scheduler.hpp", r"\boutstanding_work_", "unfinished_work_", "a member scheduler::outstanding_work_", DRIVER),
    ("scheduler.hpp", r"atomic_count outstanding_work_", "long outstanding_work_",
        "atomic_count scheduler::outstanding_work_", DRIVER),
    ("scheduler.hpp", r"\bmutex_\b", "lock_", "a member scheduler::mutex_", DRIVER),
    ("scheduler.hpp", r"mutable mutex mutex_", "mutable int mutex_", "bool scheduler::mutex_.enabled()", DRIVER),
    ("scheduler.hpp", r"\bwakeup_event_\b", "event_", "a member scheduler::wakeup_event_", DRIVER),
    ("scheduler.hpp", r"\bevent wakeup_event_", "int wakeup_event_", "wait_for_usec(lock, long) and", DRIVER),
    ("conditionally_enabled_event.hpp", r"\bmaybe_unlock_and_signal_one", "try_to_signal",
        "maybe_unlock_and_signal_one(lock) of wakeup_event_", DRIVER),
    ("scheduler.hpp", r"\bop_queue_\b", "operations_", "a member scheduler::op_queue_", DRIVER),
    ("scheduler.hpp", r"op_queue<operation> op_queue_", "int op_queue_",
        "op_queue<scheduler_operation> scheduler::op_queue_", DRIVER),
    ("scheduler.hpp", r"\btask_operation_\b", "task_mark_", "a member scheduler::task_operation_", DRIVER),
    ("scheduler.hpp", r"\btask_interrupted_\b", "interrupted_", "a member scheduler::task_interrupted_", DRIVER),
    ("scheduler.hpp", r"bool task_interrupted_", "int task_interrupted_", "bool scheduler::task_interrupted_", DRIVER),
    ("call_stack.hpp", r"Key\* key_;", "const void* key_;", "thread_context* call_stack::context::key_", SLOT),
    ("call_stack.hpp", r"Value\* value_;", "const void* value_;", "thread_info_base* call_stack::context::value_", SLOT),
    ("scheduler.hpp", r"void work_started\(\)", "void work_started(int)", "scheduler::work_started()", DRIVER),
    ("scheduler.hpp", r"bool own_thread = true", "int* own_thread = nullptr", "scheduler(execution_context&", DRIVER),
    ("scheduler_task.hpp", r"long usec", "long long usec", "scheduler_task::run(long, ", DRIVER),
    ("scheduler_task.hpp", r"void interrupt\(\)", "void interrupt(int)", "scheduler_task::interrupt()", DRIVER),
    ("scheduler_operation.hpp", r"\btask_result_", "result_", "scheduler_operation::task_result_", DRIVER),
    ("scheduler_operation.hpp", r"unsigned int task_result_", "std::size_t task_result_",
        "unsigned scheduler_operation::task_result_", DRIVER),
    ("scheduler_operation.hpp", r"void destroy\(\)", "void destroy(int)", "scheduler_operation::destroy()", DRIVER),
    ("scheduler_operation.hpp", r"void complete\(void\* owner", "void complete(int, void* owner",
        "scheduler_operation::complete(", DRIVER),
    ("scheduler_operation.hpp", r"\bfunc_\b", "function_", "a member scheduler_operation::func_", FUNCTION),
    ("scheduler_operation.hpp", r"typedef void \(\*func_type\)\(void\*,", "typedef void (*func_type)(int, void*,",
        "void (*scheduler_operation::func_)(void*, ", FUNCTION),
    ("op_queue.hpp", r"next\(Operation\* o\)", "next(Operation* o, int, int)", "op_queue_access::next(", DRIVER),
    ("scheduler_thread_info.hpp", r"\bprivate_op_queue", "own_op_queue", "scheduler_thread_info::private_op_queue",
        "src/sched/scheduler.cpp"),
    ("scheduler_thread_info.hpp", r"\blong private_outstanding_work", "int private_outstanding_work",
        "long scheduler_thread_info::private_outstanding_work", "src/sched/scheduler.cpp"),
    ("thread_context.hpp", r"\bthread_call_stack;", "call_stack_of_thread;", "thread_context::thread_call_stack",
        "src/sched/scheduler.cpp"),
    ("call_stack.hpp", r"static Value\* contains\(", "static Value* find(", "thread_context::thread_call_stack",
        "src/sched/scheduler.cpp"),
    ("call_stack.hpp", r"context\(Key\* k, Value& v\)", "context(Key* k, Value& v, int)", "thread_call_stack::context(",
        "src/sched/scheduler.cpp"),
    ("../impl/awaitable.hpp", r"\bafter_suspend\b", "when_suspended", "awaitable_frame_base::after_suspend(", COROUTINE),
    ("../impl/awaitable.hpp", r"\bdetach_thread\b", "give_thread", "awaitable_frame_base::detach_thread()", COROUTINE),
    ("../impl/awaitable.hpp", r"\bresume\(result_type&", "go_on(result_type&", "awaitable_async_op_handler::resume(",
        COROUTINE),
    ("../impl/awaitable.hpp", r"void\* operator new\(std::size_t size\)", "void* operator new(std::size_t size, int)",
        "awaitable_frame_base::operator new(size_t)", COROUTINE),
    ("wait_op.hpp", r"\bec_;", "error_;", "error_code wait_op::ec_", TIMERS),
    ("wait_op.hpp", r"\bcancellation_key_", "key_", "void* wait_op::cancellation_key_", TIMERS),
    ("timer_queue_base.hpp", r"virtual bool empty\(\) const = 0;", "virtual bool empty(int) const = 0;",
        "the virtual functions of timer_queue_base", DRIVER),
    ("epoll_reactor.hpp", r"void schedule_timer\(", "void start_timer(", "schedule_timer(queue, time, data, wait_op*)",
        DRIVER),
    ("epoll_reactor.hpp", r"mutex mutex_;\n    epoll_reactor\*", "mutex lock_; epoll_reactor*",
        "a member epoll_reactor::descriptor_state::mutex_", DESCRIPTOR),
    ("epoll_reactor.hpp", r"mutex mutex_;\n    epoll_reactor\*", "int mutex_; epoll_reactor*",
        "conditionally_enabled_mutex epoll_reactor::descriptor_state::mutex_", DESCRIPTOR),
    ("conditionally_enabled_mutex.hpp", r"\bmutex_;", "lock_;", "a member conditionally_enabled_mutex::mutex_",
        DESCRIPTOR),
    ("conditionally_enabled_mutex.hpp", r"boost::asio::detail::mutex mutex_;", "int mutex_;",
        "posix_mutex conditionally_enabled_mutex::mutex_", DESCRIPTOR),
    ("posix_mutex.hpp", r"\bmutex_;", "lock_;", "a member posix_mutex::mutex_", DESCRIPTOR),
    ("posix_mutex.hpp", r"::pthread_mutex_t mutex_;", "int mutex_;", "pthread_mutex_t posix_mutex::mutex_", DESCRIPTOR),
    ("epoll_reactor.hpp", r"\bop_queue_\[", "operations_[", "a member epoll_reactor::descriptor_state::op_queue_",
        DESCRIPTOR),
    ("epoll_reactor.hpp", r"op_queue<reactor_op> op_queue_\[max_ops\]", "op_queue<operation> op_queue_[max_ops]",
        "op_queue<reactor_op> epoll_reactor::descriptor_state::op_queue_[max_ops]", DESCRIPTOR),
    ("epoll_reactor.hpp", r"\btry_speculative_", "is_speculative_",
        "a member epoll_reactor::descriptor_state::try_speculative_", DESCRIPTOR),
    ("epoll_reactor.hpp", r"bool try_speculative_\[max_ops\]", "int try_speculative_[max_ops]",
        "bool epoll_reactor::descriptor_state::try_speculative_[max_ops]", DESCRIPTOR),
]

# Since Boost 1.92 another member chooses the queue.
LATER = [
    ("scheduler.hpp", r"\bassume_continuation_", "continuation_", "a member scheduler::assume_continuation_", DRIVER),
    ("scheduler.hpp", r"const bool assume_continuation_", "const int assume_continuation_",
        "bool const scheduler::assume_continuation_", DRIVER),
]
EARLIER = [
    ("scheduler.hpp", r"const bool one_thread_;", "const bool one_thread_; const bool assume_continuation_ = true;",
        "a member scheduler::assume_continuation_", DRIVER),
]


def compile_with(compiler, weft, boost, overlay, source, standard):
    # Asio's function bodies stay out of it: what the change breaks in them is not the question.
    command = [*compiler, f"-std=c++{standard}", "-fsyntax-only", "-w", "-DWEFT_ENABLE_FRAME_RECYCLING",
        "-DBOOST_ASIO_SEPARATE_COMPILATION", "-I", overlay, "-I", boost, "-I", os.path.join(weft, "include"),
        "-I", os.path.join(weft, "src"), source]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stderr


def check(case, weft, boost, compiler):
    header, pattern, replacement, expected, source = case
    with tempfile.TemporaryDirectory() as folder:
        if source == COROUTINE:
            path, standard = os.path.join(folder, "coroutine.cpp"), 20
            with open(path, "w", encoding="utf-8") as f:
                f.write(source)
        else:
            path, standard = os.path.join(weft, source), 17
        name = os.path.normpath(os.path.join("boost/asio/detail", header))
        overlay = os.path.join(folder, "changed")
        os.makedirs(os.path.dirname(os.path.join(overlay, name)))
        with open(os.path.join(boost, name), encoding="utf-8") as f:
            changed, count = re.subn(pattern, replacement, f.read())
        if count == 0:
            return f"{header}: nothing matches {pattern}"
        with open(os.path.join(overlay, name), "w", encoding="utf-8") as f:
            f.write(changed)
        status, output = compile_with(compiler, weft, boost, overlay, path, standard)
    if status == 0:
        return f"{header}: {pattern} -> {replacement}: compiles"
    if not any(SENTENCE in line and expected in line and VERSION in line for line in output.splitlines()):
        return f"{header}: {pattern} -> {replacement}: no sentence about {expected}:\n{output[:2000]}"
    return None


def main():
    weft, boost, *compiler = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        for source in (DESCRIPTOR, DRIVER, SLOT, FUNCTION, "src/sched/scheduler.cpp"):
            status, output = compile_with(
                compiler, weft, boost, folder, os.path.join(weft, source), 17)
            if status != 0:
                print(f"{source} does not compile unchanged:\n{output[:2000]}")
                return 1
    with open(os.path.join(boost, "boost/asio/detail/scheduler.hpp"), encoding="utf-8") as f:
        has_later = "assume_continuation_" in f.read()
    cases = CASES + (LATER if has_later else EARLIER)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        problems = [p for p in pool.map(lambda c: check(c, weft, boost, compiler), cases) if p]
    print("\n".join(problems) if problems else f"{len(cases)} changes are found")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
