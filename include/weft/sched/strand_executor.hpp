// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_STRAND_EXECUTOR_HPP
#define WEFT_SCHED_STRAND_EXECUTOR_HPP

// The executor inside a strand, of which a copy is the strand itself: so that a strand of another
// executor, which Asio makes of that copy, is on top of this one.

#include <weft/config.hpp>
#include <weft/sched/strand_core.hpp>
#include <weft/sched/strand_reference.hpp>

#include <boost/asio/execution_context.hpp>
#include <boost/asio/strand.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// The executor of a strand of weft's, as its member. Asio's strand of another executor copies it
/// when it is made of that strand: a copy is the strand, on top of which the other one is then.
template <typename Executor>
class strand_executor
{
    using strand = boost::asio::strand<Executor>;

public:
    explicit strand_executor(Executor ex, strand_core* core) noexcept
        : value_(std::move(ex)), core_(reinterpret_cast<std::uintptr_t>(core))
    {
    }

    strand_executor(strand_executor const& other) noexcept
        : value_(other.value_), core_(other.core_ | owned)
    {
        core()->add_reference();
    }

    strand_executor& operator=(strand_executor const&) = delete;

    ~strand_executor()
    {
        if ((core_ & owned) != 0)
            core()->remove_reference();
    }

    /// For the strand of which it is a member.
    void assign(Executor ex, strand_core* core) noexcept
    {
        value_ = std::move(ex);
        core_ = reinterpret_cast<std::uintptr_t>(core);
    }

    Executor const& get() const noexcept
    {
        return value_;
    }

    Executor&& take() noexcept
    {
        return std::move(value_);
    }

    /// By copy.
    template <typename Other,
        std::enable_if_t<std::is_convertible<strand const&, Other>::value, int> = 0>
    operator Other() const
    {
        return the_strand();
    }

    /// By move: the executor alone.
    operator Executor() & noexcept
    {
        return value_;
    }

#if !defined(BOOST_ASIO_NO_TS_EXECUTORS)
    // boost::asio::executor takes everything for an executor, and so it is one.

    boost::asio::execution_context& context() const noexcept
    {
        return value_.context();
    }

    void on_work_started() const noexcept
    {
        value_.on_work_started();
    }

    void on_work_finished() const noexcept
    {
        value_.on_work_finished();
    }

    template <typename Function, typename Allocator>
    void dispatch(Function&& f, Allocator const& a) const
    {
        the_strand().dispatch(std::forward<Function>(f), a);
    }

    template <typename Function, typename Allocator>
    void post(Function&& f, Allocator const& a) const
    {
        the_strand().post(std::forward<Function>(f), a);
    }

    template <typename Function, typename Allocator>
    void defer(Function&& f, Allocator const& a) const
    {
        the_strand().defer(std::forward<Function>(f), a);
    }

    friend bool operator==(strand_executor const& a, strand_executor const& b) noexcept
    {
        return a.core() == b.core();
    }

    friend bool operator!=(strand_executor const& a, strand_executor const& b) noexcept
    {
        return !(a == b);
    }
#endif

private:
    // In the last bit of the core's address: this is a copy, and has a reference.
    static constexpr std::uintptr_t owned = 1;

    strand_core* core() const noexcept
    {
        return reinterpret_cast<strand_core*>(core_ & ~owned);
    }

    strand the_strand() const noexcept
    {
        return strand(value_, strand_reference(*core()));
    }

    Executor value_;
    std::uintptr_t core_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_STRAND_EXECUTOR_HPP
