// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_PRIMITIVES_PLACES_HPP
#define WEFT_TEST_PRIMITIVES_PLACES_HPP

#include <weft/io_context.hpp>
#include <weft/thread_pool.hpp>

#include "support/cases.hpp"

#include <ostream>

namespace test
{

/// Contexts on which primitives are tested.
enum class where
{
    weft_io,
    weft_io_2,
    weft_pool,
    asio_io,
    asio_io_2,
    asio_pool,
    weft_strand,
    asio_strand
};

inline std::ostream& operator<<(std::ostream& out, where w)
{
    constexpr char const* names[] = {"weft::io_context", "weft::io_context, 2 threads",
        "weft::thread_pool", "asio::io_context", "asio::io_context, 2 threads", "asio::thread_pool",
        "a strand on weft", "a strand on Asio"};
    return out << names[static_cast<std::size_t>(w)];
}

inline std::vector<where> const places{where::weft_io, where::weft_io_2, where::weft_pool,
    where::asio_io, where::asio_io_2, where::asio_pool, where::weft_strand, where::asio_strand};

// Asio's strands do not survive that an executor below them finds no memory.
inline std::vector<where> const places_but_strands{where::weft_io, where::weft_io_2,
    where::weft_pool, where::asio_io, where::asio_io_2, where::asio_pool};

// One thread: what happens is the same in each execution.
inline std::vector<where> const single_places{where::weft_io, where::asio_io};

/// What tests do with a context: one type, so that a test is compiled once and not for each of
/// them.
class any_context
{
public:
    virtual ~any_context() = default;
    virtual boost::asio::any_io_executor get_executor() = 0;

    /// Runs everything to its end.
    virtual void finish() = 0;
    virtual void stop() = 0;

    // A pool has none of these.
    virtual std::size_t poll()
    {
        throw not_a_pools();
    }

    virtual std::size_t poll_one()
    {
        throw not_a_pools();
    }

    virtual std::size_t run()
    {
        throw not_a_pools();
    }

    virtual std::size_t run_one()
    {
        throw not_a_pools();
    }

    virtual void restart()
    {
        throw not_a_pools();
    }

    virtual bool stopped()
    {
        throw not_a_pools();
    }

private:
    static std::logic_error not_a_pools()
    {
        return std::logic_error("a thread_pool is not run by its user");
    }
};

template <class Context>
class io_place : public any_context
{
public:
    io_place(std::size_t threads, bool strand) : threads_(threads), strand_(strand)
    {
    }

    boost::asio::any_io_executor get_executor() override
    {
        if (strand_)
            return boost::asio::make_strand(context_);
        return context_.get_executor();
    }

    void finish() override
    {
        context_.restart();
        run_on(context_, threads_);
    }

    void stop() override
    {
        context_.stop();
    }

    std::size_t poll() override
    {
        return context_.poll();
    }

    std::size_t poll_one() override
    {
        return context_.poll_one();
    }

    std::size_t run() override
    {
        return context_.run();
    }

    std::size_t run_one() override
    {
        return context_.run_one();
    }

    void restart() override
    {
        context_.restart();
    }

    bool stopped() override
    {
        return context_.stopped();
    }

private:
    Context context_;
    std::size_t const threads_;
    bool const strand_;
};

template <class Pool>
class pool_place : public any_context
{
public:
    boost::asio::any_io_executor get_executor() override
    {
        return pool_.get_executor();
    }

    void finish() override
    {
        pool_.join();
    }

    void stop() override
    {
        pool_.stop();
    }

private:
    Pool pool_{2};
};

inline std::unique_ptr<any_context> make_context(where w)
{
    using weft_io = io_place<weft::io_context>;
    using asio_io = io_place<boost::asio::io_context>;
    switch (w)
    {
    case where::weft_io:
        return std::make_unique<weft_io>(1u, false);
    case where::weft_io_2:
        return std::make_unique<weft_io>(2u, false);
    case where::weft_pool:
        return std::make_unique<pool_place<weft::thread_pool>>();
    case where::asio_io:
        return std::make_unique<asio_io>(1u, false);
    case where::asio_io_2:
        return std::make_unique<asio_io>(2u, false);
    case where::asio_pool:
        return std::make_unique<pool_place<boost::asio::thread_pool>>();
    case where::weft_strand:
        return std::make_unique<weft_io>(2u, true);
    case where::asio_strand:
        return std::make_unique<asio_io>(2u, true);
    }
    throw std::invalid_argument("where");
}

inline bool is_pool(where w)
{
    return w == where::weft_pool || w == where::asio_pool;
}

/// For co_spawn: what a coroutine throws leaves run().
inline void rethrow(std::exception_ptr e)
{
    if (e)
        std::rethrow_exception(e);
}

/// Where a primitive lives.
class place
{
    std::unique_ptr<any_context> const owned_;

public:
    explicit place(where w)
        : owned_(make_context(w)), context(*owned_), executor(context.get_executor())
    {
    }

    /// Runs everything to its end.
    void finish()
    {
        context.finish();
    }

    any_context& context;
    boost::asio::any_io_executor executor;
};

} // namespace test

/// A test case that is run for each of `places`, with a fixture of its own each time: it has a
/// `place`, and knows it by the name `where`. Not one of Boost.Test's data: that is a template, and
/// slow to compile.
#define WEFT_TEST_CASE_IN_PLACES(name, places)                                                     \
    WEFT_TEST_CASE_THAT_HAS(test::place place{where};, name, places)

/// The same, for a case that makes its place itself.
#define WEFT_TEST_CASE_FOR_PLACES(name, places) WEFT_TEST_CASE_THAT_HAS(, name, places)

#define WEFT_TEST_CASE_THAT_HAS(more, name, places)                                                \
    struct name##_in_place : BOOST_AUTO_TEST_CASE_FIXTURE                                          \
    {                                                                                              \
        test::where const where;                                                                   \
        more void run_in_place();                                                                  \
    };                                                                                             \
    BOOST_AUTO_TEST_CASE(name)                                                                     \
    {                                                                                              \
        for (test::where const w : places)                                                         \
            BOOST_TEST_CONTEXT(w)                                                                  \
        name##_in_place{{}, w}.run_in_place();                                                     \
    }                                                                                              \
    void name##_in_place::run_in_place()

#endif // WEFT_TEST_PRIMITIVES_PLACES_HPP
