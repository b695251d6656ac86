// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/queue/local_queue.hpp>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace
{

// How often each entry came out. Plain numbers: two threads that get the same entry are a data
// race.
class ledger
{
public:
    explicit ledger(std::size_t count) : times_(count)
    {
    }

    void came_out(std::uintptr_t entry)
    {
        ++times_[entry];
    }

    std::size_t once() const
    {
        std::size_t sum = 0;
        for (unsigned char const times : times_)
            sum += times == 1;
        return sum;
    }

private:
    std::vector<unsigned char> times_;
};

// One owner that pushes, pops and spills, and three thieves that run what they steal from a ring of
// their own, which is open to the other thieves.
template <std::uint32_t Capacity>
void exactly_once(std::size_t count)
{
    using queue = weft::detail::local_queue<std::uintptr_t, Capacity>;
    constexpr std::size_t thieves = 3;

    ledger entries(count);
    // The positions wrap at once.
    std::vector<std::unique_ptr<queue>> rings;
    for (std::size_t i = 0; i != 1 + thieves; ++i)
        rings.push_back(std::make_unique<queue>(static_cast<std::uint32_t>(-static_cast<int>(i))));
    std::atomic<bool> over{false};
    std::atomic<std::size_t> stolen{0};

    std::vector<std::thread> threads;
    for (std::size_t self = 1; self <= thieves; ++self)
        threads.emplace_back(
            [&, self]
            {
                typename queue::owner mine(*rings[self]);
                std::uintptr_t entry;
                std::size_t mine_stolen = 0;
                for (std::size_t turn = 0;; ++turn)
                {
                    bool const last = over.load(std::memory_order_acquire);
                    std::size_t const victim = turn % 4 == 0 ? turn % (1 + thieves) : 0;
                    if (victim != self)
                    {
                        std::uint32_t const taken =
                            typename queue::thief(*rings[victim]).steal(mine, entry);
                        if (taken != 0)
                        {
                            mine_stolen += taken;
                            entries.came_out(entry);
                        }
                        else if (last)
                            break;
                        else
                            std::this_thread::yield();
                    }
                    while (mine.pop(entry))
                        entries.came_out(entry);
                }
                stolen += mine_stolen;
            });

    typename queue::owner owner(*rings[0]);
    std::uintptr_t entry;
    for (std::uintptr_t i = 0; i != count; ++i)
    {
        while (!owner.push(i))
        {
            // As with a scheduler: half of it goes elsewhere, unless a thief is at work.
            if (owner.spill([](std::uintptr_t e) { return e % 7 != 0; },
                    [&](std::uintptr_t e, std::uint32_t) { entries.came_out(e); }) == 0 &&
                owner.pop(entry))
                entries.came_out(entry);
        }
        if (i % 3 == 0 && owner.pop(entry))
            entries.came_out(entry);
    }
    while (owner.pop(entry))
        entries.came_out(entry);
    over.store(true, std::memory_order_release);
    for (std::thread& t : threads)
        t.join();
    for (auto const& ring : rings)
        while (typename queue::owner(*ring).pop(entry))
            entries.came_out(entry);

    BOOST_TEST(entries.once() == count);
    BOOST_TEST_MESSAGE(stolen << " of " << count << " stolen");
}

} // namespace

BOOST_AUTO_TEST_CASE(owner_and_three_thieves_get_each_entry_once)
{
    exactly_once<256>(1'000'000);
}

BOOST_AUTO_TEST_CASE(owner_and_three_thieves_get_each_entry_once_from_a_tiny_ring)
{
    exactly_once<4>(500'000);
}
