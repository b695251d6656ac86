// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

// A file that many write records to, each in several steps with something asynchronous in between:
// a mutex keeps the records whole. Once in coroutines and once in callbacks.

#include <weft.hpp>

#include <boost/asio.hpp>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace asio = boost::asio;
using boost::system::error_code;

namespace
{

constexpr int lines_per_record = 4;

struct shared_file
{
    explicit shared_file(weft::thread_pool& pool) : mutex(pool), stream(std::tmpfile())
    {
        if (!stream)
            std::abort();
    }

    ~shared_file()
    {
        std::fclose(stream);
    }

    // The disk may be slow: the worker's queue is not to wait for it.
    void write_line(int record, int line)
    {
        weft::run_blocking([&] { std::fprintf(stream, "%d %d\n", record, line); });
    }

    weft::mutex mutex;

    // Guarded by mutex.
    std::FILE* stream;
};

asio::awaitable<void> write_record(shared_file& file, int record)
{
    auto const lock = co_await file.mutex.async_scoped_lock();
    for (int line = 0; line != lines_per_record; ++line)
    {
        file.write_line(record, line);
        // The next line is not known yet.
        co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
    }
}

void write_rest(shared_file& file, int record, int line, std::unique_lock<weft::mutex> lock)
{
    if (line == lines_per_record)
        return;
    file.write_line(record, line);
    asio::post(file.mutex.get_executor(), [&file, record, line, lock = std::move(lock)]() mutable
        { write_rest(file, record, line + 1, std::move(lock)); });
}

void write_record_with_callbacks(shared_file& file, int record)
{
    file.mutex.async_scoped_lock(
        [&file, record](error_code failed, std::unique_lock<weft::mutex> lock)
        {
            if (!failed)
                write_rest(file, record, 0, std::move(lock));
        });
}

// How many records stand in the file with all their lines together.
int count_whole_records(std::FILE* stream)
{
    std::rewind(stream);
    int whole = 0;
    for (int record, line, previous = -1, expected = 0;
         std::fscanf(stream, "%d %d", &record, &line) == 2; previous = record)
    {
        bool const fits = line == expected && (line == 0 || record == previous);
        expected = fits ? (line + 1) % lines_per_record : 0;
        whole += fits && expected == 0 ? 1 : 0;
    }
    return whole;
}

} // namespace

int main()
{
    constexpr int records = 100;
    weft::thread_pool pool(2);
    shared_file file(pool);
    for (int i = 0; i != records; ++i)
    {
        asio::co_spawn(pool, write_record(file, 2 * i), asio::detached);
        write_record_with_callbacks(file, 2 * i + 1);
    }
    pool.join();
    int const whole = count_whole_records(file.stream);
    std::cout << whole << " whole records\n";
    return whole == 2 * records ? 0 : 1;
}
