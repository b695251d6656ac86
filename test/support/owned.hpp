// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_SUPPORT_OWNED_HPP
#define WEFT_TEST_SUPPORT_OWNED_HPP

// Values that tell whether each of them was destroyed, and once: what an int, which has no
// destructor, cannot tell.

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <climits>
#include <cstddef>
#include <memory>
#include <ostream>
#include <thread>
#include <utility>

namespace test
{

/// Counts the objects that there are, by a counter for each of some threads: what is counted is to
/// race as if it were not.
class counted
{
public:
    counted() noexcept : self_(this)
    {
        add(1);
    }

    counted(counted const&) noexcept : counted()
    {
    }

    counted& operator=(counted const&) noexcept
    {
        return *this;
    }

    /// Twice, or without having been made, is an error.
    ~counted()
    {
        if (std::exchange(self_, nullptr) != this)
            errors_.fetch_add(1, std::memory_order_relaxed);
        add(-1);
    }

    /// How many there are. Nobody makes or destroys one meanwhile.
    static long alive() noexcept
    {
        long sum = 0;
        for (auto const& c : counters_)
            sum += c.n.load(std::memory_order_relaxed);
        return sum;
    }

    static long errors() noexcept
    {
        return errors_.load(std::memory_order_relaxed);
    }

private:
    struct alignas(128) counter
    {
        std::atomic<long> n;
    };

    static void add(long n) noexcept
    {
        thread_local std::size_t const mine = next_.fetch_add(1, std::memory_order_relaxed);
        counters_[mine % size].n.fetch_add(n, std::memory_order_relaxed);
    }

    static constexpr std::size_t size = 64;
    // Zero before anything else is initialized.
    static inline counter counters_[size];
    static inline std::atomic<std::size_t> next_{0};
    static inline std::atomic<long> errors_{0};

    // Volatile: the store of a destructor is otherwise dead.
    counted* volatile self_;
};

/// A number without memory of its own.
struct counted_number : counted
{
    counted_number(int n = 0) noexcept : number(n)
    {
    }

    operator int() const noexcept
    {
        return number;
    }

    int number;
};

/// A number in memory of its own, made of an int and compared as one; 0 by default, and none once
/// it has been moved from.
class owned : private counted
{
public:
    static constexpr int moved_from = INT_MIN;

    owned() : owned(0)
    {
    }

    owned(int n) : number_(std::make_unique<int>(n))
    {
    }

    owned(owned const& other)
        : counted(other), number_(other.number_ ? std::make_unique<int>(*other.number_) : nullptr)
    {
    }

    owned(owned&& other) noexcept : counted(other), number_(std::move(other.number_))
    {
    }

    owned& operator=(owned other) noexcept
    {
        number_ = std::move(other.number_);
        return *this;
    }

    operator int() const noexcept
    {
        return number_ ? *number_ : moved_from;
    }

    friend std::ostream& operator<<(std::ostream& out, owned const& o)
    {
        return out << static_cast<int>(o);
    }

private:
    std::unique_ptr<int> number_;
};

/// A fixture, and the first base of others: what a test case has made is gone when it ends.
struct all_are_destroyed
{
    long const before = counted::alive();
    long const errors = counted::errors();

    all_are_destroyed() = default;
    all_are_destroyed(all_are_destroyed const&) = delete;
    all_are_destroyed& operator=(all_are_destroyed const&) = delete;

    /// Handlers of asio::use_future end on threads of Asio's own (system_executor), a moment after
    /// the future is ready. A value that is never destroyed makes this a hang, and so a failure.
    void await_futures() const noexcept
    {
        while (counted::alive() != before)
            std::this_thread::yield();
    }

    ~all_are_destroyed()
    {
        BOOST_TEST(counted::alive() == before);
        BOOST_TEST(counted::errors() == errors);
    }
};

} // namespace test

#endif // WEFT_TEST_SUPPORT_OWNED_HPP
