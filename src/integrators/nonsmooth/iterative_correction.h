#pragma once

#include "integrators/nonsmooth/body_contacts.h"
#include "integrators/nonsmooth/correction_equations.h"

namespace carom {

// Position correction of many contacts, by projected Gauss–Seidel that starts from the pushes of the step before. What
// is not linear in joints and forces is followed by repeating the sweeps.
template <int D>
class IterativeCorrection {
 public:
  IterativeCorrection(StepContext<D>& context, BodyContacts<D>& bodies, CorrectionEquations<D>& equations);
  bool run(const StepStart<D>& start, const SmoothState<D>& smooth, CorrectedState<D>& state);

 private:
  static constexpr int freedoms = Space<D>::freedoms;
  void set_contacts(const SmoothState<D>& smooth, const CorrectedState<D>& state);
  bool push_apart(double h, double tolerance, const SmoothState<D>& smooth, CorrectedState<D>& state);
  bool measure_anew(double tolerance, const CorrectedState<D>& state);
  bool take_in_violated(double near, double tolerance, const SmoothState<D>& smooth, CorrectedState<D>& state);
  bool correct_mechanism(double h, double tolerance, const SmoothState<D>& smooth, CorrectedState<D>& state);
  void note_lift_work(CorrectedState<D>& state);

  StepContext<D>& context_;
  BodyContacts<D>& bodies_;
  CorrectionEquations<D>& equations_;
  std::vector<RigidContact<D>> now_;  // the pressed contacts as they are now
  Eigen::VectorXd pushed_;            // generalised pushes of contacts
  Eigen::VectorXd tied_lift_;         // work of the weight for each unit of impulse and moment on the tied bodies
};

extern template class IterativeCorrection<2>;
extern template class IterativeCorrection<3>;

}  // namespace carom
