#pragma once

#include <array>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

// Planar curves, of which outlines are made.
namespace carom::inline outline_io {

// Position on a curve and its derivatives by the parameter.
struct CurvePoint {
  Eigen::Vector2d position, first, second;
};

inline double cross_of(const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  return a.x() * b.y() - a.y() * b.x();
}
// The tangent turned by −90°: outward where the material lies on the left.
inline Eigen::Vector2d right_of(const Eigen::Vector2d& tangent) {
  return {tangent.y(), -tangent.x()};
}

// A smooth piece of an outline, over a parameter u from 0 to 1:
//   polynomial  Σ c_k u^k, a straight line if all but c₀ and c₁ are zero,
//   round       c₀ + cos φ c₁ + sin φ c₂ with φ = phase + turn u: arcs of circles and ellipses,
//   involute    c₀ + e − φ e' with e = cos φ c₁ + sin φ c₂: what the end of a taut string draws that is unwound from a
//               circle; φ is the angle from where it leaves the circle.
// or the curve at a distance `beside` it, along the same normals. Affine maps, parts and the reverse of a piece are
// pieces of the same kind (an involute, and what runs beside another curve, only under similarity).
struct CurvePiece {
  enum class Kind { polynomial, round, involute };
  static constexpr int degree = 5;

  Kind kind = Kind::polynomial;
  std::array<Eigen::Vector2d, degree + 1> c = zeros();
  double phase = 0, turn = 0;  // rad
  double beside = 0;           // m, to the right of its way; less than it bends

  static CurvePiece line(const Eigen::Vector2d& from, const Eigen::Vector2d& to);
  // Counter-clockwise where `turn` > 0.
  static CurvePiece arc(const Eigen::Vector2d& centre, double radius, double phase, double turn);
  // From one place to another about a centre; counter-clockwise if `left`. Equal places make a whole circle.
  static CurvePiece arc_between(const Eigen::Vector2d& from, const Eigen::Vector2d& to, const Eigen::Vector2d& centre,
                                bool left);
  static CurvePiece cubic(const Eigen::Vector2d& from, const Eigen::Vector2d& pull_from, const Eigen::Vector2d& pull_to,
                          const Eigen::Vector2d& to);
  // With places, first and second derivatives at both ends.
  static CurvePiece quintic(const CurvePoint& from, const CurvePoint& to);

  CurvePoint at(double u) const;
  // The piece that runs beside this one, a line or an arc where this is one.
  CurvePiece shifted(double to_the_right) const;
  Eigen::Vector2d start() const { return at(0).position; }
  Eigen::Vector2d end() const { return at(1).position; }
  bool is_line() const;
  bool is_arc() const;  // of a circle
  double radius() const { return c[1].norm(); }

  CurvePiece part(double from, double to) const;
  CurvePiece reversed() const { return part(1, 0); }
  // linear · x + shift
  CurvePiece mapped(const Eigen::Matrix2d& linear, const Eigen::Vector2d& shift) const;
  // m, along the curve.
  double length() const;
  // The piece cut where its curvature changes its sign, and so that every part turns by at most `most_turn`, rad, and
  // its curvature changes by a factor of three at most. Lines and arcs stay whole.
  std::vector<CurvePiece> cut(double most_turn) const;

 private:
  static std::array<Eigen::Vector2d, degree + 1> zeros();
  // Position and derivatives up to the third of the curve that this one runs beside.
  std::array<Eigen::Vector2d, 4> middle_at(double u) const;
};

// A closed curve: each piece starts where the one before ends, the first where the last ends.
using OutlineLoop = std::vector<CurvePiece>;

// Nodes and weights of Gauss's rule on 0 … 1, exact for polynomials of degree 31.
struct GaussRule {
  std::array<double, 16> at, weight;
};
const GaussRule& gauss_rule();

}  // namespace carom::inline outline_io
