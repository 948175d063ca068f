#include "overlap.h"

#include "surface.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::check {

namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double far_away = -std::numeric_limits<double>::infinity();

double point_to_segment(const Vector3d& point, const Vector3d& from, const Vector3d& to) {
  const Vector3d along = to - from;
  const double length = along.squaredNorm();
  const double part = length > 0 ? std::min(1.0, std::max(0.0, (point - from).dot(along) / length)) : 0;
  return (from + part * along - point).norm();
}

// The distance to the other segment is convex along this one: golden sections.
double segment_to_segment(const Vector3d& a0, const Vector3d& a1, const Vector3d& b0, const Vector3d& b1) {
  const double golden = 0.5 * (std::sqrt(5.0) - 1);
  double low = 0, high = 1;
  const auto at = [&](double part) { return point_to_segment(a0 + part * (a1 - a0), b0, b1); };
  for (int k = 0; k < 80; ++k) {
    const double one = high - golden * (high - low), two = low + golden * (high - low);
    (at(one) < at(two) ? high : low) = at(one) < at(two) ? two : one;
  }
  return std::min({at(0), at(1), at(0.5 * (low + high))});
}

Vector3d axis_of(const Solid& solid, const Pose& pose) {
  return pose.axes.col(solid.kind == Kind::capsule && solid.planar ? 0 : 2);
}

Vector3d end_of(const Solid& solid, const Pose& pose, double side) {
  return pose.centre + 0.5 * side * solid.length * axis_of(solid, pose);
}

std::vector<Vector3d> corners(const Solid& box, const Pose& pose) {
  std::vector<Vector3d> all;
  for (int k = 0; k < (box.planar ? 4 : 8); ++k) {
    Vector3d local = box.half;
    for (int axis = 0; axis < 3; ++axis) local[axis] *= (k >> axis & 1) != 0 ? 1 : -1;
    if (box.planar) local.z() = 0;
    all.push_back(pose.centre + pose.axes * local);
  }
  return all;
}

std::vector<Vector3d> outline_points(const Solid& solid, const Pose& pose) {
  if (solid.kind == Kind::box) {
    const auto own = corners(solid, pose);
    return {own[0], own[1], own[3], own[2]};
  }
  std::vector<Vector3d> all;
  all.reserve(solid.outline.size());
  for (const Vector2d& point : solid.outline)
    all.push_back(pose.centre + pose.axes * Vector3d(point.x(), point.y(), 0));
  return all;
}

bool is_inside(const std::vector<Vector3d>& polygon, const Vector3d& point) {
  bool inside = false;
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
    const Vector3d &one = polygon[i], &two = polygon[j];
    if ((one.y() > point.y()) != (two.y() > point.y()) &&
        point.x() < (two.x() - one.x()) * (point.y() - one.y()) / (two.y() - one.y()) + one.x())
      inside = !inside;
  }
  return inside;
}

// Height of a point above the surface of a polygon, negative inside.
double height_above(const std::vector<Vector3d>& polygon, const Vector3d& point) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++)
    least = std::min(least, point_to_segment(point, polygon[j], polygon[i]));
  return is_inside(polygon, point) ? -least : least;
}

double above_half_space(const Solid& solid, const Pose& pose, const Vector3d& normal, const Vector3d& base) {
  const double centre = normal.dot(pose.centre - base);
  double lowest = std::numeric_limits<double>::infinity();
  switch (solid.kind) {
    case Kind::ball:
      return centre - solid.radius;
    case Kind::capsule:
      return std::min(normal.dot(end_of(solid, pose, -1) - base), normal.dot(end_of(solid, pose, 1) - base)) -
             solid.radius;
    case Kind::cylinder: {
      const double along = normal.dot(axis_of(solid, pose));
      return centre - 0.5 * solid.length * std::abs(along) - solid.radius * std::sqrt(std::max(0.0, 1 - along * along));
    }
    case Kind::box:
      for (const Vector3d& corner : corners(solid, pose)) lowest = std::min(lowest, normal.dot(corner - base));
      return lowest;
    case Kind::ellipsoid:
      return centre - (pose.axes.transpose() * normal).cwiseProduct(solid.half).norm();
    case Kind::outline:
      for (const Vector3d& point : outline_points(solid, pose)) lowest = std::min(lowest, normal.dot(point - base));
      return lowest;
    default:
      return lowest;
  }
}

double ball_in_box(const Solid& ball, const Pose& at, const Solid& box, const Pose& pose) {
  const Vector3d local = pose.axes.transpose() * (at.centre - pose.centre);
  double outside = 0, inside = far_away;
  for (int k = 0; k < (box.planar ? 2 : 3); ++k) {
    const double over = std::abs(local[k]) - box.half[k];
    outside += over > 0 ? over * over : 0;
    inside = std::max(inside, over);
  }
  return ball.radius - (outside > 0 ? std::sqrt(outside) : inside);
}

// Separating axes of two rectangles.
double boxes(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b) {
  double separation = far_away;
  for (const Pose* pose : {&pose_a, &pose_b}) {
    for (int k = 0; k < 2; ++k) {
      const Vector3d axis = pose->axes.col(k);
      double low_a = 1e300, high_a = -1e300, low_b = 1e300, high_b = -1e300;
      for (const Vector3d& corner : corners(a, pose_a)) {
        low_a = std::min(low_a, axis.dot(corner)), high_a = std::max(high_a, axis.dot(corner));
      }
      for (const Vector3d& corner : corners(b, pose_b)) {
        low_b = std::min(low_b, axis.dot(corner)), high_b = std::max(high_b, axis.dot(corner));
      }
      separation = std::max({separation, low_b - high_a, low_a - high_b});
    }
  }
  return -separation;
}

// How far a point is outside of a convex solid in space, by a convex function that is never farther from zero than the
// distance, and its slope.
double outside(const Solid& solid, const Pose& pose, const Vector3d& point, Vector3d& slope) {
  const Vector3d x = pose.axes.transpose() * (point - pose.centre);
  Vector3d local = Vector3d::UnitX();
  double value = 0;
  const double flat = std::hypot(x.x(), x.y()), half = 0.5 * solid.length;
  const Vector3d out = flat > 0 ? Vector3d(x.x() / flat, x.y() / flat, 0) : Vector3d(Vector3d::UnitX());
  const Vector3d up(0, 0, x.z() < 0 ? -1 : 1);
  switch (solid.kind) {
    case Kind::box: {
      Eigen::Index axis = 0;
      value = (x.cwiseAbs() - solid.half).maxCoeff(&axis);
      local = (x[axis] < 0 ? -1 : 1) * Vector3d::Unit(axis);
      break;
    }
    case Kind::ellipsoid: {
      const Vector3d scaled = x.cwiseQuotient(solid.half);
      const double size = scaled.norm(), least = solid.half.minCoeff();
      value = (size - 1) * least;
      if (size > 0) local = least / size * scaled.cwiseQuotient(solid.half);
      break;
    }
    case Kind::capsule: {
      Vector3d off = x;
      off.z() -= std::clamp(x.z(), -half, half);
      value = off.norm() - solid.radius;
      if (off.norm() > 0) local = off.normalized();
      break;
    }
    case Kind::cylinder:
    case Kind::cone: {
      const double top = solid.kind == Kind::cone ? solid.half.x() : solid.radius;
      const double lean = (top - solid.radius) / solid.length, size = std::hypot(1, lean);
      const double side = (flat - solid.radius - lean * (x.z() + half)) / size, end = std::abs(x.z()) - half;
      value = std::max(side, end);
      local = side > end ? Vector3d((out - lean * Vector3d::UnitZ()) / size) : up;
      break;
    }
    default:
      value = x.norm() - solid.radius;
      if (x.norm() > 0) local = x.normalized();
  }
  slope = pose.axes * local;
  return value;
}

// Twice the radius of a ball that both hold, which is no more than the shortest way apart: the least of the greater of
// two convex functions, by ellipsoids around it that shrink (Shor, Yudin and Nemirovski).
double convex_solids(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b) {
  if ((pose_a.centre - pose_b.centre).norm() > a.extent() + b.extent()) return far_away;
  const bool first = a.extent() < b.extent();
  const double reach = 1.01 * std::min(a.extent(), b.extent());
  Vector3d at = first ? pose_a.centre : pose_b.centre;
  Eigen::Matrix3d shape = reach * reach * Eigen::Matrix3d::Identity();
  double best = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 600; ++round) {
    Vector3d slope_a, slope_b;
    const double on_a = outside(a, pose_a, at, slope_a), on_b = outside(b, pose_b, at, slope_b);
    const double value = std::max(on_a, on_b);
    const Vector3d slope = on_a > on_b ? slope_a : slope_b;
    best = std::min(best, value);
    const double width = std::sqrt(slope.dot(shape * slope));
    // Nothing is less than this anywhere.
    if (value - width > 0) return -(value - width);
    if (!(width > 1e-14 * reach)) break;
    const Vector3d step = shape * slope / width;
    at -= step / 4;
    shape = 9.0 / 8 * (shape - 0.5 * step * step.transpose());
    shape = 0.5 * (shape + shape.transpose()).eval();
  }
  return -2 * best;
}

bool is_convex_solid(const Solid& solid) {
  return !solid.planar && !solid.is_wall() && solid.kind != Kind::outline;
}

// How far something in a hole has gone into its wall.
double in_hole(const Solid& hole, const Pose& pose, const Solid& inside, const Pose& at) {
  const Vector3d apart = at.centre - pose.centre;
  if (hole.kind == Kind::cavity && inside.kind == Kind::outline) {
    double farthest = 0;
    for (const Vector3d& point : outline_points(inside, at))
      farthest = std::max(farthest, (point - pose.centre).norm());
    return farthest - hole.radius;
  }
  if (hole.kind == Kind::cavity) return apart.norm() + inside.radius - hole.radius;
  const int first = hole.planar ? 1 : 0;
  double most = far_away;
  if (hole.kind == Kind::slot) {
    for (int k = first; k < 2; ++k) {
      const Vector3d across = pose.axes.col(k);
      if (inside.kind == Kind::ball) most = std::max(most, std::abs(across.dot(apart)) + inside.radius - hole.half[k]);
      if (inside.kind == Kind::box) {
        for (const Vector3d& corner : corners(inside, at))
          most = std::max(most, std::abs(across.dot(corner - pose.centre)) - hole.half[k]);
      }
      if (inside.kind == Kind::outline) {
        for (const Vector3d& point : outline_points(inside, at))
          most = std::max(most, std::abs(across.dot(point - pose.centre)) - hole.half[k]);
      }
    }
    return most;
  }
  // The rims of a journal, point by point, where they are inside the bore.
  const Vector3d axis = pose.axes.col(2), own = axis_of(inside, at), x = at.axes.col(0), y = at.axes.col(1);
  // One that has no length in common with the bore any more has left it, and meets nothing, also where it comes by
  // beside it.
  if ((apart - axis.dot(apart) * axis).norm() > hole.radius + inside.radius) return far_away;
  if (std::abs(axis.dot(apart)) > 0.5 * (hole.length + inside.length * std::abs(axis.dot(own)))) return far_away;
  for (const double side : {-1.0, 1.0}) {
    for (int k = 0; k < 72; ++k) {
      const double angle = 2 * M_PI * k / 72;
      const Vector3d point =
          apart + 0.5 * side * inside.length * own + inside.radius * (std::cos(angle) * x + std::sin(angle) * y);
      if (std::abs(axis.dot(point)) > 0.5 * hole.length) continue;
      most = std::max(most, (point - axis.dot(point) * axis).norm() - hole.radius);
    }
  }
  return most;
}

// m, of a point from the middle of a groove: the best of many places about its direction, then golden sections. What
// is no more than `known` may be less.
double from_middle(const Solid& groove, const Vector3d& point, double known) {
  const auto distance = [&](double angle) {
    const double r = groove.length * (1 + groove.height * std::cos(groove.waves * angle));
    return std::hypot(point.x() - r * std::cos(angle), point.y() - r * std::sin(angle));
  };
  constexpr int places = 40;
  constexpr double reach = 0.6;
  const double towards = std::atan2(point.y(), point.x()), apart = 2 * reach / places;
  double best = towards, least = distance(towards);
  if (least <= known) return least;
  for (int k = 0; k <= places; ++k) {
    const double angle = towards - reach + k * apart, here = distance(angle);
    if (here < least) least = here, best = angle;
    if (least <= known) return least;
  }
  const double golden = 0.5 * (std::sqrt(5.0) - 1);
  double low = best - apart, high = best + apart;
  for (int k = 0; k < 40; ++k) {
    const double one = high - golden * (high - low), two = low + golden * (high - low);
    (distance(one) < distance(two) ? high : low) = distance(one) < distance(two) ? two : one;
  }
  return distance(0.5 * (low + high));
}

// How far points of a shape lie beyond the walls of a groove, which are half its width from its middle.
double in_groove(const Solid& groove, const Pose& pose, const Solid& inside, const Pose& at) {
  double most = 0;  // of what is apart it does not tell how far
  const auto look = [&](const Vector3d& point, double radius) {
    const double own = radius - groove.radius;
    most = std::max(most, from_middle(groove, pose.axes.transpose() * (point - pose.centre), most - own) + own);
  };
  constexpr int parts = 24;
  if (inside.kind == Kind::capsule) {
    const Vector3d from = end_of(inside, at, -1), to = end_of(inside, at, 1);
    for (int k = 0; k <= parts; ++k) look(from + (to - from) * k / static_cast<double>(parts), inside.radius);
  } else if (inside.kind == Kind::ellipsoid) {
    for (int k = 0; k < 8 * parts; ++k) {
      const double angle = M_PI * k / (4 * parts);
      look(at.centre + at.axes * Vector3d(inside.half.x() * std::cos(angle), inside.half.y() * std::sin(angle), 0), 0);
    }
  } else {
    const auto polygon = outline_points(inside, at);
    const int each = polygon.size() > 40 ? 1 : parts;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Vector3d &from = polygon[i], &to = polygon[(i + 1) % polygon.size()];
      for (int k = 0; k < each; ++k) look(from + (to - from) * k / static_cast<double>(each), 0);
    }
  }
  return most;
}

double mesh_overlap(const Solid& mesh, const Pose& pose, const Solid& other, const Pose& at) {
  if (other.kind == Kind::half_space) {
    double lowest = std::numeric_limits<double>::infinity();
    for (const Vector3d& point : mesh.points)
      lowest = std::min(lowest, at.axes.col(2).dot(pose.centre + pose.axes * point - at.centre));
    return -lowest;
  }
  if ((pose.centre - at.centre).norm() > mesh.extent() + other.extent()) return far_away;
  const Surface surface(mesh, pose);
  if (other.kind == Kind::mesh) return surfaces(surface, Surface(other, at));
  if (other.kind == Kind::ball) return other.radius - surface.height_of(at.centre);
  if (other.kind == Kind::torus) {
    double most = far_away;
    for (int k = 0; k < 360; ++k) {
      const double angle = M_PI * k / 180;
      const Vector3d place = at.centre + at.axes * (other.radius * Vector3d(std::cos(angle), std::sin(angle), 0));
      most = std::max(most, other.half.x() - surface.height_of(place));
    }
    return most;
  }
  return surface.deepest_in([&](const Vector3d& point) {
    Vector3d slope;
    return outside(other, at, point, slope);
  });
}

double outlines(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b) {
  if ((pose_a.centre - pose_b.centre).norm() > a.extent() + b.extent()) return far_away;
  const auto one = outline_points(a, pose_a), two = outline_points(b, pose_b);
  double deepest = far_away;
  for (const auto& [points, polygon] : {std::pair{&one, &two}, std::pair{&two, &one}}) {
    const Solid& other = polygon == &two ? b : a;
    const Vector3d centre = polygon == &two ? pose_b.centre : pose_a.centre;
    const double reach = other.extent() * other.extent();
    for (const Vector3d& point : *points) {
      if ((point - centre).squaredNorm() <= reach && is_inside(*polygon, point))
        deepest = std::max(deepest, -height_above(*polygon, point));
    }
  }
  return deepest;
}

// A capsule by points along its axis.
double capsule_in(const Solid& capsule, const Pose& at, const Solid& other, const Pose& pose) {
  if ((at.centre - pose.centre).norm() > capsule.extent() + other.extent()) return far_away;
  const auto polygon = outline_points(other, pose);
  const Vector3d from = end_of(capsule, at, -1), to = end_of(capsule, at, 1);
  double least = std::numeric_limits<double>::infinity();
  constexpr int points = 200;
  for (int k = 0; k <= points; ++k)
    least = std::min(least, height_above(polygon, from + (to - from) * k / static_cast<double>(points)));
  // Corners of the polygon lie between those points, too.
  for (const Vector3d& corner : polygon) least = std::min(least, std::max(0.0, point_to_segment(corner, from, to)));
  return capsule.radius - least;
}

}  // namespace

bool Solid::is_wall() const {
  return kind == Kind::half_space || kind == Kind::cavity || kind == Kind::slot || kind == Kind::bore ||
         kind == Kind::groove;
}

double Solid::smallest() const {
  switch (kind) {
    case Kind::box:
    case Kind::ellipsoid:
      return planar ? half.head<2>().minCoeff() : half.minCoeff();
    case Kind::cylinder:
      return std::min(radius, length / 2);
    case Kind::cone:
      return 0.25 * std::min(radius, length);
    case Kind::outline:
      return extent() / 2;
    case Kind::torus:
      return half.x();
    case Kind::mesh:
      return radius;
    default:
      return radius;
  }
}

double Solid::half_thickness() const {
  return inner > 0 ? inner : smallest();
}

Pose pose_of(const Solid& solid, const double* q, bool planar) {
  Pose body;
  if (solid.body > 0 && planar) {
    q += 3 * (solid.body - 1);
    body.centre = {q[0], q[1], 0};
    body.axes = Eigen::AngleAxisd(q[2], Vector3d::UnitZ()).toRotationMatrix();
  } else if (solid.body > 0) {
    q += 7 * (solid.body - 1);
    body.centre = {q[0], q[1], q[2]};
    body.axes = Eigen::Quaterniond(q[3], q[4], q[5], q[6]).normalized().toRotationMatrix();
  }
  return {body.centre + body.axes * solid.at, body.axes * solid.turn.toRotationMatrix()};
}

double Solid::extent() const {
  switch (kind) {
    case Kind::ball:
    case Kind::cavity:
      return radius;
    case Kind::box:
      return half.norm();
    case Kind::ellipsoid:
      return half.maxCoeff();
    case Kind::capsule:
      return radius + 0.5 * length;
    case Kind::cylinder:
    case Kind::bore:
      return std::hypot(radius, 0.5 * length);
    case Kind::cone:
      return std::hypot(std::max(radius, half.x()), 0.5 * length);
    case Kind::torus:
      return radius + half.x();
    case Kind::groove:
      return length * (1 + height) + radius;
    case Kind::mesh: {
      double most = 0;
      for (const Vector3d& point : points) most = std::max(most, point.norm());
      return most;
    }
    case Kind::outline: {
      double most = 0;
      for (const Vector2d& point : outline) most = std::max(most, point.norm());
      return most;
    }
    default:
      return 0;
  }
}

double overlap(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b) {
  if (a.kind == Kind::mesh) return mesh_overlap(a, pose_a, b, pose_b);
  if (b.kind == Kind::mesh) return mesh_overlap(b, pose_b, a, pose_a);
  if (a.kind == Kind::groove) return in_groove(a, pose_a, b, pose_b);
  if (b.kind == Kind::groove) return in_groove(b, pose_b, a, pose_a);
  if (a.kind == Kind::half_space) return overlap(b, pose_b, a, pose_a);
  if (b.kind == Kind::half_space) return -above_half_space(a, pose_a, pose_b.axes.col(b.planar ? 1 : 2), pose_b.centre);
  if (b.kind == Kind::cavity || b.kind == Kind::slot || b.kind == Kind::bore) return in_hole(b, pose_b, a, pose_a);
  if (a.kind == Kind::cavity || a.kind == Kind::slot || a.kind == Kind::bore) return in_hole(a, pose_a, b, pose_b);
  if (a.kind == Kind::ball && b.kind == Kind::ball) return a.radius + b.radius - (pose_a.centre - pose_b.centre).norm();
  const auto has_polygon = [](const Solid& solid) {
    return solid.planar && (solid.kind == Kind::outline || solid.kind == Kind::box);
  };
  if (has_polygon(a) && has_polygon(b) && (a.kind == Kind::outline || b.kind == Kind::outline))
    return outlines(a, pose_a, b, pose_b);
  if (a.kind == Kind::capsule && has_polygon(b)) return capsule_in(a, pose_a, b, pose_b);
  if (b.kind == Kind::capsule && has_polygon(a)) return capsule_in(b, pose_b, a, pose_a);
  const auto closed_form = [](const Solid& solid) {
    return solid.kind == Kind::ball || solid.kind == Kind::box || solid.kind == Kind::capsule;
  };
  const bool with_ball = a.kind == Kind::ball || b.kind == Kind::ball || (a.kind == Kind::capsule && b.kind == a.kind);
  if (is_convex_solid(a) && is_convex_solid(b) && !(with_ball && closed_form(a) && closed_form(b)))
    return convex_solids(a, pose_a, b, pose_b);
  if (a.kind == Kind::box && b.kind == Kind::box) return boxes(a, pose_a, b, pose_b);
  if (a.kind == Kind::capsule && b.kind == Kind::capsule) {
    return a.radius + b.radius -
           segment_to_segment(end_of(a, pose_a, -1), end_of(a, pose_a, 1), end_of(b, pose_b, -1), end_of(b, pose_b, 1));
  }
  if (b.kind != Kind::ball) return a.kind == Kind::ball ? overlap(b, pose_b, a, pose_a) : far_away;
  if (a.kind == Kind::box) return ball_in_box(b, pose_b, a, pose_a);
  if (a.kind == Kind::capsule)
    return a.radius + b.radius - point_to_segment(pose_b.centre, end_of(a, pose_a, -1), end_of(a, pose_a, 1));
  if (a.kind == Kind::outline) {
    if ((pose_a.centre - pose_b.centre).norm() > a.extent() + b.radius) return far_away;
    return b.radius - height_above(outline_points(a, pose_a), pose_b.centre);
  }
  return far_away;
}

double blur(const Solid& a, const Solid& b) {
  double sum = 0;
  for (const Solid* solid : {&a, &b}) {
    if (solid->kind == Kind::outline && !solid->cornered) {
      // The sagitta of a chord between two points, generously.
      const double chord = 2 * M_PI * solid->extent() / static_cast<double>(solid->outline.size());
      sum += 2 * chord * chord / solid->extent();
    }
    // Against a mesh, whichever way the rim is seen.
    if ((a.kind == Kind::mesh || b.kind == Kind::mesh) && (solid->kind == Kind::cylinder || solid->kind == Kind::cone))
      sum += 2e-4 * std::max(solid->radius, solid->kind == Kind::cone ? solid->half.x() : 0);
    if (solid->kind == Kind::groove) sum += 1e-5 * solid->length;      // a spline through points
    if (solid->kind == Kind::cylinder) sum += 1.1e-4 * solid->radius;  // the rim is rounded off by that much
  }
  return sum;
}

}  // namespace carom::check
