#pragma once

#include <array>
#include <span>
#include <vector>

#include "contact_geometry/face_cells.h"
#include "contact_geometry/pressure_field.h"

// The forces that follow from the energy of all pieces in which two surfaces overlap, with E* = 1.
//
// V = ½ Σ ∫ h s dA and W = ½ Σ ∫ h² s dA over the pieces of both surfaces, with depth h and share s of each, make the
// energy U of pressure_field.h. Its derivative with respect to the poses has three parts for a piece, with
//   p = ∂U/∂h,   ε = ∫ p dh (0 at the rim of S):
// the pressure p s along the normal of the face; where the cell ends and another begins, or none, the force ε s across
// its side; and, as the share depends on the angle between the two, the couple of ∫ ε dA across both normals.
namespace carom::inline contact_geometry {

// Force and couple on the second body, about a point, and where the force is.
struct PressedGroup {
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   // m², on b
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();  // m³, about the origin
  double sum = 0;                                    // m², of the pressures, whatever their directions
  double area = 0;                                   // m²
  Eigen::Vector3d first = Eigen::Vector3d::Zero();   // m³, pressures times places
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();  // m⁴

  void add(const PressedGroup& other);
};

class OverlapWrench {
 public:
  // Opposite sides of a hole, and others whose forces cancel, are different groups.
  static constexpr int most_groups = 4;

  void reserve(std::size_t pieces) { field_.reserve(4 * pieces), presses_.reserve(pieces); }
  // False: there is no overlap.
  bool solve(std::span<const CellPiece> pieces);
  double energy() const { return result_.energy; }  // m³
  double peak() const { return result_.peak; }
  std::span<const PressedGroup> groups() const { return {groups_.data(), static_cast<std::size_t>(group_count_)}; }

 private:
  struct Press {
    PressedGroup own;
    Eigen::Vector3d direction = Eigen::Vector3d::Zero();  // unit, on b
    int group = 0;
  };
  void press(const CellPiece& piece, Press& press) const;
  void press_sides(const CellPiece& piece, Press& press) const;
  double pressure(double depth) const { return result_.slope * depth + result_.offset; }
  double stored(double depth) const { return (0.5 * result_.slope * depth + result_.offset) * depth; }  // ε, m
  void group();
  Eigen::Vector3d main_axis(int group) const;

  PressureField field_;
  FieldResult result_;
  std::vector<Press> presses_;
  std::array<PressedGroup, most_groups> groups_;
  int group_count_ = 0;
};

}  // namespace carom::inline contact_geometry
