#pragma once

#include "impact/contact_blocks.h"
#include "math/block_lu.h"

namespace carom::inline impact {

// A point of a cone x₀ ≥ |x̄|: as many entries as the ball has rows, and one.
struct ConePoint {
  double entry[1 + largest_ball] = {};
};

// Where a point x of the cone and a point z meet after scaling both (Nesterov, Todd 1998): v = P x = P⁻¹ z.
struct ConeScaling {
  double factor = 1;    // P = √f (…), P² = f (2 w wᵀ − J)
  ConePoint direction;  // w, |w| = 1 in the metric of J = diag(1, −1, …)
  ConePoint middle;     // v
};

enum class InteriorState { steps, stalled };

// From where the method starts, and what it does where a step comes out short. Coulomb's law is not convex: from some
// starts the steps run in circles, and another start leads to the solution.
struct InteriorStart {
  double size = 1;          // of the first normal impulses, in parts of those that |b| suggests
  double radius_power = 0;  // they grow with 1/μ to that power
  double centring = 0.8;    // what a step that frees itself from the boundary aims at, in parts of the gap
  double least_share = 0;   // of the gap that each cone keeps after a step
};

// Primal-dual interior point method on Coulomb's law as it stands (Acary, Armand, Nguyen, Shpakovych: Second-order cone
// programming for frictional contact mechanics using interior point algorithm, Optim. Methods Softw. 39 (2024) 634–663,
// and its extension from the convex relaxation to Coulomb's law). For every ball x_B = (μ r_N, r_B) and z_B lie inside
// of the cone x₀ ≥ |x̄|, and
//   W r + b + Σ_B μ |z̄_B| e_N = Σ_B G_Bᵀ z_B,   x_B ∘ z_B = σ e,   σ → 0,
// where z̄ is the velocity of slip. Newton's steps on all of it, in the scaling of Nesterov and Todd, with the
// predictor and corrector of Mehrotra. The term of De Saxcé and Feng, μ |z̄|, is part of these equations, too: no outer
// iteration. Where such a step is short, another one is taken that keeps |z̄| as it is and aims at the middle. The
// matrix, W and a block for each contact, is regular however redundant contacts are.
template <int B>
class InteriorPoint {
 public:
  using Vector = typename ContactBlocks<B>::Vector;
  using Vectors = typename ContactBlocks<B>::Vectors;
  using Block = typename ContactBlocks<B>::Block;

  void start(const ContactBlocks<B>& blocks, const InteriorStart& from);
  InteriorState step(const ContactBlocks<B>& blocks, BlockLu<B>& lu);
  // Impulses in scaled rows.
  const Vectors& impulses(const ContactBlocks<B>& blocks);
  // Of the last step.
  int factorisations() const { return factorisations_; }

 private:
  struct Cone {
    int contact = 0, first = 1, size = 0;
    double radius = 1;  // G: entry 0 is that times r_N, the others are rows of the ball
  };
  using ConePoints = std::vector<ConePoint>;

  void find_residual(const ContactBlocks<B>& blocks);
  bool scale();
  void fill_matrix(const ContactBlocks<B>& blocks, BlockLu<B>& lu);
  void multiply(const ContactBlocks<B>& blocks, const Vectors& r, Vectors& product) const;
  void add_bounds(const ConePoints& z, double factor, Vectors& to) const;
  void take_cones(const Vectors& r, ConePoints& x) const;
  void direction(const ContactBlocks<B>& blocks, BlockLu<B>& lu);
  void solve_once(BlockLu<B>& lu, const Vectors& imbalance, const ConePoints& complement, bool add);
  bool factor(const ContactBlocks<B>& blocks, BlockLu<B>& lu);
  void aim_at_the_solution(const ContactBlocks<B>& blocks, BlockLu<B>& lu);
  void aim_at_the_middle(const ContactBlocks<B>& blocks, BlockLu<B>& lu);
  double product_after(double part) const;
  double longest_step() const;
  double guarded_step() const;
  bool keeps_share(double part) const;
  void set_corrector(double target);

  std::vector<Cone> cones_;
  double size_ = 1;  // impulses are this times r
  Vectors r_, dr_, residual_, work_, free_, out_;
  ConePoints x_, z_, dx_, dz_, complement_, rest_, cone_work_;
  std::vector<ConeScaling> scaling_;
  InteriorStart from_;
  double gap_ = 1, imbalance_ = 0;  // x ∘ z on average; |W r + b + … − Gᵀ z|
  bool frozen_ = false;             // the slip in the derivative, for a step that is that of a convex problem
  int factorisations_ = 0, stalls_ = 0;
};

extern template class InteriorPoint<2>;
extern template class InteriorPoint<3>;
extern template class InteriorPoint<6>;

}  // namespace carom::inline impact
