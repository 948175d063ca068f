#include "contact_geometry/pair.h"
#include "contact_geometry/profile_search.h"

namespace carom::inline contact_geometry {

namespace {

void evaluate_profile_plane(const Shape<2>& shape, const Shape<2>& plane, const BodyState<2>& body_a,
                            const BodyState<2>& body_b, ContactPoint<2>* points, double* memory) {
  const Profile& profile = *shape.profile;
  const Eigen::Vector2d origin = centre_of<2>(shape, body_a), normal = plane_normal<2>(plane, body_b);
  const Eigen::Vector2d base = centre_of<2>(plane, body_b);
  const Eigen::Vector2d down = -to_shape<2>(shape, body_a, normal);
  const auto along = [&](const CurvePoint& point) { return point.first.dot(down); };
  const auto slope = [&](const CurvePoint& point) { return point.second.dot(down); };
  ProfileSlots slots;
  // The bottom of a hollow, seen from inside the material, is no contact.
  const auto counts = [&](const Profile::Sample& one, const Profile::Sample& two) {
    return cross(down, one.tangent)[0] > 0 || cross(down, two.tangent)[0] > 0 || one.tangent.dot(two.tangent) < 0.5;
  };
  for_each_nearest(profile, along, slope, counts, [&](double s) {
    const CurvePoint point = profile.at(s);
    if (outward_of(point.first).dot(down) < 0) return;
    const Eigen::Vector2d surface = origin + to_world<2>(shape, body_a, point.position);
    const double gap = normal.dot(surface - base);
    slots.add(s, {gap, -normal, surface, surface - gap * normal});
  });
  slots.fill(profile, slots_of_profile(profile), points, memory);
}

}  // namespace

PairDescription<2> describe_profile_plane() {
  return {.a = ShapeKind::profile,
          .b = ShapeKind::plane,
          .name = "profile_plane",
          .summary =
              "the lowest point of the profile; a profile that is not convex has a slot for every local minimum, "
              "at most 8",
          .points = points_of_first,
          .memory = memory_of_first,
          .evaluate = evaluate_profile_plane,
          .effective_radius = no_effective_radius<2>};
}

}  // namespace carom::inline contact_geometry
