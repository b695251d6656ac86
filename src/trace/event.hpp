// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_TRACE_EVENT_HPP
#define WEFT_SRC_TRACE_EVENT_HPP

// What is recorded: a time, what happened, and a word about it.

#include <cstdint>

namespace weft
{
namespace detail
{

/// What an event says of the worker that has recorded it. These numbers are in raw files: they do
/// not change their meaning.
enum class event_kind : std::uint8_t
{
    none = 0,
    handler = 1,        ///< runs the operation with this function
    io = 2,             ///< runs what the reactor has found for a descriptor: events, state
    idle = 3,           ///< has nothing at hand, and looks for work
    park = 4,           ///< sleeps: 1 in the reactor, 0 beside it
    unpark = 5,         ///< has slept: 1 if somebody woke it for work
    wake = 6,           ///< wakes this worker
    steal = 7,          ///< has stolen: how many, from which worker
    look = 8,           ///< looks into the reactor
    looked = 9,         ///< has found so many operations there
    fetch = 10,         ///< has fetched so many from the injection queue
    depth = 11,         ///< has so many handlers in its ring, and so many are injected
    span_begin = 12,    ///< begins a part of the handler: text
    span_end = 13,      ///< ends it
    nest_begin = 14,    ///< calls run() in a handler
    nest_end = 15,      ///< that call ends
    join = 16,          ///< belongs to this thread
    leave = 17,         ///< belongs to none
    resumed = 18,       ///< goes on with a handler that has been inside run_blocking(): function
    off = 19,           ///< records nothing any more
    object = 20,        ///< the kind of object whose operation has completed: text
    operation = 21,     ///< runs the handler of an operation of Asio's: text
    location = 22,      ///< where that operation was started: line, file
    operation_end = 23, ///< has run it
    wait_at = 24,       ///< an operation is about to wait at this primitive: place_of_wait()
    wait_begin = 25,    ///< it begins to: its address
    wait_end = 26       ///< waits no more: whether it has got what it wanted, its address
};

struct event
{
    std::uint64_t time = 0; ///< nanoseconds by cheap_clock
    std::uint64_t payload = 0;
    event_kind kind = event_kind::none;
};

// Two numbers in one word.

/// An address in its lower part, which is what user space has.
constexpr unsigned address_bits = 48;

constexpr std::uint64_t small_and_address(std::uint64_t small, std::uint64_t address) noexcept
{
    return small << address_bits | (address & ((std::uint64_t{1} << address_bits) - 1));
}

constexpr std::uint64_t address_in(std::uint64_t payload) noexcept
{
    return payload & ((std::uint64_t{1} << address_bits) - 1);
}

constexpr unsigned small_in(std::uint64_t payload) noexcept
{
    return static_cast<unsigned>(payload >> address_bits);
}

/// A lock or channel in events: its name's number, its kind (0 to 3, in src/wait/), its address.
constexpr std::uint64_t place_of_wait(unsigned name, unsigned kind, std::uint64_t address) noexcept
{
    return small_and_address(name << 2 | kind, address);
}

constexpr unsigned name_in(std::uint64_t payload) noexcept
{
    return small_in(payload) >> 2;
}

constexpr unsigned kind_in(std::uint64_t payload) noexcept
{
    return small_in(payload) & 3;
}

// The number of the first name of a context, and the last one that place_of_wait() has room for.
constexpr unsigned first_name = 2;
constexpr unsigned last_name = (1u << 14) - 1;

constexpr std::uint64_t two_counts(std::uint64_t first, std::uint64_t second) noexcept
{
    constexpr std::uint64_t most = 0xffffffff;
    return (first < most ? first : most) | (second < most ? second : most) << 32;
}

constexpr std::uint64_t first_count(std::uint64_t payload) noexcept
{
    return payload & 0xffffffff;
}

constexpr std::uint64_t second_count(std::uint64_t payload) noexcept
{
    return payload >> 32;
}

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_TRACE_EVENT_HPP
