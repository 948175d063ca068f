#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include <fmt/format.h>

#include "contact_geometry/outline_of_shape.h"
#include "outline_io/path_text.h"
#include "sample_shapes.h"

// Distances of planar shapes by dense points and zooming in: nothing of the sources but the shapes' sizes.
namespace carom {

// Closed boundary curves of a shape, each a function of a parameter from 0 to 1, in its own axes. The material is
// inside of the first one, and outside of it for holes.
struct PlanarCurves {
  std::vector<std::function<Eigen::Vector2d(double)>> loops;
  bool hole = false;  // the material is around
};

using Corners = std::vector<std::pair<Eigen::Vector2d, double>>;  // and the bulge of the side that follows

// A side between two corners: the tangent of a quarter of its angle is the bulge, > 0 to the right of the way.
inline Eigen::Vector2d on_side(const Eigen::Vector2d& from, const Eigen::Vector2d& to, double bulge, double part) {
  if (bulge == 0) return from + part * (to - from);
  const Eigen::Vector2d chord = to - from, left(-chord.y(), chord.x());
  const double angle = 4 * std::atan(bulge);
  const Eigen::Vector2d centre = (from + to) / 2 + left / (2 * std::tan(angle / 2));
  const double turn = part * angle;
  const Eigen::Vector2d spoke = from - centre;
  return centre + Eigen::Vector2d(std::cos(turn) * spoke.x() - std::sin(turn) * spoke.y(),
                                  std::sin(turn) * spoke.x() + std::cos(turn) * spoke.y());
}

inline std::function<Eigen::Vector2d(double)> closed_curve(const Corners& corners) {
  return [corners](double s) {
    const auto n = static_cast<double>(corners.size());
    const double at = std::clamp(s, 0.0, 1.0) * n;
    const auto k = std::min(static_cast<std::size_t>(at), corners.size() - 1);
    return on_side(corners[k].first, corners[(k + 1) % corners.size()].first, corners[k].second,
                   at - static_cast<double>(k));
  };
}

inline std::string path_of(const Corners& corners) {
  std::string path = fmt::format("M {:.17g} {:.17g}", corners[0].first.x(), corners[0].first.y());
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Eigen::Vector2d &from = corners[k].first, &to = corners[(k + 1) % corners.size()].first;
    const double bulge = corners[k].second;
    if (bulge == 0) {
      path += fmt::format(" L {:.17g} {:.17g}", to.x(), to.y());
    } else {
      const double radius = (to - from).norm() / (2 * std::sin(2 * std::atan(std::abs(bulge))));
      path += fmt::format(" A {:.17g} {:.17g} 0 {} {} {:.17g} {:.17g}", radius, radius, std::abs(bulge) > 1 ? 1 : 0,
                          bulge > 0 ? 1 : 0, to.x(), to.y());
    }
  }
  return path + " Z";
}

// A star of straight and round sides, with or without a hole.
inline std::vector<Corners> random_loops(Dice& dice, bool round) {
  Corners outer;
  const int n = 4 + static_cast<int>(dice.between(0, 8));
  for (int k = 0; k < n; ++k) {
    const double angle = 2 * M_PI * (k + dice.between(-0.2, 0.2)) / n, radius = dice.between(0.35, 0.7);
    outer.push_back({{radius * std::cos(angle), radius * std::sin(angle)},
                     round && dice.between(0, 1) < 0.6 ? dice.between(-0.15, 0.25) : 0});
  }
  std::vector<Corners> loops = {outer};
  if (dice.between(0, 1) < 0.3)
    loops.push_back({{{-0.1, -0.1}, 0}, {{0.12, -0.08}, round ? 0.3 : 0}, {{0.02, 0.11}, 0}});
  return loops;
}

inline Shape<2> shape_of_loops(const std::vector<Corners>& loops, double edge_radius = 0) {
  std::vector<OutlineLoop> made;
  for (const Corners& loop : loops) made.push_back(read_path(path_of(loop), 1).closed.at(0));
  Shape<2> shape;
  shape.kind = outline_kind;
  shape.data = std::make_shared<OutlineData>(Outline(std::move(made), edge_radius));
  return shape;
}

// Curves of a shape; none for half planes and slots, which have a distance field.
inline PlanarCurves curves_of(const Shape<2>& shape) {
  PlanarCurves result;
  const double r = shape.radius, l = shape.length / 2, x = shape.half[0], y = shape.half[1];
  switch (shape.kind) {
    case ShapeKind::cavity:
      result.hole = true;
      [[fallthrough]];
    case ShapeKind::sphere:
      result.loops.push_back(
          [r](double s) { return Eigen::Vector2d(r * std::cos(2 * M_PI * s), r * std::sin(2 * M_PI * s)); });
      break;
    case ShapeKind::ellipsoid:
      result.loops.push_back(
          [x, y](double s) { return Eigen::Vector2d(x * std::cos(2 * M_PI * s), y * std::sin(2 * M_PI * s)); });
      break;
    case ShapeKind::box:
      result.loops.push_back(closed_curve({{{-x, -y}, 0}, {{x, -y}, 0}, {{x, y}, 0}, {{-x, y}, 0}}));
      break;
    case ShapeKind::capsule:
      result.loops.push_back(closed_curve({{{-l, -r}, 0}, {{l, -r}, 1}, {{l, r}, 0}, {{-l, r}, 1}}));
      break;
    case ShapeKind::profile:
      result.loops.push_back([profile = shape.profile](double s) { return profile->at(s * profile->end()).position; });
      break;
    default:
      break;
  }
  return result;
}

struct BruteForce {
  // Curves in the world.
  static PlanarCurves placed(const Shape<2>& shape, const BodyState<2>& body, const PlanarCurves& curves) {
    PlanarCurves result;
    result.hole = curves.hole;
    const Eigen::Vector2d centre = centre_of<2>(shape, body);
    for (const auto& loop : curves.loops) {
      result.loops.push_back([=](double s) -> Eigen::Vector2d { return centre + to_world<2>(shape, body, loop(s)); });
    }
    return result;
  }

  // Least distance of two curves.
  static double distance(const std::function<Eigen::Vector2d(double)>& a,
                         const std::function<Eigen::Vector2d(double)>& b) {
    constexpr int n = 360, starts = 5;
    std::vector<Eigen::Vector2d> on_a, on_b;
    for (int k = 0; k < n; ++k)
      on_a.push_back(a(k / static_cast<double>(n))), on_b.push_back(b(k / static_cast<double>(n)));
    struct Start {
      double square;
      int i, j;
    };
    std::vector<Start> best;
    for (int i = 0; i < n; ++i) {
      Start least{1e300, 0, 0};
      for (int j = 0; j < n; ++j) {
        const double square = (on_a[i] - on_b[j]).squaredNorm();
        if (square < least.square) least = {square, i, j};
      }
      best.push_back(least);
    }
    // The lowest places of the valley.
    std::vector<Start> low;
    for (int i = 0; i < n; ++i) {
      if (best[i].square <= best[(i + 1) % n].square && best[i].square <= best[(i + n - 1) % n].square)
        low.push_back(best[i]);
    }
    std::sort(low.begin(), low.end(), [](const Start& x, const Start& y) { return x.square < y.square; });
    double least = 1e300;
    for (std::size_t k = 0; k < low.size() && k < starts; ++k) {
      double s = low[k].i / static_cast<double>(n), t = low[k].j / static_cast<double>(n), half = 1.5 / n;
      double here = std::sqrt(low[k].square);
      for (int zoom = 0; zoom < 22; ++zoom) {
        double s_best = s, t_best = t;
        for (int i = -6; i <= 6; ++i) {
          for (int j = -6; j <= 6; ++j) {
            const double s_now = s + half * i / 6, t_now = t + half * j / 6;
            const double now = (a(s_now - std::floor(s_now)) - b(t_now - std::floor(t_now))).norm();
            if (now < here) here = now, s_best = s_now, t_best = t_now;
          }
        }
        s = s_best, t = t_best, half *= 0.4;
      }
      least = std::min(least, here);
    }
    return least;
  }

  // Inside of the first loop and of no other one.
  static bool contains(const PlanarCurves& curves, const Eigen::Vector2d& point) {
    bool inside = false;
    constexpr int n = 720;
    for (const auto& loop : curves.loops) {
      Eigen::Vector2d before = loop(0);
      for (int k = 1; k <= n; ++k) {
        const Eigen::Vector2d here = loop((k % n) / static_cast<double>(n));
        if ((before.y() > point.y()) != (here.y() > point.y()) &&
            point.x() < before.x() + (point.y() - before.y()) / (here.y() - before.y()) * (here.x() - before.x()))
          inside = !inside;
        before = here;
      }
    }
    return inside != curves.hole;
  }

  // Deepest point of one in the other, by dense points; negative: it lies outside.
  static double overlap(const PlanarCurves& a, const PlanarCurves& b) {
    constexpr int n = 240;
    double deepest = -1;
    for (const auto* pair : {&a, &b}) {
      const PlanarCurves &one = *pair, &other = pair == &a ? b : a;
      if (other.loops.empty()) continue;
      for (const auto& loop : one.loops) {
        for (int k = 0; k < n; ++k) {
          const Eigen::Vector2d point = loop(k / static_cast<double>(n));
          if (!contains(other, point)) continue;
          double near = 1e300;
          for (const auto& wall : other.loops) {
            for (int j = 0; j < n; ++j) near = std::min(near, (wall(j / static_cast<double>(n)) - point).norm());
          }
          deepest = std::max(deepest, near);
        }
      }
    }
    return deepest;
  }
};

}  // namespace carom
