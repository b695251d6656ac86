// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_METRICS_EXPOSITION_HPP
#define WEFT_TEST_METRICS_EXPOSITION_HPP

// A parser of Prometheus's text format that refuses what the format does not allow, and what its
// conventions advise against.

#include <cstddef>
#include <map>
#include <set>
#include <stdexcept>
#include <string>

namespace test
{

class exposition
{
public:
    explicit exposition(std::string const& text)
    {
        if (text.empty() || text.back() != '\n')
            throw std::runtime_error("the last line does not end");
        for (std::size_t at = 0; at != text.size();)
        {
            std::size_t const end = text.find('\n', at);
            take_line(text.substr(at, end - at));
            at = end + 1;
        }
        finish_metric();
    }

    /// The value of a series, as it is written: name{key="value"}.
    double operator[](std::string const& series) const
    {
        auto const found = values_.find(series);
        if (found == values_.end())
            throw std::runtime_error("no series " + series);
        return found->second;
    }

    bool has(std::string const& series) const
    {
        return values_.count(series) != 0;
    }

    std::set<std::string> const& metrics() const
    {
        return metrics_;
    }

private:
    static bool is_name(std::string const& s)
    {
        static std::string const first = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_:";
        static std::string const others = first + "0123456789";
        return !s.empty() && s.find_first_of(first) == 0 &&
               s.find_first_not_of(others) == std::string::npos;
    }

    static bool ends_with(std::string const& s, std::string const& end)
    {
        return s.size() >= end.size() && s.compare(s.size() - end.size(), end.size(), end) == 0;
    }

    void take_line(std::string const& line)
    {
        if (line.compare(0, 7, "# HELP ") == 0)
        {
            finish_metric();
            metric_ = line.substr(7, line.find(' ', 7) - 7);
            if (!is_name(metric_) || !metrics_.insert(metric_).second)
                throw std::runtime_error("not a new name: " + line);
            if (line.size() <= 8 + metric_.size())
                throw std::runtime_error("no help: " + line);
            type_.clear();
        }
        else if (line.compare(0, 7, "# TYPE ") == 0)
        {
            std::size_t const space = line.find(' ', 7);
            if (line.substr(7, space - 7) != metric_ || !type_.empty())
                throw std::runtime_error("of another metric: " + line);
            type_ = line.substr(space + 1);
            if (type_ != "counter" && type_ != "gauge" && type_ != "histogram")
                throw std::runtime_error("no type: " + line);
            if ((type_ == "counter") != ends_with(metric_, "_total"))
                throw std::runtime_error("_total is for counters: " + line);
        }
        else
            take_sample(line);
    }

    void take_sample(std::string const& line)
    {
        std::size_t const space = line.rfind(' ');
        std::string const series = line.substr(0, space);
        std::string const name = series.substr(0, series.find('{'));
        std::string const suffix =
            name.compare(0, metric_.size(), metric_) == 0 ? name.substr(metric_.size()) : "?";
        bool const belongs = type_ == "histogram"
                                 ? suffix == "_bucket" || suffix == "_sum" || suffix == "_count"
                                 : suffix.empty();
        if (!is_name(name) || !belongs || type_.empty())
            throw std::runtime_error("not here: " + line);
        std::string le;
        if (name.size() != series.size())
            le = check_labels(series.substr(name.size()));
        std::size_t used = 0;
        double const value = std::stod(line.substr(space + 1), &used);
        if (used != line.size() - space - 1 || !(value >= 0))
            throw std::runtime_error("no value: " + line);
        if (!values_.emplace(series, value).second)
            throw std::runtime_error("twice: " + line);
        if ((suffix == "_bucket") != !le.empty())
            throw std::runtime_error("le is for buckets: " + line);
        if (suffix == "_bucket")
        {
            double const bound = std::stod(le);
            // The next histogram of this metric, with other labels.
            if (ended_)
                finish_series();
            if (buckets_ != 0 && (value < last_ || bound <= bound_))
                throw std::runtime_error("buckets are cumulative and in order: " + line);
            ++buckets_;
            last_ = value;
            bound_ = bound;
            ended_ = le == "+Inf";
        }
        else if (suffix == "_count" && (value < last_ || value > last_ || !ended_))
            throw std::runtime_error("not the count of the last bucket: " + line);
        ++samples_;
    }

    // Returns the value of le.
    static std::string check_labels(std::string const& text)
    {
        std::string le;
        std::set<std::string> keys;
        std::size_t at = 0;
        do
        {
            ++at;
            std::size_t const equals = text.find("=\"", at);
            if (equals == std::string::npos)
                throw std::runtime_error("no label: " + text);
            std::string const key = text.substr(at, equals - at);
            if (!is_name(key) || !keys.insert(key).second)
                throw std::runtime_error("no new key: " + text);
            std::string value;
            for (at = equals + 2; text.at(at) != '"'; ++at)
            {
                if (text[at] == '\\' &&
                    std::string("\\\"n").find(text.at(++at)) == std::string::npos)
                    throw std::runtime_error("no escape: " + text);
                value += text[at];
            }
            if (key == "le")
                le = value;
            ++at;
        } while (text.at(at) == ',');
        if (text.substr(at) != "}")
            throw std::runtime_error("after the labels: " + text);
        return le;
    }

    void finish_metric()
    {
        if (!metric_.empty() && type_.empty())
            throw std::runtime_error("no type: " + metric_);
        finish_series();
    }

    void finish_series()
    {
        if (type_ == "histogram" && (samples_ != buckets_ + 2 || !ended_))
            throw std::runtime_error("not a whole histogram: " + metric_);
        samples_ = 0;
        buckets_ = 0;
        last_ = 0;
        ended_ = false;
    }

    std::map<std::string, double> values_;
    std::set<std::string> metrics_;
    std::string metric_;
    std::string type_;
    std::size_t samples_ = 0;
    std::size_t buckets_ = 0;
    double last_ = 0;
    double bound_ = 0;
    bool ended_ = false;
};

} // namespace test

#endif // WEFT_TEST_METRICS_EXPOSITION_HPP
