// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/channel.hpp>

#include <weft/dump.hpp>
#include <weft/io_context.hpp>
#include <weft/metrics.hpp>
#include <weft/run_blocking.hpp>
#include <weft/thread_pool.hpp>

#include "parts.hpp"

int sum_through_channel(weft::io_context& context, int most)
{
    using boost::system::error_code;
    weft::channel<void(error_code, int)> channel(context);
    int sum = 0;
    context.restart();
    for (int i = 1; i <= most; ++i)
    {
        channel.async_receive([&](error_code, int value) { sum += value; });
        channel.async_send(error_code(), i, [](error_code) {});
    }
    context.run();
    return sum;
}

std::size_t waiting_in(weft::io_context& context)
{
    return weft::detail::primitive_service::waiting_in(context);
}

void const* where_the_clock_is()
{
    return &weft::detail::clock_state;
}

void const* what_answers_for_stacks()
{
    return reinterpret_cast<void const*>(&weft::detail::weft_answer_stack_request);
}

std::string metrics_of(weft::io_context& context)
{
    return weft::to_json(context.stats());
}
