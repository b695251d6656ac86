// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_WAIT_RESUME_FUNCTION_HPP
#define WEFT_WAIT_RESUME_FUNCTION_HPP

#include <weft/config.hpp>
#include <weft/wait/submission_guard.hpp>
#include <weft/wait/wait_op_base.hpp>

#include <boost/system/error_code.hpp>

#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// An operation that is complete, as a function object for an executor that is not weft's. Not of
/// the handler's own type, of which it needs the allocator only: what an executor makes of a
/// function is compiled for each type of function.
template <typename Allocator>
class resume_function
{
public:
    using allocator_type = Allocator;

    resume_function(wait_op_base* op, Allocator const& allocator) : op_(op), allocator_(allocator)
    {
    }

    resume_function(resume_function&& other) noexcept
        : op_(std::exchange(other.op_, nullptr)), allocator_(other.allocator_)
    {
    }

    ~resume_function()
    {
        if (op_)
            op_->destroy();
    }

    void operator()()
    {
        submission_guard::called(op_);
        wait_op_base* const op = std::exchange(op_, nullptr);
        op->complete(op, boost::system::error_code(), 0);
    }

    allocator_type get_allocator() const noexcept
    {
        return allocator_;
    }

private:
    wait_op_base* op_;
    allocator_type allocator_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_WAIT_RESUME_FUNCTION_HPP
