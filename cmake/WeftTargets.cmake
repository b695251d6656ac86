# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

# weft_house_rules(target): the warnings this project keeps clean, and the sanitizers of WEFT_SANITIZE.
function(weft_house_rules target)
    if(PROJECT_IS_TOP_LEVEL)
        target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow)
    endif()
    if(WEFT_SANITIZE)
        target_compile_options(${target} PUBLIC -fsanitize=${WEFT_SANITIZE} -fno-omit-frame-pointer)
        target_link_options(${target} PUBLIC -fsanitize=${WEFT_SANITIZE})
        if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
            # What the sanitizers insert hides from g++ what Asio has initialized.
            target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
        endif()
        if(WEFT_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
            # Asio's own fences, which TSan cannot see; weft's threads meet through ordered operations.
            target_compile_options(${target} PUBLIC -Wno-tsan)
        endif()
    endif()
endfunction()
