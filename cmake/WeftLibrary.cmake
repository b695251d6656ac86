# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

# Patch releases keep the binary interface (doc/abi.md).
set(WEFT_SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

# The kind that the target weft is, and the other one.
if(BUILD_SHARED_LIBS)
    set(WEFT_KINDS shared static)
else()
    set(WEFT_KINDS static shared)
endif()

# weft_usage(target PUBLIC|INTERFACE): what its users need.
function(weft_usage target scope)
    target_compile_features(${target} ${scope} cxx_std_17)
    target_include_directories(${target} ${scope}
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(${target} ${scope} Boost::headers Threads::Threads)
endfunction()

# weft_library(target kind source...): the library as static or shared one. weft::<kind> is its name for all users.
function(weft_library target kind)
    string(TOUPPER ${kind} _type)
    add_library(${target} ${_type} ${ARGN})
    add_library(weft::${kind} ALIAS ${target})
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF OUTPUT_NAME weft EXPORT_NAME ${kind}
        VERSION ${PROJECT_VERSION} SOVERSION ${WEFT_SOVERSION})
    if(NOT DEFINED CMAKE_POSITION_INDEPENDENT_CODE)
        # The static library can become a part of shared ones.
        set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # What is position independent is inlined as if it were not; as clang does.
        target_compile_options(${target} PRIVATE -fno-semantic-interposition)
    endif()
    if(kind STREQUAL "shared")
        target_compile_definitions(${target} PUBLIC WEFT_DYN_LINK)
        if(NOT DEFINED CMAKE_CXX_VISIBILITY_PRESET AND NOT WEFT_BUILD_TESTS)
            # What is for users is exported by WEFT_DECL; the tests reach for the rest as well.
            set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
        endif()
    endif()
    if(WEFT_USDT)
        target_compile_definitions(${target} PRIVATE WEFT_USDT)
    endif()
    weft_usage(${target} PUBLIC)
    weft_house_rules(${target})
endfunction()

# weft_header_only(target): no library; its sources are compiled where its headers are included.
function(weft_header_only target)
    add_library(${target} INTERFACE)
    add_library(weft::header_only ALIAS ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME header_only)
    target_compile_definitions(${target} INTERFACE WEFT_HEADER_ONLY)
    weft_usage(${target} INTERFACE)
endfunction()
