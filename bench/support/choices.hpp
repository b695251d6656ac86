// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What a question lets its caller choose beside what all of them do: which of its rows to ask.

#ifndef BENCH_SUPPORT_CHOICES_HPP
#define BENCH_SUPPORT_CHOICES_HPP

#include <boost/program_options/options_description.hpp>

#include <deque>
#include <string>
#include <vector>

namespace bench
{

class choices
{
public:
    // The default is what a run without this option has.
    void add_list(const char* name, std::vector<std::string>& values, const char* help);
    void add_number(const char* name, unsigned& value, const char* help);
    void add_flag(const char* name, bool& value, const char* help);

    // Sets what is given, and leaves in the command line what bench::run() is to read, such as
    // --help, of which this prints its part. Throws what is wrong.
    void take(int& argc, char** argv);

private:
    boost::program_options::options_description described_{"Rows"};
    // Lists as they are given, until take() knows them.
    struct list
    {
        std::string text;
        std::vector<std::string>* values;
    };
    std::deque<list> lists_;
};

bool is_quick(int argc, char** argv);

// Throws if one of them is no number up to `most`.
std::vector<unsigned> numbers_of(const std::vector<std::string>& texts, unsigned most);

// Whether the first of two words is in the list, or the second; throws if another one is.
struct either
{
    bool first;
    bool second;
};

either one_or_both(
    const std::vector<std::string>& texts, const std::string& first, const std::string& second);

} // namespace bench

#endif
