#pragma once

#include <array>

#include "beams/helix.h"
#include "math/bodies.h"

namespace carom::inline beams {

// A two-node geometrically exact beam element: axial strain, shear, torsion and bending, of any displacement and
// rotation (see beams/helix.h, docs/theory/beams.md). Its nodes are bodies, its line runs through their mass centres.
//
// Strains, in axes half-way between the ends (x along the line, y and z of the section):
//   plane  axial, shear_y, curvature
//   space  axial, shear_y, shear_z, twist, curvature_y, curvature_z        – and 1/m
template <int D>
class BeamElement {
 public:
  static constexpr int strains = Space<D>::dofs;
  static constexpr int dofs = Space<D>::dofs;
  using Strains = Eigen::Matrix<double, strains, 1>;
  using Block = Eigen::Matrix<double, dofs, dofs>;
  using Frame = Eigen::Matrix<double, D, D>;

  struct Data {
    int a = 0, b = 0;  // bodies; neither is the ground
    // Axes of the two ends of the element in those of the bodies: parallel for a straight element.
    Frame frame_a = Frame::Identity(), frame_b = Frame::Identity();
    double length = 0;                    // m, along the line
    Strains stiffness = Strains::Zero();  // N and N m²
    double damping = 0;                   // s, stress per strain rate over stress per strain
  };

  // Without stress where the bodies are now.
  BeamElement(const Data& data, const Bodies<D>& reference);

  const Data& data() const { return data_; }
  Strains strain(const Bodies<D>& bodies) const;  // against the reference
  Strains stress(const Bodies<D>& bodies) const;  // N and N m: forces and moments in the section, with damping
  double energy(const Bodies<D>& bodies) const;   // J
  // Adds the forces on both bodies and returns the power of the damping, W ≤ 0.
  double apply(const Bodies<D>& bodies, Loads<D>& loads) const;
  // Derivatives of minus the loads by position and by velocity, [row body][column body], bodies in the order a, b.
  using Blocks = std::array<std::array<Block, 2>, 2>;
  void tangents(const Bodies<D>& bodies, Blocks& stiffness, Blocks& damping) const;

 private:
  helix::Ends<D, double> ends_of(const Bodies<D>& bodies) const;

  Data data_;
  double angle_a_ = 0, angle_b_ = 0;  // rad, of the frames in the plane
  helix::Properties<D> properties_;
};

extern template class BeamElement<2>;
extern template class BeamElement<3>;

}  // namespace carom::inline beams
