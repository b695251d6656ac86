// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: what does a TCP request cost on weft beside Asio, to a fraction of a per cent? Asio's
// context, weft's, and Asio's once more have a server each in one process, and the load asks them
// in turn, for 20 ms each time (a closed loop): so all three meet the machine as it is at that
// moment, which may be twice as fast as the moment before. What is told is the mean, over some
// processes, of the median ratio of neighbouring turns, and the error of that mean. The second of
// Asio's says how far two contexts differ that are the same.
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
#include <functional>
#include <iomanip>
#include <iostream>
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
};

// A server, and the process that asks it.
template <class Context>
class asked
{
public:
    // Forks, and so comes before the threads of all.
    asked() = default;

    asked(const asked&) = delete;
    asked& operator=(const asked&) = delete;

    ~asked()
    {
        if (server_)
            client_.disconnect();
    }

    void start(unsigned threads, unsigned connections)
    {
        engine_.emplace(threads);
        server_.emplace(*engine_);
        const std::string failure = client_.connect(
            {server_->port(), connections, bench::heavy_ones::none, bench::protocol::echo, 1});
        if (!failure.empty())
            throw std::runtime_error(failure);
    }

    turn ask(milliseconds span)
    {
        const auto before = bench::process_usage::precise_cpu();
        const bench::load_result r = client_.run(span);
        if (r.failure[0] != '\0')
            throw std::runtime_error(r.failure);
        const auto cpu =
            static_cast<double>((bench::process_usage::precise_cpu() - before).count());
        const auto requests = static_cast<double>(r.requests);
        return {cpu / requests, requests / static_cast<double>(r.elapsed.count()), r.at(0.5),
            r.at(0.9), r.at(0.99)};
    }

private:
    using engine = bench::shared_context<Context>;

    bench::load_client client_;
    std::optional<engine> engine_;
    std::optional<bench::tcp_server<engine, bench::callback_session>> server_;
};

// By a process: the logarithms of the ratios to Asio's context, weft's first and then those of
// Asio's second one. Which server is made first, and asked first, changes from one run to the next.
std::vector<double> ratios(const plan& p, unsigned connections, unsigned run)
{
    asked<boost::asio::io_context> asio;
    asked<weft::io_context> woven;
    asked<boost::asio::io_context> again;
    std::vector<std::function<void()>> start{[&] { asio.start(p.threads, connections); },
        [&] { woven.start(p.threads, connections); },
        [&]
        {
            again.start(p.threads, connections);
        }};
    std::rotate(start.begin(), start.begin() + run % 3, start.end());
    for (const auto& one : start)
        one();

    const milliseconds span(p.span);
    std::array<std::array<std::vector<double>, measures.size()>, 2> found;
    for (unsigned i = 0; i != p.turns + 2; ++i)
    {
        std::array<turn, 3> t{};
        std::vector<std::function<void()>> ask{[&] { t[0] = asio.ask(span); },
            [&] { t[1] = woven.ask(span); },
            [&]
            {
                t[2] = again.ask(span);
            }};
        std::rotate(ask.begin(), ask.begin() + (run + i) % 3, ask.end());
        if (i % 2 != 0)
            std::reverse(ask.begin(), ask.end());
        for (const auto& one : ask)
            one();
        // The first ones are for connections and for what adapts itself.
        if (i < 2)
            continue;
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
                  << " processes, " << p.turns << " turns of " << p.span << " ms\n"
                  << "work, connections                 ";
        for (const char* m : measures)
            std::cout << std::setw(19) << m;
        std::cout << std::fixed << std::setprecision(4) << std::endl;
        for (const unsigned work : bench::numbers_of(p.works, 100'000))
        {
            const auto light = static_cast<std::uint64_t>(steps * work / 1000);
            bench::burden::set(light, light);
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
