// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Data that come while no read waits for them, and while one begins to wait: every byte is read,
// whichever of the two comes first.

#include <weft/io_context.hpp>

#include "parity/threads.hpp"
#include "support/asio.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

namespace asio = boost::asio;

namespace
{

constexpr int connections = 8;
constexpr std::size_t bytes = 4'000;

using local = asio::local::stream_protocol;

/// Reads what comes, with other handlers between two reads, each second time.
class reader
{
public:
    explicit reader(weft::io_context& context) : socket(context), peer(context)
    {
        asio::local::connect_pair(socket, peer);
    }

    void read()
    {
        socket.async_read_some(asio::buffer(buffer_),
            [this](boost::system::error_code error, std::size_t count)
            {
                if (error)
                    return;
                received += count;
                if (received == bytes)
                    return;
                if (++reads_ % 2 == 0)
                    read();
                else
                    asio::post(socket.get_executor(), [this] { read(); });
            });
    }

    std::size_t received = 0;
    local::socket socket;
    local::socket peer;

private:
    // Sometimes less than there is.
    std::array<char, 3> buffer_{};
    unsigned reads_ = 0;
};

} // namespace

BOOST_AUTO_TEST_CASE(no_byte_waits_for_an_event_that_is_gone)
{
    for (std::size_t const threads : {1u, 2u, 3u})
    {
        weft::io_context context;
        std::vector<std::unique_ptr<reader>> readers;
        for (int i = 0; i != connections; ++i)
            readers.push_back(std::make_unique<reader>(context));
        for (auto& r : readers)
            r->read();
        std::thread sends(
            [&]
            {
                for (std::size_t i = 0; i != bytes; ++i)
                    for (auto& r : readers)
                        asio::write(r->peer, asio::buffer("a", 1));
            });
        // Returns when each has read all.
        test::run_on(context, threads);
        sends.join();
        for (auto& r : readers)
            BOOST_TEST(r->received == bytes);
    }
}
