# Language level, warnings, sanitizers and other choices that hold for every target.
option(CAROM_TESTS "Build the tests" ON)
option(CAROM_VIEWER "Build the page of `carom view` into the program (needs Node.js and npm)" ON)
option(CAROM_MPI "Run studies over many machines, where MPI is found" ON)
option(CAROM_PYTHON "Build the Python package, where Python, NumPy and pybind11 are found" ON)
option(CAROM_STEP "Read STEP files, where Open CASCADE is found" ON)
option(CAROM_FIND_BUILD "Let programs and modules find their parts in the folders of sources and build, too (not for packages)" ON)
option(CAROM_BENCHMARKS "Build the benchmarks" OFF)
option(CAROM_FUZZ "Build the fuzz targets (clang only)" OFF)
set(CAROM_SANITIZE "" CACHE STRING "Sanitizers, for example address,undefined or thread")
option(CAROM_COVERAGE "Instrument for coverage" OFF)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # It must be allowed to use what it keeps where a precompiled header is included, and what it kept of another checkout.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
      CCACHE_NOHASHDIR=1 ${CCACHE_PROGRAM})
endif()

add_library(carom_settings INTERFACE)
target_compile_options(carom_settings INTERFACE
  -Wall -Wextra -Wpedantic -Werror
  # Where sources are compiled together, what one of them calls its functions is nothing to the others.
  $<$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wshadow>
  -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
  # Identical results on every machine of one architecture: no fused or reordered arithmetic.
  -ffp-contract=off
  # Programs name sources by their paths in the checkout, wherever that is.
  -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)
# GCC 12 reports false array bounds inside fixed-size Eigen products once they are vectorised.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(carom_settings INTERFACE -Wno-array-bounds -Wno-stringop-overflow -Wno-maybe-uninitialized -Wno-restrict)
endif()
if(CAROM_SANITIZE)
  target_compile_options(carom_settings INTERFACE -fsanitize=${CAROM_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(carom_settings INTERFACE -fsanitize=${CAROM_SANITIZE})
endif()
if(CAROM_COVERAGE)
  target_compile_options(carom_settings INTERFACE --coverage)
  target_link_options(carom_settings INTERFACE --coverage)
endif()
