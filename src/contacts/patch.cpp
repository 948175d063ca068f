#include "contacts/patch.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact_geometry/curvature.h"
#include "contact_geometry/faced_shapes.h"
#include "contact_geometry/mesh_shape.h"
#include "contact_geometry/ring.h"
#include "contact_laws/elliptic_contact.h"

namespace carom::inline contacts {
namespace {

Patch patch_of_radii(const PrincipalRadii& one, const PrincipalRadii& two) {
  const auto ellipse = elliptic_contact(one, two, 0);
  if (!ellipse) return {.effective_radius = std::numeric_limits<double>::quiet_NaN()};
  // K = 4/3 E* √R of a round patch; K of the ellipse is proportional to E* as well.
  const double root = 3.0 / 4 * ellipse->stiffness(1);
  return {.effective_radius = root * root, .axis_ratio = ellipse->axis_ratio};
}

}  // namespace

template <int D>
Patch patch_of(const PairDescription<D>& pair, const Shape<D>& a, const Shape<D>& b) {
  if (pair.radii) {
    const auto radii = pair.radii(a, b);
    return patch_of_radii({radii[0].along, radii[0].across}, {radii[1].along, radii[1].across});
  }
  const double radius = pair.effective_radius(a, b);
  if constexpr (D == 3) {
    if (std::isnan(radius) && knows_curvature(a) && knows_curvature(b))
      return {.effective_radius = 0.5 * std::min(a.bounding_radius(), b.bounding_radius()), .by_point = true};
  }
  return {.effective_radius = radius};
}

template Patch patch_of<2>(const PairDescription<2>&, const Shape<2>&, const Shape<2>&);
template Patch patch_of<3>(const PairDescription<3>&, const Shape<3>&, const Shape<3>&);

Patch patch_at(const Shape<3>& a, const Shape<3>& b, const BodyState<3>& body_a, const BodyState<3>& body_b,
               const ContactPoint<3>& contact) {
  const RelativeCurvature curvature = relative_curvature(a, b, body_a, body_b, contact);
  if (curvature.least == curvature.greatest) return {.effective_radius = 1 / curvature.greatest};
  constexpr double flat = std::numeric_limits<double>::infinity();
  return patch_of_radii({1 / curvature.greatest, 1 / curvature.least}, {flat, flat});
}

template <>
bool has_edges_or_flats<3>(const Shape<3>& shape) {
  const ShapeKind kind = shape.kind;
  if (kind == step_kind) {
    const auto solid = faced_solid_of_step(shape);
    return solid && std::any_of(solid->faces().begin(), solid->faces().end(), [](const FacedSolid::Face& face) {
             return face.surface.kind != SurfaceKind::sphere && face.surface.kind != SurfaceKind::torus;
           });
  }
  return has_curvature(kind) && kind != ShapeKind::sphere && kind != ShapeKind::ellipsoid && kind != torus_kind &&
         kind != ShapeKind::plane && kind != ShapeKind::cavity;
}

template <>
bool has_edges_or_flats<2>(const Shape<2>&) {
  return false;  // radii of planar shapes do not depend on the point by these rules
}

template <>
bool prefers_points<3>(const Shape<3>& a, const Shape<3>& b) {
  return (a.kind == step_kind || b.kind == step_kind) && knows_curvature(a) && knows_curvature(b);
}

template <>
bool prefers_points<2>(const Shape<2>&, const Shape<2>&) {
  return false;
}

}  // namespace carom::inline contacts
