#pragma once

#include "contacts/nonsmooth_contact.h"
#include "impact/contact_problem.h"
#include "math/bodies.h"

namespace carom::inline nonsmooth_integrators {

// The local velocities of one contact as rows over the degrees of freedom of its two bodies: u = on_a v_a + on_b v_b.
// The normal comes first, then slip, then (in this order, where the law has them) spin coupled to the slip, rolling,
// spinning.
template <int D>
struct ContactRows {
  static constexpr int most = D == 2 ? 3 : 6;
  static constexpr int dofs = Space<D>::dofs;
  static constexpr int slips = D - 1;
  using Rows = Eigen::Matrix<double, most, dofs, Eigen::RowMajor>;

  int count = 0;
  Rows on_a, on_b;
  Eigen::Matrix<double, D, D> frame;  // columns: normal, tangents

  // The row of one direction, for a and for b.
  using Row = Eigen::Matrix<double, 1, dofs>;
  struct Normal {
    Row on_a, on_b;
  };
  // Rows of the ground are never looked at.
  static Normal normal_of(const NonsmoothContact<D>& contact, const Bodies<D>& bodies);

  // Levels of description: position corrections know sliding only.
  enum class Level { position, velocity };
  void set(const NonsmoothContact<D>& contact, const NonsmoothLaw& law, const Bodies<D>& bodies, const Normal& normal,
           Level level);
  static Row slide_of_a(const NonsmoothContact<D>& contact, const VectorOf<D>& direction, const Bodies<D>& bodies);
  static Row slide_of_b(const NonsmoothContact<D>& contact, const VectorOf<D>& direction, const Bodies<D>& bodies);

  // Adds the contact and its balls to a problem, whose weights and responses are still to come.
  void add_to(ContactProblem& problem, const NonsmoothLaw& law) const;

 private:
  void put_slide(int row, const NonsmoothContact<D>& contact, const VectorOf<D>& direction, const Bodies<D>& bodies) {
    if (contact.a > 0) on_a.row(row) = slide_of_a(contact, direction, bodies);
    if (contact.b > 0) on_b.row(row) = slide_of_b(contact, direction, bodies);
  }
  void put_turn(int row, const NonsmoothContact<D>& contact, const AngularOf<D>& axis, const Bodies<D>& bodies);
  static bool is_coupled(const NonsmoothLaw& law) {
    return D == 3 && law.coupled && law.friction > 0 && law.spinning > 0;
  }
  bool slides_ = false, coupled_ = false, rolls_ = false, spins_ = false;
};

extern template struct ContactRows<2>;
extern template struct ContactRows<3>;

}  // namespace carom::inline nonsmooth_integrators
