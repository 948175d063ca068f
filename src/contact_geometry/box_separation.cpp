#include "contact_geometry/box_separation.h"

#include <cmath>
#include <limits>

#include "contact_geometry/convex_body.h"
#include "contact_geometry/flat_sided.h"
#include "contact_geometry/mesh_meeting.h"

namespace carom::inline contact_geometry {
namespace {

constexpr double parallel = 1e-6;  // sine of the angle of axes that span no plane

bool has_flat_sides(const Shape<3>& shape) {
  return shape.kind == mesh_kind || shape.kind == heightfield_kind || shape.kind == step_kind ||
         shape.kind == ShapeKind::box || shape.kind == hull_kind;
}

struct PlacedBox {
  Eigen::Matrix3d axes;
  Eigen::Vector3d centre, half;

  PlacedBox(const Shape<3>& shape, const BodyState<3>& body) {
    const FlatSided solid = flat_sided(shape);
    const PlacedFrame frame(shape, body);
    const AxisBox& box = solid.mesh->tree().root().box;
    axes = frame.axes;
    centre = frame.outside(Eigen::Vector3d(solid.stretch.cwiseProduct(box.centre())));
    half = solid.stretch.cwiseProduct(box.half());
  }
};

}  // namespace

bool have_flat_sides(const Shape<3>& a, const Shape<3>& b) {
  return has_flat_sides(a) && has_flat_sides(b);
}
bool have_flat_sides(const Shape<2>&, const Shape<2>&) {
  return false;
}

// Across the fifteen directions that separate two boxes.
double separation_of_boxes(const Shape<3>& a, const Shape<3>& b, const BodyState<3>& body_a,
                           const BodyState<3>& body_b) {
  if (!have_flat_sides(a, b)) return -std::numeric_limits<double>::infinity();
  const PlacedBox one(a, body_a), two(b, body_b);
  const Eigen::Matrix3d turn = one.axes.transpose() * two.axes, size = turn.cwiseAbs();
  const Eigen::Vector3d between = two.centre - one.centre, on_one = one.axes.transpose() * between,
                        on_two = two.axes.transpose() * between;
  double most = std::max((on_one.cwiseAbs() - one.half - size * two.half).maxCoeff(),
                         (on_two.cwiseAbs() - two.half - size.transpose() * one.half).maxCoeff());
  for (int i = 0; i < 3; ++i) {
    const int p = (i + 1) % 3, q = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int r = (j + 1) % 3, s = (j + 2) % 3;
      const double sine = std::sqrt(std::max(0.0, 1 - turn(i, j) * turn(i, j)));
      if (sine < parallel) continue;
      const double apart = std::abs(on_one[q] * turn(p, j) - on_one[p] * turn(q, j)),
                   own = one.half[p] * size(q, j) + one.half[q] * size(p, j),
                   other = two.half[r] * size(i, s) + two.half[s] * size(i, r);
      most = std::max(most, (apart - own - other) / sine);
    }
  }
  return most;
}

double separation_of_boxes(const Shape<2>&, const Shape<2>&, const BodyState<2>&, const BodyState<2>&) {
  return -std::numeric_limits<double>::infinity();
}

double separation_along(const Eigen::Vector3d& n, const Shape<3>& a, const Shape<3>& b, const BodyState<3>& body_a,
                        const BodyState<3>& body_b) {
  if (!have_flat_sides(a, b)) return -std::numeric_limits<double>::infinity();
  const auto lowest = [](const Shape<3>& shape, const BodyState<3>& body, const Eigen::Vector3d& along) {
    const FlatSided solid = flat_sided(shape);
    const PlacedFrame frame(shape, body);
    const Eigen::Vector3d local = solid.stretch.cwiseProduct(frame.axes.transpose() * along);
    return along.dot(frame.origin) + local.dot(solid.mesh->vertex(lowest_vertex(*solid.mesh, local)).position);
  };
  return lowest(b, body_b, n) + lowest(a, body_a, -n);
}

double separation_along(const Eigen::Vector2d&, const Shape<2>&, const Shape<2>&, const BodyState<2>&,
                        const BodyState<2>&) {
  return -std::numeric_limits<double>::infinity();
}

ContactPoint<3> deepest_dive(const Shape<3>& a, const Shape<3>& b, const BodyState<3>& body_a,
                             const BodyState<3>& body_b, double depth) {
  constexpr double most = 0.5;  // of the thickness
  ContactPoint<3> none;
  none.gap = 0;
  if (!have_flat_sides(a, b)) return none;
  const FlatSided first = flat_sided(a), second = flat_sided(b);
  if ((first.stretch.array() != 1).any()) return none;
  const PlacedFrame frame_a(a, body_a), frame_b(b, body_b);
  const MeshMeeting meeting(*first.mesh, *second.mesh, frame_a.axes.transpose() * frame_b.axes,
                            frame_a.inside(frame_b.origin), second.stretch);
  const ContactPoint<3> deepest = meeting.deepest_dive(depth);
  return deepest.gap < 0 && -deepest.gap < most * meeting.thickness() ? frame_a.outside(deepest) : none;
}

ContactPoint<2> deepest_dive(const Shape<2>&, const Shape<2>&, const BodyState<2>&, const BodyState<2>&, double) {
  ContactPoint<2> none;
  none.gap = 0;
  return none;
}

bool follow_feature(const Shape<3>& a, const Shape<3>& b, const BodyState<3>& body_a, const BodyState<3>& body_b,
                    Feature feature, ContactPoint<3>& point) {
  if (feature == no_feature || lead_of(feature) < 0 || !have_flat_sides(a, b)) return false;
  const FlatSided first = flat_sided(a), second = flat_sided(b);
  if ((first.stretch.array() != 1).any()) return false;
  const PlacedFrame frame_a(a, body_a), frame_b(b, body_b);
  const MeshMeeting meeting(*first.mesh, *second.mesh, frame_a.axes.transpose() * frame_b.axes,
                            frame_a.inside(frame_b.origin), second.stretch);
  if (!meeting.follow(feature, point)) return false;
  point = frame_a.outside(point);
  return true;
}

bool follow_feature(const Shape<2>&, const Shape<2>&, const BodyState<2>&, const BodyState<2>&, Feature,
                    ContactPoint<2>&) {
  return false;
}

}  // namespace carom::inline contact_geometry
