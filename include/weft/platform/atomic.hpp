// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_PLATFORM_ATOMIC_HPP
#define WEFT_PLATFORM_ATOMIC_HPP

// The seam between weft and the memory it shares: every atomic, fence, lock and plain shared cell
// of its protocols comes through here. A model test defines WEFT_ATOMICS_HEADER to name a header
// that declares the same words on the model checker's types, and so checks this very source.

#if defined(WEFT_ATOMICS_HEADER)
#include WEFT_ATOMICS_HEADER
#else

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>

namespace weft
{
namespace detail
{

template <typename T>
using atomic = std::atomic<T>;

using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

/// Keeps the compiler, and nobody else, from moving accesses across.
inline void compiler_fence() noexcept
{
    std::atomic_signal_fence(std::memory_order_seq_cst);
}

/// A full fence. Each call names the fence or read-modify-write it pairs with.
inline void full_fence() noexcept
{
#if defined(__x86_64__)
    // Any locked instruction is one, and takes half as long as `mfence`. Compilers that use one
    // lock the top of the stack. Where a register has just been saved there, and is restored at
    // once, a post takes 8 ns more (measured); so this locks a word below it, within the red zone.
    __asm__ volatile("lock {orl $0, -64(%%rsp)|or dword ptr [rsp-64], 0}" : : : "memory", "cc");
#else
    std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

/// Plain data that threads share under a rule written where the cell is declared.
///
/// Copied word by word: a vector load of what was just stored as two words waits for the store
/// buffer, which costs more than everything else in a push that is popped at once (measured).
template <typename T>
class cell
{
    static_assert(std::is_trivially_copyable<T>::value && sizeof(T) % sizeof(std::uintptr_t) == 0,
        "a cell is copied as words");

    static constexpr std::size_t count = sizeof(T) / sizeof(std::uintptr_t);

public:
    T get() const noexcept
    {
        std::uintptr_t words[count];
        for (std::size_t i = 0; i != count; ++i)
            words[i] = alone(words_[i]);
        T value;
        std::memcpy(static_cast<void*>(&value), words, sizeof(T));
        return value;
    }

    void set(T const& value) noexcept
    {
        std::uintptr_t words[count];
        std::memcpy(words, static_cast<void const*>(&value), sizeof(T));
        for (std::size_t i = 0; i != count; ++i)
            words_[i] = alone(words[i]);
    }

private:
    // Keeps the compiler from joining this word with the next into one vector.
    static std::uintptr_t alone(std::uintptr_t word) noexcept
    {
#if defined(__GNUC__)
        asm("" : "+r"(word));
#endif
        return word;
    }

    std::uintptr_t words_[count];
};

/// Room for an object that threads hand to each other under a rule written where the room is
/// declared. Whether there is an object in it is the user's to know.
template <typename T>
class room
{
public:
    /// Makes the object: `construct(void*)`.
    template <typename Construct>
    void fill(Construct&& construct) noexcept
    {
        construct(static_cast<void*>(bytes_));
    }

    T& value() noexcept
    {
        return *std::launder(reinterpret_cast<T*>(bytes_));
    }

    void clear() noexcept
    {
        value().~T();
    }

private:
    alignas(T) unsigned char bytes_[sizeof(T)];
};

} // namespace detail
} // namespace weft

#endif // defined(WEFT_ATOMICS_HEADER)

#endif // WEFT_PLATFORM_ATOMIC_HPP
