#include "surface.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace carom::check {

namespace {

using Eigen::Vector3d;

constexpr double far_off = -std::numeric_limits<double>::infinity();

double to_segment(const Vector3d& x, const Vector3d& a, const Vector3d& b) {
  const Vector3d d = b - a;
  return (a + std::clamp((x - a).dot(d) / d.dot(d), 0.0, 1.0) * d - x).norm();
}

double to_triangle(const Vector3d& x, const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  const Vector3d n = (b - a).cross(c - a);
  const double height = n.dot(x - a) / n.norm();
  const auto beside = [&](const Vector3d& p, const Vector3d& q) { return n.dot((q - p).cross(x - p)) < 0; };
  if (!beside(a, b) && !beside(b, c) && !beside(c, a)) return std::abs(height);
  return std::min({to_segment(x, a, b), to_segment(x, b, c), to_segment(x, c, a)});
}

// Part of the way from p to q where it meets the triangle; below 0: nowhere (Möller and Trumbore 1997).
double hit(const Vector3d& p, const Vector3d& q, const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  const Vector3d way = q - p, e = b - a, f = c - a, h = way.cross(f);
  const double det = e.dot(h);
  if (det == 0) return -1;
  const Vector3d s = p - a, k = s.cross(e);
  const double u = s.dot(h) / det, v = way.dot(k) / det;
  if (u < 0 || v < 0 || u + v > 1) return -1;
  return f.dot(k) / det;
}

template <typename Function>
double least_on_segment(const Function& function, const Vector3d& p, const Vector3d& q, int rounds) {
  const double golden = 0.5 * (std::sqrt(5.0) - 1);
  double low = 0, high = 1, least = std::min(function(p), function(q));
  double one = high - golden * (high - low), two = low + golden * (high - low);
  double at_one = function(p + one * (q - p)), at_two = function(p + two * (q - p));
  for (int k = 0; k < rounds; ++k) {
    if (at_one < at_two) {
      high = two, two = one, at_two = at_one, one = high - golden * (high - low);
      at_one = function(p + one * (q - p));
    } else {
      low = one, one = two, at_one = at_two, two = low + golden * (high - low);
      at_two = function(p + two * (q - p));
    }
  }
  return std::min({least, at_one, at_two});
}

}  // namespace

Surface::Surface(const Solid& mesh, const Pose& pose) : triangles_(mesh.triangles), centre_(pose.centre) {
  points_.reserve(mesh.points.size());
  for (const Vector3d& point : mesh.points) {
    points_.push_back(pose.centre + pose.axes * point);
    reach_ = std::max(reach_, point.norm());
  }
  std::set<std::array<int, 2>> edges;
  for (const auto& t : triangles_) {
    for (int k = 0; k < 3; ++k) edges.insert({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
  }
  edges_.assign(edges.begin(), edges.end());
}

double Surface::distance_from(const Vector3d& point) const {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& t : triangles_)
    least = std::min(least, to_triangle(point, points_[t[0]], points_[t[1]], points_[t[2]]));
  return least;
}

// By a ray that goes out of everything, in a direction that no edge has.
bool Surface::holds(const Vector3d& point) const {
  if ((point - centre_).squaredNorm() > reach_ * reach_) return false;
  const Vector3d away = point + 3 * reach_ * Vector3d(0.5773, 0.31415926, 0.7421).normalized();
  int crossings = 0;
  for (const auto& t : triangles_) {
    const double part = hit(point, away, points_[t[0]], points_[t[1]], points_[t[2]]);
    crossings += part >= 0 && part <= 1 ? 1 : 0;
  }
  return crossings % 2 == 1;
}

double Surface::height_of(const Vector3d& point) const {
  return holds(point) ? -distance_from(point) : distance_from(point);
}

double Surface::deepest_in(const std::function<double(const Vector3d&)>& outside) const {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& t : triangles_) {
    const Vector3d &a = points_[t[0]], &b = points_[t[1]], &c = points_[t[2]];
    const Vector3d middle = (a + b + c) / 3;
    const double reach =
        std::sqrt(std::max({(a - middle).squaredNorm(), (b - middle).squaredNorm(), (c - middle).squaredNorm()}));
    // The function is no steeper than 1.
    if (outside(middle) - reach > std::min(0.0, least)) continue;
    const auto on_line = [&](const Vector3d& from) {
      // From a point of the side a–b straight to c.
      return least_on_segment(outside, from, c, 40);
    };
    least = std::min(least, least_on_segment(on_line, a, b, 40));
  }
  return -least;
}

double Surface::deepest_in(const Surface& other) const {
  double deepest = far_off;
  for (const Vector3d& point : points_) {
    if (other.holds(point)) deepest = std::max(deepest, other.distance_from(point));
  }
  for (const auto& edge : edges_) {
    const Vector3d &p = points_[edge[0]], &q = points_[edge[1]];
    if (to_segment(other.centre_, p, q) > other.reach_) continue;
    std::vector<double> parts = {0, 1};
    for (const auto& t : other.triangles_) {
      const double part = hit(p, q, other.points_[t[0]], other.points_[t[1]], other.points_[t[2]]);
      if (part > 0 && part < 1) parts.push_back(part);
    }
    if (parts.size() == 2) continue;
    std::sort(parts.begin(), parts.end());
    for (std::size_t k = 0; k + 1 < parts.size(); ++k) {
      for (const double share : {0.25, 0.5, 0.75}) {
        const Vector3d at = p + (parts[k] + share * (parts[k + 1] - parts[k])) * (q - p);
        if (other.holds(at)) deepest = std::max(deepest, other.distance_from(at));
      }
    }
  }
  return deepest;
}

double surfaces(const Surface& a, const Surface& b) {
  return std::max(a.deepest_in(b), b.deepest_in(a));
}

}  // namespace carom::check
