// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// weft-trace: makes a timeline, as JSON, of what weft::trace::dump_on_crash() has left.

#include "../platform/symbols.hpp"
#include "../trace/chrome_json.hpp"
#include "../trace/raw_file.hpp"

#include <cstdint>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace
{

constexpr char const usage[] =
    "usage: weft-trace RAW [JSON]\n"
    "\n"
    "Reads the file RAW that weft::trace::dump_on_crash() has written, and writes its timeline to "
    "the\n"
    "file JSON, or to the standard output: ui.perfetto.dev opens it. Names are looked up in the\n"
    "program and the libraries of the process that has died, where they were then.\n";

std::string bytes_of(char const* path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw std::runtime_error(std::string(path) + ": cannot be read");
    return std::string(std::istreambuf_iterator<char>(file), {});
}

void convert(char const* from, char const* to)
{
    weft::detail::raw_contents const raw = weft::detail::read_raw(bytes_of(from));
    weft::detail::symbols const names(raw.maps);
    if (to)
    {
        std::ofstream out(to);
        weft::detail::write_chrome_json(raw.contexts, names, out);
    }
    else
        weft::detail::write_chrome_json(raw.contexts, names, std::cout);
    std::uint64_t events = 0;
    for (auto const& context : raw.contexts)
        for (auto const& worker : context.workers)
            events += worker.events.size();
    std::cerr << "process " << raw.crash.process << ", signal " << raw.crash.signal << " in thread "
              << raw.crash.thread << ": " << events << " events of " << raw.contexts.size()
              << " contexts\n";
    if (!raw.complete)
        std::cerr << "weft-trace: " << from << " is incomplete\n";
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 2 || argc > 3 || std::string(argv[1]) == "--help")
    {
        bool const asked = argc == 2;
        (asked ? std::cout : std::cerr) << usage;
        return asked ? 0 : 2;
    }
    try
    {
        convert(argv[1], argc == 3 ? argv[2] : nullptr);
        return 0;
    }
    catch (std::exception const& error)
    {
        std::cerr << "weft-trace: " << error.what() << '\n';
        return 1;
    }
}
