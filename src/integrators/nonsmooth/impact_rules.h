#pragma once

#include "impact/one_point_impact.h"
#include "integrators/nonsmooth/jump_dynamics.h"

namespace carom::inline nonsmooth_integrators {

// The laws of impact, for whatever solver: velocities before the impact, who takes part in a problem of a sequence, and
// what restitution asks for.
//
// Several impacts at once are resolved one after the other: only contacts that approach each other take part in a
// problem, and the velocities that come out are those before the next one, until nothing approaches any more (Cosimo,
// Cavalieri, Galvez, Cardona, Brüls 2020; with friction Sánchez et al. 2024). Where no contact of a group bounces there
// is nothing to pass on, and one problem holds all of them.
//
// A body much lighter than its neighbours is squeezed between them for as long as they push: in truth it does not fly
// to and fro, both its contacts are one spring. Its second contact takes part in the problem of the first, and the two
// return together what they had together: u_N + e (u_N + u_N of the second) ≥ 0.
template <int D>
class ImpactRules {
 public:
  explicit ImpactRules(StepContext<D>& context) : context_(context) {}

  // The contacts of a step.
  void start(const JumpDynamics<D>& dynamics, const CorrectedState<D>& corrected);
  // Local velocities before the jump: where the step started, and after the smooth motion. Once, before the first
  // problem of the step: without one nobody needs them.
  void measure(JumpDynamics<D>& dynamics, const StepStart<D>& start, const SmoothState<D>& smooth,
               const CorrectedState<D>& corrected);

  // After the last problem: from now on they are zero where there was none.
  void finish();

  bool all_at_once(std::span<const int> group) const;
  static int most_problems(std::size_t contacts);  // of a sequence of impacts, before the rest is taken as plastic
  // m/s: contacts that approach by less do not take part.
  static double approach_tolerance(double fastest, double least);

  // The contacts that take part: all, or those that approach by more than the tolerance, with the second contacts of
  // squeezed bodies; local velocities are those of the problem.
  void choose(const JumpDynamics<D>& dynamics, int group, double tolerance, bool all, JumpProblem& problem);
  // What restitution asks of the chosen ones; `jump` so far, null: none. Plastic: nothing. A contact alone with
  // Poisson's or energetic restitution is followed through its impact, whose impulses are then those of the problem.
  void set_targets(const JumpDynamics<D>& dynamics, const Eigen::VectorXd* jump, bool plastic, JumpProblem& problem);

  // By row.
  const std::vector<double>& entry() const { return entry_; }
  const std::vector<double>& smooth() const { return smooth_; }
  // m/s, with which a contact went into a problem, at the most.
  double approach(int contact) const { return approach_[contact]; }
  int backing(int contact) const { return backing_[contact]; }
  double squeeze(int contact) const { return squeeze_[contact]; }
  // m/s, what the loads of the step alone did along the normal.
  double by_load(const JumpDynamics<D>& dynamics, int contact) const;

 private:
  const NonsmoothLaw& law(int contact) const { return context_.contacts.nonsmooth_law(laws_[contact]); }
  void measure_entry(JumpDynamics<D>& dynamics, const CorrectedState<D>& corrected);
  bool follows(const JumpDynamics<D>& dynamics, const JumpProblem& problem, int contact, double approach) const;
  void follow(const JumpDynamics<D>& dynamics, int contact, double approach, JumpProblem& problem);
  void set_slip_targets(const JumpProblem& problem, int contact, int first, double* target) const;
  void add_squeezed(const JumpDynamics<D>& dynamics, int group, JumpProblem& problem);

  StepContext<D>& context_;
  bool measured_ = false;
  bool slips_return_ = false;                // of one of the contacts
  std::vector<int> laws_;                    // by contact
  std::vector<double> entry_, smooth_;       // by row
  std::vector<bool> lasting_;                // closed at the start as well, and bouncing
  std::vector<double> approach_;             // m/s
  std::vector<int> backing_;                 // the contact at the other side of a squeezed body, −1: none
  std::vector<double> squeeze_;              // m/s, with which its neighbours came together, at the most
  std::vector<double> normals_;              // m/s, by contact
  std::vector<double> changed_;              // local velocities of one contact
  std::vector<NonsmoothContact<D>> before_;  // lasting contacts, where they were at the start
};

extern template class ImpactRules<2>;
extern template class ImpactRules<3>;

}  // namespace carom::inline nonsmooth_integrators
