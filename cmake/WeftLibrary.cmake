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

# weft_library(target kind source...): the library as static or shared one. weft::<kind> is its name for all users.
function(weft_library target kind)
    string(TOUPPER ${kind} _type)
    add_library(${target} ${_type} ${ARGN})
    add_library(weft::${kind} ALIAS ${target})
    target_compile_features(${target} PUBLIC cxx_std_17)
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
    target_include_directories(${target} PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    # The bodies of the library's own templates.
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${target} PUBLIC Boost::headers Threads::Threads)
    weft_house_rules(${target})
endfunction()
