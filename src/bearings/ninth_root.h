#pragma once

#include <cstdint>

#include "base/packed.h"

namespace carom::inline bearings {

// The bits of four numbers.
using PackedBits
    [[gnu::vector_size(packed_width * sizeof(std::uint64_t)), gnu::aligned(alignof(std::uint64_t)), gnu::may_alias]] =
        std::uint64_t;

// x^(1/9) of nothing must be asked of a number that is as good as nothing.
inline constexpr double least_for_root = 1e-250;

// x^(1/9) of four numbers, to the last few bits, for least_for_root ≤ x < 1e250. Without branches, calls and divisions,
// since a slice of a roller consists of little else, and inside of its caller, to have the same instructions as that.
// What is sought first is z = x^(−1/9): by the exponent, from −1/9 of which as a straight line through its bits, to 4
// %; then twice z (1 − r)^(−1/9) with r = 1 − x z⁹, |r| < 0.28, by a polynomial to 4e-7, and the second time as x z⁸ (1
// − r)^(−8/9).
[[gnu::always_inline]] inline void take_ninth_root(Packed& x) {
  // A double between 2^52 and 2^53 has an integer as its lower bits: so the upper halves of the numbers become doubles
  // and, divided, come back. The bias of the exponent is 10/9 of itself then; 0.06 makes r as large above as below
  // zero.
  constexpr double carrier = 4503599627370496, ninth = 1.0 / 9;
  constexpr double bias = carrier + carrier * ninth + 1048576 * (1023 * 10 * ninth - 0.06);
  constexpr std::uint64_t carrier_bits = UINT64_C(0x4330000000000000);
  const PackedBits upper = ((PackedBits)x >> 32) | carrier_bits;
  const Packed divided = bias - ninth * (Packed)upper;
  Packed z = (Packed)((PackedBits)divided << 32);
  Packed second = z * z, fourth = second * second;
  Packed rest = 1 - x * (fourth * fourth * z);
  z = z * (1.000000251179362 +
           rest * (0.11111277728706269 +
                   rest * (0.06166247141987504 + rest * (0.04326581439403398 + rest * (0.036329680877811035 +
                                                                                       rest * 0.031722466508209105)))));
  second = z * z, fourth = second * second;
  const Packed near = x * (fourth * fourth);
  rest = 1 - near * z;
  x = near * (1 + rest * (8.0 / 9 + rest * (68.0 / 81)));
}

}  // namespace carom::inline bearings
