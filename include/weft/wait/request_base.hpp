// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_WAIT_REQUEST_BASE_HPP
#define WEFT_WAIT_REQUEST_BASE_HPP

// What all requests have in common: whom they ask, and how they are started.

#include <weft/config.hpp>
#include <weft/coroutine/eager_operation.hpp>
#include <weft/sched/budget.hpp>
#include <weft/sched/scheduler.hpp>
#include <weft/sync/waiter.hpp>

#include <boost/asio/async_result.hpp>

#include <cstddef>
#include <new>
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

struct no_time_limit;

template <typename Request, typename Limit = no_time_limit>
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

/// How eager_operation starts a request.
template <typename Request>
struct eager_start
{
    using initiation = initiate_wait<Request>;
    using tupled = tupled_request<Request>;
    using redirected = redirected_request<Request>;

    template <typename Handler>
    static constexpr std::size_t frame_bytes = sizeof(wait_op<Handler, Request, frame_memory>);

    /// Starts `request`, which has been tried, in the `memory` of a coroutine's frame.
    template <typename Handler>
    static void start_in(void* memory, Handler&& handler, Request& request, ready_result found)
    {
        using op = wait_op<std::decay_t<Handler>, Request, frame_memory>;
        auto* const waiting = ::new (memory) op(std::forward<Handler>(handler), std::move(request));
        if (found == ready_result::let_others_run)
            waiting->start_after_others();
        else
            waiting->start_waiting();
    }
};

/// What an operation asks a primitive for. `Access` says how the primitive is reached: `owner`, its
/// class, and `core(owner)`, its state and executor. `Derived` says what is asked for: `try_now()`
/// takes it if it is there, and `possible()` says whether it is.
template <typename Derived, typename Access>
class request_base
{
public:
    using owner_type = typename Access::owner;
    using executor_type = typename owner_type::executor_type;

    auto& state() const noexcept
    {
        return Access::core(*owner_).state;
    }

    auto& yielding() const noexcept
    {
        return Access::core(*owner_).yielding;
    }

    executor_type const& get_executor() const noexcept
    {
        return Access::core(*owner_).get_executor();
    }

    scheduler* get_scheduler() const noexcept
    {
        return Access::core(*owner_).get_scheduler();
    }

    /// For an operation that has tried in vain, before it waits.
    void about_to_wait(waiter& w) const noexcept
    {
        Access::core(*owner_).about_to_wait(w);
    }

    /// For eager_operation: completes the operation if it need not wait. If it could but has no
    /// budget left, it is to let others run and to begin then.
    ready_result try_at_once() noexcept
    {
        auto& self = static_cast<Derived&>(*this);
        if (spend_budget())
            return self.try_now() ? ready_result::complete : ready_result::wait;
        return self.possible() ? ready_result::let_others_run : ready_result::wait;
    }

protected:
    explicit request_base(owner_type& o) noexcept : owner_(&o)
    {
    }

    owner_type& owner() const noexcept
    {
        return *owner_;
    }

private:
    owner_type* owner_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_WAIT_REQUEST_BASE_HPP
