// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_MODEL_CHECK_HPP
#define WEFT_TEST_MODEL_CHECK_HPP

// Runs models. A model is a class with
//
//   static constexpr int threads;          how many threads it has
//   static constexpr unsigned early_wakes; see relacy_atomics.hpp
//   void thread(unsigned index);           what each of them does
//   void after();                          what must hold when all have ended
//
// It is made anew for every run. A check that fails, a data race, and threads of which none can go
// on are errors.

#include <weft/platform/atomic.hpp>

#include "model/priority_scheduler.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace model
{

using weft::detail::site;

/// An error of the model if `holds` is false; does not return then.
inline void require(bool holds, char const* what, site at = site())
{
    if (!holds)
        rl::ctx().fail_test(what, rl::test_result_user_assert_failed, at);
}

/// A number below `limit`, every one of which is tried.
inline unsigned choose(unsigned limit)
{
    return rl::rand(limit);
}

/// Makes one schedule after the other, each at random but the same in every execution.
struct at_random
{
    std::uint64_t runs;
};

/// The same, where threads take many steps: priority_scheduler.hpp.
struct by_priority
{
    std::uint64_t runs;
};

/// Makes every schedule that takes the processor away from a thread at most `switches` times.
struct exhaustively
{
    unsigned switches;
};

struct check
{
    char const* name;
    std::uint64_t runs; // 0: exhaustively
    unsigned switches;
    bool (*simulate)(rl::test_params&, bool describe);
};

template <typename Model>
struct suite : rl::test_suite<suite<Model>, Model::threads>
{
    suite()
    {
        weft::detail::reset_futexes(Model::early_wakes);
        model = std::make_unique<Model>();
    }

    void thread(unsigned index)
    {
        model->thread(index);
    }

    void after()
    {
        model->after();
    }

    std::unique_ptr<Model> model;
};

// As rl::simulate(), for one scheduler instead of all three. False if there is an error, which goes
// to params.output_stream if `describe`.
template <typename Model, template <rl::thread_id_t> class Scheduler>
bool simulate(rl::test_params& params, bool describe)
{
    using scheduler = Scheduler<Model::threads>;
    rl::ostringstream state;
    if (rl::run_test<suite<Model>, scheduler>(params, state, false) == rl::test_result_success)
        return true;
    if (describe)
    {
        params.initial_state = state.str();
        params.collect_history = true;
        rl::run_test<suite<Model>, scheduler>(params, state, true);
    }
    return false;
}

template <typename Model>
check make_check(char const* name, at_random how)
{
    return {name, how.runs, 0, &simulate<Model, rl::random_scheduler>};
}

template <typename Model>
check make_check(char const* name, by_priority how)
{
    return {name, how.runs, 0, &simulate<Model, priority_scheduler>};
}

template <typename Model>
check make_check(char const* name, exhaustively how)
{
    return {name, 0, how.switches, &simulate<Model, rl::context_bound_scheduler>};
}

/// The main function of a program of models:
///
///   program [--mutant] [--times=N] [--share=N] [name...]
///
/// runs those whose name contains one of the words, or all, each N times as long as usual, or for
/// the N-th part of that, and succeeds if none has an error. With --mutant the program was built
/// from a source with a defect put in: it succeeds if one of them has, or if the program crashes.
int run(int argc, char** argv, std::vector<check> const& checks);

} // namespace model

#endif // WEFT_TEST_MODEL_CHECK_HPP
