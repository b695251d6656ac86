// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "type_names.hpp"

#include "../platform/type_text.hpp"

#include <weft/platform/visibility.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace weft
{
namespace detail
{

inline namespace WEFT_LOCAL
{

inline constexpr std::size_t longest_name = 120;

// What is wrapped around a handler and says nothing about it: the first argument is the handler.
inline constexpr std::string_view wrappers[] = {"binder0", "binder1", "binder2", "binder3",
    "move_binder1", "move_binder2", "work_dispatcher", "executor_binder", "allocator_binder",
    "cancellation_slot_binder", "immediate_executor_binder"};

WEFT_INLINE std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return text;
}

/// The class of which this is a function; empty if it is none of a class.
WEFT_INLINE std::string_view class_of(std::string_view function)
{
    std::size_t parameters = function.size();
    walk_type(function,
        [&](std::size_t i, int depth)
        {
            // Not the parentheses of "(anonymous namespace)", nor of a local class' function.
            if (function[i] == '(' && depth == 0 && function.compare(i, 11, "(anonymous ") != 0)
                parameters = i;
            return true;
        });
    function = function.substr(0, parameters);
    std::size_t separator = std::string_view::npos;
    walk_type(function,
        [&](std::size_t i, int depth)
        {
            if (depth == 0 && function.compare(i, 2, "::") == 0)
                separator = i;
            return true;
        });
    if (separator == std::string_view::npos)
        return {};
    return function.substr(0, separator);
}

struct template_parts
{
    std::string_view name; // without namespaces
    std::vector<std::string_view> arguments;
};

/// The parts of a type that is an instantiation; no arguments if it is none.
WEFT_INLINE template_parts parts_of(std::string_view type)
{
    template_parts result;
    std::size_t begin = type.size();
    std::size_t name = 0;
    if (type.empty() || type.back() != '>')
        return result;
    walk_type(type,
        [&](std::size_t i, int depth)
        {
            if (depth != 0)
                return true;
            if (type[i] == '<')
                begin = i;
            else if (type[i] == ':')
            {
                name = i + 1;
                begin = type.size();
            }
            return true;
        });
    if (begin == type.size())
        return result;
    result.name = type.substr(name, begin - name);
    std::string_view const inside = type.substr(begin + 1, type.size() - begin - 2);
    std::size_t last = 0;
    walk_type(inside,
        [&](std::size_t i, int depth)
        {
            if (inside[i] == ',' && depth == 0)
            {
                result.arguments.push_back(trimmed(inside.substr(last, i - last)));
                last = i + 1;
            }
            return true;
        });
    result.arguments.push_back(trimmed(inside.substr(last)));
    return result;
}

WEFT_INLINE bool ends_with(std::string_view text, std::string_view end)
{
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// Without what every name has, or nobody wants to read.
WEFT_INLINE std::string without_namespaces(std::string_view text)
{
    std::string result;
    for (std::size_t i = 0; i != text.size();)
    {
        std::string_view const rest = text.substr(i);
        bool const starts = is_start_of_name(text, i);
        // The inline namespace that says how Asio is configured.
        if (starts && rest.compare(0, 5, "asio_") == 0)
            if (std::size_t const end = rest.find("::"); end != std::string_view::npos)
            {
                i += end + 2;
                continue;
            }
        bool found = false;
        for (std::string_view const gone : {"boost::asio::", "boost::", "weft::detail::",
                 "detail::", "std::__cxx11::", "(anonymous namespace)::"})
            if (!found && (starts || gone[0] == '(') && rest.compare(0, gone.size(), gone) == 0)
            {
                found = true;
                i += gone.size();
            }
        if (!found)
            result += text[i++];
    }
    return result;
}

/// Template arguments give way until the text is short.
WEFT_INLINE std::string shortened(std::string text)
{
    for (int deepest = 6; deepest != 0 && text.size() > longest_name; --deepest)
    {
        std::string shorter;
        int level = 0;
        for (std::size_t i = 0; i != text.size(); ++i)
        {
            bool const arrow = text[i] == '>' && i != 0 && text[i - 1] == '-';
            if (text[i] == '>' && !arrow && level-- == deepest)
                shorter += "...";
            if (level < deepest)
                shorter += text[i];
            if (text[i] == '<')
                ++level;
        }
        text = shorter;
    }
    if (text.size() > longest_name)
        text = text.substr(0, longest_name - 3) + "...";
    return text;
}

} // namespace WEFT_LOCAL

WEFT_INLINE std::string handler_name(std::string_view function)
{
    std::string_view const owner = class_of(function);
    if (owner.empty())
        return shortened(without_namespaces(function));
    if (ends_with(owner, "descriptor_state"))
        return "I/O";
    template_parts operation = parts_of(owner);
    if (operation.arguments.empty())
        return shortened(without_namespaces(owner));
    // Asio's own operations have the handler before their executor, but for the one that only runs
    // something; weft's have it first.
    bool const is_first = operation.name == "executor_op" || operation.arguments.size() == 1 ||
                          owner.compare(0, 6, "weft::") == 0;
    std::string_view handler =
        is_first ? operation.arguments.front() : *(operation.arguments.end() - 2);
    for (;;)
    {
        template_parts const inner = parts_of(handler);
        if (inner.arguments.empty() ||
            std::find(std::begin(wrappers), std::end(wrappers), inner.name) == std::end(wrappers))
            break;
        handler = inner.arguments.front();
    }
    return shortened(without_namespaces(handler));
}

} // namespace detail
} // namespace weft
