#pragma once

#include "bearings/ninth_root.h"
#include "bearings/roller_law.h"

namespace carom::inline bearings {

// Where no slice is: relieved by a metre.
inline constexpr double no_slice = 1;

// Slices in packets; those that fill up the last packet are relieved so much that nothing presses them.
struct SlicePacket {
  Packed x, depth;  // m

  [[gnu::always_inline]] SlicePacket(const RollerLaw& law, const SliceDepths& at, std::size_t k)
      : x(*reinterpret_cast<const Packed*>(&law.place[k])),
        depth(at.middle + at.tilt * x - *reinterpret_cast<const Packed*>(&law.drop[k])) {}
};

// Of depths d: d, or nothing where it is negative, and d^(1/9).
struct Pressed {
  Packed depth, root;

  [[gnu::always_inline]] explicit Pressed(const Packed& given)
      : depth(given > least_for_root ? given : Packed{} + least_for_root), root(depth) {
    take_ninth_root(root);
  }
};

// Of slices of depths d: (d ± s)^(10/9) and (d ± s)^(1/9).
struct Shifted {
  Packed inner, inner_root, outer, outer_root;
};

[[gnu::always_inline]] inline Shifted one_by_one(const Packed& depth, double shift) {
  const Pressed inner(depth - shift), outer(depth + shift);
  return {inner.root * inner.depth, inner.root, outer.root * outer.depth, outer.root};
}

// Depths to shifts that are larger than this allow series in u = s/d: loads leave out less than 0.0023 u⁷/(1 − u) of
// themselves, 1e-11, and roots, which are derivatives, 3e-8.
inline constexpr double far_from_edge = 16;

// (d + s)^(10/9) = even + odd, (d − s)^(10/9) = even − odd.
struct LoadSeries {
  Packed u, square, even, odd;

  [[gnu::always_inline]] LoadSeries(const Packed& depth, const Packed& load, double shift) {
    constexpr double c1 = 10.0 / 9, c2 = c1 / 18, c3 = -c2 * 8 / 27, c4 = -c3 * 17 / 36, c5 = -c4 * 26 / 45,
                     c6 = -c5 * 35 / 54;
    const Packed share = shift / depth;
    // Of a slice that nothing presses it is infinite, and counts nothing.
    u = share < 1 ? share : Packed{} + 1.0, square = u * u;
    even = load * (1 + square * (c2 + square * (c4 + square * c6)));
    odd = load * (u * (c1 + square * (c3 + square * c5)));
  }
};

[[gnu::always_inline]] inline Shifted by_series(const Pressed& slices, const Packed& load, double shift) {
  constexpr double d1 = 1.0 / 9, d2 = -d1 * 4 / 9, d3 = -d2 * 17 / 27, d4 = -d3 * 26 / 36;
  const LoadSeries loads(slices.depth, load, shift);
  const Packed even_root = slices.root * (1 + loads.square * (d2 + loads.square * d4)),
               odd_root = slices.root * (loads.u * (d1 + loads.square * d3));
  return {loads.even - loads.odd, even_root - odd_root, loads.even + loads.odd, even_root + odd_root};
}

[[gnu::always_inline]] inline PackedPair totals(const Packed& first, const Packed& second) {
  const PackedPair one = PackedPair{first[0], first[1]} + PackedPair{first[2], first[3]},
                   other = PackedPair{second[0], second[1]} + PackedPair{second[2], second[3]};
  return PackedPair{one[0], other[0]} + PackedPair{one[1], other[1]};
}

}  // namespace carom::inline bearings
