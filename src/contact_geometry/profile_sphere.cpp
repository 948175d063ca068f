#include <optional>

#include "contact_geometry/pair.h"
#include "contact_geometry/profile_search.h"

namespace carom::inline contact_geometry {

namespace {

void evaluate_profile_sphere(const Shape<2>& shape, const Shape<2>& disc, const BodyState<2>& body_a,
                             const BodyState<2>& body_b, ContactPoint<2>* points, double* memory) {
  const Profile& profile = *shape.profile;
  const Eigen::Vector2d centre = centre_of<2>(disc, body_b);
  const Eigen::Vector2d local = to_shape<2>(shape, body_a, Eigen::Vector2d(centre - centre_of<2>(shape, body_a)));
  const auto along = [&](const CurvePoint& point) { return point.first.dot(local - point.position); };
  const auto slope = [&](const CurvePoint& point) {
    return point.second.dot(local - point.position) - point.first.squaredNorm();
  };
  ProfileSlots slots;
  std::optional<bool> known;  // asked for once, since it goes through all samples
  const auto is_inside = [&] {
    if (!known) known = profile.contains(local);
    return *known;
  };
  // The back of a flat profile is a nearest place too, with a normal that points away. What lies that far behind both
  // samples lies behind all of the curve between them, unless that turns by a right angle.
  const auto counts = [&](const Profile::Sample& one, const Profile::Sample& two) {
    const double behind = -2 * ((two.position - one.position).norm() + profile.sagitta());
    const auto height = [&](const Profile::Sample& at) {
      return cross(Eigen::Vector2d(local - at.position), at.tangent)[0];
    };
    return height(one) > behind || height(two) > behind || one.tangent.dot(two.tangent) < 0.5 || is_inside();
  };
  for_each_nearest(profile, along, slope, counts, [&](double s) {
    const CurvePoint point = profile.at(s);
    const Eigen::Vector2d outward = outward_of(point.first);
    const double height = outward.dot(local - point.position);
    if (height < -profile.sagitta() && !is_inside()) return;
    const Eigen::Vector2d normal = to_world<2>(shape, body_a, outward);
    slots.add(s, {height - disc.radius, normal, centre - height * normal, centre - disc.radius * normal});
  });
  slots.fill(profile, slots_of_profile(profile), points, memory);
}

}  // namespace

PairDescription<2> describe_profile_sphere() {
  return {.a = ShapeKind::profile,
          .b = ShapeKind::sphere,
          .name = "profile_sphere",
          .summary =
              "the point of the profile nearest to the disc; a profile that is not convex has a slot for every "
              "local minimum, at most 8",
          .points = points_of_first,
          .memory = memory_of_first,
          .evaluate = evaluate_profile_sphere,
          .effective_radius = no_effective_radius<2>};
}

}  // namespace carom::inline contact_geometry
