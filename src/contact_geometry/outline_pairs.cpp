#include <algorithm>
#include <cmath>

#include "contact_geometry/groove.h"
#include "contact_geometry/outline_of_shape.h"
#include "contact_geometry/separation.h"
#include "contact_geometry/shape_description.h"

// All pairs of planar shapes that have no closed form of their own.
namespace carom::inline contact_geometry {

namespace {

OutlinePose pose_between(const Shape<2>& a, const Shape<2>& b, const BodyState<2>& body_a, const BodyState<2>& body_b) {
  const Eigen::Vector2d x = to_shape<2>(a, body_a, axis_of<2>(b, body_b, 0));
  OutlinePose pose;
  pose.turn << x.x(), -x.y(), x.y(), x.x();
  pose.offset = to_shape<2>(a, body_a, Eigen::Vector2d(centre_of<2>(b, body_b) - centre_of<2>(a, body_a)));
  return pose;
}

void write_outline_pair(const Shape<2>& a, const Shape<2>& b, const BodyState<2>& body_a, const BodyState<2>& body_b,
                        ContactManifold<2>& manifold, double* memory) {
  const OutlineOfShape one(a), two(b);
  std::array<OutlineContact, most_outline_points> contacts;
  const int capacity = std::min(most_outline_points, manifold.capacity());
  const int count = find_outline_contacts(one.view(), two.view(), pose_between(a, b, body_a, body_b), contacts.data(),
                                          capacity, memory);
  const Eigen::Vector2d origin = centre_of<2>(a, body_a);
  for (int k = 0; k < count; ++k) {
    const OutlineContact& contact = contacts[k];
    manifold.add(contact.feature,
                 {contact.gap, to_world<2>(a, body_a, contact.normal), origin + to_world<2>(a, body_a, contact.on_a),
                  origin + to_world<2>(a, body_a, contact.on_b)});
  }
}

double least_between_outlines(const Shape<2>& a, const Shape<2>& b, const BodyState<2>* from, const BodyState<2>* to,
                              const GapMotion& motion) {
  const OutlineOfShape one(a), two(b);
  return least_between_poses(one.view(), two.view(), pose_between(a, b, from[0], from[1]),
                             pose_between(a, b, to[0], to[1]), motion);
}

bool lie_deeper_in_outlines(const Shape<2>& a, const Shape<2>& b, const BodyState<2>& body_a,
                            const BodyState<2>& body_b, double depth) {
  const OutlineOfShape one(a), two(b);
  return outlines_lie_deeper(one.view(), two.view(), pose_between(a, b, body_a, body_b), depth);
}

// The leading element goes on touching, though it may not lead any more: a corner that comes from a side onto an arc is
// what the arc touches.
bool outline_contact_slides_on(Feature from, Feature to) {
  if (have_same_lead(from, to)) return true;
  if (from == escape_feature || to == escape_feature) return false;
  const Feature one = (from >> 32) - 1, two = (to >> 32) - 1;
  if (one % 2 == two % 2) return false;
  return one / 2 == (to & 0xffffffff) || two / 2 == (from & 0xffffffff);
}

// Along the wall of a groove, which is made of many pieces.
bool wall_contact_slides_on(Feature from, Feature to) {
  if (from == escape_feature || to == escape_feature) return false;
  const auto lead = [](Feature feature) { return static_cast<std::uint32_t>((feature >> 32) - 1); };
  const std::uint32_t one = lead(from), two = lead(to);
  const bool wall_leads = one % 2 == 0, wall_led = two % 2 == 0;
  const std::uint32_t wall_from = wall_leads ? one / 2 : static_cast<std::uint32_t>(from),
                      wall_to = wall_led ? two / 2 : static_cast<std::uint32_t>(to);
  if (!are_beside(wall_from, wall_to)) return false;
  return wall_leads != wall_led || (wall_leads ? (from & 0xffffffff) == (to & 0xffffffff) : one == two);
}

int outline_points(const Shape<2>& a, const Shape<2>& b) {
  const auto corners = [](const Shape<2>& shape) {
    switch (shape.kind) {
      case ShapeKind::sphere:
      case ShapeKind::ellipsoid:
      case ShapeKind::cavity:
      case ShapeKind::plane:
        return 1;
      case ShapeKind::box:
        return 4;
      case ShapeKind::capsule:
      case ShapeKind::slot:
        return 2;
      default:
        return most_outline_points;
    }
  };
  return std::clamp(2 * corners(a) * corners(b), 2, most_outline_points);
}

std::string name_of_kind(ShapeKind kind) {
  return kind == ShapeKind::sphere ? "disc" : kind == ShapeKind::ellipsoid ? "ellipse" : description_of<2>(kind).name;
}

}  // namespace

std::vector<PairDescription<2>> describe_outline_pairs() {
  constexpr ShapeKind sphere = ShapeKind::sphere, box = ShapeKind::box, ellipse = ShapeKind::ellipsoid,
                      capsule = ShapeKind::capsule, plane = ShapeKind::plane, profile = ShapeKind::profile,
                      cavity = ShapeKind::cavity, slot = ShapeKind::slot, outline = outline_kind;
  const std::pair<ShapeKind, ShapeKind> all[] = {
      {outline, outline}, {outline, sphere},      {outline, box},         {outline, ellipse},    {outline, capsule},
      {outline, plane},   {outline, profile},     {cavity, outline},      {slot, outline},       {capsule, box},
      {capsule, ellipse}, {ellipse, box},         {ellipse, ellipse},     {ellipse, sphere},     {profile, box},
      {profile, capsule}, {profile, ellipse},     {cavity, box},          {cavity, capsule},     {cavity, ellipse},
      {cavity, profile},  {slot, capsule},        {slot, ellipse},        {slot, profile},       {groove_kind, outline},
      {groove_kind, box}, {groove_kind, capsule}, {groove_kind, ellipse}, {groove_kind, profile}};
  std::vector<PairDescription<2>> result;
  for (const auto& [a, b] : all) {
    // Convex shapes that do not touch yet have a slab between them, and all gaps in holes are known.
    const GapKind gaps = gap_kind<2>(Shape<2>{.kind = a}, Shape<2>{.kind = b});
    const bool is_curve = gaps == GapKind::curve;
    result.push_back({.a = a,
                      .b = b,
                      .name = description_of<2>(a).name + "_" + description_of<2>(b).name,
                      .summary = "the nearest places of " + name_of_kind(a) + " and " + name_of_kind(b) +
                                 ": corners and arcs over the sides of the other, and common normals of curves",
                      .points = outline_points,
                      .memory = fixed_count<2, 2>,
                      .effective_radius = no_effective_radius<2>,
                      .write = write_outline_pair,
                      .slides_on = a == groove_kind ? wall_contact_slides_on : outline_contact_slides_on,
                      .least_between = is_curve ? least_between_outlines : nullptr,
                      .least_between_free = least_between_outlines,
                      .lie_deeper = gaps != GapKind::own ? lie_deeper_in_outlines : nullptr});
  }
  return result;
}

}  // namespace carom::inline contact_geometry
