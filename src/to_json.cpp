// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/metrics.hpp>

#include "number_text.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
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

class json_writer
{
public:
    void open(char bracket)
    {
        separate();
        out_ += bracket;
        first_ = true;
    }

    void close(char bracket)
    {
        out_ += bracket;
        first_ = false;
    }

    json_writer& key(std::string_view name)
    {
        text(name);
        out_ += ':';
        first_ = true;
        return *this;
    }

    void number(std::uint64_t n)
    {
        separate();
        append_number(out_, n);
    }

    void time(std::chrono::nanoseconds t)
    {
        number(static_cast<std::uint64_t>(t.count() > 0 ? t.count() : 0));
    }

    void text(std::string_view s)
    {
        constexpr char digits[] = "0123456789abcdef";
        separate();
        out_ += '"';
        for (char const c : s)
        {
            auto const code = static_cast<unsigned char>(c);
            if (c == '"' || c == '\\')
                (out_ += '\\') += c;
            else if (code < 0x20)
                ((out_ += "\\u00") += digits[code >> 4]) += digits[code & 15];
            else
                out_ += c;
        }
        out_ += '"';
    }

    std::string take()
    {
        return std::move(out_);
    }

private:
    void separate()
    {
        if (!first_)
            out_ += ',';
        first_ = false;
    }

    std::string out_;
    bool first_ = true;
};

WEFT_INLINE void write(json_writer& w, worker_stats const& s)
{
    w.open('{');
    w.key("handlers").number(s.handlers);
    w.key("lifo_hits").number(s.lifo_hits);
    w.key("steal_operations").number(s.steal_operations);
    w.key("stolen_handlers").number(s.stolen_handlers);
    w.key("overflows").number(s.overflows);
    w.key("injection_fetches").number(s.injection_fetches);
    w.key("remote_pushes").number(s.remote_pushes);
    w.key("parks").number(s.parks);
    w.key("wakes").number(s.wakes);
    w.key("empty_wakes").number(s.empty_wakes);
    w.key("stood_aside").number(s.stood_aside);
    w.key("budget_yields").number(s.budget_yields);
    w.key("reactor_polls").number(s.reactor_polls);
    w.key("reactor_events").number(s.reactor_events);
    w.key("queue_depth").number(s.queue_depth);
    w.key("inside").time(s.inside);
    w.key("parked").time(s.parked);
    w.key("in_reactor").time(s.in_reactor);
    w.close('}');
}

WEFT_INLINE void write(json_writer& w, duration_histogram const& h)
{
    w.open('{');
    w.key("count").number(h.count());
    w.key("total").time(h.total());
    w.key("p50").time(h.quantile(0.5));
    w.key("p90").time(h.quantile(0.9));
    w.key("p99").time(h.quantile(0.99));
    w.key("max").time(h.quantile(1));
    w.key("buckets").open('[');
    for (std::size_t i = 0; i != duration_histogram::buckets; ++i)
    {
        if (h[i] == 0)
            continue;
        w.open('[');
        w.time(duration_histogram::upper_bound(i));
        w.number(h[i]);
        w.close(']');
    }
    w.close(']');
    w.close('}');
}

WEFT_INLINE void write(json_writer& w, primitive_stats const& p)
{
    w.open('{');
    w.key("kind").text(p.kind);
    w.key("name").text(p.name);
    w.key("waiting").number(p.waiting);
    w.key("senders").number(p.senders);
    w.key("longest_wait").time(p.longest_wait);
    w.key("contended").number(p.contended);
    w.key("wait_time");
    write(w, p.wait_time);
    w.key("length").number(p.length);
    w.key("available").number(p.available);
    w.close('}');
}

} // namespace WEFT_LOCAL
} // namespace WEFT_ABI_NAMESPACE
} // namespace detail

inline namespace WEFT_ABI_NAMESPACE
{

WEFT_INLINE std::string to_json(stats const& s)
{
    detail::json_writer w;
    w.open('{');
    w.key("taken").time(s.taken.time_since_epoch());
    w.key("total");
    write(w, s.total);
    w.key("workers").open('[');
    for (worker_stats const& one : s.workers)
        write(w, one);
    w.close(']');
    w.key("injection_depth").number(s.injection_depth);
    w.key("outstanding").number(s.outstanding);
    w.key("run_time");
    write(w, s.run_time);
    w.key("queue_delay");
    write(w, s.queue_delay);
    w.key("wake_latency");
    write(w, s.wake_latency);
    w.key("blocking_calls").number(s.blocking_calls);
    w.key("blocked").time(s.blocked);
    w.key("exceptions").number(s.exceptions);
    w.key("primitives").open('[');
    for (primitive_stats const& p : s.primitives)
        write(w, p);
    w.close(']');
    w.close('}');
    return w.take();
}

} // namespace WEFT_ABI_NAMESPACE
} // namespace weft
