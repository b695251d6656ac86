// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "trace/where.hpp"

#include <weft/io_context.hpp>
#include <weft/thread_pool.hpp>

#include "support/cases.hpp"
#include "trace/chrome.hpp"
#include "trace/files.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace
{

using test::contents;

// In a process of its own, whose first context is the first; its exit code.
template <typename Function>
int in_child(Function&& body)
{
    pid_t const child = ::fork();
    if (child == 0)
    {
        test::watchdog::arm(test::watchdog::seconds_per_case / 2);
        body();
        ::_exit(0);
    }
    int status = 0;
    BOOST_REQUIRE(::waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

BOOST_AUTO_TEST_SUITE(trace_environment)

BOOST_AUTO_TEST_CASE(paths_get_numbers)
{
    using weft::detail::numbered;
    BOOST_TEST(numbered("a/b.json", 1) == "a/b.json");
    BOOST_TEST(numbered("a/b.json", 2) == "a/b.2.json");
    BOOST_TEST(numbered("a.b/c", 3) == "a.b/c.3");
    BOOST_TEST(numbered(".hidden", 10) == ".hidden.10");
    BOOST_TEST(numbered("x.tar.json", 2) == "x.tar.2.json");
}

BOOST_FIXTURE_TEST_CASE(every_context_writes_its_timeline_at_its_end, test::with_folder)
{
    std::string const where = path / "trace.json";
    int const code = in_child(
        [&]
        {
            ::setenv("WEFT_TRACE", where.c_str(), 1);
            {
                weft::io_context context;
                for (int i = 0; i != 10; ++i)
                    asio::post(context, [] {});
                context.run();
                weft::thread_pool pool(2);
                for (int i = 0; i != 20; ++i)
                    asio::post(pool, [] {});
                pool.join();
            }
            ::unsetenv("WEFT_TRACE");
            weft::io_context silent;
            ::setenv("WEFT_TRACE", "", 1);
            weft::io_context silent_too;
        });
    BOOST_TEST(code == 0);
    BOOST_TEST(test::chrome_file(contents(path / "trace.json")).handlers() == 10u);
    BOOST_TEST(test::chrome_file(contents(path / "trace.2.json")).handlers() == 20u);
    BOOST_TEST(std::distance(std::filesystem::directory_iterator(path), {}) == 2);
}

BOOST_FIXTURE_TEST_CASE(what_cannot_be_written_is_told_and_harms_nothing, test::with_folder)
{
    std::string const where = path / "nowhere" / "trace.json";
    std::string const errors = path / "errors";
    int const code = in_child(
        [&]
        {
            if (!std::freopen(errors.c_str(), "w", stderr))
                ::_exit(3);
            ::setenv("WEFT_TRACE", where.c_str(), 1);
            {
                weft::io_context context;
                asio::post(context, [] {});
                context.run();
            }
            std::fflush(stderr);
        });
    BOOST_TEST(code == 0);
    std::string const told = contents(errors);
    BOOST_TEST(told.find("weft: WEFT_TRACE: " + where) == 0u, told);
    BOOST_TEST(told.find("No such file") != std::string::npos, told);
}

BOOST_AUTO_TEST_SUITE_END()
