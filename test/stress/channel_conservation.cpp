// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Hazard: a value lost, received twice or out of its sender's order, or a handler lost, when sends,
// receives, cancellations of one and of all, and the end meet on several threads.

#include <weft/channel.hpp>
#include <weft/io_context.hpp>

#include "parity/threads.hpp"
#include "support/asio.hpp"
#include "support/owned.hpp"
#include "support/sanitized.hpp"

#include <iterator>
#include <random>

namespace
{

constexpr std::uint32_t each = WEFT_TEST_SANITIZED ? 5'000 : 60'000;
constexpr std::uint32_t senders = 6;
constexpr std::size_t receivers = 6;

struct item : test::counted
{
    explicit item(std::uint32_t s = 0, std::uint32_t n = 0) noexcept : sender(s), number(n)
    {
    }

    std::uint32_t sender;
    std::uint32_t number;
};

using channel = weft::basic_channel<weft::io_context::executor_type, void(error_code, item)>;

// What all share. A value's entry is written by its sender, and by its receiver after that.
struct ledger
{
    explicit ledger(std::uint64_t close_after)
        : sent(senders * each), received(senders * each), until_close(close_after)
    {
    }

    std::vector<std::uint8_t> sent;
    std::vector<std::uint8_t> received;
    std::atomic<std::uint32_t> sending{senders};
    std::atomic<std::uint64_t> aborted{0};
    std::atomic<std::uint64_t> refused{0};

    // So many values are received before somebody closes the channel.
    std::atomic<std::uint64_t> until_close;
    std::atomic<bool> right{true};

    // Sends that are over, and values that receives want, from before they begin. There are never
    // more of the former than of the latter and the capacity together.
    std::atomic<std::uint64_t> sends{0};
    std::atomic<std::uint64_t> wanted{0};

    void require_bound(std::size_t capacity)
    {
        std::uint64_t const s = sends;
        require(s <= wanted + capacity);
    }

    void require(bool holds)
    {
        if (!holds)
            right = false;
    }
};

class task
{
public:
    task(weft::io_context& context, channel& c, ledger& l, unsigned seed)
        : strand_(asio::make_strand(context)), channel_(c), ledger_(l), random_(seed)
    {
    }

protected:
    // Handlers on a strand of their own, where their operation is cancelled as well: at once, a
    // little later, or not at all; and now and then all operations of the channel.
    template <class Handler>
    auto bound(Handler handler)
    {
        return asio::bind_executor(
            strand_, asio::bind_cancellation_slot(signal_.slot(), std::move(handler)));
    }

    void maybe_cancel()
    {
        std::uint64_t const what = random_();
        if (what % 4 == 0)
            signal_.emit(asio::cancellation_type::total);
        else if (what % 4 == 1)
            asio::post(strand_, [this] { signal_.emit(asio::cancellation_type::terminal); });
        else if (what % 256 == 2)
            channel_.cancel();
    }

    asio::strand<weft::io_context::executor_type> strand_;
    channel& channel_;
    ledger& ledger_;
    std::mt19937 random_;
    asio::cancellation_signal signal_;
};

// Sends its numbers in order; those whose send is cancelled are left out.
class sender : public task
{
public:
    sender(weft::io_context& context, channel& c, ledger& l, std::uint32_t index)
        : task(context, c, l, index), index_(index)
    {
    }

    void next()
    {
        if (number_ == each)
        {
            if (--ledger_.sending == 0)
                channel_.close();
            return;
        }
        item const i{index_, number_++};
        // Whoever receives it may be faster than the handler.
        ledger_.sent[i.sender * each + i.number] = 1;
        if (random_() % 4 == 0 && channel_.try_send(i))
        {
            sent();
            asio::post(strand_, [this] { next(); });
            return;
        }
        channel_.async_send(i, bound(
                                   [this, i](error_code ec)
                                   {
                                       if (ec)
                                           ledger_.sent[i.sender * each + i.number] = 0;
                                       if (ec == asio::error::operation_aborted)
                                           ++ledger_.aborted;
                                       else if (ec)
                                       {
                                           ledger_.require(ec == weft::errc::closed);
                                           ++ledger_.refused;
                                           --ledger_.sending;
                                           return;
                                       }
                                       else
                                           sent();
                                       next();
                                   }));
        maybe_cancel();
    }

    void start()
    {
        asio::post(strand_, [this] { next(); });
    }

private:
    void sent()
    {
        ++ledger_.sends;
        ledger_.require_bound(channel_.capacity());
    }

    std::uint32_t const index_;
    std::uint32_t number_ = 0;
};

class receiver : public task
{
public:
    receiver(weft::io_context& context, channel& c, ledger& l, unsigned seed)
        : task(context, c, l, seed), from_(senders, 0)
    {
    }

    void start()
    {
        asio::post(strand_, [this] { next(); });
    }

    bool ended() const
    {
        return ended_;
    }

private:
    void next()
    {
        switch (random_() % 4)
        {
        case 0:
            ledger_.wanted += std::size(buffer_);
            channel_.async_receive_some(buffer_, bound(
                                                     [this](error_code ec, std::size_t n)
                                                     {
                                                         ledger_.wanted -= std::size(buffer_) - n;
                                                         for (std::size_t i = 0; i != n; ++i)
                                                             came(buffer_[i]);
                                                         finished(ec);
                                                     }));
            break;
        case 1:
            channel_.async_wait_receive(bound(
                [this](error_code ec)
                {
                    ++ledger_.wanted;
                    if (!channel_.try_receive([this](error_code, item i) { came(i); }))
                        --ledger_.wanted;
                    finished(ec);
                }));
            break;
        default:
            ++ledger_.wanted;
            channel_.async_receive(bound(
                [this](error_code ec, item i)
                {
                    if (ec)
                        --ledger_.wanted;
                    else
                        came(i);
                    finished(ec);
                }));
            break;
        }
        maybe_cancel();
    }

    void came(item i)
    {
        ledger_.require(i.number >= from_[i.sender]);
        from_[i.sender] = i.number + 1;
        ++ledger_.received[i.sender * each + i.number];
        ledger_.require_bound(channel_.capacity());
        if (--ledger_.until_close == 0)
            channel_.close();
    }

    void finished(error_code ec)
    {
        if (ec == weft::errc::closed)
        {
            ended_ = true;
            return;
        }
        if (ec)
            ++ledger_.aborted;
        next();
    }

    std::vector<std::uint32_t> from_;
    item buffer_[5];
    bool ended_ = false;
};

void conserve(std::size_t capacity, std::uint64_t close_after)
{
    weft::io_context context;
    channel c(context, capacity);
    ledger l(close_after);
    std::vector<std::unique_ptr<sender>> sending;
    std::vector<std::unique_ptr<receiver>> receiving;
    for (std::uint32_t i = 0; i != senders; ++i)
        sending.push_back(std::make_unique<sender>(context, c, l, i));
    for (unsigned i = 0; i != receivers; ++i)
        receiving.push_back(std::make_unique<receiver>(context, c, l, 100 + i));
    for (auto const& s : sending)
        s->start();
    for (auto const& r : receiving)
        r->start();
    test::run_on(context, 4);
    BOOST_TEST(l.right.load());
    BOOST_TEST((l.sent == l.received));
    BOOST_TEST((l.aborted > 0u || close_after < each));
    BOOST_TEST(l.sending == 0u);
    BOOST_TEST(l.refused == (close_after < each ? senders : 0u));
    BOOST_TEST(c.size() == 0u);
    for (auto const& r : receiving)
        BOOST_TEST(r->ended());
}

} // namespace

BOOST_FIXTURE_TEST_CASE(what_was_sent_is_received_once_and_in_order, test::all_are_destroyed)
{
    for (std::size_t const capacity : {0u, 1u, 2u, 3u, 5u, 100u})
    {
        BOOST_TEST_CONTEXT("capacity " << capacity)
        {
            conserve(capacity, ~std::uint64_t(0));
        }
    }
}

BOOST_FIXTURE_TEST_CASE(so_it_is_when_the_channel_is_closed_at_any_time, test::all_are_destroyed)
{
    std::mt19937 random(20260103);
    for (int run = 0; run != 60; ++run)
    {
        std::size_t const capacities[] = {0, 1, 2, 3, 5, 100};
        BOOST_TEST_CONTEXT("run " << run)
        {
            conserve(capacities[run % 6], 1 + random() % 2000);
        }
    }
}
