// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "command_line.hpp"

#include <boost/program_options.hpp>

#include <iostream>
#include <sstream>
#include <stdexcept>

namespace po = boost::program_options;

namespace bench
{

namespace
{

constexpr unsigned max_threads = 64;

std::vector<unsigned> thread_list(const std::string& text)
{
    std::vector<unsigned> list;
    std::istringstream in(text);
    for (std::string item; std::getline(in, item, ',');)
    {
        unsigned long n = 0;
        std::size_t used = 0;
        try
        {
            n = std::stoul(item, &used);
        }
        catch (const std::exception&)
        {
        }
        if (used != item.size() || n < 1 || n > max_threads)
        {
            throw std::invalid_argument("--threads takes numbers from 1 to " +
                                        std::to_string(max_threads) +
                                        " separated by commas, not '" + text + "'");
        }
        list.push_back(static_cast<unsigned>(n));
    }
    if (list.empty())
        throw std::invalid_argument("--threads is empty");
    return list;
}

unsigned in_range(const char* option, long value, long low, long high)
{
    if (value < low || value > high)
    {
        throw std::invalid_argument(std::string(option) + " takes a number from " +
                                    std::to_string(low) + " to " + std::to_string(high));
    }
    return static_cast<unsigned>(value);
}

} // namespace

std::optional<command_line> parse(int argc, char** argv, const question& asked, int& status)
{
    command_line result;
    std::string threads;
    long rounds = 0;
    long least = 1;
    std::chrono::seconds::rep budget = 0;
    long limit = 0;
    long bare = 0;
    const std::string rounds_text = "rounds over all columns (quick " +
                                    std::to_string(asked.quick_rounds) + ", else " +
                                    std::to_string(asked.rounds) + ")";

    po::options_description options(asked.name + ": " + asked.operation + "\nOptions");
    // clang-format off
    options.add_options()
        ("help,h", "show this")
        ("quick,q", po::bool_switch(&result.quick), "smaller runs, fewer rounds")
        ("threads,t", po::value(&threads), "numbers of threads, such as 1,2,8")
        ("rounds,r", po::value(&rounds), rounds_text.c_str())
        ("filter,f", po::value(&result.filter), "only cells whose row/threads/column contains this")
        ("least-rounds", po::value(&least), "so many rounds in spite of the budget (default 1)")
        ("budget", po::value(&budget), "no new round that would end after this many seconds")
        ("limit", po::value(&limit), "a cell that takes more seconds hangs (default 60)")
        ("default-hint", po::bool_switch(&default_hint), "construct contexts without concurrency hint")
        ("bare", po::value(&bare), "only so many iterations of each cell, and how many operations")
        ("json,j", po::value(&result.json), "write all samples to this file")
        ("label", po::value(&result.label), "text to keep with the samples, such as the commit");
    // clang-format on

    try
    {
        po::variables_map given;
        po::store(po::parse_command_line(argc, argv, options), given);
        po::notify(given);
        if (given.count("help") != 0)
        {
            std::cout << options;
            status = 0;
            return std::nullopt;
        }
        result.threads = given.count("threads") != 0 ? thread_list(threads)
                         : result.quick              ? asked.quick_threads
                                                     : asked.threads;
        if (given.count("rounds") == 0)
            rounds = result.quick ? asked.quick_rounds : asked.rounds;
        if (given.count("budget") == 0)
            budget = (result.quick ? asked.quick_budget : asked.budget).count();
        if (given.count("limit") == 0)
            limit = 60;
        result.rounds = in_range("--rounds", rounds, 1, 1000);
        result.least_rounds = in_range("--least-rounds", least, 1, 1000);
        result.bare = in_range("--bare", bare, 0, 1000);
        result.budget = std::chrono::seconds(in_range("--budget", budget, 1, 86400));
        result.limit = std::chrono::seconds(in_range("--limit", limit, 1, 86400));
    }
    catch (const std::exception& e)
    {
        std::cerr << asked.name << ": " << e.what() << "\n";
        status = 2;
        return std::nullopt;
    }
    return result;
}

} // namespace bench
