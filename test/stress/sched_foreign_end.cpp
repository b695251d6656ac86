// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A context is destroyed as soon as run() has returned, although the thread from outside that made
// it return is still in its call. The sanitizers see what that touches.

#include <weft/io_context.hpp>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <memory>
#include <optional>
#include <thread>

namespace asio = boost::asio;

namespace
{

// `end` is called outside, `tidy_up` after run().
template <typename End, typename TidyUp>
void end_contexts_from_outside(End end, TidyUp tidy_up)
{
    using guard = asio::executor_work_guard<weft::io_context::executor_type>;
    constexpr int rounds = 20'000;

    std::atomic<int> started{0};
    std::atomic<int> ended{0};
    weft::io_context* current = nullptr;
    std::optional<guard> work;
    std::thread outside(
        [&]
        {
            for (int i = 1; i <= rounds; ++i)
            {
                while (started.load(std::memory_order_acquire) != i)
                {
                }
                for (int wait = 0; wait != i * 7 % 200; ++wait)
                    started.load(std::memory_order_relaxed);
                end(*current, *work);
                ended.store(i, std::memory_order_release);
            }
        });
    for (int i = 1; i <= rounds; ++i)
    {
        auto context = std::make_unique<weft::io_context>();
        current = context.get();
        work.emplace(context->get_executor());
        asio::post(*context, [&] { started.store(i, std::memory_order_release); });
        context->run();
        BOOST_REQUIRE(context->stopped());
        tidy_up(work);
        context.reset();
        while (ended.load(std::memory_order_acquire) != i)
            std::this_thread::yield();
    }
    outside.join();
}

} // namespace

BOOST_AUTO_TEST_CASE(the_last_work_guard_goes_outside)
{
    end_contexts_from_outside([](weft::io_context&, auto& work) { work.reset(); }, [](auto&) {});
}

BOOST_AUTO_TEST_CASE(stop_is_called_outside)
{
    end_contexts_from_outside(
        [](weft::io_context& context, auto&) { context.stop(); }, [](auto& work) { work.reset(); });
}
