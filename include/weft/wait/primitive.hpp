// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_WAIT_PRIMITIVE_HPP
#define WEFT_WAIT_PRIMITIVE_HPP

// What semaphore, mutex and shared_mutex have in common: a state, an executor, and their end.

#include <weft/config.hpp>
#include <weft/platform/cheap_clock.hpp>
#include <weft/platform/mutex.hpp>
#include <weft/platform/visibility.hpp>
#include <weft/queue/op_list.hpp>
#include <weft/stats.hpp>
#include <weft/sync/semaphore_state.hpp>
#include <weft/sync/who_waits.hpp>
#include <weft/wait/scheduler_of.hpp>
#include <weft/wait/wait_op_base.hpp>
#include <weft/wait/wait_times.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/execution.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/query.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace weft
{
namespace detail
{
inline namespace WEFT_ABI_NAMESPACE
{

/// The execution context of an executor.
template <typename Executor>
boost::asio::execution_context& context_of(Executor const& ex)
{
    return boost::asio::query(
        ex, boost::asio::execution::context_as<boost::asio::execution_context&>);
}

class primitive_service;

/// One that waits at a primitive.
struct waiter_view
{
    std::uint64_t since = 0;    ///< by cheap_clock
    void const* code = nullptr; ///< wait_op_base::code()
    scheduler const* handler_scheduler = nullptr;
};

/// Those that wait at a primitive, as far as they are shown.
struct waiters_view
{
    static constexpr std::size_t most = 64;

    void add(wait_op_base const& op) noexcept
    {
        if (shown != most)
            one[shown++] = {op.since.get(), op.code(), op.handler_scheduler()};
    }

    waiter_view one[most];
    std::size_t shown = 0;
};

/// A primitive, and who waits there.
struct primitive_view
{
    primitive_stats stats;
    std::vector<waiter_view> waiters;
};

/// Links of a primitive in the list of its context.
class WEFT_DECL primitive_base
{
public:
    primitive_base(primitive_base const&) = delete;
    primitive_base& operator=(primitive_base const&) = delete;

protected:
    using operations = op_list<operation, operation_link>;

    explicit primitive_base(boost::asio::execution_context& context);
    virtual ~primitive_base() = default;

    /// To be called when nothing can fail any more, and by the destructor.
    void join_context() noexcept;
    void leave_context() noexcept;

    /// What it is called in statistics. Throws std::bad_alloc.
    void set_name(std::string name);

    /// Goes to the context of `other`, if that still has one.
    void follow(primitive_base const& other) noexcept;

    /// Records that an operation begins to wait here; `kind` is the number of the kind.
    void record_wait(scheduler& s, unsigned kind, waiter const& w) noexcept;

private:
    friend class primitive_service;

    /// The context goes away: moves all that wait to `out`.
    virtual void abandon(operations& out) noexcept = 0;

    /// What statistics tell of it, but for its name.
    virtual primitive_stats look() const noexcept = 0;

    /// Shows who waits.
    virtual void show_waiters(waiters_view& out) noexcept = 0;

    // Guarded by the lock of the service.
    std::string name_;

    // In events. Written under that lock, with the name.
    std::atomic<unsigned> name_number_{wait_events::name_unknown};

    // Guarded by the lock of the service; null once the context has gone away.
    primitive_service* service_;
    primitive_base* next_ = nullptr;
    primitive_base* prev_ = nullptr;
};

/// The primitives of a context. It is asked when they come and go, and not in between.
class WEFT_DECL primitive_service final : public boost::asio::execution_context::service
{
public:
    // A name that Asio looks for.
    static boost::asio::execution_context::id id;

    explicit primitive_service(boost::asio::execution_context& context);
    ~primitive_service() override;

    /// How many operations wait at the primitives of a context. Holds up those that are made or
    /// destroyed meanwhile, and linear in the number of both.
    static std::size_t waiting_in(boost::asio::execution_context& context);

    /// Of all primitives of a context. Throws std::bad_alloc.
    static std::vector<primitive_stats> look_at_all(boost::asio::execution_context& context);

    /// The same of those at which anybody waits, with who does. Takes their locks one at a time.
    static std::vector<primitive_view> look_at_waiters(boost::asio::execution_context& context);

private:
    friend class primitive_base;

    void shutdown() override;

    void add(primitive_base& p) noexcept;
    void remove(primitive_base& p) noexcept;

    // Guards list and links.
    adaptive_mutex mutex_;
    primitive_base* first_ = nullptr;
};

/// What a primitive is, for statistics.
struct mutex_kind
{
    static constexpr unsigned number = 0; // in events; in raw files too
    static constexpr std::string_view name = "mutex";
};

struct semaphore_kind
{
    static constexpr unsigned number = 1;
    static constexpr std::string_view name = "semaphore";
};

struct shared_mutex_kind
{
    static constexpr unsigned number = 2;
    static constexpr std::string_view name = "shared_mutex";
};

struct channel_kind
{
    static constexpr unsigned number = 3;
    static constexpr std::string_view name = "channel";
};

template <typename Executor, typename State, typename Kind>
class primitive : private primitive_base
{
public:
    using executor_type = Executor;

    template <typename... Args>
    explicit primitive(Executor const& ex, Args... args)
        : primitive_base(context_of(ex)), state(args...), yielding(scheduler_of(ex)),
          scheduler_(scheduler_of(ex)), executor_(ex)
    {
        join_context();
    }

    ~primitive() override
    {
        leave_context();
        yielding.finish();
        state.close(resume_waiters());
        // A time limit that has passed may have taken a waiter out before, and be serving others.
        yielding.finish();
    }

    void release(std::uint64_t n) noexcept
    {
        state.release(n, resume_acquired());
    }

    void cancel() noexcept
    {
        yielding.take_all();
        state.cancel_all(resume_waiters());
    }

    /// Takes the executor of `other`. Nobody waits, and nobody else uses this object.
    void follow(primitive const& other) noexcept
    {
        primitive_base::follow(other);
        scheduler_ = other.scheduler_;
        yielding.follow(scheduler_);
        executor_ = other.executor_;
    }

    using primitive_base::set_name;

    /// For an operation that has tried in vain, before it waits.
    void about_to_wait(waiter& w) noexcept
    {
        std::uint64_t const now = cheap_clock::now() & ~wait_events::marks;
        std::uint64_t const number = contended_.fetch_add(1, std::memory_order_relaxed);
        std::uint64_t marks = scheduler_ ? wait_events::marks_of(*scheduler_, number) : 0;
        if (marks != 0)
        {
            if ((marks & wait_events::timed) != 0 && !yielding.keeps_times())
                marks &= ~wait_events::timed;
            if ((marks & wait_events::recorded) != 0)
                record_wait(*scheduler_, Kind::number, w);
        }
        w.since.set(now | marks);
        last_.store(now, std::memory_order_relaxed);
    }

    Executor const& get_executor() const noexcept
    {
        return executor_;
    }

    scheduler* get_scheduler() const noexcept
    {
        return scheduler_;
    }

    State state;
    primitive_waiters yielding;

private:
    void abandon(operations& out) noexcept override
    {
        yielding.take_all();
        // Not destroyed before all are out: with the last of them the primitive may go.
        state.close(
            [&out](waiter& w)
            {
                auto& op = static_cast<wait_op_base&>(w);
                op.abandon();
                out.push(&op);
            });
    }

    primitive_stats look() const noexcept override
    {
        primitive_stats found;
        found.kind = Kind::name;
        found.where = this;
        waiting_now const now = state.waiting();
        found.waiting = now.count + yielding.size();
        found.senders = now.senders;
        if (now.count != 0)
        {
            std::uint64_t const since =
                now.since != 0 ? now.since : last_.load(std::memory_order_relaxed);
            std::uint64_t const time = cheap_clock::now();
            found.longest_wait = std::chrono::nanoseconds(
                static_cast<std::int64_t>(time > since ? time - since : 0));
        }
        found.contended = contended_.load(std::memory_order_relaxed);
        found.wait_time = yielding.times();
        if constexpr (std::is_same<Kind, channel_kind>::value)
            found.length = static_cast<std::size_t>(state.size());
        else
            found.available = state.available();
        return found;
    }

    void show_waiters(waiters_view& out) noexcept override
    {
        state.for_each_waiting([&out](waiter& w) { out.add(static_cast<wait_op_base&>(w)); });
    }

    // Constant, but for follow().
    scheduler* scheduler_;
    Executor executor_;

    // How many operations have tried in vain, and when the last of them did.
    std::atomic<std::uint64_t> contended_{0};
    std::atomic<std::uint64_t> last_{0};
};

} // namespace WEFT_ABI_NAMESPACE
} // namespace detail
} // namespace weft

#endif // WEFT_WAIT_PRIMITIVE_HPP
