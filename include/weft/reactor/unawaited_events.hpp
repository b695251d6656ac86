// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_REACTOR_UNAWAITED_EVENTS_HPP
#define WEFT_REACTOR_UNAWAITED_EVENTS_HPP

namespace weft
{
namespace detail
{

/// Whether events of descriptors for which no operation waits come often enough for each event to
/// be asked about. A client's next request has such a one where it comes while the server still has
/// to begin the read, which then finds it there. One thread at a time.
class unawaited_events
{
public:
    // While there are few, one event in so many is asked about.
    static constexpr unsigned sample = 16;

    /// Whether the next event is to be asked about.
    bool asks() noexcept
    {
        return share_ >= enough || ++passed_ % sample == 0;
    }

    /// The answer.
    void note(bool unawaited) noexcept
    {
        share_ -= share_ / memory;
        if (unawaited)
            share_ += whole / memory;
    }

private:
    // To ask costs an eighth of what it saves. Guessed, from instructions: 60 of 450.
    static constexpr unsigned whole = 1u << 16;
    static constexpr unsigned enough = whole / 8;
    static constexpr unsigned memory = 32;

    // Of `whole`: a mean over the last ones that were asked about.
    unsigned share_ = 0;
    unsigned passed_ = 0;
};

} // namespace detail
} // namespace weft

#endif // WEFT_REACTOR_UNAWAITED_EVENTS_HPP
