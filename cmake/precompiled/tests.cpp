// Carries the precompiled header of the tests; see cmake/carom_fast_build.cmake.
