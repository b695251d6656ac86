// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_PLATFORM_SYMBOLS_HPP
#define WEFT_SRC_PLATFORM_SYMBOLS_HPP

// Names of functions, and texts, by their addresses in a process: this one, or one that is gone.
// The files that were mapped into it know them, also those functions that are not for the dynamic
// linker.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace weft
{
namespace detail
{

class object_file;

/// What a process had in its memory, as /proc/PID/maps tells.
class symbols
{
public:
    /// `maps`: the text of that file. Throws std::bad_alloc.
    explicit symbols(std::string const& maps);
    ~symbols();

    symbols(symbols const&) = delete;
    symbols& operator=(symbols const&) = delete;

    /// Of this process.
    static std::string maps_of_this_process();

    /// Reads the files that are mapped, which the other functions do one at a time when they need
    /// them. Throws std::bad_alloc.
    void read_files() const;

    /// The demangled name of the function at this address; empty if it has no symbol.
    std::string known_function(std::uint64_t address) const;

    /// As known_function(), or the address.
    std::string function(std::uint64_t address) const;

    /// Where in which function the address is; if that has no symbol, where in which file, as
    /// addr2line takes it, or the address. `returns` says that a call returns to it: the call is
    /// right before.
    std::string place(std::uint64_t address, bool returns) const;

    /// The null-terminated text at this address in a file; empty if there is none.
    std::string text(std::uint64_t address) const;

private:
    struct mapping
    {
        std::uint64_t begin;
        std::uint64_t end;
        std::uint64_t offset;
        std::string path;

        std::uint64_t offset_of(std::uint64_t address) const noexcept
        {
            return address - begin + offset;
        }
    };

    mapping const* mapping_at(std::uint64_t address) const noexcept;
    object_file const& file_of(mapping const& m) const;

    std::vector<mapping> mappings_;
    mutable std::map<std::string, std::unique_ptr<object_file>> files_;
};

/// As people read it; the symbol itself if it is no name of C++.
std::string demangled(std::string const& symbol);

/// An address as text.
std::string hexadecimal(std::uint64_t address);

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_PLATFORM_SYMBOLS_HPP
