// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_MODEL_JOB_ENTRY_HPP
#define WEFT_TEST_MODEL_JOB_ENTRY_HPP

#include "model/jobs.hpp"

#include <cstdint>
#include <ostream>

namespace model
{

/// An operation in a queue: a job, which has no result.
struct job_entry
{
    job* op;
    std::uintptr_t result;

    job_entry() = default;

    // As the checker initialises what it keeps.
    job_entry(job* j) noexcept : op(j), result(0)
    {
    }

    job_entry(job* j, std::uintptr_t r) noexcept : op(j), result(r)
    {
    }

    bool linkable() const noexcept
    {
        return result == 0;
    }

    void complete(void*) const
    {
        op->runner->execute(*op);
    }

    void destroy() const noexcept
    {
    }
};

inline std::ostream& operator<<(std::ostream& out, job_entry const& e)
{
    return out << e.op;
}

} // namespace model

#endif // WEFT_TEST_MODEL_JOB_ENTRY_HPP
