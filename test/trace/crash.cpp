// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/io_context.hpp>
#include <weft/mutex.hpp>
#include <weft/thread_pool.hpp>
#include <weft/trace.hpp>

#include "support/cases.hpp"
#include "trace/chrome.hpp"
#include "trace/chrome_json.hpp"
#include "trace/files.hpp"
#include "trace/raw_file.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <latch>
#include <memory>
#include <stdexcept>
#include <thread>

namespace
{

namespace trace = weft::trace;

using test::contents;

struct folder : test::with_folder
{
    std::string raw = path / "raw";
};

// In a process of its own, which dies; of what.
template <typename Function>
int signal_of_child(Function&& body)
{
    pid_t const child = ::fork();
    if (child == 0)
    {
        test::watchdog::arm(test::watchdog::seconds_per_case / 2);
        rlimit const none{0, 0};
        ::setrlimit(RLIMIT_CORE, &none);
        // What sanitizers and the test's framework would say of it.
        if (!std::freopen("/dev/null", "w", stderr))
            ::_exit(3);
        for (int const s : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
            std::signal(s, SIG_DFL);
        body();
        ::_exit(0);
    }
    int status = 0;
    BOOST_REQUIRE(::waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status);
}

struct last_handler
{
    void operator()() const
    {
        trace::span const last("the last words");
        std::raise(SIGSEGV);
    }
};

void run_and_crash(std::string const& raw)
{
    trace::dump_on_crash(raw.c_str());
    weft::io_context context;
    weft::io_context other;
    trace::start(context);
    trace::start(other);
    asio::post(other, [] {});
    other.run();
    for (int i = 0; i != 100; ++i)
        asio::post(context, [] {});
    asio::post(context, last_handler());
    context.run();
}

// As the tool does it, and by the tool if there is one.
test::chrome_file converted(std::string const& raw)
{
#if defined(WEFT_TRACE_TOOL)
    std::string const json = raw + ".json";
    BOOST_TEST(std::system((WEFT_TRACE_TOOL " " + raw + " " + json + " 2>/dev/null").c_str()) == 0);
    test::chrome_file const by_tool(contents(json));
    BOOST_TEST(by_tool.handlers() != 0u);
#endif
    weft::detail::raw_contents const read = weft::detail::read_raw(contents(raw));
    BOOST_TEST(read.complete);
    weft::detail::symbols const names(read.maps);
    std::ostringstream out;
    write_chrome_json(read.contexts, names, out);
    return test::chrome_file(out.str());
}

} // namespace

BOOST_AUTO_TEST_SUITE(trace_crash)

BOOST_FIXTURE_TEST_CASE(a_crash_leaves_all_rings, folder)
{
    BOOST_TEST(signal_of_child([&] { run_and_crash(raw); }) == SIGSEGV);
    weft::detail::raw_contents const read = weft::detail::read_raw(contents(raw));
    BOOST_TEST(read.crash.signal == static_cast<std::uint64_t>(SIGSEGV));
    BOOST_TEST(read.contexts.size() == 2u);
    test::chrome_file const file = converted(raw);
    BOOST_TEST(file.handlers() == 102u);
    BOOST_TEST(file.named("last_handler") == 1u);
    BOOST_TEST(file.named("the last words") == 1u);
}

#if defined(WEFT_TRACE_TOOL)
BOOST_FIXTURE_TEST_CASE(the_tool_converts_it, folder)
{
    BOOST_TEST(signal_of_child([&] { run_and_crash(raw); }) == SIGSEGV);
    std::string const json = path / "trace.json";
    std::string const quiet = " 2>" + (path / "told").string();
    BOOST_TEST(std::system((WEFT_TRACE_TOOL " " + raw + " " + json + quiet).c_str()) == 0);
    test::chrome_file const file(contents(json));
    BOOST_TEST(file.handlers() == 102u);
    BOOST_TEST(file.named("last_handler") == 1u);
    BOOST_TEST(contents(path / "told").find("signal 11") != std::string::npos);
    BOOST_TEST(std::system((WEFT_TRACE_TOOL " " + raw + " >" + json + quiet).c_str()) == 0);
    BOOST_TEST(test::chrome_file(contents(json)).handlers() == 102u);
    BOOST_TEST(std::system((WEFT_TRACE_TOOL " " + json + quiet).c_str()) != 0);
    BOOST_TEST(std::system((WEFT_TRACE_TOOL " " + raw + " /dev/full" + quiet).c_str()) != 0);
}
#endif

BOOST_FIXTURE_TEST_CASE(terminate_and_abort_do_too, folder)
{
    int const signal = signal_of_child(
        [&]
        {
            trace::dump_on_crash(raw.c_str());
            weft::io_context context;
            trace::start(context);
            asio::post(context, [] {});
            context.run();
            std::terminate();
        });
    BOOST_TEST(signal == SIGABRT);
    BOOST_TEST(converted(raw).handlers() == 1u);
}

// A handler of a context that has run another one before.
void run_as_second_handler(std::string const& raw, std::function<void()> const& dies)
{
    trace::dump_on_crash(raw.c_str());
    weft::io_context context;
    trace::start(context);
    asio::post(context, [] {});
    asio::post(context, dies);
    context.run();
}

// Large frames on the stack itself, all of whose pages are touched.
[[gnu::noinline]] int overflows(int depth)
{
    constexpr int size = 1 << 17;
    char volatile frame[size];
    for (int i = size - 1; i > 0; i -= 1024)
        frame[i] = static_cast<char>(depth);
    return depth == 0 ? 0 : overflows(depth + 1) + frame[size / 2];
}

struct alternate_stack
{
    alternate_stack()
    {
        stack_t stack{};
        stack.ss_sp = memory.get();
        stack.ss_size = size;
        if (::sigaltstack(&stack, nullptr) != 0)
            ::_exit(4);
    }

    static constexpr std::size_t size = 1 << 17;
    std::unique_ptr<char[]> const memory = std::make_unique<char[]>(size);
};

BOOST_FIXTURE_TEST_CASE(whatever_a_handler_dies_of, folder)
{
    struct death
    {
        char const* name;
        int signal;
        std::function<void()> of;
    };
    death const deaths[] = {
        {"abort", SIGABRT,
            []
            {
                std::abort();
            }},
        {"terminate", SIGABRT,
            []
            {
                std::terminate();
            }},
        {"what noexcept throws", SIGABRT,
            []
            {
                auto const throws = []() noexcept(true)
                {
                    std::function<void()> const f = []
                    {
                        throw std::runtime_error("no");
                    };
                    f();
                };
                throws();
            }},
        {"an overflow of the stack", SIGSEGV,
            []
            {
                alternate_stack const here;
                (void)overflows(1);
            }},
        {"a fault of arithmetic", SIGFPE,
            []
            {
                std::raise(SIGFPE);
            }},
        {"an instruction that is none", SIGILL,
            []
            {
                std::raise(SIGILL);
            }},
        {"memory that is not there", SIGBUS,
            []
            {
                std::raise(SIGBUS);
            }},
    };
    for (death const& d : deaths)
        BOOST_TEST_CONTEXT(d.name)
        {
            std::filesystem::remove(raw);
            BOOST_TEST(signal_of_child([&] { run_as_second_handler(raw, d.of); }) == d.signal);
            BOOST_TEST(converted(raw).handlers() == 2u);
        }
}

BOOST_FIXTURE_TEST_CASE(an_exception_that_a_pool_does_not_take, folder)
{
    int const signal = signal_of_child(
        [&]
        {
            trace::dump_on_crash(raw.c_str());
            weft::thread_pool pool(2);
            trace::start(pool);
            asio::post(pool, [&] { asio::post(pool, [] { throw std::runtime_error("no"); }); });
            pool.join();
        });
    BOOST_TEST(signal == SIGABRT);
    (void)converted(raw);
}

// Both write, or one of them and the other waits for it; the file is whole.
BOOST_FIXTURE_TEST_CASE(two_workers_die_at_once, folder)
{
    for (int round = 0; round != 10; ++round)
    {
        std::filesystem::remove(raw);
        int const signal = signal_of_child(
            [&]
            {
                trace::dump_on_crash(raw.c_str());
                weft::io_context context;
                trace::start(context, {256});
                std::latch both(2);
                for (int const s : {SIGSEGV, SIGABRT})
                    asio::post(context,
                        [&both, s]
                        {
                            both.arrive_and_wait();
                            if (s == SIGABRT)
                                std::abort();
                            std::raise(s);
                        });
                test::thread_group runners(2, [&] { context.run(); });
                runners.join();
            });
        BOOST_TEST((signal == SIGSEGV || signal == SIGABRT));
        BOOST_TEST(converted(raw).handlers() == 2u);
    }
}

// What waits when the process dies, with the name of what it waits for.
BOOST_FIXTURE_TEST_CASE(a_crash_leaves_who_waits, folder)
{
    int const signal = signal_of_child(
        [&]
        {
            trace::dump_on_crash(raw.c_str());
            weft::io_context context;
            weft::mutex m(context);
            m.set_name("sessions");
            trace::start(context);
            (void)m.try_lock();
            asio::post(context, [&] { m.async_lock([](boost::system::error_code) {}); });
            asio::post(context, [] { std::abort(); });
            context.run();
        });
    BOOST_TEST(signal == SIGABRT);
    test::chrome_file const file = converted(raw);
    BOOST_TEST(file.count("wait") == 1u);
    BOOST_TEST(file.named("mutex \"sessions\"") == 1u);
}

BOOST_FIXTURE_TEST_CASE(threads_that_work_meanwhile_do_no_harm, folder)
{
    int const signal = signal_of_child(
        [&]
        {
            trace::dump_on_crash(raw.c_str());
            weft::io_context context;
            trace::start(context, {1024});
            std::function<void()> forever = [&]
            {
                asio::post(context, forever);
            };
            for (int i = 0; i != 4; ++i)
                forever();
            test::thread_group runners(2, [&] { context.run(); });
            while (context.stats().total.handlers < 10'000)
                std::this_thread::yield();
            // Two threads die at once.
            test::thread_group dying(2, [] { std::raise(SIGFPE); });
            dying.join();
        });
    BOOST_TEST(signal == SIGFPE);
    BOOST_TEST(converted(raw).handlers() > 100u);
}

BOOST_FIXTURE_TEST_CASE(the_handler_that_was_there_is_called, folder)
{
    int const code = signal_of_child(
        [&]
        {
            std::signal(SIGSEGV, [](int) { ::_exit(7); });
            run_and_crash(raw);
        });
    BOOST_TEST(code == -7);
    BOOST_TEST(converted(raw).handlers() == 102u);
}

BOOST_FIXTURE_TEST_CASE(no_path_and_no_place_are_no_reason_not_to_die, folder)
{
    BOOST_TEST(signal_of_child(
                   [&]
                   {
                       trace::dump_on_crash(raw.c_str());
                       trace::dump_on_crash(nullptr);
                       std::raise(SIGSEGV);
                   }) == SIGSEGV);
    BOOST_TEST(!std::filesystem::exists(raw));
    BOOST_TEST(signal_of_child([&] { run_and_crash("/nowhere/raw"); }) == SIGSEGV);
    BOOST_TEST(signal_of_child([&] { run_and_crash("/dev/full"); }) == SIGSEGV);
    BOOST_CHECK_THROW(trace::dump_on_crash(std::string(5000, 'a').c_str()), std::invalid_argument);
}

// More than a pipe holds: who writes waits for the reader, and then the pipe breaks.
BOOST_FIXTURE_TEST_CASE(a_pipe_whose_reader_goes_away, folder)
{
    BOOST_REQUIRE(::mkfifo(raw.c_str(), 0600) == 0);
    int const signal = signal_of_child(
        [&]
        {
            std::signal(SIGPIPE, SIG_DFL);
            std::thread reader(
                [&]
                {
                    int const file = ::open(raw.c_str(), O_RDONLY);
                    char some[100];
                    (void)!::read(file, some, sizeof(some));
                    ::close(file);
                });
            run_and_crash(raw);
        });
    BOOST_TEST(signal == SIGSEGV);
}

BOOST_FIXTURE_TEST_CASE(what_is_cut_off_is_read_as_far_as_it_goes, folder)
{
    BOOST_TEST(signal_of_child([&] { run_and_crash(raw); }) == SIGSEGV);
    std::string const whole = contents(raw);
    BOOST_REQUIRE(whole.size() > 1000u);
    for (std::size_t size = 8; size < whole.size(); size += whole.size() / 97)
    {
        auto const read = weft::detail::read_raw(whole.substr(0, size));
        BOOST_TEST((!read.complete || read.contexts.size() < 2));
    }
    BOOST_CHECK_THROW(weft::detail::read_raw("nonsense"), std::runtime_error);
    BOOST_CHECK_THROW(weft::detail::read_raw(""), std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()
