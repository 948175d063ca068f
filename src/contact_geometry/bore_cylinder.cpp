#include <algorithm>
#include <cmath>

#include "contact_geometry/pair.h"
#include "contact_geometry/round_contact.h"

namespace carom::inline contact_geometry {

namespace {

int points_of(const Shape<3>& bore, const Shape<3>&) {
  return bore.half[2] > 0 ? 4 : 2;
}

// The point of a circle that is nearest to a line (or farthest from it). With the first direction of the circle along
// the projection of the line, the squared distance is, up to a constant,
//   f(φ) = 2 R (A cos φ + B sin φ) − R² k² cos² φ,   k the sine of the angle between the line and the circle's axis.
Eigen::Vector3d extreme_on_circle(const Eigen::Vector3d& centre, const Eigen::Vector3d& axis, double radius,
                                  const Eigen::Vector3d& line_point, const Eigen::Vector3d& line, bool nearest) {
  const Eigen::Vector3d tilt = line - axis.dot(line) * axis;
  const double k = tilt.norm();
  const Eigen::Vector3d x = k > coincident ? Eigen::Vector3d(tilt / k) : Eigen::Vector3d(triad_about(axis).col(0));
  const Eigen::Vector3d y = axis.cross(x), offset = centre - line_point;
  const Eigen::Vector3d across = offset - line.dot(offset) * line;
  const double sign = nearest ? 1 : -1, a = 2 * sign * x.dot(across), b = 2 * sign * y.dot(across);
  const double c = sign * radius * k * k;
  const auto value = [&](double cosine, double sine) { return a * cosine + b * sine - c * cosine * cosine; };
  constexpr int starts = 16;
  double angle = 0, least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < starts; ++i) {
    const double trial = 2 * M_PI * i / starts, level = value(std::cos(trial), std::sin(trial));
    if (level < least) {
      least = level;
      angle = trial;
    }
  }
  for (int iteration = 0; iteration < 30; ++iteration) {
    const double cosine = std::cos(angle), sine = std::sin(angle);
    const double slope = -a * sine + b * cosine + 2 * c * sine * cosine;
    const double bend = -a * cosine - b * sine + 2 * c * (cosine * cosine - sine * sine);
    if (!(std::abs(bend) > 0)) break;
    const double step = std::clamp(-slope / std::abs(bend), -M_PI / starts, M_PI / starts);
    angle += step;
    if (std::abs(step) < 1e-15) break;
  }
  return centre + radius * (std::cos(angle) * x + std::sin(angle) * y);
}

struct Journal {
  Eigen::Vector3d centre, axis;  // the axis in the sense of the bore's
  double radius, half;
};

struct Hole {
  Eigen::Vector3d centre, axis;
  double radius, half;
};

// side = ±1: the end of the common length at that side of the bore.
void touch_wall(const Hole& bore, const Journal& journal, double side, ContactPoint<3>& contact) {
  const Eigen::Vector3d end = journal.centre + side * journal.half * journal.axis;
  if (side * bore.axis.dot(end - bore.centre) > bore.half) {
    // The journal looks out: the edge of the bore touches its side.
    const Eigen::Vector3d edge = bore.centre + side * bore.half * bore.axis;
    const Eigen::Vector3d point = extreme_on_circle(edge, bore.axis, bore.radius, journal.centre, journal.axis, true);
    const Eigen::Vector3d away = point - journal.centre;
    const Eigen::Vector3d inward = journal.axis.dot(away) * journal.axis - away;
    const double distance = inward.norm();
    contact.gap = distance - journal.radius;
    contact.normal = distance < coincident ? journal.axis.unitOrthogonal() : Eigen::Vector3d(inward / distance);
    contact.point_a = point;
    contact.point_b = point + contact.gap * contact.normal;
  } else {
    const Eigen::Vector3d point = extreme_on_circle(end, journal.axis, journal.radius, bore.centre, bore.axis, false);
    const Eigen::Vector3d away = point - bore.centre;
    const Eigen::Vector3d inward = bore.axis.dot(away) * bore.axis - away;
    const double distance = inward.norm();
    contact.gap = bore.radius - distance;
    contact.normal = distance < coincident ? bore.axis.unitOrthogonal() : Eigen::Vector3d(inward / distance);
    contact.point_b = point;
    contact.point_a = point - contact.gap * contact.normal;
  }
}

void evaluate_bore_cylinder(const Shape<3>& shape_a, const Shape<3>& shape_b, const BodyState<3>& body_a,
                            const BodyState<3>& body_b, ContactPoint<3>* points, double*) {
  const Hole bore{centre_of<3>(shape_a, body_a), axis_of<3>(shape_a, body_a, 2), shape_a.radius, shape_a.length / 2};
  const Eigen::Vector3d axis = axis_of<3>(shape_b, body_b, 2);
  const double cosine = axis.dot(bore.axis);
  const Journal journal{centre_of<3>(shape_b, body_b), cosine < 0 ? Eigen::Vector3d(-axis) : axis, shape_b.radius,
                        shape_b.length / 2};
  const double along = bore.axis.dot(journal.centre - bore.centre);
  const double clearance = shape_a.half[2];
  if (clearance > 0) {
    for (const int stop : {0, 1}) {
      const double side = stop == 0 ? 1 : -1;
      const Eigen::Vector3d end = journal.centre + side * journal.half * journal.axis;
      const double gap = journal.half + clearance - side * bore.axis.dot(end - bore.centre);
      points[2 + stop] = {gap, -side * bore.axis, end + side * gap * bore.axis, end};
    }
  }
  if (std::abs(along) > bore.half + journal.half * std::abs(cosine)) {
    points[0] = points[1] = {};
    return;
  }
  touch_wall(bore, journal, 1, points[0]);
  touch_wall(bore, journal, -1, points[1]);
}

double bore_cylinder_effective_radius(const Shape<3>& bore, const Shape<3>& journal) {
  return bore.radius * journal.radius / (bore.radius - journal.radius);
}

double bore_cylinder_clearance(const Shape<3>& bore, const Shape<3>& journal) {
  return bore.radius - journal.radius;
}

}  // namespace

PairDescription<3> describe_bore_cylinder() {
  return {.a = ShapeKind::bore,
          .b = ShapeKind::cylinder,
          .name = "bore_cylinder",
          .summary =
              "a journal in a bore of finite length: slot 0 the end of their common length at positive z of the bore, "
              "slot 1 the other, each the rim of one against the wall of the other; with half[2] > 0 of the bore, "
              "slots 2 and 3 stop the ends of the journal there after an axial clearance of ± half[2]",
          .points = points_of,
          .memory = fixed_count<3, 0>,
          .evaluate = evaluate_bore_cylinder,
          .effective_radius = bore_cylinder_effective_radius,
          .clearance = bore_cylinder_clearance};
}

}  // namespace carom::inline contact_geometry
