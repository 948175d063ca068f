#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

// The pressure over an area in which two elastic half spaces would overlap by the depth h(x), flat pieces of which are
// given (docs/theory/contact_areas.md).
//
// All follows from one potential: with V = ∫h dA and W = ∫h² dA over the part S of the overlap,
//   U = k E* W^(3/2) / V,   p = ∂U/∂h = U (3 h / W − 1 / V),
// where S is the part for which U is largest, all places deeper than ⅔ W/V. k makes U that of Hertz for every sphere.
// The pressure is positive on S, a deeper overlap never presses less, and the force is the derivative of U exactly.
namespace carom::inline contact_geometry {

// Of a pressure field, with E* = 1: forces and energies are to be multiplied by it.
struct FieldResult {
  double energy = 0;                                 // m³
  double force = 0;                                  // m²
  double area = 0;                                   // m², of S
  double level = 0;                                  // m, depth at the rim of S
  double peak = 0;                                   // largest pressure over the mean
  double lever = 0;                                  // m, mean distance of the pressure from its centre
  double slope = 0, offset = 0;                      // p = slope · h + offset, 1/m and 1
  Eigen::Vector2d centre = Eigen::Vector2d::Zero();  // of pressure, m

  // The sphere that stores this energy with this force: Hertz' depth and radius, m.
  double depth() const { return 2.5 * energy / force; }
  double radius() const;
};

// Calls visit(a, b, c, area) with the triangles of that part of a triangle whose third coordinate is above the level;
// its corners go down.
template <typename Visit>
void cut_above(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c, double area, double level,
               const Visit& visit) {
  if (!(a.z() > level)) return;
  if (c.z() >= level) return visit(a, b, c, area);
  const double on_ac = (a.z() - level) / (a.z() - c.z());
  const Eigen::Vector3d q = a + on_ac * (c - a);
  if (b.z() <= level) {
    const double on_ab = (a.z() - level) / (a.z() - b.z());
    visit(a, Eigen::Vector3d(a + on_ab * (b - a)), q, on_ab * on_ac * area);
  } else {
    const double on_bc = (b.z() - level) / (b.z() - c.z());
    const Eigen::Vector3d r = b + on_bc * (c - b);
    visit(a, b, r, on_bc * area);
    visit(a, r, q, on_ac * (1 - on_bc) * area);
  }
}

class PressureField {
 public:
  void clear() { triangles_.clear(), deepest_ = 0; }
  void reserve(std::size_t triangles) { triangles_.reserve(triangles); }
  bool empty() const { return !(deepest_ > 0); }
  double deepest() const { return deepest_; }  // m
  // A flat piece: the corners of a convex polygon in the plane of contact, with the depth there as third number. What
  // is not deeper than 0 does not count.
  void add(std::span<const Eigen::Vector3d> polygon);
  // Of a field that is not empty. `stepped`: the surfaces may have steps, so that U may have several maxima.
  FieldResult solve(bool stepped) const;
  // The largest of the maxima that are found from these levels on.
  FieldResult solve(std::span<const double> levels) const;
  // What presses on a polygon of the field, with E* = 1.
  struct Share {
    double force = 0, area = 0;                        // m², and m² under pressure
    Eigen::Vector3d moment = Eigen::Vector3d::Zero();  // m³: the force times place and depth
  };
  static Share share_of(std::span<const Eigen::Vector3d> polygon, const FieldResult& result);
  // Calls visit as cut_above does, with a triangle of any order.
  template <typename Visit>
  static void visit_above(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c, double level,
                          const Visit& visit) {
    const Piece piece = sorted_piece(a, b, c);
    cut_above(piece.corner[0], piece.corner[1], piece.corner[2], piece.area, level, visit);
  }

  // Force, centre and lever of pressures that are linear over triangles.
  class Resultant {
   public:
    explicit Resultant(const Eigen::Vector2d& origin) : origin_(origin) {}
    // Exact for cubic polynomials.
    void add(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c, double area, double slope,
             double offset);
    void add(const Eigen::Vector2d& place, double force);
    // Force, centre and lever; `force`: that of all triangles together, if it is known better.
    void write(FieldResult& result) const { write(result, force_); }
    void write(FieldResult& result, double force) const;

   private:
    Eigen::Vector2d origin_, first_ = Eigen::Vector2d::Zero();
    double force_ = 0, second_ = 0;
  };

 private:
  struct Piece {
    Eigen::Vector3d corner[3];  // the deepest first
    double area;
  };
  static Piece sorted_piece(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c);
  struct Moments {
    double area = 0, volume = 0, square = 0;  // A, V, W
    double energy() const;
  };

  template <typename Visit>
  void visit_above(double level, const Visit& visit) const;
  Moments moments(double level) const;
  double next_level(double level) const;
  double find_level(double from) const;
  void sum_up(const Moments& part, FieldResult& result) const;

  std::vector<Piece> triangles_;
  double deepest_ = 0;
};

}  // namespace carom::inline contact_geometry
