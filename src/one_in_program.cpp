// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Defines what headers define and a program may have only once, so that it is in the shared
// library: a plugin that is loaded finds there what it would not find in the program.

#define WEFT_DEFINE_ONE_IN_PROGRAM

#include <weft.hpp>
#include <weft/trace/tracked_handler.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/experimental/channel_error.hpp>
#include <boost/system/error_category.hpp>

namespace
{

boost::system::error_category const* volatile seen;

} // namespace

namespace weft
{
namespace detail
{

// An error code equals another if both name the same object as their category. Asio's are variables
// of inline functions.
[[gnu::used]] static void use_categories()
{
    seen = &boost::asio::error::get_netdb_category();
    seen = &boost::asio::error::get_addrinfo_category();
    seen = &boost::asio::error::get_misc_category();
    seen = &boost::asio::experimental::error::get_channel_category();
}

} // namespace detail
} // namespace weft
