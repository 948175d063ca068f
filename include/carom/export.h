#pragma once

// What the shared library shows to the outside; everything else in it is hidden.
#if defined(_WIN32)
#if defined(CAROM_BUILDS_LIBRARY)
#define CAROM_EXPORT __declspec(dllexport)
#else
#define CAROM_EXPORT __declspec(dllimport)
#endif
#else
#define CAROM_EXPORT __attribute__((visibility("default")))
#endif
