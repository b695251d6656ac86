// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "mime_type.hpp"

#include <boost/beast/core/string.hpp>

namespace example
{

namespace
{

struct entry
{
    std::string_view extension;
    std::string_view type;
};

constexpr entry known_types[] = {
    {"avif", "image/avif"},
    {"css", "text/css; charset=utf-8"},
    {"csv", "text/csv; charset=utf-8"},
    {"gif", "image/gif"},
    {"gz", "application/gzip"},
    {"htm", "text/html; charset=utf-8"},
    {"html", "text/html; charset=utf-8"},
    {"ico", "image/vnd.microsoft.icon"},
    {"jpeg", "image/jpeg"},
    {"jpg", "image/jpeg"},
    {"js", "text/javascript; charset=utf-8"},
    {"json", "application/json"},
    {"md", "text/markdown; charset=utf-8"},
    {"mjs", "text/javascript; charset=utf-8"},
    {"mp3", "audio/mpeg"},
    {"mp4", "video/mp4"},
    {"ogg", "audio/ogg"},
    {"pdf", "application/pdf"},
    {"png", "image/png"},
    {"svg", "image/svg+xml"},
    {"tar", "application/x-tar"},
    {"ttf", "font/ttf"},
    {"txt", "text/plain; charset=utf-8"},
    {"wasm", "application/wasm"},
    {"wav", "audio/wav"},
    {"webm", "video/webm"},
    {"webp", "image/webp"},
    {"woff", "font/woff"},
    {"woff2", "font/woff2"},
    {"xml", "application/xml"},
    {"zip", "application/zip"},
};

} // namespace

std::string_view mime_type(std::string_view path) noexcept
{
    auto const name = path.substr(path.rfind('/') + 1);
    auto const dot = name.rfind('.');
    if (dot != name.npos && dot != 0)
    {
        auto const extension = name.substr(dot + 1);
        for (auto const& known : known_types)
        {
            if (boost::beast::iequals(extension, known.extension))
                return known.type;
        }
    }
    return "application/octet-stream";
}

} // namespace example
