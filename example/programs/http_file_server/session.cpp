// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "session.hpp"

#include <string_view>
#include <utility>

namespace example
{

namespace
{

/// The status that tells a client what was wrong with its bytes; ok if they are not to blame and
/// there is nobody left to tell.
http::status status_of_read_error(error_code const& error)
{
    if (error == http::error::header_limit || error == http::error::buffer_overflow)
        return http::status::request_header_fields_too_large;
    if (error == http::error::body_limit)
        return http::status::payload_too_large;
    if (error == http::error::end_of_stream || error == http::error::partial_message)
        return http::status::ok;
    if (error.category() == http::make_error_code(http::error::bad_method).category())
        return http::status::bad_request;
    return http::status::ok;
}

} // namespace

session::session(tcp_socket socket, std::shared_ptr<site const> files, session_limits limits,
    std::shared_ptr<session_set> peers)
    : stream_(std::move(socket)),
      // A header that fits its own limit always fits the buffer, whatever was pipelined with it.
      buffer_(limits.header_bytes + 64 * 1024), site_(std::move(files)), limits_(limits),
      peers_(std::move(peers))
{
}

session::~session()
{
    peers_->erase(this);
}

void session::stop()
{
    asio::post(stream_.get_executor(),
        [self = shared_from_this()]
        {
            self->is_stopping_ = true;
            if (self->is_waiting_ && self->has_answered_ && self->nothing_received())
                self->stream_.cancel();
        });
}

void session::end_waiting()
{
    asio::post(stream_.get_executor(),
        [self = shared_from_this()]
        {
            if (self->is_waiting_ && self->nothing_received())
                self->stream_.cancel();
        });
}

bool session::nothing_received()
{
    error_code error;
    return buffer_.size() == 0 && (stream_.socket().available(error) == 0 || error);
}

awaitable<void> session::run()
{
    bool more = true;
    while (more)
        more = co_await serve_one();
    co_await linger();
}

/// Returns whether another request may follow.
awaitable<bool> session::serve_one()
{
    if (is_stopping_ && has_answered_ && nothing_received())
        co_return false;

    request_parser parser;
    parser.header_limit(limits_.header_bytes);
    parser.body_limit(limits_.body_bytes);

    if (auto const error = co_await read_request(parser))
    {
        auto const status = status_of_read_error(error);
        if (status != http::status::ok)
            co_await write_answer(refuse(status));
        co_return false;
    }

    ++peers_->counts.requests;
    // A coding that we do not know hides where the body ends, and so where the next request begins.
    auto const& asked = parser.get();
    if (asked.count(http::field::transfer_encoding) != 0 && !asked.chunked())
    {
        co_await write_answer(refuse(http::status::not_implemented));
        co_return false;
    }

    bool const keep_alive = asked.keep_alive() && !is_stopping_;
    bool const written = co_await write_answer(site_->respond(asked, keep_alive));
    has_answered_ = true;
    peers_->counts.answers += written ? 1 : 0;
    co_return written ? keep_alive : false;
}

awaitable<error_code> session::read_request(request_parser& parser)
{
    // One deadline for all of it: a client that sends a byte now and then gets no more time.
    stream_.expires_after(limits_.timeout);

    is_waiting_ = true;
    auto const [header_error, header_size] =
        co_await http::async_read_header(stream_, buffer_, parser, use_tuple);
    is_waiting_ = false;
    if (header_error || parser.is_done())
        co_return header_error;

    if (beast::iequals(parser.get()[http::field::expect], "100-continue"))
    {
        if (auto const error = co_await write_continue())
            co_return error;
    }
    auto const [body_error, body_size] =
        co_await http::async_read(stream_, buffer_, parser, use_tuple);
    co_return body_error;
}

awaitable<error_code> session::write_continue()
{
    constexpr std::string_view text = "HTTP/1.1 100 Continue\r\n\r\n";
    auto const [error, size] = co_await asio::async_write(stream_, asio::buffer(text), use_tuple);
    co_return error;
}

awaitable<bool> session::write_answer(http::message_generator answer)
{
    while (!answer.is_done())
    {
        error_code error;
        auto const buffers = answer.prepare(error);
        // The header may be out already, so this cannot become an error page any more: only the
        // end of the connection tells the client that the answer is not complete.
        if (error)
            co_return false;
        // A deadline per piece: a large file on a slow line may take as long as it moves at all.
        stream_.expires_after(limits_.timeout);
        auto const [write_error, size] = co_await stream_.async_write_some(buffers, use_tuple);
        if (write_error)
            co_return false;
        answer.consume(size);
    }
    co_return true;
}

/// Closing a socket with unread bytes resets the connection, which can destroy an answer that is
/// still on its way. So: say that no more will come, and read until the client has seen it.
awaitable<void> session::linger()
{
    error_code error;
    stream_.socket().shutdown(tcp::socket::shutdown_send, error);
    if (error)
        co_return;
    buffer_.clear();
    stream_.expires_after(std::min(limits_.timeout, std::chrono::seconds{2}));
    for (;;)
    {
        auto const [read_error, size] =
            co_await stream_.async_read_some(buffer_.prepare(4096), use_tuple);
        if (read_error)
            co_return;
    }
}

} // namespace example
