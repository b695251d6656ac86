// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Hazard: as in channel_conservation.cpp, in numbers: ten million values (a quarter with
// sanitizers). Most of them go by way of
// threads that only try, and that never have to wait for each other: who cannot send receives.
// Operations that wait and are cancelled go on beside them, and each channel is closed at random.

#include <weft/channel.hpp>
#include <weft/io_context.hpp>

#include "parity/threads.hpp"
#include "support/asio.hpp"
#include "support/owned.hpp"
#include "support/sanitized.hpp"

#include <random>

namespace
{

constexpr std::uint64_t in_total = WEFT_TEST_SANITIZED ? 1'000'000 : 10'000'000;
constexpr std::uint32_t triers = 3;
constexpr std::uint32_t waiters = 4;
constexpr std::uint32_t senders = triers + waiters;

// What one sender may send in one round.
constexpr std::uint32_t most = 200'000;

struct item : test::counted
{
    explicit item(std::uint32_t s = 0, std::uint32_t n = 0) noexcept : sender(s), number(n)
    {
    }

    std::uint32_t sender;
    std::uint32_t number;
};

using channel = weft::basic_channel<weft::io_context::executor_type, void(error_code, item)>;

// One channel, from its opening until everything sent has been received.
struct course
{
    course(std::size_t capacity, std::uint64_t close_after)
        : c(context, capacity), until_close(close_after), received(senders * most)
    {
    }

    void require(bool holds)
    {
        if (!holds)
            right = false;
    }

    weft::io_context context;
    channel c;
    std::atomic<std::int64_t> until_close;
    std::atomic<bool> right{true};
    std::atomic<std::uint64_t> aborted{0};

    // An entry is written by whoever receives the value; and which numbers were refused, by their
    // sender.
    std::vector<std::uint8_t> received;
    std::array<std::vector<std::uint32_t>, senders> refused;
    std::array<std::uint32_t, senders> sent{};
};

// What a thread, or a strand, has received.
class taker
{
public:
    explicit taker(course& r) : course_(r)
    {
    }

    void came(item i)
    {
        course_.require(i.number >= from_[i.sender]);
        from_[i.sender] = i.number + 1;
        ++course_.received[i.sender * most + i.number];
    }

    // Not for each value: that would order what is to race.
    void count(std::int64_t n)
    {
        if (course_.until_close.fetch_sub(n, std::memory_order_relaxed) <= n)
            course_.c.close();
    }

protected:
    course& course_;

private:
    std::array<std::uint32_t, senders> from_{};
};

void try_until_the_end(course& r, std::uint32_t me, std::uint32_t seed)
{
    constexpr std::int64_t stride = 64;
    taker t(r);
    std::minstd_rand random(seed);
    std::uint32_t number = 0;
    for (std::int64_t taken = 0;;)
    {
        std::uint32_t const what = random();
        // In the middle of the bits: the lowest of this generator's repeat soon.
        bool const sends = (what >> 8) % 2 != 0;
        if (sends && number != most && r.c.try_send(item{me, number}))
            ++number;
        else
        {
            error_code ec;
            if (auto const i = r.c.try_receive(ec))
            {
                t.came(*i);
                if (++taken % stride == 0)
                    t.count(stride);
            }
            else if (ec == weft::errc::closed)
                break;
            // All sent, nothing left to receive, and not closed: there was less than expected.
            else if (number == most)
                r.c.close();
        }
        if ((what >> 9) % 16384 == 0)
            r.c.cancel();
    }
    r.sent[me] = number;
}

// Sends and receives by operations that wait, one after the other, and cancels some.
class waiting : public taker
{
public:
    waiting(course& r, std::uint32_t me, unsigned seed)
        : taker(r), me_(me), random_(seed), strand_(asio::make_strand(r.context))
    {
    }

    void start()
    {
        asio::post(strand_, [this] { next(); });
    }

private:
    template <class Handler>
    auto bound(Handler handler)
    {
        return asio::bind_executor(
            strand_, asio::bind_cancellation_slot(signal_.slot(), std::move(handler)));
    }

    void next()
    {
        std::uint32_t const what = random_();
        if ((what >> 4) % 2 == 0 && course_.sent[me_] != most)
        {
            std::uint32_t const number = course_.sent[me_]++;
            course_.c.async_send(item{me_, number}, bound(
                                                        [this, number](error_code ec)
                                                        {
                                                            if (ec)
                                                                course_.refused[me_].push_back(
                                                                    number);
                                                            finished(ec);
                                                        }));
        }
        else
            course_.c.async_receive(bound(
                [this](error_code ec, item i)
                {
                    if (!ec)
                    {
                        came(i);
                        count(1);
                    }
                    finished(ec);
                }));
        if ((what >> 8) % 4 == 0)
            signal_.emit(asio::cancellation_type::total);
        else if ((what >> 8) % 4 == 1)
            asio::post(strand_, [this] { signal_.emit(asio::cancellation_type::terminal); });
    }

    void finished(error_code ec)
    {
        // A sender that is refused has to see to the rest as well.
        if (ec == weft::errc::closed && course_.c.size() == 0)
            return;
        if (ec == asio::error::operation_aborted)
            course_.aborted.fetch_add(1, std::memory_order_relaxed);
        next();
    }

    std::uint32_t const me_;
    std::mt19937 random_;
    asio::strand<weft::io_context::executor_type> strand_;
    asio::cancellation_signal signal_;
};

// Returns how many values have been received, each once.
std::uint64_t conserved(course& r)
{
    std::uint64_t total = 0;
    bool right = true;
    for (std::uint32_t s = 0; s != senders; ++s)
    {
        std::vector<std::uint8_t> expected(most);
        for (std::uint32_t n = 0; n != r.sent[s]; ++n)
            expected[n] = 1;
        for (std::uint32_t const n : r.refused[s])
            expected[n] = 0;
        for (std::uint32_t n = 0; n != most; ++n)
        {
            right = right && r.received[s * most + n] == expected[n];
            total += expected[n];
        }
    }
    BOOST_TEST(right);
    return total;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(ten_million_values_are_received_once_and_in_order, test::all_are_destroyed)
{
    std::mt19937 random(20260107);
    std::uint64_t total = 0;
    std::uint64_t aborted = 0;
    std::size_t const capacities[] = {1, 2, 3, 5, 100};
    for (unsigned round = 0; total < in_total; ++round)
    {
        course r(capacities[round % 5], 1 + random() % 500'000);
        std::vector<std::unique_ptr<waiting>> all;
        for (unsigned i = 0; i != waiters; ++i)
        {
            all.push_back(std::make_unique<waiting>(r, triers + i, random()));
            all.back()->start();
        }
        std::atomic<std::uint32_t> index{0};
        auto const seed = static_cast<std::uint32_t>(random());
        test::thread_group trying(triers,
            [&]
            {
                std::uint32_t const me = index++;
                try_until_the_end(r, me, seed + me);
            });
        test::run_on(r.context, 2);
        trying.join();
        BOOST_TEST(r.right.load());
        BOOST_TEST(r.c.size() == 0u);
        total += conserved(r);
        aborted += r.aborted;
    }
    BOOST_TEST(aborted > 0u);
    BOOST_TEST_MESSAGE(total << " values, " << aborted << " operations cancelled");
}
