// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_ERROR_HPP
#define WEFT_ERROR_HPP

#include <boost/asio/experimental/channel_error.hpp>
#include <boost/system/error_code.hpp>

#include <type_traits>

namespace weft
{

/// The errors of weft's operations that Asio has no name for.
///
/// Operations also complete with boost::asio::error::operation_aborted if they were cancelled, and
/// with boost::asio::error::timed_out if they took too long.
enum class errc
{
    /// The object was closed: the operation cannot complete any more.
    closed = 1
};

/// The error code of an error of weft's. That of errc::closed is Asio's own for a closed channel,
/// so that the two compare equal. Any thread; constant time.
inline boost::system::error_code make_error_code(errc) noexcept
{
    return boost::asio::experimental::error::make_error_code(
        boost::asio::experimental::error::channel_closed);
}

} // namespace weft

template <>
struct boost::system::is_error_code_enum<weft::errc> : std::true_type
{
};

#endif // WEFT_ERROR_HPP
