// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_WATCHDOG_WATCH_SERVICE_HPP
#define WEFT_SRC_WATCHDOG_WATCH_SERVICE_HPP

#include <weft/config.hpp>

#include <boost/asio/execution_context.hpp>

#include <memory>
#include <mutex>
#include <vector>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

class watch_list;

/// Tells those that watch a context when that goes away.
class watch_service final : public boost::asio::execution_context::service
{
public:
    // A name that Asio looks for.
    static boost::asio::execution_context::id id;

    explicit watch_service(boost::asio::execution_context& context);
    ~watch_service() override;

    /// Any thread. Throws std::bad_alloc.
    void add(std::weak_ptr<watch_list> who);

private:
    void shutdown() override;

    std::mutex mutex_;

    // Guarded by mutex_.
    std::vector<std::weak_ptr<watch_list>> lists_;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_SRC_WATCHDOG_WATCH_SERVICE_HPP
