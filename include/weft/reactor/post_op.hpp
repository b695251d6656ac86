// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_REACTOR_POST_OP_HPP
#define WEFT_REACTOR_POST_OP_HPP

#include <weft/config.hpp>
#include <weft/platform/recycling_allocator.hpp>
#include <weft/reactor/operation.hpp>

#include <boost/asio/detail/handler_tracking.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/core/empty_value.hpp>

#if WEFT_HAS_INVOKE_HOOK
#include <boost/asio/detail/handler_invoke_helpers.hpp>
#endif

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#if !defined(BOOST_ASIO_HANDLER_CREATION) || !defined(BOOST_ASIO_HANDLER_COMPLETION) ||            \
    !defined(BOOST_ASIO_HANDLER_INVOCATION_BEGIN) || !defined(BOOST_ASIO_HANDLER_INVOCATION_END)
#error "weft relies on the macros of boost/asio/detail/handler_tracking.hpp, which has lost some"
#endif

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// Calls a function object, through its asio_handler_invoke hook where Asio still has that.
template <typename Function>
void invoke(Function& function)
{
#if WEFT_HAS_INVOKE_HOOK
    boost_asio_handler_invoke_helpers::invoke(function, function);
#else
    std::move(function)();
#endif
}

/// Memory for one T, from `Allocator`; from the recycler if the user did not ask for an allocator.
template <typename T, typename Allocator>
class op_memory
{
    static constexpr bool is_recycled = std::is_same<Allocator, std::allocator<void>>::value;

    using chosen = std::conditional_t<is_recycled, recycling_allocator<void>, Allocator>;
    using traits = typename std::allocator_traits<chosen>::template rebind_traits<T>;

    static typename traits::allocator_type rebound(Allocator const& a) noexcept
    {
        if constexpr (is_recycled)
            return {};
        else
            return typename traits::allocator_type(a);
    }

public:
    static void* allocate(Allocator const& a)
    {
        auto allocator = rebound(a);
        return std::addressof(*traits::allocate(allocator, 1));
    }

    static void deallocate(Allocator const& a, void* p) noexcept
    {
        auto allocator = rebound(a);
        traits::deallocate(allocator, static_cast<T*>(p), 1);
    }
};

/// A function object as an operation.
template <typename Function, typename Allocator>
class post_op final : public operation, private boost::empty_value<Allocator>
{
    using memory = op_memory<post_op, Allocator>;

public:
    /// Throws what allocation, or moving the function, throws; then nothing has happened.
    template <typename F>
    static operation* create(
        boost::asio::execution_context& context, F&& function, Allocator const& a)
    {
        void* const p = memory::allocate(a);
        storage owned{a, p};
        auto* const op = ::new (p) post_op(std::forward<F>(function), a);
        owned.p = nullptr;
        (void)context;
        BOOST_ASIO_HANDLER_CREATION((context, *op, "io_context", &context, 0, "execute"));
        return op;
    }

private:
    // Returns memory at the end of a scope, whatever ends it.
    struct storage
    {
        Allocator allocator;
        void* p;

        ~storage()
        {
            release();
        }

        void release() noexcept
        {
            if (p)
                memory::deallocate(allocator, std::exchange(p, nullptr));
        }
    };

    template <typename F>
    post_op(F&& function, Allocator const& a)
        : operation(&post_op::do_complete), boost::empty_value<Allocator>(boost::empty_init, a),
          function_(std::forward<F>(function))
    {
    }

    ~post_op() = default;

    static void do_complete(
        void* owner, operation* base, boost::system::error_code const&, std::size_t)
    {
        auto* const self = static_cast<post_op*>(base);
        BOOST_ASIO_HANDLER_COMPLETION((*self));

        // The function is moved out and the memory given back before the call: the call may submit
        // another operation, which then finds warm memory, and the function may itself own the
        // memory.
        storage owned{self->get(), self};
        struct ending
        {
            post_op* op;
            ~ending()
            {
                op->~post_op();
            }
        };
        Function function = [self]
        {
            ending const e{self};
            return Function(std::move(self->function_));
        }();
        owned.release();

        if (owner)
        {
            BOOST_ASIO_HANDLER_INVOCATION_BEGIN(());
            detail::invoke(function);
            BOOST_ASIO_HANDLER_INVOCATION_END;
        }
    }

    Function function_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_REACTOR_POST_OP_HPP
