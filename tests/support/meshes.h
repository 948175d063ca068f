#pragma once

#include <cmath>
#include <functional>
#include <map>

#include "geometry_io/triangle_soup.h"

// Closed surfaces for tests, made of formulas.
namespace carom {

// All corners of polygons about an axis, from rows of points: row i and row i + 1 are joined, the rows close in
// themselves; first and last row are joined, too (a ring), or closed by the polygon of their points.
inline TriangleSoup joined_rows(const std::vector<std::vector<Eigen::Vector3d>>& rows, bool ring) {
  TriangleSoup soup;
  const int count = static_cast<int>(rows.size()), width = static_cast<int>(rows[0].size());
  for (const auto& row : rows) soup.points.insert(soup.points.end(), row.begin(), row.end());
  for (int i = 0; i < (ring ? count : count - 1); ++i) {
    for (int k = 0; k < width; ++k) {
      const int next = (k + 1) % width, up = (i + 1) % count;
      const int a = i * width + k, b = i * width + next, c = up * width + next, d = up * width + k;
      soup.triangles.push_back({a, b, c});
      soup.triangles.push_back({a, c, d});
    }
  }
  if (ring) return soup;
  std::vector<int> low, high;
  for (int k = 0; k < width; ++k) low.push_back(width - 1 - k), high.push_back((count - 1) * width + k);
  cut_polygon(low, soup.points, soup.triangles);
  cut_polygon(high, soup.points, soup.triangles);
  return soup;
}

// A polygon, counter-clockwise, from z = 0 up.
inline TriangleSoup prism(const std::vector<Eigen::Vector2d>& outline, double height, int layers = 1) {
  std::vector<std::vector<Eigen::Vector3d>> rows;
  for (int i = 0; i <= layers; ++i) {
    rows.emplace_back();
    for (const Eigen::Vector2d& point : outline) rows.back().emplace_back(point.x(), point.y(), height * i / layers);
  }
  return joined_rows(rows, false);
}

inline TriangleSoup bracket(double size) {
  return prism({{0, 0}, {size, 0}, {size, 0.3 * size}, {0.3 * size, 0.3 * size}, {0.3 * size, size}, {0, size}},
               0.4 * size);
}

inline TriangleSoup torus(double radius, double tube, int around, int across) {
  std::vector<std::vector<Eigen::Vector3d>> rows;
  for (int i = 0; i < around; ++i) {
    const double angle = 2 * M_PI * i / around;
    rows.emplace_back();
    for (int k = 0; k < across; ++k) {
      const double turn = 2 * M_PI * k / across, r = radius + tube * std::cos(turn);
      rows.back().emplace_back(r * std::cos(angle), r * std::sin(angle), tube * std::sin(turn));
    }
  }
  TriangleSoup soup = joined_rows(rows, true);
  for (Triangle& t : soup.triangles) std::swap(t[1], t[2]);
  return soup;
}

inline TriangleSoup box_soup(const Eigen::Vector3d& half) {
  TriangleSoup soup =
      prism({{-half.x(), -half.y()}, {half.x(), -half.y()}, {half.x(), half.y()}, {-half.x(), half.y()}}, 2 * half.z());
  for (Eigen::Vector3d& point : soup.points) point.z() -= half.z();
  return soup;
}

// An icosahedron whose faces are cut into four again and again, on a sphere; `shape` may stretch the radius.
inline TriangleSoup ball_soup(
    double radius, int cuts,
    const std::function<double(const Eigen::Vector3d&)>& shape = [](const auto&) { return 1.0; }) {
  const double g = (1 + std::sqrt(5.0)) / 2;
  TriangleSoup soup;
  soup.points = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                 {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
  soup.triangles = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                    {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                    {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  for (Eigen::Vector3d& point : soup.points) point.normalize();
  for (int cut = 0; cut < cuts; ++cut) {
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int a, int b) {
      const auto [entry, is_new] = middles.emplace(std::minmax(a, b), static_cast<int>(soup.points.size()));
      if (is_new) soup.points.push_back((soup.points[a] + soup.points[b]).normalized());
      return entry->second;
    };
    std::vector<Triangle> finer;
    for (const Triangle& t : soup.triangles) {
      const int a = middle(t[0], t[1]), b = middle(t[1], t[2]), c = middle(t[2], t[0]);
      for (const Triangle& part : {Triangle{t[0], a, c}, Triangle{t[1], b, a}, Triangle{t[2], c, b}, Triangle{a, b, c}})
        finer.push_back(part);
    }
    soup.triangles = std::move(finer);
  }
  for (Eigen::Vector3d& point : soup.points) point *= radius * shape(point);
  return soup;
}

// A sphere whose triangles are small about its lowest point: `rings` of them up to the angle `fine`, then larger and
// larger.
inline TriangleSoup ball_with_fine_pole(double radius, double fine, int rings) {
  std::vector<std::vector<Eigen::Vector3d>> rows;
  const int around = 6 * rings;
  double angle = 0, step = fine / rings;
  while (angle + 1.5 * step < M_PI) {
    angle += step;
    if (angle > fine) step = std::min(1.3 * step, 0.3);
    rows.emplace_back();
    for (int k = 0; k < around; ++k) {
      const double turn = 2 * M_PI * k / around;
      rows.back().push_back(radius * Eigen::Vector3d(std::sin(angle) * std::cos(turn), std::sin(angle) * std::sin(turn),
                                                     -std::cos(angle)));
    }
  }
  TriangleSoup soup = joined_rows(rows, true);
  soup.triangles.resize(2 * around * (rows.size() - 1));  // without the faces from the last row to the first
  for (const bool top : {false, true}) {
    const int first = top ? around * (static_cast<int>(rows.size()) - 1) : 0,
              pole = static_cast<int>(soup.points.size());
    soup.points.emplace_back(0, 0, top ? radius : -radius);
    for (int k = 0; k < around; ++k) {
      const int a = first + k, b = first + (k + 1) % around;
      soup.triangles.push_back(top ? Triangle{a, b, pole} : Triangle{b, a, pole});
    }
  }
  return soup;
}

// Several surfaces as one.
inline TriangleSoup together(TriangleSoup soup, const TriangleSoup& other, const Eigen::Vector3d& shift) {
  const int first = static_cast<int>(soup.points.size());
  for (const Eigen::Vector3d& point : other.points) soup.points.push_back(point + shift);
  for (const Triangle& t : other.triangles) soup.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  return soup;
}

}  // namespace carom
