// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Every operation is cancelled in every way (cancellation_matrix.hpp). Whatever the outcome, the
// permits are all there afterwards.

#include "primitives/cancellation_matrix.hpp"
#include "primitives/lock_operations.hpp"

#include "primitives/places.hpp"

namespace
{

using asio::cancellation_type;

} // namespace

BOOST_AUTO_TEST_SUITE(cancellation)

WEFT_TEST_CANCELLATION(test::lock_operations::all)

WEFT_TEST_CASE_IN_PLACES(a_coroutine_that_is_cancelled_before_it_awaits_throws, test::single_places)
{
    weft::mutex m(place.executor);
    asio::cancellation_signal signal;
    bool aborted = false;
    asio::co_spawn(
        place.executor,
        [&]() -> asio::awaitable<void>
        {
            signal.emit(cancellation_type::terminal);
            auto const state = co_await asio::this_coro::cancellation_state;
            BOOST_TEST((state.cancelled() != cancellation_type::none));
            try
            {
                co_await m.async_lock();
            }
            catch (boost::system::system_error const& e)
            {
                aborted = e.code() == asio::error::operation_aborted;
            }
            co_await asio::this_coro::reset_cancellation_state();
        },
        asio::bind_cancellation_slot(signal.slot(), asio::detached));
    place.finish();
    BOOST_TEST(aborted);
    BOOST_TEST(m.try_lock());
}

BOOST_AUTO_TEST_SUITE_END()
