#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "contact_geometry/groove.h"
#include "joints/joint.h"

// A pin in a cam groove. The curve is fixed to the first body; with a clearance it is the middle of a groove.
namespace carom::inline joints {

namespace {

std::vector<Eigen::Vector3d> points_of(const Settings& keys) {
  return keys.points("curve");
}

bool is_closed(const Settings& keys) {
  return keys.boolean("closed", true);
}

Profile curve_of(const Settings& keys) {
  std::vector<Eigen::Vector2d> points;
  for (const Eigen::Vector3d& point : points_of(keys)) points.push_back(point.head<2>());
  return Profile::through(std::move(points), is_closed(keys));
}

// The axes of the curve are those of the first body, or of its marker.
Rotation<2> axes_of(const Settings& keys, const Attachment& first) {
  return keys.has("markers") ? Rotation<2>(std::atan2(first.frame(1, 2), first.frame(0, 2))) : Rotation<2>();
}

// The signed distance of a point from the curve. Its gradient is the normal at the nearest place; along the curve it
// bends with the curvature there.
class DistanceFromCurve : public PairRow<2> {
 public:
  DistanceFromCurve(const JointBuilder<2>& joint)
      : body_i_(joint.body(0)),
        body_j_(joint.body(1)),
        origin_(joint.point(0)),
        point_(joint.point(1)),
        axes_(axes_of(joint.settings, joint.placement.at[0])),
        curve_(curve_of(joint.settings)) {}

  double value(const Bodies<2>& bodies) const override { return place(bodies).height; }

  CoordinateRow<2> row(const Bodies<2>& bodies) const override {
    const CurvePlace nearest = place(bodies);
    CoordinateRow<2> row = coordinate_row(along(nearest, nearest.normal), bodies);
    const double slip = coordinate_rate(along(nearest, nearest.tangent), bodies);
    row.bias += nearest.bend() * slip * slip;
    return row;
  }

 private:
  CurvePlace place(const Bodies<2>& bodies) const {
    const BodyState<2>&i = bodies[body_i_], &j = bodies[body_j_];
    const Eigen::Vector2d on_body = i.orientation.back(Eigen::Vector2d(j.point_position(point_) - i.position));
    return nearest_place(curve_, axes_.back(Eigen::Vector2d(on_body - origin_)));
  }
  Coordinate<2> along(const CurvePlace& nearest, const Eigen::Vector2d& direction) const {
    Coordinate<2> x;
    x.body_i = body_i_, x.body_j = body_j_;
    x.axis = axes_ * direction;
    x.point_i = origin_ + axes_ * nearest.position, x.point_j = point_;
    return x;
  }

  int body_i_, body_j_;
  Eigen::Vector2d origin_, point_;
  Rotation<2> axes_;
  Profile curve_;
};

void build_point_on_curve(JointBuilder<2>& joint) {
  joint.set.hold_row(joint.body(0), joint.body(1), std::make_shared<const DistanceFromCurve>(joint),
                     "distance from the curve");
}

void make_pin_in_groove(const ClearanceModel& clearance, const Settings& keys, Shape<2>& groove, Shape<2>& pin) {
  make_groove(points_of(keys), is_closed(keys), 2 * clearance.bearing_radius, groove);
  if (!keys.has("markers")) groove.orientation = {};
  pin.kind = ShapeKind::sphere;
  pin.radius = clearance.bearing_radius - clearance.radial;
}

std::vector<KeyFault> check(const Settings& keys, const ClearanceModel* clearance) {
  std::vector<KeyFault> faults;
  const auto complain = [&](const std::string& found, const std::string& expected, const std::string& remedy) {
    faults.push_back({"curve", found, expected, remedy});
  };
  const std::size_t count = points_of(keys).size(), fewest = is_closed(keys) ? 3 : 2;
  if (count < fewest) {
    complain(fmt::format("a list of {}", count), fmt::format("{} points or more", fewest),
             count == 2 ? "give more points, or set closed = false" : "give more points");
    return faults;
  }
  try {
    const Profile curve = curve_of(keys);
    constexpr std::size_t most_points = 2000;  // the search compares all with all
    const auto crossing = count > most_points ? std::nullopt : curve.find_self_crossing();
    if (crossing) {
      const Eigen::Vector2d at = curve.at(crossing->first).position;
      complain(fmt::format("a curve that crosses itself near [{:.4g}, {:.4g}]", at.x(), at.y()),
               "a curve without crossings", "check the order of the points, and `closed`");
    } else if (const double radius = smallest_radius(curve); clearance && clearance->radial >= radius) {
      complain(fmt::format("a curve that bends with a radius of {:.4g} m", radius),
               fmt::format("one larger than the radial clearance, {:.4g} m", clearance->radial),
               "add points where it bends, or make the clearance smaller");
    }
  } catch (const std::invalid_argument& fault) {
    complain(fault.what(), "neighbours that differ", "leave one of them out");
  }
  return faults;
}

std::vector<JointLine> lines(const Settings& keys, const ClearanceModel* clearance, const Attachment& first) {
  std::vector<JointLine> result;
  const Rotation<2> axes = axes_of(keys, first);
  for (const auto& line : groove_lines(curve_of(keys), clearance ? 2 * clearance->bearing_radius : 0)) {
    JointLine& drawn = result.emplace_back();
    for (const Eigen::Vector2d& point : line) {
      const Eigen::Vector2d turned = axes * point;
      drawn.emplace_back(first.point + Eigen::Vector3d(turned.x(), turned.y(), 0));
    }
  }
  return result;
}

std::vector<ParameterDescription> parameters() {
  std::vector<ParameterDescription> rows = placement_rows(
      "a marker on each body, instead of bodies and points: origin and axes of the curve, and the point");
  std::erase_if(rows, [](const ParameterDescription& row) { return row.name == "at"; });
  for (ParameterDescription& row : rows) {
    if (row.name == "bodies")
      row.meaning = "the body with the curve and the body with the point, or \"ground\" for one";
    if (row.name == "points") row.meaning = "origin of the curve in the axes of the first body, point of the second";
  }
  rows.push_back({.name = "curve",
                  .kind = ParameterKind::points,
                  .unit = "m",
                  .meaning = "points through which the curve runs, in order, from its origin in the axes of the first "
                             "body: a cubic spline, which an open curve continues straight beyond its ends",
                  .required = true});
  rows.push_back({.name = "closed",
                  .kind = ParameterKind::boolean,
                  .meaning = "whether the curve returns to its first point",
                  .default_text = "true"});
  return rows;
}

}  // namespace

JointDescription describe_point_on_curve() {
  JointDescription joint = {
      {.name = "point-on-curve",
       .summary = "A pin in a cam groove: a point of the second body stays on a curve of the first; rotations are "
                  "free. With a clearance, `bearing_diameter` is the width of the groove.",
       .reference = "Haug, Computer-Aided Kinematics and Dynamics of Mechanical Systems, 1989, sec. 3.4",
       .spatial = false,
       .parameters = parameters()},
      {},
      false,
      build_point_on_curve};
  joint.loose_planar = {{.hole = "groove", .inside = "pin", .hole_is_first = true}, make_pin_in_groove};
  joint.check = check;
  joint.lines = lines;
  return joint;
}

}  // namespace carom::inline joints
