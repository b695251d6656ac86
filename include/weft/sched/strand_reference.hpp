// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_STRAND_REFERENCE_HPP
#define WEFT_SCHED_STRAND_REFERENCE_HPP

// What a strand object has: a counted reference to the core of the strand (strand_core.hpp), which
// Asio's strands of other executors can be made of.

#include <weft/config.hpp>
#include <weft/sched/scheduler.hpp>
#include <weft/sched/strand_core.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/strand.hpp>

#include <stdexcept>
#include <type_traits>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// Owns a reference to what the copies of a strand share; none once it was moved from.
class strand_reference
{
    template <typename Implementation>
    static constexpr bool is_implementation_of_asio = std::is_same<Implementation,
        typename boost::asio::strand<boost::asio::any_io_executor>::implementation_type>::value;

    struct place
    {
        boost::asio::execution_context& context() const noexcept
        {
            return in;
        }

        boost::asio::execution_context& in;
    };

public:
    explicit strand_reference(scheduler& s) : impl_(strand_core::create(s))
    {
    }

    /// One more reference.
    explicit strand_reference(strand_core& core) noexcept : impl_(&core)
    {
        core.add_reference();
    }

    strand_reference(strand_reference const& other) noexcept : impl_(other.impl_)
    {
        if (impl_)
            impl_->add_reference();
    }

    strand_reference(strand_reference&& other) noexcept : impl_(std::exchange(other.impl_, nullptr))
    {
    }

    strand_reference& operator=(strand_reference other) noexcept
    {
        std::swap(impl_, other.impl_);
        return *this;
    }

    ~strand_reference()
    {
        if (impl_)
            impl_->remove_reference();
    }

    strand_core* get() const noexcept
    {
        return impl_;
    }

    // What Asio's strand of another executor takes when it is made of one of weft's: an
    // implementation of its own. By copy it is a strand on top of this one (strand_executor). By
    // move Asio puts it on top of the executor, which is right for a strand that nobody uses.

    template <typename Implementation,
        std::enable_if_t<is_implementation_of_asio<Implementation>, int> = 0>
    operator Implementation() const
    {
        return boost::asio::strand<boost::asio::any_io_executor>::create_implementation(
            place{impl_->sched().context()});
    }

    template <typename Implementation,
        std::enable_if_t<is_implementation_of_asio<Implementation>, int> = 0>
    operator Implementation()
    {
        if (!impl_->is_unused())
            throw std::logic_error(
                "weft: a strand in use is converted, by move, to one of another executor");
        return static_cast<Implementation>(std::as_const(*this));
    }

    strand_core* release() noexcept
    {
        return std::exchange(impl_, nullptr);
    }

private:
    strand_core* impl_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_STRAND_REFERENCE_HPP
