// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_OPTIONS_HPP
#define WEFT_OPTIONS_HPP

#include <cstddef>
#include <exception>
#include <functional>

namespace weft
{

/// Whether work in a worker's LIFO slot can be taken by another worker.
enum class lifo_stealing
{
    off,     ///< never: it waits for its worker, however long the running handler takes
    guarded, ///< when its worker is stuck in a handler: after 0.2 to 20 ms
    eager    ///< at once: a submission to a slot wakes a sleeping worker like one to a queue
};

/// The tuning knobs of io_context and thread_pool.
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
    /// they are long. Lower: I/O and timers are noticed sooner under a flood of handlers. Higher:
    /// fewer system calls. Default: 128. Range: 1 to 128.
    unsigned tick_budget = 128;

    /// Handlers that a worker runs between two looks elsewhere while it has work of its own: at the
    /// injection queue, which goes first then, at other workers, at the clock. Default: 0, which
    /// tunes the number to the duration of the handlers (about 20 us between two looks), and takes
    /// what has waited longest. Range: 0, or 1 to 127.
    unsigned injection_interval = 0;

    /// How many handlers a worker takes from its LIFO slot in a row before it goes on with its
    /// queue. 0 does without the slot: continuations then queue like everything else. Default: 3.
    /// Range: 0 to 3.
    unsigned lifo_limit = 3;

    /// Who may take work from a LIFO slot besides its worker. Default: guarded. Change it to off
    /// only if no handler ever blocks or computes for long.
    weft::lifo_stealing lifo_stealing = weft::lifo_stealing::guarded;

    /// Searches that an idle worker makes with a few processor pauses in between, before it yields;
    /// but only one, and without a yield, if it has slept and last ran out of work more than 100 us
    /// ago. Higher: wakes of a busy context cost less; idle workers burn more. Default: 4. Range: 0
    /// to 10000.
    unsigned spin_rounds = 4;

    /// Searches that an idle worker makes with a yield of its core in between, before it prepares
    /// to sleep. Default: 1. Range: 0 to 10000.
    unsigned yield_rounds = 1;

    /// Threads that a thread_pool starts at most to stand in for workers inside run_blocking().
    /// When they are used up, the pool runs with fewer workers for a while. Default: 512. Range: 0
    /// to 65535; together with `threads` at most 65535.
    std::size_t max_spare_threads = 512;

    /// Called with an exception that a handler threw, on the pool's thread, which then goes on.
    /// Empty (the default): std::terminate(), as with Asio's thread_pool. It must not throw; it may
    /// destroy the pool. Ignored by io_context, where the exception leaves run().
    std::function<void(std::exception_ptr)> on_exception;
};

} // namespace weft

#endif // WEFT_OPTIONS_HPP
