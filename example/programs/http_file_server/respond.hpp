// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_EXAMPLE_HTTP_FILE_SERVER_RESPOND_HPP
#define WEFT_EXAMPLE_HTTP_FILE_SERVER_RESPOND_HPP

#include "types.hpp"

#include <string>

namespace example
{

/// The answer to what could not be read as a request: a page that says so, and the last on its
/// connection, because nobody knows where the next request would begin.
http::message_generator refuse(http::status status);

/// A directory of files, and how requests for them are answered. Immutable, so that any number of
/// threads may use it.
class site
{
public:
    /// Throws std::runtime_error if root is not a directory that can be read.
    explicit site(std::string root);

    /// Answers a well-formed request; keep_alive says whether another one may follow.
    http::message_generator respond(request const& asked, bool keep_alive) const;

private:
    std::string root_;
};

} // namespace example

#endif
