#pragma once

// A function that is compiled twice, for any processor and for those with registers of four numbers, and chosen when
// the program is loaded; both give the same bytes. For the few loops that a whole run consists of. Not by "haswell" nor
// by "x86-64-v3": those allow fused multiply–add, which GCC 12 takes for sums and differences side by side even where
// -ffp-contract=off forbids it.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define CAROM_HOT_KERNEL __attribute__((target_clones("default", "avx2")))
#else
#define CAROM_HOT_KERNEL
#endif
