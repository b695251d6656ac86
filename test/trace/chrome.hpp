// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_TRACE_CHROME_HPP
#define WEFT_TEST_TRACE_CHROME_HPP

#include <weft/trace.hpp>

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace test
{

struct drawn_slice
{
    std::int64_t tid = 0;
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::string category;
    std::string name;
    std::string how_it_ended;
};

struct flow_end
{
    std::int64_t tid = 0;
    std::int64_t time = 0;
    std::string name;
};

// A file in Chrome's format, and whether it obeys that, as far as Perfetto refuses what does not.
class chrome_file
{
public:
    explicit chrome_file(std::string const& text)
    {
        boost::json::error_code error;
        boost::json::value const file = boost::json::parse(text, error);
        BOOST_REQUIRE_MESSAGE(!error, error.message() + " in " + text.substr(0, 2000));
        for (boost::json::value const& e : file.at("traceEvents").as_array())
            take(e.as_object());
        totals = file.at("otherData").as_object();
        check_slices();
        check_flows();
    }

    std::size_t count(std::string const& category) const
    {
        return static_cast<std::size_t>(std::count_if(slices.begin(), slices.end(),
            [&](drawn_slice const& s) { return s.category == category; }));
    }

    std::size_t handlers() const
    {
        return count("handler") + count("io");
    }

    std::size_t named(std::string const& part) const
    {
        return static_cast<std::size_t>(std::count_if(slices.begin(), slices.end(),
            [&](drawn_slice const& s) { return s.name.find(part) != std::string::npos; }));
    }

    std::size_t flows_of(std::string const& name) const
    {
        return static_cast<std::size_t>(std::count_if(
            begins.begin(), begins.end(), [&](auto const& f) { return f.second.name == name; }));
    }

    std::uint64_t lost() const
    {
        return totals.at("lost").to_number<std::uint64_t>();
    }

    std::vector<drawn_slice> slices;
    std::map<std::int64_t, flow_end> begins;
    std::map<std::int64_t, flow_end> ends;
    std::map<std::int64_t, std::string> threads;
    std::map<std::string, std::vector<std::int64_t>> counters;
    boost::json::object totals;

private:
    static std::int64_t nanoseconds(boost::json::value const& microseconds)
    {
        return std::llround(microseconds.to_number<double>() * 1000);
    }

    void take(boost::json::object const& e)
    {
        std::string const phase(e.at("ph").as_string());
        auto const tid = e.at("tid").to_number<std::int64_t>();
        std::string const name(e.at("name").as_string());
        BOOST_TEST(e.at("pid").to_number<std::int64_t>() > 0);
        if (phase == "M")
        {
            if (name == "thread_name")
                threads[tid] = e.at("args").at("name").as_string();
            return;
        }
        std::int64_t const time = nanoseconds(e.at("ts"));
        if (phase == "X")
        {
            std::int64_t const length = nanoseconds(e.at("dur"));
            BOOST_TEST(length > 0);
            slices.push_back(
                {tid, time, time + length, std::string(e.at("cat").as_string()), name, {}});
            if (auto const* args = e.if_contains("args"))
                if (auto const* end = args->as_object().if_contains("end"))
                    slices.back().how_it_ended = end->as_string();
            BOOST_TEST(!name.empty());
        }
        else if (phase == "s" || phase == "f")
        {
            auto const id = e.at("id").to_number<std::int64_t>();
            auto& of = phase == "s" ? begins : ends;
            BOOST_TEST(of.emplace(id, flow_end{tid, time, name}).second);
        }
        else if (phase == "C")
            counters[name].push_back(e.at("args").at("handlers").to_number<std::int64_t>());
        else
            BOOST_ERROR("a phase that is not for Perfetto: " + phase);
    }

    void check_slices()
    {
        std::sort(slices.begin(), slices.end(),
            [](drawn_slice const& a, drawn_slice const& b)
            { return a.tid != b.tid ? a.tid < b.tid : a.begin < b.begin; });
        std::vector<drawn_slice> open;
        std::size_t wrong = 0;
        for (std::size_t i = 0; i != slices.size(); ++i)
        {
            drawn_slice const& s = slices[i];
            if (i != 0 && slices[i - 1].tid == s.tid && slices[i - 1].begin == s.begin)
                ++wrong;
            while (!open.empty() && (open.back().tid != s.tid || open.back().end <= s.begin))
                open.pop_back();
            if (!open.empty() && open.back().end < s.end)
                ++wrong;
            open.push_back(s);
            if (threads.count(s.tid) == 0)
                ++wrong;
        }
        BOOST_TEST(wrong == 0u, wrong << " slices overlap, or have no thread");
    }

    bool is_in_a_slice(flow_end const& f) const
    {
        return std::any_of(slices.begin(), slices.end(),
            [&](drawn_slice const& s)
            { return s.tid == f.tid && s.begin <= f.time && f.time < s.end; });
    }

    void check_flows()
    {
        BOOST_TEST(begins.size() == ends.size());
        for (auto const& [id, begin] : begins)
        {
            auto const end = ends.find(id);
            BOOST_REQUIRE(end != ends.end());
            BOOST_TEST(begin.name == end->second.name);
            BOOST_TEST(begin.time <= end->second.time);
            BOOST_TEST(begin.tid != end->second.tid);
            // Of many, some.
            if (id % 64 == 1)
                BOOST_TEST((is_in_a_slice(begin) && is_in_a_slice(end->second)));
        }
    }
};

template <typename Context>
chrome_file dumped(Context const& context)
{
    std::ostringstream out;
    weft::trace::dump(context, out);
    return chrome_file(out.str());
}

} // namespace test

#endif
