// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "harness.hpp"

#include "allocations.hpp"
#include "command_line.hpp"
#include "isolated.hpp"
#include "report.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>

#include <unistd.h>

namespace bench
{

namespace
{

// Read by the signal handler: what is running.
char current_cell[256];

void hang(int)
{
    const auto say = [](const char* text)
    {
        [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, std::strlen(text));
    };
    say("\nhangs: ");
    say(current_cell);
    say("\n");
    std::abort();
}

std::string name_of(const results& r, const cell& c)
{
    return r.asked.name + "/" + r.asked.rows[c.row].name + "/" + std::to_string(c.threads) + "/" +
           r.columns[c.column].name;
}

std::vector<cell> select_cells(const results& r, const command_line& line)
{
    std::vector<cell> cells;
    for (std::size_t row = 0; row != r.asked.rows.size(); ++row)
    {
        for (const unsigned threads : line.threads)
        {
            for (std::size_t column = 0; column != r.columns.size(); ++column)
            {
                cell c{row, threads, column, {}, {}, {}, {}, {}};
                if (name_of(r, c).find(line.filter) != std::string::npos)
                    cells.push_back(std::move(c));
            }
        }
    }
    // A whole name means that cell alone, though it may be a part of other names.
    const auto named = std::find_if(
        cells.begin(), cells.end(), [&](const cell& c) { return name_of(r, c) == line.filter; });
    if (named != cells.end())
    {
        std::swap(cells.front(), *named);
        cells.resize(1);
    }
    return cells;
}

class measurement
{
public:
    measurement(results& r, const command_line& line) : results_(r), line_(line)
    {
    }

    // Cells that share a row and a number of threads follow each other; `first` says with which of
    // them to begin, so that no column always comes after the same other one.
    void round(unsigned number)
    {
        auto begin = results_.cells.begin();
        while (begin != results_.cells.end())
        {
            const auto end = std::find_if(begin, results_.cells.end(),
                [&](const cell& c) { return c.row != begin->row || c.threads != begin->threads; });
            const auto size = end - begin;
            for (std::ptrdiff_t i = 0; i != size; ++i)
                measure(begin[(i + static_cast<std::ptrdiff_t>(number)) % size], number);
            begin = end;
        }
    }

private:
    void measure(cell& c, unsigned round)
    {
        if (!c.failure.empty())
            return;
        const std::string name = name_of(results_, c);
        std::snprintf(current_cell, sizeof current_cell, "%s", name.c_str());
        if (::isatty(STDERR_FILENO) != 0)
            std::fprintf(stderr, "\r\033[Kround %u: %s", round + 1, current_cell);
        double yardstick = 0;
        try
        {
            if (results_.asked.yardstick)
                yardstick = results_.asked.yardstick(results_.asked.rows[c.row], c.threads, round);
            in_process_of_its_own(c,
                [&](cell& found)
                {
                    ::alarm(static_cast<unsigned>(line_.limit.count()));
                    iterate(found, round, yardstick);
                });
        }
        catch (const std::exception& e)
        {
            c.failure = e.what();
        }
        if (!c.failure.empty())
            std::cerr << "\nwrong: " << name << ": " << c.failure << '\n';
    }

    void iterate(cell& c, unsigned round, double yardstick)
    {
        const row& what = results_.asked.rows[c.row];
        const std::uint64_t wanted = operations_of(c, what);
        if (!c.failure.empty())
            return;
        const setting s{what, wanted, round, yardstick};
        const std::unique_ptr<experiment> subject = results_.columns[c.column].make(c.threads, s);
        if (!subject)
            return;
        c.failure = subject->iterate().failure;
        if (!c.failure.empty())
            return;

        const foreign_load load;
        const process_usage before = process_usage::now();
        const clock::time_point start = clock::now();
        double operations = 0;
        for (unsigned i = 0; i != results_.asked.iterations; ++i)
        {
            outcome o = subject->iterate();
            c.failure = o.failure;
            if (!c.failure.empty())
                return;
            const double ops = static_cast<double>(o.operations);
            operations += ops;
            const double elapsed = static_cast<double>(o.elapsed.count());
            c.samples.push_back({round, o.value.value_or(elapsed / ops), std::move(o.extras),
                std::move(o.quantiles)});
        }
        const std::chrono::duration<double, std::nano> wall = clock::now() - start;
        const std::chrono::duration<double, std::nano> used = (process_usage::now() - before).cpu;
        c.costs.push_back({used.count() / operations, used / wall, load.share()});
        if (results_.asked.allocates && !c.allocations && can_count_allocations())
        {
            const allocation_count count;
            const outcome o = subject->iterate();
            const double allocations = static_cast<double>(count.value());
            c.failure = o.failure;
            c.allocations = allocations / static_cast<double>(o.operations);
            if (!c.failure.empty())
                return;
        }
        if (results_.asked.contended && c.threads > 1)
            crowd_together(c, what);
    }

    // Of a contended workload one column may take a hundred times as long as another. It shows in a
    // tenth of a second what it would show in ten, and leaves the others time for more rounds.
    std::uint64_t operations_of(cell& c, const row& what)
    {
        const std::uint64_t all = line_.quick ? what.quick_operations : what.operations;
        if (!results_.asked.contended)
            return all;
        const std::uint64_t least = std::max<std::uint64_t>(all / 20, 1);
        double slowest = 0;
        for (const sample& s : c.samples)
            slowest = std::max(slowest, s.value);
        if (c.samples.empty())
        {
            const setting s{what, least};
            const std::unique_ptr<experiment> probe = results_.columns[c.column].make(c.threads, s);
            if (!probe)
                return all;
            const outcome o = probe->iterate();
            c.failure = o.failure;
            if (!c.failure.empty())
                return all;
            slowest = static_cast<double>(o.elapsed.count()) / static_cast<double>(o.operations);
        }
        constexpr double span = 100e6;
        const auto enough = static_cast<std::uint64_t>(span / std::max(slowest, 0.1));
        return std::clamp(enough, least, all);
    }

    // Long iterations of a contended workload hide its contention wherever another process takes a
    // core. Short ones either had the cores or not, and can be told apart.
    void crowd_together(cell& c, const row& what)
    {
        constexpr double span = 2e6;
        const double per_operation = std::max(c.samples.back().value, 1.0);
        const auto wanted = static_cast<std::uint64_t>(span / per_operation);
        constexpr std::uint64_t least = 1000;
        const setting s{what, std::min(std::max(wanted, least), what.operations)};
        const std::unique_ptr<experiment> subject = results_.columns[c.column].make(c.threads, s);
        c.failure = subject->iterate().failure;
        const unsigned times = line_.quick ? 10 : 25;
        for (unsigned i = 0; i != times && c.failure.empty(); ++i)
        {
            const std::chrono::nanoseconds before = process_usage::precise_cpu();
            const clock::time_point start = clock::now();
            const outcome o = subject->iterate();
            const std::chrono::duration<double, std::nano> wall = clock::now() - start;
            const std::chrono::duration<double, std::nano> used =
                process_usage::precise_cpu() - before;
            c.failure = o.failure;
            ++c.together.made;
            if (used >= crowd::enough_cores * wall && c.failure.empty())
                c.together.kept.push_back(
                    static_cast<double>(o.elapsed.count()) / static_cast<double>(o.operations));
        }
    }

    results& results_;
    const command_line& line_;
};

// Prints how many operations were run; whoever started the program counts what they cost.
int run_bare(const results& r, const command_line& line)
{
    std::uint64_t operations = 0;
    for (const cell& c : r.cells)
    {
        const row& what = r.asked.rows[c.row];
        // Counters outside the process make it some fifty times slower.
        const setting s{what, what.quick_operations / 5};
        const std::unique_ptr<experiment> subject = r.columns[c.column].make(c.threads, s);
        for (unsigned i = 0; subject && i != line.bare; ++i)
        {
            const outcome o = subject->iterate();
            if (!o.failure.empty())
            {
                std::cerr << "wrong: " << name_of(r, c) << ": " << o.failure << '\n';
                return 1;
            }
            operations += o.operations;
        }
    }
    std::cout << operations << '\n';
    return 0;
}

} // namespace

int run(int argc, char** argv, const question& asked, const std::vector<column>& columns)
{
    int status = 0;
    const std::optional<command_line> line = parse(argc, argv, asked, status);
    if (!line)
        return status;

    results r{asked, columns, {}, 0, line->quick, line->label, {}};
    r.cells = select_cells(r, *line);
    if (r.cells.empty())
    {
        std::cerr << asked.name << ": no cell contains '" << line->filter << "'\n";
        return 2;
    }

    if (line->bare != 0)
        return run_bare(r, *line);

    std::signal(SIGALRM, hang);
    measurement m(r, *line);
    const clock::time_point start = clock::now();
    clock::duration longest{0};
    do
    {
        const clock::time_point round_start = clock::now();
        m.round(r.rounds);
        const clock::duration taken = clock::now() - round_start;
        r.round_seconds.push_back(std::chrono::duration<double>(taken).count());
        longest = std::max(longest, taken);
        ++r.rounds;
    } while (r.rounds < line->rounds &&
             (r.rounds < line->least_rounds || clock::now() - start + longest < line->budget));
    if (::isatty(STDERR_FILENO) != 0)
        std::fprintf(stderr, "\r\033[K");

    print(std::cout, r);
    if (!line->json.empty() && !write_json(line->json, r))
    {
        std::cerr << asked.name << ": cannot write " << line->json << '\n';
        return 1;
    }
    const bool right = std::all_of(
        r.cells.begin(), r.cells.end(), [](const cell& c) { return c.failure.empty(); });
    return right ? 0 : 1;
}

} // namespace bench
