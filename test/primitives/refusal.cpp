// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// An executor that throws when an operation that need not wait is submitted to it: the initiating
// function throws, and nothing has happened.

#include <weft/io_context.hpp>
#include <weft/mutex.hpp>
#include <weft/semaphore.hpp>

#include "support/cases.hpp"

namespace
{

// Refuses all that it is asked to run.
struct refusing_executor
{
    weft::io_context* context;

    weft::io_context& query(asio::execution::context_t) const noexcept
    {
        return *context;
    }

    refusing_executor require(asio::execution::blocking_t::never_t) const noexcept
    {
        return *this;
    }

    template <class Function>
    void execute(Function) const
    {
        throw std::runtime_error("refused");
    }

    bool operator==(refusing_executor const& other) const noexcept
    {
        return context == other.context;
    }

    bool operator!=(refusing_executor const& other) const noexcept
    {
        return context != other.context;
    }
};

struct fixture
{
    weft::io_context context;
    asio::cancellation_signal signal;
    std::shared_ptr<int> token = std::make_shared<int>(0);

    // So large that its memory is not kept for the next one.
    auto handler()
    {
        return asio::bind_executor(refusing_executor{&context},
            asio::bind_cancellation_slot(signal.slot(),
                [held = token, ballast = std::array<char, 20000>()](error_code, auto&&...)
                {
                    (void)ballast;
                    BOOST_ERROR("called");
                }));
    }

    template <class Start>
    void check_refused(Start start)
    {
        BOOST_CHECK_THROW(start(handler()), std::runtime_error);
        BOOST_TEST(token.use_count() == 1);
        // The operation is not there any more.
        signal.emit(asio::cancellation_type::all);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(refusal, fixture)

BOOST_AUTO_TEST_CASE(permits_that_were_free_are_free)
{
    weft::mutex m(context);
    weft::semaphore s(context, 3);
    check_refused([&](auto h) { m.async_lock(std::move(h)); });
    check_refused([&](auto h) { m.async_scoped_lock(std::move(h)); });
    check_refused([&](auto h) { m.async_lock_for(std::chrono::hours(1), std::move(h)); });
    check_refused([&](auto h) { m.async_scoped_lock_for(std::chrono::hours(1), std::move(h)); });
    BOOST_TEST(m.try_lock());
    m.unlock();
    check_refused([&](auto h) { s.async_acquire(2, std::move(h)); });
    check_refused([&](auto h) { s.async_scoped_acquire(2, std::move(h)); });
    BOOST_TEST(s.available() == 3u);
}

BOOST_AUTO_TEST_CASE(one_that_was_ready_to_be_cancelled_is_not_any_more)
{
    weft::semaphore s(context, 3);
    s.close();
    check_refused([&](auto h) { s.async_acquire(std::move(h)); });
    check_refused([&](auto h) { s.async_scoped_acquire(2, std::move(h)); });
    BOOST_TEST(s.available() == 3u);
}

BOOST_AUTO_TEST_SUITE_END()
