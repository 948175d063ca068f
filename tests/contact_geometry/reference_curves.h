#pragma once

#include <functional>

#include "contact_geometry/outline_shape.h"
#include "planar_brute_force.h"
#include "reference_search.h"

// Boundaries of planar shapes as curves by formulas of their own, and their distances by looking everywhere. Drawn
// pieces (lines, arcs, polynomials, involutes) are evaluated by the room that reads drawings.
namespace carom::reference {

using Eigen::Vector2d;

// A piece of a boundary over 0 … 1.
struct Curve {
  std::function<Vector2d(double)> at;
  double speed = 0;  // m, greatest change of place by the parameter
};
using Loop = std::vector<Curve>;

inline Curve straight(const Vector2d& from, const Vector2d& to) {
  return {[=](double u) -> Vector2d { return from + u * (to - from); }, (to - from).norm()};
}

inline Curve round_piece(const Vector2d& centre, const Vector2d& half, double from, double turn) {
  return {[=](double u) -> Vector2d {
            return centre + Vector2d(half.x() * std::cos(from + turn * u), half.y() * std::sin(from + turn * u));
          },
          half.maxCoeff() * std::abs(turn)};
}

inline Loop polygon(const std::vector<Vector2d>& corners) {
  Loop loop;
  for (std::size_t k = 0; k < corners.size(); ++k)
    loop.push_back(straight(corners[k], corners[(k + 1) % corners.size()]));
  return loop;
}

// A polygon, counter-clockwise, whose convex corners are rounded.
inline Loop rounded_polygon(const std::vector<Vector2d>& corners, double radius) {
  Loop loop;
  const std::size_t n = corners.size();
  std::vector<Vector2d> begin(n), end(n);  // of the arc at each corner
  for (std::size_t k = 0; k < n; ++k) {
    const Vector2d in = (corners[k] - corners[(k + n - 1) % n]).normalized(),
                   out = (corners[(k + 1) % n] - corners[k]).normalized();
    const double turn = std::atan2(in.x() * out.y() - in.y() * out.x(), in.dot(out));
    const double cut = turn > 0 ? radius * std::tan(turn / 2) : 0;
    begin[k] = corners[k] - cut * in, end[k] = corners[k] + cut * out;
    if (turn > 0) {
      const Vector2d centre = begin[k] + radius * Vector2d(-in.y(), in.x());
      loop.push_back(round_piece(centre, {radius, radius}, std::atan2(-in.x(), in.y()), turn));
    }
  }
  for (std::size_t k = 0; k < n; ++k) loop.push_back(straight(end[k], begin[(k + 1) % n]));
  return loop;
}

inline Curve cubic(const Vector2d& from, const Vector2d& slope_from, const Vector2d& slope_to, const Vector2d& to) {
  const Vector2d p = from + slope_from / 3, q = to - slope_to / 3;
  return {[=](double u) -> Vector2d {
            const double v = 1 - u;
            return v * v * v * from + 3 * u * v * v * p + 3 * u * u * v * q + u * u * u * to;
          },
          3 * std::max({(p - from).norm(), (q - p).norm(), (to - q).norm()})};
}

// The closed cubic spline by chord length: second derivatives M with
//   h₋ M₋ + 2 (h₋ + h) M + h M₊ = 6 ((P₊ − P)/h − (P − P₋)/h₋).
inline Loop closed_spline(const std::vector<Vector2d>& points) {
  const auto n = static_cast<int>(points.size());
  const auto point = [&](int k) { return points[static_cast<std::size_t>((k + n) % n)]; };
  const auto chord = [&](int k) { return (point(k + 1) - point(k)).norm(); };
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n), right(n, 2);
  for (int k = 0; k < n; ++k) {
    const double before = chord(k - 1), h = chord(k);
    matrix(k, (k + n - 1) % n) += before;
    matrix(k, k) += 2 * (before + h);
    matrix(k, (k + 1) % n) += h;
    right.row(k) = 6 * ((point(k + 1) - point(k)) / h - (point(k) - point(k - 1)) / before).transpose();
  }
  const Eigen::MatrixXd bend = matrix.partialPivLu().solve(right);
  Loop loop;
  for (int k = 0; k < n; ++k) {
    const double h = chord(k);
    const Vector2d own = bend.row(k), next = bend.row((k + 1) % n), way = (point(k + 1) - point(k)) / h;
    loop.push_back(
        cubic(point(k), h * (way - h / 6 * (2 * own + next)), h * (way + h / 6 * (own + 2 * next)), point(k + 1)));
  }
  return loop;
}

inline Loop drawn_loop(const OutlineLoop& pieces) {
  Loop loop;
  for (const CurvePiece& piece : pieces) {
    double speed = 0;
    if (piece.kind == CurvePiece::Kind::polynomial) {
      for (int k = 1; k <= CurvePiece::degree; ++k) speed += k * piece.c[static_cast<std::size_t>(k)].norm();
    } else {
      speed = std::abs(piece.turn) * std::hypot(piece.c[1].norm(), piece.c[2].norm());
      if (piece.kind == CurvePiece::Kind::involute)
        speed *= std::max(std::abs(piece.phase), std::abs(piece.phase + piece.turn));
    }
    loop.push_back({[piece](double u) { return piece.at(u).position; }, speed});
  }
  return loop;
}

// A planar shape in the world: its boundary, and whether its material is outside of it.
struct Figure {
  std::vector<Loop> loops;
  bool around = false;  // a hole
  // Of half planes and slots, whose loops do not close: whether a point, local axes, is in the material.
  std::function<bool(const Vector2d&)> is_inside = {};

  Figure placed(const Shape<2>& shape, const BodyState<2>& body) const {
    Figure result = *this;
    Eigen::Matrix2d axes;
    for (int k = 0; k < 2; ++k) axes.col(k) = body.orientation * Vector2d(shape.orientation * Vector2d::Unit(k));
    const Vector2d centre = body.position + body.orientation * shape.position;
    for (Loop& loop : result.loops) {
      for (Curve& curve : loop)
        curve.at = [centre, axes, at = curve.at](double u) -> Vector2d { return centre + axes * at(u); };
    }
    if (is_inside)
      result.is_inside = [centre, axes, own = is_inside](const Vector2d& point) {
        return own(axes.transpose() * (point - centre));
      };
    return result;
  }

  // By how often the boundary goes around a point that is not close to it.
  bool contains(const Vector2d& point) const {
    if (is_inside) return is_inside(point);
    double turn = 0;
    for (const Loop& loop : loops) {
      double own = 0;
      for (const Curve& curve : loop) {
        constexpr int parts = 64;
        Vector2d before = curve.at(0) - point;
        for (int k = 1; k <= parts; ++k) {
          const Vector2d here = curve.at(static_cast<double>(k) / parts) - point;
          own += std::atan2(before.x() * here.y() - before.y() * here.x(), before.dot(here));
          before = here;
        }
      }
      turn += own;
    }
    return (std::lround(std::abs(turn) / (2 * M_PI)) % 2 == 1) != around;
  }
};

// m, of a point from a curve; `known` and more are of no interest.
inline double from_curve(const Curve& curve, const Vector2d& point,
                         double known = std::numeric_limits<double>::infinity()) {
  const auto distance = [&](const std::array<double, 1>& at) { return (curve.at(at[0]) - point).norm(); };
  return least_over_cube<1>(distance, {curve.speed}, 0.02 * curve.speed, known).value;
}

// m, of a point from a boundary.
inline double from_boundary(const std::vector<Loop>& loops, const Vector2d& point) {
  double least = std::numeric_limits<double>::infinity();
  for (const Loop& loop : loops) {
    for (const Curve& curve : loop) least = from_curve(curve, point, least);
  }
  return least;
}

// m, of two boundaries: of all points of one from the other.
inline double between(const std::vector<Loop>& a, const std::vector<Loop>& b) {
  struct Near {
    double bound;
    const Curve *one, *two;
  };
  std::vector<Near> pairs;
  for (const Loop& loop_a : a) {
    for (const Curve& one : loop_a) {
      for (const Loop& loop_b : b) {
        for (const Curve& two : loop_b)
          pairs.push_back({(one.at(0.5) - two.at(0.5)).norm() - (one.speed + two.speed) / 2, &one, &two});
      }
    }
  }
  std::sort(pairs.begin(), pairs.end(), [](const Near& x, const Near& y) { return x.bound < y.bound; });
  double least = std::numeric_limits<double>::infinity();
  for (const Near& each : pairs) {
    if (!(each.bound < least)) break;
    const double speed = each.one->speed;
    const auto distance = [&](const std::array<double, 1>& at) { return from_curve(*each.two, each.one->at(at[0])); };
    least = std::min(least, least_over_cube<1>(distance, {speed}, 0.02 * speed, least).value);
  }
  return least;
}

}  // namespace carom::reference
