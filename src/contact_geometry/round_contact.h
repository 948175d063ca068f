#pragma once

#include <algorithm>

#include "contact_geometry/shape.h"

// Contact of round shapes by their centres: what the pairs of spheres, capsules and cavities share. Inline, because
// mechanisms with clearance spend their time here.
namespace carom::inline contact_geometry {

// Distance of centres, m, below which no direction between them is defined.
inline constexpr double coincident = 1e-12;

// Two spheres side by side. Coincident centres: pushed apart along x.
template <int D>
void spheres_touch(const VectorOf<D>& centre_a, double radius_a, const VectorOf<D>& centre_b, double radius_b,
                   ContactPoint<D>& contact) {
  const VectorOf<D> between = centre_b - centre_a;
  const double distance = between.norm();
  contact.gap = distance - radius_a - radius_b;
  contact.normal = distance < coincident ? VectorOf<D>(VectorOf<D>::UnitX()) : VectorOf<D>(between / distance);
  contact.point_a = centre_a + radius_a * contact.normal;
  contact.point_b = centre_b - radius_b * contact.normal;
}

// A journal (disc, sphere) inside a bearing (hole): gap = clearance − eccentricity. A centred journal has its full
// clearance as gap, and any direction as normal.
template <int D>
void journal_in_bearing(const VectorOf<D>& bearing_centre, double bearing_radius, const VectorOf<D>& journal_centre,
                        double journal_radius, ContactPoint<D>& contact) {
  const VectorOf<D> eccentricity = bearing_centre - journal_centre;
  const double e = eccentricity.norm();
  contact.gap = bearing_radius - journal_radius - e;
  contact.normal = e < coincident ? VectorOf<D>(VectorOf<D>::UnitX()) : VectorOf<D>(eccentricity / e);
  contact.point_a = bearing_centre - bearing_radius * contact.normal;
  contact.point_b = journal_centre - journal_radius * contact.normal;
}

// Where on a segment (centre ± half · axis, axis a unit vector) a point is nearest, m from the centre.
template <int D>
double nearest_on_segment(const VectorOf<D>& point, const VectorOf<D>& centre, const VectorOf<D>& axis, double half) {
  return std::clamp(axis.dot(point - centre), -half, half);
}

}  // namespace carom::inline contact_geometry
