// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// host PLUGIN: a program and a plugin that it loads use the same contexts, and see one weft.
#include "check.hpp"
#include "plugin.hpp"

#include <boost/asio/detached.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/system_error.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <iostream>
#include <thread>
#include <vector>

namespace asio = boost::asio;
using boost::system::error_code;

namespace
{

// On a context that the one has made and the other runs.
void test_context(plugin const& p, weft::io_context& context)
{
    std::thread::id const runner = std::this_thread::get_id();
    CHECK(p.knows(context.get_executor()));

    CHECK(seen_things() == p.see());
    bool seen = false;
    asio::post(context,
        [&]
        {
            seen = true;
            CHECK(seen_things().worker_of_asio != nullptr);
            CHECK(seen_things() == p.see());
        });

    asio::ip::tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), 0});
    asio::ip::tcp::socket accepted(context);
    bool has_accepted = false;
    acceptor.async_accept(accepted, [&](error_code ec) { has_accepted = !ec; });
    std::vector<std::string> done;
    p.start(context, acceptor.local_endpoint().port(),
        [&](std::string const& what)
        {
            CHECK(std::this_thread::get_id() == runner);
            CHECK(context.get_executor().running_in_this_thread());
            CHECK(threads_of_process() == 1);
            done.push_back(what);
        });
    context.run();
    std::sort(done.begin(), done.end());
    CHECK(seen);
    CHECK(has_accepted);
    CHECK((done == std::vector<std::string>{"connection", "handler", "timer"}));

    weft::channel<int> channel(context, 0);
    weft::mutex mutex(context);
    CHECK(mutex.try_lock());
    int received = 0;
    channel.async_receive([&](error_code, int value) { received = value; });
    p.send(channel, mutex, 7);
    context.restart();
    context.poll();
    CHECK(received == 0);
    mutex.unlock();
    context.run();
    CHECK(received == 7);

    p.post_exception(context);
    context.restart();
    try
    {
        context.run();
        CHECK(false);
    }
    catch (boost::system::system_error const& e)
    {
        CHECK(e.code() == weft::errc::closed);
    }
}

// A handler hands over its worker from inside the plugin: else this waits for ever.
void test_blocking(plugin const& p)
{
    weft::thread_pool pool(1);
    asio::post(pool, [&] { p.wait_for_another_handler(pool); });
    pool.join();
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2)
        return 2;
    void* const library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library)
    {
        std::cerr << dlerror() << '\n';
        return 1;
    }
    auto* const get = reinterpret_cast<plugin_function*>(dlsym(library, PLUGIN_FUNCTION));
    CHECK(get != nullptr);
    if (get)
    {
        plugin const& p = get();
        {
            weft::io_context own;
            test_context(p, own);
        }
        test_context(p, *p.make_context());
        test_blocking(p);
    }
    return failures == 0 ? 0 : 1;
}
