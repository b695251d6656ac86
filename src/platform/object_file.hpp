// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SRC_PLATFORM_OBJECT_FILE_HPP
#define WEFT_SRC_PLATFORM_OBJECT_FILE_HPP

// An ELF file: which function has an address, which text is at an offset.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weft
{
namespace detail
{

class object_file
{
public:
    /// A file that cannot be read, or is none of this kind, knows nothing. Throws std::bad_alloc.
    explicit object_file(std::string const& path);
    ~object_file();

    object_file(object_file const&) = delete;
    object_file& operator=(object_file const&) = delete;

    /// The symbol of the function of which this offset in the file is a part; empty if there is
    /// none. `distance`, if not null, becomes how far behind the function's beginning it is.
    std::string symbol_at(std::uint64_t offset, std::uint64_t* distance = nullptr) const;

    /// The address, in the file's own count, of what is at this offset; the offset if it has none.
    std::uint64_t address_of(std::uint64_t offset) const noexcept;

    /// The null-terminated text at this offset; empty if there is none.
    std::string text_at(std::uint64_t offset) const;

private:
    struct function
    {
        std::uint64_t offset; // in the file
        std::uint64_t size;
        std::uint64_t name; // an offset in the file
    };

    template <typename T>
    bool read(std::uint64_t offset, T& value) const;
    void find_functions();
    void read_symbols(std::uint64_t section, std::uint64_t size, std::uint64_t names);

    /// Where in the file something is that has this address; 0: nowhere.
    std::uint64_t offset_of(std::uint64_t address) const;

    struct segment
    {
        std::uint64_t address;
        std::uint64_t size;
        std::uint64_t offset;
    };

    char const* data_ = nullptr;
    std::uint64_t size_ = 0;
    std::vector<segment> segments_;
    std::vector<function> functions_; // by offset
};

} // namespace detail
} // namespace weft

#endif // WEFT_SRC_PLATFORM_OBJECT_FILE_HPP
