// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_REACTOR_DESCRIPTOR_HPP
#define WEFT_SRC_REACTOR_DESCRIPTOR_HPP

// What the reactor keeps of each descriptor: the operation that it returns for the descriptor's
// events, and the operations that wait for these. Asio makes the system calls of operations under
// the descriptor's lock, and a thread may lose its core as it returns from one. So nobody waits for
// that lock who has something else to do.

#include <weft/config.hpp>
#include <weft/reactor/operation.hpp>

#include <cstdint>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// Whether another thread is at the descriptor whose operation this is: who runs the operation now
/// waits for that thread. Any thread; a hint. Other reactors than epoll do not say.
bool descriptor_is_busy(operation* op) noexcept;

/// Whether operations wait at a descriptor; unknown while another thread is there.
enum class waiters
{
    none,
    some,
    unknown
};

/// For the operation of a descriptor, with what the reactor has found: which operations wait at
/// that descriptor. If none, all that would come of running this one has been done then: the next
/// operation that is started there is tried at once, and finds what these events have told of.
/// (What begins to wait later has found nothing, and has an event to come. Both go by the
/// descriptor's lock, as they do when the operation is run.) Other reactors than epoll do not say.
waiters settle_if_unawaited(operation* op, std::uintptr_t events) noexcept;

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_SRC_REACTOR_DESCRIPTOR_HPP
