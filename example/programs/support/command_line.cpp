// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "command_line.hpp"

#include <charconv>
#include <iostream>
#include <stdexcept>
#include <utility>

namespace example
{

namespace po = boost::program_options;

namespace
{

// lexical_cast, which Program_options would use, takes "-1" for a large unsigned number.
unsigned parse_number(std::string const& name, std::string const& text, unsigned low, unsigned high)
{
    unsigned value = 0;
    auto const last = text.data() + text.size();
    auto const [end, error] = std::from_chars(text.data(), last, value);
    if (error != std::errc{} || end != last || value < low || value > high)
        throw std::invalid_argument("--" + name + " has to be a number from " +
                                    std::to_string(low) + " to " + std::to_string(high) +
                                    ", not \"" + text + '"');
    return value;
}

} // namespace

command_line::command_line(std::string summary) : options_(std::move(summary))
{
    options_.add_options()("help", "print this and exit");
}

void command_line::number(
    char const* name, unsigned& target, unsigned low, unsigned high, char const* help)
{
    auto const store = [name, &target, low, high](std::string const& text)
    {
        target = parse_number(name, text, low, high);
    };
    auto const value =
        po::value<std::string>()->value_name("N")->default_value(std::to_string(target));
    options_.add_options()(name, value->notifier(store), help);
}

void command_line::text(char const* name, std::string& target, char const* help)
{
    options_.add_options()(
        name, po::value(&target)->value_name("TEXT")->default_value(target), help);
}

void command_line::flag(char const* name, bool& target, char const* help)
{
    options_.add_options()(name, po::bool_switch(&target), help);
}

void command_line::positional(char const* name, std::string& target, char const* help)
{
    options_.add_options()(name, po::value(&target)->value_name("TEXT")->required(), help);
    positions_.add(name, 1);
    usage_ += std::string(" ") + name;
}

std::optional<int> command_line::parse(int argc, char const* const* argv)
{
    try
    {
        po::variables_map values;
        po::store(
            po::command_line_parser(argc, argv).options(options_).positional(positions_).run(),
            values);
        if (values.count("help") != 0)
        {
            std::cout << "usage: " << argv[0] << " [options]" << usage_ << "\n\n" << options_;
            return 0;
        }
        po::notify(values);
        return std::nullopt;
    }
    catch (std::exception const& e)
    {
        std::cerr << argv[0] << ": " << e.what() << " (--help explains)\n";
        return 2;
    }
}

void server_options::add_to(command_line& line)
{
    line.text("address", address, "address to listen on");
    line.number("port", port, 0, 65535, "TCP port to listen on; 0 takes any free one");
    line.number("threads", threads, 1, 1024, "threads that run the context");
}

} // namespace example
