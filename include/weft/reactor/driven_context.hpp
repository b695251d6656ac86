// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_REACTOR_DRIVEN_CONTEXT_HPP
#define WEFT_REACTOR_DRIVEN_CONTEXT_HPP

#include <weft/config.hpp>
#include <weft/platform/visibility.hpp>

#include <boost/asio/detail/concurrency_hint.hpp>
#include <boost/asio/execution_context.hpp>

#if WEFT_HAS_SERVICE_MAKER
#include <boost/asio/config.hpp>
#endif

#include <memory>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// The base of weft's contexts: an execution_context whose configuration Asio's services can read.
/// They do so in their constructors, so that it must be there before all of them.
class WEFT_DECL driven_context : public boost::asio::execution_context
{
protected:
    /// What Asio takes for a context that is given no hint. The program chooses, not the library.
    static constexpr int default_hint = BOOST_ASIO_CONCURRENCY_HINT_DEFAULT;

    explicit driven_context(int concurrency_hint);

#if WEFT_HAS_SERVICE_MAKER
    explicit driven_context(service_maker const& initial_services);
#endif

#if WEFT_HAS_CONTEXT_ALLOCATOR
    template <typename Allocator>
    driven_context(std::allocator_arg_t, Allocator const& a, int concurrency_hint)
        : driven_context(
              std::allocator_arg, a, boost::asio::config_from_concurrency_hint(concurrency_hint))
    {
    }

    template <typename Allocator>
    driven_context(std::allocator_arg_t, Allocator const& a, service_maker const& initial_services)
        : boost::asio::execution_context(std::allocator_arg, a, initial_services)
    {
    }
#endif

private:
#if !WEFT_HAS_SERVICE_MAKER
    friend class driver;

    int const concurrency_hint_;
#endif
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_REACTOR_DRIVEN_CONTEXT_HPP
