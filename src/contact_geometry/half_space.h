#pragma once

#include <vector>

#include <Eigen/Core>

// Elastic half spaces pressed together over cells, by boundary elements
// (docs/theory/contact_areas.md#boundary-elements).
//
// A force on cell j, spread evenly over it, moves the surfaces at cell i together by
//   C_ij = (n_i · n_j) / (π E*) · mean of 1/|x_i − y| over y in cell j        (Boussinesq; Love 1929 for near cells),
// symmetric in i and j. The forces f ≥ 0 make U = h·f − ½ f·C f largest with the depths h of the overlap: where f > 0
// the surfaces just touch, elsewhere they are apart. ∂U/∂h = f, so that forces are derivatives of U.
namespace carom::inline contact_geometry {

struct HalfSpaceCell {
  Eigen::Vector3d place = Eigen::Vector3d::Zero();                    // m
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();                  // unit, along which it is pressed
  Eigen::Vector3d half_u = Eigen::Vector3d::Zero(), half_v = half_u;  // m, half of its sides, across the normal
  double area = 0;                                                    // m², across the normal
  double depth = 0;                                                   // m; negative: a gap
  double force = 0;                                                   // m², with E* = 1
  int face = 0, row = 0, column = 0;
};

// What closed curved surfaces that fit into each other add to half spaces: the mean pressure around a pin in a bore or
// a ball in a cavity widens the hole and shrinks what is in it by less than the half space has it.
struct Conformity {
  enum class Form { none, cylinder, sphere };
  Form form = Form::none;
  double radius = 0;                                // m, of the hole
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  // of a bore
};

class HalfSpace {
 public:
  void reserve(std::size_t cells);
  void clear() { cells_.clear(); }
  // Cells beyond those that there is room for are left out.
  void add(const HalfSpaceCell& cell) {
    if (cells_.size() < cells_.capacity()) cells_.push_back(cell);
  }
  int size() const { return static_cast<int>(cells_.size()); }
  const HalfSpaceCell& cell(int index) const { return cells_[index]; }
  // → the forces of the cells.
  void solve(const Conformity& conformity);

 private:
  void fill(const Conformity& conformity);
  double flexibility(int i, int j, const Conformity& conformity) const;
  void iterate();
  bool move(double step);

  std::vector<HalfSpaceCell> cells_;
  std::vector<double> matrix_, scale_;  // C between cells, scaled to a diagonal of 1, by columns
  Eigen::VectorXd force_, gradient_, direction_, change_, depth_;
};

}  // namespace carom::inline contact_geometry
