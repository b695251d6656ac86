// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_MODEL_VALUE_HPP
#define WEFT_TEST_MODEL_VALUE_HPP

namespace model
{

// A number that is moved: what was moved from is nothing.
class value
{
public:
    explicit value(unsigned number) noexcept : number_(number)
    {
    }

    value(value&& other) noexcept : number_(other.number_)
    {
        other.number_ = nothing;
    }

    unsigned number() const noexcept
    {
        return number_;
    }

    static constexpr unsigned nothing = ~0u;

private:
    unsigned number_;
};

} // namespace model

#endif // WEFT_TEST_MODEL_VALUE_HPP
