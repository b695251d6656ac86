// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// The promises P1 to P7 of io_context's documentation, counted in handlers. P6, that nothing waits
// while a worker sleeps, has its tests in api/liveness.cpp.

#include <weft/io_context.hpp>
#include <weft/run_blocking.hpp>

#include "support/asio.hpp"

#include <sys/socket.h>
#include <unistd.h>

namespace asio = boost::asio;

namespace
{

// A second worker, which one handler holds until release(): the context is then run by two threads,
// of which one does everything. Nothing else may be posted before both are inside.
class held_worker
{
public:
    explicit held_worker(weft::io_context& context)
    {
        // First: a worker that finds no work ends the context's run.
        asio::post(context,
            [this]
            {
                inside_.count_down();
                done_.wait();
            });
        // Further handlers belong to the other worker.
        thread_ = std::thread([&] { context.run_one(); });
        inside_.wait();
    }

    void release()
    {
        done_.count_down();
        thread_.join();
    }

private:
    std::latch inside_{1};
    std::latch done_{1};
    std::thread thread_;
};

// The order in which the handlers run that one handler posts, numbered as posted, while another
// worker is held.
std::vector<int> order_beside_a_held_worker(int count)
{
    weft::io_context context;
    held_worker other(context);
    std::vector<int> order;
    asio::post(context,
        [&]
        {
            for (int i = 0; i != count; ++i)
                asio::post(context, [&order, i] { order.push_back(i); });
        });
    while (context.poll() != 0)
    {
    }
    other.release();
    return order;
}

} // namespace

BOOST_AUTO_TEST_CASE(p4_a_readable_descriptor_is_noticed_within_a_tick_budget_of_handlers)
{
    for (unsigned const budget : {1u, 16u, 128u})
    {
        weft::options opts;
        opts.tick_budget = budget;
        weft::io_context context(opts);
        int ends[2];
        BOOST_REQUIRE(::pipe(ends) == 0);
        asio::posix::stream_descriptor in(context, ends[0]);
        asio::posix::stream_descriptor out(context, ends[1]);
        char byte = 'x';

        std::atomic<bool> enough{false};
        std::atomic<std::uint64_t> count{0};
        std::uint64_t written_at = 0;
        std::uint64_t read_at = 0;
        in.async_wait(asio::posix::stream_descriptor::wait_read,
            [&](boost::system::error_code)
            {
                read_at = count;
                enough = true;
            });
        std::function<void()> step = [&]
        {
            if (++count == 1000)
            {
                written_at = count;
                BOOST_TEST(::write(ends[1], &byte, 1) == 1);
            }
            if (!enough && count < 1'000'000)
                asio::post(context, step);
        };
        asio::post(context, step);
        context.run();
        BOOST_TEST(enough);
        // The event is behind what was in the queue when it was noticed: one handler here.
        BOOST_TEST(read_at - written_at <= budget + 1);
    }
}

BOOST_AUTO_TEST_CASE(p4_an_expired_timer_is_noticed_within_a_tick_budget_of_handlers)
{
    using clock = std::chrono::steady_clock;
    for (unsigned const budget : {1u, 16u, 128u})
    {
        weft::options opts;
        opts.tick_budget = budget;
        weft::io_context context(opts);
        asio::steady_timer timer(context, std::chrono::milliseconds(1));
        std::uint64_t count = 0;
        std::uint64_t expired_at = 0;
        std::uint64_t ran_at = 0;
        timer.async_wait([&](boost::system::error_code) { ran_at = count; });
        // Asio rounds up to the reactor's next unit.
        auto const certainly = timer.expiry() + std::chrono::milliseconds(2);
        std::function<void()> step = [&]
        {
            ++count;
            if (expired_at == 0 && clock::now() >= certainly)
                expired_at = count;
            if (ran_at == 0)
                asio::post(context, step);
        };
        asio::post(context, step);
        context.run();
        BOOST_TEST(ran_at != 0u);
        BOOST_TEST((expired_at == 0 || ran_at <= expired_at + budget + 1));
    }
}

// A handler with an executor of its own may run inside the look at the reactor, and run others
// there: so many that the next look is due.
BOOST_AUTO_TEST_CASE(p4_holds_after_a_handler_has_run_others_inside_the_look_at_the_reactor)
{
    for (int const nested : {1, 63, 64, 65, 100, 127, 128, 129, 200})
    {
        weft::options opts;
        opts.injection_interval = 64;
        weft::io_context context(opts);
        int ends[2];
        BOOST_REQUIRE(::pipe(ends) == 0);
        asio::posix::stream_descriptor in(context, ends[0]);
        asio::posix::stream_descriptor out(context, ends[1]);
        asio::steady_timer timer(context, std::chrono::hours(1));
        char byte = 'x';

        std::uint64_t count = 0;
        std::uint64_t written_at = 0;
        std::uint64_t read_at = 0;
        in.async_wait(asio::posix::stream_descriptor::wait_read,
            [&](boost::system::error_code) { read_at = count; });
        timer.async_wait(asio::bind_executor(asio::system_executor(),
            [&](boost::system::error_code)
            {
                for (int i = 0; i != nested; ++i)
                    context.poll_one();
                written_at = count;
                BOOST_TEST(::write(ends[1], &byte, 1) == 1);
            }));
        std::function<void()> step = [&]
        {
            // From another thread, so that the operation comes through the reactor.
            if (++count == 1000)
                std::thread([&] { timer.cancel(); }).join();
            if (read_at == 0 && count < 100'000)
                asio::post(context, step);
        };
        asio::post(context, step);
        context.run();
        BOOST_TEST_CONTEXT(nested << " nested handlers")
        {
            BOOST_TEST_REQUIRE(written_at >= 1000u);
            BOOST_TEST_REQUIRE(read_at != 0u);
            BOOST_TEST(read_at - written_at <= opts.tick_budget + 1);
        }
    }
}

BOOST_AUTO_TEST_CASE(p1_one_thread_runs_everything_in_order)
{
    weft::io_context context;
    std::vector<int> order;
    asio::post(context,
        [&]
        {
            for (int i = 0; i != 5000; ++i)
                asio::post(context, [&order, i] { order.push_back(i); });
        });
    context.run();
    BOOST_TEST(order.size() == 5000u);
    BOOST_TEST(std::is_sorted(order.begin(), order.end()));
}

BOOST_AUTO_TEST_CASE(p1_one_thread_keeps_the_order_after_others_have_come_and_gone)
{
    weft::io_context context;
    auto guard = asio::make_work_guard(context);
    // More often than a lone worker goes without fences.
    for (int i = 0; i != 40; ++i)
    {
        held_worker other(context);
        context.poll();
        other.release();
    }
    asio::post(context, [] { weft::run_blocking([] {}); });
    std::vector<int> order;
    asio::post(context,
        [&]
        {
            for (int i = 0; i != 600; ++i)
            {
                if (i % 100 == 50)
                    std::thread([&] { asio::post(context, [&order, i] { order.push_back(i); }); })
                        .join();
                else
                    asio::post(context, [&order, i] { order.push_back(i); });
            }
        });
    while (context.poll() != 0)
    {
    }
    BOOST_TEST(order.size() == 600u);
    BOOST_TEST(std::is_sorted(order.begin(), order.end()));
}

BOOST_AUTO_TEST_CASE(p1_a_worker_among_others_runs_its_own_posts_in_order)
{
    std::vector<int> const order = order_beside_a_held_worker(256);
    BOOST_TEST(order.size() == 256u);
    BOOST_TEST(std::is_sorted(order.begin(), order.end()));
}

BOOST_AUTO_TEST_CASE(p1_beyond_256_the_older_half_stays_in_order)
{
    std::vector<int> order = order_beside_a_held_worker(1000);
    BOOST_TEST(order.size() == 1000u);
    order.erase(
        std::remove_if(order.begin(), order.end(), [](int i) { return i >= 128; }), order.end());
    BOOST_TEST(order.size() == 128u);
    BOOST_TEST(std::is_sorted(order.begin(), order.end()));
}

BOOST_AUTO_TEST_CASE(p3_dispatch_from_a_handler_calls_inline)
{
    weft::io_context context;
    int calls = 0;
    asio::post(context,
        [&]
        {
            asio::dispatch(context, [&] { ++calls; });
            BOOST_TEST(calls == 1);
        });
    asio::dispatch(context, [&] { ++calls; });
    BOOST_TEST(calls == 0);
    context.run();
    BOOST_TEST(calls == 2);
}

BOOST_AUTO_TEST_CASE(p2_at_most_lifo_limit_continuations_run_before_what_is_queued)
{
    for (unsigned const limit : {0u, 1u, 3u})
    {
        weft::options opts;
        opts.lifo_limit = limit;
        weft::io_context context(opts);
        unsigned continuations = 0;
        unsigned before_queued = 0;
        bool queued_ran = false;
        std::function<void()> next = [&]
        {
            ++continuations;
            if (!queued_ran)
                ++before_queued;
            if (continuations < 100)
                asio::defer(context, next);
        };
        asio::post(context,
            [&]
            {
                asio::post(context, [&] { queued_ran = true; });
                asio::defer(context, next);
            });
        context.run();
        BOOST_TEST(continuations == 100u);
        BOOST_TEST(before_queued == limit);
    }
}

BOOST_AUTO_TEST_CASE(p2_a_continuation_runs_next)
{
    weft::io_context context;
    std::vector<int> order;
    asio::post(context,
        [&]
        {
            asio::post(context, [&] { order.push_back(2); });
            asio::post(context, [&] { order.push_back(3); });
            asio::defer(context, [&] { order.push_back(1); });
        });
    context.run();
    BOOST_TEST(order == (std::vector<int>{1, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(p2_at_most_three_continuations_run_before_what_is_queued_with_several_workers)
{
    weft::io_context context;
    held_worker other(context);
    auto const continuation = asio::require(context.get_executor(),
        asio::execution::relationship.continuation, asio::execution::blocking.never);
    unsigned before_queued = 0;
    unsigned continuations = 0;
    bool queued_ran = false;
    std::function<void()> next = [&]
    {
        if (!queued_ran)
            ++before_queued;
        if (++continuations < 100)
            continuation.execute(next);
    };
    asio::post(context,
        [&]
        {
            asio::post(context, [&] { queued_ran = true; });
            continuation.execute(next);
        });
    while (context.poll() != 0)
    {
    }
    other.release();
    BOOST_TEST(continuations == 100u);
    BOOST_TEST(before_queued == 3u);
}

// The event is noticed at the end of the handler in which it comes, whatever the turn.
BOOST_AUTO_TEST_CASE(p4_a_readable_descriptor_is_noticed_at_the_end_of_a_long_handler)
{
    weft::io_context context;
    int ends[2];
    BOOST_REQUIRE(::pipe(ends) == 0);
    asio::posix::stream_descriptor in(context, ends[0]);
    asio::posix::stream_descriptor out(context, ends[1]);
    char byte = 'x';
    int count = 0;
    int written_at = 0;
    int read_at = 0;
    in.async_wait(asio::posix::stream_descriptor::wait_read,
        [&](boost::system::error_code) { read_at = count; });
    std::function<void()> step = [&]
    {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        if (++count == 10)
        {
            written_at = count;
            BOOST_TEST(::write(ends[1], &byte, 1) == 1);
        }
        if (read_at == 0 && count < 200)
            asio::post(context, step);
    };
    asio::post(context, step);
    context.run();
    BOOST_TEST(written_at == 10);
    // Behind the handler that was posted before.
    BOOST_TEST(read_at - written_at <= 1);
}

BOOST_AUTO_TEST_CASE(p8_long_handlers_are_overtaken_by_a_few)
{
    constexpr int threads = 3;
    constexpr int chains = 80;
    constexpr int links = 5;
    weft::io_context context;
    struct entry
    {
        long queued = -1; // how many had been queued when it was there
        long started = -1;
    };
    std::vector<entry> entries(chains * links);
    std::mutex mutex;
    long queued = 0;
    long started = 0;
    auto const note = [&](std::size_t number, long entry::*what, long& counter)
    {
        std::lock_guard<std::mutex> const lock(mutex);
        entries[number].*what = counter++;
    };
    std::function<void(std::size_t)> step = [&](std::size_t number)
    {
        note(number, &entry::started, started);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        std::size_t const next = number + chains;
        if (next >= entries.size())
            return;
        asio::post(context, [&step, next] { step(next); });
        note(next, &entry::queued, queued);
    };
    // All of one worker's at first.
    asio::post(context,
        [&]
        {
            for (std::size_t i = 0; i != chains; ++i)
            {
                asio::post(context, [&step, i] { step(i); });
                note(i, &entry::queued, queued);
            }
        });
    std::vector<std::thread> others;
    for (int i = 1; i != threads; ++i)
        others.emplace_back([&] { context.run(); });
    context.run();
    for (auto& t : others)
        t.join();

    long most = 0;
    for (entry const& e : entries)
    {
        BOOST_TEST_REQUIRE(e.started != -1);
        // Nobody knew yet that they are long.
        if (&e - entries.data() < chains)
            continue;
        most = std::max(most, static_cast<long>(std::count_if(entries.begin(), entries.end(),
                                  [&](entry const& other) {
                                      return other.queued > e.queued && other.started < e.started;
                                  })));
    }
    BOOST_TEST(most <= 8 * threads);
}

// Each has the place that is due to it by the time of its post: what long handlers queue when they
// end is no older than that.
BOOST_AUTO_TEST_CASE(p8_what_is_posted_during_long_handlers_goes_before_what_they_queue_afterwards)
{
    constexpr int threads = 2;
    constexpr int chains = 5;
    constexpr int posts = 30;
    weft::io_context context;
    std::mutex mutex;
    int queued = 0;
    std::vector<int> started;
    bool ends = false;
    std::function<void(int)> step = [&](int number)
    {
        {
            std::lock_guard<std::mutex> const lock(mutex);
            started.push_back(number);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        std::lock_guard<std::mutex> const lock(mutex);
        if (!ends)
            asio::post(context, [&step, next = queued++] { step(next); });
    };
    for (int i = 0; i != chains; ++i)
        asio::post(context, [&step, next = queued++] { step(next); });
    std::vector<std::thread> runners;
    for (int i = 0; i != threads; ++i)
        runners.emplace_back([&] { context.run(); });

    long overtakes = 0;
    for (int i = 0; i != posts; ++i)
    {
        std::latch ran{1};
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        std::unique_lock<std::mutex> lock(mutex);
        started.clear();
        asio::post(context,
            [&, own = queued++]
            {
                std::lock_guard<std::mutex> const locked(mutex);
                overtakes += std::count_if(
                    started.begin(), started.end(), [&](int other) { return other > own; });
                ran.count_down();
            });
        lock.unlock();
        ran.wait();
    }
    {
        std::lock_guard<std::mutex> const lock(mutex);
        ends = true;
    }
    for (auto& t : runners)
        t.join();
    // It was two each.
    BOOST_TEST(overtakes <= posts);
}

// The continuation of a long handler goes first as that of a short one does.
BOOST_AUTO_TEST_CASE(p2_a_continuation_comes_before_what_others_queued_while_handlers_are_long)
{
    weft::io_context context;
    held_worker other(context);
    auto const continuation =
        asio::prefer(context.get_executor(), asio::execution::relationship.continuation);
    int rounds = 0;
    int overtaken = 0;
    bool queued_ran = false;
    std::function<void()> step = [&]
    {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        queued_ran = false;
        asio::post(context, [&] { queued_ran = true; });
        asio::post(context,
            [&]
            {
                if (++rounds != 30)
                    step();
            });
        continuation.execute([&] { overtaken += queued_ran; });
    };
    asio::post(context, step);
    while (context.poll() != 0)
    {
    }
    other.release();
    BOOST_TEST(rounds == 30);
    BOOST_TEST(overtaken == 0);
}

// Each call runs one handler: nobody but the next call can look.
BOOST_AUTO_TEST_CASE(p4_a_readable_descriptor_is_noticed_by_calls_that_run_one_handler_each)
{
    weft::io_context context;
    int ends[2];
    BOOST_REQUIRE(::pipe(ends) == 0);
    asio::posix::stream_descriptor in(context, ends[0]);
    asio::posix::stream_descriptor out(context, ends[1]);
    char byte = 'x';
    int count = 0;
    int read_at = 0;
    bool busy = false;
    std::function<void()> step = [&]
    {
        ++count;
        if (busy)
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        if (read_at == 0)
            asio::post(context, step);
    };
    asio::post(context, step);
    // Short ones first, so that the worker takes long turns.
    while (count < 1000)
        context.run_for(std::chrono::microseconds(100));
    busy = true;
    in.async_wait(asio::posix::stream_descriptor::wait_read,
        [&](boost::system::error_code) { read_at = count; });
    for (int i = 0; i != 5; ++i)
        context.run_one();
    int const written_at = count;
    BOOST_TEST(::write(ends[1], &byte, 1) == 1);
    while (read_at == 0 && count < written_at + 300)
        context.run_one();
    BOOST_TEST(read_at != 0);
    BOOST_TEST(read_at - written_at <= 3);
    read_at = -1;
    context.run();
}

BOOST_AUTO_TEST_CASE(p5_work_from_outside_starts_within_an_injection_interval_of_handlers)
{
    for (unsigned const interval : {1u, 8u, 0u})
    {
        weft::options opts;
        opts.injection_interval = interval;
        weft::io_context context(opts);
        held_worker other(context);
        std::uint64_t count = 0;
        std::uint64_t submitted_at = 0;
        std::uint64_t seen_at = 0;
        // The submission is made from outside while a handler waits for it, so that the count is
        // exact.
        std::function<void()> step = [&]
        {
            if (++count == 1000)
            {
                std::thread([&] { asio::post(context, [&] { seen_at = count; }); }).join();
                submitted_at = count;
            }
            if (seen_at == 0)
                asio::post(context, step);
        };
        // More than one, so that the worker's own queue is never empty.
        for (int i = 0; i != 5; ++i)
            asio::post(context, step);
        while (context.poll() != 0)
        {
        }
        other.release();
        BOOST_TEST(submitted_at == 1000u);
        BOOST_TEST(seen_at != 0u);
        // What came at the same look at the clock as the worker's own waits for one turn more.
        BOOST_TEST(seen_at - submitted_at <= (interval == 0 ? 2 * 127u : interval));
    }
}

// To a peer that may be gone.
void send_one(int fd)
{
    (void)!::send(fd, "x", 1, MSG_NOSIGNAL);
}

// Events that come all the time keep their turn, and no more: who is alone has one order for all.
BOOST_AUTO_TEST_CASE(p5_work_from_outside_has_its_turn_beside_events_without_end)
{
    constexpr int sockets = 16;
    constexpr int most = 5'000;
    weft::io_context context;
    std::vector<asio::posix::stream_descriptor> ours;
    std::vector<int> theirs;
    for (int i = 0; i != sockets; ++i)
    {
        int ends[2];
        BOOST_REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
        ours.emplace_back(context, ends[0]);
        theirs.push_back(ends[1]);
    }
    std::atomic<int> events{0};
    std::atomic<bool> over{false};
    char bytes[sockets];
    std::function<void(int)> read = [&](int i)
    {
        ours[static_cast<std::size_t>(i)].async_read_some(asio::buffer(&bytes[i], 1),
            [&, i](boost::system::error_code error, std::size_t)
            {
                if (error || over || ++events >= most)
                    return;
                std::this_thread::sleep_for(std::chrono::microseconds(100));
                read(i);
                // The answer to it is the next event.
                send_one(ours[static_cast<std::size_t>(i)].native_handle());
            });
    };
    std::thread peer(
        [&]
        {
            for (int const fd : theirs)
                send_one(fd);
            while (!over)
                for (int const fd : theirs)
                {
                    char byte;
                    if (::recv(fd, &byte, 1, MSG_DONTWAIT) == 1)
                        send_one(fd);
                }
        });
    for (int i = 0; i != sockets; ++i)
        read(i);
    int longest = 0;
    std::thread poster(
        [&]
        {
            for (int i = 0; i != 10; ++i)
            {
                while (events < 100 * (i + 1) && events < most)
                    std::this_thread::yield();
                std::latch ran(1);
                int const before = events;
                asio::post(context,
                    [&]
                    {
                        longest = std::max(longest, events - before);
                        ran.count_down();
                    });
                ran.wait();
            }
            over = true;
            asio::post(context,
                [&]
                {
                    for (auto& o : ours)
                        o.close();
                });
        });
    context.run();
    poster.join();
    peer.join();
    for (int const fd : theirs)
        ::close(fd);
    // Each of them twice, and as much again for who is slow between counting and posting.
    BOOST_TEST(longest <= 4 * sockets);
}

BOOST_AUTO_TEST_CASE(p5_a_burst_from_outside_is_not_taken_one_by_one)
{
    weft::options opts;
    opts.injection_interval = 10;
    weft::io_context context(opts);
    held_worker other(context);
    constexpr int burst = 100;
    int seen = 0;
    int own = 0;
    std::function<void()> step = [&]
    {
        if (++own == 1000)
        {
            std::thread(
                [&]
                {
                    for (int i = 0; i != burst; ++i)
                        asio::post(context, [&] { ++seen; });
                })
                .join();
        }
        if (seen != burst)
            asio::post(context, step);
    };
    for (int i = 0; i != 5; ++i)
        asio::post(context, step);
    while (context.poll() != 0)
    {
    }
    other.release();
    BOOST_TEST(seen == burst);
    // One by one it would take ten of its own for each.
    BOOST_TEST(own < 1000 + 10 * burst / 2);
}

BOOST_AUTO_TEST_CASE(p5_for_one_thread_work_from_outside_starts_after_what_was_queued)
{
    weft::io_context context;
    std::uint64_t count = 0;
    std::uint64_t submitted_at = 0;
    std::uint64_t seen_at = 0;
    std::function<void()> step = [&]
    {
        if (++count == 1000)
        {
            std::thread([&] { asio::post(context, [&] { seen_at = count; }); }).join();
            submitted_at = count;
        }
        if (seen_at == 0)
            asio::post(context, step);
    };
    for (int i = 0; i != 200; ++i)
        asio::post(context, step);
    context.run();
    BOOST_TEST(submitted_at == 1000u);
    BOOST_TEST(seen_at == submitted_at + 199);
}

BOOST_AUTO_TEST_CASE(p2_two_handlers_that_answer_each_other_do_not_starve_a_third)
{
    // The regression tokio#2349 and #5686: a ping-pong through the LIFO slot.
    weft::io_context context;
    std::uint64_t rounds = 0;
    std::uint64_t at_victim = 0;
    bool victim_ran = false;
    std::function<void()> ping;
    std::function<void()> pong = [&]
    {
        if (!victim_ran && rounds < 1'000'000)
            asio::defer(context, ping);
    };
    ping = [&]
    {
        ++rounds;
        asio::defer(context, pong);
    };
    asio::post(context,
        [&]
        {
            asio::defer(context, ping);
            asio::post(context,
                [&]
                {
                    victim_ran = true;
                    at_victim = rounds;
                });
        });
    context.run();
    BOOST_TEST(victim_ran);
    BOOST_TEST(at_victim <= 3u);
}

BOOST_AUTO_TEST_CASE(p7_an_idle_context_makes_no_wake_ups)
{
    weft::io_context context;
    auto guard = asio::make_work_guard(context);
    asio::steady_timer timer(context);
    std::vector<std::thread> threads;
    for (int i = 0; i != 3; ++i)
        threads.emplace_back([&] { context.run(); });

    // All three asleep, as counted by themselves.
    auto const asleep = [&]
    {
        auto const s = context.stats();
        return s.workers.size() == 3 && s.workers[0].parks > 0 && s.workers[1].parks > 0 &&
               s.workers[2].parks > 0;
    };
    while (!asleep())
        std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    auto const before = context.stats().total;
    // Not waited for: a longer sleep could only make the test fail more often.
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    auto const after = context.stats().total;
    BOOST_TEST(after.parks == before.parks);
    BOOST_TEST(after.wakes == before.wakes);
    BOOST_TEST(after.reactor_polls == before.reactor_polls);

    guard.reset();
    for (auto& t : threads)
        t.join();
}
