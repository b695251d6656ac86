// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_PLATFORM_TYPE_TEXT_HPP
#define WEFT_SRC_PLATFORM_TYPE_TEXT_HPP

// The brackets and names in the text of a function or type, as symbols.hpp gives it.

#include <cstddef>
#include <string_view>

namespace weft
{
namespace detail
{

/// Whether no name goes on at this position, so that one may begin there.
inline bool is_start_of_name(std::string_view text, std::size_t position) noexcept
{
    if (position == 0)
        return true;
    char const c = text[position - 1];
    return c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z');
}

/// Calls `visit(position, depth)` for each character that is no part of an operator's name, with
/// the number of brackets that are open around it, until it returns false.
template <typename Visit>
void walk_type(std::string_view text, Visit visit)
{
    constexpr std::string_view opening = "<({[";
    constexpr std::string_view closing = ">)}]";
    int depth = 0;
    for (std::size_t i = 0; i != text.size(); ++i)
    {
        if (text.compare(i, 8, "operator") == 0 && i + 8 < text.size() && is_start_of_name(text, i))
        {
            // operator(), operator<, operator->, ...
            std::size_t end = i + 8;
            while (end != text.size() &&
                   std::string_view("()<>=-").find(text[end]) != std::string_view::npos)
            {
                if (text[end] == '(' && (end + 1 == text.size() || text[end + 1] != ')'))
                    break;
                ++end;
            }
            i = end - 1;
            continue;
        }
        // The arrow of a trailing return type.
        if (text[i] == '>' && i != 0 && text[i - 1] == '-')
            continue;
        if (closing.find(text[i]) != std::string_view::npos)
            --depth;
        if (!visit(i, depth))
            return;
        if (opening.find(text[i]) != std::string_view::npos)
            ++depth;
    }
}

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_PLATFORM_TYPE_TEXT_HPP
