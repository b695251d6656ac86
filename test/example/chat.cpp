// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "checks.hpp"

#include <vector>

namespace check
{

namespace
{

constexpr int talk = 200;

awaitable<void> ask(connection& peer, std::string text, std::string answer)
{
    co_await peer.send(text + '\n');
    expect_equal(co_await peer.line(), answer, "the answer to " + text);
}

awaitable<void> enter(connection& peer, unsigned short port, std::string nick)
{
    co_await peer.open(port);
    co_await ask(peer, "NICK " + nick, "OK " + nick);
}

awaitable<void> wrong_commands_are_refused(unsigned short port)
{
    connection peer{co_await asio::this_coro::executor};
    co_await peer.open(port);
    co_await ask(peer, "JOIN somewhere", "ERR say NICK first");
    co_await ask(peer, "NICK two words", "ERR bad nick");
    co_await ask(peer, "NICK", "ERR bad nick");
    co_await ask(peer, "NICK eve\r", "OK eve");
    co_await ask(peer, "DANCE", "ERR unknown command");
    co_await ask(peer, "JOIN", "ERR bad room name");
    co_await ask(peer, "JOIN a/b", "ERR bad room name");
    co_await ask(peer, "SAY nowhere hello", "ERR not in that room");
    co_await ask(peer, "PART nowhere", "ERR not in that room");
    co_await ask(peer, "JOIN eves", "JOINED eves eve");
    co_await ask(peer, "JOIN eves", "ERR already in that room");
    co_await ask(peer, "NICK adam", "ERR leave your rooms first");
    co_await ask(peer, "SAY eves", "ERR nothing to say");
    co_await peer.send(std::string(5000, 'x'));
    expect_equal(co_await peer.rest(), "ERR line too long\n", "a line without end");
}

awaitable<void> rooms_do_not_mix(unsigned short port)
{
    auto const executor = co_await asio::this_coro::executor;
    connection ann{executor};
    connection bob{executor};
    co_await enter(ann, port, "ann");
    co_await enter(bob, port, "bob");
    co_await ask(ann, "JOIN red", "JOINED red ann");
    co_await ask(bob, "JOIN blue", "JOINED blue bob");
    co_await ask(ann, "SAY red I am alone", "MSG red ann I am alone");
    co_await ask(bob, "SAY blue so am I", "MSG blue bob so am I");
    co_await ask(ann, "QUIT", "BYE");
    expect_equal(co_await ann.rest(), "", "nothing follows BYE");
}

std::vector<std::string> only_messages(std::vector<std::string> const& lines, std::string nick)
{
    std::vector<std::string> messages;
    for (auto const& line : lines)
    {
        if (line.starts_with("MSG hall " + nick + ' '))
            messages.push_back(line);
    }
    return messages;
}

/// Two talk at once: everybody hears everything in one and the same order, and each speaker in the
/// order of speaking.
awaitable<void> everybody_hears_the_same(unsigned short port)
{
    auto const executor = co_await asio::this_coro::executor;
    connection ann{executor};
    connection bob{executor};
    connection cyd{executor};
    co_await enter(ann, port, "ann");
    co_await enter(bob, port, "bob");
    co_await enter(cyd, port, "cyd");
    co_await ask(ann, "JOIN hall", "JOINED hall ann");
    co_await ask(bob, "JOIN hall", "JOINED hall bob");
    co_await ask(cyd, "JOIN hall", "JOINED hall cyd");
    expect_equal(co_await ann.line(), "JOINED hall bob", "ann sees bob come");
    expect_equal(co_await ann.line(), "JOINED hall cyd", "ann sees cyd come");
    expect_equal(co_await bob.line(), "JOINED hall cyd", "bob sees cyd come");

    for (auto* speaker : {&ann, &bob})
    {
        std::string text;
        for (int i = 0; i < talk; ++i)
            text += "SAY hall " + std::to_string(i) + '\n';
        co_await speaker->send(text);
    }

    std::vector<std::vector<std::string>> heard;
    for (auto* listener : {&ann, &bob, &cyd})
    {
        auto& lines = heard.emplace_back();
        for (int i = 0; i < 2 * talk; ++i)
            lines.push_back(co_await listener->line());
    }
    expect(heard[0] == heard[1] && heard[1] == heard[2], "all members hear the same order");
    for (std::string const nick : {"ann", "bob"})
    {
        auto const messages = only_messages(heard[2], nick);
        expect(messages.size() == talk, "nothing of " + nick + " is lost");
        for (int i = 0; i < talk; ++i)
            expect_equal(messages[i], "MSG hall " + nick + ' ' + std::to_string(i), "the order");
    }

    co_await ask(ann, "PART hall", "LEFT hall ann");
    expect_equal(co_await bob.line(), "LEFT hall ann", "bob sees ann go");
    bob.close();
    expect_equal(co_await cyd.line(), "LEFT hall ann", "cyd sees ann go");
    expect_equal(co_await cyd.line(), "LEFT hall bob", "cyd sees bob hang up");
    co_await ask(ann, "JOIN hall", "JOINED hall ann");
    expect_equal(co_await cyd.line(), "JOINED hall ann", "cyd sees ann come back");
}

} // namespace

awaitable<void> check_chat(unsigned short port)
{
    co_await wrong_commands_are_refused(port);
    co_await rooms_do_not_mix(port);
    co_await everybody_hears_the_same(port);
}

} // namespace check
