// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A TCP echo server in callbacks: whatever a client sends comes back.
//
// A session has one operation outstanding at a time, so its handlers never run concurrently even
// when many threads run the context: the chain of callbacks is its strand.

#include "context.hpp"
#include "support/command_line.hpp"
#include "support/listener.hpp"
#include "support/run.hpp"

#include <array>
#include <iostream>
#include <memory>
#include <utility>

namespace
{

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

class session : public std::enable_shared_from_this<session>
{
public:
    explicit session(tcp::socket socket) : socket_(std::move(socket))
    {
    }

    void read()
    {
        socket_.async_read_some(asio::buffer(data_),
            [self = shared_from_this()](error_code error, std::size_t size)
            {
                // Any error, the end of the stream among them, ends the session: nobody refers to
                // it any more once this handler is gone.
                if (!error)
                    self->write(size);
            });
    }

private:
    void write(std::size_t size)
    {
        asio::async_write(socket_, asio::buffer(data_, size),
            [self = shared_from_this()](error_code error, std::size_t)
            {
                if (!error)
                    self->read();
            });
    }

    tcp::socket socket_;
    std::array<char, 16 * 1024> data_;
};

class server
{
public:
    explicit server(tcp::acceptor acceptor)
        : acceptor_(std::move(acceptor)), back_off_(acceptor_.get_executor())
    {
    }

    void accept()
    {
        acceptor_.async_accept(
            [this](error_code error, tcp::socket socket)
            {
                switch (example::classify_accept(error))
                {
                case example::accept_outcome::serve:
                    // Echoing small messages must not wait for more of them.
                    socket.set_option(tcp::no_delay{true}, error);
                    std::make_shared<session>(std::move(socket))->read();
                    return accept();
                case example::accept_outcome::retry:
                    return accept();
                case example::accept_outcome::back_off:
                    return accept_later();
                case example::accept_outcome::closed:
                    return;
                }
            });
    }

private:
    void accept_later()
    {
        back_off_.expires_after(example::accept_back_off);
        back_off_.async_wait(
            [this](error_code error)
            {
                if (!error)
                    accept();
            });
    }

    tcp::acceptor acceptor_;
    asio::steady_timer back_off_;
};

} // namespace

int main(int argc, char** argv)
try
{
    example::server_options options;
    options.port = 7007;
    example::command_line line{"Echoes what TCP clients send"};
    options.add_to(line);
    if (auto const code = line.parse(argc, argv))
        return *code;

    example::io_context context{static_cast<int>(options.threads)};

    asio::signal_set signals{context, SIGINT, SIGTERM};
    signals.async_wait([&context](error_code, int) { context.stop(); });

    server echo{example::listen(asio::any_io_executor{context.get_executor()}, options)};
    echo.accept();

    example::run(context, options.threads);
}
catch (std::exception const& e)
{
    std::cerr << argv[0] << ": " << e.what() << '\n';
    return 1;
}
