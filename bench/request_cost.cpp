// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: what does a TCP request cost on weft beside Asio, to a fraction of a per cent? Asio's
// context, weft's, and Asio's once more have a server each in one process, and the load asks them
// in turn, for 20 ms each time: so all three meet the machine as it is at that moment, which may be
// twice as fast as the moment before. What is told is the mean, over some processes, of the median
// ratio of neighbouring turns, and the error of that mean. The second of Asio's says how far two
// contexts differ that are the same.
// Does not show: an absolute figure (see latency_matrix); what a context is like that is never
// interrupted: each sleeps while the others are asked.

#include "support/choices.hpp"
#include "support/columns.hpp"
#include "support/echo_sessions.hpp"
#include "support/isolated.hpp"
#include "support/load_client.hpp"
#include "support/machine.hpp"
#include "support/report.hpp"
#include "support/tcp_server.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace
{

using std::chrono::milliseconds;

constexpr std::array<const char*, 5> measures{"CPU", "throughput", "p50", "p90", "p99"};
using turn = std::array<double, measures.size()>;

struct plan
{
    std::vector<std::string> works{"20", "50", "100"};
    std::vector<std::string> connections{"32", "96"};
    unsigned threads = 2;
    unsigned runs = 6;
    unsigned turns = 60;
    unsigned span = 20;
    // Per cent of what Asio answers in a closed loop; 0 is that.
    unsigned percent = 0;
    bool bimodal = false;
    bool coroutines = false;
};

// A server, and the process that asks it.
class asked
{
public:
    // Before the threads of any other: the process forks.
    asked() = default;

    asked(const asked&) = delete;
    asked& operator=(const asked&) = delete;
    virtual ~asked() = default;

    virtual void start(const plan& p, unsigned connections) = 0;

    // Asks for `span`: in a closed loop, or at random times, so often in a second.
    turn ask(milliseconds span, std::uint32_t rate)
    {
        const auto before = bench::process_usage::precise_cpu();
        const bench::load_result r =
            rate == 0 ? client_.run(span) : client_.run_randomly(milliseconds(0), span, rate);
        if (r.failure[0] != '\0')
            throw std::runtime_error(r.failure);
        const auto cpu =
            static_cast<double>((bench::process_usage::precise_cpu() - before).count());
        const auto requests = static_cast<double>(r.requests);
        return {cpu / requests, requests / std::chrono::duration<double>(r.elapsed).count(),
            r.at(0.5), r.at(0.9), r.at(0.99)};
    }

protected:
    bench::load_client client_;
};

template <class Context>
class asked_server final : public asked
{
public:
    ~asked_server() override
    {
        if (engine_)
            client_.disconnect();
    }

    void start(const plan& p, unsigned connections) override
    {
        engine_.emplace(p.threads);
        if (p.coroutines)
            coroutines_.emplace(*engine_);
        else
            callbacks_.emplace(*engine_);
        const std::string failure =
            client_.connect({p.coroutines ? coroutines_->port() : callbacks_->port(), connections,
                p.bimodal ? bench::heavy_ones::one_in_hundred : bench::heavy_ones::none,
                bench::protocol::echo, 1});
        if (!failure.empty())
            throw std::runtime_error(failure);
    }

private:
    using engine = bench::shared_context<Context>;

    std::optional<engine> engine_;
    std::optional<bench::tcp_server<engine, bench::callback_session>> callbacks_;
    std::optional<bench::tcp_server<engine, bench::coroutine_session>> coroutines_;
};

// By a process: the logarithms of the ratios to Asio's context, weft's first and then those of
// Asio's second one. Which server is made first, and asked first, changes from one run to the next.
std::vector<double> ratios(const plan& p, unsigned connections, unsigned run)
{
    const std::array<std::unique_ptr<asked>, 3> servers{
        std::make_unique<asked_server<boost::asio::io_context>>(),
        std::make_unique<asked_server<weft::io_context>>(),
        std::make_unique<asked_server<boost::asio::io_context>>()};
    for (unsigned i = 0; i != servers.size(); ++i)
        servers[(run + i) % servers.size()]->start(p, connections);

    const milliseconds span(p.span);
    std::uint32_t rate = 0;
    std::vector<double> closed_rates;
    std::array<std::array<std::vector<double>, measures.size()>, 2> found;
    // The first turns, of a closed loop, are for connections and for what adapts itself.
    constexpr unsigned first = 4;
    for (unsigned i = 0; i != p.turns + first; ++i)
    {
        std::array<turn, servers.size()> t{};
        for (unsigned k = 0; k != servers.size(); ++k)
        {
            const unsigned place = i % 2 == 0 ? k : static_cast<unsigned>(servers.size()) - 1 - k;
            const std::size_t which = (run + i + place) % servers.size();
            t[which] = servers[which]->ask(span, rate);
        }
        for (const turn& one : t)
            if (one[1] == 0)
                throw std::runtime_error("no request was answered in a turn: --span is too short");
        if (i < first)
        {
            closed_rates.push_back(t[0][1]);
            if (i == first - 1 && p.percent != 0)
                rate = (std::max)(
                    1u, static_cast<std::uint32_t>(bench::median(closed_rates) * p.percent / 100));
            continue;
        }
        for (std::size_t m = 0; m != measures.size(); ++m)
        {
            found[0][m].push_back(std::log(t[1][m] / t[0][m]));
            found[1][m].push_back(std::log(t[2][m] / t[0][m]));
        }
    }
    std::vector<double> result;
    for (const auto& column : found)
        for (const auto& values : column)
            result.push_back(bench::median(values));
    return result;
}

// The ratio, and the standard error of the mean, of logarithms.
void print(const std::vector<bench::sample>& runs, std::size_t which)
{
    const auto count = static_cast<double>(runs.size());
    double mean = 0;
    for (const bench::sample& s : runs)
        mean += s.extras[which] / count;
    double squares = 0;
    for (const bench::sample& s : runs)
        squares += (s.extras[which] - mean) * (s.extras[which] - mean);
    std::cout << std::setw(9) << std::exp(mean) << " +- " << std::setw(6)
              << (runs.size() < 2 ? 0 : std::sqrt(squares / (count - 1) / count));
}

void measure(const plan& p, unsigned work, unsigned connections)
{
    bench::cell found{0, p.threads, 0, {}, {}, {}, {}, {}};
    for (unsigned run = 0; run != p.runs; ++run)
    {
        bench::in_process_of_its_own(found,
            [&](bench::cell& c) {
                c.samples.push_back({run, 0, ratios(p, connections, run), {}});
            });
        if (!found.failure.empty())
            throw std::runtime_error(found.failure);
    }
    for (std::size_t column = 0; column != 2; ++column)
    {
        std::cout << std::setw(5) << work << " us " << std::setw(4) << connections
                  << (column == 0 ? "  weft::io_context      " : "  asio::io_context again");
        for (std::size_t m = 0; m != measures.size(); ++m)
            print(found.samples, column * measures.size() + m);
        std::cout << std::endl;
    }
}

// Whether only help is wanted, of what bench::choices has left.
bool asks_for_help(int argc, char** argv)
{
    bool help = false;
    for (int i = 1; i != argc; ++i)
    {
        const std::string_view a = argv[i];
        help = help || a == "--help" || a == "-h";
        if (!help && a != "--quick" && a != "-q")
            throw std::invalid_argument("there is no option " + std::string(a));
    }
    return help;
}

plan chosen(int& argc, char** argv)
{
    plan p;
    if (bench::is_quick(argc, argv))
        p = {{"50"}, {"32"}, 2, 2, 10, 20};
    bench::choices options;
    options.add_list("work", p.works, "CPU time of a request, in us");
    options.add_list("connections", p.connections, "how many each server has");
    options.add_number("threads", p.threads, "of each context");
    options.add_number("runs", p.runs, "processes that measure, one after the other");
    options.add_number("turns", p.turns, "of each server in a process");
    options.add_number("span", p.span, "of a turn, in ms");
    options.add_number(
        "load", p.percent, "an open loop of so many per cent of what Asio answers; 0: closed");
    options.add_flag("bimodal", p.bimodal, "one request in a hundred takes 100 times as much");
    options.add_flag("coroutines", p.coroutines, "in the servers, in place of callbacks");
    options.take(argc, argv);
    if (p.threads == 0 || p.runs == 0 || p.turns == 0 || p.span == 0)
        throw std::invalid_argument("threads, runs, turns and span are at least 1");
    return p;
}

} // namespace

int main(int argc, char** argv)
{
    try
    {
        const plan p = chosen(argc, argv);
        if (asks_for_help(argc, argv))
            return 0;
        const auto steps = static_cast<double>(bench::burden::steps_in(milliseconds(1)));
        std::cout << "ratios to asio::io_context, " << p.threads << " threads, " << p.runs
                  << " processes, " << p.turns << " turns of " << p.span << " ms, "
                  << (p.percent == 0 ? "closed loop"
                                     : std::to_string(p.percent) +
                                           " % of what Asio answers in a closed loop")
                  << (p.bimodal ? ", bimodal" : "") << (p.coroutines ? ", coroutines" : "") << "\n"
                  << "work, connections                 ";
        for (const char* m : measures)
            std::cout << std::setw(19) << m;
        std::cout << std::fixed << std::setprecision(4) << std::endl;
        for (const unsigned work : bench::numbers_of(p.works, 100'000))
        {
            bench::burden::set_mean(steps * work / 1000, p.bimodal);
            for (const unsigned n : bench::numbers_of(p.connections, 10'000))
                measure(p, work, std::max(n, 1U));
        }
        return 0;
    }
    catch (const std::exception& e)
    {
        std::cerr << "request_cost: " << e.what() << '\n';
        return 1;
    }
}
