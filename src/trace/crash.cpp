// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What a process writes that dies. In the signal handler there is no memory to be had, no lock to
// be waited for, and nothing to be called but what POSIX names as async-signal-safe.

#include "crash.hpp"

#include <weft/platform/atomic.hpp>
#include <weft/platform/cheap_clock.hpp>
#include <weft/platform/visibility.hpp>

#include "raw_file.hpp"
#include "recorder.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <system_error>

namespace weft
{
namespace detail
{

inline namespace WEFT_LOCAL
{

// How a slot is written.
using raw_slot = std::uint64_t[2];

// Slots that are copied at a time.
inline constexpr std::size_t slots_of_piece = 256;

inline constexpr int crash_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr std::size_t signal_count = sizeof(crash_signals) / sizeof(crash_signals[0]);
inline constexpr std::size_t longest_crash_path = 4096;

// What was installed before. Written before the handler is.
WEFT_INLINE struct sigaction actions_before[signal_count];

// A path that the handler reads is not changed: the other one is.
WEFT_INLINE char crash_paths[2][longest_crash_path];
WEFT_INLINE atomic<char const*> crash_path{nullptr};

// The thread that writes.
WEFT_INLINE atomic<long> crash_writer{0};
WEFT_INLINE atomic<bool> crash_written{false};

// How long another one that dies waits for it.
inline constexpr int longest_crash_wait = 10'000;
inline constexpr int wait_step = 10;

inline constexpr unsigned attempts_to_hold = 100'000;

// Of the thread that writes, whose stack may be a small one.
WEFT_INLINE raw_slot piece_of_ring[slots_of_piece];
WEFT_INLINE char piece_of_maps[4096];

/// All of it, unless the file takes no more.
WEFT_INLINE bool put(int file, void const* data, std::size_t size) noexcept
{
    auto const* bytes = static_cast<char const*>(data);
    while (size != 0)
    {
        ssize_t const done = ::write(file, bytes, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        bytes += done;
        size -= static_cast<std::size_t>(done);
    }
    return true;
}

WEFT_INLINE bool put_header(int file, raw_record kind, std::uint64_t size) noexcept
{
    raw_header const header{kind, 0, size};
    return put(file, &header, sizeof(header));
}

WEFT_INLINE bool put_crash(int file, int signal) noexcept
{
    raw_crash const crash{static_cast<std::uint64_t>(signal),
        static_cast<std::uint64_t>(::getpid()), static_cast<std::uint64_t>(::syscall(SYS_gettid)),
        cheap_clock::now()};
    return put_header(file, raw_record::crash, sizeof(crash)) && put(file, &crash, sizeof(crash));
}

WEFT_INLINE bool put_slots(int file, event_ring const& ring) noexcept
{
    for (std::size_t at = 0; at != ring.size();)
    {
        std::size_t count = 0;
        for (; count != slots_of_piece && at != ring.size(); ++count, ++at)
        {
            piece_of_ring[count][0] = ring.slots()[at].head.load(memory_order_acquire);
            piece_of_ring[count][1] = ring.slots()[at].payload.load(memory_order_acquire);
        }
        if (!put(file, piece_of_ring, count * sizeof(raw_slot)))
            return false;
    }
    return true;
}

WEFT_INLINE bool put_ring(int file, recorder const& r, event_ring const& ring) noexcept
{
    raw_ring const head{
        reinterpret_cast<std::uintptr_t>(&r), ring.worker, ring.written(), ring.size()};
    std::size_t const size = sizeof(head) + ring.size() * sizeof(raw_slot) + sizeof(std::uint64_t);
    if (!put_header(file, raw_record::ring, size) || !put(file, &head, sizeof(head)) ||
        !put_slots(file, ring))
        return false;
    // Its worker may have gone on.
    std::uint64_t const after = ring.written();
    return put(file, &after, sizeof(after));
}

WEFT_INLINE bool put_name(int file, recorder const& r, wait_names::entry const& name) noexcept
{
    raw_name const head{reinterpret_cast<std::uintptr_t>(&r), name.number};
    return put_header(file, raw_record::name, sizeof(head) + name.text.size()) &&
           put(file, &head, sizeof(head)) && put(file, name.text.data(), name.text.size());
}

WEFT_INLINE bool put_all_of(int file, recorder const& r) noexcept
{
    bool good = true;
    for (event_ring const* ring = r.newest(); ring && good; ring = ring->older)
        good = put_ring(file, r, *ring);
    for (auto const* name = r.names.newest(); name && good; name = name->older)
        good = put_name(file, r, *name);
    return good;
}

WEFT_INLINE bool put_maps(int file) noexcept
{
    int const maps = ::open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (maps < 0)
        return true;
    bool good = true;
    while (good)
    {
        ssize_t const size = ::read(maps, piece_of_maps, sizeof(piece_of_maps));
        if (size < 0 && errno == EINTR)
            continue;
        if (size <= 0)
            break;
        auto const count = static_cast<std::size_t>(size);
        good = put_header(file, raw_record::maps, count) && put(file, piece_of_maps, count);
    }
    ::close(maps);
    return good;
}

WEFT_INLINE void write_file(char const* to, int signal) noexcept
{
    int const file = ::open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0666);
    if (file < 0)
        return;
    // Not blocking is for a pipe that nobody reads, which cannot be opened.
    ::fcntl(file, F_SETFL, 0);
    bool good =
        put(file, raw_magic, sizeof(raw_magic)) && put_crash(file, signal) && put_maps(file);
    // If the thread that has died is the one that holds the list, then it is as it was.
    bool const held = recorder::try_hold(attempts_to_hold);
    for (recorder const* r = recorder::first(); r && good; r = r->next())
        good = put_all_of(file, *r);
    if (held)
        recorder::release();
    ::close(file);
}

extern "C" WEFT_INLINE void weft_trace_crash_handler(int signal)
{
    int const error = errno;
    long const self = ::syscall(SYS_gettid);
    long nobody = 0;
    char const* const to = crash_path.load(memory_order_acquire);
    if (to && crash_writer.compare_exchange_strong(
                  nobody, self, memory_order_acq_rel, memory_order_acquire))
    {
        write_file(to, signal);
        crash_written.store(true, memory_order_release);
    }
    else if (to && nobody != self)
        // Another thread writes: the process is not to end before it has.
        for (int waited = 0;
             waited < longest_crash_wait && !crash_written.load(memory_order_acquire);
             waited += wait_step)
            (void)::poll(nullptr, 0, wait_step);
    errno = error;
    // What was to happen happens when this returns, for the signal is blocked until then.
    for (std::size_t i = 0; i != signal_count; ++i)
        if (crash_signals[i] == signal)
            (void)::sigaction(signal, &actions_before[i], nullptr);
    (void)::raise(signal);
}

WEFT_INLINE void install()
{
    struct sigaction action = {};
    action.sa_handler = &weft_trace_crash_handler;
    action.sa_flags = SA_ONSTACK;
    ::sigemptyset(&action.sa_mask);
    // The path may be a pipe whose reader goes away: the process is to die of what it dies of.
    ::sigaddset(&action.sa_mask, SIGPIPE);
    for (std::size_t i = 0; i != signal_count; ++i)
        if (::sigaction(crash_signals[i], nullptr, &actions_before[i]) != 0 ||
            ::sigaction(crash_signals[i], &action, nullptr) != 0)
            throw std::system_error(errno, std::generic_category(), "weft::trace::dump_on_crash");
}

} // namespace WEFT_LOCAL

WEFT_INLINE void write_rings_on_crash(char const* to)
{
    static std::mutex mutex;
    static bool installed = false;
    std::lock_guard<std::mutex> const lock(mutex);
    if (!to)
    {
        crash_path.store(nullptr, memory_order_release);
        return;
    }
    std::size_t const length = std::strlen(to);
    if (length >= longest_crash_path)
        throw std::invalid_argument("weft::trace::dump_on_crash: the path is too long");
    char* const free =
        crash_path.load(memory_order_relaxed) == crash_paths[0] ? crash_paths[1] : crash_paths[0];
    std::memcpy(free, to, length + 1);
    // The clock reads a file when it is asked for the first time.
    (void)cheap_clock::now();
    if (!installed)
        install();
    installed = true;
    crash_path.store(free, memory_order_release);
}

} // namespace detail
} // namespace weft
