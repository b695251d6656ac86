# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

# Programs for users. They need no library: what they have in common with it is compiled into them.

add_executable(weft_trace src/tool/weft_trace.cpp src/trace/chrome_json.cpp src/platform/object_file.cpp
    src/trace/raw_file.cpp src/platform/symbols.cpp src/trace/timeline.cpp src/trace/type_names.cpp)
set_target_properties(weft_trace PROPERTIES OUTPUT_NAME weft-trace CXX_EXTENSIONS OFF)
target_compile_features(weft_trace PRIVATE cxx_std_17)
target_include_directories(weft_trace PRIVATE include src)
weft_house_rules(weft_trace)
