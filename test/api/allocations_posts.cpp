// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/io_context.hpp>
#include <weft/thread_pool.hpp>

#include "api/steady_state.hpp"
#include "support/cases.hpp"

#include <cstdlib>
#include <new>

namespace
{

namespace execution = boost::asio::execution;

constexpr int links = 50;
constexpr int chains = 4;

// Each link of a chain submits the next through `submit`, until the last window is over.
template <class Submit, std::size_t Ballast = 1>
struct chain
{
    Submit submit;
    test::steady_state& state;
    int link = 0;
    std::array<char, Ballast> ballast{};

    void operator()()
    {
        if (++link % links == 0)
            state.part_done();
        if (state.finished())
            return;
        // A copy, since what is called must not be moved away meanwhile.
        const Submit next = submit;
        next(std::move(*this));
    }
};

template <std::size_t Ballast, class Submit>
void start_chains(test::steady_state& state, const Submit& submit)
{
    state.start(chains, [] {});
    for (int i = 0; i != chains; ++i)
        submit(chain<Submit, Ballast>{submit, state});
}

template <std::size_t Ballast = 1, class MakeSubmit>
void check_chains(MakeSubmit make_submit)
{
    for (std::size_t threads : {1u, 2u})
    {
        BOOST_TEST_CONTEXT("threads: " << threads)
        {
            weft::io_context context;
            test::steady_state state;
            asio::post(context, [&] { start_chains<Ballast>(state, make_submit(context)); });
            test::run_on(context, threads);
            state.check_allocates_nothing(threads, chains * links);
        }
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(allocations_posts)

BOOST_AUTO_TEST_CASE(the_hook_sees_every_kind_of_allocation)
{
    BOOST_TEST(test::allocations_in([] { ::operator delete(::operator new(8)); }) == 1u);
    BOOST_TEST(test::allocations_in([] { ::operator delete[](::operator new[](8)); }) == 1u);
    BOOST_TEST(test::allocations_in(
                   []
                   {
                       constexpr std::align_val_t line{64};
                       ::operator delete(::operator new(64, line), line);
                   }) == 1u);
    BOOST_TEST(test::allocations_in([] { std::free(std::aligned_alloc(64, 64)); }) == 1u);
    BOOST_TEST(test::allocations_in(
                   []
                   {
                       void* block = nullptr;
                       if (::posix_memalign(&block, 64, 64) == 0)
                           std::free(block);
                   }) == 1u);
    // More than fits into the function object, which outlives the lambda: a compiler may leave out
    // an allocation that it sees the end of.
    struct
    {
        char bytes[256];
        void operator()() const
        {
        }
    } large{};
    std::function<void()> function;
    BOOST_TEST(test::allocations_in([&] { function = large; }) == 1u);
    function();
}

BOOST_AUTO_TEST_CASE(a_workload_that_allocates_is_noticed)
{
    weft::io_context context;
    test::steady_state state;
    asio::post(context,
        [&]
        {
            state.start(1,
                [&] {
                    asio::post(
                        context, [&, leaked = std::make_shared<int>(0)] { state.part_done(); });
                });
        });
    context.run();
    BOOST_TEST(state.finished());
    BOOST_TEST(state.allocations_in_quietest_window() >=
               static_cast<std::size_t>(test::steady_state::rounds_per_window));
}

BOOST_AUTO_TEST_CASE(chained_posts_allocate_nothing)
{
    check_chains(
        [](weft::io_context& context)
        {
            return [&context](auto link)
            {
                asio::post(context, std::move(link));
            };
        });
}

BOOST_AUTO_TEST_CASE(chained_defers_allocate_nothing)
{
    check_chains(
        [](weft::io_context& context)
        {
            return [&context](auto link)
            {
                asio::defer(context, std::move(link));
            };
        });
}

BOOST_AUTO_TEST_CASE(chained_executes_of_every_variant_allocate_nothing)
{
    check_chains(
        [](weft::io_context& context)
        {
            const auto executor = asio::require(context.get_executor(), execution::blocking.never,
                execution::outstanding_work.tracked);
            return [executor](auto link)
            {
                executor.execute(std::move(link));
            };
        });
    check_chains(
        [](weft::io_context& context)
        {
            const auto executor = asio::require(context.get_executor(), execution::blocking.never,
                execution::relationship.continuation);
            return [executor](auto link)
            {
                executor.execute(std::move(link));
            };
        });
}

BOOST_AUTO_TEST_CASE(chained_posts_through_the_ts_members_allocate_nothing)
{
    check_chains(
        [](weft::io_context& context)
        {
            return [executor = context.get_executor()](auto link)
            {
                executor.post(std::move(link), std::allocator<void>());
            };
        });
}

BOOST_AUTO_TEST_CASE(chained_posts_through_any_io_executor_allocate_nothing)
{
    check_chains(
        [](weft::io_context& context)
        {
            return [executor = asio::any_io_executor(context.get_executor())](auto link)
            {
                asio::post(executor, std::move(link));
            };
        });
}

BOOST_AUTO_TEST_CASE(chained_posts_through_a_strand_allocate_nothing)
{
    check_chains(
        [](weft::io_context& context)
        {
            return [strand = asio::make_strand(context)](auto link)
            {
                asio::post(strand, std::move(link));
            };
        });
}

BOOST_AUTO_TEST_CASE(handlers_of_900_bytes_allocate_nothing_either)
{
    const auto make_submit = [](weft::io_context& context)
    {
        return [&context](auto link)
        {
            asio::post(context, std::move(link));
        };
    };
    check_chains<32>(make_submit);
    check_chains<200>(make_submit);
    check_chains<500>(make_submit);
    check_chains<900>(make_submit);
}

BOOST_AUTO_TEST_CASE(fan_out_bursts_allocate_nothing)
{
    for (int burst : {100, 1000})
    {
        for (std::size_t threads : {1u, 2u})
        {
            BOOST_TEST_CONTEXT("burst: " << burst << ", threads: " << threads)
            {
                weft::io_context context;
                test::steady_state state;
                asio::post(context,
                    [&]
                    {
                        state.start(burst,
                            [&]
                            {
                                for (int i = 0; i != burst; ++i)
                                    asio::post(context, [&] { state.part_done(); });
                            });
                    });
                test::run_on(context, threads);
                state.check_allocates_nothing(threads, static_cast<std::size_t>(burst));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(a_pool_allocates_nothing_for_chains_and_bursts)
{
    for (std::size_t threads : {1u, 2u})
    {
        BOOST_TEST_CONTEXT("threads: " << threads)
        {
            {
                weft::thread_pool pool(threads);
                test::steady_state state;
                const auto submit = [&pool](auto link)
                {
                    asio::post(pool, std::move(link));
                };
                asio::post(pool, [&] { start_chains<1>(state, submit); });
                pool.join();
                state.check_allocates_nothing(threads, chains * links);
            }
            {
                weft::thread_pool pool(threads);
                test::steady_state state;
                asio::post(pool,
                    [&]
                    {
                        state.start(1000,
                            [&]
                            {
                                for (int i = 0; i != 1000; ++i)
                                    asio::post(pool, [&] { state.part_done(); });
                            });
                    });
                pool.join();
                state.check_allocates_nothing(threads, 1000);
            }
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
