// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_MODEL_REACTOR_HPP
#define WEFT_TEST_MODEL_REACTOR_HPP

// What the driver does for the one thread that waits in it: an interruption, an event or mail ends
// the wait, or the next one if nobody waits, once. Two that wait at a time, or one after the other
// without having met, are a data race.

#include <weft/platform/atomic.hpp>
#include <weft/platform/futex.hpp>
#include <weft/platform/mutex.hpp>

#include "model/job_entry.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace model
{

/// Where somebody sleeps until something happens in the reactor while that is watched: once.
class job_watch
{
public:
    static constexpr bool is_available = true;
    static constexpr std::chrono::nanoseconds least_sleep{0};

    bool has_reactor() const noexcept
    {
        return has_reactor_;
    }

    bool open() noexcept
    {
        return true;
    }

    void wait() noexcept
    {
        futex_wait(woken_, 0);
        woken_.exchange(0, memory_order_relaxed);
    }

    void wake() noexcept
    {
        waking_[rl::ctx().current_thread() % max_threads].set(1);
        woken_.exchange(1, memory_order_relaxed);
        futex_wake(woken_, 1);
    }

    void disarm() noexcept
    {
        armed_.exchange(0, memory_order_relaxed);
    }

    // For the driver.

    /// Whether anybody ever waits. Only to save the checker steps.
    void has_reactor(bool has) noexcept
    {
        has_reactor_ = has;
    }

    void arm(atomic<std::uint32_t> const& signalled) noexcept
    {
        armed_.exchange(1, memory_order_relaxed);
        full_fence();
        if (signalled.load(memory_order_relaxed) != 0)
            happened();
    }

    /// After the driver has been told.
    void happened() noexcept
    {
        full_fence();
        if (armed_.exchange(0, memory_order_relaxed) != 0)
            wake();
    }

    void end() noexcept
    {
        for (cell<unsigned>& c : waking_)
            c.set(0);
    }

private:
    bool has_reactor_ = false;
    atomic<std::uint32_t> woken_{0};
    atomic<std::uint32_t> armed_{0};
    cell<unsigned> waking_[max_threads];
};

class job_driver
{
public:
    class sink
    {
    public:
        virtual bool has_room() noexcept = 0;
        virtual void ready(job_entry j) noexcept = 0;
        virtual void end() noexcept = 0;

    protected:
        ~sink() = default;
    };

    static constexpr unsigned max_unlinkable = 1;
    static constexpr unsigned least_if_more = 1;
    static constexpr bool tells_descriptors = true;

    // How long to wait in place of microseconds: until a time that comes, or that may not come.
    static constexpr long certain = 2;
    static constexpr long perhaps = 1;

    job_driver()
    {
        waits_.set(0);
    }

    // What others know of the driver.

    bool may_have_events() const noexcept
    {
        return true;
    }

    long pending() const noexcept
    {
        return 0;
    }

    job_driver& inner() noexcept
    {
        return *this;
    }

    void work_finished(long) noexcept
    {
    }

    void interrupt() noexcept
    {
        interrupting_[rl::ctx().current_thread() % max_threads].set(1);
        signalled_.exchange(1, memory_order_relaxed);
        futex_wake(signalled_, 1);
        if (watch_.has_reactor())
            watch_.happened();
    }

    bool begin_watch() noexcept
    {
        if (has_mail_)
        {
            mutex_.lock();
            waiting_ = mail_.empty();
            bool const has_none = waiting_;
            mutex_.unlock();
            if (!has_none)
                return false;
        }
        watch_.arm(signalled_);
        return true;
    }

    job_watch& watch() noexcept
    {
        return watch_;
    }

    std::size_t wait(long usec, sink& out)
    {
        std::size_t const mail = take_mail(usec != 0, out);
        if (out.has_room())
        {
            if (usec == 0 || mail != 0)
                poll();
            else
                sleep(usec);
        }
        std::size_t const events = deliver(out);
        return mail + take_mail(false, out) + events;
    }

    // For the model.

    /// The end, when nobody interrupts any more: whoever has done so has said that it is through.
    void end() noexcept
    {
        for (cell<unsigned>& c : interrupting_)
            c.set(0);
        watch_.end();
    }

    /// The jobs that events make ready, one after the other.
    void jobs_of_events(job* first) noexcept
    {
        next_event_ = first;
    }

    /// Whether events are those of descriptors, which cannot be linked.
    void events_of_descriptors(bool are) noexcept
    {
        of_descriptors_ = are;
    }

    void happen(std::uint32_t count) noexcept
    {
        events_.fetch_add(count, memory_order_relaxed);
        interrupt();
    }

    /// Whether anything is ever posted here. Only to save the checker steps.
    void has_mail(bool has) noexcept
    {
        has_mail_ = has;
    }

    /// As the post of a thread outside to Asio's scheduler: for whoever waits, who must be told.
    void post(job* j) noexcept
    {
        mutex_.lock();
        mail_.push(j);
        if (waiting_)
        {
            waiting_ = false;
            interrupt();
        }
        mutex_.unlock();
    }

private:
    void poll() noexcept
    {
        waits_.set(waits_.get() + 1);
        signalled_.exchange(0, memory_order_relaxed);
        waits_.set(waits_.get() + 1);
    }

    void sleep(long usec) noexcept
    {
        waits_.set(waits_.get() + 1);
        if (signalled_.exchange(0, memory_order_relaxed) == 0)
        {
            if (usec > 0)
                futex_wait_until(signalled_, 0, deadline{usec == certain});
            else
                futex_wait(signalled_, 0);
            signalled_.exchange(0, memory_order_relaxed);
        }
        waits_.set(waits_.get() + 1);
    }

    std::size_t deliver(sink& out) noexcept
    {
        std::uint32_t const count = events_.exchange(0, memory_order_relaxed);
        for (std::uint32_t i = 0; i != count; ++i)
            out.ready(job_entry(next_event_++, of_descriptors_ ? 1 : 0));
        return count;
    }

    std::size_t take_mail(bool waits, sink& out) noexcept
    {
        if (!has_mail_)
            return 0;
        op_list<job, job_link> taken;
        mutex_.lock();
        while (job* const j = mail_.pop())
            taken.push(j);
        waiting_ = waits && taken.empty();
        mutex_.unlock();
        std::size_t const count = taken.size();
        while (job* const j = taken.pop())
            out.ready(job_entry(j));
        return count;
    }

    // Guarded by the mutex.
    mutex mutex_;
    op_list<job, job_link> mail_;
    bool waiting_ = false;

    bool has_mail_ = false;
    job_watch watch_;
    atomic<std::uint32_t> signalled_{0};
    atomic<std::uint32_t> events_{0};
    cell<unsigned> waits_;
    cell<unsigned> interrupting_[max_threads];

    // Whoever waits.
    job* next_event_ = nullptr;
    bool of_descriptors_ = false;
};

/// Where the driver would put what is ready: it has nothing.
class no_events final : public job_driver::sink
{
public:
    bool has_room() noexcept override
    {
        return true;
    }

    void ready(job_entry) noexcept override
    {
    }

    void end() noexcept override
    {
    }
};

} // namespace model

#endif // WEFT_TEST_MODEL_REACTOR_HPP
