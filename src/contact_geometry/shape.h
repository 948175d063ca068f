#pragma once

#include <limits>
#include <memory>
#include <string>

#include "contact_geometry/profile.h"
#include "math/bodies.h"

// Shapes that touch, and the points where they do. Lengths in m, directions as unit vectors in world axes.
namespace carom::inline contact_geometry {

// Those that code names; others are kind_named in their own file (see shape_description.h).
enum class ShapeKind : unsigned {
  sphere,     // of `radius` about the position; a disc in the plane
  plane,      // half space below its local z axis (half plane below local y): the axis is the outward normal
  box,        // of half sizes `half` along the local axes
  ellipsoid,  // with semi-axes `half` along the local axes; an ellipse in the plane
  cylinder,   // in space: `radius`, `length`, centred, axis local z, with flat ends
  capsule,    // all points within `radius` of a segment of `length`, centred, along local z (local x in the plane)
  cavity,     // spherical hole of `radius`; a circular hole in the plane
  bore,  // in space: cylindrical hole of `radius` and `length`, centred, axis local z; half[2]: see bore–cylinder
  slot,  // in the plane: two walls without ends along local x, at local y = ± half[1]; in space: a straight channel of
         // rectangular section without ends along local z, with walls at local x = ± half[0] and y = ± half[1]
  profile,     // in the plane: the curve `profile`, in local axes
  inner_race,  // in the plane: a disc of `radius`, the bottom of a groove of `groove_radius` across the plane
  outer_race,  // in the plane: a circular hole of `radius`, with such a groove
};

// A kind by its name alone (FNV-1a), far from those above.
constexpr ShapeKind kind_named(const char* name) {
  unsigned hash = 2166136261u;
  for (; *name != 0; ++name) hash = (hash ^ static_cast<unsigned char>(*name)) * 16777619u;
  return static_cast<ShapeKind>(hash | 0x10000u);
}

// What a shape is made of beyond its sizes: an outline, a mesh, a hull. Each kind of shape has its own, and its pairs
// know which.
struct ShapeData {
  virtual ~ShapeData() = default;
};

// A shape fixed to a body. The placement is relative to the mass centre, which is what body states locate.
template <int D>
struct Shape {
  ShapeKind kind = ShapeKind::sphere;
  int body = 0;                                // index into Bodies<D>, 0 is the ground
  VectorOf<D> position = VectorOf<D>::Zero();  // m, body axes, from the MASS CENTRE
  Rotation<D> orientation = {};                // local axes to body axes
  double radius = 0, length = 0;               // m
  double groove_radius = 0;                    // m, of a race, in the section through its axis
  VectorOf<D> half = VectorOf<D>::Zero();      // m
  std::shared_ptr<const Profile> profile = {};
  std::shared_ptr<const ShapeData> data = {};
  std::string name = {};

  // Of the smallest sphere about the position that holds the surface; infinity for planes and slots.
  double bounding_radius() const;
};

// The area in which two shapes press on each other, where a point stands for one (see pressure_field.h).
struct ContactArea {
  double radius = 0;  // m, of the sphere that is as stiff at this depth; 0: the point stands for no area
  double area = 0;    // m², under pressure
  double peak = 0;    // largest pressure over the mean
  double lever = 0;   // m, mean distance of the pressure from its centre
};

// One place where two shapes touch or may touch.
template <int D>
struct ContactPoint {
  double gap = std::numeric_limits<double>::infinity();  // m, > 0 apart; infinity: there is no such point now
  // Outward from the material of shape a at the contact: the direction in which body b is pushed. On the wall of a hole
  // it points into the hole.
  VectorOf<D> normal = VectorOf<D>::UnitX();
  // On the two surfaces, world axes: point_b − point_a = gap · normal.
  VectorOf<D> point_a = VectorOf<D>::Zero(), point_b = VectorOf<D>::Zero();
  ContactArea area = {};
};

// Placement of a shape in the world.
template <int D>
VectorOf<D> centre_of(const Shape<D>& shape, const BodyState<D>& body) {
  return body.position + body.orientation * shape.position;
}
template <int D>
VectorOf<D> to_world(const Shape<D>& shape, const BodyState<D>& body, const VectorOf<D>& local) {
  return body.orientation * VectorOf<D>(shape.orientation * local);
}
template <int D>
VectorOf<D> to_shape(const Shape<D>& shape, const BodyState<D>& body, const VectorOf<D>& world) {
  return shape.orientation.back(VectorOf<D>(body.orientation.back(world)));
}
template <int D>
VectorOf<D> axis_of(const Shape<D>& shape, const BodyState<D>& body, int axis) {
  return to_world<D>(shape, body, VectorOf<D>::Unit(axis));
}

// The point of an ellipsoid that is farthest in a direction, from its centre: A² n / √(nᵀ A² n) with the semi-axes A.
template <int D>
VectorOf<D> farthest_of_ellipsoid(const Shape<D>& ellipsoid, const BodyState<D>& body, const VectorOf<D>& direction) {
  const VectorOf<D> n = to_shape<D>(ellipsoid, body, direction);
  const VectorOf<D> scaled = ellipsoid.half.cwiseProduct(n);
  return to_world<D>(ellipsoid, body, VectorOf<D>(ellipsoid.half.cwiseProduct(scaled) / scaled.norm()));
}

// Outward normal of a plane.
template <int D>
VectorOf<D> plane_normal(const Shape<D>& plane, const BodyState<D>& body) {
  return axis_of<D>(plane, body, D - 1);
}

// Axis of a capsule, from its first end to its second.
template <int D>
VectorOf<D> capsule_axis(const Shape<D>& capsule, const BodyState<D>& body) {
  return axis_of<D>(capsule, body, D == 2 ? 0 : 2);
}

}  // namespace carom::inline contact_geometry
