#pragma once

#include "integrators/nonsmooth/body_contacts.h"
#include "integrators/nonsmooth/correction_equations.h"

namespace carom::inline nonsmooth_integrators {

// Position correction of many contacts, by projected Gauss–Seidel that starts from the multipliers of the step before.
// What is not linear in joints and forces is followed by repeating the Gauss–Seidel iterations.
template <int D>
class IterativeCorrection {
 public:
  IterativeCorrection(StepContext<D>& context, BodyContacts<D>& bodies, CorrectionEquations<D>& equations);
  void restart();

  // Closed contacts at the end of the smooth motion. True: they are many; where none is held, those that a run may
  // close are among the pressed ones.
  bool find_closed(const SmoothState<D>& smooth, CorrectedState<D>& state);
  // Before a run: the contacts that it may close, into the pressed ones.
  void find_near(const SmoothState<D>& smooth, CorrectedState<D>& state);
  bool run(const StepStart<D>& start, const SmoothState<D>& smooth, CorrectedState<D>& state);

 private:
  static constexpr int dofs = Space<D>::dofs;
  void set_contacts(const SmoothState<D>& smooth, const CorrectedState<D>& state);
  bool separate(double h, double tolerance, const SmoothState<D>& smooth, CorrectedState<D>& state);
  // Whether bodies have moved so far since their gaps were measured that these are not linear any more; notes which.
  bool find_moved(double tolerance, const Eigen::VectorXd& correction);
  bool measure_anew(double tolerance, const SmoothState<D>& smooth, const CorrectedState<D>& state);
  void follow(const SmoothState<D>& smooth, const CorrectedState<D>& state);
  bool take_in_violated(double near, double tolerance, const SmoothState<D>& smooth, CorrectedState<D>& state);
  bool correct_mechanism(double h, double tolerance, const SmoothState<D>& smooth, CorrectedState<D>& state);
  void note_lift_work(CorrectedState<D>& state);

  double near() const;  // m

  StepContext<D>& context_;
  BodyContacts<D>& bodies_;
  CorrectionEquations<D>& equations_;
  bool were_many_ = false;  // closed contacts, in the last step
  bool has_meshes_ = false, in_heap_of_meshes_ = false;
  std::vector<NonsmoothContact<D>> now_;        // the pressed contacts as they are now
  std::vector<int> measured_anew_;              // their places among those that are pressed
  std::vector<NonsmoothContact<D>> looked_at_;  // those of them that are not followed, and their places among them
  std::vector<int> looked_places_;
  std::vector<bool> moved_;          // by body, the ground first
  Eigen::VectorXd measured_;         // corrections at which gaps were measured
  std::vector<AngularOf<D>> turns_;  // rad, of the bodies in the smooth motion, world axes
  Eigen::VectorXd contact_load_;     // generalised loads of contacts
  Eigen::VectorXd
      constrained_lift_;  // work of the weight for each unit of impulse and moment on the constrained bodies
};

extern template class IterativeCorrection<2>;
extern template class IterativeCorrection<3>;

}  // namespace carom::inline nonsmooth_integrators
