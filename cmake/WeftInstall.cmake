# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

# What is installed, in components: weft_runtime, weft_development, weft_tools, weft_license; and weft_documentation if it is
# asked for by name. Nothing of it names the prefix, so that it may be moved.

include(CMakePackageConfigHelpers)

set(_weft_package ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
set(_weft_build ${CMAKE_CURRENT_BINARY_DIR}/installed)

# weft_pkg_config(name cflags libs): installs name.pc, which finds the rest from where it is itself.
function(weft_pkg_config name cflags libs)
    if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
        # Then the prefix cannot be moved.
        set(_prefix ${CMAKE_INSTALL_PREFIX})
        set(_libdir ${CMAKE_INSTALL_FULL_LIBDIR})
        set(_includedir ${CMAKE_INSTALL_FULL_INCLUDEDIR})
    else()
        file(RELATIVE_PATH _prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
        string(REGEX REPLACE "/$" "" _prefix "\${pcfiledir}/${_prefix}")
        set(_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
        set(_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
    endif()
    configure_file(cmake/weft.pc.in ${_weft_build}/${name}.pc @ONLY)
    install(FILES ${_weft_build}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT weft_development)
endfunction()

# The library of one kind, and the targets of its own that the package reads if they are there: a prefix may have
# both kinds, from one build or two.
function(weft_install_library target kind)
    install(TARGETS ${target} EXPORT weft_${kind}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT weft_runtime NAMELINK_COMPONENT weft_development
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT weft_development
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT weft_runtime)
    install(EXPORT weft_${kind} NAMESPACE weft:: FILE weft-${kind}.cmake DESTINATION ${_weft_package}
        COMPONENT weft_development)
    if(kind STREQUAL "static")
        # By its name, for -lweft is the shared one if there is one.
        weft_pkg_config(weft-static "" "\${libdir}/libweft.a -pthread")
    endif()
endfunction()

weft_install_library(weft ${_weft_kind})
if(WEFT_BUILD_BOTH)
    weft_install_library(weft_${_weft_other_kind} ${_weft_other_kind})
endif()
install(TARGETS weft_header_only EXPORT weft_header_only)
install(EXPORT weft_header_only NAMESPACE weft:: FILE weft-header_only.cmake DESTINATION ${_weft_package}
    COMPONENT weft_development)
weft_pkg_config(weft-header-only -DWEFT_HEADER_ONLY -pthread)
# What -lweft means to the linker: the shared library if there is one.
if(WEFT_BUILD_BOTH OR _weft_kind STREQUAL "shared")
    weft_pkg_config(weft -DWEFT_DYN_LINK "-L\${libdir} -lweft")
else()
    weft_pkg_config(weft "" "-L\${libdir} -lweft -pthread")
endif()

if(WEFT_BUILD_TOOLS)
    install(TARGETS weft_trace RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT weft_tools)
    if(WEFT_MANUAL_PAGES)
        install(FILES ${WEFT_MANUAL_PAGES} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT weft_tools)
    endif()
endif()

install(FILES LICENSE_1_0.txt DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/weft COMPONENT weft_license)
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/weft COMPONENT weft_documentation
    EXCLUDE_FROM_ALL)
install(DIRECTORY doc DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/weft COMPONENT weft_documentation EXCLUDE_FROM_ALL
    PATTERN build.sh EXCLUDE PATTERN "*.py" EXCLUDE PATTERN reference EXCLUDE PATTERN man EXCLUDE)
if(WEFT_MANUAL)
    install(DIRECTORY ${WEFT_MANUAL}/ DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/weft/manual COMPONENT weft_documentation
        EXCLUDE_FROM_ALL)
endif()
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT weft_development
    FILES_MATCHING PATTERN "*.hpp")
# Where weft/impl/src.hpp finds it.
install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/weft/impl/src COMPONENT weft_development
    FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cpp" PATTERN "*.ipp" PATTERN one_in_program.cpp EXCLUDE PATTERN tool EXCLUDE)

# gdb loads it with the shared library from where that is installed; others name it.
install(FILES src/tool/weft-gdb.py DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/weft COMPONENT weft_tools)
if(WEFT_BUILD_BOTH OR _weft_kind STREQUAL "shared")
    install(FILES src/tool/weft-gdb.py COMPONENT weft_tools
        DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/gdb/auto-load${CMAKE_INSTALL_FULL_LIBDIR}
        RENAME libweft.so.${PROJECT_VERSION}-gdb.py)
endif()


# For the probes of WEFT_USDT.
file(GLOB _weft_scripts CONFIGURE_DEPENDS src/tool/bpftrace/*.bt)
install(FILES ${_weft_scripts} DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/weft/bpftrace COMPONENT weft_development)

configure_package_config_file(cmake/weftConfig.cmake.in ${_weft_build}/weftConfig.cmake
    INSTALL_DESTINATION ${_weft_package})
if(PROJECT_VERSION_MAJOR EQUAL 0)
    set(_weft_compatible SameMinorVersion)
else()
    set(_weft_compatible SameMajorVersion)
endif()
write_basic_package_version_file(${_weft_build}/weftConfigVersion.cmake COMPATIBILITY ${_weft_compatible})
install(FILES ${_weft_build}/weftConfig.cmake ${_weft_build}/weftConfigVersion.cmake DESTINATION ${_weft_package}
    COMPONENT weft_development)
