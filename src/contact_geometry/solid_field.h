#pragma once

#include <array>

#include "contact_geometry/shape.h"

// How far points are from the surface of a convex solid, in closed form where there is one.
namespace carom::inline contact_geometry {

// Whether there is a field for solids of this kind: spheres, capsules, cylinders, cones, ellipsoids and tori.
bool has_field(ShapeKind kind);

struct FieldPlace {
  double distance = 0;                                // m; negative inside
  Eigen::Vector3d normal = Eigen::Vector3d::UnitX();  // outward, its gradient
};

// At a point in the axes of the solid. The distance is no steeper than 1, and but for tori a convex function. The rims
// of cylinders and cones are blunted by 1e-4 of the radius.
FieldPlace field_of(const Shape<3>& solid, const Eigen::Vector3d& point);

// Parts of a segment, 0 at its first end and 1 at its second one, in each of which the slope of the distance changes
// its sign once at the most, from falling to rising: nowhere else inside the segment is the distance least.
struct SegmentPiece {
  double from = 0, to = 1;
};
struct SegmentPieces {
  int count = 1;  // two beside a torus, where a segment may be near its ring on both sides of the axis
  std::array<SegmentPiece, 2> pieces = {};
  const SegmentPiece* begin() const { return pieces.data(); }
  const SegmentPiece* end() const { return pieces.data() + count; }
};
// From a point along a way, both in the axes of the solid.
SegmentPieces pieces_beside(const Shape<3>& solid, const Eigen::Vector3d& from, const Eigen::Vector3d& way);
// The part of such a segment at which the distance is least.
double nearest_part(const Shape<3>& solid, const Eigen::Vector3d& from, const Eigen::Vector3d& way);

// The rounded rim of a cylinder or cone at its end of negative (0) or positive z (1): all points within `blunt` of a
// circle about the axis. A radius of 0: a tip.
struct Rim {
  double radius = 0, z = 0, blunt = 0;
};
bool has_rims(ShapeKind kind);
Rim rim_of(const Shape<3>& solid, int end);

// m, least n · p over the points of the solid, in its axes: what plane sides and the field above see of it, whichever
// is less deep where rims are blunted.
double lowest_of_field(const Shape<3>& solid, const Eigen::Vector3d& n);

}  // namespace carom::inline contact_geometry
