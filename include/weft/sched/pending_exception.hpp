// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_PENDING_EXCEPTION_HPP
#define WEFT_SCHED_PENDING_EXCEPTION_HPP

#include <boost/asio/multiple_exceptions.hpp>

#include <exception>
#include <utility>

namespace weft
{
namespace detail
{

/// What handlers have thrown that ran inside another one, which it must not unwind: kept until that
/// one is done. As in Asio, a single exception stays what it is; of several, the first is kept in a
/// multiple_exceptions.
class pending_exception
{
public:
    /// Keeps the exception being handled.
    void capture_current() noexcept
    {
        if (!first_)
            first_ = std::current_exception();
        else
            several_ = true;
    }

    /// Throws what was captured, if anything, and forgets it.
    void rethrow()
    {
        if (!first_)
            return;
        std::exception_ptr const first = std::exchange(first_, nullptr);
        if (std::exchange(several_, false))
            throw boost::asio::multiple_exceptions(first);
        std::rethrow_exception(first);
    }

private:
    std::exception_ptr first_;
    bool several_ = false;
};

} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_PENDING_EXCEPTION_HPP
