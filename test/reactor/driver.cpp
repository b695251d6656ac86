// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What weft relies on in Asio's insides. A test here that fails on a newer Boost says which of the
// assumptions of reactor/driver.hpp no longer holds.

#include <weft/reactor/driver.hpp>

#include <weft/io_context.hpp>
#include <weft/reactor/thread_slot.hpp>

#include "support/asio.hpp"
#include "support/reported_hint.hpp"

#include <boost/asio/detail/scheduler.hpp>

#if defined(BOOST_ASIO_HAS_IO_URING_AS_DEFAULT)
#include <boost/asio/detail/io_uring_service.hpp>
#else
#include <boost/asio/detail/reactor.hpp>
#endif

#include <unistd.h>

namespace asio = boost::asio;
using weft::detail::driver;
using weft::detail::operation;
using weft::detail::ready_operation;

namespace
{

#if defined(BOOST_ASIO_HAS_IO_URING_AS_DEFAULT)
using reactor_service = asio::detail::io_uring_service;
constexpr bool one_operation_for_all_events = false;
#else
using reactor_service = asio::detail::reactor;
constexpr bool one_operation_for_all_events = true;
#endif

struct probe_context : weft::detail::driven_context
{
    explicit probe_context(int hint = 0) : driven_context(hint)
    {
    }

    ~probe_context()
    {
        shutdown();
        destroy();
    }
};

struct probe_sink : driver::sink
{
    int count = 0;
    ready_operation last{};

    bool has_room() noexcept override
    {
        return true;
    }

    void ready(ready_operation op) noexcept override
    {
        ++count;
        last = op;
    }

    void end() noexcept override
    {
        ++ends;
    }

    int ends = 0;
};

struct probe_operation : operation
{
    int completed = 0;

    probe_operation() : operation(&probe_operation::complete)
    {
    }

    static void complete(
        void* owner, operation* base, boost::system::error_code const&, std::size_t)
    {
        if (owner)
            ++static_cast<probe_operation*>(base)->completed;
    }
};

// What Asio's scheduler counts as outstanding.
auto& work_of(asio::detail::scheduler& s) noexcept;

template <auto Member>
struct expose_work
{
    friend auto& work_of(asio::detail::scheduler& s) noexcept
    {
        return s.*Member;
    }
};

template struct expose_work<&asio::detail::scheduler::outstanding_work_>;

} // namespace

BOOST_AUTO_TEST_CASE(the_scheduler_reports_the_hint_it_was_given)
{
    for (int const hint : {-1, 0, 1, 7})
    {
        probe_context context(hint);
        driver::install(context);
        BOOST_TEST(test::reported_hint(context) == hint);
    }
}

#if defined(BOOST_ASIO_HAS_IO_URING_AS_DEFAULT)
// What is posted is that operations are to be started: it must not wait for the handler's end.
BOOST_AUTO_TEST_CASE(a_post_of_asio_from_a_worker_reaches_the_inner_scheduler)
{
    for (int const hint : {-1, 0, 1})
    {
        probe_context context(hint);
        driver& d = driver::install(context);
        weft::detail::thread_slot slot;
        probe_sink sink;
        probe_operation op;
        weft::detail::thread_entry const inside(d.inner(), slot);
        d.inner().post_immediate_completion(&op, false);
        BOOST_TEST(!slot.has_posted());
        BOOST_TEST(d.may_have_events());
        d.wait(0, sink);
        BOOST_TEST(op.completed == 1);
    }
}
#else
BOOST_AUTO_TEST_CASE(a_post_of_asio_from_a_worker_reaches_the_private_queue)
{
    for (int const hint : {-1, 0, 1})
    {
        probe_context context(hint);
        driver& d = driver::install(context);
        weft::detail::thread_slot slot;
        probe_operation op;
        {
            weft::detail::thread_entry const inside(d.inner(), slot);
            d.inner().post_immediate_completion(&op, false);
            BOOST_TEST(slot.has_posted());
            int drained = 0;
            slot.drain(
                [&](operation* o)
                {
                    ++drained;
                    BOOST_TEST(o == &op);
                });
            BOOST_TEST(drained == 1);
            d.inner().post_deferred_completion(&op);
            BOOST_TEST(slot.has_posted());
            slot.drain([](operation*) {});
        }
        BOOST_TEST(op.completed == 0);
    }
}
#endif

// It is not run there: the thread may count as asleep, and nobody else can use the reactor.
BOOST_AUTO_TEST_CASE(a_foreign_post_of_asio_ends_the_wait_and_is_passed_on)
{
    for (bool const with_reactor : {false, true})
    {
        probe_context context;
        driver& d = driver::install(context);
        if (with_reactor)
            d.inner().init_task();
        weft::detail::thread_slot slot;
        probe_sink sink;
        probe_operation op;
        long const work_before = work_of(d.inner());
        std::thread foreign([&] { d.inner().post_immediate_completion(&op, false); });
        {
            weft::detail::thread_entry const inside(d.inner(), slot);
            // Without a time limit: only the interrupt ends it. The first waits may end for the
            // reactor's own reasons.
            while (sink.count == 0)
                d.wait(-1, sink);
        }
        foreign.join();
        BOOST_TEST(op.completed == 0);
        BOOST_TEST(sink.count == 1);
        BOOST_TEST(sink.last.op == &op);
        BOOST_TEST(work_of(d.inner()) == work_before);
    }
}

BOOST_AUTO_TEST_CASE(the_first_io_object_creates_the_reactor)
{
    probe_context context;
    driver& d = driver::install(context);
    BOOST_TEST(!d.may_have_events());
    asio::use_service<reactor_service>(context).init_task();
    BOOST_TEST(d.may_have_events());
}

BOOST_AUTO_TEST_CASE(a_resolver_has_an_event_coming_only_while_it_resolves)
{
    weft::io_context context;
    auto& d = asio::use_service<driver>(context);
    asio::ip::tcp::resolver resolver(context);
    BOOST_TEST(!d.may_have_events());
    bool resolved = false;
    resolver.async_resolve("127.0.0.1", "1",
        [&](boost::system::error_code, asio::ip::tcp::resolver::results_type) { resolved = true; });
    BOOST_TEST(d.may_have_events());
    context.run();
    BOOST_TEST(resolved);
    BOOST_TEST(!d.may_have_events());
}

BOOST_AUTO_TEST_CASE(who_waits_in_the_inner_scheduler_moves_into_a_new_reactor)
{
    probe_context context;
    driver& d = driver::install(context);
    probe_operation op;
    std::thread foreign(
        [&]
        {
            asio::use_service<reactor_service>(context).init_task();
            d.inner().post_immediate_completion(&op, false);
        });
    weft::detail::thread_slot slot;
    probe_sink sink;
    {
        weft::detail::thread_entry const inside(d.inner(), slot);
        while (sink.count == 0)
            d.wait(-1, sink);
    }
    foreign.join();
    BOOST_TEST(sink.last.op == &op);
    BOOST_TEST(d.may_have_events());
}

BOOST_AUTO_TEST_CASE(many_interrupts_of_the_inner_scheduler_are_one)
{
    probe_context context;
    driver& d = driver::install(context);
    weft::detail::thread_slot slot;
    probe_sink sink;
    weft::detail::thread_entry const inside(d.inner(), slot);
    for (int round = 0; round != 3; ++round)
    {
        for (int i = 0; i != 10; ++i)
            d.interrupt();
        // It is no work, and nothing to find.
        BOOST_TEST(d.pending() == 0);
        BOOST_TEST(!d.may_have_events());
        BOOST_TEST(d.wait(-1, sink) == 0u);
    }
    // In the middle of a wait, if that has begun by then.
    std::thread interrupts(
        [&]
        {
            ::usleep(1000);
            d.interrupt();
        });
    BOOST_TEST(d.wait(-1, sink) == 0u);
    interrupts.join();
    // Nothing is left of all that.
    probe_operation op;
    std::thread posts(
        [&]
        {
            ::usleep(1000);
            d.inner().post_immediate_completion(&op, false);
        });
    BOOST_TEST(d.wait(-1, sink) == 1u);
    posts.join();
}

BOOST_AUTO_TEST_CASE(an_inner_scheduler_without_locks_gets_a_reactor_to_wait_in)
{
    probe_context context(BOOST_ASIO_CONCURRENCY_HINT_UNSAFE);
    driver& d = driver::install(context);
    weft::detail::thread_slot slot;
    probe_sink sink;
    weft::detail::thread_entry const inside(d.inner(), slot);
    BOOST_TEST(!d.may_have_events());
    d.wait(1, sink);
    BOOST_TEST(d.may_have_events());
}

BOOST_AUTO_TEST_CASE(an_interrupt_before_the_wait_is_not_lost)
{
    for (bool const with_reactor : {false, true})
    {
        probe_context context;
        driver& d = driver::install(context);
        if (with_reactor)
            d.inner().init_task();
        weft::detail::thread_slot slot;
        probe_sink sink;
        weft::detail::thread_entry const inside(d.inner(), slot);
        // Uses up what the reactor's own construction left.
        d.wait(0, sink);
        d.interrupt();
        d.wait(-1, sink);
        BOOST_TEST(sink.count == 0);
    }
}

// Whoever waits for hours is not told of an earlier time by being woken.
BOOST_AUTO_TEST_CASE(any_thread_shortens_the_wait)
{
    using std::chrono::steady_clock;
    auto const ticks = [](steady_clock::time_point at)
    {
        return static_cast<weft::detail::timer_ticks>(at.time_since_epoch().count());
    };
    probe_context context;
    driver& d = driver::install(context);
    probe_sink sink;
    auto const start = steady_clock::now();
    BOOST_TEST(!d.shorten_wait(ticks(start)));

    // Otherwise the reactor takes microseconds for what they are.
    bool const has_alarm = d.wake_at(ticks(start + std::chrono::hours(2)));
    BOOST_TEST(d.shorten_wait(ticks(start + std::chrono::hours(2))) == has_alarm);
    std::thread others(
        [&]
        {
            if (!d.shorten_wait(ticks(start + std::chrono::hours(3))) ||
                !d.shorten_wait(ticks(start + std::chrono::milliseconds(20))) ||
                !d.shorten_wait(ticks(start + std::chrono::hours(1))))
                d.interrupt();
        });
    d.wait(-1, sink);
    others.join();
    BOOST_TEST(sink.count == 0);
    // The time is over, and with it the alarm: the next one is set.
    BOOST_TEST(d.wake_at(ticks(steady_clock::now() + std::chrono::milliseconds(1))) == has_alarm);
    (void)d.wait(has_alarm ? -1 : 1, sink);
}

// Asio counts it until it is told otherwise; who ends the context asks once.
BOOST_AUTO_TEST_CASE(an_alarm_that_is_being_set_is_no_operation)
{
    probe_context context;
    driver& d = driver::install(context);
    constexpr weft::detail::timer_ticks never = weft::detail::never;
    d.wake_at(never - 1);
    std::atomic<bool> done{false};
    std::thread sets(
        [&]
        {
            for (int i = 2; i != 20'000; ++i)
                (void)d.shorten_wait(never - i);
            done = true;
        });
    long most = 0;
    while (!done)
        most = (std::max)(most, d.pending());
    sets.join();
    BOOST_TEST(most == 0);
}

BOOST_AUTO_TEST_CASE(events_of_a_descriptor_are_captured_when_they_are_seen)
{
    weft::io_context context;
    int ends[2];
    BOOST_REQUIRE(::pipe(ends) == 0);
    asio::posix::stream_descriptor in(context, ends[0]);
    asio::posix::stream_descriptor out(context, ends[1]);
    int waits = 0;
    in.async_wait(
        asio::posix::stream_descriptor::wait_read, [&](boost::system::error_code) { ++waits; });

    auto& d = asio::use_service<driver>(context);
    weft::detail::thread_slot slot;
    probe_sink sink;
    weft::detail::thread_entry const inside(d.inner(), slot);
    BOOST_TEST(::write(ends[1], "a", 1) == 1);
    while (sink.count == 0)
        d.wait(-1, sink);
    BOOST_TEST(sink.last.result != 0u);
    BOOST_TEST(sink.last.linkable() == !one_operation_for_all_events);
}

#if defined(BOOST_ASIO_HAS_EPOLL) && !defined(BOOST_ASIO_HAS_IO_URING_AS_DEFAULT)
namespace
{

// A socket of a context, and what its peer does.
struct connection
{
    weft::io_context context{1};
    asio::executor_work_guard<weft::io_context::executor_type> guard{context.get_executor()};
    asio::local::stream_protocol::socket socket{context};
    asio::local::stream_protocol::socket peer{context};
    std::vector<char> buffer = std::vector<char>(1 << 20);
    int completed = 0;

    connection()
    {
        asio::local::connect_pair(socket, peer);
        // Full after a few writes.
        socket.set_option(asio::socket_base::send_buffer_size(1 << 16));
        peer.non_blocking(true);
    }

    void send(char byte)
    {
        BOOST_TEST_REQUIRE(::send(peer.native_handle(), &byte, 1, 0) == 1);
    }

    std::size_t receive_all()
    {
        std::size_t all = 0;
        boost::system::error_code error;
        while (!error)
            all += peer.receive(asio::buffer(buffer), 0, error);
        return all;
    }

    auto counts()
    {
        return [this](boost::system::error_code error, std::size_t)
        {
            BOOST_TEST(!error);
            ++completed;
        };
    }

    /// How many operations are run, those included that complete nothing.
    std::uint64_t look()
    {
        auto const before = context.stats().total.handlers;
        context.poll();
        return context.stats().total.handlers - before;
    }

    /// Until the reactor asks of each event whether an operation waits for it, where it can.
    void make_it_ask()
    {
        std::vector<char> all(150);
        for (char& byte : all)
        {
            send(byte);
            look();
        }
        socket.receive(asio::buffer(all));
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(events_for_which_no_operation_waits_are_not_run)
{
    connection c;
    c.make_it_ask();
    std::uint64_t ran = 0;
    for (int i = 0; i != 100; ++i)
    {
        c.send('a');
        ran += c.look();
    }
    BOOST_TEST(ran == 0u);
    // They are not forgotten: what is read then is there.
    for (int i = 0; i != 100; ++i)
    {
        c.socket.async_read_some(asio::buffer(c.buffer.data(), 1), c.counts());
        c.look();
        BOOST_TEST_REQUIRE(c.completed == i + 1);
    }
}

BOOST_AUTO_TEST_CASE(events_for_which_one_waits_are_run)
{
    connection c;
    c.make_it_ask();
    for (int i = 0; i != 100; ++i)
    {
        c.socket.async_read_some(asio::buffer(c.buffer), c.counts());
        BOOST_TEST(c.look() == 0u);
        BOOST_TEST_REQUIRE(c.completed == i);
        c.send('a');
        BOOST_TEST(c.look() == 1u);
        BOOST_TEST_REQUIRE(c.completed == i + 1);
        // And one that waits for something else.
        c.socket.async_wait(asio::socket_base::wait_error, [](boost::system::error_code) {});
        c.send('a');
        BOOST_TEST(c.look() == 1u);
        c.socket.cancel();
        c.look();
        c.socket.receive(asio::buffer(c.buffer));
        if (i % 10 == 0)
            c.make_it_ask();
    }
}

// Asio does not try a write after one that was partial, until it has been told of room.
BOOST_AUTO_TEST_CASE(room_of_which_nobody_was_told_is_used_by_the_next_write)
{
    connection c;
    auto const writes = [&]
    {
        c.socket.async_write_some(asio::buffer(c.buffer), c.counts());
        c.look();
    };
    auto const fill = [&]
    {
        int before;
        do
        {
            before = c.completed;
            writes();
        } while (c.completed != before);
    };
    c.make_it_ask();
    for (int i = 0; i != 40; ++i)
    {
        fill();
        // One write waits, and is made in part. What else is taken is told, and nobody waits.
        int const before = c.completed;
        for (int k = 0; k != 3; ++k)
        {
            c.receive_all();
            c.look();
        }
        BOOST_TEST_REQUIRE(c.completed == before + 1);
        writes();
        BOOST_TEST_REQUIRE(c.completed == before + 2);
        c.receive_all();
        c.look();
    }
}
#endif

BOOST_AUTO_TEST_CASE(what_is_posted_comes_before_what_the_reactor_completed)
{
    weft::io_context context;
    asio::steady_timer timer(context, std::chrono::seconds(0));
    int waits = 0;
    timer.async_wait([&](boost::system::error_code) { ++waits; });
    auto& d = asio::use_service<driver>(context);
    probe_operation op;
    d.inner().post_immediate_completion(&op, false);
    weft::detail::thread_slot slot;
    struct : probe_sink
    {
        operation* first = nullptr;

        void ready(ready_operation ready) noexcept override
        {
            if (!first)
                first = ready.op;
            probe_sink::ready(ready);
        }
    } sink;
    {
        weft::detail::thread_entry const inside(d.inner(), slot);
        while (sink.count != 2)
            d.wait(-1, sink);
    }
    BOOST_TEST(sink.first == &op);
    sink.last.destroy();
}

// Until then nobody is to believe that nothing is left.
BOOST_AUTO_TEST_CASE(what_is_passed_on_is_pending_until_it_is_in_its_place)
{
    weft::io_context context;
    auto& d = asio::use_service<driver>(context);
    struct : probe_sink
    {
        driver* of = nullptr;
        long pending = 0;

        void end() noexcept override
        {
            pending = of->pending();
            probe_sink::end();
        }
    } sink;
    sink.of = &d;
    d.wait(0, sink);
    BOOST_TEST(sink.ends == 0);
    probe_operation ops[2];
    for (probe_operation& op : ops)
        d.inner().post_immediate_completion(&op, false);
    d.wait(0, sink);
    BOOST_TEST(sink.count == 2);
    BOOST_TEST(sink.ends == 1);
    BOOST_TEST(sink.pending == 2);
    BOOST_TEST(d.pending() == 0);
}

BOOST_AUTO_TEST_CASE(who_has_no_room_gets_what_was_posted)
{
    struct full_sink : probe_sink
    {
        bool has_room() noexcept override
        {
            return false;
        }
    };

    for (bool const with_reactor : {false, true})
    {
        probe_context context;
        driver& d = driver::install(context);
        if (with_reactor)
            d.inner().init_task();
        probe_operation op;
        d.inner().post_immediate_completion(&op, false);
        full_sink full;
        BOOST_TEST(d.wait(0, full) == 1u);
        BOOST_TEST(full.last.op == &op);
        BOOST_TEST(d.wait(0, full) == 0u);
        BOOST_TEST(full.count == 1);
    }
}

// It has 32 bits where a long has, and a scheduler whose count is zero stops for good.
BOOST_AUTO_TEST_CASE(asios_own_count_of_work_does_not_grow_with_the_operations)
{
    weft::io_context context;
    auto& inner = asio::use_service<asio::detail::scheduler>(context);
    int ends[2];
    BOOST_REQUIRE(::pipe(ends) == 0);
    asio::posix::stream_descriptor in(context, ends[0]);
    asio::posix::stream_descriptor out(context, ends[1]);
    asio::steady_timer soon(context);
    asio::steady_timer never(context);
    asio::steady_timer never_either(context);
    int completed = 0;
    auto const count = [&](boost::system::error_code, std::size_t = 0)
    {
        ++completed;
    };
    long const before = work_of(inner);
    for (int round = 1; round != 100; ++round)
    {
        // Completed by the reactor, from the second round on at once; by a timer; cancelled by a
        // worker and from outside.
        char byte = 0;
        in.async_read_some(asio::buffer(&byte, 1), count);
        soon.expires_after(std::chrono::seconds(0));
        soon.async_wait(count);
        never.expires_after(std::chrono::hours(1));
        never.async_wait(count);
        never_either.expires_after(std::chrono::hours(1));
        never_either.async_wait(count);
        std::thread([&] { never_either.cancel(); }).join();
        asio::post(context,
            [&]
            {
                never.cancel();
                // The second byte is for the next round: its event completes nothing.
                out.async_write_some(asio::buffer("ab", round == 1 ? 2 : 1), count);
            });
        context.run();
        context.restart();
        BOOST_TEST_REQUIRE(completed == 5 * round);
        BOOST_TEST_REQUIRE(work_of(inner) == before);
    }
}
