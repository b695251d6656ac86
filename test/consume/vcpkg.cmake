# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

# cmake -DSOURCE=... -DPACKAGE=... -DLINKAGE=static|dynamic -P vcpkg.cmake: runs packaging/vcpkg/portfile.cmake, with
# stand-ins for the functions of vcpkg that it calls: what they do to the files, as far as a release build goes.

file(READ ${SOURCE}/packaging/vcpkg/vcpkg.json _manifest)
string(JSON PORT GET "${_manifest}" name)
string(JSON _version GET "${_manifest}" version)
file(STRINGS ${SOURCE}/include/weft/version.hpp _defined REGEX "WEFT_VERSION_(MAJOR|MINOR|PATCH) [0-9]+$")
string(REGEX MATCHALL "[0-9]+" _defined "${_defined}")
list(JOIN _defined "." _defined)
if(NOT _version STREQUAL _defined)
    message(FATAL_ERROR "vcpkg.json says ${_version}, version.hpp ${_defined}")
endif()
set(CURRENT_PACKAGES_DIR ${PACKAGE})
set(_shared OFF)
if(LINKAGE STREQUAL "dynamic")
    set(_shared ON)
endif()

function(vcpkg_cmake_configure)
    cmake_parse_arguments(PARSE_ARGV 0 _call "" "SOURCE_PATH" "OPTIONS")
    execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S ${_call_SOURCE_PATH} -B ${PACKAGE}.build ${_call_OPTIONS}
        -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=${_shared} -DCMAKE_INSTALL_LIBDIR=lib
        -DCMAKE_INSTALL_PREFIX=${PACKAGE} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(vcpkg_cmake_install)
    execute_process(COMMAND ${CMAKE_COMMAND} --build ${PACKAGE}.build --target install COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(vcpkg_cmake_config_fixup)
    cmake_parse_arguments(PARSE_ARGV 0 _call "" "CONFIG_PATH" "")
    # The folder may have other files already.
    file(GLOB _files ${PACKAGE}/${_call_CONFIG_PATH}/*)
    file(COPY ${_files} DESTINATION ${PACKAGE}/share/${PORT})
    file(REMOVE_RECURSE ${PACKAGE}/${_call_CONFIG_PATH})
    # From three folders below the prefix to two, as the packages say it in these places.
    file(GLOB _files ${PACKAGE}/share/${PORT}/*.cmake)
    foreach(_file IN LISTS _files)
        file(READ ${_file} _text)
        string(REPLACE "/../../../\" ABSOLUTE)" "/../../\" ABSOLUTE)" _text "${_text}")
        string(REGEX REPLACE "get_filename_component\\(_IMPORT_PREFIX \"\\\${CMAKE_CURRENT_LIST_FILE}\" PATH\\)(\nget_filename_component\\(_IMPORT_PREFIX \"\\\${_IMPORT_PREFIX}\" PATH\\))(\nget_filename_component\\(_IMPORT_PREFIX \"\\\${_IMPORT_PREFIX}\" PATH\\))(\nget_filename_component\\(_IMPORT_PREFIX \"\\\${_IMPORT_PREFIX}\" PATH\\))"
            "get_filename_component(_IMPORT_PREFIX \"\${CMAKE_CURRENT_LIST_FILE}\" PATH)\\1\\2" _text "${_text}")
        file(WRITE ${_file} "${_text}")
    endforeach()
endfunction()

function(vcpkg_fixup_pkgconfig)
endfunction()

function(vcpkg_install_copyright)
    cmake_parse_arguments(PARSE_ARGV 0 _call "" "" "FILE_LIST")
    file(INSTALL ${_call_FILE_LIST} DESTINATION ${PACKAGE}/share/${PORT})
endfunction()

include(${SOURCE}/packaging/vcpkg/portfile.cmake)
