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

#include <boost/config.hpp>

#include <cstdint>
#include <memory>
#include <string_view>
#include <variant>

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

/// A model, for those who run it: the checker's own templates are large, and depend on nothing but
/// how many threads there are.
struct any_model
{
    any_model() = default;
    any_model(any_model const&) = delete;
    virtual ~any_model() = default;
    virtual void thread(unsigned index) = 0;
    virtual void after() = 0;
};

template <typename Model>
struct model_of final : any_model
{
    void thread(unsigned index) override
    {
        model.thread(index);
    }

    void after() override
    {
        if constexpr (requires { model.after(); })
            model.after();
    }

    Model model;
};

/// What there is to know of a model before it is made.
struct model_kind
{
    int threads;
    unsigned early_wakes;
    std::unique_ptr<any_model> (*make)();
};

template <typename Model>
model_kind kind_of()
{
    model_kind kind{Model::threads, 0,
        []
        {
            return std::unique_ptr<any_model>(new model_of<Model>);
        }};
    if constexpr (requires { Model::early_wakes; })
        kind.early_wakes = Model::early_wakes;
    return kind;
}

using schedules = std::variant<at_random, by_priority, exhaustively>;

/// A model that a program runs, by what name, and how. All of them are in a list.
struct check
{
    check(char const* called, schedules which, model_kind of_model)
        : name(called), how(which), model(of_model)
    {
        *end = this;
        end = &next;
    }

    check(check const&) = delete;

    char const* const name;
    schedules const how;
    model_kind const model;
    check const* next = nullptr;

    static inline check const* first = nullptr;
    static inline check const** end = &first;
};

/// Whether `name` contains one of the words of WEFT_MODEL_CHECKS, which are divided by |: a mutant
/// is compiled with those models only that are to find it. Without the macro: true.
constexpr bool is_compiled([[maybe_unused]] std::string_view name)
{
#ifdef WEFT_MODEL_CHECKS
    std::string_view words = WEFT_MODEL_CHECKS;
    for (;;)
    {
        auto const end = words.find('|');
        if (name.find(words.substr(0, end)) != name.npos)
            return true;
        if (end == words.npos)
            return false;
        words.remove_prefix(end + 1);
    }
#else
    return true;
#endif
}

/// The check that WEFT_SCENARIO makes of a model; none of one that is not compiled.
template <bool Compiled, typename Model>
struct scenario : check
{
    scenario(char const* name, schedules how) : check(name, how, kind_of<Model>())
    {
    }
};

template <typename Model>
struct scenario<false, Model>
{
    scenario(char const*, schedules)
    {
    }
};

} // namespace model

/// Behind a model: the program runs it, at_random{1000} times, say, under its own name or another.
#define WEFT_SCENARIO(how, ...) WEFT_SCENARIO_AS(#__VA_ARGS__, how, __VA_ARGS__)
#define WEFT_SCENARIO_AS(name, how, ...)                                                           \
    model::scenario<model::is_compiled(name), __VA_ARGS__> const BOOST_JOIN(                       \
        scenario_in_line_, __LINE__)(name, model::how)

#endif // WEFT_TEST_MODEL_CHECK_HPP
