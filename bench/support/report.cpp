// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "report.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <ostream>

namespace bench
{

namespace
{

std::vector<double> values_of(const cell& c)
{
    std::vector<double> values;
    for (const sample& s : c.samples)
        values.push_back(s.value);
    return values;
}

double quantile(std::vector<double> values, double q)
{
    std::sort(values.begin(), values.end());
    const double place = q * static_cast<double>(values.size() - 1);
    const std::size_t below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (values[above] - values[below]) * (place - static_cast<double>(below));
}

template <class Member>
std::map<unsigned, double> round_medians(const cell& c, Member member)
{
    std::map<unsigned, std::vector<double>> by_round;
    for (const sample& s : c.samples)
        by_round[s.round].push_back(member(s));
    std::map<unsigned, double> medians;
    for (auto& [round, values] : by_round)
        medians[round] = median(values);
    return medians;
}

std::map<unsigned, double> round_medians(const cell& c)
{
    return round_medians(c, [](const sample& s) { return s.value; });
}

std::string format(const char* pattern, double value)
{
    char text[64];
    std::snprintf(text, sizeof text, pattern, value);
    return text;
}

std::string number(double value)
{
    return format(std::fabs(value) < 99.95 ? "%.1f" : "%.0f", value);
}

std::string padded(std::string text, int width)
{
    const std::size_t w = static_cast<std::size_t>(std::abs(width));
    if (text.size() < w)
        text.insert(width < 0 ? text.size() : 0, w - text.size(), ' ');
    return text;
}

const cell* reference_of(const results& r, const cell& c)
{
    for (const cell& other : r.cells)
    {
        if (other.row == c.row && other.threads == c.threads && other.column == 0 &&
            other.failure.empty() && !other.samples.empty())
            return &other;
    }
    return nullptr;
}

struct ratios
{
    double paired;
    double best;
};

// Above 1: faster than the first column. Rounds are compared with themselves, since what else the
// machine did changes from round to round more than within one.
std::optional<ratios> compare(const results& r, const cell& c)
{
    const cell* const reference = reference_of(r, c);
    if (!r.asked.comparable || reference == nullptr)
        return std::nullopt;
    const std::map<unsigned, double> theirs = round_medians(*reference);
    std::vector<double> paired;
    for (const auto& [round, value] : round_medians(c))
    {
        if (const auto match = theirs.find(round); match != theirs.end() && value > 0)
            paired.push_back(match->second / value);
    }
    const std::vector<double> a = values_of(*reference);
    const std::vector<double> b = values_of(c);
    const double best = *std::min_element(b.begin(), b.end());
    if (paired.empty() || best <= 0)
        return std::nullopt;
    return ratios{median(paired), *std::min_element(a.begin(), a.end()) / best};
}

template <class Range, class Member>
double median_of(const Range& range, Member member)
{
    std::vector<double> values;
    for (const auto& element : range)
        values.push_back(member(element));
    return median(values);
}

// The middle half relative to the median.
double spread_of(const std::vector<double>& values)
{
    const double middle = median(values);
    return middle > 0 ? (quantile(values, 0.75) - quantile(values, 0.25)) / middle : 0;
}

int name_width(const results& r)
{
    std::size_t width = 31;
    for (const row& what : r.asked.rows)
        width = std::max(width, what.name.size() + 2);
    return static_cast<int>(width);
}

void print_row(std::ostream& out, const results& r, const cell& c)
{
    const std::vector<double> values = values_of(c);
    const double middle = median(values);
    const double best = *std::min_element(values.begin(), values.end());
    const std::optional<ratios> ratio = compare(r, c);

    out << padded(r.asked.rows[c.row].name, -name_width(r)) << padded(std::to_string(c.threads), 3)
        << "  " << padded(r.columns[c.column].name, -17)
        << padded(number(middle) + " (" + number(best) + ")", 18)
        << padded(format("%.0f%%", 100 * spread_of(values)), 7)
        << padded(ratio ? format("%.2f", ratio->paired) : "-", 8)
        << padded(ratio ? format("%.2f", ratio->best) : "-", 8)
        << padded(number(median_of(c.costs, [](const cost& k) { return k.cpu_ns; })), 10)
        << padded(format("%.2f", median_of(c.costs, [](const cost& k) { return k.cores; })), 7)
        << padded(c.allocations ? format("%.3f", *c.allocations) : "-", 8)
        << padded(
               format("%.0f%%", 100 * median_of(c.costs, [](const cost& k) { return k.foreign; })),
               8);
    for (std::size_t i = 0; i != r.asked.extras.size(); ++i)
    {
        const int width = static_cast<int>(r.asked.extras[i].size()) + 2;
        out << padded(number(median_of(c.samples, [i](const sample& s) { return s.extras.at(i); })),
            std::max(width, 11));
    }
    if (r.asked.contended)
    {
        const std::vector<double>& kept = c.together.kept;
        out << padded(kept.empty() ? "-" : number(median(kept)), 9)
            << padded(std::to_string(kept.size()) + "/" + std::to_string(c.together.made), 9);
    }
    out << '\n';
}

boost::json::object extras_of(const results& r, const cell& c)
{
    boost::json::object o;
    for (std::size_t i = 0; i != r.asked.extras.size(); ++i)
        o[r.asked.extras[i]] =
            median_of(c.samples, [i](const sample& s) { return s.extras.at(i); });
    return o;
}

// The spread between rounds says what the difference of two tails is worth.
boost::json::object extra_rounds_of(const results& r, const cell& c)
{
    boost::json::object o;
    for (std::size_t i = 0; i != r.asked.extras.size(); ++i)
    {
        boost::json::array medians;
        for (const auto& [round, value] :
            round_medians(c, [i](const sample& s) { return s.extras.at(i); }))
            medians.push_back(value);
        o[r.asked.extras[i]] = std::move(medians);
    }
    return o;
}

// Each quantile is the median of what the iterations had there.
boost::json::array quantiles_of(const cell& c)
{
    boost::json::array all;
    for (std::size_t i = 0; i != quantile_points.size(); ++i)
    {
        all.push_back({quantile_points[i],
            median_of(c.samples, [i](const sample& s) { return s.quantiles.at(i); })});
    }
    return all;
}

boost::json::object to_json(const results& r, const cell& c)
{
    const std::vector<double> values = values_of(c);
    boost::json::array medians;
    for (const auto& [round, value] : round_medians(c))
        medians.push_back(value);
    boost::json::object o{{"row", r.asked.rows[c.row].name}, {"threads", c.threads},
        {"column", r.columns[c.column].name}, {"median", median(values)},
        {"best", *std::min_element(values.begin(), values.end())}, {"spread", spread_of(values)},
        {"iterations", values.size()}, {"rounds", medians.size()},
        {"round_medians", std::move(medians)},
        {"cpu_per_operation", median_of(c.costs, [](const cost& k) { return k.cpu_ns; })},
        {"cores", median_of(c.costs, [](const cost& k) { return k.cores; })},
        {"foreign", median_of(c.costs, [](const cost& k) { return k.foreign; })}};
    if (const std::optional<ratios> ratio = compare(r, c))
    {
        o["ratio_paired"] = ratio->paired;
        o["ratio_best"] = ratio->best;
    }
    if (c.allocations)
        o["allocations_per_operation"] = *c.allocations;
    if (!r.asked.extras.empty())
    {
        o["extras"] = extras_of(r, c);
        o["extra_rounds"] = extra_rounds_of(r, c);
    }
    if (!c.samples.front().quantiles.empty())
        o["quantiles"] = quantiles_of(c);
    if (c.together.made != 0)
    {
        const std::vector<double>& kept = c.together.kept;
        boost::json::object crowded{{"cores_at_least", crowd::enough_cores}, {"kept", kept.size()},
            {"made", c.together.made}};
        if (!kept.empty())
        {
            crowded["median"] = median(kept);
            crowded["spread"] = spread_of(kept);
        }
        o["crowded"] = std::move(crowded);
    }
    return o;
}

} // namespace

double median(std::vector<double> values)
{
    return quantile(std::move(values), 0.5);
}

void print(std::ostream& out, const results& r)
{
    const machine m = machine::describe();
    out << r.asked.name << ": " << r.asked.operation << '\n'
        << m.cpu << ", " << m.cores << " cores, " << m.kernel << ", " << m.compiler << ", Boost "
        << m.boost << (m.optimised ? "" : ", NOT OPTIMISED") << (r.label.empty() ? "" : ", ")
        << r.label << '\n'
        << r.rounds << " rounds; " << r.asked.unit << " median (best)";
    if (r.asked.comparable)
        out << "; ratio above 1: faster than " << r.columns.front().name;
    out << '\n';
    out << padded("row", -name_width(r)) << padded("thr", 3) << "  " << padded("column", -17)
        << padded("median (best)", 18) << padded("spread", 7) << padded("ratio", 8)
        << padded("of best", 8) << padded("cpu ns/op", 10) << padded("cores", 7)
        << padded("allocs", 8) << padded("foreign", 8);
    for (const std::string& name : r.asked.extras)
        out << padded(name, std::max(static_cast<int>(name.size()) + 2, 11));
    if (r.asked.contended)
        out << padded("crowded", 9) << padded("kept", 9);
    out << '\n';
    const cell* previous = nullptr;
    for (const cell& c : r.cells)
    {
        if (!c.failure.empty() || c.samples.empty())
            continue;
        if (previous != nullptr && (previous->row != c.row || previous->threads != c.threads))
            out << '\n';
        print_row(out, r, c);
        previous = &c;
    }
    out.flush();
}

bool write_json(const std::string& path, const results& r)
{
    const machine m = machine::describe();
    boost::json::array cells;
    for (const cell& c : r.cells)
    {
        if (c.failure.empty() && !c.samples.empty())
            cells.push_back(to_json(r, c));
    }
    boost::json::array seconds(r.round_seconds.begin(), r.round_seconds.end());
    const boost::json::object all{{"question", r.asked.name}, {"operation", r.asked.operation},
        {"unit", r.asked.unit}, {"comparable", r.asked.comparable}, {"quick", r.quick},
        {"rounds", r.rounds}, {"round_seconds", std::move(seconds)}, {"label", r.label},
        {"machine", {{"cpu", m.cpu}, {"cores", m.cores}, {"kernel", m.kernel},
                        {"compiler", m.compiler}, {"boost", m.boost}, {"optimised", m.optimised}}},
        {"cells", std::move(cells)}};
    std::ofstream file(path);
    file << boost::json::serialize(all) << '\n';
    file.close();
    return !file.fail();
}

} // namespace bench
