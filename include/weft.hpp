// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_HPP
#define WEFT_HPP

#include <weft/awaitable.hpp>
#include <weft/channel.hpp>
#include <weft/drain_report.hpp>
#include <weft/dump.hpp>
#include <weft/error.hpp>
#include <weft/executor.hpp>
#include <weft/io_context.hpp>
#include <weft/metrics.hpp>
#include <weft/mutex.hpp>
#include <weft/options.hpp>
#include <weft/run_blocking.hpp>
#include <weft/semaphore.hpp>
#include <weft/shared_mutex.hpp>
#include <weft/stats.hpp>
#include <weft/steady_timer.hpp>
#include <weft/system_timer.hpp>
#include <weft/thread_pool.hpp>
#include <weft/trace.hpp>
#include <weft/version.hpp>
#include <weft/watchdog.hpp>

#endif // WEFT_HPP
