# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

# What cpack makes packages of. packaging/deb/build.sh is the command that does it as Debian wants it.

set(CPACK_PACKAGE_VENDOR "The weft authors")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE_1_0.txt)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_COMPONENTS_ALL weft_runtime weft_development weft_documentation)
if(WEFT_BUILD_TOOLS)
    list(APPEND CPACK_COMPONENTS_ALL weft_tools)
endif()
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
# dpkg needs an author, whose address is not weft's to know: as Debian's own tools do, from the environment.
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
if(NOT CPACK_DEBIAN_PACKAGE_RELEASE)
    set(CPACK_DEBIAN_PACKAGE_RELEASE 0weft1)
endif()
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_STRIP_FILES ON)

# The first line of each package's description is its own.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")

set(_weft_runtime libweft${WEFT_SOVERSION})
set(_weft_summary "work-stealing execution contexts for Boost.Asio")
set(_weft_what "weft::io_context and weft::thread_pool take the places of Boost.Asio's
classes of the same names. Every thread that runs them has a queue of its own,
and idle threads steal from busy ones. Locks and channels that are awaited
come with it.")

set(CPACK_DEBIAN_WEFT_RUNTIME_PACKAGE_NAME ${_weft_runtime})
set(CPACK_DEBIAN_WEFT_RUNTIME_DESCRIPTION "${_weft_summary} (shared library)
${_weft_what}

This package has the shared library, which programs need to run.")
set(CPACK_DEBIAN_WEFT_RUNTIME_PACKAGE_SHLIBDEPS ON)
# Programs of one patch release work with the next.
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
# The linker's cache is renewed by a trigger. CPack makes scripts that do it unless it is given others, and leaves out
# those that do not exist.
set(CPACK_DEBIAN_WEFT_RUNTIME_PACKAGE_CONTROL_EXTRA
    ${PROJECT_SOURCE_DIR}/packaging/deb/triggers /nonexistent/postinst /nonexistent/postrm)

set(CPACK_DEBIAN_WEFT_DEVELOPMENT_PACKAGE_NAME libweft-dev)
set(CPACK_DEBIAN_WEFT_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_WEFT_DEVELOPMENT_DESCRIPTION "${_weft_summary} (development files)
${_weft_what}

This package has the headers, the static library, and what CMake and
pkg-config need to find them.")
# The headers are of use with the Boost that the library was compiled with.
set(_weft_boost libboost${Boost_VERSION_MAJOR}.${Boost_VERSION_MINOR}-dev)
set(CPACK_DEBIAN_WEFT_DEVELOPMENT_PACKAGE_DEPENDS
    "${_weft_runtime} (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}), ${_weft_boost}")
set(CPACK_DEBIAN_WEFT_DEVELOPMENT_PACKAGE_SUGGESTS "weft-doc, weft-tools")

set(CPACK_DEBIAN_WEFT_TOOLS_PACKAGE_NAME weft-tools)
set(CPACK_DEBIAN_WEFT_TOOLS_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_WEFT_TOOLS_DESCRIPTION "${_weft_summary} (tools)
${_weft_what}

This package has weft-trace, which makes a timeline of what a program was
doing when it crashed, and commands for gdb, which show the workers of a
context and what waits for which lock.")
set(CPACK_DEBIAN_WEFT_TOOLS_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_WEFT_TOOLS_PACKAGE_SUGGESTS gdb)

set(CPACK_DEBIAN_WEFT_DOCUMENTATION_PACKAGE_NAME weft-doc)
set(CPACK_DEBIAN_WEFT_DOCUMENTATION_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_WEFT_DOCUMENTATION_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_WEFT_DOCUMENTATION_DESCRIPTION "${_weft_summary} (documentation)
${_weft_what}

This package has the manual with the reference, as web pages, and the pages for
those who change weft.")

# The copyright and the changelog that each package has to have, which build.sh writes.
if(WEFT_DEBIAN_FILES)
    foreach(_weft_component IN ITEMS RUNTIME DEVELOPMENT TOOLS DOCUMENTATION)
        string(TOLOWER weft_${_weft_component} _weft_lower)
        install(DIRECTORY ${WEFT_DEBIAN_FILES}/ COMPONENT ${_weft_lower} EXCLUDE_FROM_ALL
            DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${CPACK_DEBIAN_WEFT_${_weft_component}_PACKAGE_NAME})
    endforeach()
endif()

include(CPack)
