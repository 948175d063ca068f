#pragma once

// A function that is compiled twice, for any processor and for those with wider vectors, and chosen when the
// program is loaded. For the few loops that a whole run consists of. A level of the architecture, not the name of a
// processor: that one would be chosen on this very kind alone.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define CAROM_HOT_KERNEL __attribute__((target_clones("default", "arch=x86-64-v3")))
#else
#define CAROM_HOT_KERNEL
#endif
