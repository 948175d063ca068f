#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "geometry_io/surface_edges.h"
#include "geometry_io/triangle_soup.h"

namespace carom::inline geometry_io {

namespace {

// Of the size: points nearer than this are one where a surface would have holes otherwise.
constexpr double joined_fraction = 1e-6;
// Of its longest side: a triangle that is less high has no area.
constexpr double flat_fraction = 1e-10;

double size_of(const std::vector<Eigen::Vector3d>& points) {
  Eigen::Vector3d low = points.front(), high = points.front();
  for (const Eigen::Vector3d& point : points) low = low.cwiseMin(point), high = high.cwiseMax(point);
  return (high - low).norm();
}

std::string place_text(const Eigen::Vector3d& at) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", at.x(), at.y(), at.z());
}

void take_joined(TriangleSoup& soup, std::vector<Eigen::Vector3d> points, const std::vector<int>& number) {
  soup.points = std::move(points);
  for (Triangle& triangle : soup.triangles) {
    for (int& corner : triangle) corner = number[corner];
  }
}

void join_equal_points(TriangleSoup& soup) {
  std::vector<int> order(soup.points.size()), number(soup.points.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](int k) {
    const Eigen::Vector3d& p = soup.points[k];
    return std::tuple(p.x(), p.y(), p.z());
  };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b) || (key(a) == key(b) && a < b); });
  std::vector<Eigen::Vector3d> points;
  for (const int k : order) {
    if (points.empty() || points.back() != soup.points[k]) points.push_back(soup.points[k]);
    number[k] = static_cast<int>(points.size()) - 1;
  }
  take_joined(soup, std::move(points), number);
}

// Each with its first point in front, and these one after the other: with points that are sorted, files that list a
// surface in another order make the same one, to the last bit of all that follows from it.
void sort_triangles(TriangleSoup& soup) {
  for (Triangle& triangle : soup.triangles)
    std::rotate(triangle.begin(), std::min_element(triangle.begin(), triangle.end()), triangle.end());
  std::sort(soup.triangles.begin(), soup.triangles.end());
}

std::size_t drop_repeated_corners(TriangleSoup& soup) {
  return std::erase_if(soup.triangles, [](const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; });
}

// Which corner of a triangle without area lies on the side opposite to it; −1: it has an area.
int corner_on_side(const Triangle& triangle, const std::vector<Eigen::Vector3d>& points) {
  double longest = -1;
  int corner = 0;
  for (int k = 0; k < 3; ++k) {
    const double side = (points[triangle[(k + 2) % 3]] - points[triangle[(k + 1) % 3]]).norm();
    if (side > longest) longest = side, corner = k;
  }
  const Eigen::Vector3d &a = points[triangle[0]], &b = points[triangle[1]], &c = points[triangle[2]];
  const double height = (b - a).cross(c - a).norm() / longest;
  return height > flat_fraction * longest ? -1 : corner;
}

// A triangle without area whose corner lies on the side opposite to it gives that side up: the neighbour beyond is cut
// in two at the corner. Two such neighbours vanish together.
std::size_t take_out_flat(TriangleSoup& soup) {
  std::size_t removed = 0;
  for (int round = 0; round < 20; ++round) {
    const std::vector<SurfaceEdge> edges = edges_of(soup.triangles);
    std::vector<bool> changed(soup.triangles.size(), false);
    const std::size_t before = removed;
    for (const SurfaceEdge& edge : edges) {
      if (edge.users != 2 || changed[edge.triangle[0]] || changed[edge.triangle[1]]) continue;
      for (const int side : {0, 1}) {
        Triangle &flat = soup.triangles[edge.triangle[side]], &other = soup.triangles[edge.triangle[1 - side]];
        const int corner = corner_on_side(flat, soup.points);
        if (corner < 0 || corner != edge.corner[side]) continue;
        const int c = flat[corner], a = flat[(corner + 1) % 3], b = flat[(corner + 2) % 3];
        const int d = other[edge.corner[1 - side]];
        if (c == d) break;
        flat = {c, a, d};
        other = {b, c, d};
        changed[edge.triangle[0]] = changed[edge.triangle[1]] = true;
        ++removed;
        break;
      }
    }
    drop_repeated_corners(soup);
    if (removed == before) break;
  }
  return removed;
}

// Pairs of triangles on the same three corners that look away from each other enclose nothing.
std::size_t drop_folded(TriangleSoup& soup) {
  std::map<Triangle, std::vector<std::size_t>> same;
  for (std::size_t k = 0; k < soup.triangles.size(); ++k) {
    Triangle key = soup.triangles[k];
    std::sort(key.begin(), key.end());
    same[key].push_back(k);
  }
  const auto is_even = [](const Triangle& t) {
    return (t[0] < t[1]) + (t[1] < t[2]) + (t[2] < t[0]) == 2;  // cyclic orders rise twice
  };
  std::vector<bool> gone(soup.triangles.size(), false);
  for (const auto& [key, users] : same) {
    std::vector<std::size_t> sides[2];
    for (const std::size_t k : users) sides[is_even(soup.triangles[k]) ? 0 : 1].push_back(k);
    const std::size_t pairs = std::min(sides[0].size(), sides[1].size());
    for (std::size_t k = 0; k < pairs; ++k) gone[sides[0][k]] = gone[sides[1][k]] = true;
  }
  std::size_t index = 0;
  return std::erase_if(soup.triangles, [&](const Triangle&) { return gone[index++]; });
}

void drop_unused_points(TriangleSoup& soup) {
  std::vector<int> number(soup.points.size(), -1);
  std::vector<Eigen::Vector3d> used;
  for (Triangle& triangle : soup.triangles) {
    for (int& corner : triangle) {
      if (number[corner] < 0) {
        number[corner] = static_cast<int>(used.size());
        used.push_back(soup.points[corner]);
      }
      corner = number[corner];
    }
  }
  soup.points = std::move(used);
}

// Neighbours run through their common edge in opposite directions; returns how many triangles were turned.
std::size_t orient(TriangleSoup& soup, const std::vector<SurfaceEdge>& edges) {
  std::vector<std::array<std::pair<int, bool>, 3>> neighbours(soup.triangles.size());
  for (const SurfaceEdge& edge : edges) {
    for (const int side : {0, 1})
      neighbours[edge.triangle[side]][edge.corner[side]] = {edge.triangle[1 - side], edge.same_way};
  }
  std::vector<signed char> turn(soup.triangles.size(), -1);
  std::size_t turned = 0;
  for (std::size_t start = 0; start < turn.size(); ++start) {
    if (turn[start] >= 0) continue;
    std::vector<int> part = {static_cast<int>(start)};
    turn[start] = 0;
    std::size_t in_part = 0;
    for (std::size_t k = 0; k < part.size(); ++k) {
      for (const auto& [next, same_way] : neighbours[part[k]]) {
        const signed char wanted = static_cast<signed char>(same_way ? 1 - turn[part[k]] : turn[part[k]]);
        if (turn[next] < 0) {
          turn[next] = wanted;
          part.push_back(next);
        } else if (turn[next] != wanted) {
          throw std::invalid_argument("the surface has one side only, as a Möbius strip; repair it in a CAD program");
        }
      }
    }
    for (const int k : part) in_part += turn[k];
    const bool keep = 2 * in_part <= part.size();
    for (const int k : part) {
      if ((turn[k] == 1) != keep) continue;
      std::swap(soup.triangles[k][1], soup.triangles[k][2]);
      ++turned;
    }
  }
  return turned;
}

double volume_of(const TriangleSoup& soup) {
  const Eigen::Vector3d origin = soup.points.front();
  double sum = 0;
  for (const Triangle& t : soup.triangles) {
    sum += (soup.points[t[0]] - origin).dot((soup.points[t[1]] - origin).cross(soup.points[t[2]] - origin));
  }
  return sum / 6;
}

// Throws where the surface is open or branches.
void require_closed(const TriangleSoup& soup, const std::vector<SurfaceEdge>& edges) {
  std::size_t open = 0, branching = 0;
  const SurfaceEdge *first_open = nullptr, *first_branching = nullptr;
  for (const SurfaceEdge& edge : edges) {
    if (edge.users == 1 && open++ == 0) first_open = &edge;
    if (edge.users > 2 && branching++ == 0) first_branching = &edge;
  }
  const auto middle = [&](const SurfaceEdge& edge) {
    return place_text(0.5 * (soup.points[edge.ends[0]] + soup.points[edge.ends[1]]));
  };
  if (open > 0)
    throw std::invalid_argument(
        fmt::format("the surface is open: {} edge{} of one triangle only, the first at {} in the file's axes; close it "
                    "in a CAD program, contact needs an inside",
                    open, open == 1 ? "" : "s", middle(*first_open)));
  if (branching > 0)
    throw std::invalid_argument(
        fmt::format("{} edge{} more than two triangles, the first at {} in the file's axes: parts touch there "
                    "without a gap; separate or unite them in a CAD program",
                    branching, branching == 1 ? " has" : "s have", middle(*first_branching)));
}

}  // namespace

// Half edges sorted by their ends.
std::vector<SurfaceEdge> edges_of(const std::vector<Triangle>& triangles) {
  struct Half {
    int low, high, triangle, corner;
    bool upward;
  };
  std::vector<Half> halves;
  halves.reserve(3 * triangles.size());
  for (std::size_t k = 0; k < triangles.size(); ++k) {
    for (int corner = 0; corner < 3; ++corner) {
      const int from = triangles[k][(corner + 1) % 3], to = triangles[k][(corner + 2) % 3];
      halves.push_back({std::min(from, to), std::max(from, to), static_cast<int>(k), corner, from < to});
    }
  }
  std::sort(halves.begin(), halves.end(), [](const Half& a, const Half& b) {
    return std::tie(a.low, a.high, a.triangle, a.corner) < std::tie(b.low, b.high, b.triangle, b.corner);
  });
  std::vector<SurfaceEdge> edges;
  edges.reserve(halves.size() / 2 + 1);
  for (std::size_t k = 0; k < halves.size();) {
    const Half& first = halves[k];
    SurfaceEdge edge;
    edge.ends = {first.low, first.high};
    std::size_t end = k;
    while (end < halves.size() && halves[end].low == first.low && halves[end].high == first.high) ++end;
    edge.users = static_cast<int>(end - k);
    for (std::size_t side = 0; side < 2 && k + side < end; ++side) {
      edge.triangle[side] = halves[k + side].triangle;
      edge.corner[side] = halves[k + side].corner;
    }
    edge.same_way = edge.users > 1 && halves[k + 1].upward == first.upward;
    edges.push_back(edge);
    k = end;
  }
  return edges;
}

// Such points lie in the same cell of a grid or in neighbouring ones.
void join_near_points(TriangleSoup& soup, double width) {
  using Cell = Eigen::Matrix<std::int64_t, 3, 1>;
  const auto hash = [](const Cell& cell) {
    return static_cast<std::uint64_t>(cell[0]) * 0x9E3779B97F4A7C15u ^
           static_cast<std::uint64_t>(cell[1]) * 0xC2B2AE3D27D4EB4Fu ^
           static_cast<std::uint64_t>(cell[2]) * 0x165667B19E3779F9u;
  };
  const Eigen::Vector3d origin = soup.points.front();
  std::unordered_multimap<std::uint64_t, int> cells;
  std::vector<Eigen::Vector3d> points;
  std::vector<int> number(soup.points.size());
  for (std::size_t k = 0; k < soup.points.size(); ++k) {
    const Eigen::Vector3d& point = soup.points[k];
    const Cell cell = ((point - origin) / width).array().floor().cast<std::int64_t>();
    int found = -1;
    for (int near = 0; near < 27 && found < 0; ++near) {
      const auto [first, last] = cells.equal_range(hash(cell + Cell(near % 3 - 1, near / 3 % 3 - 1, near / 9 - 1)));
      for (auto entry = first; entry != last; ++entry) {
        const int other = entry->second;
        if ((points[other] - point).squaredNorm() <= width * width && (found < 0 || other < found)) found = other;
      }
    }
    if (found < 0) {
      found = static_cast<int>(points.size());
      points.push_back(point);
      cells.emplace(hash(cell), found);
    }
    number[k] = found;
  }
  take_joined(soup, std::move(points), number);
}

ClosedSurface close_surface(TriangleSoup soup) {
  ClosedSurface result;
  if (soup.points.empty() || soup.triangles.empty())
    throw std::invalid_argument("the file has no triangles; export the part as a surface of triangles");
  const double size = size_of(soup.points);
  if (!std::isfinite(size) || !(size > 0))
    throw std::invalid_argument("all points of the surface are one; export the part again");
  const auto is_open = [&] {
    const auto edges = edges_of(soup.triangles);
    return std::any_of(edges.begin(), edges.end(), [](const SurfaceEdge& edge) { return edge.users == 1; });
  };
  join_equal_points(soup);
  std::size_t flat = drop_repeated_corners(soup);
  sort_triangles(soup);
  if (is_open()) {
    TriangleSoup joined = soup;
    join_near_points(joined, joined_fraction * size);
    const std::size_t more = drop_repeated_corners(joined);
    std::swap(soup, joined);
    if (is_open()) {
      std::swap(soup, joined);
    } else {
      flat += more;
      result.remarks.push_back(
          fmt::format("points less than {:.2g} of its size apart were joined, since the surface "
                      "was open between them",
                      joined_fraction));
    }
  }
  flat += take_out_flat(soup);
  const std::size_t folded = drop_folded(soup);
  if (soup.triangles.empty()) throw std::invalid_argument("no triangle of the file has an area; export the part again");
  const std::vector<SurfaceEdge> edges = edges_of(soup.triangles);
  require_closed(soup, edges);
  if (flat + folded > 0)
    result.remarks.push_back(fmt::format("{} triangle{} without area {} taken out", flat + folded,
                                         flat + folded == 1 ? "" : "s", flat + folded == 1 ? "was" : "were"));
  const std::size_t turned = orient(soup, edges);
  double volume = volume_of(soup);
  if (volume < 0) {
    for (Triangle& triangle : soup.triangles) std::swap(triangle[1], triangle[2]);
    volume = -volume;
    result.remarks.emplace_back("the surface was inside out and has been turned");
  } else if (turned > 0) {
    result.remarks.push_back(fmt::format("{} triangle{} looked inwards and {} turned", turned, turned == 1 ? "" : "s",
                                         turned == 1 ? "was" : "were"));
  }
  if (!(volume > 1e-15 * size * size * size))
    throw std::invalid_argument("the surface encloses no volume; it is a sheet, not a solid");
  drop_unused_points(soup);
  result.points = std::move(soup.points);
  result.triangles = std::move(soup.triangles);
  result.volume = volume;
  return result;
}

}  // namespace carom::inline geometry_io
