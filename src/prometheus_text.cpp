// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// The text format of Prometheus:
// https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format

#include <weft/metrics.hpp>

#include "number_text.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

inline namespace WEFT_LOCAL
{

/// Labels as they stand between braces: key="value",key="value".
class labels
{
public:
    labels& add(std::string_view key, std::string_view value)
    {
        if (!text_.empty())
            text_ += ',';
        text_ += key;
        text_ += "=\"";
        for (char const c : value)
        {
            if (c == '\\' || c == '"')
                text_ += '\\';
            if (c == '\n')
                text_ += "\\n";
            else
                text_ += c;
        }
        text_ += '"';
        return *this;
    }

    labels& add(std::string_view key, std::uint64_t value)
    {
        return add(key, std::to_string(value));
    }

    void append_to(std::string& out) const
    {
        if (!text_.empty())
            ((out += '{') += text_) += '}';
    }

private:
    std::string text_;
};

struct summed_primitive
{
    std::size_t waiting = 0;
    std::chrono::nanoseconds longest_wait{0};
    std::uint64_t contended = 0;
    std::size_t length = 0;
    duration_histogram wait_time;
};

class prometheus_writer
{
public:
    explicit prometheus_writer(std::string_view context_name)
    {
        if (!context_name.empty())
            common_.add("context", context_name);
    }

    labels common() const
    {
        return common_;
    }

    void begin(std::string_view name, std::string_view type, std::string_view help)
    {
        name_ = name;
        (((out_ += "# HELP ") += name) += ' ') += help;
        ((((out_ += "\n# TYPE ") += name) += ' ') += type) += '\n';
    }

    void line(labels const& l, std::uint64_t value, std::string_view suffix = {})
    {
        start(l, suffix);
        append_number(out_, value);
        out_ += '\n';
    }

    void line(labels const& l, std::chrono::nanoseconds value, std::string_view suffix = {})
    {
        start(l, suffix);
        append_seconds(out_, value);
        out_ += '\n';
    }

    void count(std::string_view name, std::string_view help, std::uint64_t value)
    {
        begin(name, "counter", help);
        line(common_, value);
    }

    void gauge(std::string_view name, std::string_view help, std::uint64_t value)
    {
        begin(name, "gauge", help);
        line(common_, value);
    }

    void histogram(std::string_view name, std::string_view help, duration_histogram const& h)
    {
        begin(name, "histogram", help);
        histogram_lines(common_, h);
    }

    void histogram_lines(labels const& l, duration_histogram const& h)
    {
        // Powers of 2 from about 1 us to about 1 s: four buckets each.
        std::uint64_t sum = 0;
        std::size_t bucket = 0;
        for (unsigned power = 10; power <= 30; ++power)
        {
            std::chrono::nanoseconds const bound{std::int64_t{1} << power};
            while (duration_histogram::upper_bound(bucket) <= bound)
                sum += h[bucket++];
            std::string text;
            append_seconds(text, bound);
            line(labels(l).add("le", text), sum, "_bucket");
        }
        while (bucket != duration_histogram::buckets)
            sum += h[bucket++];
        line(labels(l).add("le", "+Inf"), sum, "_bucket");
        line(l, h.total(), "_sum");
        line(l, sum, "_count");
    }

    /// A line for each worker.
    template <typename Value>
    void per_worker(std::string_view name, std::string_view type, std::string_view help,
        stats const& s, Value value)
    {
        begin(name, type, help);
        for (std::size_t i = 0; i != s.workers.size(); ++i)
            line(common().add("worker", i), value(s.workers[i]));
    }

    std::string take()
    {
        return std::move(out_);
    }

private:
    void start(labels const& l, std::string_view suffix)
    {
        (out_ += name_) += suffix;
        l.append_to(out_);
        out_ += ' ';
    }

    labels common_;
    std::string out_;
    std::string_view name_;
};

WEFT_INLINE void write_workers(prometheus_writer& w, stats const& s)
{
    w.per_worker("weft_handlers_total", "counter", "Handlers and I/O events run.", s,
        [](worker_stats const& one) { return one.handlers; });
    w.per_worker("weft_worker_busy_seconds_total", "counter",
        "Time that a thread was inside run() as this worker, and did not sleep.", s,
        [](worker_stats const& one)
        {
            auto const busy = one.inside - one.parked - one.in_reactor;
            return (std::max)(busy, std::chrono::nanoseconds(0));
        });
    w.per_worker("weft_worker_parked_seconds_total", "counter", "Time asleep outside the reactor.",
        s, [](worker_stats const& one) { return one.parked; });
    w.per_worker("weft_worker_in_reactor_seconds_total", "counter", "Time asleep in the reactor.",
        s, [](worker_stats const& one) { return one.in_reactor; });
    w.per_worker("weft_worker_parks_total", "counter", "Times the worker went to sleep.", s,
        [](worker_stats const& one) { return one.parks; });
    w.per_worker("weft_ring_depth", "gauge", "Handlers in the ring and the LIFO slot.", s,
        [](worker_stats const& one) { return one.queue_depth; });
}

WEFT_INLINE void write_counters(prometheus_writer& w, stats const& s)
{
    worker_stats const& t = s.total;
    w.count("weft_lifo_hits_total", "Handlers taken from a LIFO slot.", t.lifo_hits);
    w.count("weft_steal_operations_total", "Successful steals.", t.steal_operations);
    w.count("weft_stolen_handlers_total", "Handlers taken by steals.", t.stolen_handlers);
    w.count("weft_overflows_total", "Times a full ring spilled.", t.overflows);
    w.count("weft_injection_fetches_total", "Times work was taken from the injection queue.",
        t.injection_fetches);
    w.count("weft_remote_pushes_total", "Handlers put into the injection queue one by one.",
        t.remote_pushes);
    w.count("weft_wakes_total", "Times a worker was woken for work.", t.wakes);
    w.count("weft_empty_wakes_total", "Wakes after which there was no work.", t.empty_wakes);
    w.count("weft_stood_aside_total",
        "Times a worker let the others run alone, because they got more done.", t.stood_aside);
    w.count("weft_budget_yields_total", "Ticks that ended with work left.", t.budget_yields);
    w.count("weft_reactor_polls_total", "Looks at the reactor.", t.reactor_polls);
    w.count("weft_reactor_events_total", "Events found in the reactor.", t.reactor_events);
    w.count("weft_blocking_calls_total", "Calls of run_blocking() in handlers.", s.blocking_calls);
    w.begin("weft_blocking_seconds_total", "counter", "Time inside run_blocking() in handlers.");
    w.line(w.common(), s.blocked);
    w.count("weft_exceptions_total", "Exceptions passed to on_exception.", s.exceptions);
    w.gauge("weft_injection_depth", "Handlers in the injection queue.", s.injection_depth);
    w.gauge("weft_outstanding_work", "Operations and guards that keep run() going.", s.outstanding);
}

WEFT_INLINE void write_primitives(prometheus_writer& w, stats const& s)
{
    // Two of one kind and name would be two values of one series.
    std::map<std::pair<std::string_view, std::string_view>, summed_primitive> sums;
    for (primitive_stats const& p : s.primitives)
    {
        summed_primitive& sum = sums[{p.kind, p.name}];
        sum.waiting += p.waiting;
        sum.longest_wait = (std::max)(sum.longest_wait, p.longest_wait);
        sum.contended += p.contended;
        sum.length += p.length;
        sum.wait_time += p.wait_time;
    }
    if (sums.empty())
        return;
    auto const all = [&](auto value, bool channels_only)
    {
        for (auto const& [key, sum] : sums)
            if (!channels_only || key.first == "channel")
            {
                labels l = w.common();
                w.line(l.add("kind", key.first).add("name", key.second), value(sum));
            }
    };
    w.begin("weft_waiters", "gauge", "Operations that wait for a lock or at a channel.");
    all([](auto const& sum) { return std::uint64_t{sum.waiting}; }, false);
    w.begin("weft_longest_wait_seconds", "gauge", "For how long the first of them has waited.");
    all([](auto const& sum) { return sum.longest_wait; }, false);
    w.begin("weft_contended_total", "counter", "Operations that had to wait.");
    all([](auto const& sum) { return sum.contended; }, false);
    w.begin("weft_wait_seconds", "histogram",
        "How long operations waited for a lock or at a channel; of one in 16 if sampled.");
    for (auto const& [key, sum] : sums)
    {
        labels l = w.common();
        w.histogram_lines(l.add("kind", key.first).add("name", key.second), sum.wait_time);
    }
    w.begin("weft_channel_length", "gauge", "Values in a channel.");
    all([](auto const& sum) { return std::uint64_t{sum.length}; }, true);
}

} // namespace WEFT_LOCAL
} // namespace WEFT_ABI_NAMESPACE
} // namespace detail

inline namespace WEFT_ABI_NAMESPACE
{

WEFT_INLINE std::string prometheus_text(stats const& s, std::string_view context_name)
{
    detail::prometheus_writer w(context_name);
    write_workers(w, s);
    write_counters(w, s);
    w.histogram(
        "weft_handler_run_seconds", "How long handlers ran; estimated if sampled.", s.run_time);
    w.histogram("weft_queue_delay_seconds",
        "How long handlers were queued before they ran; estimated if sampled.", s.queue_delay);
    w.histogram("weft_wake_seconds", "How long woken workers took until they ran.", s.wake_latency);
    write_primitives(w, s);
    return w.take();
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace weft
