// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// The primitives as C++17, which has no coroutines: with callbacks.
#include "check.hpp"

#include <weft.hpp>

#include <boost/asio/error.hpp>
#include <boost/system/error_code.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <utility>

static_assert(__cplusplus >= 201703L && __cplusplus < 202002L, "this is to be compiled as C++17");

namespace
{

using boost::asio::error::operation_aborted;
using boost::asio::error::timed_out;
using boost::system::error_code;

constexpr std::chrono::seconds no_time(0);
constexpr std::chrono::minutes long_time(5);

std::chrono::steady_clock::time_point past()
{
    return std::chrono::steady_clock::time_point();
}

// What a handler without a value has been called with.
struct outcome
{
    int calls = 0;
    error_code ec;

    auto handler()
    {
        return [this](error_code e)
        {
            ++calls;
            ec = e;
        };
    }

    bool is(error_code const& expected) const
    {
        return calls == 1 && ec == expected;
    }
};

// What one with a value has.
template <typename T>
struct result : outcome
{
    T value;

    auto handler()
    {
        return [this](error_code e, T v)
        {
            ++calls;
            ec = e;
            value = std::move(v);
        };
    }
};

void run(weft::io_context& context)
{
    context.restart();
    context.run();
}

// For those whose time has passed: the clock has to be looked at.
void run_until_called(weft::io_context& context, outcome const& o)
{
    context.restart();
    while (o.calls == 0 && context.run_one_for(long_time) != 0)
    {
    }
}

void poll(weft::io_context& context)
{
    context.restart();
    context.poll();
}

void test_mutex()
{
    weft::io_context context;
    weft::mutex m(context);
    CHECK(m.try_lock());
    CHECK(!m.try_lock());

    outcome waits, deferred, late, too_late, in_time;
    m.async_lock(waits.handler());
    m.async_lock()(deferred.handler());
    m.async_lock_for(no_time, late.handler());
    m.async_lock_until(past(), too_late.handler());
    m.async_lock_for(long_time, in_time.handler());
    run_until_called(context, late);
    run_until_called(context, too_late);
    CHECK(waits.calls == 0);
    CHECK(late.is(timed_out));
    CHECK(too_late.is(timed_out));
    for (outcome const* next : {&waits, &deferred, &in_time})
    {
        m.unlock();
        poll(context);
        CHECK(next->is({}));
    }

    using lock = std::unique_lock<weft::mutex>;
    result<lock> scoped, scoped_late, scoped_in_time;
    m.async_scoped_lock(scoped.handler());
    m.async_scoped_lock_for(no_time, scoped_late.handler());
    m.async_scoped_lock_for(long_time, scoped_in_time.handler());
    m.unlock();
    poll(context);
    run_until_called(context, scoped_late);
    CHECK(scoped.is({}));
    CHECK(scoped.value.owns_lock());
    CHECK(scoped_late.is(timed_out));
    CHECK(!scoped_late.value.owns_lock());
    CHECK(scoped_in_time.calls == 0);
    scoped.value.unlock();
    run(context);
    CHECK(scoped_in_time.is({}));
    CHECK(scoped_in_time.value.mutex() == &m);

    outcome cancelled;
    m.async_lock(cancelled.handler());
    m.cancel();
    run(context);
    CHECK(cancelled.is(operation_aborted));
    scoped_in_time.value.unlock();
    CHECK(m.try_lock());
    m.unlock();
}

void test_semaphore()
{
    weft::io_context context;
    weft::semaphore s(context, 2);
    CHECK(s.try_acquire(2));
    CHECK(!s.try_acquire());

    outcome two, one, late, too_late, in_time;
    s.async_acquire(2, two.handler());
    s.async_acquire(one.handler());
    s.async_acquire_for(no_time, 2, late.handler());
    s.async_acquire_until(past(), too_late.handler());
    s.async_acquire_for(long_time, in_time.handler());
    run_until_called(context, late);
    run_until_called(context, too_late);
    CHECK(late.is(timed_out));
    CHECK(too_late.is(timed_out));
    s.release();
    poll(context);
    CHECK(two.calls == 0);
    s.release(2);
    poll(context);
    CHECK(two.is({}));
    CHECK(one.is({}));
    CHECK(in_time.calls == 0);
    s.release();
    run(context);
    CHECK(in_time.is({}));

    using permit = weft::semaphore::permit_type;
    result<permit> scoped, scoped_late, scoped_in_time;
    s.async_scoped_acquire(3, scoped.handler());
    s.async_scoped_acquire_for(no_time, scoped_late.handler());
    s.async_scoped_acquire_for(long_time, 3, scoped_in_time.handler());
    s.release(3);
    run_until_called(context, scoped_late);
    poll(context);
    CHECK(scoped.is({}));
    CHECK(scoped_late.is(timed_out));
    CHECK(scoped_in_time.calls == 0);
    CHECK(s.available() == 0);
    scoped.value = permit();
    run(context);
    CHECK(scoped_in_time.is({}));
    CHECK(s.available() == 0);
    scoped_in_time.value = permit();
    CHECK(s.available() == 3);
}

void test_shared_mutex()
{
    weft::io_context context;
    weft::shared_mutex m(context);
    CHECK(m.try_lock_shared());
    CHECK(m.try_lock_shared());
    CHECK(!m.try_lock());

    outcome writes, reads, late, late_reader, in_time;
    m.async_lock(writes.handler());
    m.async_lock_shared(reads.handler());
    m.async_lock_for(no_time, late.handler());
    m.async_lock_shared_for(no_time, late_reader.handler());
    m.async_lock_shared_for(long_time, in_time.handler());
    run_until_called(context, late);
    run_until_called(context, late_reader);
    CHECK(late.is(timed_out));
    CHECK(late_reader.is(timed_out));
    m.unlock_shared();
    poll(context);
    CHECK(writes.calls == 0);
    m.unlock_shared();
    poll(context);
    CHECK(writes.is({}));
    CHECK(reads.calls == 0);
    m.unlock();
    run(context);
    CHECK(reads.is({}));
    CHECK(in_time.is({}));

    result<std::unique_lock<weft::shared_mutex>> writer, late_writer;
    result<std::shared_lock<weft::shared_mutex>> reader, reader_in_time;
    m.async_scoped_lock(writer.handler());
    m.async_scoped_lock_until(past(), late_writer.handler());
    m.async_scoped_lock_shared(reader.handler());
    m.async_scoped_lock_shared_for(long_time, reader_in_time.handler());
    m.unlock_shared();
    m.unlock_shared();
    run_until_called(context, late_writer);
    poll(context);
    CHECK(writer.is({}));
    CHECK(late_writer.is(timed_out));
    CHECK(reader.calls == 0);
    writer.value.unlock();
    run(context);
    CHECK(reader.is({}));
    CHECK(reader_in_time.is({}));
    CHECK(!m.try_lock());
    CHECK(reader.value.owns_lock());
    reader.value.unlock();
    CHECK(m.try_upgrade());
    (void)reader_in_time.value.release();
    m.unlock();
}

void test_channel(std::size_t capacity)
{
    weft::io_context context;
    using pointer = std::unique_ptr<int>;
    weft::channel<pointer> c(context, capacity);
    CHECK(c.capacity() == capacity);
    CHECK(!c.try_receive());

    // Values are moved, and each comes to the receiver whose turn it is.
    outcome sent, sent_in_time, sent_from;
    result<pointer> first, second, third;
    c.async_receive(first.handler());
    c.async_receive_for(long_time, second.handler());
    c.async_receive()(third.handler());
    CHECK(c.try_send(std::make_unique<int>(1)));
    c.async_send(std::make_unique<int>(2), sent.handler());
    c.async_send_for(long_time, std::make_unique<int>(3), sent_in_time.handler());
    run(context);
    CHECK(first.is({}) && first.value && *first.value == 1);
    CHECK(second.is({}) && second.value && *second.value == 2);
    CHECK(third.is({}) && third.value && *third.value == 3);
    CHECK(sent.is({}));
    CHECK(sent_in_time.is({}));

    // Full.
    for (std::size_t i = 0; i != capacity; ++i)
        CHECK(c.try_send(std::make_unique<int>(4)));
    pointer kept = std::make_unique<int>(5);
    CHECK(!c.try_send(std::move(kept)));
    CHECK(kept && *kept == 5);
    outcome late;
    c.async_send_from_for(no_time, kept, late.handler());
    run(context);
    CHECK(late.is(timed_out));
    CHECK(kept && *kept == 5);
    c.async_send_from(kept, sent_from.handler());
    for (std::size_t i = 0; i != capacity; ++i)
    {
        std::optional<pointer> const four = c.try_receive();
        CHECK(four && *four && **four == 4);
    }
    std::optional<pointer> const five = c.try_receive();
    CHECK(five && *five && **five == 5);
    run(context);
    CHECK(sent_from.is({}));

    // Empty, and closed.
    result<pointer> too_late;
    c.async_receive_until(past(), too_late.handler());
    run(context);
    CHECK(too_late.is(timed_out));
    CHECK(!too_late.value);
    std::array<pointer, 2> buffer;
    result<std::size_t> some;
    c.async_receive_some(buffer, some.handler());
    CHECK(c.try_send(std::make_unique<int>(6)));
    run(context);
    CHECK(some.is({}));
    CHECK(some.value == 1);
    CHECK(buffer[0] && *buffer[0] == 6);
    outcome refused;
    result<pointer> last;
    c.async_receive(last.handler());
    c.close();
    c.async_send(std::make_unique<int>(7), refused.handler());
    run(context);
    CHECK(last.is(weft::errc::closed));
    CHECK(refused.is(weft::errc::closed));
}

void test_forms_of_channels()
{
    weft::io_context context;
    weft::channel<void> signals(context, 1);
    outcome signalled;
    signals.async_receive(signalled.handler());
    CHECK(signals.try_send());
    CHECK(!signals.try_receive());

    weft::channel<void(error_code, int, std::string)> several(context, 1);
    int number = 0;
    std::string text;
    CHECK(several.try_send(error_code(), 8, "eight"));
    CHECK(several.try_receive(
        [&](error_code ec, int n, std::string t)
        {
            CHECK(!ec);
            number = n;
            text = std::move(t);
        }));
    CHECK(number == 8);
    CHECK(text == "eight");
    run(context);
    CHECK(signalled.is({}));
}

} // namespace

int main()
{
    test_mutex();
    test_semaphore();
    test_shared_mutex();
    test_channel(0);
    test_channel(2);
    test_forms_of_channels();
    return failures == 0 ? 0 : 1;
}
