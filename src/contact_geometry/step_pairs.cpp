#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "contact_geometry/faced_shapes.h"
#include "contact_geometry/faces_meeting.h"
#include "contact_geometry/ring.h"
#include "contact_geometry/separation.h"

// STEP parts by their true faces, with each other and with the built-in shapes that have such faces. A part with
// free-form faces alone touches by its triangles, as a mesh.
namespace carom::inline contact_geometry {

PairDescription<3> describe_mesh_plane(ShapeKind kind, const std::string& name);
PairDescription<3> describe_mesh_sphere(ShapeKind kind, const std::string& name);
PairDescription<3> describe_mesh_solid(ShapeKind kind, ShapeKind solid, const std::string& name);
PairDescription<3> describe_mesh_mesh(ShapeKind a, ShapeKind b, const std::string& name);
PairDescription<3> describe_mesh_in_hole(ShapeKind hole, ShapeKind kind, const std::string& name);
PairDescription<3> describe_mesh_in_bore(ShapeKind kind, const std::string& name);

namespace {

constexpr double rounded_edges = 1e-2;  // of the size: edges count as rounded by this in searches between instants

// How a part with free-form faces touches; the part is the first of the two, but for holes.
const PairDescription<3>* by_triangles(ShapeKind a, ShapeKind b) {
  static const std::vector<PairDescription<3>> all = [] {
    using enum ShapeKind;
    std::vector<PairDescription<3>> pairs = {describe_mesh_sphere(step_kind, "step"),
                                             describe_mesh_mesh(step_kind, box, "step_box"),
                                             describe_mesh_mesh(step_kind, hull_kind, "step_hull"),
                                             describe_mesh_plane(step_kind, "step"),
                                             describe_mesh_mesh(step_kind, step_kind, "step_step"),
                                             describe_mesh_in_hole(cavity, step_kind, "cavity_step"),
                                             describe_mesh_in_hole(slot, step_kind, "slot_step"),
                                             describe_mesh_in_bore(step_kind, "bore_step")};
    for (const auto& [solid, name] :
         {std::pair{capsule, "step_capsule"}, std::pair{cylinder, "step_cylinder"}, std::pair{cone_kind, "step_cone"},
          std::pair{ellipsoid, "step_ellipsoid"}, std::pair{torus_kind, "step_torus"}})
      pairs.push_back(describe_mesh_solid(step_kind, solid, name));
    return pairs;
  }();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& pair) { return pair.a == a && pair.b == b; });
  return found == all.end() ? nullptr : &*found;
}

// Both by their true faces; null: by triangles.
struct TwoSolids {
  std::shared_ptr<const FacedSolid> a, b;
  TwoSolids(const Shape<3>& first, const Shape<3>& second) : a(faced_solid_of(first)), b(faced_solid_of(second)) {}
  bool known() const { return a && b; }
};

int memory_of_faces(const Shape<3>& a, const Shape<3>& b) {
  const PairDescription<3>* const other = TwoSolids(a, b).known() ? nullptr : by_triangles(a.kind, b.kind);
  return other ? other->memory(a, b) : memory_of_faces_meeting;
}

void write_step_pair(const Shape<3>& a, const Shape<3>& b, const BodyState<3>& body_a, const BodyState<3>& body_b,
                     ContactManifold<3>& manifold, double* memory) {
  const TwoSolids solids(a, b);
  if (!solids.known()) {
    const PairDescription<3>* const other = by_triangles(a.kind, b.kind);
    if (other) other->write(a, b, body_a, body_b, manifold, memory);
    return;
  }
  write_faces(*solids.a, PlacedFrame(a, body_a), *solids.b, PlacedFrame(b, body_b), manifold, memory);
}

// m, least gap of those that are not closed, and no more than how far was looked.
double least_of_free(const Shape<3>& a, const Shape<3>& b, const BodyState<3>* bodies, const GapMotion& motion) {
  const TwoSolids solids(a, b);
  const FacesMeeting meeting(*solids.a, PlacedFrame(a, bodies[0]), *solids.b, PlacedFrame(b, bodies[1]));
  MeshPoints points(1e-9 * meeting.size());
  const double reach = std::max(FacesMeeting::watched * meeting.size(), 2 * motion.way);
  meeting.find(reach, points);
  double least = reach;
  for (int k = 0; k < points.size(); ++k) {
    const Feature feature = points.feature(k);
    const bool closed = std::any_of(motion.closed.begin(), motion.closed.end(), [&](const ClosedPoint& each) {
      return each.feature == feature || have_same_lead(each.feature, feature);
    });
    if (!closed) least = std::min(least, points[k].gap);
  }
  return least;
}

// The same of triangles in a hole.
double least_of_free_points(const Shape<3>& a, const Shape<3>& b, const BodyState<3>* bodies, const GapMotion& motion) {
  thread_local ContactManifold<3> manifold(most_mesh_points);
  manifold.clear();
  by_triangles(a.kind, b.kind)->write(a, b, bodies[0], bodies[1], manifold, nullptr);
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < manifold.size(); ++k) {
    const bool closed = std::any_of(motion.closed.begin(), motion.closed.end(),
                                    [&](const ClosedPoint& each) { return each.feature == manifold.feature(k); });
    if (!closed) least = std::min(least, manifold.point(k).gap);
  }
  return least;
}

// Gaps are those of points of one solid over the surface of the other, whose curvature bends them further.
double least_between_faces(const Shape<3>& a, const Shape<3>& b, const BodyState<3>* from, const BodyState<3>* to,
                           const GapMotion& motion) {
  const double first = least_of_free(a, b, from, motion);
  if (first - motion.way >= motion.floor) return first - motion.way;
  const double second = least_of_free(a, b, to, motion);
  // Nothing is found of what lies deep in each other; but no gap grows faster than its way.
  if (second > first + motion.way) return motion.floor - motion.way;
  const double sharp = std::min(sharpness_of<3>(a), sharpness_of<3>(b));
  return least_between(first, second, motion.bend + sharp * motion.way * motion.way);
}

double least_between_step(const Shape<3>& a, const Shape<3>& b, const BodyState<3>* from, const BodyState<3>* to,
                          const GapMotion& motion) {
  const PairDescription<3>* const other = TwoSolids(a, b).known() ? nullptr : by_triangles(a.kind, b.kind);
  return other && other->least_between ? other->least_between(a, b, from, to, motion)
                                       : least_between_faces(a, b, from, to, motion);
}

double least_between_free_step(const Shape<3>& a, const Shape<3>& b, const BodyState<3>* from, const BodyState<3>* to,
                               const GapMotion& motion) {
  const PairDescription<3>* const other = TwoSolids(a, b).known() ? nullptr : by_triangles(a.kind, b.kind);
  if (!other) return least_between_faces(a, b, from, to, motion);
  if (other->least_between_free) return other->least_between_free(a, b, from, to, motion);
  const double first = least_of_free_points(a, b, from, motion), second = least_of_free_points(a, b, to, motion);
  return least_between(first, second, motion.bend);
}

// Of a feature over an endless wall, whether it looks at it or not. A bore has ends: what it does not see any more has
// left it.
ContactPoint<3> point_over_wall(const Shape<3>& a, const Shape<3>& b, const BodyState<3>& body_a,
                                const BodyState<3>& body_b, Feature feature) {
  const TwoSolids solids(a, b);
  if (!solids.known()) {
    const PairDescription<3>* const other = by_triangles(a.kind, b.kind);
    return other->point_of(a, b, body_a, body_b, feature);
  }
  if (a.kind == ShapeKind::bore) return {};
  const PlacedFrame frame_a(a, body_a);
  const FacesMeeting meeting(*solids.a, frame_a, *solids.b, PlacedFrame(b, body_b));
  const ContactPoint<3> point = meeting.point_of(feature);
  return std::isfinite(point.gap) ? frame_a.outside(point) : point;
}

PairDescription<3> describe_faces(ShapeKind a, ShapeKind b, const std::string& name) {
  const PairDescription<3>* const triangles = by_triangles(a, b);
  PairDescription<3> pair{.a = a,
                          .b = b,
                          .name = name,
                          .summary = "true faces, edges and corners: where the distance of one from another is least",
                          .points = fixed_count<3, most_mesh_points>,
                          .memory = memory_of_faces,
                          .effective_radius = no_effective_radius<3>,
                          .write = write_step_pair,
                          .least_between_free = least_between_free_step};
  if (triangles && triangles->clearance) pair.clearance = triangles->clearance;
  if (triangles && triangles->lie_deeper) pair.lie_deeper = triangles->lie_deeper;
  const bool walls = b == ShapeKind::plane || a == ShapeKind::slot || a == ShapeKind::cavity;
  if (walls || a == ShapeKind::bore) pair.point_of = point_over_wall;
  if (!walls && a != ShapeKind::bore) pair.least_between = least_between_step;
  return pair;
}

}  // namespace

std::string what_touches_by_triangles(const Shape<3>& a, const Shape<3>& b) {
  for (const auto& [part, other] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
    if (part->kind != step_kind) continue;
    const auto& data = static_cast<const MeshData&>(*part->data);
    const std::string how = fmt::format("touches by triangles, up to {:.2g} m away from its true faces", data.beyond);
    if (other->kind != step_kind && !has_true_faces(other->kind))
      return "a STEP part beside a surface of triangles, which " + how;
    const std::string faces =
        data.free_form > 1 ? fmt::format("{} free-form faces", data.free_form) : "a free-form face";
    if (data.solid && data.free_form > 0)
      return fmt::format(
          "a STEP part with {}, which touch{} by triangles, up to {:.2g} m away from {}; its other faces "
          "are true",
          faces, data.free_form > 1 ? "" : "es", data.off_free_form, data.free_form > 1 ? "them" : "it");
    if (!data.solid)
      return data.free_form > 0 ? fmt::format("a STEP part with {}, which {}", faces, how)
                                : "a STEP part with faces that cannot be taken as they are, which " + how;
  }
  return {};
}

double step_sharpness(const Shape<3>& shape) {
  const auto solid = faced_solid_of_step(shape);
  if (!solid) return mesh_sharpness(shape);
  const bool has_edges = std::any_of(solid->edges().begin(), solid->edges().end(),
                                     [](const FacedSolid::Edge& edge) { return edge.sharp; });
  return std::max(solid->sharpness(), has_edges ? 1 / (rounded_edges * solid->size()) : 0);
}

std::vector<PairDescription<3>> describe_step_pairs() {
  using enum ShapeKind;
  std::vector<PairDescription<3>> pairs;
  for (const auto& [kind, name] :
       {std::pair{box, "step_box"}, std::pair{capsule, "step_capsule"}, std::pair{cone_kind, "step_cone"},
        std::pair{cylinder, "step_cylinder"}, std::pair{ellipsoid, "step_ellipsoid"}, std::pair{hull_kind, "step_hull"},
        std::pair{plane, "step_plane"}, std::pair{sphere, "step_sphere"}, std::pair{step_kind, "step_step"},
        std::pair{torus_kind, "step_torus"}})
    pairs.push_back(describe_faces(step_kind, kind, name));
  for (const auto& [kind, name] : {std::pair{cavity, "cavity_step"}, std::pair{slot, "slot_step"}})
    pairs.push_back(describe_faces(kind, step_kind, name));
  pairs.push_back(describe_faces(bore, step_kind, "bore_step"));
  // These have triangles alone themselves.
  pairs.push_back(describe_mesh_mesh(step_kind, mesh_kind, "step_mesh"));
  pairs.push_back(describe_mesh_mesh(heightfield_kind, step_kind, "heightfield_step"));
  return pairs;
}

}  // namespace carom::inline contact_geometry
