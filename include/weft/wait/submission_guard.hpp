// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_WAIT_SUBMISSION_GUARD_HPP
#define WEFT_WAIT_SUBMISSION_GUARD_HPP

#include <weft/config.hpp>
#include <weft/platform/visibility.hpp>

#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// A submission of an operation to an executor that this thread is in the middle of.
///
/// An executor that throws has destroyed the operation, or has called it and passes on what its
/// handler has thrown. What is still to be done for the operation depends on which of the two, and
/// the operation, which is gone in both cases, cannot tell.
class submission_guard
{
public:
    submission_guard(void const* op, bool has_permits) noexcept
        : op_(op), outer_(std::exchange(innermost_, this)), has_permits_(has_permits)
    {
    }

    submission_guard(submission_guard const&) = delete;
    submission_guard& operator=(submission_guard const&) = delete;

    ~submission_guard()
    {
        innermost_ = outer_;
    }

    /// The executor calls the operation.
    static void called(void const* op) noexcept
    {
        find(op);
    }

    /// The executor destroys the operation. True if it refuses it thereby, for this thread is still
    /// in the submission, and the operation has permits: they are to be given back, while the
    /// handler is there, who may be the last owner of the primitive.
    static bool refused_with_permits(void const* op) noexcept
    {
        submission_guard* const s = find(op);
        return s && s->has_permits_;
    }

private:
    // Once only: another operation may have the address then.
    static submission_guard* find(void const* op) noexcept
    {
        for (submission_guard* s = innermost_; s; s = s->outer_)
            if (s->op_ == op)
            {
                s->op_ = nullptr;
                return s;
            }
        return nullptr;
    }

    WEFT_ONE_IN_PROGRAM inline static thread_local submission_guard* innermost_ = nullptr;

    void const* op_;
    submission_guard* const outer_;
    bool const has_permits_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_WAIT_SUBMISSION_GUARD_HPP
