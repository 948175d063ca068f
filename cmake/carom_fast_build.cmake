# What makes a fresh build fast: headers of libraries that are parsed once, sources that are compiled together, and less
# optimisation in builds for developers where it would not be noticed. None of them changes a number. A source that lacks
# an include is not noticed then; `./dev lint` looks at every source alone and without precompiled headers.
#
# carom_precompile(TARGET KIND)
#
# Parses the headers of the libraries once for all targets of a kind instead of once per source:
#   kernels  rooms where every instruction counts
#   modest   rooms that read, write and draw, and the program
#   tests    likewise, with GoogleTest
# In builds for developers (RelWithDebInfo) all but the kernels are compiled with -O1. A precompiled header brings its own
# optimisation along, so it goes by kind, too.
#
# carom_compile_together(TARGET KIND)
#
# Compiles the sources of a target some at a time, so that they share the headers they parse and the templates they use.
# Names in unnamed namespaces must differ within a room then. A source that instantiates a class of which others of the
# room define other members stays alone: SKIP_UNITY_BUILD_INCLUSION. Kernels of a release are compiled one by one.
option(CAROM_PRECOMPILE "Precompile the headers of libraries" ON)
option(CAROM_UNITY "Compile sources of rooms together" ON)
# GCC looks for memory to use again only beyond 512 MB: an eighth of its time, and large sources are compiled with it.
if(CAROM_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(carom_settings INTERFACE --param=ggc-min-heapsize=524288)
endif()
set(carom_precompiled_folder ${CMAKE_CURRENT_LIST_DIR}/precompiled)

function(carom_set_optimisation target kind)
  if(NOT kind STREQUAL kernels)
    target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
  endif()
endfunction()

# The target that carries the header of a kind. A precompiled header is taken only where the macros of its command line are
# the same: it is compiled with the libraries that all targets of the kind see.
function(carom_precompiled_header kind headers)
  add_library(carom_precompiled_${kind} STATIC ${carom_precompiled_folder}/carrier.cpp)
  target_link_libraries(carom_precompiled_${kind} PRIVATE carom_settings fmt::fmt Eigen3::Eigen ${ARGN})
  target_precompile_headers(carom_precompiled_${kind} PRIVATE ${carom_precompiled_folder}/${headers})
  carom_set_optimisation(carom_precompiled_${kind} ${kind})
endfunction()

if(CAROM_PRECOMPILE)
  carom_precompiled_header(kernels library_headers.h)
  carom_precompiled_header(modest library_headers.h)
  if(CAROM_TESTS)
    find_package(GTest REQUIRED)
    carom_precompiled_header(tests tests_headers.h GTest::gmock)
  endif()
endif()

function(carom_precompile target kind)
  carom_set_optimisation(${target} ${kind})
  if(NOT CAROM_PRECOMPILE)
    return()
  endif()
  get_target_property(type ${target} TYPE)
  if(type STREQUAL EXECUTABLE)  # would be compiled with -fPIE, the header is compiled with -fPIC
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
  target_precompile_headers(${target} REUSE_FROM carom_precompiled_${kind})
endfunction()

function(carom_compile_together target kind)
  # Together, fewer small functions are inlined: 6 % more instructions in a step of the nonsmooth method.
  if(kind STREQUAL kernels AND CMAKE_BUILD_TYPE STREQUAL Release)
    return()
  endif()
  if(CAROM_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()
