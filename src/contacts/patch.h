#pragma once

#include "contact_geometry/pair.h"

namespace carom::inline contacts {

// Where two shapes touch in a point: what Hertz' theory needs to know of them.
struct Patch {
  double effective_radius = 0;  // m, of the round contact of the same stiffness; NaN: Hertz' theory does not apply
  double axis_ratio = 1;        // b/a of the ellipse in which they touch
};

// The shapes in the order of the pair.
template <int D>
Patch patch_of(const PairDescription<D>& pair, const Shape<D>& a, const Shape<D>& b);

}  // namespace carom::inline contacts
