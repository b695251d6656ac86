// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_WAIT_UNDELIVERED_HPP
#define WEFT_WAIT_UNDELIVERED_HPP

#include <weft/config.hpp>

#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// What a request has got, if it gives that back: it does so unless its handler gets it, also where
/// something throws before.
template <typename Request>
class undelivered
{
public:
    undelivered(Request& request, bool any) noexcept
        : request_(request), any_(any && Request::gives_back)
    {
    }

    undelivered(undelivered const&) = delete;
    undelivered& operator=(undelivered const&) = delete;

    ~undelivered()
    {
        give_back();
    }

    void give_back() noexcept
    {
        if constexpr (Request::gives_back)
            if (std::exchange(any_, false))
                request_.give_back();
    }

    void deliver() noexcept
    {
        any_ = false;
    }

private:
    Request& request_;
    bool any_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_WAIT_UNDELIVERED_HPP
