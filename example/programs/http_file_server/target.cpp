// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "target.hpp"

#include <boost/beast/core/string.hpp>

namespace example
{

namespace
{

/// Reduces the absolute form, "http://host/path", to "/path": a server has to accept both.
std::string_view without_authority(std::string_view target)
{
    for (std::string_view const scheme : {"http://", "https://"})
    {
        if (boost::beast::iequals(target.substr(0, scheme.size()), scheme))
        {
            target.remove_prefix(scheme.size());
            target.remove_prefix(std::min(target.find_first_of("/?"), target.size()));
            return target.empty() ? "/" : target;
        }
    }
    return target;
}

int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

std::optional<std::string> percent_decode(std::string_view text)
{
    std::string decoded;
    decoded.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        char c = text[i];
        if (c == '%')
        {
            if (text.size() - i < 3)
                return std::nullopt;
            int const high = hex_digit(text[i + 1]);
            int const low = hex_digit(text[i + 2]);
            if (high < 0 || low < 0)
                return std::nullopt;
            c = static_cast<char>(high * 16 + low);
            i += 2;
        }
        // The system would take the path to end here, after the checks took it to go on.
        if (c == '\0')
            return std::nullopt;
        decoded += c;
    }
    return decoded;
}

bool climbs(std::string_view path)
{
    std::size_t begin = 0;
    while (begin <= path.size())
    {
        auto const end = std::min(path.find('/', begin), path.size());
        if (path.substr(begin, end - begin) == "..")
            return true;
        begin = end + 1;
    }
    return false;
}

} // namespace

std::optional<std::string> decode_target(std::string_view target)
{
    target = without_authority(target);
    if (!target.starts_with('/') || target.find('#') != target.npos)
        return std::nullopt;
    // Decoded first, checked second: "%2e%2e" climbs as well as "..".
    auto path = percent_decode(target.substr(0, target.find('?')));
    if (!path || climbs(*path))
        return std::nullopt;
    return path;
}

std::string with_trailing_slash(std::string_view target)
{
    target = without_authority(target);
    auto const query = std::min(target.find('?'), target.size());
    // "//name" would lead the client to another host of that name.
    auto const begin = std::min(target.find_first_not_of('/'), query);
    std::string location = "/";
    location += target.substr(begin, query - begin);
    location += '/';
    location += target.substr(query);
    return location;
}

} // namespace example
