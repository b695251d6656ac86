// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// An executor that throws when an operation that need not wait is submitted to it: the initiating
// function throws, and nothing has happened.

#include <weft/channel.hpp>
#include <weft/io_context.hpp>
#include <weft/mutex.hpp>
#include <weft/semaphore.hpp>
#include <weft/shared_mutex.hpp>

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

struct refused_operations
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

BOOST_FIXTURE_TEST_SUITE(refusal, refused_operations)

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

// The permits are given back while the handler is there, and with it the primitive.
BOOST_AUTO_TEST_CASE(a_primitive_that_its_handler_owns_goes_with_a_refused_one)
{
    auto const owned_by_handler = [this](auto primitive, auto start)
    {
        auto& p = *primitive;
        BOOST_CHECK_THROW(start(p, asio::bind_executor(refusing_executor{&context},
                                       [owner = std::move(primitive)](error_code, auto&&...) {})),
            std::runtime_error);
    };
    for (int i = 0; i != 4; ++i)
        owned_by_handler(std::make_unique<weft::mutex>(context),
            [i](weft::mutex& m, auto h)
            {
                if (i == 0)
                    m.async_lock(std::move(h));
                else if (i == 1)
                    m.async_scoped_lock(std::move(h));
                else if (i == 2)
                    m.async_lock_for(std::chrono::hours(1), std::move(h));
                else
                    m.async_scoped_lock_for(std::chrono::hours(1), std::move(h));
            });
    owned_by_handler(std::make_unique<weft::semaphore>(context, 2),
        [](weft::semaphore& s, auto h) { s.async_acquire(2, std::move(h)); });
    owned_by_handler(std::make_unique<weft::shared_mutex>(context),
        [](weft::shared_mutex& r, auto h) { r.async_lock_shared(std::move(h)); });
    owned_by_handler(std::make_unique<weft::channel<int>>(context, 1u),
        [](weft::channel<int>& c, auto h) { c.async_send(1, std::move(h)); });
}

BOOST_AUTO_TEST_SUITE_END()
