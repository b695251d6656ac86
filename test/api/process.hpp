// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_TEST_API_PROCESS_HPP
#define WEFT_TEST_API_PROCESS_HPP

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <thread>

#include <sys/syscall.h>
#include <unistd.h>

namespace test
{

// Where the kernel lists the threads of this process.
inline const char* const task_directory = "/proc/self/task";

inline std::size_t threads_of_this_process()
{
    std::size_t count = 0;
    for (const auto& task : std::filesystem::directory_iterator(task_directory))
    {
        (void)task;
        ++count;
    }
    return count;
}

// The count to compare with. A sanitizer starts a thread of its own together with the first one:
// here.
inline std::size_t threads_at_rest()
{
    long number = 0;
    std::thread([&] { number = ::syscall(SYS_gettid); }).join();
    while (std::filesystem::exists(std::filesystem::path(task_directory) / std::to_string(number)))
        std::this_thread::yield();
    return threads_of_this_process();
}

// A thread that has been joined may be listed for another moment. A leak makes this a hang, and so
// a failure.
inline void wait_until_threads_are(std::size_t expected)
{
    while (threads_of_this_process() != expected)
        std::this_thread::yield();
}

// How often each thread gave up its core because it waited, by thread number.
inline std::map<std::string, unsigned long> voluntary_switches()
{
    std::map<std::string, unsigned long> switches;
    for (const auto& task : std::filesystem::directory_iterator(task_directory))
    {
        std::ifstream file(task.path() / "status");
        for (std::string line; std::getline(file, line);)
            if (line.rfind("voluntary_ctxt_switches:", 0) == 0)
                switches[task.path().filename()] = std::stoul(line.substr(line.find(':') + 1));
    }
    return switches;
}

} // namespace test

#endif
