// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_TRACE_FILES_HPP
#define WEFT_TEST_TRACE_FILES_HPP

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace test
{

/// A folder that is there as long as the case.
struct with_folder
{
    with_folder()
    {
        char name[] = "/tmp/weft-trace-XXXXXX";
        BOOST_REQUIRE(::mkdtemp(name) != nullptr);
        path = name;
    }

    ~with_folder()
    {
        std::filesystem::remove_all(path);
    }

    std::filesystem::path path;
};

inline std::string contents(std::filesystem::path const& path)
{
    std::ifstream file(path, std::ios::binary);
    BOOST_REQUIRE_MESSAGE(file.is_open(), path);
    return std::string(std::istreambuf_iterator<char>(file), {});
}

} // namespace test

#endif
