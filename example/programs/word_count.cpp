// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A program for Asio's channel, and the one alias that makes it a program for weft's: word_count
// and word_count_asio are the same source. doc/channel.md lists what differs.

#include "context.hpp"

#ifdef EXAMPLE_ON_ASIO
#include <boost/asio/experimental/concurrent_channel.hpp>
#else
#include <weft/channel.hpp>
#endif

#include <algorithm>
#include <exception>
#include <iostream>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace asio = boost::asio;
using boost::system::error_code;

namespace
{

#ifdef EXAMPLE_ON_ASIO
template <typename Signature>
using channel = asio::experimental::concurrent_channel<Signature>;
#else
template <typename Signature>
using channel = weft::channel<Signature>;
#endif

using lines = channel<void(error_code, std::string)>;
using words = channel<void(error_code, std::string, std::size_t)>; // a word, and how often

std::string const text = "the woof passes over and under the warp\n"
                         "over and under and over again\n"
                         "the warp holds the woof\n";
constexpr int copies = 100;
constexpr int counters = 3;

// In a coroutine. The end is an error, which travels like a value: not close(), with which Asio's
// channel throws away what it holds, in Boost 1.81.
asio::awaitable<void> count_words(lines& from, words& to)
{
    for (;;)
    {
        auto const [ended, line] = co_await from.async_receive(asio::as_tuple(asio::use_awaitable));
        if (ended)
            break;
        std::map<std::string, std::size_t> found;
        for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1)
        {
            end = line.find(' ', begin);
            ++found[line.substr(begin, end - begin)];
        }
        for (auto const& [word, count] : found)
            co_await to.async_send(error_code(), word, count, asio::use_awaitable);
    }
    co_await to.async_send(asio::error::eof, std::string(), 0, asio::use_awaitable);
}

// In callbacks: tries, and waits if it has to.
class reader
{
public:
    reader(lines& to, std::vector<std::string> all) : to_(to), all_(std::move(all))
    {
    }

    void start()
    {
        while (!finished() && to_.try_send(end_or_not(), line()))
            ++next_;
        if (finished())
            return;
        to_.async_send(end_or_not(), line(),
            [this](error_code failed)
            {
                if (failed)
                    return;
                ++next_;
                start();
            });
    }

private:
    // After all lines, one end for each that counts.
    bool finished() const
    {
        return next_ == all_.size() + counters;
    }

    error_code end_or_not() const
    {
        return next_ < all_.size() ? error_code() : error_code(asio::error::eof);
    }

    std::string line() const
    {
        return next_ < all_.size() ? all_[next_] : std::string();
    }

    lines& to_;
    std::vector<std::string> const all_;
    std::size_t next_ = 0;
};

// Receives in callbacks, and takes along what is there already.
class adder
{
public:
    explicit adder(words& from) : from_(from)
    {
    }

    void start()
    {
        from_.async_receive(
            [this](error_code ended, std::string word, std::size_t count)
            {
                add(ended, word, count);
                auto const take = [this](error_code e, std::string const& w, std::size_t n)
                {
                    add(e, w, n);
                };
                while (from_.try_receive(take))
                {
                }
                if (counting_ != 0)
                    start();
            });
    }

    std::map<std::string, std::size_t> const& total() const
    {
        return total_;
    }

private:
    void add(error_code ended, std::string const& word, std::size_t count)
    {
        if (ended)
            --counting_;
        else
            total_[word] += count;
    }

    words& from_;
    int counting_ = counters;
    std::map<std::string, std::size_t> total_;
};

std::vector<std::string> split(std::string const& all)
{
    std::vector<std::string> result;
    for (std::size_t begin = 0; begin != all.size();)
    {
        std::size_t const end = all.find('\n', begin);
        result.push_back(all.substr(begin, end - begin));
        begin = end + 1;
    }
    return result;
}

} // namespace

int main()
{
    example::io_context context;
    lines in(context, 4);
    words out(context, 8);
    std::vector<std::string> all;
    for (int i = 0; i != copies; ++i)
        for (std::string& line : split(text))
            all.push_back(std::move(line));

    reader source(in, std::move(all));
    adder sink(out);
    asio::post(context, [&] { source.start(); });
    asio::post(context, [&] { sink.start(); });
    for (int i = 0; i != counters; ++i)
        asio::co_spawn(context, count_words(in, out),
            [](std::exception_ptr failure)
            {
                if (failure)
                    std::rethrow_exception(failure);
            });
    std::thread second([&] { context.run(); });
    context.run();
    second.join();

    std::map<std::string, std::size_t> const expected{{"again", copies}, {"and", 3 * copies},
        {"holds", copies}, {"over", 3 * copies}, {"passes", copies}, {"the", 4 * copies},
        {"under", 2 * copies}, {"warp", 2 * copies}, {"woof", 2 * copies}};
    for (auto const& [word, count] : sink.total())
        std::cout << word << ' ' << count << '\n';
    return sink.total() == expected ? 0 : 1;
}
