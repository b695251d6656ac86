// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_SCHED_POOL_THREADS_HPP
#define WEFT_SRC_SCHED_POOL_THREADS_HPP

// What the threads of a pool have in common besides their work: how each begins and ends, and that
// all have begun or ended. It is shared by the pool and its threads, for one of these may destroy
// the pool, and ends when that is gone.

#include <weft/config.hpp>
#include <weft/options.hpp>
#include <weft/platform/deadline.hpp>

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <vector>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

class pool_threads
{
public:
    /// `opts` are validated, and say how many threads the pool has.
    explicit pool_threads(options const& opts);

    pool_threads(pool_threads const&) = delete;
    pool_threads& operator=(pool_threads const&) = delete;

    // By the pool.

    /// Whether a thread may fail to begin, so that await_begun() is needed before anything is run.
    bool may_fail() const noexcept;

    /// Returns when `count` threads have begun or failed; they run then. Rethrows what the one of
    /// the lowest number has failed with, and none of them runs.
    void await_begun(std::size_t count);

    /// Sends away those that wait for await_begun().
    void give_up() noexcept;

    /// Whether all threads that were started have ended, at the latest at `until`.
    bool await_ended(deadline until);

    // By its threads.

    /// Thread `number` begins, runs `body` and ends.
    template <typename Body>
    void run(std::size_t number, Body body) noexcept
    {
        bool const begun = begin(number);
        if (wait_for_others())
            body();
        if (begun)
            stopped(number);
        end();
    }

    /// As run(), for the spare thread of this number among spare threads. Nobody waits for it.
    template <typename Body>
    void run_spare(std::size_t number, Body body) noexcept
    {
        bool const begun = begin_spare(number);
        body();
        if (begun)
            stopped(options_.threads + number);
    }

    /// One more thread is about to be started, or could not be.
    void starting() noexcept;
    void end() noexcept;

private:
    void set_up(std::size_t number, bool spare) const;
    bool begin(std::size_t number) noexcept;
    bool begin_spare(std::size_t number) noexcept;
    bool wait_for_others() noexcept;
    void stopped(std::size_t number) const noexcept;

    options const options_;

    // On which threads run; empty: wherever the one that makes the pool does.
    std::vector<unsigned> const cpus_;

    enum class gate
    {
        closed,
        open,
        given_up
    };

    std::mutex mutex_;
    std::condition_variable changed_;

    // Guarded by mutex_.
    gate gate_ = gate::closed;
    std::size_t begun_ = 0;
    std::size_t running_ = 0;

    // Of the thread of the lowest number that has failed to begin.
    struct
    {
        std::exception_ptr what;
        std::size_t number = 0;
    } failure_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_SRC_SCHED_POOL_THREADS_HPP
