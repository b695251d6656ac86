// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "choices.hpp"

#include <boost/program_options.hpp>

#include <algorithm>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace po = boost::program_options;

namespace bench
{

namespace
{

bool is_given(int argc, char** argv, std::string_view whole, std::string_view letter)
{
    return std::any_of(argv + 1, argv + argc,
        [&](std::string_view argument) { return argument == whole || argument == letter; });
}

std::string joined(const std::vector<std::string>& values)
{
    std::string text;
    for (const std::string& v : values)
        text += (text.empty() ? "" : ",") + v;
    return text;
}

} // namespace

void choices::add_list(const char* name, std::vector<std::string>& values, const char* help)
{
    list& added = lists_.emplace_back(list{joined(values), &values});
    described_.add_options()(
        name, po::value(&added.text)->default_value(added.text)->value_name("LIST"), help);
}

void choices::add_number(const char* name, unsigned& value, const char* help)
{
    described_.add_options()(name, po::value(&value)->default_value(value), help);
}

void choices::add_flag(const char* name, bool& value, const char* help)
{
    described_.add_options()(name, po::bool_switch(&value), help);
}

void choices::take(int& argc, char** argv)
{
    // Guessing would take what is another option's beginning here for that of one of ours.
    using style = po::command_line_style::style_t;
    const po::parsed_options parsed = po::command_line_parser(argc, argv)
                                          .options(described_)
                                          .style(style::unix_style & ~style::allow_guessing)
                                          .allow_unregistered()
                                          .run();
    po::variables_map given;
    po::store(parsed, given);
    po::notify(given);
    for (const list& l : lists_)
    {
        l.values->clear();
        std::istringstream in(l.text);
        for (std::string item; std::getline(in, item, ',');)
            l.values->push_back(item);
        if (l.values->empty())
            throw std::invalid_argument("a list is empty");
    }
    if (is_given(argc, argv, "--help", "-h"))
        std::cout << described_ << '\n';

    const std::vector<std::string> left =
        po::collect_unrecognized(parsed.options, po::include_positional);
    int kept = 1;
    for (int i = 1; i < argc; ++i)
    {
        const auto next = static_cast<std::size_t>(kept - 1);
        if (next != left.size() && left[next] == argv[i])
            argv[kept++] = argv[i];
    }
    argc = kept;
}

bool is_quick(int argc, char** argv)
{
    return is_given(argc, argv, "--quick", "-q");
}

std::vector<unsigned> numbers_of(const std::vector<std::string>& texts, unsigned most)
{
    std::vector<unsigned> numbers;
    for (const std::string& text : texts)
    {
        const bool digits =
            !text.empty() && text.size() < 9 &&
            std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
        const unsigned long n = digits ? std::stoul(text) : 0;
        if (!digits || n > most)
        {
            throw std::invalid_argument(
                "'" + text + "' is no number from 0 to " + std::to_string(most));
        }
        numbers.push_back(static_cast<unsigned>(n));
    }
    return numbers;
}

either one_or_both(
    const std::vector<std::string>& texts, const std::string& first, const std::string& second)
{
    either e{false, false};
    for (const std::string& text : texts)
    {
        if (text != first && text != second)
            throw std::invalid_argument("'" + text + "' is neither " + first + " nor " + second);
        (text == first ? e.first : e.second) = true;
    }
    return e;
}

} // namespace bench
