// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_EXAMPLE_HASH_SERVER_ASYNC_HASH_ALL_HPP
#define WEFT_EXAMPLE_HASH_SERVER_ASYNC_HASH_ALL_HPP

#include "../context.hpp"
#include "workload.hpp"

#include <atomic>
#include <memory>
#include <span>
#include <utility>

namespace example
{

struct hash_job
{
    hash_request request;
    std::uint64_t result = 0;
};

/// The last job to finish calls the handler; until then the handler's executor has work.
template <class Handler, class Executor>
class hash_join
{
public:
    hash_join(Handler handler, Executor const& executor, std::size_t jobs)
        : handler_(std::move(handler)), work_(asio::get_associated_executor(handler_, executor)),
          left_(jobs)
    {
    }

    void finish_one()
    {
        // Every result is published by this, and seen by whoever counts to zero.
        if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1)
            asio::dispatch(work_.get_executor(), std::move(handler_));
    }

private:
    using handler_executor = asio::associated_executor_t<Handler, Executor>;

    Handler handler_;
    asio::executor_work_guard<handler_executor> work_;
    std::atomic<std::size_t> left_;
};

/// Hashes all the jobs, each as a function of its own posted to executor, and completes when the
/// last one is done. jobs must not be empty and must stay where they are until then.
///
/// A worker posts to its own queue, so all of a batch is queued at the one worker that read it from
/// the socket: the others have to come and steal it.
template <class Executor, class CompletionToken>
auto async_hash_all(Executor const& executor, std::span<hash_job> jobs, CompletionToken&& token)
{
    return asio::async_initiate<CompletionToken, void()>(
        [](auto handler, Executor const& where, std::span<hash_job> batch)
        {
            using join_type = hash_join<decltype(handler), Executor>;
            auto const join = std::make_shared<join_type>(std::move(handler), where, batch.size());
            for (auto& job : batch)
            {
                asio::post(where,
                    [&job, join]
                    {
                        job.result = hash_of(job.request);
                        join->finish_one();
                    });
            }
        },
        token, executor, jobs);
}

} // namespace example

#endif
