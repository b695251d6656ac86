// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "raw_file.hpp"

#include <weft/platform/visibility.hpp>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace weft
{
namespace detail
{

inline namespace WEFT_LOCAL
{

constexpr std::size_t slot_size = 2 * sizeof(std::uint64_t);

template <typename T>
T read_at(char const* at) noexcept
{
    T value;
    std::memcpy(&value, at, sizeof(T));
    return value;
}

class reader
{
public:
    explicit reader(raw_contents& out) noexcept : out_(out)
    {
    }

    /// False if it is cut off.
    bool take(raw_header const& header, char const* data)
    {
        switch (header.kind)
        {
        case raw_record::crash:
            if (header.size < sizeof(raw_crash))
                return false;
            out_.crash = read_at<raw_crash>(data);
            return true;
        case raw_record::maps:
            out_.maps.append(data, static_cast<std::size_t>(header.size));
            return true;
        case raw_record::ring:
            return take_ring(header.size, data);
        case raw_record::name:
            return take_name(header.size, data);
        }
        // Of a later version.
        return true;
    }

private:
    bool take_ring(std::uint64_t size, char const* data)
    {
        if (size < sizeof(raw_ring) + sizeof(std::uint64_t))
            return false;
        auto const ring = read_at<raw_ring>(data);
        char const* const slots = data + sizeof(ring);
        std::uint64_t const room = size - sizeof(ring) - sizeof(std::uint64_t);
        if (ring.size == 0 || (ring.size & (ring.size - 1)) != 0 || room / slot_size != ring.size ||
            room % slot_size != 0)
            return false;
        auto const after = read_at<std::uint64_t>(slots + room);
        std::uint64_t const end = ring.written;
        std::uint64_t begin = end > ring.size ? end - ring.size : 0;
        // What the worker has overwritten meanwhile.
        if (after >= ring.size)
            begin = (std::max)(begin, (std::min)(end, after - ring.size + 1));
        worker_recording w;
        w.worker = static_cast<std::size_t>(ring.worker);
        w.lost = begin;
        for (std::uint64_t i = begin; i != end; ++i)
        {
            char const* const slot = slots + (i & (ring.size - 1)) * slot_size;
            auto const head = read_at<std::uint64_t>(slot);
            event e;
            e.time = head >> 8;
            e.kind = static_cast<event_kind>(head & 0xff);
            e.payload = read_at<std::uint64_t>(slot + sizeof(head));
            w.events.push_back(e);
        }
        context_of(ring.context).workers.push_back(std::move(w));
        return true;
    }

    bool take_name(std::uint64_t size, char const* data)
    {
        if (size < sizeof(raw_name))
            return false;
        auto const name = read_at<raw_name>(data);
        if (name.number < first_name || name.number > last_name)
            return false;
        auto& names = context_of(name.context).names;
        auto const at = static_cast<std::size_t>(name.number - first_name);
        names.resize((std::max)(names.size(), at + 1));
        names[at].assign(data + sizeof(name), static_cast<std::size_t>(size - sizeof(name)));
        return true;
    }

    recording& context_of(std::uint64_t address)
    {
        for (std::size_t i = 0; i != addresses_.size(); ++i)
            if (addresses_[i] == address)
                return out_.contexts[i];
        addresses_.push_back(address);
        return out_.contexts.emplace_back();
    }

    raw_contents& out_;
    std::vector<std::uint64_t> addresses_;
};

} // namespace WEFT_LOCAL

WEFT_INLINE raw_contents read_raw(std::string const& bytes)
{
    if (bytes.size() < sizeof(raw_magic) ||
        std::memcmp(bytes.data(), raw_magic, sizeof(raw_magic)) != 0)
        throw std::runtime_error("this is no file of weft::trace::dump_on_crash()");
    raw_contents result;
    reader in(result);
    std::size_t at = sizeof(raw_magic);
    while (result.complete && at != bytes.size())
    {
        raw_header header{};
        if (bytes.size() - at >= sizeof(header))
            header = read_at<raw_header>(bytes.data() + at);
        at += sizeof(header);
        result.complete = at <= bytes.size() && header.size <= bytes.size() - at &&
                          in.take(header, bytes.data() + at);
        at += static_cast<std::size_t>(header.size);
    }
    for (std::size_t i = 0; i != result.contexts.size(); ++i)
    {
        recording& c = result.contexts[i];
        c.context =
            "context " + std::to_string(i + 1) + ", signal " + std::to_string(result.crash.signal);
        c.process = result.crash.process;
        c.now = result.crash.now;
        for (worker_recording const& w : c.workers)
            if (!w.events.empty())
                c.now = (std::max)(c.now, w.events.back().time + 1);
        std::sort(c.workers.begin(), c.workers.end(),
            [](worker_recording const& a, worker_recording const& b)
            { return a.worker < b.worker; });
    }
    return result;
}

} // namespace detail
} // namespace weft
