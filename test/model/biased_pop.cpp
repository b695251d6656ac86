// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include <weft/platform/mutex.hpp>
#include <weft/queue/local_queue.hpp>
#include <weft/sched/biased_pop.hpp>
#include <weft/sched/single_runner.hpp>

#include "model/check.hpp"

#include <cstdint>

namespace
{

using queue = weft::detail::local_queue<unsigned, 4>;

// The checker lets a load return an old value, but no store come late: that the owner's store to
// the ring comes before the end of its pop, and the thief's after, it cannot show to be needed.
//
// Threads that come into one context and leave it: the first one has entries in its ring and pops
// them, the others steal from it.
template <typename Model, int Thieves>
struct ring_of_a_single_runner
{
    static constexpr int threads = 1 + Thieves;
    static constexpr unsigned entries = 4;

    weft::detail::mutex lock;
    weft::detail::single_runner runner{true};
    weft::detail::biased_pop own_pop;
    queue ring;
    queue stolen[Thieves];
    unsigned seen[entries] = {};

    // Guarded by the lock.
    std::uint32_t inside = 0;

    ring_of_a_single_runner()
    {
        for (unsigned i = 0; i != entries; ++i)
            model::require(queue::owner(ring).push(i), "a ring of four takes four");
        (void)runner.thread_joins(inside++);
    }

    void join()
    {
        lock.lock();
        bool const tell = runner.thread_joins(inside++);
        lock.unlock();
        if (tell)
            runner.tell_runner([this] { own_pop.await_end(); });
        else
            runner.await_telling();
    }

    void leave()
    {
        lock.lock();
        runner.thread_leaves(--inside);
        lock.unlock();
    }

    void came_out(unsigned entry)
    {
        model::require(entry < entries, "an entry that was never put in");
        model::require(++seen[entry] == 1, "an entry came out twice");
    }

    void steal(unsigned index)
    {
        queue& mine = stolen[index - 1];
        unsigned entry;
        std::uint32_t const taken = queue::thief(ring).steal(queue::owner(mine), entry);
        if (taken == 0)
            return;
        came_out(entry);
        while (queue::owner(mine).pop(entry))
            came_out(entry);
    }

    void thread(unsigned index)
    {
        if (index == 0)
        {
            static_cast<Model*>(this)->before_pops();
            unsigned entry;
            for (unsigned i = 0; i != entries; ++i)
                if (own_pop.pop(queue::owner(ring), entry, runner))
                    came_out(entry);
            return;
        }
        static_cast<Model*>(this)->visit(index);
    }

    void before_pops()
    {
    }

    void after()
    {
        unsigned entry;
        while (queue::owner(ring).pop(entry))
            came_out(entry);
        for (unsigned const times : seen)
            model::require(times == 1, "an entry was lost");
    }
};

template <int Thieves>
struct others_join_and_steal : ring_of_a_single_runner<others_join_and_steal<Thieves>, Thieves>
{
    void visit(unsigned index)
    {
        this->join();
        this->steal(index);
    }
};
WEFT_SCENARIO(exhaustively{2}, others_join_and_steal<1>);
WEFT_SCENARIO(at_random{100000}, others_join_and_steal<2>);

// The first one is single again while it pops.
template <int Thieves>
struct others_come_and_go : ring_of_a_single_runner<others_come_and_go<Thieves>, Thieves>
{
    void visit(unsigned index)
    {
        for (int i = 0; i != 2; ++i)
        {
            this->join();
            this->steal(index);
            this->leave();
        }
    }
};
WEFT_SCENARIO(at_random{100000}, others_come_and_go<1>);
WEFT_SCENARIO(at_random{100000}, others_come_and_go<2>);

// It is single again when it pops, and learns so from nothing but the runner's flags.
struct another_has_come_and_gone : ring_of_a_single_runner<another_has_come_and_gone, 1>
{
    weft::detail::atomic<bool> gone{false};

    void before_pops()
    {
        while (!gone.load(weft::detail::memory_order_relaxed))
            weft::detail::yield_thread();
    }

    void visit(unsigned index)
    {
        join();
        steal(index);
        leave();
        gone.store(true, weft::detail::memory_order_relaxed);
    }
};
WEFT_SCENARIO(at_random{100000}, another_has_come_and_gone);

} // namespace
