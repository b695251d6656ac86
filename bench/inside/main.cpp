// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// What do metrics, the flight recorder and the watchdog cost, how soon does a watchdog report, and
// when does a drain return? Each figure is held to a bound. Does not show: more threads, whose
// recording meets nowhere; machines whose clock is slower to read.

#include "gates.hpp"

#include "../support/machine.hpp"

#include <boost/program_options.hpp>

#include <cstdio>
#include <ctime>
#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>

namespace po = boost::program_options;

namespace inside
{

std::string text_of(double value)
{
    char text[32];
    std::snprintf(text, sizeof(text), "%.*f", value < 10 && value > -10 ? 2 : 1, value);
    return text;
}

namespace
{

std::string today()
{
    const std::time_t now = std::time(nullptr);
    char text[16];
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    std::strftime(text, sizeof(text), "%Y-%m-%d", &parts);
    return text;
}

void write_page(std::ostream& out, const gates& all, double foreign, const std::string& commit)
{
    const bench::machine m = bench::machine::describe();
    out << "<!-- Copyright 2026 The weft authors. Distributed under the Boost Software License, "
           "Version 1.0. -->\n<!-- SPDX-License-Identifier: BSL-1.0 -->\n"
           "<!-- Written by bench/gates: do not edit. -->\n\n# What it costs to see inside\n\n"
           "Measured on "
        << today() << ": " << m.cpu << ", " << m.cores << " cores, " << m.kernel << ", "
        << m.compiler << ", Boost " << m.boost
        << (commit.empty() ? "" : ", commit `" + commit + '`') << ". Other processes took "
        << static_cast<int>(100 * foreign + 0.5)
        << " % of the machine. Repeat: `bench/gates`, source: "
           "[`bench/inside`](../../bench/inside).\n\n"
           "Costs are medians of rounds, each compared with itself with everything off; times are "
           "the latest of all.\n\n| what | measured | bound | |\n|---|---:|---:|---|\n";
    for (const gate& g : all)
    {
        const std::string unit = g.unit.empty() ? "" : ' ' + g.unit;
        out << "| " << g.what << " | " << text_of(g.measured) << unit << " | " << text_of(g.bound)
            << unit << " | " << (g.holds() ? "" : "**does not hold**; ") << g.how << " |\n";
    }
}

gates measure(bool quick, bench::load_client& client)
{
    gates all;
    const auto add = [&all](const char* name, const gates& found)
    {
        for (const gate& g : found)
            std::cerr << (g.holds() ? "" : "DOES NOT HOLD: ") << g.what << ": "
                      << text_of(g.measured) << ' ' << g.unit << " (at most " << text_of(g.bound)
                      << "; " << g.how << ")\n";
        std::cerr << name << " done\n";
        all.insert(all.end(), found.begin(), found.end());
    };
    add("handlers", handlers(quick));
    add("echo", echo(quick, client));
    add("stalls", stalls(quick));
    add("drains", drains(quick));
    return all;
}

int run(int argc, char** argv)
{
    std::string page;
    std::string commit;
    po::options_description known("inside [options]");
    known.add_options()("help,h", "say this")("quick,q", "a few seconds: whether it works")(
        "commit", po::value(&commit), "what the page says was measured")(
        "page", po::value(&page), "write the table to this file");
    po::variables_map given;
    po::store(po::parse_command_line(argc, argv, known), given);
    po::notify(given);
    if (given.count("help") != 0)
    {
        std::cout << known;
        return 0;
    }
    // Forks, before there are threads.
    bench::load_client client;
    const bench::foreign_load others;
    const gates found = measure(given.count("quick") != 0, client);
    std::ostringstream text;
    write_page(text, found, others.share(), commit);
    std::cout << text.str();
    if (!page.empty())
    {
        std::ofstream out(page);
        out << text.str();
        if (!out.flush())
            throw std::runtime_error(page + " cannot be written");
    }
    return std::all_of(found.begin(), found.end(), [](const gate& g) { return g.holds(); }) ? 0 : 1;
}

} // namespace

} // namespace inside

int main(int argc, char** argv)
{
    try
    {
        return inside::run(argc, argv);
    }
    catch (const std::exception& error)
    {
        std::cerr << "inside: " << error.what() << '\n';
        return 2;
    }
}
