#pragma once

#include <vector>

#include <Eigen/Geometry>

// Distances of triangles by looking at everything; shares nothing with the sources.
namespace carom::brute_force {

using Vector = Eigen::Vector3d;

struct Tri {
  Vector p[3];
};

inline double point_segment(const Vector& x, const Vector& a, const Vector& b) {
  const Vector d = b - a;
  double t = (x - a).dot(d) / d.dot(d);
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  return (a + t * d - x).norm();
}

inline double point_triangle(const Vector& x, const Tri& t) {
  const Vector e = t.p[1] - t.p[0], f = t.p[2] - t.p[0], d = x - t.p[0];
  // Weights of the foot by the normal equations.
  Eigen::Matrix2d m;
  m << e.dot(e), e.dot(f), e.dot(f), f.dot(f);
  const Eigen::Vector2d w = m.colPivHouseholderQr().solve(Eigen::Vector2d(e.dot(d), f.dot(d)));
  if (w[0] >= 0 && w[1] >= 0 && w[0] + w[1] <= 1) return (d - w[0] * e - w[1] * f).norm();
  double least = 1e300;
  for (int k = 0; k < 3; ++k) least = std::min(least, point_segment(x, t.p[k], t.p[(k + 1) % 3]));
  return least;
}

inline double segment_segment(const Vector& a, const Vector& b, const Vector& c, const Vector& d) {
  double least = std::min(std::min(point_segment(a, c, d), point_segment(b, c, d)),
                          std::min(point_segment(c, a, b), point_segment(d, a, b)));
  Eigen::Matrix<double, 3, 2> m;
  m.col(0) = b - a;
  m.col(1) = c - d;
  const Eigen::Vector2d w = m.colPivHouseholderQr().solve(c - a);
  if (w[0] >= 0 && w[0] <= 1 && w[1] >= 0 && w[1] <= 1) least = std::min(least, (m * w - (c - a)).norm());
  return least;
}

// Whether the segment crosses the triangle: solves a + s (b − a) = p₀ + u e + v f.
inline bool crosses(const Vector& a, const Vector& b, const Tri& t) {
  Eigen::Matrix3d m;
  m.col(0) = b - a;
  m.col(1) = t.p[0] - t.p[1];
  m.col(2) = t.p[0] - t.p[2];
  if (std::abs(m.determinant()) < 1e-14) return false;
  const Vector s = m.inverse() * (t.p[0] - a);
  return s[0] >= 0 && s[0] <= 1 && s[1] >= 0 && s[2] >= 0 && s[1] + s[2] <= 1;
}

inline double triangle_triangle(const Tri& a, const Tri& b) {
  double least = 1e300;
  for (int k = 0; k < 3; ++k) {
    least = std::min({least, point_triangle(a.p[k], b), point_triangle(b.p[k], a)});
    for (int l = 0; l < 3; ++l)
      least = std::min(least, segment_segment(a.p[k], a.p[(k + 1) % 3], b.p[l], b.p[(l + 1) % 3]));
    if (crosses(a.p[k], a.p[(k + 1) % 3], b) || crosses(b.p[k], b.p[(k + 1) % 3], a)) return 0;
  }
  return least;
}

// How often the surface goes around a point, by solid angles (A. van Oosterom and J. Strackee 1983).
inline double winding(const Vector& x, const std::vector<Tri>& surface) {
  double sum = 0;
  for (const Tri& t : surface) {
    const Vector a = t.p[0] - x, b = t.p[1] - x, c = t.p[2] - x;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    sum += 2 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return sum / (4 * M_PI);
}

}  // namespace carom::brute_force
