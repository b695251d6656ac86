// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_REACTOR_EXPOSE_HPP
#define WEFT_SRC_REACTOR_EXPOSE_HPP

#include <weft/config.hpp>
#include <weft/platform/visibility.hpp>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

// The function that a tag declares is one of the namespace that the tag is in, and must be the one
// that is defined here.
inline namespace WEFT_LOCAL
{

/// Access to a private member through an explicit instantiation, which ignores access rights.
///
/// @code
/// struct member_tag
/// {
///     friend auto member_of(member_tag) noexcept;
/// };
///
/// template struct expose<member_tag, &owner::member_>;
///
/// object.*member_of(member_tag()) = value;
/// @endcode
template <typename Tag, auto Member>
struct expose
{
    friend auto member_of(Tag) noexcept
    {
        return Member;
    }
};

/// Whether a class has private members of these names: they make those here ambiguous.
///
/// @code
/// static_assert(!finds_any<no_mutex, owner>, "there is one");
/// @endcode
struct private_names
{
    int one_thread_;
    int assume_continuation_;
    int outstanding_work_;
    int mutex_;
    int wakeup_event_;
    int op_queue_;
    int task_operation_;
    int task_interrupted_;
    int try_speculative_;
    int epoll_fd_;
};

template <typename Owner>
struct with_private_names : Owner, private_names
{
};

template <typename Owner>
using no_mutex = decltype(&with_private_names<Owner>::mutex_);

template <typename Owner>
using no_queue = decltype(&with_private_names<Owner>::op_queue_);

} // namespace WEFT_LOCAL
} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_SRC_REACTOR_EXPOSE_HPP
