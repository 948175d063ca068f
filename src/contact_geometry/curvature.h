#pragma once

#include "contact_geometry/pair.h"

// How surfaces are curved where shapes touch: what Hertz' theory needs to know of a contact point in space.
namespace carom::inline contact_geometry {

// Whether the curvature of shapes of this kind is known at every point: not that of triangles, which stand for surfaces
// that they do not know.
bool has_curvature(ShapeKind kind);

// The same of one shape: of a STEP part by its true faces, where none of them is free-form.
bool knows_curvature(const Shape<3>& shape);

// 1/m, the second fundamental form as a symmetric matrix in world axes, zero along the normal: t · C t is the curvature
// along a unit tangent t, positive where the material is convex, negative on the wall of a hole. An edge is curved by
// `edge` across itself, a corner and a tip in all directions.
Eigen::Matrix3d curvature_at(const Shape<3>& shape, const BodyState<3>& body, const Eigen::Vector3d& point,
                             const Eigen::Vector3d& outward, double edge);

// 1/m, principal curvatures of one surface against the other.
struct RelativeCurvature {
  double greatest = 0, least = 0;
};
RelativeCurvature relative_curvature(const Shape<3>& a, const Shape<3>& b, const BodyState<3>& body_a,
                                     const BodyState<3>& body_b, const ContactPoint<3>& contact);

// What is sharp counts as rounded by this part of the smaller of the two shapes, what is straight or flat against the
// other as curved by a radius of so many times it: there Hertz' theory has no radius of its own.
inline constexpr double rounded_edge = 0.01, straight_radius = 10;

}  // namespace carom::inline contact_geometry
