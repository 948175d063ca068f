#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

#include "contact_geometry/outline.h"

// Loops of outlines: checked, turned, their corners rounded.
namespace carom::inline contact_geometry {

namespace {

using Polygon = std::vector<Eigen::Vector2d>;

std::string place_text(const Eigen::Vector2d& point) {
  return fmt::format("({:.6g}, {:.6g}) m", point.x(), point.y());
}

double signed_area(const Polygon& polygon) {
  double sum = 0;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    sum += cross_of(polygon[k], polygon[(k + 1) % polygon.size()]) / 2;
  }
  return sum;
}

bool contains_point(const Polygon& polygon, const Eigen::Vector2d& point) {
  bool inside = false;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Eigen::Vector2d &a = polygon[k], &b = polygon[(k + 1) % polygon.size()];
    if ((a.y() > point.y()) == (b.y() > point.y())) continue;
    if (point.x() < a.x() + (point.y() - a.y()) / (b.y() - a.y()) * (b.x() - a.x())) inside = !inside;
  }
  return inside;
}

// Sides of all polygons, to be compared along x.
struct Side {
  Eigen::Vector2d a, b;
  std::size_t loop, index, count;
  double low() const { return std::min(a.x(), b.x()); }
  double high() const { return std::max(a.x(), b.x()); }
};

bool sides_cross(const Side& one, const Side& two) {
  const Eigen::Vector2d first = one.b - one.a, second = two.b - two.a;
  const double a = cross_of(first, Eigen::Vector2d(two.a - one.a)), b = cross_of(first, Eigen::Vector2d(two.b - one.a));
  const double c = cross_of(second, Eigen::Vector2d(one.a - two.a)),
               d = cross_of(second, Eigen::Vector2d(one.b - two.a));
  const double small = 1e-12 * first.norm() * second.norm();
  return ((a > small && b < -small) || (a < -small && b > small)) &&
         ((c > small && d < -small) || (c < -small && d > small));
}

bool are_neighbours(const Side& one, const Side& two) {
  if (one.loop != two.loop) return false;
  const std::size_t apart = one.index > two.index ? one.index - two.index : two.index - one.index;
  return apart <= 1 || apart + 1 == one.count;
}

void refuse_crossings(const std::vector<Polygon>& polygons) {
  std::vector<Side> sides;
  for (std::size_t loop = 0; loop < polygons.size(); ++loop) {
    const Polygon& own = polygons[loop];
    for (std::size_t k = 0; k < own.size(); ++k)
      sides.push_back({own[k], own[(k + 1) % own.size()], loop, k, own.size()});
  }
  std::sort(sides.begin(), sides.end(), [](const Side& one, const Side& two) { return one.low() < two.low(); });
  std::vector<const Side*> open;
  for (const Side& side : sides) {
    std::erase_if(open, [&](const Side* each) { return each->high() < side.low(); });
    for (const Side* each : open) {
      if (are_neighbours(*each, side) || !sides_cross(*each, side)) continue;
      throw std::invalid_argument(
          each->loop == side.loop
              ? fmt::format("the outline crosses itself near {}; a loop must not meet itself", place_text(side.a))
              : fmt::format("loops {} and {} cross near {}; a hole lies within its part, without touching it",
                            each->loop + 1, side.loop + 1, place_text(side.a)));
    }
    open.push_back(&side);
  }
}

void check_loop(OutlineLoop& loop, std::size_t number, double size) {
  if (loop.empty()) throw std::invalid_argument(fmt::format("loop {} is empty", number));
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const Eigen::Vector2d start = loop[k].start(), end = loop[k].end();
    if (!start.allFinite() || !end.allFinite())
      throw std::invalid_argument(fmt::format("piece {} of loop {} is not finite", k + 1, number));
    if (!(loop[k].length() > 1e-9 * size)) {
      throw std::invalid_argument(
          fmt::format("piece {} of loop {} has no length, at {}; leave it out", k + 1, number, place_text(start)));
    }
    const Eigen::Vector2d next = loop[(k + 1) % loop.size()].start();
    if ((next - end).norm() <= 1e-6 * size) continue;
    throw std::invalid_argument(
        k + 1 == loop.size() ? fmt::format("loop {} is open: it ends at {} and began at {}; close it (`Z` in a path)",
                                           number, place_text(end), place_text(next))
                             : fmt::format("piece {} of loop {} ends at {}, the next begins at {}", k + 1, number,
                                           place_text(end), place_text(next)));
  }
}

// u along a piece and v along the next, where a disc of the radius inside touches both.
struct Fillet {
  double u, v;
  Eigen::Vector2d centre;
};

Fillet find_fillet(const CurvePiece& before, const CurvePiece& after, double radius) {
  double u = 1, v = 0;
  const auto inner = [&](const CurvePiece& piece, double at) -> Eigen::Vector2d {
    const CurvePoint point = piece.at(at);
    return point.position - radius * right_of(point.first.normalized());
  };
  constexpr double step = 1e-6;
  for (int pass = 0; pass < 50; ++pass) {
    const Eigen::Vector2d miss = inner(before, u) - inner(after, v);
    const Eigen::Vector2d by_u = (inner(before, u + step) - inner(before, u - step)) / (2 * step);
    const Eigen::Vector2d by_v = -(inner(after, v + step) - inner(after, v - step)) / (2 * step);
    const double determinant = cross_of(by_u, by_v);
    if (determinant == 0) break;
    const double change_u = -cross_of(miss, by_v) / determinant, change_v = -cross_of(by_u, miss) / determinant;
    u += std::clamp(change_u, -0.5, 0.5), v += std::clamp(change_v, -0.5, 0.5);
    if (std::abs(change_u) + std::abs(change_v) < 1e-14) break;
  }
  return {u, v, 0.5 * (inner(before, u) + inner(after, v))};
}

}  // namespace

void add_polygon(const CurvePiece& piece, double error, std::vector<Eigen::Vector2d>& points) {
  int count = 1;
  if (!piece.is_line()) {
    for (const CurvePiece& part : piece.cut(0.5)) {
      const CurvePoint start = part.at(0), end = part.at(1);
      const double turned = part.is_arc()
                                ? std::abs(part.turn)
                                : std::abs(std::atan2(cross_of(start.first, end.first), start.first.dot(end.first)));
      const double bow = part.length() * turned / 8;
      count = std::clamp(static_cast<int>(std::ceil(std::sqrt(bow / error))), static_cast<int>(std::ceil(turned / 0.3)),
                         400);
      count = std::max(count, 2);
      for (int k = 0; k < count; ++k) points.push_back(part.at(static_cast<double>(k) / count).position);
    }
    return;
  }
  points.push_back(piece.start());
}

void orient_loops(std::vector<OutlineLoop>& loops, double size) {
  if (loops.empty()) throw std::invalid_argument("an outline needs one closed loop or more");
  std::size_t pieces = 0;
  for (std::size_t k = 0; k < loops.size(); ++k) {
    check_loop(loops[k], k + 1, size);
    pieces += loops[k].size();
  }
  if (pieces > Outline::most_pieces) {
    throw std::invalid_argument(fmt::format("an outline of {} pieces; at most {}", pieces, Outline::most_pieces));
  }
  std::vector<Polygon> polygons(loops.size());
  for (std::size_t k = 0; k < loops.size(); ++k) {
    for (const CurvePiece& piece : loops[k]) add_polygon(piece, 1e-4 * size, polygons[k]);
  }
  refuse_crossings(polygons);
  for (std::size_t k = 0; k < loops.size(); ++k) {
    const double area = signed_area(polygons[k]);
    if (!(std::abs(area) > 1e-12 * size * size)) {
      throw std::invalid_argument(fmt::format("loop {} encloses no area, at {}", k + 1, place_text(polygons[k][0])));
    }
    int around = 0;
    for (std::size_t other = 0; other < loops.size(); ++other) {
      if (other != k && contains_point(polygons[other], polygons[k][0])) ++around;
    }
    if ((area > 0) == (around % 2 == 0)) continue;
    std::reverse(loops[k].begin(), loops[k].end());
    for (CurvePiece& piece : loops[k]) piece = piece.reversed();
  }
}

std::vector<std::vector<Eigen::Vector2d>> filled_polygons(const Outline& outline) {
  std::vector<Polygon> all = outline.polygons(), parts, holes;
  for (Polygon& polygon : all) (signed_area(polygon) > 0 ? parts : holes).push_back(std::move(polygon));
  // From the right: a hole is joined to the nearest corner of its part, which may be that of a hole before.
  std::sort(holes.begin(), holes.end(), [](const Polygon& one, const Polygon& two) {
    const auto right = [](const Polygon& polygon) {
      return std::max_element(polygon.begin(), polygon.end(),
                              [](const auto& a, const auto& b) { return a.x() < b.x(); })
          ->x();
    };
    return right(one) > right(two);
  });
  for (const Polygon& hole : holes) {
    Polygon* around = nullptr;
    for (Polygon& part : parts) {
      if (contains_point(part, hole[0]) && (!around || signed_area(part) < signed_area(*around))) around = &part;
    }
    if (!around) continue;
    std::size_t from = 0, to = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < around->size(); ++i) {
      for (std::size_t j = 0; j < hole.size(); ++j) {
        const double square = ((*around)[i] - hole[j]).squaredNorm();
        if (square < least) least = square, from = i, to = j;
      }
    }
    Polygon cut(hole.begin() + static_cast<std::ptrdiff_t>(to), hole.end());
    cut.insert(cut.end(), hole.begin(), hole.begin() + static_cast<std::ptrdiff_t>(to) + 1);
    cut.push_back((*around)[from]);
    around->insert(around->begin() + static_cast<std::ptrdiff_t>(from) + 1, cut.begin(), cut.end());
  }
  return parts;
}

void round_corners(std::vector<OutlineLoop>& loops, double radius) {
  if (!(radius > 0)) return;
  for (OutlineLoop& loop : loops) {
    const std::size_t n = loop.size();
    std::vector<double> from(n, 0), to(n, 1);
    std::vector<CurvePiece> arcs(n);
    std::vector<bool> rounded(n, false);  // between piece k and the next
    for (std::size_t k = 0; k < n; ++k) {
      const CurvePiece &before = loop[k], &after = loop[(k + 1) % n];
      const CurvePoint end = before.at(1), start = after.at(0);
      const double turn = std::atan2(cross_of(end.first, start.first), end.first.dot(start.first));
      if (turn < 1e-6) continue;
      const Fillet fillet = find_fillet(before, after, radius);
      to[k] = fillet.u, from[(k + 1) % n] = fillet.v;
      const CurvePoint a = before.at(fillet.u), b = after.at(fillet.v);
      const Eigen::Vector2d spoke = a.position - fillet.centre;
      const double sweep = std::atan2(cross_of(a.first, b.first), a.first.dot(b.first));
      arcs[k] = CurvePiece::arc(fillet.centre, radius, std::atan2(spoke.y(), spoke.x()), sweep);
      rounded[k] = true;
      const bool sound = fillet.u > 0 && fillet.u <= 1 && fillet.v >= 0 && fillet.v < 1 && sweep > 0 &&
                         std::abs(spoke.norm() - radius) < 1e-6 * radius;
      if (!sound) {
        throw std::invalid_argument(
            fmt::format("the corner at {} has no room for an `edge_radius` of {:.6g} m; make it smaller",
                        place_text(end.position), radius));
      }
    }
    OutlineLoop result;
    for (std::size_t k = 0; k < n; ++k) {
      if (!(to[k] - from[k] > 1e-9)) {
        throw std::invalid_argument(fmt::format(
            "piece {} at {} is shorter than the rounding of its corners by `edge_radius` {:.6g} m; make it smaller",
            k + 1, place_text(loop[k].start()), radius));
      }
      result.push_back(loop[k].part(from[k], to[k]));
      if (rounded[k]) result.push_back(arcs[k]);
    }
    loop = std::move(result);
  }
}

}  // namespace carom::inline contact_geometry
