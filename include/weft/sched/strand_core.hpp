// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_SCHED_STRAND_CORE_HPP
#define WEFT_SCHED_STRAND_CORE_HPP

// What the copies of a strand share. It is an operation itself: while the strand has something to
// run, the core is in a queue of the scheduler, or a worker runs it, or a call of dispatch holds
// it; it is never queued twice. So the strand allocates nothing but its handlers.
//
// A turn. The worker that comes to the core runs what is in the strand, in order, as long as its
// own turn lasts (sched/pace.hpp): each handler costs what one of the worker's queue does. Then the
// core goes to the back of the queue, as it does when a handler has left something that is to run
// before the next one. It goes on with what was submitted meanwhile if that would be run next
// anyway, because nothing else is queued.

#include <weft/config.hpp>
#include <weft/platform/visibility.hpp>
#include <weft/queue/strand_state.hpp>
#include <weft/reactor/operation.hpp>
#include <weft/sched/run_level.hpp>
#include <weft/sched/scheduler.hpp>

#include <cstddef>
#include <optional>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

class strand_core;

/// A strand whose handler this thread runs: one element of the thread's stack of those.
struct strand_scope
{
    explicit strand_scope(strand_core& c) noexcept;
    ~strand_scope();

    strand_scope(strand_scope const&) = delete;
    strand_scope& operator=(strand_scope const&) = delete;

    strand_core* const core;
    strand_scope* const outer;
};

/// The innermost strand that this thread is in.
WEFT_ONE_IN_PROGRAM inline thread_local strand_scope* current_strand = nullptr;

/// Whether the handler that this thread runs is one of strand `c`.
inline bool is_innermost_strand(strand_core const* c) noexcept
{
    strand_scope const* const innermost = current_strand;
    return innermost && innermost->core == c;
}

inline strand_scope::strand_scope(strand_core& c) noexcept : core(&c), outer(current_strand)
{
    current_strand = this;
}

inline strand_scope::~strand_scope()
{
    current_strand = outer;
}

class WEFT_DECL strand_core final : public operation
{
public:
    /// With one reference. Throws std::bad_alloc.
    static strand_core* create(scheduler& s);

    strand_core(strand_core const&) = delete;
    strand_core& operator=(strand_core const&) = delete;

    // Each strand object has a reference. The scheduler may be gone when the last one goes.

    void add_reference() noexcept
    {
        state_.add_reference(is_innermost_strand(this));
    }

    void remove_reference() noexcept
    {
        if (state_.remove_reference(is_innermost_strand(this)))
            destroy_core();
    }

    /// Whether this thread runs a handler of the strand, or one inside it.
    bool running_in_this_thread() const noexcept
    {
        for (strand_scope const* s = current_strand; s; s = s->outer)
            if (s->core == this)
                return true;
        return false;
    }

    /// Appends an operation. Any thread.
    /// @param continues That the strand, if it was idle, continues the running handler.
    void submit(operation* op, bool continues) noexcept
    {
        if (state_.push(op))
            queue_up(continues);
    }

    /// The same, and removes a reference.
    void submit_and_remove_reference(operation* op, bool continues) noexcept
    {
        if (state_.push_with_reference(op))
            queue_up(continues);
        else
            remove_reference();
    }

    /// Whether the caller may run a handler now: it is a worker, and the strand was idle. It holds
    /// the strand then, and constructs a visit.
    bool try_enter() noexcept
    {
        return scheduler_.enter_dispatch() && state_.try_hold();
    }

    /// The holder is in the strand, and leaves when this ends.
    class WEFT_DECL visit
    {
    public:
        explicit visit(strand_core& core) noexcept
            : core_(core), level_(find_level(current_level, &core.scheduler_))
        {
            scope_.emplace(core);
        }

        ~visit()
        {
            scope_.reset();
            core_.leave(level_->sched != nullptr);
        }

        visit(visit const&) = delete;
        visit& operator=(visit const&) = delete;

        /// The worker's, of this thread.
        run_level& here() const noexcept
        {
            return *level_;
        }

    private:
        strand_core& core_;
        run_level* const level_;
        std::optional<strand_scope> scope_;
    };

    /// Whether the strand has one reference and nothing to run; that of somebody who has it.
    bool is_unused() const noexcept
    {
        return state_.is_unused();
    }

    scheduler& sched() const noexcept
    {
        return scheduler_;
    }

    /// Destroys what is queued in the strands of `s` that this thread is in, whose handlers have
    /// destroyed `s`. True if there was anything.
    static bool destroy_queued_around(scheduler const& s) noexcept;

private:
    using state = strand_state<operation, operation_link>;

    explicit strand_core(scheduler& s) noexcept
        : operation(&strand_core::do_complete), scheduler_(s)
    {
    }

    ~strand_core() = default;

    void queue_up(bool continues) noexcept
    {
        if (continues)
            scheduler_.submit_continuation(this);
        else
            scheduler_.submit(this);
    }

    static void do_complete(
        void* owner, operation* base, boost::system::error_code const&, std::size_t);

    void run(void* owner);
    bool goes_on(run_level& f) noexcept;
    bool destroy_queued() noexcept;
    void leave(bool has_scheduler) noexcept;
    void destroy_core() noexcept;

    scheduler& scheduler_;
    state state_;

    // The holder's: what it has taken out of the state.
    operation* taken_ = nullptr;
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_SCHED_STRAND_CORE_HPP
