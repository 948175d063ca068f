#pragma once

#include "integrators/nonsmooth/hole_landings.h"
#include "integrators/nonsmooth/iterative_correction.h"
#include "integrators/nonsmooth/overlap_removal.h"

namespace carom::inline nonsmooth_integrators {

// The second stage of a step: the end of the smooth motion q̃ is moved by U so that joints close and no bodies overlap,
//   M U − ½ h² f^p + G̃ᵀ ν = H*ᵀ ξ,   g(q̃ ⊕ U) = 0,   0 ≤ g_N(q̃ ⊕ U) ⊥ ξ_N ≥ 0,   friction on the slip of the step,
// with directions H* of impulses that do not change with U, so that no curvature of the surfaces enters, except in
// round holes: there a step may be much longer than the clearance, and the directions are those of the end. Besides,
//   f^p = f(q, ṽ) − f(q̃, ṽ) − (G − G̃)ᵀ λ̃,
// which spreads the correction over sprung and flexible bodies.
template <int D>
class PositionCorrection {
 public:
  PositionCorrection(StepContext<D>& context, Mechanism<D>& mechanism, BodyContacts<D>& bodies);

  // Sets sizes.
  void restart(CorrectedState<D>& state);
  // No correction: closed are the contacts that overlap where the bodies are.
  void skip(const StepStart<D>& start, const SmoothState<D>& smooth, CorrectedState<D>& state);
  // False: not found, and the context knows why.
  bool run(const StepStart<D>& start, const SmoothState<D>& smooth, CorrectedState<D>& state);
  // m, overlap that the last run may have left.
  double left_overlap() const { return left_overlap_; }
  // Of half the thickness of a part, to which the overlaps of a heap may stay until the next steps; 0: none may.
  double most_left() const { return most_left_; }
  // m, deepest overlap that the last run could not remove; 0: there is none.
  double unfinished() const { return unfinished_; }

 private:
  using Level = typename ContactRows<D>::Level;
  static constexpr int dofs = Space<D>::dofs;

  // The stage under way.
  struct Stage {
    const StepStart<D>& start;
    const SmoothState<D>& smooth;
    CorrectedState<D>& state;
  };
  // What was found so far.
  struct Progress {
    double deepest = 0;  // m, before
    double error = 0;    // m, to which the last multipliers were found
    double left = 0;     // m, rad: expected of another iteration
  };

  static void begin(const StepStart<D>& start, const SmoothState<D>& smooth, CorrectedState<D>& state);
  bool separate(const Stage& stage);
  double allowed_overlap(const CorrectedState<D>& state, bool iterative) const;
  double deepest_overlap(const CorrectedState<D>& state, bool iterative);
  bool remove_overlaps(const Stage& stage, bool found, bool iterative);
  bool solve(const Stage& stage);
  bool holds(const Stage& stage, bool first) const;
  void aim(const Stage& stage, bool first);
  bool correct_once(const Stage& stage);
  bool solve_island(const Stage& stage, int island, int& most_iterations);
  bool take_in_violated(const Stage& stage);
  void take_in_near(const Stage& stage);
  bool drop_lost(CorrectedState<D>& state);
  void look_again(const Stage& stage);
  void close_followed(const Stage& stage);
  void expect_lasting(const Stage& stage);
  void add_held(const Stage& stage);
  void choose_directions(const Stage& stage);
  void keep_angular_momentum(CorrectedState<D>& state) const;
  double gap_tolerance() const;
  static double rounding_of(const std::vector<NonsmoothContact<D>>& contacts, const Bodies<D>& bodies);
  double* multipliers_of(int contact) { return multipliers_.data() + contact_system_.first_row(contact); }

  StepContext<D>& context_;
  BodyContacts<D>& bodies_;
  CorrectionEquations<D> equations_;
  IterativeCorrection<D> iterative_;
  OverlapRemoval<D> removal_;
  ContactSystem<D> contact_system_;
  HoleLandings<D> holes_;
  Progress progress_;
  double rounding_ = 0, left_overlap_ = 0;       // m
  double most_left_ = 0, unfinished_ = 0;        // see above
  CorrectedState<D> kept_;                       // before overlaps were removed
  std::vector<char> isotropic_;                  // by body
  std::vector<NonsmoothContact<D>> now_;         // the pressed contacts as they are now
  std::vector<NonsmoothContact<D>> directions_;  // of their multipliers
  std::vector<int> lost_, followed_;             // points that have left their features; that go on without them
  std::vector<double> multipliers_, change_;     // position-level multipliers, and their last change
  std::vector<int> chosen_;
  ContactProblem problem_;
  ContactSolution solution_;
};

extern template class PositionCorrection<2>;
extern template class PositionCorrection<3>;

}  // namespace carom::inline nonsmooth_integrators
