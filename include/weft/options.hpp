// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_OPTIONS_HPP
#define WEFT_OPTIONS_HPP

#include <cstddef>
#include <exception>
#include <functional>
#include <string>
#include <vector>

namespace weft
{

/// Whether work in a worker's LIFO slot can be taken by another worker.
enum class lifo_stealing
{
    off,     ///< never: it waits for its worker, however long the running handler takes
    guarded, ///< when its worker is stuck in a handler: after 0.2 to 20 ms
    eager    ///< at once: a submission to a slot wakes a sleeping worker like one to a queue
};

/// Which handlers a context times: how long they were queued and how long they ran
/// (weft/stats.hpp).
enum class timing
{
    off,     ///< none, and no time is measured at all: the counters remain
    sampled, ///< one in 20 us, at most in 127; one in four of 5 us, or after a sleep; one in
             ///< eight of 20 us where workers do not share; nearly each of 0.1 ms
    all      ///< each of them
};

/// The options of io_context and thread_pool.
///
/// The defaults suit servers; measure before changing one. A constructor that is given a value
/// outside its range throws std::invalid_argument, whose text names the option and the range.
struct options
{
    /// Worker threads of a thread_pool. Ignored by io_context, whose workers are the threads that
    /// call run(). Default: 0, which stands for twice the number of cores, as with Asio. Range: 0
    /// to 65535.
    std::size_t threads = 0;

    /// Handlers that a worker runs at most between two looks at the reactor; it looks earlier when
    /// they are long, and later where a look has brought as many events as it can. Lower: I/O and
    /// timers are noticed sooner under a flood of handlers. Higher: fewer system calls. Default:
    /// 128. Range: 1 to 128.
    unsigned tick_budget = 128;

    /// Handlers that a worker runs between two looks elsewhere while it has work of its own: at the
    /// injection queue, which goes first then (with 1: in turns with its own work), at other
    /// workers, at the clock. Default: 0, which tunes the number to the duration of the handlers
    /// (about 20 us between two looks), and takes what has waited longest. Range: 0, or 1 to 127.
    unsigned injection_interval = 0;

    /// How many handlers a worker takes from its LIFO slot in a row before it goes on with its
    /// queue. 0 does without the slot: continuations then queue like everything else. Default: 3.
    /// Range: 0 to 3.
    unsigned lifo_limit = 3;

    /// Who may take work from a LIFO slot besides its worker. Default: guarded. Change it to off
    /// only if no handler ever blocks or computes for long.
    weft::lifo_stealing lifo_stealing = weft::lifo_stealing::guarded;

    /// Searches that an idle worker makes with a few processor pauses in between, before it yields;
    /// but only one, and without a yield, if it has slept and last ran out of work more than 60 us
    /// ago. Higher: wakes of a busy context cost less; idle workers burn more. With 0 a worker that
    /// is alone does not poll for what comes within some microseconds either. Default: 4. Range: 0
    /// to 10000.
    unsigned spin_rounds = 4;

    /// Searches that an idle worker makes with a yield of its core in between, before it prepares
    /// to sleep. Default: 1. Range: 0 to 10000.
    unsigned yield_rounds = 1;

    /// Threads that a thread_pool starts at most to stand in for workers inside run_blocking().
    /// When they are used up, the pool runs with fewer workers for a while. Default: 512. Range: 0
    /// to 65535; together with `threads` at most 65535.
    std::size_t max_spare_threads = 512;

    /// What the threads of a thread_pool are named after, as debuggers, `top -H` and
    /// /proc/self/task/*/comm show it: "weft-3" is thread 3, "weft-b0" the first that was started
    /// to stand in for a worker inside run_blocking(). The system keeps 15 bytes, of which the
    /// number gets what it needs; the name is cut between two characters of UTF-8. Empty: threads
    /// keep the name of the thread that makes the pool. Ignored by io_context, whose threads are
    /// the program's. Default: "weft".
    std::string thread_name = "weft";

    /// The CPUs that the threads of a thread_pool may run on, numbered as the system does. Empty
    /// (the default): those of the thread that makes the pool. A CPU that does not exist, is named
    /// twice, or that this process may not use, is std::invalid_argument. Ignored by io_context.
    std::vector<unsigned> cpus;

    /// Whether thread `i` of a thread_pool runs on one CPU only: `cpus[i % cpus.size()]`, or, if
    /// `cpus` is empty, the same with those of the thread that makes the pool. Threads that stand
    /// in for others may run on all of them. Default: false, all may run on all. Ignored by
    /// io_context.
    bool pin = false;

    /// Called on each thread of a thread_pool before it runs anything, with the thread's number:
    /// 0 to `threads` - 1, and from there on those that stand in for workers inside run_blocking(),
    /// in the order in which they are started. The thread has its name and its CPUs by then. The
    /// pool is not complete yet, and must not be used.
    ///
    /// The constructor waits for all of `threads`. If one of the calls throws, no handler is run,
    /// on_thread_stop is called on the threads whose call returned, all are joined, and the
    /// constructor throws the exception of the first. An exception on a thread that stands in for
    /// another goes to on_exception (std::terminate() if that is empty); the thread goes on.
    ///
    /// Not called on threads that thread_pool::attach() lends. Ignored by io_context. Default:
    /// empty, nothing is called.
    std::function<void(std::size_t)> on_thread_start;

    /// Called on each thread for which on_thread_start has returned, with the same number, when it
    /// will not run anything any more; join() returns after that. If a handler has destroyed the
    /// pool, its thread calls this when the pool is gone. It must not throw: that is
    /// std::terminate(). Ignored by io_context. Default: empty.
    std::function<void(std::size_t)> on_thread_stop;

    /// Called on a thread that is inside run() or is the pool's, when it has found nothing to do
    /// and is about to sleep. It may post, and set timers and start operations, which are found
    /// before the thread sleeps: a hook that posts each time keeps its thread awake. It must not
    /// throw (that is std::terminate()), nor call run() or its like, run_blocking(), or dispatch()
    /// to the context. What it does delays the thread's sleep, and nothing else. Default: empty.
    std::function<void()> before_park;

    /// Called on the same thread after each call of before_park, when the thread has slept, or has
    /// found something at the last moment: before it runs anything. The same rules hold; what it
    /// does delays the handler that the thread was woken for. What it posts when the thread was
    /// woken because the context has been stopped, or a pool has ended, is not run: it waits for
    /// restart(), or is destroyed with the context. Default: empty.
    std::function<void()> after_unpark;

    /// Which handlers are timed. sampled costs about 1 ns for each handler that runs, all some
    /// 20 ns, off nothing. timing() of the context changes it later. Default: sampled.
    weft::timing timing = weft::timing::sampled;

    /// Called with an exception that a handler threw, on the thread that ran it, which then goes
    /// on. Empty (the default): std::terminate() on a thread_pool, as with Asio's; with io_context
    /// the exception leaves run(), as with Asio's. It must not throw: that is std::terminate(). It
    /// may stop the context, and destroy a thread_pool.
    std::function<void(std::exception_ptr)> on_exception;
};

} // namespace weft

#endif // WEFT_OPTIONS_HPP
