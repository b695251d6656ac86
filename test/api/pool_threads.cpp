// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// How the threads of a pool begin and end: their names, their CPUs, and the hooks.

#include <weft/run_blocking.hpp>
#include <weft/thread_pool.hpp>

#include "api/process.hpp"
#include "support/cases.hpp"

#include <algorithm>
#include <fstream>
#include <set>

#include <pthread.h>
#include <sched.h>

namespace
{

using numbers = std::multiset<std::size_t>;

weft::options with(std::size_t threads)
{
    weft::options options;
    options.threads = threads;
    return options;
}

std::string name_of_this_thread()
{
    std::ifstream file("/proc/thread-self/comm");
    std::string name;
    std::getline(file, name);
    return name;
}

std::vector<unsigned> cpus_of_this_thread()
{
    std::vector<unsigned> cpus;
    cpu_set_t set;
    // By any thread, which cannot ask Boost.Test.
    if (::sched_getaffinity(0, sizeof set, &set) != 0)
        return cpus;
    for (unsigned cpu = 0; cpu != CPU_SETSIZE; ++cpu)
        if (CPU_ISSET(cpu, &set))
            cpus.push_back(cpu);
    return cpus;
}

// What `read` returns on each of the threads of a pool, in ascending order.
template <class Read>
auto on_each(weft::thread_pool& pool, std::size_t threads, Read read)
{
    std::vector<decltype(read())> results;
    std::mutex mutex;
    std::latch all(static_cast<std::ptrdiff_t>(threads));
    std::latch done(static_cast<std::ptrdiff_t>(threads));
    for (std::size_t i = 0; i != threads; ++i)
        asio::post(pool,
            [&]
            {
                all.arrive_and_wait();
                {
                    const std::lock_guard lock(mutex);
                    results.push_back(read());
                }
                done.count_down();
            });
    done.wait();
    std::sort(results.begin(), results.end());
    return results;
}

std::string name_of_the_only_thread(const std::string& prefix)
{
    weft::options options = with(1);
    options.thread_name = prefix;
    weft::thread_pool pool(options);
    return on_each(pool, 1, &name_of_this_thread).front();
}

// Numbers given to hooks on several threads.
class record
{
public:
    void add(std::size_t number)
    {
        const std::lock_guard lock(mutex_);
        numbers_.insert(number);
    }

    numbers get() const
    {
        const std::lock_guard lock(mutex_);
        return numbers_;
    }

private:
    mutable std::mutex mutex_;
    numbers numbers_;
};

struct hooks
{
    weft::options options(std::size_t threads)
    {
        weft::options result = with(threads);
        result.on_thread_start = [this](std::size_t number)
        {
            started.add(number);
        };
        result.on_thread_stop = [this](std::size_t number)
        {
            stopped.add(number);
        };
        return result;
    }

    record started;
    record stopped;
};

} // namespace

BOOST_AUTO_TEST_SUITE(pool_threads)

BOOST_AUTO_TEST_CASE(threads_are_named_and_numbered)
{
    weft::options options = with(3);
    for (const std::string prefix : {"weft", "io"})
    {
        options.thread_name = prefix;
        weft::thread_pool pool(options);
        const std::vector<std::string> expected{prefix + "-0", prefix + "-1", prefix + "-2"};
        BOOST_TEST(
            on_each(pool, 3, &name_of_this_thread) == expected, boost::test_tools::per_element());
    }
    BOOST_TEST(weft::options().thread_name == "weft");
}

BOOST_AUTO_TEST_CASE(a_long_name_is_cut_and_keeps_its_number)
{
    BOOST_TEST(name_of_the_only_thread("1234567890123") == "1234567890123-0");
    BOOST_TEST(name_of_the_only_thread("12345678901234") == "1234567890123-0");
    BOOST_TEST(name_of_the_only_thread(std::string(100, 'x')) == std::string(13, 'x') + "-0");
    // The 13th byte would be the first of two.
    BOOST_TEST(name_of_the_only_thread("123456789012\u00e4") == "123456789012-0");
    BOOST_TEST(name_of_the_only_thread("12345678901\u00e4") == "12345678901\u00e4-0");

    weft::options options = with(11);
    options.thread_name = std::string(100, 'x');
    weft::thread_pool pool(options);
    const auto names = on_each(pool, 11, &name_of_this_thread);
    BOOST_TEST(std::set<std::string>(names.begin(), names.end()).size() == 11u);
    BOOST_TEST(std::count(names.begin(), names.end(), std::string(12, 'x') + "-10") == 1);
}

BOOST_AUTO_TEST_CASE(without_a_name_threads_keep_that_of_their_maker)
{
    const std::string mine = name_of_this_thread();
    ::pthread_setname_np(::pthread_self(), "maker");
    BOOST_TEST(name_of_the_only_thread("") == "maker");
    ::pthread_setname_np(::pthread_self(), mine.c_str());
}

BOOST_AUTO_TEST_CASE(a_thread_that_is_lent_keeps_its_name_and_no_hook_is_called_for_it)
{
    hooks h;
    // Until the pool's thread has left it too.
    std::latch both(2);
    weft::thread_pool pool(h.options(1));
    std::string before;
    std::string inside;
    std::thread lent(
        [&]
        {
            before = name_of_this_thread();
            for (int i = 0; i != 2; ++i)
                asio::post(pool,
                    [&, me = std::this_thread::get_id()]
                    {
                        both.arrive_and_wait();
                        if (std::this_thread::get_id() == me)
                        {
                            inside = name_of_this_thread();
                            pool.stop();
                        }
                    });
            pool.attach();
        });
    lent.join();
    pool.join();
    BOOST_TEST(inside == before);
    BOOST_TEST((h.started.get() == numbers{0}));
    BOOST_TEST((h.stopped.get() == numbers{0}));
}

BOOST_AUTO_TEST_CASE(threads_run_on_the_given_cpus)
{
    const auto mine = cpus_of_this_thread();
    for (const unsigned cpu : mine)
    {
        weft::options options = with(2);
        options.cpus = {cpu};
        weft::thread_pool pool(options);
        for (const auto& cpus : on_each(pool, 2, &cpus_of_this_thread))
            BOOST_TEST((cpus == std::vector<unsigned>{cpu}));
    }
    weft::options options = with(2);
    options.cpus = mine;
    weft::thread_pool pool(options);
    for (const auto& cpus : on_each(pool, 2, &cpus_of_this_thread))
        BOOST_TEST((cpus == mine));
    BOOST_TEST((cpus_of_this_thread() == mine));
}

BOOST_AUTO_TEST_CASE(pinned_threads_run_on_one_cpu_each)
{
    const auto mine = cpus_of_this_thread();
    const std::size_t threads = 2 * mine.size() + 1;
    auto backwards = mine;
    std::reverse(backwards.begin(), backwards.end());
    for (const auto& given : {std::vector<unsigned>{}, backwards})
    {
        const auto& cpus = given.empty() ? mine : given;
        weft::options options = with(threads);
        options.pin = true;
        options.cpus = given;
        std::vector<std::vector<unsigned>> seen(threads);
        options.on_thread_start = [&](std::size_t number)
        {
            seen[number] = cpus_of_this_thread();
        };
        weft::thread_pool pool(options);
        for (std::size_t i = 0; i != threads; ++i)
            BOOST_TEST((seen[i] == std::vector<unsigned>{cpus[i % cpus.size()]}));
    }
}

BOOST_AUTO_TEST_CASE(stand_ins_have_names_numbers_and_all_the_cpus)
{
    hooks h;
    weft::options options = h.options(1);
    options.cpus = cpus_of_this_thread();
    options.pin = true;
    std::string name;
    std::vector<unsigned> cpus;
    {
        weft::thread_pool pool(options);
        std::latch looked(1);
        asio::post(pool,
            [&]
            {
                asio::post(pool,
                    [&]
                    {
                        name = name_of_this_thread();
                        cpus = cpus_of_this_thread();
                        looked.count_down();
                    });
                weft::run_blocking([&] { looked.wait(); });
            });
        pool.join();
    }
    BOOST_TEST(name == "weft-b0");
    BOOST_TEST((cpus == options.cpus));
    BOOST_TEST((h.started.get() == numbers{0, 1}));
    BOOST_TEST((h.stopped.get() == numbers{0, 1}));
}

BOOST_AUTO_TEST_CASE(cpus_that_cannot_be_had_are_refused_and_leave_nothing_behind)
{
    const std::size_t before = test::threads_at_rest();
    const auto mine = cpus_of_this_thread();
    for (const std::vector<unsigned>& cpus :
        {std::vector<unsigned>{8191}, {mine[0], 8191}, {8192}, {~0u}, {mine[0], mine[0]}})
        for (const bool pin : {false, true})
        {
            hooks h;
            weft::options options = h.options(3);
            options.cpus = cpus;
            options.pin = pin;
            BOOST_CHECK_EXCEPTION(weft::thread_pool pool(options), std::invalid_argument,
                [](const auto& error)
                { return std::string(error.what()).find("cpus") != std::string::npos; });
            BOOST_TEST((h.started.get() == h.stopped.get()));
            test::wait_until_threads_are(before);
        }
    BOOST_TEST((cpus_of_this_thread() == mine));
}

BOOST_AUTO_TEST_CASE(all_threads_have_started_when_the_pool_is_made_and_stopped_when_it_is_joined)
{
    for (const std::size_t threads : {1u, 4u})
    {
        hooks h;
        numbers all;
        for (std::size_t i = 0; i != threads; ++i)
            all.insert(i);
        weft::thread_pool pool(h.options(threads));
        BOOST_TEST((h.started.get() == all));
        BOOST_TEST(h.stopped.get().empty());
        pool.join();
        BOOST_TEST((h.stopped.get() == all));
    }
}

BOOST_AUTO_TEST_CASE(hooks_are_called_on_the_thread_that_they_are_about)
{
    std::vector<std::thread::id> started(2);
    std::vector<std::thread::id> stopped(2);
    weft::options options = with(2);
    options.on_thread_start = [&](std::size_t n)
    {
        started[n] = std::this_thread::get_id();
    };
    options.on_thread_stop = [&](std::size_t n)
    {
        stopped[n] = std::this_thread::get_id();
    };
    weft::thread_pool pool(options);
    auto expected = started;
    std::sort(expected.begin(), expected.end());
    BOOST_TEST((on_each(pool, 2, &std::this_thread::get_id) == expected));
    pool.join();
    BOOST_TEST((stopped == started));
}

BOOST_AUTO_TEST_CASE(a_throwing_start_is_thrown_by_the_constructor_which_joins_the_others)
{
    const std::size_t before = test::threads_at_rest();
    for (const std::size_t failing : {0u, 1u, 3u})
        for (const std::size_t also : {3u, 4u})
        {
            hooks h;
            weft::options options = h.options(4);
            options.on_thread_start = [&](std::size_t number)
            {
                if (number == failing || number == also)
                    throw std::runtime_error(std::to_string(number));
                h.started.add(number);
            };
            BOOST_CHECK_EXCEPTION(weft::thread_pool pool(options), std::runtime_error,
                [&](const auto& error) { return error.what() == std::to_string(failing); });
            BOOST_TEST((h.started.get() == h.stopped.get()));
            BOOST_TEST(h.started.get().size() == (also == failing || also == 4 ? 3u : 2u));
            test::wait_until_threads_are(before);
        }
}

BOOST_AUTO_TEST_CASE(a_spare_thread_whose_start_throws_goes_on)
{
    hooks h;
    std::atomic<int> exceptions = 0;
    weft::options options = h.options(1);
    options.on_thread_start = [&](std::size_t number)
    {
        if (number != 0)
            throw std::runtime_error("failed");
    };
    options.on_exception = [&](std::exception_ptr)
    {
        ++exceptions;
    };
    weft::thread_pool pool(options);
    std::latch ran(1);
    asio::post(pool,
        [&]
        {
            asio::post(pool, [&] { ran.count_down(); });
            weft::run_blocking([&] { ran.wait(); });
        });
    pool.join();
    BOOST_TEST(exceptions == 1);
    BOOST_TEST((h.stopped.get() == numbers{0}));
}

BOOST_AUTO_TEST_CASE(the_thread_that_destroys_its_pool_stops_after_that)
{
    for (int round = 0; round != 20; ++round)
    {
        std::atomic<bool> gone = false;
        std::atomic<int> stopped_before = 0;
        std::atomic<int> stopped_after = 0;
        weft::options options = with(2);
        options.on_thread_stop = [&](std::size_t)
        {
            ++(gone ? stopped_after : stopped_before);
        };
        auto pool = std::make_unique<weft::thread_pool>(options);
        auto& context = *pool;
        std::latch posted(1);
        asio::post(context,
            [&, p = std::move(pool)]() mutable
            {
                posted.wait();
                p.reset();
                gone = true;
            });
        posted.count_down();
        while (stopped_after == 0)
            std::this_thread::yield();
        BOOST_TEST(stopped_before == 1);
    }
}

BOOST_AUTO_TEST_SUITE_END()
