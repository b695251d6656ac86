// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_MODEL_CHECK_HPP
#define WEFT_TEST_MODEL_CHECK_HPP

// Runs models. A model is a class with
//
//   static constexpr int threads;          how many threads it has
//   static constexpr unsigned early_wakes; see relacy_atomics.hpp; 0 if there is none
//   void thread(unsigned index);           what each of them does
//   void after();                          what must hold when all have ended; may be missing
//
// and is followed by WEFT_SCENARIO, which says how it is run. It is made anew for every run. A
// check that fails, a data race, and threads of which none can go on are errors.

#include <weft/platform/atomic.hpp>

#include "model/priority_scheduler.hpp"

#include <boost/config.hpp>

#include <cstdint>
#include <memory>

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

template <typename Model>
struct suite : rl::test_suite<suite<Model>, Model::threads>
{
    suite()
    {
        if constexpr (requires { Model::early_wakes; })
            weft::detail::reset_futexes(Model::early_wakes);
        else
            weft::detail::reset_futexes(0);
        model = std::make_unique<Model>();
    }

    void thread(unsigned index)
    {
        model->thread(index);
    }

    void after()
    {
        if constexpr (requires { model->after(); })
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

/// A model that a program runs, by what name, and how. All of them are in a list.
struct check
{
    using simulation = bool(rl::test_params&, bool describe);

    check(char const* called, std::uint64_t how_often, unsigned at_most, simulation* model)
        : name(called), runs(how_often), switches(at_most), simulate(model)
    {
        *end = this;
        end = &next;
    }

    check(check const&) = delete;

    char const* const name;
    std::uint64_t const runs; // 0: exhaustively
    unsigned const switches;
    simulation* const simulate;
    check const* next = nullptr;

    static inline check const* first = nullptr;
    static inline check const** end = &first;
};

template <typename Model>
check make_check(char const* name, at_random how)
{
    return check(name, how.runs, 0, &simulate<Model, rl::random_scheduler>);
}

template <typename Model>
check make_check(char const* name, by_priority how)
{
    return check(name, how.runs, 0, &simulate<Model, priority_scheduler>);
}

template <typename Model>
check make_check(char const* name, exhaustively how)
{
    return check(name, 0, how.switches, &simulate<Model, rl::context_bound_scheduler>);
}

} // namespace model

/// Behind a model: the program runs it, at_random{1000} times, say, under its own name or another.
#define WEFT_SCENARIO(how, ...) WEFT_SCENARIO_AS(#__VA_ARGS__, how, __VA_ARGS__)
#define WEFT_SCENARIO_AS(name, how, ...)                                                           \
    model::check const BOOST_JOIN(scenario_in_line_, __LINE__) =                                   \
        model::make_check<__VA_ARGS__>(name, model::how)

#endif // WEFT_TEST_MODEL_CHECK_HPP
