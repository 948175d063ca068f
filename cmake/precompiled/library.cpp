// Carries the precompiled header of the rooms; see cmake/carom_fast_build.cmake.
