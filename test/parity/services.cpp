// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "parity/contexts.hpp"

#include <boost/mpl/list.hpp>

namespace
{

using asio::execution_context;

std::vector<std::string> journal;

class first_service : public execution_context::service
{
public:
    static execution_context::id id;

    explicit first_service(execution_context& context, std::string name = "first")
        : service(context), name_(std::move(name))
    {
    }

    ~first_service() override
    {
        journal.push_back("destroy " + name_);
    }

    const std::string& name() const
    {
        return name_;
    }

private:
    void shutdown() override
    {
        journal.push_back("shutdown " + name_);
    }

    void notify_fork(execution_context::fork_event event) override
    {
        const char* what = event == execution_context::fork_prepare  ? "prepare "
                           : event == execution_context::fork_parent ? "parent "
                                                                     : "child ";
        journal.push_back(what + name_);
    }

    std::string name_;
};

execution_context::id first_service::id;

class second_service : public first_service
{
public:
    using key_type = second_service;
    static execution_context::id id;

    explicit second_service(execution_context& context) : first_service(context, "second")
    {
    }
};

execution_context::id second_service::id;

// A service may look for others while it is constructed.
class dependent_service : public execution_context::service
{
public:
    using key_type = dependent_service;
    static execution_context::id id;

    explicit dependent_service(execution_context& context)
        : service(context), first(asio::use_service<first_service>(context))
    {
    }

    first_service& first;

private:
    void shutdown() override
    {
        journal.push_back("shutdown dependent");
    }
};

execution_context::id dependent_service::id;

// Posts to its context when that is already being shut down.
class posting_service : public execution_context::service
{
public:
    static execution_context::id id;

    posting_service(execution_context& context, subject::io_context& io, std::shared_ptr<int> token)
        : service(context), io_(io), token_(std::move(token))
    {
    }

private:
    void shutdown() override
    {
        asio::post(io_, [token = token_] { BOOST_ERROR("must not run"); });
    }

    subject::io_context& io_;
    std::shared_ptr<int> token_;
};

execution_context::id posting_service::id;

// The context as the user made it, on the heap so that its end can be placed.
template <class Context>
std::unique_ptr<Context> make()
{
    return std::make_unique<Context>(1);
}

using contexts = boost::mpl::list<subject::io_context, subject::thread_pool>;

struct clean_journal
{
    clean_journal()
    {
        journal.clear();
    }
};

std::vector<std::string> words(std::initializer_list<std::string> list)
{
    return list;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(services, clean_journal)

BOOST_AUTO_TEST_CASE_TEMPLATE(use_service_makes_a_service_once, Context, contexts)
{
    const auto context = make<Context>();
    BOOST_TEST(!asio::has_service<first_service>(*context));
    first_service& service = asio::use_service<first_service>(*context);
    BOOST_TEST(asio::has_service<first_service>(*context));
    BOOST_TEST(&asio::use_service<first_service>(*context) == &service);
    BOOST_TEST(&service.context() == static_cast<execution_context*>(context.get()));
    BOOST_TEST(!asio::has_service<second_service>(*context));
    BOOST_TEST(asio::use_service<second_service>(*context).name() == "second");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(make_service_passes_its_arguments, Context, contexts)
{
    const auto context = make<Context>();
    first_service& service = asio::make_service<first_service>(*context, "given");
    BOOST_TEST(service.name() == "given");
    BOOST_TEST(&asio::use_service<first_service>(*context) == &service);
    BOOST_CHECK_THROW(
        asio::make_service<first_service>(*context, "again"), asio::service_already_exists);
    BOOST_TEST(asio::use_service<first_service>(*context).name() == "given");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(add_service_takes_ownership, Context, contexts)
{
    {
        const auto context = make<Context>();
        auto service = std::make_unique<first_service>(*context, "added");
        asio::add_service<first_service>(*context, service.get());
        first_service* added = service.release();
        BOOST_TEST(&asio::use_service<first_service>(*context) == added);
        first_service another(*context, "another");
        BOOST_CHECK_THROW(
            asio::add_service<first_service>(*context, &another), asio::service_already_exists);
    }
    BOOST_TEST(journal == words({"destroy another", "shutdown added", "destroy added"}),
        boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(add_service_refuses_the_service_of_another_context, Context, contexts)
{
    const auto context = make<Context>();
    const auto other = make<Context>();
    first_service service(*other);
    BOOST_CHECK_THROW(
        asio::add_service<first_service>(*context, &service), asio::invalid_service_owner);
    BOOST_TEST(!asio::has_service<first_service>(*context));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    services_are_shut_down_in_reverse_and_then_destroyed, Context, contexts)
{
    {
        const auto context = make<Context>();
        asio::use_service<first_service>(*context);
        asio::use_service<second_service>(*context);
    }
    BOOST_TEST(
        journal == words({"shutdown second", "shutdown first", "destroy second", "destroy first"}),
        boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_service_a_service_needs_outlives_it, Context, contexts)
{
    {
        const auto context = make<Context>();
        auto& dependent = asio::use_service<dependent_service>(*context);
        BOOST_TEST(&dependent.first == &asio::use_service<first_service>(*context));
    }
    BOOST_TEST(journal == words({"shutdown dependent", "shutdown first", "destroy first"}),
        boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(
    services_live_until_the_context_ends_and_not_until_it_stops, Context, contexts)
{
    const auto context = make<Context>();
    asio::use_service<first_service>(*context);
    asio::post(*context, [] {});
    context->stop();
    BOOST_TEST(journal.empty());
    BOOST_TEST(asio::has_service<first_service>(*context));
}

BOOST_AUTO_TEST_CASE(notify_fork_reaches_the_services_in_order)
{
    subject::io_context context;
    asio::use_service<first_service>(context);
    asio::use_service<second_service>(context);
    context.notify_fork(execution_context::fork_prepare);
    context.notify_fork(execution_context::fork_parent);
    context.notify_fork(subject::io_context::fork_prepare);
    context.notify_fork(subject::io_context::fork_child);
    BOOST_TEST(journal == words({"prepare second", "prepare first", "parent first", "parent second",
                              "prepare second", "prepare first", "child first", "child second"}),
        boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(handlers_may_use_services)
{
    subject::io_context context;
    std::string name;
    asio::post(context, [&] { name = asio::use_service<second_service>(context).name(); });
    BOOST_TEST(context.run() == 1u);
    BOOST_TEST(name == "second");
}

BOOST_AUTO_TEST_CASE(a_service_may_post_to_its_context_while_it_shuts_down)
{
    const auto token = std::make_shared<int>(0);
    {
        subject::io_context context;
        asio::make_service<posting_service>(context, context, token);
    }
    BOOST_TEST(token.use_count() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
