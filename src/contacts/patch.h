#pragma once

#include "contact_geometry/pair.h"

namespace carom::inline contacts {

// Where two shapes touch in a point: what Hertz' theory needs to know of them.
struct Patch {
  double effective_radius = 0;  // m, of the round contact of the same stiffness; NaN: Hertz' theory does not apply
  double axis_ratio = 1;        // b/a of the ellipse in which they touch
  bool by_point = false;        // they depend on the point, see patch_at: the radius is one of the same size
};

// The shapes in the order of the pair.
template <int D>
Patch patch_of(const PairDescription<D>& pair, const Shape<D>& a, const Shape<D>& b);

// At one state, of shapes whose radii depend on the point.
Patch patch_at(const Shape<3>& a, const Shape<3>& b, const BodyState<3>& body_a, const BodyState<3>& body_b,
               const ContactPoint<3>& contact);

// Whether a shape has edges, or sides that are flat or straight: there Hertz' theory has no radius, and patch_at takes
// one of them as curvature.h has it.
template <int D>
bool has_edges_or_flats(const Shape<D>& shape);

// Whether two shapes that could press over areas of triangles act by points unless areas are asked for: STEP parts, of
// which the true radii are known.
template <int D>
bool prefers_points(const Shape<D>& a, const Shape<D>& b);

}  // namespace carom::inline contacts
