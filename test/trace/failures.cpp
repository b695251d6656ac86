// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/io_context.hpp>
#include <weft/thread_pool.hpp>
#include <weft/trace.hpp>

#include "parity/counted_new.hpp"
#include "support/cases.hpp"
#include "trace/chrome.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <ios>
#include <streambuf>

namespace
{

namespace trace = weft::trace;

struct recorded
{
    recorded()
    {
        trace::start(context);
        for (int i = 0; i != 5000; ++i)
            asio::post(context, [] {});
        context.run();
    }

    ~recorded()
    {
        // Nothing is lost by a dump that fails.
        BOOST_TEST(test::dumped(context).handlers() == 5000u);
    }

    weft::io_context context;
};

// Takes so much.
class small_buffer : public std::streambuf
{
public:
    explicit small_buffer(std::size_t room) : room_(room)
    {
    }

protected:
    int_type overflow(int_type c) override
    {
        return room_-- == 0 ? traits_type::eof() : c;
    }

    std::streamsize xsputn(char const*, std::streamsize count) override
    {
        auto const taken = std::min(room_, static_cast<std::size_t>(count));
        room_ -= taken;
        return static_cast<std::streamsize>(taken);
    }

private:
    std::size_t room_;
};

} // namespace

BOOST_AUTO_TEST_SUITE(trace_failures)

BOOST_FIXTURE_TEST_CASE(a_stream_that_is_bad_already, recorded)
{
    std::ostringstream out;
    out.setstate(std::ios_base::badbit);
    BOOST_CHECK_THROW(trace::dump(context, out), std::ios_base::failure);
}

BOOST_FIXTURE_TEST_CASE(a_stream_that_takes_only_a_part, recorded)
{
    small_buffer buffer(100'000);
    std::ostream out(&buffer);
    BOOST_CHECK_THROW(trace::dump(context, out), std::ios_base::failure);
}

BOOST_FIXTURE_TEST_CASE(a_stream_that_throws, recorded)
{
    small_buffer buffer(100'000);
    std::ostream out(&buffer);
    out.exceptions(std::ios_base::badbit);
    BOOST_CHECK_THROW(trace::dump(context, out), std::ios_base::failure);
}

BOOST_FIXTURE_TEST_CASE(a_disk_that_is_full, recorded)
{
    std::ofstream out("/dev/full");
    BOOST_REQUIRE(out.is_open());
    BOOST_CHECK_THROW(trace::dump(context, out), std::ios_base::failure);
}

BOOST_FIXTURE_TEST_CASE(a_pipe_whose_reader_is_gone, recorded)
{
    char folder[] = "/tmp/weft-trace-XXXXXX";
    BOOST_REQUIRE(::mkdtemp(folder) != nullptr);
    std::string const path = std::string(folder) + "/pipe";
    BOOST_REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    int const reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK);
    BOOST_REQUIRE(reader >= 0);
    std::ofstream out(path);
    BOOST_REQUIRE(out.is_open());
    ::close(reader);
    auto const before = std::signal(SIGPIPE, SIG_IGN);
    BOOST_CHECK_THROW(trace::dump(context, out), std::ios_base::failure);
    out.close();
    std::signal(SIGPIPE, before);
    std::filesystem::remove_all(folder);
}

BOOST_FIXTURE_TEST_CASE(a_dump_without_memory, recorded)
{
    std::ostringstream out;
    long allowance = 0;
    for (; test::out_of_memory_in([&] { trace::dump(context, out); }, allowance);
         allowance = 2 * allowance + 1)
        out.str("");
    BOOST_TEST(allowance > 10);
}

BOOST_AUTO_TEST_CASE(a_start_without_memory_changes_nothing)
{
    // Two workers exist, so that two rings are made.
    weft::thread_pool pool(2);
    long allowance = 0;
    for (; test::out_of_memory_in([&] { trace::start(pool); }, allowance); ++allowance)
    {
        BOOST_TEST(!weft::detail::trace_point::on());
        BOOST_TEST(test::dumped(pool).threads.empty());
    }
    BOOST_TEST(allowance >= 3);
    BOOST_TEST(weft::detail::trace_point::on());
    BOOST_TEST(test::dumped(pool).threads.size() == 2u);
    pool.join();
}

BOOST_AUTO_TEST_CASE(a_worker_without_memory_for_its_ring_works_without)
{
    weft::io_context context;
    trace::start(context);
    asio::post(context, [] {});
    std::thread(
        [&]
        {
            // The worker itself takes some, and the ring most.
            std::size_t handlers = 0;
            for (long allowance = 0; handlers == 0; ++allowance)
                test::out_of_memory_in([&] { handlers = context.run(); }, allowance);
        })
        .join();
    BOOST_TEST(context.stats().total.handlers == 1u);
    BOOST_TEST(test::dumped(context).handlers() == 0u);
}

BOOST_AUTO_TEST_CASE(sizes_out_of_range_are_refused)
{
    weft::io_context context;
    for (std::size_t const events : {std::size_t{0}, std::size_t{63}, (std::size_t{1} << 24) + 1})
        BOOST_CHECK_EXCEPTION(trace::start(context, {events}), std::invalid_argument,
            [](std::invalid_argument const& e)
            { return std::string(e.what()).find("weft::trace::options::events") == 0; });
    BOOST_TEST(!weft::detail::trace_point::on());
}

BOOST_AUTO_TEST_SUITE_END()
