// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What becomes of operations when the primitive or its context goes away.

#include <weft/mutex.hpp>
#include <weft/semaphore.hpp>
#include <weft/shared_mutex.hpp>

#include "primitives/places.hpp"

namespace
{

// Counts the handlers that exist and those that were called.
struct ledger
{
    std::shared_ptr<int> token = std::make_shared<int>(0);
    std::atomic<int> called{0};
    std::atomic<int> aborted{0};

    auto handler()
    {
        return [this, held = token](error_code ec, auto&&...)
        {
            ++called;
            aborted += ec == asio::error::operation_aborted ? 1 : 0;
        };
    }

    long existing() const
    {
        return token.use_count() - 1;
    }
};

// One of each kind of operation, all of which have to wait, with handlers that `make` makes.
template <class Make, class Executor>
void start_each(Make make, weft::basic_mutex<Executor>& m, weft::basic_semaphore<Executor>& s,
    weft::basic_shared_mutex<Executor>& r)
{
    m.async_lock(make());
    m.async_scoped_lock(make());
    m.async_lock_for(std::chrono::hours(1), make());
    s.async_acquire(2, make());
    s.async_scoped_acquire(1, make());
    s.async_acquire_for(std::chrono::hours(1), make());
    r.async_lock(make());
    r.async_lock_shared(make());
    r.async_scoped_lock(make());
    r.async_scoped_lock_shared(make());
    r.async_lock_for(std::chrono::hours(1), make());
    r.async_lock_shared_for(std::chrono::hours(1), make());
    m.async_scoped_lock_for(std::chrono::hours(1), make());
    s.async_scoped_acquire_for(std::chrono::hours(1), make());
    r.async_scoped_lock_for(std::chrono::hours(1), make());
    r.async_scoped_lock_shared_for(std::chrono::hours(1), make());
}

template <class Executor>
void start_one_of_each(ledger& l, weft::basic_mutex<Executor>& m,
    weft::basic_semaphore<Executor>& s, weft::basic_shared_mutex<Executor>& r)
{
    start_each([&l] { return l.handler(); }, m, s, r);
}

constexpr int kinds = 16;

struct primitives
{
    weft::mutex m;
    weft::semaphore s;
    weft::shared_mutex r;

    explicit primitives(asio::any_io_executor const& ex) : m(ex), s(ex, 1), r(ex)
    {
        m.try_lock();
        r.try_lock();
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(lifetime, ledger)

WEFT_TEST_CASE_IN_PLACES(a_primitive_that_goes_away_aborts_what_waits, test::places)
{
    {
        primitives p(place.executor);
        start_one_of_each(*this, p.m, p.s, p.r);
    }
    place.finish();
    BOOST_TEST(called == kinds);
    BOOST_TEST(aborted == kinds);
    BOOST_TEST(existing() == 0);
}

// A strand must not outlive its context, and so not a primitive with a strand for its executor.
WEFT_TEST_CASE_FOR_PLACES(a_context_that_goes_away_destroys_what_waits, test::places_but_strands)
{
    std::optional<test::place> place(std::in_place, where);
    {
        primitives p(place->executor);
        start_one_of_each(*this, p.m, p.s, p.r);
        BOOST_TEST(existing() == kinds);
        // Some are granted and not delivered.
        if (!test::is_pool(where))
        {
            p.m.unlock();
            p.s.release();
            p.r.unlock();
        }
        else
            place->context.stop();
        place.reset();
        BOOST_TEST(existing() == 0);
        BOOST_TEST(called == 0);
        // The primitive may be used, to no effect, and destroyed.
        BOOST_TEST(!p.s.try_acquire());
    }
}

WEFT_TEST_CASE_FOR_PLACES(a_scoped_lock_that_is_not_delivered_is_given_back, test::single_places)
{
    std::optional<test::place> place(std::in_place, where);
    weft::mutex m(place->executor);
    weft::semaphore s(place->executor, 6);
    m.async_scoped_lock(handler());
    s.async_scoped_acquire(2, handler());
    s.async_scoped_acquire_for(std::chrono::hours(1), 2, handler());
    // This one has waited, and its timer is still there.
    s.async_scoped_acquire_for(std::chrono::hours(1), 2, handler());
    s.async_scoped_acquire_for(std::chrono::hours(1), 2, handler());
    s.release(2);
    BOOST_TEST(!m.try_lock());
    BOOST_TEST(s.available() == 0u);
    place.reset();
    BOOST_TEST(existing() == 0);
    BOOST_TEST(called == 0);
    BOOST_TEST(s.available() == 8u);
}

WEFT_TEST_CASE_FOR_PLACES(coroutines_that_wait_are_destroyed, test::single_places)
{
    std::optional<test::place> place(std::in_place, where);
    weft::mutex m(place->executor);
    BOOST_TEST(m.try_lock());
    for (int i = 0; i != 3; ++i)
        asio::co_spawn(
            place->executor,
            [&, held = token, i]() -> asio::awaitable<void>
            {
                if (i == 0)
                    co_await m.async_lock();
                else if (i == 1)
                    co_await m.async_lock(asio::use_awaitable);
                else
                    auto const lock = co_await m.async_scoped_lock();
                ++called;
            },
            asio::detached);
    place->context.poll();
    BOOST_TEST(existing() == 3);
    place.reset();
    BOOST_TEST(existing() == 0);
    BOOST_TEST(called == 0);
}

// What has been granted or aborted has nothing to do any more with the context in which it waited.
WEFT_TEST_CASE_FOR_PLACES(the_context_may_go_before_handlers_run_in_another, test::single_places)
{
    for (auto const elsewhere : test::single_places)
    {
        called = 0;
        test::place other(elsewhere);
        std::optional<test::place> place(std::in_place, where);
        {
            primitives p(place->executor);
            start_each(
                [&] { return asio::bind_executor(other.executor, handler()); }, p.m, p.s, p.r);
            p.m.unlock();
            p.s.release();
            p.r.unlock();
            p.s.async_acquire_for(
                std::chrono::hours(1), asio::bind_executor(other.executor, handler()));
            // By way of the context, for these executors call at will.
            asio::any_completion_executor const at_will(other.executor);
            p.m.async_lock(asio::bind_executor(at_will, handler()));
            p.m.async_lock_for(std::chrono::hours(1), asio::bind_executor(at_will, handler()));
            // The timers of those that have been granted.
            place->context.poll();
        }
        place->context.restart();
        place->context.poll();
        place.reset();
        BOOST_TEST(called == 0);
        other.context.poll();
        BOOST_TEST(called == kinds + 3);
        BOOST_TEST(existing() == 0);
    }
}

WEFT_TEST_CASE_FOR_PLACES(the_context_may_go_after_what_did_not_wait, test::single_places)
{
    test::place other(where);
    std::optional<test::place> place(std::in_place, where);
    auto s = std::make_unique<weft::semaphore>(place->executor, 2);
    s->async_acquire(asio::bind_executor(other.executor, handler()));
    s->async_acquire_for(std::chrono::hours(1), asio::bind_executor(other.executor, handler()));
    s.reset();
    place.reset();
    other.context.poll();
    BOOST_TEST(called == 2);
}

WEFT_TEST_CASE_FOR_PLACES(the_context_may_go_before_a_coroutine_goes_on, test::single_places)
{
    test::place other(where);
    std::optional<test::place> place(std::in_place, where);
    weft::mutex m(place->executor);
    BOOST_TEST(m.try_lock());
    asio::co_spawn(
        other.executor,
        [&]() -> asio::awaitable<void>
        {
            co_await m.async_lock();
            ++called;
        },
        asio::detached);
    other.context.poll();
    m.unlock();
    place.reset();
    other.context.restart();
    other.context.poll();
    BOOST_TEST(called == 1);
}

// The move that brings the handler out of the operation.
WEFT_TEST_CASE_FOR_PLACES(
    a_handler_that_throws_when_it_is_moved_leaves_nothing, test::single_places)
{
    struct moved_once
    {
        std::shared_ptr<int> held;
        bool& armed;

        moved_once(std::shared_ptr<int> token, bool& a) : held(std::move(token)), armed(a)
        {
        }

        moved_once(moved_once&& other) : held(std::move(other.held)), armed(other.armed)
        {
            if (armed)
                throw std::runtime_error("moved");
        }

        void operator()(error_code, std::unique_lock<weft::mutex>) const
        {
            BOOST_ERROR("called");
        }
    };

    test::place place(where);
    weft::mutex m(place.executor);
    bool armed = false;
    BOOST_TEST(m.try_lock());
    m.async_scoped_lock(moved_once(token, armed));
    m.unlock();
    armed = true;
    BOOST_CHECK_THROW(place.context.poll(), std::runtime_error);
    BOOST_TEST(existing() == 0);
    BOOST_TEST(m.try_lock());
}

// A primitive that only the handlers that wait for it keep alive.
WEFT_TEST_CASE_FOR_PLACES(a_primitive_may_go_with_the_last_that_waits, test::places)
{
    {
        test::place place(where);
        auto const m = std::make_shared<weft::mutex>(place.executor);
        BOOST_TEST(m->try_lock());
        for (int i = 0; i != 3; ++i)
            m->async_lock([m, h = handler()](error_code ec) mutable { h(ec); });
    }
    BOOST_TEST(existing() == 0);
    BOOST_TEST(called == 0);
}

// Those that wait have nothing to give back, least of all to a primitive that is gone.
WEFT_TEST_CASE_FOR_PLACES(scoped_locks_that_were_never_had_are_not_given_back, test::single_places)
{
    std::optional<test::place> place(std::in_place, where);
    weft::semaphore s(place->executor, 1);
    for (int i = 0; i != 3; ++i)
    {
        s.async_scoped_acquire(2, handler());
        s.async_scoped_acquire_for(std::chrono::hours(1), 2, handler());
    }
    auto m = std::make_unique<weft::mutex>(place->executor);
    weft::mutex& here = *m;
    BOOST_TEST(here.try_lock());
    here.async_lock([owned = std::move(m), h = handler()](error_code ec) mutable { h(ec); });
    for (int i = 0; i != 3; ++i)
    {
        here.async_scoped_lock(handler());
        here.async_scoped_lock_for(std::chrono::hours(1), handler());
    }
    place.reset();
    BOOST_TEST(existing() == 0);
    BOOST_TEST(called == 0);
    BOOST_TEST(s.available() == 1u);
}

// A handler that has the lock destroys the mutex, which nobody else waits for.
WEFT_TEST_CASE_IN_PLACES(the_last_one_may_destroy_the_mutex, test::places)
{
    std::atomic<int> destroyed{0};
    for (int i = 0; i != 100; ++i)
    {
        auto m = std::make_unique<weft::mutex>(place.executor);
        weft::mutex& here = *m;
        BOOST_TEST(here.try_lock());
        here.async_lock(
            [&destroyed, owned = std::move(m)](error_code ec) mutable
            {
                owned->unlock();
                owned.reset();
                destroyed += ec ? 0 : 1;
            });
        here.unlock();
    }
    place.finish();
    BOOST_TEST(destroyed == 100);
}

WEFT_TEST_CASE_IN_PLACES(
    a_signal_for_an_operation_that_was_aborted_means_nothing, test::single_places)
{
    asio::cancellation_signal signal;
    {
        weft::mutex m(place.executor);
        BOOST_TEST(m.try_lock());
        m.async_lock(asio::bind_cancellation_slot(signal.slot(), handler()));
    }
    signal.emit(asio::cancellation_type::all);
    place.finish();
    signal.emit(asio::cancellation_type::all);
    BOOST_TEST(aborted == 1);
    BOOST_TEST(called == 1);
}

WEFT_TEST_CASE_IN_PLACES(primitives_come_and_go, test::single_places)
{
    std::optional<weft::mutex> a(std::in_place, place.executor);
    std::optional<weft::semaphore> b(std::in_place, place.executor, 0u);
    std::optional<weft::mutex> c(std::in_place, place.executor);
    b->async_acquire(handler());
    b.reset();
    b.emplace(place.executor, 0u);
    b->async_acquire(handler());
    a.reset();
    c.reset();
    place.context.poll();
    BOOST_TEST(called == 1);
    b.reset();
    place.finish();
    BOOST_TEST(aborted == 2);
}

BOOST_AUTO_TEST_CASE(handlers_may_belong_to_another_context)
{
    std::optional<weft::io_context> mine(std::in_place);
    asio::io_context other;
    {
        weft::mutex m(*mine);
        BOOST_TEST(m.try_lock());
        m.async_lock(asio::bind_executor(other, handler()));
        mine.reset();
        BOOST_TEST(existing() == 0);
    }
    other.run();
    BOOST_TEST(called == 0);
}

// What waits is work of both contexts; what does not wait is in the queue of the handler's.
BOOST_AUTO_TEST_CASE(both_contexts_have_work_while_an_operation_waits)
{
    weft::io_context mine;
    asio::io_context other;
    weft::mutex m(mine);
    m.async_lock(asio::bind_executor(other, handler()));
    BOOST_TEST(mine.run() == 0u);
    BOOST_TEST(called == 0);
    BOOST_TEST(other.run() == 1u);
    BOOST_TEST(called == 1);

    mine.restart();
    other.restart();
    m.async_lock(asio::bind_executor(other, handler()));
    BOOST_TEST(mine.poll() == 0u);
    BOOST_TEST(!mine.stopped());
    BOOST_TEST(other.poll() == 0u);
    BOOST_TEST(!other.stopped());
    m.unlock();
    BOOST_TEST(other.run() == 1u);
    BOOST_TEST(mine.run() == 0u);
    BOOST_TEST(called == 2);
    m.unlock();
}

BOOST_AUTO_TEST_SUITE_END()
