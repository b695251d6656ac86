// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/io_context.hpp>
#include <weft/trace.hpp>

#include "support/cases.hpp"
#include "trace/chrome.hpp"
#include "trace/chrome_json.hpp"
#include "trace/files.hpp"
#include "trace/raw_file.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

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

test::chrome_file converted(std::string const& raw)
{
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
