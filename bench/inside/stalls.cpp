// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// How soon a watchdog reports a handler that does not return, with its stack, from when that began;
// and whether it reports any that returns in time.

#include "gates.hpp"

#include <weft/io_context.hpp>
#include <weft/watchdog.hpp>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <future>
#include <mutex>
#include <optional>
#include <random>
#include <thread>

namespace inside
{

namespace
{

constexpr auto threshold = 50ms;

// A door that is shut until the report is there.
class door
{
public:
    void open()
    {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            open_ = true;
        }
        changed_.notify_all();
        opened_.set_value();
        held_.reset();
    }

    void computes()
    {
        while (!open_)
        {
        }
    }

    void sleeps()
    {
        while (!open_)
            std::this_thread::sleep_for(1ms);
    }

    void waits_for_mutex()
    {
        const std::lock_guard<std::mutex> lock(shut_);
    }

    void waits_for_future()
    {
        opened_.get_future().get();
    }

    void waits_for_condition()
    {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [this] { return open_.load(); });
    }

private:
    std::atomic<bool> open_{false};
    std::mutex mutex_;
    std::condition_variable changed_;
    std::promise<void> opened_;
    std::mutex shut_;
    // By the thread that opens.
    std::optional<std::unique_lock<std::mutex>> held_{shut_};
};

class watched
{
public:
    watched()
    {
        weft::watchdog_options o;
        o.stall = threshold;
        o.reports_per_minute = 1'000'000;
        o.deadlock_after = 0s;
        o.on_report = [this](const weft::watchdog_report& r)
        {
            const auto now = clock::now();
            const std::lock_guard<std::mutex> lock(mutex_);
            reports_ += 1;
            has_stack_ = !r.threads.empty() && !r.threads[0].stack.empty();
            reported_ = now;
            changed_.notify_all();
        };
        dog_.emplace(o);
        dog_->watch(context);
    }

    ~watched()
    {
        guard_.reset();
        runner_.join();
    }

    std::size_t reports()
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        return reports_;
    }

    struct seen
    {
        // From when the handler began, in thresholds; far too many: never.
        double after = 1000;
        bool has_stack = false;
    };

    seen stall(void (door::*how)())
    {
        door d;
        std::promise<void> ended;
        clock::time_point began;
        const std::size_t before = reports();
        boost::asio::post(context,
            [&]
            {
                began = clock::now();
                (d.*how)();
                ended.set_value();
            });
        seen result;
        {
            std::unique_lock<std::mutex> lock(mutex_);
            if (changed_.wait_for(lock, 20 * threshold, [&] { return reports_ != before; }))
            {
                const std::chrono::duration<double> took = reported_ - began;
                result = {took / threshold, has_stack_};
            }
        }
        d.open();
        ended.get_future().wait();
        return result;
    }

    weft::io_context context;

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t reports_ = 0;
    bool has_stack_ = false;
    clock::time_point reported_;
    std::optional<weft::watchdog> dog_;
    boost::asio::executor_work_guard<weft::io_context::executor_type> guard_{
        context.get_executor()};
    std::thread runner_{[this]
        {
            context.run();
        }};
};

gate one_way(watched& w, const std::string& name, void (door::*how)(), unsigned times)
{
    std::mt19937 random(1);
    std::vector<double> after;
    unsigned in_time = 0;
    unsigned with_stack = 0;
    for (unsigned i = 0; i != times; ++i)
    {
        // At any time between two looks.
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 20'000));
        const watched::seen s = w.stall(how);
        after.push_back(s.after);
        in_time += s.after <= 1.25 ? 1 : 0;
        with_stack += s.has_stack ? 1 : 0;
    }
    std::sort(after.begin(), after.end());
    return {"watchdog: " + name + ", the latest report", after.back(), 1.25, "thresholds",
        std::to_string(in_time) + " of " + std::to_string(times) + " in time, " +
            std::to_string(with_stack) + " with a stack; median " + text_of(median(after)) +
            ", the earliest " + text_of(after.front()) + "; the threshold is 50 ms"};
}

void compute_for(std::chrono::microseconds span)
{
    const auto until = clock::now() + span;
    while (clock::now() < until)
    {
    }
}

// Most are short, and one in two thousand takes 0.8 of the threshold.
std::uint64_t run_short_handlers(watched& w, unsigned count)
{
    const std::size_t before = w.reports();
    std::promise<void> done;
    struct step
    {
        weft::io_context* context;
        std::promise<void>* done;
        unsigned left;

        void operator()() const
        {
            if (left % 2000 == 0)
                std::this_thread::sleep_for(threshold * 8 / 10);
            else
                compute_for(10us);
            if (left == 0)
                done->set_value();
            else
                boost::asio::post(*context, step{context, done, left - 1});
        }
    };
    boost::asio::post(w.context, step{&w.context, &done, count - 1});
    done.get_future().wait();
    return w.reports() - before;
}

} // namespace

gates stalls(bool quick)
{
    watched w;
    const unsigned times = quick ? 3 : 100;
    gates result{one_way(w, "computes", &door::computes, times),
        one_way(w, "sleeps", &door::sleeps, times),
        one_way(w, "waits for a mutex", &door::waits_for_mutex, times),
        one_way(w, "waits for a future", &door::waits_for_future, times),
        one_way(w, "waits for a condition", &door::waits_for_condition, times)};
    result[0].how += "; the first of them is the first report of the process";
    const unsigned count = quick ? 20'000 : 1'000'000;
    result.push_back({"watchdog: reports of handlers that are shorter",
        static_cast<double>(run_short_handlers(w, count)), 0, "",
        std::to_string(count) + " handlers of 10 us, one in 2000 of them of 0.8 thresholds"});
    return result;
}

} // namespace inside
