// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What is asserted, where assertions are on, ends the program.

#include <weft/io_context.hpp>
#include <weft/mutex.hpp>
#include <weft/semaphore.hpp>
#include <weft/shared_mutex.hpp>

#include "parity/watchdog.hpp"

#include <boost/test/unit_test.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <mutex>

namespace
{

#ifdef NDEBUG
constexpr bool asserted = false;
#else
constexpr bool asserted = true;
#endif

// Whether `body` aborts the program; done in another one.
template <class Body>
bool aborts(Body body)
{
    pid_t const child = ::fork();
    BOOST_REQUIRE(child >= 0);
    if (child == 0)
    {
        std::signal(SIGABRT, SIG_DFL);
        ::close(STDERR_FILENO);
        body();
        ::_exit(0);
    }
    int status = 0;
    BOOST_REQUIRE(::waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

struct fixture
{
    weft::io_context context;
    weft::mutex m{context};
    weft::semaphore s{context, 1};
    weft::shared_mutex r{context};
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(preconditions, fixture)

BOOST_AUTO_TEST_CASE(what_nobody_has_is_not_unlocked)
{
    BOOST_TEST(aborts([&] { m.unlock(); }) == asserted);
    BOOST_TEST(aborts([&] { r.unlock(); }) == asserted);
    BOOST_TEST(aborts([&] { r.unlock_shared(); }) == asserted);
    BOOST_TEST(aborts([&] { r.downgrade(); }) == asserted);
    BOOST_TEST(r.try_lock_shared());
    BOOST_TEST(aborts([&] { r.unlock(); }) == asserted);
}

// Unless somebody else has got the lock meanwhile: whose it is, it does not know.
BOOST_AUTO_TEST_CASE(what_was_unlocked_is_not_unlocked_again)
{
    BOOST_TEST(m.try_lock());
    BOOST_TEST(aborts([&] { m.unlock(), m.unlock(); }) == asserted);
    BOOST_TEST(
        aborts([&] { std::unique_lock<weft::mutex>(m, std::adopt_lock), m.unlock(); }) == asserted);
    BOOST_TEST(r.try_lock());
    BOOST_TEST(aborts([&] { r.unlock(), r.unlock(); }) == asserted);
    BOOST_TEST(aborts([&] { r.unlock(), r.unlock_shared(); }) == asserted);
    BOOST_TEST(aborts([&] { r.unlock(), r.downgrade(); }) == asserted);
    BOOST_TEST(aborts([&] { r.unlock(), r.try_upgrade(); }) == asserted);
    BOOST_TEST(aborts([&] { r.downgrade(), r.unlock(); }) == asserted);
    BOOST_TEST(aborts([&] { r.downgrade(), r.downgrade(); }) == asserted);
    r.downgrade();
    BOOST_TEST(aborts([&] { r.unlock_shared(), r.unlock_shared(); }) == asserted);
}

// Also when somebody waits, so that nothing is free: a writer collects what readers give back.
BOOST_AUTO_TEST_CASE(a_reader_does_not_unlock_as_a_writer)
{
    BOOST_TEST(r.try_lock_shared());
    BOOST_TEST(r.try_lock_shared());
    BOOST_TEST(aborts([&] { r.unlock(); }) == asserted);
    BOOST_TEST(aborts([&] { r.downgrade(); }) == asserted);
    r.async_lock([](boost::system::error_code) {});
    BOOST_TEST(aborts([&] { r.unlock(); }) == asserted);
    BOOST_TEST(aborts([&] { r.downgrade(); }) == asserted);
    BOOST_TEST(!aborts([&] { r.unlock_shared(); }));
    BOOST_TEST(!aborts([&] { (void)r.try_upgrade(); }));
    r.unlock_shared();
    BOOST_TEST(aborts([&] { r.unlock(); }) == asserted);
    r.async_lock_shared([](boost::system::error_code) {});
    BOOST_TEST(aborts([&] { r.unlock(); }) == asserted);
    // The writer that waited has the lock then, and the reader waits.
    r.unlock_shared();
    BOOST_TEST(!aborts([&] { r.unlock(), r.unlock_shared(); }));
    BOOST_TEST(!aborts([&] { r.downgrade(), r.unlock_shared(), r.unlock_shared(); }));
    BOOST_TEST(aborts([&] { r.unlock(), r.unlock(); }) == asserted);
    BOOST_TEST(aborts([&] { r.downgrade(), r.unlock(); }) == asserted);
}

BOOST_AUTO_TEST_CASE(a_semaphore_has_no_more_permits_than_it_can_count)
{
    BOOST_TEST(aborts([&] { s.release(weft::semaphore::max_permits); }) == asserted);
    BOOST_TEST(aborts([&] { s.release(static_cast<std::uint64_t>(-1)); }) == asserted);
    BOOST_TEST(!aborts([&] { s.release(weft::semaphore::max_permits - 1); }));
}

BOOST_AUTO_TEST_CASE(what_somebody_has_is_unlocked)
{
    BOOST_TEST(m.try_lock());
    BOOST_TEST(!aborts([&] { m.unlock(); }));
    BOOST_TEST(r.try_lock());
    BOOST_TEST(!aborts([&] { r.downgrade(), r.unlock_shared(); }));
    // Also when somebody waits for it.
    m.async_lock([](boost::system::error_code) {});
    r.async_lock_shared([](boost::system::error_code) {});
    BOOST_TEST(!aborts([&] { m.unlock(), r.unlock(); }));
}

BOOST_AUTO_TEST_SUITE_END()
