// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#if defined(WEFT_HEADER_ONLY)
#include <weft/impl/src.hpp> // all of it, before this header begins
#endif

#ifndef WEFT_RUN_BLOCKING_HPP
#define WEFT_RUN_BLOCKING_HPP

#include <weft/config.hpp>
#include <weft/platform/visibility.hpp>

#include <cstddef>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// For its lifetime the calling thread is no worker of the contexts it runs.
class WEFT_DECL blocking_region
{
public:
    blocking_region() noexcept;
    ~blocking_region();

    blocking_region(blocking_region const&) = delete;
    blocking_region& operator=(blocking_region const&) = delete;

private:
    // How many levels, from the innermost outwards, have given their workers away.
    std::size_t given_away_ = 0;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail

inline namespace WEFT_ABI_NAMESPACE
{

/// Returns `f()`, which may block.
///
/// Inside a handler of an io_context or a thread_pool the thread stops being a worker while `f`
/// runs: what is in its queues becomes others' at once, an idle worker is woken to look at it, and
/// a thread_pool has another thread stand in (options::max_spare_threads). Afterwards the handler
/// goes on as it was. On any other thread it only calls `f`. The same holds for all contexts that
/// the thread is inside of, one in a handler of the other; Asio's own among them stay as they are.
///
/// While `f` runs, the thread counts as foreign to the context: `dispatch` does not call inline.
///
/// The cost, when nothing has to be started, is that of leaving and entering run(): a few locks and
/// at most one wake-up. If no spare thread can be had, the pool has one worker less meanwhile.
///
/// Use it around everything in a handler that may wait for long, above all for what another handler
/// has to do, such as `std::future::get()`. In a coroutine, `co_await` instead.
///
/// @par Algorithm
/// The hand-off of Go's scheduler to another thread, and Tokio's `block_in_place`.
///
/// @par Example
/// @code
/// auto reply = weft::run_blocking([&] { return future.get(); });
/// @endcode
///
/// @par Thread Safety
/// Safe on any thread.
///
/// @par Exceptions
/// What `f` throws.
template <typename Function>
decltype(auto) run_blocking(Function&& f)
{
    detail::blocking_region const region;
    return std::forward<Function>(f)();
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace weft

#endif // WEFT_RUN_BLOCKING_HPP
