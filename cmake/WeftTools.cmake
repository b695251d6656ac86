# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

# Programs for users. They need no library: what they have in common with it is compiled into them.

add_executable(weft_trace src/tool/weft_trace.cpp src/trace/chrome_json.cpp src/platform/object_file.cpp
    src/trace/raw_file.cpp src/platform/symbols.cpp src/trace/timeline.cpp src/trace/type_names.cpp)
set_target_properties(weft_trace PROPERTIES OUTPUT_NAME weft-trace CXX_EXTENSIONS OFF)
target_compile_features(weft_trace PRIVATE cxx_std_17)
target_include_directories(weft_trace PRIVATE include src)
weft_house_rules(weft_trace)

# Its manual page, where there is asciidoctor. Debian wants it compressed.
find_program(WEFT_ASCIIDOCTOR asciidoctor)
mark_as_advanced(WEFT_ASCIIDOCTOR)
if(WEFT_BUILD_TOOLS AND WEFT_ASCIIDOCTOR)
    set(_weft_page ${CMAKE_CURRENT_BINARY_DIR}/weft-trace.1)
    set(WEFT_MANUAL_PAGES ${_weft_page})
    set(_weft_compress)
    if(WEFT_DEBIAN_FILES)
        set(WEFT_MANUAL_PAGES ${_weft_page}.gz)
        set(_weft_compress COMMAND gzip -9nf ${_weft_page})
    endif()
    add_custom_command(OUTPUT ${WEFT_MANUAL_PAGES}
        COMMAND ${WEFT_ASCIIDOCTOR} --failure-level WARN -b manpage -a mansource=weft\ ${PROJECT_VERSION} -o ${_weft_page}
            ${PROJECT_SOURCE_DIR}/doc/man/weft-trace.adoc
        ${_weft_compress}
        DEPENDS ${PROJECT_SOURCE_DIR}/doc/man/weft-trace.adoc
        COMMENT "Making the manual page of weft-trace" VERBATIM)
    add_custom_target(weft_manual_pages ALL DEPENDS ${WEFT_MANUAL_PAGES})
endif()
