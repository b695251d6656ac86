// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "isolated.hpp"

#include <boost/json.hpp>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <exception>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace bench
{

namespace
{

using numbers = std::vector<double>;

// What `now` has more than `before`.
std::string write_findings(const cell& before, const cell& now)
{
    boost::json::array samples;
    for (std::size_t i = before.samples.size(); i != now.samples.size(); ++i)
    {
        const sample& s = now.samples[i];
        samples.push_back({s.round, s.value, boost::json::value_from(s.extras),
            boost::json::value_from(s.quantiles)});
    }
    boost::json::array costs;
    for (std::size_t i = before.costs.size(); i != now.costs.size(); ++i)
        costs.push_back({now.costs[i].cpu_ns, now.costs[i].cores, now.costs[i].foreign});
    const numbers kept(
        now.together.kept.begin() + static_cast<std::ptrdiff_t>(before.together.kept.size()),
        now.together.kept.end());
    boost::json::object all{{"samples", std::move(samples)}, {"costs", std::move(costs)},
        {"failure", now.failure}, {"made", now.together.made - before.together.made},
        {"kept", boost::json::value_from(kept)}};
    if (now.allocations)
        all["allocations"] = *now.allocations;
    return boost::json::serialize(all);
}

void read_findings(const std::string& text, cell& c)
{
    const boost::json::value all = boost::json::parse(text);
    for (const boost::json::value& s : all.at("samples").as_array())
        c.samples.push_back({s.at(0).to_number<unsigned>(), s.at(1).to_number<double>(),
            boost::json::value_to<numbers>(s.at(2)), boost::json::value_to<numbers>(s.at(3))});
    for (const boost::json::value& k : all.at("costs").as_array())
        c.costs.push_back({k.at(0).to_number<double>(), k.at(1).to_number<double>(),
            k.at(2).to_number<double>()});
    c.failure = boost::json::value_to<std::string>(all.at("failure"));
    c.together.made += all.at("made").to_number<unsigned>();
    for (const double kept : boost::json::value_to<numbers>(all.at("kept")))
        c.together.kept.push_back(kept);
    if (const boost::json::value* const allocations = all.as_object().if_contains("allocations"))
        c.allocations = allocations->to_number<double>();
}

[[noreturn]] void be_child(int out, const cell& c, const std::function<void(cell&)>& measure)
{
    cell found = c;
    try
    {
        measure(found);
    }
    catch (const std::exception& e)
    {
        found.failure = e.what();
    }
    const std::string text = write_findings(c, found);
    for (std::size_t done = 0; done != text.size();)
    {
        const ssize_t n = ::write(out, text.data() + done, text.size() - done);
        if (n < 0 && errno != EINTR)
            ::_exit(1);
        done += n < 0 ? 0 : static_cast<std::size_t>(n);
    }
    std::cout.flush();
    std::cerr.flush();
    // Not exit(): what main() has opened is the parent's.
    ::_exit(0);
}

std::string read_all(int in)
{
    std::string text;
    std::array<char, 4096> buffer;
    for (;;)
    {
        const ssize_t n = ::read(in, buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return text;
        text.append(buffer.data(), static_cast<std::size_t>(n));
    }
}

} // namespace

void in_process_of_its_own(cell& c, const std::function<void(cell&)>& measure)
{
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0)
    {
        c.failure = std::string("pipe: ") + std::strerror(errno);
        return;
    }
    std::cout.flush();
    const pid_t child = ::fork();
    if (child == 0)
    {
        ::close(ends[0]);
        be_child(ends[1], c, measure);
    }
    ::close(ends[1]);
    if (child < 0)
    {
        c.failure = std::string("fork: ") + std::strerror(errno);
        ::close(ends[0]);
        return;
    }
    const std::string text = read_all(ends[0]);
    ::close(ends[0]);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR)
    {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        read_findings(text, c);
    else if (WIFSIGNALED(status))
        c.failure = "ended by signal " + std::to_string(WTERMSIG(status));
    else
        c.failure = "ended with status " + std::to_string(WEXITSTATUS(status));
}

} // namespace bench
