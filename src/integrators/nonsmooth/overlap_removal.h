#pragma once

#include "integrators/nonsmooth/contact_rows.h"
#include "integrators/nonsmooth/correction_equations.h"
#include "math/nonnegative_solve.h"

namespace carom::inline nonsmooth_integrators {

// What a position correction leaves of overlaps, because it started so deep in a wall that its solver or its directions
// were not good enough: bodies are moved apart from where they are now, without friction, with directions taken anew
// each time, until nothing overlaps. The multipliers of a round are the least ones for the gaps as they are now,
//   0 ≤ g + H Δ ⊥ π ≥ 0,   M Δ = Hᵀ π,   joints closed.
template <int D>
class OverlapRemoval {
 public:
  OverlapRemoval(StepContext<D>& context, CorrectionEquations<D>& equations)
      : context_(context), equations_(equations) {}

  // m, deepest overlap at a corrected state. Pairs that were crossed count as they are, not only across the direction
  // in which they met.
  double deepest(const Bodies<D>& bodies);
  // Goes on from the corrected state; its correction, pressed and closed contacts are kept up. False: bodies have no
  // room, or it would take more than the effort.
  struct Effort {
    int rounds = 60;
    std::size_t contacts = 300;  // that are solved for at once
  };
  bool run(double tolerance, Effort effort, const StepStart<D>& start, const SmoothState<D>& smooth,
           CorrectedState<D>& state);

 private:
  static constexpr int dofs = Space<D>::dofs;

  void find(const Bodies<D>& bodies, double within);
  bool separate(double tolerance, CorrectedState<D>& state);
  void set_rows(const Bodies<D>& bodies);
  void set_changes();
  double bound_turns();
  void close(double tolerance, double far, CorrectedState<D>& state);

  StepContext<D>& context_;
  CorrectionEquations<D>& equations_;
  NonnegativeSolve solver_;
  std::vector<NonsmoothContact<D>> contacts_, others_;
  Eigen::MatrixXd rows_, changes_;  // H, a column per contact, and M⁻¹ Hᵀ with the reactions of joints
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> delassus_;
  Eigen::VectorXd gaps_, change_, q_;
  std::vector<double> multipliers_;
};

extern template class OverlapRemoval<2>;
extern template class OverlapRemoval<3>;

}  // namespace carom::inline nonsmooth_integrators
