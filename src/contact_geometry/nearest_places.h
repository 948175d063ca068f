#pragma once

#include <algorithm>
#include <cstdint>

#include <Eigen/Geometry>

// Nearest points of triangles and segments.
namespace carom::inline contact_geometry {

enum class Element : std::uint8_t { vertex, edge, face };

struct TrianglePlace {
  Eigen::Vector3d point;
  Element element = Element::face;
  int corner = 0;  // that it is, or that is opposite to the edge
};

// By the regions of a triangle (C. Ericson, Real-Time Collision Detection, 2005, section 5.1.5).
inline TrianglePlace nearest_on_triangle(const Eigen::Vector3d& point, const Eigen::Vector3d& a,
                                         const Eigen::Vector3d& b, const Eigen::Vector3d& c) {
  const Eigen::Vector3d ab = b - a, ac = c - a, ap = point - a;
  const double d1 = ab.dot(ap), d2 = ac.dot(ap);
  if (d1 <= 0 && d2 <= 0) return {a, Element::vertex, 0};
  const Eigen::Vector3d bp = point - b;
  const double d3 = ab.dot(bp), d4 = ac.dot(bp);
  if (d3 >= 0 && d4 <= d3) return {b, Element::vertex, 1};
  const Eigen::Vector3d cp = point - c;
  const double d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d6 >= 0 && d5 <= d6) return {c, Element::vertex, 2};
  if (d1 * d4 - d3 * d2 <= 0 && d1 >= 0 && d3 <= 0) return {a + d1 / (d1 - d3) * ab, Element::edge, 2};
  if (d5 * d2 - d1 * d6 <= 0 && d2 >= 0 && d6 <= 0) return {a + d2 / (d2 - d6) * ac, Element::edge, 1};
  if (d3 * d6 - d5 * d4 <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
    return {b + (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (c - b), Element::edge, 0};
  // The foot by the normal is more exact than by the weights of the corners.
  const Eigen::Vector3d normal = ab.cross(ac);
  return {point - normal.dot(ap) / normal.squaredNorm() * normal, Element::face, 0};
}

struct SegmentPlaces {
  Eigen::Vector3d on_one, on_two;
  double one = 0, two = 0;  // parts of the segments, 0 to 1
};

// Of the segments p–q and r–s (Ericson, section 5.1.9).
inline SegmentPlaces nearest_of_segments(const Eigen::Vector3d& p, const Eigen::Vector3d& q, const Eigen::Vector3d& r,
                                         const Eigen::Vector3d& s) {
  const Eigen::Vector3d d1 = q - p, d2 = s - r, between = p - r;
  const double a = d1.squaredNorm(), e = d2.squaredNorm(), f = d2.dot(between), c = d1.dot(between), b = d1.dot(d2);
  const double determinant = a * e - b * b;
  double one = determinant > 1e-14 * a * e ? std::clamp((b * f - c * e) / determinant, 0.0, 1.0) : 0.0;
  double two = (b * one + f) / e;
  if (two < 0) {
    two = 0;
    one = std::clamp(-c / a, 0.0, 1.0);
  } else if (two > 1) {
    two = 1;
    one = std::clamp((b - c) / a, 0.0, 1.0);
  }
  return {p + one * d1, r + two * d2, one, two};
}

// Whether a segment goes through a triangle.
inline bool pierces(const Eigen::Vector3d& from, const Eigen::Vector3d& to, const Eigen::Vector3d& a,
                    const Eigen::Vector3d& b, const Eigen::Vector3d& c) {
  const Eigen::Vector3d normal = (b - a).cross(c - a);
  const double start = normal.dot(from - a), end = normal.dot(to - a);
  if (start * end > 0 || start == end) return false;
  const Eigen::Vector3d at = from + start / (start - end) * (to - from);
  return normal.dot((b - a).cross(at - a)) >= 0 && normal.dot((c - b).cross(at - b)) >= 0 &&
         normal.dot((a - c).cross(at - c)) >= 0;
}

}  // namespace carom::inline contact_geometry
