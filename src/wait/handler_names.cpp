// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "handler_names.hpp"

#include "../platform/type_text.hpp"

#include <weft/platform/visibility.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

WEFT_INLINE std::string first_argument_of_class(std::string const& function)
{
    auto const begin = function.find('<');
    if (begin == std::string::npos)
        return {};
    std::string_view const arguments = std::string_view(function).substr(begin + 1);
    std::size_t size = arguments.size();
    walk_type(arguments,
        [&](std::size_t i, int depth)
        {
            bool const ends = depth < 0 || (depth == 0 && arguments[i] == ',');
            size = ends ? i : size;
            return !ends;
        });
    return std::string(arguments.substr(0, size));
}

WEFT_INLINE std::string without_configuration(std::string name)
{
    for (std::string const before : {"weft::", "weft::detail::"})
    {
        std::string const begin = before + "asio_";
        for (auto at = name.find(begin); at != std::string::npos; at = name.find(begin, at + 1))
        {
            // The number of a version follows; otherwise it is a class such as asio_traits.
            auto const version = at + begin.size();
            auto const end = name.find("::", version);
            if (end != std::string::npos && name[version] >= '0' && name[version] <= '9')
                name.erase(at + before.size(), end + 2 - at - before.size());
        }
    }
    return name;
}

WEFT_INLINE std::string handler_of_waiter(symbols const& names, void const* code)
{
    auto const at = reinterpret_cast<std::uintptr_t>(code);
    return first_argument_of_class(without_configuration(names.known_function(at)));
}

WEFT_INLINE bool is_coroutine(std::string const& handler) noexcept
{
    // Operations of a group are several for one coroutine.
    return handler.find("detail::awaitable_") != std::string::npos &&
           handler.find("parallel_group") == std::string::npos;
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft
