// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "object_file.hpp"

#include <weft/platform/visibility.hpp>

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace weft
{
namespace detail
{

inline namespace WEFT_LOCAL
{

using file_header = ElfW(Ehdr);
using program_header = ElfW(Phdr);
using section_header = ElfW(Shdr);
using symbol = ElfW(Sym);

// Longer ones are none.
inline constexpr std::size_t longest_text = 4096;

} // namespace WEFT_LOCAL

WEFT_INLINE object_file::object_file(std::string const& path)
{
    int const file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    struct stat status = {};
    if (::fstat(file, &status) == 0 && status.st_size > 0)
    {
        size_ = static_cast<std::uint64_t>(status.st_size);
        void* const mapped =
            ::mmap(nullptr, static_cast<std::size_t>(size_), PROT_READ, MAP_PRIVATE, file, 0);
        if (mapped != MAP_FAILED)
            data_ = static_cast<char const*>(mapped);
    }
    ::close(file);
    try
    {
        find_functions();
    }
    catch (...)
    {
        if (data_)
            ::munmap(const_cast<char*>(data_), static_cast<std::size_t>(size_));
        throw;
    }
}

WEFT_INLINE object_file::~object_file()
{
    if (data_)
        ::munmap(const_cast<char*>(data_), static_cast<std::size_t>(size_));
}

template <typename T>
bool object_file::read(std::uint64_t offset, T& value) const
{
    if (!data_ || offset > size_ || size_ - offset < sizeof(T))
        return false;
    std::memcpy(&value, data_ + offset, sizeof(T));
    return true;
}

WEFT_INLINE void object_file::find_functions()
{
    file_header header = {};
    if (!read(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != (sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32))
        return;
    program_header segment_header = {};
    for (unsigned i = 0; i != header.e_phnum; ++i)
        if (read(header.e_phoff + i * std::uint64_t{header.e_phentsize}, segment_header) &&
            segment_header.p_type == PT_LOAD)
            segments_.push_back(
                {segment_header.p_vaddr, segment_header.p_filesz, segment_header.p_offset});
    // The table for the linker has all functions; one for the dynamic linker alone is left by
    // strip.
    for (unsigned const wanted : {unsigned{SHT_SYMTAB}, unsigned{SHT_DYNSYM}})
    {
        section_header section = {};
        section_header names = {};
        for (unsigned i = 0; functions_.empty() && i != header.e_shnum; ++i)
            if (read(header.e_shoff + i * std::uint64_t{header.e_shentsize}, section) &&
                section.sh_type == wanted &&
                read(header.e_shoff + section.sh_link * std::uint64_t{header.e_shentsize}, names))
                read_symbols(section.sh_offset, section.sh_size, names.sh_offset);
    }
    std::sort(functions_.begin(), functions_.end(),
        [](function const& a, function const& b) { return a.offset < b.offset; });
}

WEFT_INLINE void object_file::read_symbols(
    std::uint64_t section, std::uint64_t size, std::uint64_t names)
{
    symbol s = {};
    for (std::uint64_t at = 0; at + sizeof(s) <= size && read(section + at, s); at += sizeof(s))
        if ((s.st_info & 0xf) == STT_FUNC && s.st_value != 0)
            if (std::uint64_t const offset = offset_of(s.st_value); offset != 0)
                functions_.push_back({offset, s.st_size, names + s.st_name});
}

WEFT_INLINE std::uint64_t object_file::offset_of(std::uint64_t address) const
{
    for (segment const& s : segments_)
        if (address >= s.address && address - s.address < s.size)
            return address - s.address + s.offset;
    return 0;
}

WEFT_INLINE std::uint64_t object_file::address_of(std::uint64_t offset) const noexcept
{
    for (segment const& s : segments_)
        if (offset >= s.offset && offset - s.offset < s.size)
            return offset - s.offset + s.address;
    return offset;
}

WEFT_INLINE std::string object_file::symbol_at(std::uint64_t offset, std::uint64_t* distance) const
{
    auto f = std::upper_bound(functions_.begin(), functions_.end(), offset,
        [](std::uint64_t o, function const& x) { return o < x.offset; });
    if (f == functions_.begin())
        return {};
    --f;
    if (offset != f->offset && offset - f->offset >= f->size)
        return {};
    if (distance)
        *distance = offset - f->offset;
    return text_at(f->name);
}

WEFT_INLINE std::string object_file::text_at(std::uint64_t offset) const
{
    if (!data_ || offset >= size_)
        return {};
    std::uint64_t const most = (std::min)(size_ - offset, std::uint64_t{longest_text});
    void const* const end = std::memchr(data_ + offset, 0, static_cast<std::size_t>(most));
    if (!end)
        return {};
    return std::string(data_ + offset, static_cast<char const*>(end));
}

} // namespace detail
} // namespace weft
