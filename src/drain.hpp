// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_DRAIN_HPP
#define WEFT_SRC_DRAIN_HPP

// What the drains of both contexts have in common.

#include <weft/config.hpp>
#include <weft/drain_report.hpp>
#include <weft/sched/context_scheduler.hpp>

#include <boost/asio/execution_context.hpp>

#include <cstdint>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// One drain: from its construction on handlers are counted.
class drain
{
public:
    drain(context_scheduler& sched, boost::asio::execution_context& context);

    /// Stops the scheduler, gives its threads a moment to leave, and says what there is left.
    drain_report finish();

private:
    context_scheduler& scheduler_;
    boost::asio::execution_context& context_;
    std::uint64_t const handlers_before_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_SRC_DRAIN_HPP
