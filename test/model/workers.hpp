// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_MODEL_WORKERS_HPP
#define WEFT_TEST_MODEL_WORKERS_HPP

// A scheduler in small: the real idle controller, seat, parker, queues and work count, and around
// them the loop of src/sched/run_loop.cpp and search.cpp with the same functions, without Asio,
// statistics and fairness. Jobs have numbers, and each must be done exactly once.

#include <weft/queue/inject_queue.hpp>
#include <weft/sched/idle.hpp>
#include <weft/sched/outsiders.hpp>
#include <weft/sched/seat.hpp>
#include <weft/sched/work_count.hpp>

#include "model/check.hpp"
#include "model/jobs.hpp"
#include "model/reactor.hpp"

#include <cstddef>
#include <cstdint>

namespace model
{

/// Runs jobs on workers. `Model` derives from it and says what a job does: `void work(worker&,
/// unsigned number)`.
template <typename Model, std::size_t Workers, unsigned Jobs>
class workers
{
public:
    // Whether busy workers steal; a model that wants it says so.
    static constexpr bool relieves = false;

    // Whether workers move what is in their rings to the queue of all; likewise.
    static constexpr bool shares = false;

    // Whether thieves may leave the only entry of a ring to its owner; likewise.
    static constexpr bool patient = false;

    // Whether jobs come through Asio's scheduler; likewise.
    static constexpr bool has_mail = false;

    // Whether everybody takes from a slot at once; likewise. There is no guard then.
    static constexpr bool eager = false;

    // Whether the fence of the second that joins takes its time; likewise.
    static constexpr bool has_slow_fence = false;

    using job_queue = inject_queue<job, job_link>;

    workers() : idle_(!Model::eager)
    {
        idle_.reserve(Workers);
        for (std::size_t i = 0; i != Workers; ++i)
        {
            workers_[i].index = i;
            workers_[i].guard_sample.set(0);
        }
        next_event_.set(0);
        memory_.set(1);
        work_started();
    }

    /// What must hold at the end of every model.
    void after()
    {
        require(idle_.parked() == 0, "somebody is counted as asleep");
        require(idle_.searching() == 0, "somebody is counted as searching");
        require(idle_.active() == 0, "somebody is counted as active");
        jobs.require_all_done();
    }

protected:
    // For threads that are no workers, and for jobs.

    job_book<Jobs> jobs;

    /// The job that the first event in the reactor makes ready; the next one makes the next ready.
    unsigned first_event = Jobs;

    void post_from_outside(unsigned number)
    {
        bool wakes = false;
        inject_.push(jobs.get(number), 0,
            [&]
            {
                use();
                wakes = idle_.work_published();
                if (wakes)
                    outsiders_.enter();
            });
        if (wakes)
        {
            use();
            wake(idle_.claim_one());
            use();
            outsiders_.leave();
        }
    }

    void post(worker& w, unsigned number)
    {
        if (!is_alone())
            place(w, jobs.get(number));
        else if (!inject_.empty() || !w.owned_ring().push(jobs.get(number)))
            inject_.push(jobs.get(number));
        // Again: whoever joined since then may have looked before the push.
        if (!is_alone())
            published();
    }

    void post_continuation(worker& w, unsigned number)
    {
        if (job* const displaced = w.slot.put(jobs.get(number)))
        {
            place(w, displaced);
            published();
        }
        if (!w.guarded)
        {
            w.guarded = true;
            if (!Model::eager)
                wake(idle_.arm_guard());
        }
        if (Model::eager)
            moved();
    }

    void stop()
    {
        idle_.release_all(
            [this]
            {
                stopped_.store(true, memory_order_seq_cst);
                use();
            },
            [this](std::size_t index) { wake(index); });
    }

    /// For an owner that does not ask run() whether it is over.
    bool stopped() const
    {
        return stopped_.load(memory_order_acquire);
    }

    /// The end of the context. What others do with it from now on is a data race.
    void destroy()
    {
        outsiders_.await_none();
        idle_.await_release();
        memory_.set(0);
    }

    /// There is one piece of outstanding work from the beginning: without it run() may return at
    /// once.
    void work_started()
    {
        work_.add(1);
    }

    void work_finished()
    {
        if (!work_.finish_one_of_many())
            idle_.release_all_if([this] { return work_.finish_one() && no_work_left(); },
                [this]
                {
                    stopped_.store(true, memory_order_seq_cst);
                    use();
                },
                [this](std::size_t index) { wake(index); });
    }

    /// For whoever waits in the reactor, through Asio's scheduler.
    void post_mail(unsigned number)
    {
        driver_.post(number);
    }

    void happen(std::uint32_t count)
    {
        driver_.happen(count);
    }

    /// Returns when everybody has slept for a while.
    void await_full_sleep()
    {
        for (unsigned calm = 0; calm != 8; calm = idle_.parked() == Workers ? calm + 1 : 0)
            yield_thread();
    }

    /// Returns when the guard begins to make its n-th round.
    void await_rounds(std::uint32_t n)
    {
        for (std::uint32_t now; (now = rounds_.load(memory_order_relaxed)) < n;)
            futex_wait(rounds_, now);
    }

    /// As a worker does now and then between two jobs.
    void poll_driver(worker& w)
    {
        if (!seat_.try_take())
            return;
        for (std::uint32_t n = driver_.poll(); n != 0; --n)
            place(w, next_event());
        leave_seat(w);
    }

    /// As the calls of io_context: a worker until stopped, until it has done `limit` jobs, or until
    /// its time is up, if it `gives_up`.
    void run(std::size_t index, unsigned limit = Jobs, bool gives_up = false)
    {
        worker& w = workers_[index];
        w.gives_up = gives_up;
        join(w);
        for (job* j = nullptr; limit != 0 && next(w, j); --limit)
            execute(w, j);
        leave(w);
    }

    /// As a thread that comes back from run_blocking(): inside a job that goes on.
    template <typename Job>
    void come_back(std::size_t index, Job job)
    {
        worker& w = workers_[index];
        join(w);
        job();
        leave(w);
    }

private:
    enum class found
    {
        nothing,
        work,
        again
    };

    // What the race detector takes for an access to the whole.
    void use() const
    {
        (void)memory_.get();
    }

    bool is_alone() const
    {
        return Model::can_be_alone && alone_.load(memory_order_relaxed);
    }

    void join(worker& w)
    {
        bool second = false;
        w.guarded = idle_
                        .join(
                            [&](std::uint32_t before)
                            {
                                second = before == 1 && is_alone();
                                if (Model::can_be_alone)
                                    alone_.store(before == 0, memory_order_seq_cst);
                            })
                        .guard_armed;
        if (second)
        {
            // Long enough for another one to join, and to go to sleep.
            for (unsigned i = Model::has_slow_fence ? 60 : 0; i != 0 && idle_.parked() == 0; --i)
                yield_thread();
            rl::systemwide_fence(site());
            // For whoever has joined in the meantime.
            published();
        }
    }

    bool next(worker& w, job*& j)
    {
        for (;;)
        {
            if (stopped_.load(memory_order_acquire))
                return false;
            if (find_local(w, j) || find_injected(w, j) || search(w, j))
            {
                end_search(w);
                return true;
            }
            switch (sleep(w, j))
            {
            case found::work:
                return true;
            case found::again:
                break;
            case found::nothing:
                return false;
            }
        }
    }

    void execute(worker& w, job* j)
    {
        w.begun.store(w.begun.load(memory_order_relaxed) + 1, memory_order_relaxed);
        unsigned const number = j->number;
        jobs.begin(number);
        static_cast<Model&>(*this).work(w, number);
        jobs.end(number);
    }

    bool find_local(worker& w, job*& j)
    {
        // A busy worker's look elsewhere, at any time. What is in its ring may go to all others.
        if (Model::shares && choose(2) == 0)
            share(w);
        // And it takes from another worker, without being counted as a searcher.
        if (Model::relieves && choose(2) == 0 && steal(w, j))
            return true;
        j = w.slot.take();
        return j || w.owned_ring().pop(j);
    }

    bool find_injected(worker& w, job*& j)
    {
        if (inject_.empty())
            return false;
        std::size_t const spare = w.owned_ring().free_slots();
        bool first = true;
        std::size_t const taken = inject_.pop_batch(
            [&](std::size_t size)
            {
                // Who shares takes one at a time.
                if (Model::shares)
                    return std::size_t{1};
                std::size_t const share = size / (idle_.active() == 0 ? 1 : idle_.active()) + 1;
                return share < spare + 1 ? share : spare + 1;
            },
            [&](job_queue::item const& injected)
            {
                if (first)
                    j = injected.node;
                else
                    place(w, injected.node);
                first = false;
            });
        if (taken > 1)
            moved();
        return taken != 0;
    }

    bool search(worker& w, job*& j)
    {
        if (is_alone() || idle_.active() < 2)
            return false;
        if (!w.searching)
        {
            if (!idle_.try_search())
                return false;
            w.searching = true;
        }
        return look_at_others(w, j, false) || take_open_slots(w, j);
    }

    bool look_at_others(worker& w, job*& j, bool finally)
    {
        // What a thief has learned changes at any time.
        return Model::patient && choose(2) == 0 ? steal_patiently(w, j, finally) : steal(w, j);
    }

    bool steal(worker& w, job*& j)
    {
        for (std::size_t i = 1; i != Workers; ++i)
            if (steal_from(workers_[(w.index + i) % Workers], w, j))
                return true;
        return false;
    }

    bool steal_patiently(worker& w, job*& j, bool finally)
    {
        worker* owner = nullptr;
        std::uint32_t position = 0;
        for (std::size_t i = 1; i != Workers; ++i)
        {
            worker& other = workers_[(w.index + i) % Workers];
            std::uint32_t const size = other.ring.size();
            if (size == 0)
                continue;
            if (size > 1)
            {
                if (steal_from(other, w, j))
                    return true;
            }
            else if (!owner)
            {
                owner = &other;
                position = worker::queue::thief(other.ring).position();
            }
            else if (finally && steal_from(other, w, j))
                return true;
        }
        if (choose(2) == 0)
            yield_thread();
        return owner && worker::queue::thief(owner->ring).position() == position &&
               steal_from(*owner, w, j);
    }

    bool steal_from(worker& other, worker& w, job*& j)
    {
        if (other.ring.empty())
            return false;
        std::uint32_t const taken = worker::queue::thief(other.ring).steal(w.owned_ring(), j);
        if (taken == 0)
            return false;
        full_fence();
        if (taken > 1 || !other.ring.empty())
            moved();
        return true;
    }

    bool take_open_slots(worker& w, job*& j)
    {
        return Model::eager && take_slots(w, j, true);
    }

    bool make_round(worker& w, job*& j)
    {
        rounds_.fetch_add(1, memory_order_relaxed);
        futex_wake(rounds_, max_threads);
        return take_slots(w, j, false);
    }

    bool take_slots(worker& w, job*& j, bool everybody)
    {
        bool took = false;
        bool several = false;
        for (worker& other : workers_)
        {
            if (&other == &w)
                continue;
            if (!everybody && !is_stuck(other))
                continue;
            if (job* const slotted = other.slot.take())
            {
                if (took)
                    place(w, slotted);
                else
                    j = slotted;
                several = took;
                took = true;
            }
        }
        if (several)
            moved();
        return took;
    }

    // For the guard: whether a worker has been in one job since the last round.
    bool is_stuck(worker& other)
    {
        std::uint32_t const sample = other.begun.load(memory_order_relaxed) + 1;
        bool const stuck = sample == other.guard_sample.get();
        other.guard_sample.set(sample);
        return stuck;
    }

    found sleep(worker& w, job*& j)
    {
        std::uint32_t const announced = idle_.announce();
        if (stopped_.load(memory_order_seq_cst))
            return found::again;
        if (find_injected(w, j) || look_at_others(w, j, true) || take_open_slots(w, j))
        {
            end_search(w);
            return found::work;
        }
        if (!w.in_seat)
            w.in_seat = seat_.try_take();
        flush_work(w);
        if (w.gives_up && choose(4) == 0)
            return found::nothing;

        sleep_result const result = idle_.try_sleep(
            w.index, announced, w.searching, w.in_seat, [this] { return no_work_left(); });
        if (result == sleep_result::retry)
            return found::again;
        w.searching = false;
        if (result == sleep_result::finished)
        {
            stop();
            enter_running_set(w);
            return found::nothing;
        }
        bool const guard = result == sleep_result::parked_guard;
        park(w, guard);
        if (guard && Model::has_guard && make_round(w, j))
        {
            end_search(w);
            return found::work;
        }
        return found::again;
    }

    // The guard's limit is certain to pass only in the models of the guard: nothing else may rely
    // on it.
    void park(worker& w, bool guard)
    {
        deadline const until{Model::has_guard};
        if (!w.in_seat)
            w.sleep.park();
        else if (w.sleep.enter_driver())
        {
            for (std::uint32_t n = wait_in_driver(w, guard, until); n != 0; --n)
                place(w, next_event());
            w.sleep.leave_driver();
        }
        enter_running_set(w);
    }

    // Nothing is run in here.
    std::uint32_t wait_in_driver(worker& w, bool guard, deadline until)
    {
        if (!Model::has_mail)
            return driver_.wait(guard, until);
        return driver_.wait_and_take(
            guard, until, [&](unsigned number) { place(w, jobs.get(number)); });
    }

    // Whoever holds the seat.
    job* next_event()
    {
        unsigned const n = next_event_.get();
        next_event_.set(n + 1);
        return jobs.get(first_event + n);
    }

    void enter_running_set(worker& w)
    {
        idle::awakening const now = idle_.wake_up(w.index);
        require(idle_.parked() < Workers, "more are counted as asleep than there are");
        require(idle_.searching() <= Workers, "more are counted as searching than there are");
        w.guarded = now.guard_armed;
        if (now.claimed)
            w.searching = true;
    }

    void leave(worker& w)
    {
        if (job* const j = w.slot.take())
            post(w, j->number);
        bool const unfinished = w.searching;
        end_search(w);
        if (unfinished)
            published();
        flush_work(w);
        bool const finished = idle_.leave([this](std::uint32_t left)
            { alone_.store(Model::can_be_alone && left == 1, memory_order_seq_cst); },
            [this] { return no_work_left(); });
        if (finished)
            stop();
    }

    void moved()
    {
        if (!is_alone())
            published();
    }

    void end_search(worker& w)
    {
        bool for_others = false;
        if (w.searching)
        {
            w.searching = false;
            for_others = idle_.stop_searching() && work_in_sight();
        }
        if (w.in_seat)
            leave_seat(w);
        else if (for_others)
            published();
    }

    bool work_in_sight() const
    {
        full_fence();
        if (!inject_.empty() || !seat_.taken())
            return true;
        for (worker const& w : workers_)
            if (!w.ring.empty() || (Model::eager && !w.slot.empty()))
                return true;
        return false;
    }

    void leave_seat(worker& w)
    {
        w.in_seat = false;
        seat_.release();
        if (!is_alone())
            published();
    }

    void published()
    {
        use();
        if (idle_.work_published())
            wake(idle_.claim_one());
    }

    void wake(std::size_t index)
    {
        if (index == idle::none)
            return;
        use();
        if (workers_[index].sleep.unpark() != unpark_result::interrupt_driver)
            return;
        use();
        driver_.interrupt();
    }

    void place(worker& w, job* j)
    {
        auto ring = w.owned_ring();
        if (ring.push(j) || (make_room(w) && ring.push(j)))
            return;
        inject_.push(j);
    }

    bool make_room(worker& w)
    {
        job_queue::item batch[worker::queue::capacity];
        std::size_t count = 0;
        w.owned_ring().spill([](job*) { return true; },
            [&](job* j, std::uint32_t stamp) {
                batch[count++] = {j, 0, stamp};
            });
        if (count == 0)
            return false;
        (void)inject_.push(batch, count);
        return true;
    }

    // What is in the ring goes to the queue of all: to the scheduler's share().
    void share(worker& w)
    {
        job_queue::item batch[worker::queue::capacity];
        std::size_t count = 0;
        job* j;
        while (count != worker::queue::capacity && w.owned_ring().pop(j))
            batch[count++] = {j, 0, 0};
        if (count == 0)
            return;
        (void)inject_.push(batch, count);
        moved();
    }

    bool no_work_left() const
    {
        if (work_.value() != 0 || !inject_.empty())
            return false;
        for (worker const& w : workers_)
            if (!w.ring.empty() || !w.slot.empty())
                return false;
        return true;
    }

    void flush_work(worker& w)
    {
        work_.add(w.work_delta);
        w.work_delta = 0;
    }

    worker workers_[Workers];

    atomic<bool> alone_{false};
    atomic<bool> stopped_{false};
    reactor driver_;
    cell<unsigned> next_event_;
    atomic<std::uint32_t> rounds_{0};
    seat seat_;
    work_count work_;
    idle idle_;
    outsiders outsiders_;
    job_queue inject_;
    cell<unsigned> memory_;
};

/// So many workers, and a thread outside that posts job `First`.
template <typename Model, std::size_t Workers, unsigned Jobs, unsigned First = 0>
class fed_workers : public workers<Model, Workers, Jobs>
{
public:
    static constexpr int threads = static_cast<int>(Workers) + 1;

    void thread(unsigned index)
    {
        if (index < Workers)
            this->run(index);
        else
            this->post_from_outside(First);
    }
};

/// Job 0 puts job 1 into its worker's slot, and waits for it.
template <typename Model, std::size_t Workers>
class blocked_with_a_full_slot : public fed_workers<Model, Workers, 2>
{
public:
    void work(worker& w, unsigned number)
    {
        if (number != 0)
            return;
        this->post_continuation(w, 1);
        this->jobs.wait_for(1);
        this->stop();
    }
};

} // namespace model

#endif // WEFT_TEST_MODEL_WORKERS_HPP
