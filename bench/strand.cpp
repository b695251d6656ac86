// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: what does it cost to pass a message to a strand? One that posts to itself; two that
// pass a ball; eight chains of posts in one, and ten thousand with a chain of their own; and, of
// connections that echo with a strand each, a round trip with its client. weft with its own strand,
// and with Asio's on top of its executor, which is what it had before.
// Does not show: handlers with weight, for which a strand makes no difference.

#include "support/harness.hpp"
#include "support/tally.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

enum kind : std::size_t
{
    itself,
    ball,
    chains,
    many,
    echo
};

// An executor of weft's by another name, so that its strand is Asio's.
template <class Executor>
class renamed
{

public:
    explicit renamed(Executor executor) noexcept : executor_(std::move(executor))
    {
    }

    template <class Property>
    auto query(const Property& p) const noexcept
        -> decltype(boost::asio::query(std::declval<const Executor&>(), p))
    {
        return boost::asio::query(executor_, p);
    }

    template <class Property>
    auto require(const Property& p) const noexcept
        -> renamed<std::decay_t<decltype(boost::asio::require(std::declval<const Executor&>(), p))>>
    {
        using result = std::decay_t<decltype(boost::asio::require(executor_, p))>;
        return renamed<result>(boost::asio::require(executor_, p));
    }

    template <class F>
    void execute(F&& f) const
    {
        executor_.execute(std::forward<F>(f));
    }

    friend bool operator==(const renamed& a, const renamed& b) noexcept
    {
        return a.executor_ == b.executor_;
    }

    friend bool operator!=(const renamed& a, const renamed& b) noexcept
    {
        return !(a == b);
    }

private:
    Executor executor_;
};

class renamed_context
{
public:
    using executor_type = renamed<weft::io_context::executor_type>;

    explicit renamed_context(unsigned threads) : context_(threads), executor_(context_.executor())
    {
    }

    const executor_type& executor(std::size_t = 0) const noexcept
    {
        return executor_;
    }

private:
    bench::shared_context<weft::io_context> context_;
    executor_type executor_;
};

template <class Engine>
class workload
{
    using strand_type = boost::asio::strand<typename Engine::executor_type>;
    using tcp = boost::asio::ip::tcp;

public:
    workload(Engine& engine, const bench::setting& s)
        : engine_(engine), kind_(static_cast<kind>(s.what.width)), operations_(s.operations)
    {
        if (kind_ == echo)
        {
            connect();
            return;
        }
        const std::size_t strands = kind_ == ball ? 2 : kind_ == many ? 10'000 : 1;
        for (std::size_t i = 0; i != strands; ++i)
            strands_.emplace_back(engine.executor(i));
        const std::size_t count = kind_ == chains ? 8 : kind_ == many ? strands : 1;
        for (std::size_t i = 0; i != count; ++i)
            links_.push_back({&strands_[i % strands], &strands_[(i + (kind_ == ball)) % strands],
                operations_ / count, 0, &done_});
    }

    bench::outcome operator()()
    {
        done_.expect(static_cast<int>(kind_ == echo ? clients_.size() : links_.size()));
        const auto start = bench::clock::now();
        for (link& l : links_)
        {
            l.ran = 0;
            boost::asio::post(*l.here, step{&l});
        }
        for (const auto& c : clients_)
            c->start(operations_ / clients_.size());
        const bool right = done_.wait();
        const auto elapsed = bench::clock::now() - start;
        std::uint64_t total = 0;
        for (const link& l : links_)
        {
            if (l.ran != l.length)
                return bench::failed("a chain did not have its length");
            total += l.ran;
        }
        if (!right || failed_)
            return bench::failed("not everything came through");
        return {kind_ == echo ? operations_ : total, elapsed};
    }

private:
    struct link
    {
        const strand_type* here;
        const strand_type* there;
        std::uint64_t length;
        std::uint64_t ran;
        bench::countdown* done;
    };

    struct step
    {
        link* at;

        void operator()() const
        {
            if (++at->ran == at->length)
                at->done->arrive();
            else
                boost::asio::post(at->ran % 2 == 0 ? *at->here : *at->there, step{at});
        }
    };

    // A connection as servers have it: the socket's executor is an any_io_executor, with a strand.
    struct session
    {
        explicit session(tcp::socket s) : socket(std::move(s))
        {
        }

        void read()
        {
            socket.async_read_some(boost::asio::buffer(data),
                [this](boost::system::error_code error, std::size_t size)
                {
                    if (!error)
                        write(size);
                });
        }

        void write(std::size_t size)
        {
            boost::asio::async_write(socket, boost::asio::buffer(data, size),
                [this](boost::system::error_code error, std::size_t)
                {
                    if (!error)
                        read();
                });
        }

        tcp::socket socket;
        std::array<char, 64> data{};
    };

    struct client
    {
        client(tcp::socket s, workload& w) : socket(std::move(s)), owner(w)
        {
        }

        void start(std::uint64_t round_trips)
        {
            boost::asio::post(socket.get_executor(),
                [this, round_trips]
                {
                    left = round_trips;
                    next();
                });
        }

        void next()
        {
            if (left-- == 0)
            {
                owner.done_.arrive();
                return;
            }
            boost::asio::async_write(socket, boost::asio::buffer(data),
                [this](boost::system::error_code error, std::size_t)
                {
                    if (error)
                        fail();
                    else
                        read();
                });
        }

        void read()
        {
            boost::asio::async_read(socket, boost::asio::buffer(data),
                [this](boost::system::error_code error, std::size_t)
                {
                    if (error)
                        fail();
                    else
                        next();
                });
        }

        void fail()
        {
            owner.failed_ = true;
            owner.done_.arrive();
        }

        tcp::socket socket;
        workload& owner;
        std::uint64_t left = 0;
        std::array<char, 32> data{};
    };

    void connect()
    {
        tcp::acceptor acceptor(engine_.executor(), {boost::asio::ip::address_v4::loopback(), 0});
        for (int i = 0; i != 16; ++i)
        {
            tcp::socket near(strand_type(engine_.executor()));
            near.connect(acceptor.local_endpoint());
            sessions_.push_back(
                std::make_unique<session>(acceptor.accept(strand_type(engine_.executor()))));
            clients_.push_back(std::make_unique<client>(std::move(near), *this));
            session* const s = sessions_.back().get();
            boost::asio::post(s->socket.get_executor(), [s] { s->read(); });
        }
    }

public:
    ~workload()
    {
        // The sessions end in their strands, before their memory goes.
        if (sessions_.empty())
            return;
        done_.expect(static_cast<int>(sessions_.size()));
        for (std::size_t i = 0; i != sessions_.size(); ++i)
        {
            clients_[i]->socket.close();
            session* const s = sessions_[i].get();
            boost::asio::post(s->socket.get_executor(),
                [this, s]
                {
                    s->socket.close();
                    boost::asio::post(s->socket.get_executor(),
                        [this, s] {
                            boost::asio::post(s->socket.get_executor(), [this] { done_.arrive(); });
                        });
                });
        }
        done_.wait();
    }

private:
    Engine& engine_;
    kind kind_;
    std::uint64_t operations_;
    std::vector<strand_type> strands_;
    std::vector<link> links_;
    std::vector<std::unique_ptr<session>> sessions_;
    std::vector<std::unique_ptr<client>> clients_;
    std::atomic<bool> failed_{false};
    bench::countdown done_;
};

template <class Engine>
bench::column column_of(const char* name)
{
    return {name,
        [](unsigned threads, const bench::setting& s) -> std::unique_ptr<bench::experiment>
        {
            return std::make_unique<bench::experiment_on<Engine, workload>>(threads, s);
        }};
}

int main(int argc, char** argv)
{
    bench::question asked{"strand", "one message to a strand, or round trip",
        {{"posts to itself", 400'000, 100'000, itself},
            {"two strands pass a ball", 400'000, 100'000, ball},
            {"8 chains in one strand", 400'000, 100'000, chains},
            {"10,000 strands", 400'000, 100'000, many},
            {"a strand per connection", 20'000, 5'000, echo}}};
    return bench::run(argc, argv, asked,
        {column_of<bench::shared_context<boost::asio::io_context>>("asio::io_context"),
            column_of<bench::shared_context<weft::io_context>>("weft::io_context"),
            column_of<renamed_context>("Asio's strand")});
}
