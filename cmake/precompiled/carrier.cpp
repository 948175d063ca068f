// Carries the precompiled header of a kind; see cmake/carom_fast_build.cmake.
