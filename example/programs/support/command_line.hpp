// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_EXAMPLE_SUPPORT_COMMAND_LINE_HPP
#define WEFT_EXAMPLE_SUPPORT_COMMAND_LINE_HPP

#include <boost/program_options.hpp>
#include <optional>
#include <string>

namespace example
{

/// Reads a program's arguments; whatever is wrong with them ends in one line on stderr and exit
/// code 2, as shells and scripts expect of a usage error.
class command_line
{
public:
    explicit command_line(std::string summary);

    /// A decimal number in [low, high]; target holds the default.
    void number(char const* name, unsigned& target, unsigned low, unsigned high, char const* help);

    /// Any text; target holds the default.
    void text(char const* name, std::string& target, char const* help);

    /// A switch that is off unless it is given.
    void flag(char const* name, bool& target, char const* help);

    /// An argument without a name, which has to be there.
    void positional(char const* name, std::string& target, char const* help);

    /// An empty result means: go on. Otherwise the program has to exit with the given code.
    [[nodiscard]] std::optional<int> parse(int argc, char const* const* argv);

private:
    boost::program_options::options_description options_;
    boost::program_options::positional_options_description positions_;
    std::string usage_;
};

/// The arguments that every server here has.
struct server_options
{
    std::string address = "127.0.0.1";
    unsigned port = 0;
    unsigned threads = 2;

    void add_to(command_line& line);
};

} // namespace example

#endif
