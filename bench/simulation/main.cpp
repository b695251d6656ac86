// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// How late would requests be, with 1 to 64 workers, if they found their work by this policy or by
// that one? Nothing is run: workers, queues, the reactor and its clients are simulated. What the
// model leaves out is said in doc/design/simulation.md.

#include "machine.hpp"
#include "policies.hpp"

#include <boost/program_options.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace po = boost::program_options;

namespace
{

using namespace simulation;

struct settings
{
    std::vector<policy> compared;
    std::vector<unsigned> workers;
    std::vector<nanoseconds> works;
    std::vector<unsigned> connections; // of each worker
    std::size_t requests = 0;
    std::uint64_t seed = 0;
    bool cells = false;
    costs cost;
    std::ofstream csv;
};

template <typename T>
std::vector<T> numbers(std::string const& text, double factor = 1)
{
    std::vector<T> list;
    std::istringstream in(text);
    for (std::string item; std::getline(in, item, ',');)
    {
        std::size_t used = 0;
        double const value = std::stod(item, &used) * factor;
        if (used != item.size() || value < 1)
            throw std::invalid_argument("not a number above 0: '" + item + "'");
        list.push_back(static_cast<T>(value));
    }
    return list;
}

std::vector<policy> policies_named(std::string const& text)
{
    if (text == "all")
        return policies();
    if (text == "variants")
        return variants();
    std::vector<policy> list;
    std::istringstream in(text);
    for (std::string item; std::getline(in, item, ';');)
        list.push_back(policy_named(item));
    return list;
}

void set_cost(costs& c, std::string const& text)
{
    static std::map<std::string, nanoseconds costs::*> const by_name{{"pop", &costs::pop},
        {"remote_look", &costs::remote_look}, {"look_again", &costs::look_again},
        {"steal", &costs::steal}, {"moved", &costs::moved}, {"poll", &costs::poll},
        {"event", &costs::event}, {"wake", &costs::wake}, {"waker", &costs::waker},
        {"clock", &costs::clock}, {"lock", &costs::lock}, {"lock_moved", &costs::lock_moved},
        {"pause", &costs::pause}};
    auto const mark = text.find('=');
    auto const found = by_name.find(text.substr(0, mark));
    if (mark == std::string::npos || found == by_name.end())
        throw std::invalid_argument("no cost '" + text + "'");
    c.*(found->second) = std::stoll(text.substr(mark + 1));
}

std::string name_of(workload const& w)
{
    static char const* const spreads[]{"constant", "exponential", "bimodal"};
    std::string from;
    switch (w.from)
    {
    case arrivals::open:
        from = "open " + std::to_string(std::lround(w.load * 100)) + " %";
        break;
    case arrivals::closed:
        from = "closed " + std::to_string(w.connections);
        break;
    case arrivals::chains:
        from = "chains " + std::to_string(w.connections);
        break;
    }
    return from + ' ' + spreads[static_cast<int>(w.spread)];
}

double per_handler(std::uint64_t count, counts const& all)
{
    return static_cast<double>(count) /
           static_cast<double>((std::max)(all.handlers, std::uint64_t{1}));
}

void write_csv_head(std::ostream& out)
{
    out << "workers,work_us,workload,policy,p50_us,p90_us,p99_us,p999_us,max_us,throughput,"
           "steals,moved,remote_looks,polls,wakes,overtaken_p999,overtaken_max,"
           "timer_p50_us,timer_p99_us,timer_max_us,post_p50_us,post_p99_us,post_max_us\n";
}

void write_csv(std::ostream& out, workload const& w, policy const& p, result const& r)
{
    auto const us = [](double ns)
    {
        return ns / 1e3;
    };
    out << w.workers << ',' << us(static_cast<double>(w.work)) << ',' << name_of(w) << ',' << p.name
        << ',' << us(r.response.p50) << ',' << us(r.response.p90) << ',' << us(r.response.p99)
        << ',' << us(r.response.p999) << ',' << us(r.response.max) << ',' << r.throughput << ','
        << per_handler(r.done.steals, r.done) << ',' << per_handler(r.done.moved, r.done) << ','
        << per_handler(r.done.remote_looks, r.done) << ',' << per_handler(r.done.polls, r.done)
        << ',' << per_handler(r.done.wakes, r.done) << ',' << r.overtaken.p999 << ','
        << r.overtaken.max << ',' << us(r.timer.p50) << ',' << us(r.timer.p99) << ','
        << us(r.timer.max) << ',' << us(r.post.p50) << ',' << us(r.post.p99) << ','
        << us(r.post.max) << '\n';
}

void print_cell(workload const& w, policy const& p, result const& r)
{
    std::printf(
        "    %-22s %-18s p50 %10.1f  p90 %10.1f  p99 %10.1f  p99.9 %10.1f us  %10.0f/s  "
        "steals %.2f  looks %5.1f  overtaken %5.0f, %5.0f  timer %.1f, %.1f  post %.1f, %.1f\n",
        name_of(w).c_str(), p.name.c_str(), r.response.p50 / 1e3, r.response.p90 / 1e3,
        r.response.p99 / 1e3, r.response.p999 / 1e3, r.throughput,
        per_handler(r.done.steals, r.done), per_handler(r.done.remote_looks, r.done),
        r.overtaken.p999, r.overtaken.max, r.timer.p50 / 1e3, r.timer.max / 1e3, r.post.p50 / 1e3,
        r.post.max / 1e3);
}

/// The ratios of all cells to those of another policy: their geometric mean, and the worst.
class ratios
{
public:
    void add(double value, double to)
    {
        if (value <= 0 || to <= 0)
            return;
        logs_ += std::log(value / to);
        ++count_;
        worst_ = (std::max)(worst_, value / to);
    }

    double mean() const
    {
        return count_ ? std::exp(logs_ / count_) : 0;
    }

    double worst() const
    {
        return worst_;
    }

private:
    double logs_ = 0;
    double worst_ = 0;
    unsigned count_ = 0;
};

void print_head(char const* to, char const* last)
{
    std::printf("  %-20s %-15s %-15s %-15s %-15s %-13s %7s %7s %10s\n", to, "p50", "p90", "p99",
        "p99.9", last, "steals", "looks", "overtaken");
}

struct summary
{
    ratios p50, p90, p99, p999, slower;
    double steals = 0;
    double looks = 0;
    double overtaken = 0;

    void add(result const& r, result const& to)
    {
        p50.add(r.response.p50, to.response.p50);
        p90.add(r.response.p90, to.response.p90);
        p99.add(r.response.p99, to.response.p99);
        p999.add(r.response.p999, to.response.p999);
        slower.add(to.throughput, r.throughput);
        steals = (std::max)(steals, per_handler(r.done.steals, r.done));
        looks = (std::max)(looks, per_handler(r.done.remote_looks, r.done));
        overtaken = (std::max)(overtaken, r.overtaken.max);
    }

    void print(std::string const& name) const
    {
        std::printf("  %-20s", name.c_str());
        for (ratios const* r : {&p50, &p90, &p99, &p999})
            std::printf(" %6.2f (%6.2f)", r->mean(), r->worst());
        std::printf(" %5.3f (%5.2f)", slower.mean(), slower.worst());
        std::printf(" %7.2f %7.1f %10.0f\n", steals, looks, overtaken);
    }
};

result run(settings& s, policy const& p, workload const& w)
{
    result const r = simulate(p, w, s.cost);
    if (s.csv.is_open())
        write_csv(s.csv, w, p, r);
    if (s.cells)
        print_cell(w, p, r);
    return r;
}

std::vector<workload> served(unsigned workers, nanoseconds work, settings const& s)
{
    std::vector<workload> list;
    workload w;
    w.workers = workers;
    w.work = work;
    w.requests = s.requests;
    w.seed = s.seed;
    for (durations const spread : {durations::constant, durations::exponential, durations::bimodal})
    {
        w.spread = spread;
        w.from = arrivals::open;
        for (double const load : {0.5, 0.8, 0.95})
        {
            w.load = load;
            list.push_back(w);
        }
        w.from = arrivals::closed;
        for (unsigned const each : s.connections)
        {
            w.connections = each * workers;
            list.push_back(w);
        }
    }
    return list;
}

/// Requests: every policy relative to `reference`, over all arrivals and durations.
void compare(settings& s, std::string const& reference)
{
    policy const to = policy_named(reference);
    for (unsigned const workers : s.workers)
    {
        for (nanoseconds const work : s.works)
        {
            std::printf("%u worker%s, %g us\n", workers, workers == 1 ? "" : "s",
                static_cast<double>(work) / 1e3);
            std::vector<summary> all(s.compared.size());
            for (workload const& w : served(workers, work, s))
            {
                result const base = run(s, to, w);
                for (std::size_t i = 0; i != all.size(); ++i)
                    if (s.compared[i].name != to.name)
                        all[i].add(run(s, s.compared[i], w), base);
            }
            print_head(("relative to " + to.name).c_str(), "slower");
            for (std::size_t i = 0; i != all.size(); ++i)
                if (s.compared[i].name != to.name)
                    all[i].print(s.compared[i].name);
            std::fflush(stdout);
        }
    }
}

/// Timers and posts from outside, while handlers post each other without an end.
void lateness(settings& s)
{
    for (unsigned const workers : s.workers)
    {
        for (nanoseconds const work : s.works)
        {
            for (unsigned const chains : {1u, 3u, 8u, 64u})
            {
                workload w;
                w.workers = workers;
                w.work = work;
                w.from = arrivals::chains;
                w.connections = chains;
                w.spread = durations::constant;
                w.requests = s.requests;
                w.seed = s.seed;
                std::printf("%u worker%s, %u chain%s of %g us: late by, in us\n", workers,
                    workers == 1 ? "" : "s", chains, chains == 1 ? "" : "s",
                    static_cast<double>(work) / 1e3);
                std::printf("  %-20s %25s %25s %12s\n", "", "timer p50, max", "post p50, max",
                    "handlers/s");
                for (policy const& p : s.compared)
                {
                    if (p.kind == rules::ideal)
                        continue;
                    result const r = run(s, p, w);
                    std::printf("  %-20s %12.1f %12.1f %12.1f %12.1f %12.4g\n", p.name.c_str(),
                        r.timer.p50 / 1e3, r.timer.max / 1e3, r.post.p50 / 1e3, r.post.max / 1e3,
                        r.throughput);
                }
                std::fflush(stdout);
            }
        }
    }
}

bool near(char const* what, double is, double should_be)
{
    bool const good = std::abs(is / should_be - 1) < 0.05;
    std::printf("%-44s %10.1f us, by the formula %10.1f: %s\n", what, is / 1e3, should_be / 1e3,
        good ? "good" : "WRONG");
    return good;
}

/// The ideal queue against what is known of it (Erlang), and every policy against itself. What is
/// wrong is said; false if anything is.
bool verify(costs const& c)
{
    bool good = true;
    for (unsigned const workers : {1u, 8u})
    {
        workload w;
        w.workers = workers;
        w.work = 1'000'000;
        w.load = 0.7;
        w.requests = 3'000'000;
        result const r = simulate(policies().front(), w, c);
        double const arriving = w.load * capacity(w, c) * static_cast<double>(w.work);
        // Erlang's C: the share of those that wait; they wait exponentially long.
        double blocked = 1;
        for (unsigned n = 1; n <= workers; ++n)
            blocked = arriving * blocked / (n + arriving * blocked);
        double const waiting = blocked * workers / (workers - arriving * (1 - blocked));
        double const rest = (workers - arriving) / static_cast<double>(w.work);
        if (workers == 1)
        {
            good &= near("one worker, exponential: p50", r.response.p50, std::log(2) / rest);
            good &= near("one worker, exponential: p99", r.response.p99, std::log(100) / rest);
        }
        // Posts wait as long as requests; their own work is next to nothing.
        double const p99 = std::log(waiting / 0.01) / rest;
        good &= near(workers == 1 ? "one worker: a request's wait, p99" : "8 workers, the same",
            r.wait.p99, p99);
        if (r.overtaken.max != 0)
        {
            std::printf("the ideal queue was overtaken: WRONG\n");
            good = false;
        }
    }
    for (policy const& p : policies())
    {
        workload w;
        w.workers = 4;
        w.from = arrivals::closed;
        w.spread = durations::bimodal;
        result const one = simulate(p, w, c);
        result const two = simulate(p, w, c);
        bool const same = one.response.p50 == two.response.p50 &&
                          one.response.max == two.response.max &&
                          one.done.steals == two.done.steals && one.done.wakes == two.done.wakes;
        // Whatever became ready has run once.
        bool const all = one.done.handlers == one.ready;
        std::printf("%-8s twice the same: %s; all served: %s\n", p.name.c_str(),
            same ? "good" : "WRONG", all ? "good" : "WRONG");
        good = good && same && all;
    }
    return good;
}

int simulate_as_asked(int argc, char** argv)
{
    po::options_description options("Simulates how workers find their work.");
    options.add_options()("help", "this")(
        "lateness", "timers and posts beside endless chains of posts, in place of requests")(
        "verify", "only test the model against queueing theory, and against itself")("policies",
        po::value<std::string>()->default_value("all"),
        "all, variants, or names separated by semicolons")(
        "to", po::value<std::string>()->default_value("ideal"), "what they are compared with")(
        "workers", po::value<std::string>()->default_value("1,2,4,8,16,64"), "how many")("work",
        po::value<std::string>()->default_value("1,10,20,100,300,5000"),
        "microseconds of a handler")("connections",
        po::value<std::string>()->default_value("4,16,48"), "of a closed loop, per worker")(
        "requests", po::value<std::size_t>()->default_value(20'000), "in each cell")(
        "seed", po::value<std::uint64_t>()->default_value(1), "of the random numbers")("cost",
        po::value<std::vector<std::string>>()->default_value({}, ""),
        "a cost in ns, as in poll=800; may be repeated")("cells", "show every cell")(
        "csv", po::value<std::string>(), "write every cell to this file");
    po::variables_map given;
    po::store(po::parse_command_line(argc, argv, options), given);
    po::notify(given);
    if (given.count("help") != 0)
    {
        std::cout << options;
        return 0;
    }
    settings s;
    s.compared = policies_named(given["policies"].as<std::string>());
    s.workers = numbers<unsigned>(given["workers"].as<std::string>());
    s.works = numbers<nanoseconds>(given["work"].as<std::string>(), 1e3);
    s.connections = numbers<unsigned>(given["connections"].as<std::string>());
    s.requests = (std::max)(given["requests"].as<std::size_t>(), std::size_t{1000});
    s.seed = given["seed"].as<std::uint64_t>();
    s.cells = given.count("cells") != 0;
    for (std::string const& text : given["cost"].as<std::vector<std::string>>())
        set_cost(s.cost, text);
    if (given.count("verify") != 0)
        return verify(s.cost) ? 0 : 1;
    if (given.count("csv") != 0)
    {
        s.csv.open(given["csv"].as<std::string>());
        if (!s.csv)
            throw std::runtime_error("cannot write " + given["csv"].as<std::string>());
        write_csv_head(s.csv);
    }
    if (given.count("lateness") != 0)
        lateness(s);
    else
        compare(s, given["to"].as<std::string>());
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    try
    {
        return simulate_as_asked(argc, argv);
    }
    catch (std::exception const& e)
    {
        std::cerr << "simulation: " << e.what() << '\n';
        return 2;
    }
}
