// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "model/check.hpp"
#include "model/priority_scheduler.hpp"

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

// What a failed assert() of the checked source calls: it becomes an error of the model, with the
// schedule that led to it.
extern "C" void __assert_fail(
    char const* what, char const* file, unsigned line, char const* function) noexcept
{
    if (rl::is_ctx())
        rl::ctx().fail_test(
            what, rl::test_result_user_assert_failed, rl::debug_info(function, file, line));
    std::abort();
}

// Relacy replaces the allocation functions inline and forgets two. The standard library must find
// the same ones, or it frees what another allocator has given.
void operator delete(void* block, std::size_t) noexcept
{
    ::operator delete(block);
}

void operator delete[](void* block, std::size_t) noexcept
{
    ::operator delete[](block);
}

void* (*const volatile emitted_new[])(std::size_t) = {&::operator new, &::operator new[] };
void (*const volatile emitted_delete[])(void*) = {&::operator delete, &::operator delete[] };

namespace model
{

namespace
{

struct options
{
    bool mutant = false;
    unsigned times = 1;
    unsigned share = 1;
    std::vector<std::string> names;

    options(int argc, char** argv)
    {
        for (int i = 1; i != argc; ++i)
        {
            std::string const word = argv[i];
            if (word == "--mutant")
                mutant = true;
            else if (word.compare(0, 8, "--times=") == 0)
                times = static_cast<unsigned>(std::stoul(word.substr(8)));
            else if (word.compare(0, 8, "--share=") == 0)
                share = static_cast<unsigned>(std::stoul(word.substr(8)));
            else
                names.push_back(word);
        }
    }

    bool wants(char const* name) const
    {
        for (std::string const& word : names)
            if (std::strstr(name, word.c_str()))
                return true;
        return names.empty();
    }
};

// A defect may well make the program access memory that is gone, before the checker sees an error.
void found_by_a_crash(int)
{
    static char const said[] = "the defect put in crashes the program\n";
    (void)!::write(STDOUT_FILENO, said, sizeof said - 1);
    ::_exit(EXIT_SUCCESS);
}

void take_crashes_for_errors()
{
    // Of its own stack: the checker's threads have small ones, and may have run out of it.
    static char stack[64 * 1024];
    stack_t where = {};
    where.ss_sp = stack;
    where.ss_size = sizeof stack;
    ::sigaltstack(&where, nullptr);
    struct sigaction what = {};
    what.sa_handler = &found_by_a_crash;
    what.sa_flags = SA_ONSTACK;
    for (int const signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
        ::sigaction(signal, &what, nullptr);
}

check const* running = nullptr;

template <int Threads>
struct suite : rl::test_suite<suite<Threads>, Threads>
{
    suite()
    {
        weft::detail::reset_futexes(running->model.early_wakes);
        model = running->model.make();
    }

    void thread(unsigned index)
    {
        model->thread(index);
    }

    void after()
    {
        model->after();
    }

    std::unique_ptr<any_model> model;
};

// As rl::simulate(), for one scheduler instead of all three. False if there is an error, which goes
// to params.output_stream if `describe`.
template <typename Suite, typename Scheduler>
bool simulate(rl::test_params& params, bool describe)
{
    rl::ostringstream state;
    if (rl::run_test<Suite, Scheduler>(params, state, false) == rl::test_result_success)
        return true;
    if (describe)
    {
        params.initial_state = state.str();
        params.collect_history = true;
        rl::run_test<Suite, Scheduler>(params, state, true);
    }
    return false;
}

// Sets in `params` how the running check makes schedules, and makes them.
template <int Threads>
struct simulation
{
    rl::test_params& params;
    options const& how;

    bool operator()(at_random const& r) const
    {
        return simulate_often<rl::random_scheduler<Threads>>(r.runs);
    }

    bool operator()(by_priority const& p) const
    {
        return simulate_often<priority_scheduler<Threads>>(p.runs);
    }

    bool operator()(exhaustively const& e) const
    {
        params.search_type = rl::fair_context_bound_scheduler_type;
        params.context_bound = e.switches;
        return simulate<suite<Threads>, rl::context_bound_scheduler<Threads>>(params, !how.mutant);
    }

private:
    template <typename Scheduler>
    bool simulate_often(std::uint64_t runs) const
    {
        params.iteration_count = runs * how.times / how.share + 1;
        return simulate<suite<Threads>, Scheduler>(params, !how.mutant);
    }
};

constexpr int most_threads = 5;

template <int Threads = 1>
bool simulate_running(rl::test_params& params, options const& how)
{
    if constexpr (Threads > most_threads)
        throw std::logic_error("a model has more threads than most_threads");
    else if (running->model.threads == Threads)
        return std::visit(simulation<Threads>{params, how}, running->how);
    else
        return simulate_running<Threads + 1>(params, how);
}

// Runs one check; false if it found an error, which it describes.
bool holds(check const& c, options const& how)
{
    // Relacy's own output, of which only a failing schedule is of interest. These streams stay
    // clear of the replaced allocation functions.
    rl::ostringstream progress;
    rl::ostringstream report;
    rl::test_params params;
    params.output_stream = &report;
    params.progress_stream = &progress;
    params.execution_depth_limit = 10000;
    auto const start = std::chrono::steady_clock::now();
    running = &c;
    bool const good = simulate_running(params, how);
    std::chrono::duration<double> const elapsed = std::chrono::steady_clock::now() - start;

    std::cout << c.name << ": " << params.stop_iteration << " iterations, " << elapsed.count()
              << " s";
    if (!good)
        std::cout << ": " << rl::test_result_str(params.test_result);
    std::cout << std::endl;
    if (!good && !how.mutant)
        std::cout << report.str().c_str() << std::endl;
    return good;
}

} // namespace

} // namespace model

// The main function of every program of models:
//
//   program [--mutant] [--times=N] [--share=N] [name...]
//
// runs those whose name contains one of the words, or all, each N times as long as usual, or for
// the N-th part of that, and succeeds if none has an error. With --mutant the program was built
// from a source with a defect put in: it succeeds if one of them has, or if the program crashes.
int main(int argc, char** argv)
{
    model::options const how(argc, argv);
    if (how.mutant)
        model::take_crashes_for_errors();
    unsigned ran = 0;
    bool good = true;
    for (model::check const* c = model::check::first; c && good; c = c->next)
    {
        if (!how.wants(c->name))
            continue;
        ++ran;
        good = model::holds(*c, how);
    }
    if (ran == 0)
    {
        std::cout << "no such model" << std::endl;
        return EXIT_FAILURE;
    }
    if (how.mutant && good)
        std::cout << "the defect put in was not found" << std::endl;
    return good != how.mutant ? EXIT_SUCCESS : EXIT_FAILURE;
}
