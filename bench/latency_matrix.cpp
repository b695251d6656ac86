// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: at which load does a TCP server let its clients wait longer than Asio's would? Each
// request of 1 KiB costs the server so many microseconds of CPU, always, or bimodally: one in a
// hundred 100 times as much as the others, with the same mean. Closed loop: every connection sends
// its next request when it has its answer. Open loop: requests arrive at random (Poisson), at 50,
// 80 or 95 % of the rate that Asio sustains in the same cell and round, which is sought by halving;
// one takes the connection that has been idle longest, or waits for the next, and its latency
// counts from when it was due. Both columns get the same requests at the same times. The value is
// p50; the report compares p50, p90, p99, p99.9 and requests per second. `overtakes` says in which
// order a closed loop is served: how many requests that had been sent earlier were not yet answered
// when one was. Without options some of the cells; `--full` asks all. Asio is measured twice: by
// how much two columns that are the same differ. Does not show: a network, or a server alone on its
// cores: the load, a process of its own with one thread, shares them, and its own lateness (`late
// p99`) is in the latencies of both columns.

#include "support/choices.hpp"
#include "support/echo_sessions.hpp"
#include "support/harness.hpp"
#include "support/isolated.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <map>
#include <optional>
#include <stdexcept>
#include <thread>
#include <tuple>

namespace
{

using std::chrono::milliseconds;

// What a row asks for. The row's width is its place in `cases`.
struct load_case
{
    unsigned work_us;
    bool bimodal;
    unsigned connections;
    // Per cent of what Asio can do; 0 is the closed loop.
    unsigned percent;
    bool coroutines;

    std::string name() const
    {
        return std::to_string(work_us) + " us" + (bimodal ? " bimodal, " : ", ") +
               std::to_string(connections) + " connections, " +
               (percent == 0 ? "closed" : std::to_string(percent) + " %") +
               (coroutines ? ", coroutines" : "");
    }

    // The time in which every connection has had a turn: what the first requests, all sent at once,
    // need to be forgotten.
    milliseconds turn(unsigned threads) const
    {
        return milliseconds(work_us * connections / (1000 * at_once(threads)) + 1);
    }

    static unsigned at_once(unsigned threads)
    {
        return std::clamp(threads, 1U, std::max(std::thread::hardware_concurrency(), 1U));
    }
};

std::vector<load_case> cases;
std::uint64_t steps_per_ms = 0;
bench::load_client* client = nullptr;

// A server with its connections, for as long as it lives.
template <class Engine>
class asked_server
{
public:
    asked_server(Engine& engine, const load_case& what, std::uint64_t seed)
    {
        bench::burden::set_mean(
            static_cast<double>(steps_per_ms) * what.work_us / 1000, what.bimodal);
        if (what.coroutines)
            coroutines_.emplace(engine);
        else
            callbacks_.emplace(engine);
        const auto heavy =
            what.bimodal ? bench::heavy_ones::one_in_hundred : bench::heavy_ones::none;
        const std::string failure =
            client->connect({what.coroutines ? coroutines_->port() : callbacks_->port(),
                what.connections, heavy, bench::protocol::echo, seed});
        if (!failure.empty())
            throw std::runtime_error(failure);
    }

    asked_server(const asked_server&) = delete;
    asked_server& operator=(const asked_server&) = delete;

    ~asked_server()
    {
        client->disconnect();
    }

private:
    std::optional<bench::tcp_server<Engine, bench::callback_session>> callbacks_;
    std::optional<bench::tcp_server<Engine, bench::coroutine_session>> coroutines_;
};

template <class Engine>
class latency_matrix
{
public:
    latency_matrix(Engine& engine, const bench::setting& s)
        : case_(cases[s.what.width]), rate_(static_cast<std::uint32_t>(s.yardstick)),
          server_(engine, case_, s.round + 1)
    {
        const milliseconds turn = case_.turn(engine.threads());
        // For p99.9 of long requests, and so that the queue of a closed loop is seen to turn.
        const milliseconds enough(2 * case_.work_us / load_case::at_once(engine.threads()));
        span_ = std::max({milliseconds(s.operations), std::min(enough, milliseconds(1000)),
            rate_ == 0 ? 3 * turn : milliseconds(0)});
        lead_ = std::max(milliseconds(100), rate_ == 0 ? turn : milliseconds(0));
        verified_ = milliseconds(20) + 4 * turn;
    }

    bench::outcome operator()()
    {
        // The first iteration, which is not measured, only verifies: every other has its own lead.
        const bool first = std::exchange(first_, false);
        const milliseconds lead = first ? milliseconds(0) : lead_;
        const milliseconds span = first ? verified_ : span_;
        const bench::load_result r = rate_ == 0 || first ? client->run_steadily(lead, span)
                                                         : client->run_randomly(lead, span, rate_);
        if (r.failure[0] != '\0')
            return bench::failed(r.failure);
        return {r.requests, r.elapsed, r.at(0.5),
            {r.at(0.9), r.at(0.99), r.at(0.999), r.at(1), r.per_second, r.late_p99, r.late_p999,
                r.overtakes_p99, r.overtakes_max}};
    }

private:
    const load_case& case_;
    std::uint32_t rate_;
    asked_server<Engine> server_;
    milliseconds span_{0};
    milliseconds lead_{0};
    // The load's process may be late itself: some connection is to have its answer in time.
    milliseconds verified_{0};
    bool first_ = true;
};

// Whether Asio's server keeps up with an open loop of that rate: nine in ten of its requests find a
// connection that is idle, and are answered before twenty others of their kind would have been.
bool sustains(const load_case& what, std::uint32_t rate)
{
    const milliseconds lead(50);
    const bench::load_result r =
        client->run_randomly(lead, milliseconds(150) + what.turn(1) / 4, rate);
    if (r.failure[0] != '\0')
        throw std::runtime_error(r.failure);
    const double p90 = r.at(0.9);
    return p90 * r.per_second / 1e6 <= what.connections && p90 <= 20.0 * (what.work_us + 50);
}

// Requests per second of an open loop that Asio sustains, in a process of its own: at most those of
// its closed loop. That answers more than an open loop could be asked for: the load sends whole
// batches there, and one request at a time costs both processes more.
double measured_capacity(const load_case& what, unsigned threads)
{
    bench::cell found{0, threads, 0, {}, {}, {}, {}, {}};
    bench::in_process_of_its_own(found,
        [&](bench::cell& c)
        {
            ::alarm(60);
            bench::shared_context<boost::asio::io_context> engine(threads);
            const asked_server server(engine, what, 1);
            const milliseconds turn = what.turn(threads);
            const bench::load_result r = client->run_steadily(
                std::max(milliseconds(100), turn), std::max(milliseconds(300), 3 * turn));
            c.failure = r.failure;
            double least = r.per_second / 32;
            double most = r.per_second;
            for (int i = 0; i != 5 && c.failure.empty(); ++i)
            {
                const double rate = (least + most) / 2;
                (sustains(what, static_cast<std::uint32_t>(rate)) ? least : most) = rate;
            }
            c.samples.push_back({0, least, {}, {}});
        });
    if (!found.failure.empty())
        throw std::runtime_error("Asio's capacity: " + found.failure);
    return found.samples.front().value;
}

// The rate of an open loop; of a closed one 0. Measured in each round: the machine is not as fast
// in one as in the next.
double rate_of(const bench::row& what, unsigned threads, unsigned round)
{
    struct measured
    {
        unsigned round = 0;
        double capacity = 0;
    };
    static std::map<std::tuple<unsigned, bool, unsigned, bool, unsigned>, measured> capacities;
    const load_case& c = cases[what.width];
    if (c.percent == 0)
        return 0;
    measured& m = capacities[{c.work_us, c.bimodal, c.connections, c.coroutines, threads}];
    if (m.capacity <= 0 || m.round != round)
        m = {round, measured_capacity(c, threads)};
    return m.capacity * c.percent / 100;
}

struct load_manner
{
    bench::load_priority priority = bench::load_priority::equal;
    bench::load_waits waits = bench::load_waits::asleep;
};

// Fills `cases`. Says whether all of them are wanted.
bool choose(int& argc, char** argv, unsigned& span, load_manner& manner)
{
    const bool quick = bench::is_quick(argc, argv);
    using texts = std::vector<std::string>;
    texts works = quick ? texts{"20", "300"} : texts{"20", "100", "300"};
    texts connections{"32", "96"};
    texts loads = quick ? texts{"closed"} : texts{"closed", "80"};
    texts shapes{"constant"};
    texts styles{"callbacks"};
    bool full = false;
    bool load_first = false;
    bool load_awake = false;
    unsigned steps = 0;

    bench::choices options;
    options.add_flag("full", full, "all cells, in place of the lists below (takes hours)");
    options.add_list("work", works, "CPU time of a request, in us, on average");
    options.add_list("shape", shapes, "of this work: constant, bimodal");
    options.add_list("connections", connections, "how many there are");
    options.add_list("load", loads, "closed, or per cent of the open loop that Asio sustains");
    options.add_list("style", styles, "of the server: callbacks, coroutines");
    options.add_number("span", span, "for which a column is measured in a round, in ms, at least");
    options.add_number("steps", steps,
        "of work that take 1 ms; 0: measured, which differs by some per cent from one process to "
        "another");
    options.add_flag("load-first", load_first,
        "the load's process goes before the server's threads wherever both want a core");
    options.add_flag("load-awake", load_awake,
        "the load's process never sleeps: no answer wakes it, and it keeps a core busy");
    options.take(argc, argv);
    steps_per_ms = steps != 0 ? steps : bench::burden::steps_in(milliseconds(1));
    // One that never sleeps and goes first leaves nothing of its core for as long as the kernel
    // lets it, a second almost.
    if (load_first && load_awake)
        throw std::invalid_argument("--load-first and --load-awake exclude each other");
    if (load_first)
        manner.priority = bench::load_priority::first;
    if (load_awake)
        manner.waits = bench::load_waits::awake;
    if (full)
    {
        works = {"0", "10", "20", "50", "100", "200", "300", "1000"};
        shapes = {"constant", "bimodal"};
        connections = {"8", "32", "64", "96", "512"};
        loads = {"closed", "50", "80", "95"};
        styles = {"callbacks", "coroutines"};
    }
    std::replace(loads.begin(), loads.end(), std::string("closed"), std::string("0"));

    const bench::either shape = bench::one_or_both(shapes, "constant", "bimodal");
    const bench::either style = bench::one_or_both(styles, "callbacks", "coroutines");
    for (const unsigned work : bench::numbers_of(works, 100'000))
    {
        for (const bool bimodal : {false, true})
        {
            // There are no two ways to do nothing.
            if (bimodal ? !shape.second || (work == 0 && shape.first) : !shape.first)
                continue;
            for (const unsigned n : bench::numbers_of(connections, 10'000))
            {
                for (const unsigned percent : bench::numbers_of(loads, 100))
                {
                    for (const bool coroutines : {false, true})
                    {
                        if (coroutines ? style.second : style.first)
                            cases.push_back({work, bimodal, std::max(n, 1U), percent, coroutines});
                    }
                }
            }
        }
    }
    return full;
}

} // namespace

int main(int argc, char** argv)
{
    std::optional<bench::load_client> forked;
    bench::question asked{"latency_matrix", "one request that costs so much CPU", {}};
    unsigned span = bench::is_quick(argc, argv) ? 250 : 400;
    try
    {
        load_manner manner;
        const bool all = choose(argc, argv, span, manner);
        client = &forked.emplace(manner.priority, manner.waits);
        if (all)
        {
            asked.threads = {1, 2, 4};
            asked.budget = std::chrono::hours(24);
        }
        else
        {
            asked.threads = {2};
            asked.budget = std::chrono::minutes(4);
        }
    }
    catch (const std::exception& e)
    {
        std::cerr << asked.name << ": " << e.what() << '\n';
        return 2;
    }
    for (std::size_t i = 0; i != cases.size(); ++i)
        asked.rows.push_back({cases[i].name(), span, span, i});
    asked.unit = "us of latency, p50,";
    asked.extras = {"p90", "p99", "p99.9", "max", "per second", "late p99", "late p99.9",
        "overtakes p99", "overtakes max"};
    asked.allocates = false;
    asked.quick_threads = {2};
    asked.iterations = 1;
    asked.rounds = 7;
    asked.yardstick = rate_of;
    std::vector<bench::column> columns = bench::columns_of<latency_matrix>();
    // Asio's context and weft's; and Asio's once more, beside which is seen by how much two columns
    // differ that are the same.
    columns.resize(2);
    columns.push_back({"asio::io_context again", columns.front().make});
    return bench::run(argc, argv, asked, columns);
}
