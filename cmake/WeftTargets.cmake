# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

if(WEFT_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # Shared: the archive's operator new would collide with the one of tests that count allocations.
    execute_process(
        COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libclang_rt.tsan-${CMAKE_SYSTEM_PROCESSOR}.so
        OUTPUT_VARIABLE _weft_tsan_runtime OUTPUT_STRIP_TRAILING_WHITESPACE)
    get_filename_component(_weft_tsan_folder ${_weft_tsan_runtime} DIRECTORY)
endif()

# weft_house_rules(target): the warnings this project keeps clean, and the sanitizers of WEFT_SANITIZE, without
# the checks of WEFT_SANITIZE_EXCEPT.
function(weft_house_rules target)
    if(PROJECT_IS_TOP_LEVEL)
        target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow)
    endif()
    if(WEFT_SANITIZE)
        target_compile_options(${target} PUBLIC -fsanitize=${WEFT_SANITIZE} -fno-omit-frame-pointer)
        target_link_options(${target} PUBLIC -fsanitize=${WEFT_SANITIZE})
        if(WEFT_SANITIZE_EXCEPT)
            target_compile_options(${target} PUBLIC -fno-sanitize=${WEFT_SANITIZE_EXCEPT})
        endif()
        if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
            # What the sanitizers insert hides from g++ what Asio has initialized.
            target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
        endif()
        if(WEFT_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
            target_link_options(${target} PUBLIC -shared-libsan -Wl,-rpath,${_weft_tsan_folder})
        endif()
        if(WEFT_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
            # Asio's own fences, which TSan cannot see; weft's threads meet through ordered operations.
            target_compile_options(${target} PUBLIC -Wno-tsan)
        endif()
    endif()
endfunction()

# weft_precompiled(name HEADERS header... [OPTIONS option...] [LIBRARIES target...]): headers that targets with
# these libraries and compile options can reuse, by weft_precompile(); nothing without WEFT_PRECOMPILE.
# That is for building everything at once: a source that forgets an include is not found out.
function(weft_precompiled name)
    if(NOT WEFT_PRECOMPILE)
        return()
    endif()
    cmake_parse_arguments(PARSE_ARGV 1 "" "" "" "HEADERS;OPTIONS;LIBRARIES")
    set(_source ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
    file(CONFIGURE OUTPUT ${_source} CONTENT "")
    add_library(${name} OBJECT ${_source})
    target_link_libraries(${name} PRIVATE ${_LIBRARIES})
    target_compile_options(${name} PRIVATE ${_OPTIONS})
    weft_house_rules(${name})
    target_precompile_headers(${name} PRIVATE ${_HEADERS})
    # So that a compiler cache can tell what it has seen before.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${name} PRIVATE -fpch-preprocess)
    else()
        target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
    endif()
    if(CMAKE_GENERATOR MATCHES "Ninja")
        # ccache with CCACHE_PCH_EXTSUM reads this, and not for each source up to 200 MB, which takes it a second.
        set(_folder ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${name}.dir)
        set(_result cmake_pch.hxx${CMAKE_PCH_EXTENSION})
        add_custom_command(OUTPUT ${_folder}/${_result}.sum DEPENDS ${_folder}/${_result} VERBATIM
            COMMAND ${CMAKE_COMMAND} -E md5sum ${_result} > ${_result}.sum WORKING_DIRECTORY ${_folder})
        add_custom_target(${name}_sum DEPENDS ${_folder}/${_result}.sum)
    endif()
endfunction()

# weft_configures(variable source...): whether one of them configures for itself what it includes, and has to be
# compiled with nothing before it.
function(weft_configures variable)
    set(${variable} FALSE PARENT_SCOPE)
    foreach(_source IN LISTS ARGN)
        file(STRINGS ${_source} _lines REGEX "^#define (BOOST_|WEFT_MODEL_)")
        if(_lines)
            set(${variable} TRUE PARENT_SCOPE)
            return()
        endif()
    endforeach()
endfunction()

# weft_precompile(target FROM name): see above. Not for sources that configure for themselves what they include.
function(weft_precompile target)
    cmake_parse_arguments(PARSE_ARGV 1 "" "" "FROM" "")
    if(NOT TARGET ${_FROM})
        return()
    endif()
    get_target_property(_sources ${target} SOURCES)
    weft_configures(_configures ${_sources})
    if(_configures)
        return()
    endif()
    target_precompile_headers(${target} REUSE_FROM ${_FROM})
    if(TARGET ${_FROM}_sum)
        add_dependencies(${target} ${_FROM}_sum)
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${target} PRIVATE -fpch-preprocess)
    endif()
endfunction()
