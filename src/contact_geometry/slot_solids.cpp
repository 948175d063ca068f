#include "contact_geometry/hole_pairs.h"
#include "contact_geometry/shape_description.h"

// Solids in a channel: its walls are half spaces.
namespace carom::inline contact_geometry {

namespace {

using Eigen::Vector3d;

constexpr int walls_of_channel = 4;

// The half space behind a wall (at positive local x of the channel, negative x, positive y, negative y), placed in the
// world.
Shape<3> wall_of(const Shape<3>& channel, const BodyState<3>& body, int wall) {
  const int axis = wall / 2;
  const Vector3d across = (wall % 2 == 0 ? 1 : -1) * axis_of<3>(channel, body, axis);
  Shape<3> plane;
  plane.kind = ShapeKind::plane;
  plane.position = centre_of<3>(channel, body) + channel.half[axis] * across;
  plane.orientation = Rotation<3>(triad_about(-across));
  return plane;
}

ContactPoint<3> turned_over(const ContactPoint<3>& point) {
  return {point.gap, -point.normal, point.point_b, point.point_a};
}

void touch_walls(const PairDescription<3>& on_plane, const Shape<3>& channel, const Shape<3>& solid,
                 const BodyState<3>& body_a, const BodyState<3>& body_b, ContactPoint<3>* points) {
  for (int wall = 0; wall < walls_of_channel; ++wall) {
    const Shape<3> plane = wall_of(channel, body_a, wall);
    const int count = on_plane.points(solid, plane);
    on_plane.evaluate(solid, plane, body_b, BodyState<3>{}, points, nullptr);
    for (int k = 0; k < count; ++k) points[k] = turned_over(points[k]);
    points += count;
  }
}

void touch_slot_solid(const Shape<3>& channel, const Shape<3>& solid, const BodyState<3>& body_a,
                      const BodyState<3>& body_b, ContactPoint<3>* points, double*) {
  touch_walls(*find_pair<3>(solid.kind, ShapeKind::plane), channel, solid, body_a, body_b, points);
}

int points_in_channel(const Shape<3>& channel, const Shape<3>& solid) {
  return walls_of_channel * find_pair<3>(solid.kind, ShapeKind::plane)->points(solid, channel);
}

void write_slot_hull(const Shape<3>& channel, const Shape<3>& hull, const BodyState<3>& body_a,
                     const BodyState<3>& body_b, ContactManifold<3>& manifold, double*) {
  const ConvexBody solid(hull, body_b, Vector3d::Zero());
  for (int wall = 0; wall < walls_of_channel; ++wall) {
    const int axis = wall / 2;
    const Vector3d across = (wall % 2 == 0 ? 1 : -1) * axis_of<3>(channel, body_a, axis);
    const Vector3d base = centre_of<3>(channel, body_a) + channel.half[axis] * across;
    const auto touch = [&](int corner) {
      const Vector3d point = solid.point(corner, across);
      const double gap = across.dot(base - point);
      manifold.add(feature_of(corner, wall), {gap, -across, point + gap * across, point});
    };
    const int farthest = solid.farthest(across);
    const std::vector<int>& corners = solid.polytope().faces[solid.facing(across)].touching;
    for (const int corner : corners) touch(corner);
    if (std::find(corners.begin(), corners.end(), farthest) == corners.end()) touch(farthest);
  }
}

// By the largest ball inside, which every solid has room to turn about in.
double slot_room(const Shape<3>& channel, const Shape<3>& solid) {
  const double width = std::min(channel.half[0], channel.half[1]);
  const auto thickness = description_of<3>(solid.kind).thickness;
  return room_in_hole(width, thickness ? thickness(solid) : 0);
}

}  // namespace

std::vector<PairDescription<3>> describe_slot_solids() {
  std::vector<PairDescription<3>> pairs;
  for (const auto& [kind, name] :
       {std::pair{ShapeKind::sphere, "sphere"}, std::pair{ShapeKind::capsule, "capsule"}, std::pair{cone_kind, "cone"},
        std::pair{ShapeKind::cylinder, "cylinder"}, std::pair{ShapeKind::ellipsoid, "ellipsoid"},
        std::pair{torus_kind, "torus"}, std::pair{hull_kind, "hull"}}) {
    PairDescription<3> pair{
        .a = ShapeKind::slot,
        .b = kind,
        .name = std::string("slot_") + name,
        .summary =
            "the points that the solid has on a plane, for each wall in turn (at positive local x "
            "of the channel, negative x, positive y, negative y)",
        .points = points_in_channel,
        .memory = fixed_count<3, 0>,
        .evaluate = touch_slot_solid,
        .effective_radius = kind == ShapeKind::sphere ? radius_of_second<3> : no_effective_radius<3>,
        .clearance = slot_room};
    if (kind == hull_kind) {
      pair.evaluate = nullptr;
      pair.write = write_slot_hull;
      pair.points = fixed_count<3, walls_of_channel*(most_face_corners + 1)>;
    }
    pairs.push_back(pair);
  }
  return pairs;
}

}  // namespace carom::inline contact_geometry
