// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// Question: what does it cost to hand the turn to the other side? Three ways: handlers of two
// strands of one context that post to each other; two coroutines in one strand, each waiting for
// its own timer that the other cancels; handlers of two contexts (each with all the threads of the
// column) that post across. An operation is one hand-over.
// Does not show: many pairs at once. With two contexts the kernel's wake-up is what is measured.

#include "support/harness.hpp"
#include "support/tally.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <optional>

enum way : std::size_t
{
    two_strands,
    two_coroutines,
    two_contexts
};

struct game
{
    std::uint64_t handovers;
    std::uint64_t end;
    bench::countdown done;
};

template <class Executor>
struct ball
{
    game* in;
    const Executor* here;
    const Executor* there;

    void operator()() const
    {
        if (++in->handovers == in->end)
            in->done.arrive();
        else
            boost::asio::post(*there, ball{in, there, here});
    }
};

template <class Executor>
struct player
{
    using clock = std::chrono::steady_clock;
    using timer_type =
        boost::asio::basic_waitable_timer<clock, boost::asio::wait_traits<clock>, Executor>;

    explicit player(const Executor& executor) : timer(executor, clock::time_point::max())
    {
    }

    timer_type timer;
};

template <class Executor>
boost::asio::awaitable<void, Executor> play(
    game* in, player<Executor>* me, player<Executor>* other, bool serves)
{
    boost::system::error_code cancelled;
    boost::asio::use_awaitable_t<Executor> token;
    if (!serves)
        co_await me->timer.async_wait(boost::asio::redirect_error(token, cancelled));
    while (in->handovers < in->end)
    {
        ++in->handovers;
        other->timer.cancel();
        if (in->handovers < in->end)
            co_await me->timer.async_wait(boost::asio::redirect_error(token, cancelled));
    }
    in->done.arrive();
}

template <class Engine>
class ping_pong
{
public:
    ping_pong(Engine& engine, const bench::setting& s)
        : engine_(engine), way_(static_cast<way>(s.what.width))
    {
        game_.end = s.operations;
        if (way_ == two_contexts)
            other_.emplace(engine.threads());
    }

    ~ping_pong()
    {
        // The last hand-over may have been played before the post that made it has returned.
        if (other_)
        {
            engine_.finish();
            other_->finish();
        }
    }

    bench::outcome operator()()
    {
        game_.handovers = 0;
        game_.done.expect(way_ == two_coroutines ? 2 : 1);
        bool right = false;
        const auto start = bench::clock::now();
        switch (way_)
        {
        case two_strands:
            right = strands();
            break;
        case two_coroutines:
            right = coroutines();
            break;
        case two_contexts:
            right = post(engine_.executor(0), other_->executor(0));
            break;
        }
        const auto elapsed = bench::clock::now() - start;
        if (!right || game_.handovers != game_.end)
            return bench::failed("the turn was lost or doubled");
        return {game_.end, elapsed};
    }

private:
    using executor_type = typename Engine::executor_type;
    using strand_type = boost::asio::strand<executor_type>;

    template <class Executor>
    bool post(const Executor& a, const Executor& b)
    {
        boost::asio::post(a, ball<Executor>{&game_, &a, &b});
        return game_.done.wait();
    }

    bool strands()
    {
        const strand_type a(engine_.executor(0));
        const strand_type b(engine_.executor(1));
        return post(a, b);
    }

    bool coroutines()
    {
        const strand_type both(engine_.executor(0));
        player<strand_type> a(both);
        player<strand_type> b(both);
        boost::asio::co_spawn(both, play(&game_, &b, &a, false), boost::asio::detached);
        boost::asio::co_spawn(both, play(&game_, &a, &b, true), boost::asio::detached);
        return game_.done.wait();
    }

    Engine& engine_;
    way way_;
    std::optional<Engine> other_;
    game game_{};
};

int main(int argc, char** argv)
{
    bench::question asked{"ping_pong", "one hand-over of the turn",
        {{"two strands", 30'000, 20'000, two_strands},
            {"two coroutines, timers", 30'000, 10'000, two_coroutines},
            {"two contexts", 3'000, 1'000, two_contexts}}};
    return bench::run<ping_pong>(argc, argv, asked);
}
