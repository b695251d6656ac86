// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_WAIT_REQUEST_HPP
#define WEFT_WAIT_REQUEST_HPP

#include <weft/config.hpp>
#include <weft/sync/served_list.hpp>
#include <weft/sync/waiter.hpp>
#include <weft/wait/request_base.hpp>

#include <boost/core/empty_value.hpp>
#include <boost/system/error_code.hpp>

#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// A number of permits that the type says.
template <std::uint64_t N>
struct fixed_count
{
    constexpr std::uint64_t value() const noexcept
    {
        return N;
    }
};

/// A number of permits that the caller says.
struct any_count
{
    constexpr std::uint64_t value() const noexcept
    {
        return n;
    }

    std::uint64_t n;
};

/// Asks for permits.
///
/// `Kind` says how, and what the handler gets: `owner`, the class of the primitive, and
/// `core(owner)`, its state and executor; `count`, how many permits; `try_acquire(state, n)`, the
/// fastest way to them; `result`, what is delivered beside the error, or void, and
/// `make_result(owner, n)`.
///
/// As small as can be: an operation that completes at once has to store it before it can try, and
/// the try waits for all stores before it.
template <typename Kind>
class request : public request_base<request<Kind>, Kind>,
                private boost::empty_value<typename Kind::count>
{
    using base = request_base<request, Kind>;
    using count_base = boost::empty_value<typename Kind::count>;
    using result_type = typename Kind::result;

    template <typename Result, typename = void>
    struct signature_of
    {
        using type = void(boost::system::error_code, Result);
    };

    template <typename Dummy>
    struct signature_of<void, Dummy>
    {
        using type = void(boost::system::error_code);
    };

public:
    using signature = typename signature_of<result_type>::type;

    /// Whether a result that nobody gets gives its permits back.
    static constexpr bool gives_back = !std::is_void<result_type>::value;

    explicit request(typename base::owner_type& o, typename Kind::count n = {}) noexcept
        : base(o), count_base(boost::empty_init, n)
    {
    }

    /// Whether trying, or asking, may resume others, who may destroy the primitive.
    static constexpr bool serves_others = false;

    bool try_now() const noexcept
    {
        return Kind::try_acquire(this->state(), count());
    }

    bool possible() const noexcept
    {
        return this->state().available() >= count();
    }

    acquisition acquire(waiter& w) const noexcept
    {
        return this->state().acquire(w, count());
    }

    bool take_out(waiter& w, served_list& served) const noexcept
    {
        return this->state().cancel(w, served);
    }

    void give_back() const noexcept
    {
        Kind::core(this->owner()).release(count());
    }

    template <typename Handler>
    void deliver(Handler& handler, boost::system::error_code const& ec) const
    {
        if constexpr (std::is_void<result_type>::value)
            std::move(handler)(ec);
        else
            std::move(handler)(ec, ec ? result_type() : result());
    }

    // For eager_operation.

    result_type result() const noexcept
    {
        if constexpr (!std::is_void<result_type>::value)
            return Kind::make_result(this->owner(), count());
    }

    auto arguments() const noexcept
    {
        if constexpr (std::is_void<result_type>::value)
            return std::tuple<boost::system::error_code>();
        else
            return std::tuple<boost::system::error_code, result_type>(
                boost::system::error_code(), result());
    }

private:
    std::uint64_t count() const noexcept
    {
        return this->get().value();
    }
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_WAIT_REQUEST_HPP
