# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

"""weft from the tree that this file is in: conan create packaging/conan --build=missing -s compiler.cppstd=17"""

import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, CMakeDeps, cmake_layout
from conan.tools.files import copy, load, rmdir

required_conan_version = ">=2.0"


class Weft(ConanFile):
    name = "weft"
    description = "Work-stealing execution contexts for Boost.Asio"
    license = "BSL-1.0"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    implements = ["auto_shared_fpic"]

    def _tree(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        text = load(self, os.path.join(self._tree(), "include", "weft", "version.hpp"))
        self.version = ".".join(re.findall(r"^#define WEFT_VERSION_[MP][A-Z]* (\d+)$", text, re.M))

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE_1_0.txt", "cmake/*", "include/*", "src/*"):
            copy(self, pattern, self._tree(), self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        # Its headers are in weft's.
        self.requires("boost/[>=1.81 <1.93]", transitive_headers=True)

    def validate(self):
        check_min_cppstd(self, 17)
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("weft is for Linux")

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE_1_0.txt", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()
        rmdir(self, os.path.join(self.package_folder, "share"))
        # Conan makes these itself.
        rmdir(self, os.path.join(self.package_folder, "lib", "cmake"))
        rmdir(self, os.path.join(self.package_folder, "lib", "pkgconfig"))

    def package_info(self):
        self.cpp_info.libs = ["weft"]
        self.cpp_info.requires = ["boost::headers"]
        self.cpp_info.set_property("cmake_file_name", "weft")
        self.cpp_info.set_property("cmake_target_name", "weft::weft")
        self.cpp_info.set_property("pkg_config_name", "weft")
        self.cpp_info.system_libs = ["pthread"]
        if self.options.shared:
            self.cpp_info.defines = ["WEFT_DYN_LINK"]
