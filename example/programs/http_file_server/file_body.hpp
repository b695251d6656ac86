// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_EXAMPLE_HTTP_FILE_SERVER_FILE_BODY_HPP
#define WEFT_EXAMPLE_HTTP_FILE_SERVER_FILE_BODY_HPP

#include "types.hpp"

#include <boost/beast/core/file_posix.hpp>
#include <cstdint>
#include <memory>
#include <utility>

namespace example
{

/// A response's body that is read from an open file, in pieces large enough that most files go out
/// in one write together with the header. Beast's own file body reads 4 KiB at a time.
struct file_body
{
    struct value_type
    {
        beast::file_posix file;
        std::uint64_t size = 0;
    };

    static std::uint64_t size(value_type const& body) noexcept
    {
        return body.size;
    }

    class writer
    {
    public:
        using const_buffers_type = asio::const_buffer;

        template <bool IsRequest, class Fields>
        writer(http::header<IsRequest, Fields>&, value_type& body) noexcept
            : body_(body), left_(body.size)
        {
        }

        void init(error_code& error)
        {
            // Not value-initialized: it is about to be read into.
            piece_.reset(new char[static_cast<std::size_t>(piece_size())]);
            error = {};
        }

        boost::optional<std::pair<const_buffers_type, bool>> get(error_code& error)
        {
            error = {};
            if (left_ == 0)
                return boost::none;
            auto const wanted = static_cast<std::size_t>(piece_size());
            auto const size = body_.file.read(piece_.get(), wanted, error);
            if (error)
                return boost::none;
            if (size == 0)
            {
                // The file has shrunk since its length was announced.
                error = http::error::partial_message;
                return boost::none;
            }
            left_ -= size;
            return {{const_buffers_type{piece_.get(), size}, left_ != 0}};
        }

    private:
        std::uint64_t piece_size() const noexcept
        {
            return std::min<std::uint64_t>(left_, 64 * 1024);
        }

        value_type& body_;
        std::uint64_t left_;
        std::unique_ptr<char[]> piece_;
    };
};

} // namespace example

#endif
