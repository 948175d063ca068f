#pragma once

// A function that is compiled twice, for any processor and for those with fused multiply–add, and chosen when the
// program is loaded. For the few loops that a whole run consists of.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define CAROM_HOT_KERNEL __attribute__((target_clones("default", "arch=haswell")))
#else
#define CAROM_HOT_KERNEL
#endif
