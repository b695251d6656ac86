// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "symbols.hpp"

#include <weft/platform/visibility.hpp>

#include "object_file.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <fstream>
#include <ios>
#include <iterator>
#include <sstream>

namespace weft
{
namespace detail
{

WEFT_INLINE std::string demangled(std::string const& symbol)
{
    int status = 0;
    std::unique_ptr<char, decltype(&std::free)> const name(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
    return name ? std::string(name.get()) : symbol;
}

WEFT_INLINE std::string hexadecimal(std::uint64_t address)
{
    std::ostringstream out;
    out << "0x" << std::hex << address;
    return out.str();
}

WEFT_INLINE symbols::symbols(std::string const& maps)
{
    // begin-end permissions offset device inode path
    std::istringstream lines(maps);
    for (std::string line; std::getline(lines, line);)
    {
        std::istringstream fields(line);
        mapping m{};
        char dash = 0;
        std::string permissions;
        std::string device;
        std::uint64_t inode = 0;
        if (!(fields >> std::hex >> m.begin >> dash >> m.end >> permissions >> m.offset >> device >>
                std::dec >> inode >> std::ws) ||
            inode == 0)
            continue;
        std::getline(fields, m.path);
        if (!m.path.empty() && m.path.front() == '/')
            mappings_.push_back(m);
    }
}

WEFT_INLINE symbols::~symbols() = default;

WEFT_INLINE std::string symbols::maps_of_this_process()
{
    std::ifstream file("/proc/self/maps");
    return std::string(std::istreambuf_iterator<char>(file), {});
}

WEFT_INLINE symbols::mapping const* symbols::mapping_at(std::uint64_t address) const noexcept
{
    for (mapping const& m : mappings_)
        if (address >= m.begin && address < m.end)
            return &m;
    return nullptr;
}

WEFT_INLINE object_file const& symbols::file_of(mapping const& m) const
{
    auto& file = files_[m.path];
    if (!file)
        file = std::make_unique<object_file>(m.path);
    return *file;
}

WEFT_INLINE void symbols::read_files() const
{
    for (mapping const& m : mappings_)
        (void)file_of(m);
}

WEFT_INLINE std::string symbols::known_function(std::uint64_t address) const
{
    mapping const* const m = mapping_at(address);
    std::string const symbol = m ? file_of(*m).symbol_at(m->offset_of(address)) : std::string();
    return symbol.empty() ? symbol : demangled(symbol);
}

WEFT_INLINE std::string symbols::function(std::uint64_t address) const
{
    std::string const name = known_function(address);
    return name.empty() ? hexadecimal(address) : name;
}

WEFT_INLINE std::string symbols::place(std::uint64_t address, bool returns) const
{
    std::uint64_t const at = returns ? address - 1 : address;
    mapping const* const m = mapping_at(at);
    if (!m)
        return hexadecimal(address);
    std::uint64_t distance = 0;
    std::string const symbol = file_of(*m).symbol_at(m->offset_of(at), &distance);
    if (symbol.empty())
        return m->path + " + " + hexadecimal(file_of(*m).address_of(m->offset_of(at)) + returns);
    return demangled(symbol) + " + " + hexadecimal(distance + returns);
}

WEFT_INLINE std::string symbols::text(std::uint64_t address) const
{
    mapping const* const m = mapping_at(address);
    return m ? file_of(*m).text_at(m->offset_of(address)) : std::string();
}

} // namespace detail
} // namespace weft
