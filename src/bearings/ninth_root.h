#pragma once

#include <cstdint>

#include "base/packed.h"

namespace carom::inline bearings {

// The bits of four numbers.
using PackedBits
    [[gnu::vector_size(packed_width * sizeof(std::int64_t)), gnu::aligned(alignof(std::int64_t)), gnu::may_alias]] =
        std::int64_t;

// Makes of four numbers x their x^(1/9), to the last few bits, for x < 1e250; of 0 about 1e-28. Without branches and
// calls, since a slice of a roller consists of little else: the exponent divided by nine as a start, then three steps
// of Halley's rule y (8y⁹ + 10x)/(10y⁹ + 8x), each of which leaves 7 times the cube of the error.
inline void take_ninth_root(Packed& x) {
  // Of the upper halves: 954437177/2³³ = 1/9; the bias of the exponent keeps 8/9 of itself.
  constexpr std::int64_t bias = (INT64_C(1023) << 20) / 9 * 8;
  // Away from 0, where y⁹ would vanish.
  const Packed safe = x + 1e-250;
  const PackedBits upper = (PackedBits)safe >> 32;
  const PackedBits start = ((upper * 954437177 >> 33) + bias) << 32;
  Packed y = (Packed)start;
  for (int k = 0; k < 3; ++k) {
    const Packed square = y * y, fourth = square * square, ninth = fourth * fourth * y;
    y = y * (8 * ninth + 10 * safe) / (10 * ninth + 8 * safe);
  }
  x = y;
}

}  // namespace carom::inline bearings
