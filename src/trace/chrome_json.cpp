// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "chrome_json.hpp"

#include <weft/platform/visibility.hpp>

#include "timeline.hpp"
#include "type_names.hpp"

#include <cstddef>
#include <cstdint>
#include <ios>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace weft
{
namespace detail
{

inline namespace WEFT_LOCAL
{

/// How many bytes the character of UTF-8 has at the beginning of the text; 0: it is none.
WEFT_INLINE std::size_t length_of_character(std::string_view text) noexcept
{
    auto const first = static_cast<unsigned char>(text[0]);
    std::size_t const length = first < 0x80             ? 1
                               : (first & 0xe0) == 0xc0 ? 2
                               : (first & 0xf0) == 0xe0 ? 3
                               : (first & 0xf8) == 0xf0 ? 4
                                                        : 0;
    if (length > text.size())
        return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80)
            return 0;
    // Not the long form of a short one, half of a pair of UTF-16, or beyond the last one.
    auto const second = static_cast<unsigned char>(length > 1 ? text[1] : 0);
    bool const is_wrong = (length == 2 && first < 0xc2) || (first == 0xe0 && second < 0xa0) ||
                          (first == 0xed && second > 0x9f) || (first == 0xf0 && second < 0x90) ||
                          first > 0xf4 || (first == 0xf4 && second > 0x8f);
    return is_wrong ? 0 : length;
}

/// Writes one JSON object of pairs.
class object
{
public:
    explicit object(std::string& out) : out_(out)
    {
        out_ += '{';
    }

    ~object()
    {
        out_ += '}';
    }

    object(object const&) = delete;
    object& operator=(object const&) = delete;

    void key(char const* name)
    {
        if (!first_)
            out_ += ',';
        first_ = false;
        ((out_ += '"') += name) += "\":";
    }

    void number(char const* name, std::uint64_t value)
    {
        key(name);
        out_ += std::to_string(value);
    }

    /// In microseconds, as the format has it.
    void time(char const* name, std::uint64_t nanoseconds)
    {
        key(name);
        out_ += std::to_string(nanoseconds / 1000);
        std::string const fraction = std::to_string(1000 + nanoseconds % 1000);
        (out_ += '.').append(fraction, 1, 3);
    }

    void text(char const* name, std::string_view value)
    {
        constexpr char digits[] = "0123456789abcdef";
        key(name);
        out_ += '"';
        for (std::size_t i = 0; i < value.size();)
        {
            auto const code = static_cast<unsigned char>(value[i]);
            std::size_t const length = length_of_character(value.substr(i));
            if (length == 0)
                out_ += '?';
            else if (code == '"' || code == '\\')
                (out_ += '\\') += value[i];
            else if (code < 0x20 || code == 0x7f)
                (((out_ += "\\u00") += digits[code / 16]) += digits[code % 16]);
            else
                out_.append(value.substr(i, length));
            i += length == 0 ? 1 : length;
        }
        out_ += '"';
    }

private:
    std::string& out_;
    bool first_ = true;
};

/// Names of what slices are about, each looked up once.
class slice_names
{
public:
    explicit slice_names(symbols const& s) : symbols_(s)
    {
    }

    std::string const& handler(std::uint64_t function)
    {
        auto const [at, is_new] = handlers_.try_emplace(function);
        if (is_new)
            at->second = function == 0 ? "handler" : handler_name(symbols_.function(function));
        return at->second;
    }

    std::string const& text(std::uint64_t address)
    {
        auto const [at, is_new] = texts_.try_emplace(address);
        if (is_new)
        {
            at->second = symbols_.text(address);
            if (at->second.empty())
                at->second = hexadecimal(address);
        }
        return at->second;
    }

    std::map<std::uint64_t, std::string> const& handlers() const
    {
        return handlers_;
    }

private:
    symbols const& symbols_;
    std::map<std::uint64_t, std::string> handlers_;
    std::map<std::uint64_t, std::string> texts_;
};

/// Writes the events of one file, in pieces.
class event_output
{
public:
    explicit event_output(std::ostream& out) : out_(out)
    {
        text = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
    }

    /// What follows is one more event.
    void next()
    {
        if (!first_)
            text += ",\n";
        first_ = false;
        if (text.size() < piece)
            return;
        out_ << text;
        text.clear();
    }

    void begin(object& o, char const* phase, std::uint64_t track)
    {
        o.text("ph", phase);
        o.number("pid", process);
        o.number("tid", track);
    }

    void metadata(char const* what, std::uint64_t track, std::string const& name)
    {
        next();
        object o(text);
        begin(o, "M", track);
        o.text("name", what);
        o.key("args");
        object(text).text("name", name);
    }

    void counter(std::string const& name, std::uint64_t track, depth_sample const& d)
    {
        next();
        object o(text);
        begin(o, "C", track);
        o.time("ts", d.time);
        o.text("name", name);
        o.key("args");
        object(text).number("handlers", d.count);
    }

    void finish()
    {
        text += "}\n";
        out_ << text;
        out_.flush();
        if (!out_)
            throw std::ios_base::failure("weft: the timeline could not be written");
    }

    std::string text;
    std::uint64_t process = 0;

private:
    static constexpr std::size_t piece = 1 << 16;

    std::ostream& out_;
    bool first_ = true;
};

class writer
{
public:
    writer(symbols const& names, std::ostream& out) : symbols_(names), names_(names), out_(out)
    {
    }

    /// The next context.
    void write(recording const& r)
    {
        timeline const t = timeline_of(r);
        out_.process = r.process;
        prefix_ = first_track_ == 0 ? "" : r.context + ", ";
        if (first_track_ == 0)
            out_.metadata("process_name", 0, r.context);
        for (worker_timeline const& w : t.workers)
            write(w);
        std::string const queue = prefix_ + "injection queue";
        for (depth_sample const& d : t.injected)
            out_.counter(queue, first_track_, d);
        for (flow const& f : t.flows)
            write_flow(f.kind == flow::steal ? "steal" : "wake", track(t.workers[f.from]),
                f.from_time, track(t.workers[f.to]), f.to_time);
        write_waits(r, t);
        first_track_ += tracks;
        total(r);
    }

    void finish()
    {
        out_.text += "\n],\"otherData\":";
        {
            object o(out_.text);
            o.number("lost", lost_);
            o.key("contexts");
            (out_.text += '[') += totals_ + ']';
            o.key("handlers");
            object handlers(out_.text);
            for (auto const& [function, name] : names_.handlers())
                if (function != 0)
                    handlers.text(hexadecimal(function).c_str(), symbols_.function(function));
        }
        out_.finish();
    }

private:
    // Of each context: more than it can have workers, and then those of the waits.
    static constexpr std::uint64_t tracks_of_workers = 1 << 16;
    static constexpr std::uint64_t tracks = 1 << 24;

    // 0 is not the number of a thread.
    std::uint64_t track(worker_timeline const& w) const
    {
        return first_track_ + w.worker + 1;
    }

    void write(worker_timeline const& w)
    {
        std::string name = prefix_ + "worker " + std::to_string(w.worker);
        if (w.lost != 0)
            name += " (" + std::to_string(w.lost) + " events before these are lost)";
        out_.metadata("thread_name", track(w), name);
        for (slice const& s : w.slices)
            write(w, s);
        std::string const queue = prefix_ + "queue of worker " + std::to_string(w.worker);
        for (depth_sample const& d : w.depths)
            out_.counter(queue, track(w), d);
    }

    void write(worker_timeline const& w, slice const& s)
    {
        out_.next();
        object o(out_.text);
        out_.begin(o, "X", track(w));
        o.time("ts", s.begin);
        o.time("dur", s.end - s.begin);
        switch (s.kind)
        {
        case slice::handler:
            return name(o, s, "handler", names_.handler(s.payload));
        case slice::resumed:
            return name(o, s, "resumed", names_.handler(s.payload));
        case slice::io:
            return name(o, s, "io", "I/O");
        case slice::span:
            return name(o, s, "span", names_.text(s.payload));
        case slice::operation:
            return name(o, s, "operation", operation_name(s));
        case slice::searching:
            return name(o, s, "idle", "looking for work");
        case slice::asleep:
            return name(o, s, "asleep", "asleep");
        case slice::in_reactor:
            return name(o, s, "asleep", "asleep in the reactor");
        case slice::look:
            return name(o, s, "reactor", "look into the reactor");
        }
    }

    std::string operation_name(slice const& s)
    {
        std::string result;
        if (s.object != 0)
            result = names_.text(s.object) + '.';
        result += names_.text(s.payload);
        if (s.place != 0)
        {
            std::string const& file = names_.text(address_in(s.place));
            result +=
                " at " + file.substr(file.rfind('/') + 1) + ':' + std::to_string(small_in(s.place));
        }
        return result;
    }

    void name(object& o, slice const& s, char const* category, std::string const& text)
    {
        o.text("cat", category);
        o.text("name", text);
        bool const has_detail = s.kind == slice::io || s.kind == slice::look;
        if (!has_detail && !s.unfinished)
            return;
        o.key("args");
        object args(out_.text);
        if (s.kind == slice::io)
        {
            args.number("events", small_in(s.payload));
            args.text("descriptor", hexadecimal(address_in(s.payload)));
        }
        if (s.kind == slice::look)
            args.number("found", s.unfinished ? 0 : s.payload);
        if (s.unfinished)
            args.text("end", "not recorded");
    }

    void write_flow(char const* what, std::uint64_t from, std::uint64_t from_time, std::uint64_t to,
        std::uint64_t to_time)
    {
        ++flows_;
        write_end(what, "s", from, from_time);
        write_end(what, "f", to, to_time);
    }

    void write_end(char const* what, char const* phase, std::uint64_t on_track, std::uint64_t time)
    {
        out_.next();
        object o(out_.text);
        out_.begin(o, phase, on_track);
        o.time("ts", time);
        o.number("id", flows_);
        o.text("cat", what);
        o.text("name", what);
        if (*phase == 'f')
            o.text("bp", "e");
    }

    /// Waits that last at the same time have tracks of their own.
    void write_waits(recording const& r, timeline const& t)
    {
        std::uint64_t const first = first_track_ + tracks_of_workers;
        for (std::size_t i = 0; i != t.lanes; ++i)
            out_.metadata("thread_name", first + i,
                prefix_ + (i == 0 ? "waits" : "waits " + std::to_string(i + 1)));
        for (wait const& w : t.waits)
        {
            std::uint64_t const own = first + w.lane;
            write(r, w, own);
            if (w.from.worker != no_worker)
                write_flow("waits", track(t.workers[w.from.worker]), w.from.time, own, w.begin);
            if (w.to.worker != no_worker)
                write_flow("ended by", own, w.end - 1, track(t.workers[w.to.worker]), w.to.time);
        }
    }

    void write(recording const& r, wait const& w, std::uint64_t on_track)
    {
        out_.next();
        object o(out_.text);
        out_.begin(o, "X", on_track);
        o.time("ts", w.begin);
        o.time("dur", w.end - w.begin);
        o.text("cat", "wait");
        o.text("name", name_of_primitive(r, w.primitive));
        if (w.got)
            return;
        o.key("args");
        object(out_.text).text("end", w.unfinished ? "not recorded" : "without what it wanted");
    }

    static std::string name_of_primitive(recording const& r, std::uint64_t place)
    {
        constexpr char const* kinds[] = {"mutex", "semaphore", "shared_mutex", "channel"};
        std::string result = kinds[kind_in(place)];
        unsigned const name = name_in(place);
        if (name >= first_name && name - first_name < r.names.size())
            result += " \"" + r.names[name - first_name] + '"';
        else
            result += ' ' + hexadecimal(address_in(place));
        return result;
    }

    void total(recording const& r)
    {
        std::uint64_t lost = 0;
        std::uint64_t events = 0;
        for (worker_recording const& w : r.workers)
        {
            lost += w.lost;
            events += w.events.size();
        }
        lost_ += lost;
        if (!totals_.empty())
            totals_ += ',';
        object o(totals_);
        o.text("context", r.context);
        o.number("events", events);
        o.number("lost", lost);
    }

    symbols const& symbols_;
    slice_names names_;
    event_output out_;

    // Of the context that is written.
    std::uint64_t first_track_ = 0;
    std::string prefix_;

    // Of all.
    std::uint64_t flows_ = 0;
    std::uint64_t lost_ = 0;
    std::string totals_;
};

} // namespace WEFT_LOCAL

WEFT_INLINE void write_chrome_json(
    std::vector<recording> const& contexts, symbols const& names, std::ostream& out)
{
    writer w(names, out);
    for (recording const& r : contexts)
        w.write(r);
    w.finish();
}

} // namespace detail
} // namespace weft
