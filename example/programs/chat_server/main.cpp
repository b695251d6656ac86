// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A chat server over lines of text, with a strand per room and a strand per client.
//
//   NICK name         take a name                 -> OK name
//   JOIN room         enter a room                -> all in it, you too: JOINED room name
//   SAY room text     talk to everybody there     -> all in it, you too: MSG room name text
//   PART room         leave a room                -> all in it, you too: LEFT room name
//   QUIT              end                         -> BYE
//
// Whatever is wrong with a command is answered by ERR and the reason.

#include "../context.hpp"
#include "../support/command_line.hpp"
#include "../support/listener.hpp"
#include "../support/run.hpp"
#include "session.hpp"

#include <iostream>
#include <memory>
#include <utility>

namespace
{

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

class server
{
public:
    server(tcp::acceptor acceptor, example::io_context::executor_type executor)
        : acceptor_(std::move(acceptor)), back_off_(executor), executor_(executor),
          directory_(std::make_shared<example::room_directory>(executor))
    {
    }

    void accept()
    {
        // The socket gets a strand of its own as executor: all handlers of the session run there.
        acceptor_.async_accept(asio::any_io_executor{asio::make_strand(executor_)},
            [this](error_code error, tcp::socket socket)
            {
                switch (example::classify_accept(error))
                {
                case example::accept_outcome::serve:
                    socket.set_option(tcp::no_delay{true}, error);
                    std::make_shared<example::session>(std::move(socket), directory_)->start();
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
    example::io_context::executor_type executor_;
    std::shared_ptr<example::room_directory> directory_;
};

} // namespace

int main(int argc, char** argv)
try
{
    example::server_options options;
    options.port = 7008;
    example::command_line line{
        "A chat server: NICK name, JOIN room, SAY room text, PART room, QUIT"};
    options.add_to(line);
    if (auto const code = line.parse(argc, argv))
        return *code;

    example::io_context context{static_cast<int>(options.threads)};

    asio::signal_set signals{context, SIGINT, SIGTERM};
    signals.async_wait([&context](error_code, int) { context.stop(); });

    server chat{example::listen(asio::any_io_executor{context.get_executor()}, options),
        context.get_executor()};
    chat.accept();

    example::run(context, options.threads);
}
catch (std::exception const& e)
{
    std::cerr << argv[0] << ": " << e.what() << '\n';
    return 1;
}
