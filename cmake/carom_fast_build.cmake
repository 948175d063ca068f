# What makes a fresh build fast: headers of libraries that are parsed once, and sources that are compiled together.
# Neither changes what is built. A source that lacks an include is not noticed then; the preset for clang and `./dev lint`
# compile every source alone and without.
#
# carom_precompile(TARGET [KIND])
#
# Parses the headers of the libraries once for all targets of a kind instead of once per source: `library` (the rooms)
# or `tests` (with GoogleTest); see cmake/precompiled/KIND_headers.h.
#
# carom_compile_together(TARGET)
#
# Compiles the sources of a target some at a time, so that they share the headers they parse and the templates they use,
# and in builds for developers with less optimisation. For rooms that read, write and draw: where every instruction
# counts, and in catalogues, whose files repeat their names, a source stays alone.
option(CAROM_PRECOMPILE "Precompile the headers of libraries" ON)
option(CAROM_UNITY "Compile sources of rooms together" ON)
set(carom_precompiled_folder ${CMAKE_CURRENT_LIST_DIR}/precompiled)

# The target that carries the header of a kind. A precompiled header is taken only where the macros of its command line are
# the same: it is compiled with the libraries that all targets of the kind see.
function(carom_precompiled_header kind)
  add_library(carom_precompiled_${kind} STATIC ${carom_precompiled_folder}/${kind}.cpp)
  target_link_libraries(carom_precompiled_${kind} PRIVATE carom_settings fmt::fmt Eigen3::Eigen ${ARGN})
  target_precompile_headers(carom_precompiled_${kind} PRIVATE ${carom_precompiled_folder}/${kind}_headers.h)
endfunction()

if(CAROM_PRECOMPILE)
  carom_precompiled_header(library)
  if(CAROM_TESTS)
    find_package(GTest REQUIRED)
    carom_precompiled_header(tests GTest::gmock)
  endif()
endif()

function(carom_precompile target)
  if(NOT CAROM_PRECOMPILE)
    return()
  endif()
  set(kind library)
  if(ARGC GREATER 1)
    set(kind ${ARGV1})
  endif()
  get_target_property(type ${target} TYPE)
  if(type STREQUAL EXECUTABLE)  # would be compiled with -fPIE, the header is compiled with -fPIC
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
  target_precompile_headers(${target} REUSE_FROM carom_precompiled_${kind})
endfunction()

function(carom_compile_together target)
  if(NOT CAROM_UNITY)
    return()
  endif()
  # A precompiled header would bring its own optimisation along, and gains nothing any more.
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8 DISABLE_PRECOMPILE_HEADERS ON)
  target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
endfunction()
