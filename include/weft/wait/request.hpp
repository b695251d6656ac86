// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_WAIT_REQUEST_HPP
#define WEFT_WAIT_REQUEST_HPP

#include <weft/config.hpp>
#include <weft/coroutine/eager_operation.hpp>
#include <weft/error.hpp>
#include <weft/sched/budget.hpp>
#include <weft/sync/semaphore_state.hpp>
#include <weft/wait/wait_op_base.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/core/empty_value.hpp>
#include <boost/system/error_code.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

template <typename Handler, typename Request, template <typename> class Memory>
class wait_op;

template <typename Handler>
class frame_memory;

template <typename Request>
class initiate_wait;

template <typename Request>
class tupled_request;

template <typename Request>
class redirected_request;

/// The signatures of the handlers that a request takes: the one that it names, unless it names
/// several.
template <typename... Signatures>
struct signatures
{
    template <typename Token, typename Initiation>
    static auto initiate(Initiation&& initiation, Token& token)
    {
        return boost::asio::async_initiate<Token, Signatures...>(
            std::forward<Initiation>(initiation), token);
    }
};

template <typename Request, typename = void>
struct signatures_of
{
    using type = signatures<typename Request::signature>;
};

template <typename Request>
struct signatures_of<Request, std::void_t<typename Request::handler_signatures>>
{
    using type = typename Request::handler_signatures;
};

template <typename Request>
struct has_one_signature
    : std::is_same<typename signatures_of<Request>::type, signatures<typename Request::signature>>
{
};

template <typename Request, typename Token, typename Initiation>
auto initiate_for(Initiation&& initiation, Token& token)
{
    return signatures_of<Request>::type::template initiate<Token>(
        std::forward<Initiation>(initiation), token);
}

/// How eager_operation waits in a coroutine's frame: starts `request`, which has been tried, in
/// `memory`.
template <typename Handler, typename Request>
void start_in_frame(void* memory, Handler&& handler, Request&& request, ready_result found)
{
    using op = wait_op<std::decay_t<Handler>, Request, frame_memory>;
    auto* const waiting =
        ::new (memory) op(std::forward<Handler>(handler), std::forward<Request>(request));
    if (found == ready_result::let_others_run)
        waiting->start_after_others();
    else
        waiting->start_waiting();
}

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

/// What an operation asks for, and what its handler gets.
///
/// `Kind` says that: `owner`, the class of the primitive, and `core(owner)`, its state and
/// executor; `count`, how many permits; `try_acquire(state, n)`, the fastest way to them; `result`,
/// what is delivered beside the error, or void, and `make_result(owner, n)`.
///
/// As small as can be: an operation that completes at once has to store it before it can try, and
/// the try waits for all stores before it.
template <typename Kind>
class request : private boost::empty_value<typename Kind::count>
{
    using count_base = boost::empty_value<typename Kind::count>;

    using owner = typename Kind::owner;
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
    using executor_type = typename owner::executor_type;
    using signature = typename signature_of<result_type>::type;
    using initiation = initiate_wait<request>;
    using tupled = tupled_request<request>;
    using redirected = redirected_request<request>;

    /// Whether a result that nobody gets gives its permits back.
    static constexpr bool gives_back = !std::is_void<result_type>::value;

    /// What gives permits back when the request is gone.
    using refund = request;

    explicit request(owner& o, typename Kind::count n = {}) noexcept
        : count_base(boost::empty_init, n), owner_(&o)
    {
    }

    auto& state() const noexcept
    {
        return Kind::core(*owner_).state;
    }

    auto& yielding() const noexcept
    {
        return Kind::core(*owner_).yielding;
    }

    executor_type const& get_executor() const noexcept
    {
        return Kind::core(*owner_).get_executor();
    }

    scheduler* get_scheduler() const noexcept
    {
        return Kind::core(*owner_).get_scheduler();
    }

    /// Whether trying, or asking, may resume others, who may destroy the primitive.
    static constexpr bool serves_others = false;

    bool try_now() const noexcept
    {
        return Kind::try_acquire(state(), count());
    }

    acquisition acquire(waiter& w) const noexcept
    {
        return state().acquire(w, count());
    }

    bool take_out(waiter& w, served_list& served) const noexcept
    {
        return state().cancel(w, served);
    }

    void give_back() const noexcept
    {
        Kind::core(*owner_).release(count());
    }

    static boost::system::error_code closed_error() noexcept
    {
        return boost::system::error_code(errc::closed);
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

    /// Completes the operation if it need not wait. If it could but has no budget left, it is to
    /// let others run and to begin then.
    ready_result try_at_once() const noexcept
    {
        if (spend_budget())
            return try_now() ? ready_result::complete : ready_result::wait;
        return state().available() >= count() ? ready_result::let_others_run : ready_result::wait;
    }

    result_type result() const noexcept
    {
        if constexpr (!std::is_void<result_type>::value)
            return Kind::make_result(*owner_, count());
    }

    auto arguments() const noexcept
    {
        if constexpr (std::is_void<result_type>::value)
            return std::tuple<boost::system::error_code>();
        else
            return std::tuple<boost::system::error_code, result_type>(
                boost::system::error_code(), result());
    }

    template <typename Handler>
    static constexpr std::size_t frame_bytes = sizeof(wait_op<Handler, request, frame_memory>);

    template <typename Handler>
    void start_in(void* memory, Handler&& handler, ready_result found) const
    {
        start_in_frame(memory, std::forward<Handler>(handler), request(*this), found);
    }

private:
    std::uint64_t count() const noexcept
    {
        return this->get().value();
    }

    owner* owner_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_WAIT_REQUEST_HPP
