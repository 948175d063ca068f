#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "integrators/nonsmooth/nonsmooth_integrator.h"
#include "integrators/smooth/contact_stepper.h"
#include "simulation/time_functions.h"

// A motion of a model that is carried on piece by piece and recorded nowhere. Between pieces it can be put elsewhere.
namespace carom {

// A motion was told to stop.
struct Interrupted {};

// The instants at which laws of the time have kinks, passed one after another.
class KinkList {
 public:
  KinkList(const Model& model, double start, double end);
  // s, until which all laws are smooth: that instant, or the next kink.
  double limit(double until) const;
  // Takes the state over the kink that it stands before, if any: the time jumps over the gap, and a drive that changes
  // its speed takes the mechanism along. True: it did.
  bool pass(System& system, State& state);

 private:
  std::vector<TimeFunction> functions_;
  std::vector<Kink> kinks_;
  std::size_t passed_ = 0;
};

class Trajectory {
 public:
  // Assembled and started as a run would. `piece`, s: it will be taken on by times like this, which fixed steps are
  // made to fit. `end`: no later. Throws InputError as a run does.
  Trajectory(const Model& model, double piece, double end, const std::atomic<bool>* interrupted = nullptr);

  System& system() { return *system_; }
  const State& state() const { return integrator_->state(); }

  // Whether bodies push each other now by forces of contact.
  bool touches() const;
  // To that time. A run by impulses ends its steps at its impacts, other than a recorded one: where all impacts wait
  // for the end of a step, the instants of those in motions near each other would not differ. Throws ComputationError
  // with the reason where it cannot be done, and Interrupted.
  void go_on(double until);
  // From its own state on, with its integrator's history forgotten: so does one that is put elsewhere, and both are
  // then taken on in the same way.
  void restart();
  // Goes on from another state, near that of `other`, at the same time. What contacts remember (whether they touch, at
  // what speed they began, how deep they were) becomes that of `other`: while a contact lasts it is a constant of the
  // motion, and a difference in it would neither grow nor shrink. Bristles are bent as those of `other` and `share` of
  // what was different here; those in `state` are overwritten.
  void restart_beside(const Trajectory& other, State state, double share);

 private:
  StepOutcome step_to_impact(double limit);

  Model model_;
  std::unique_ptr<System> system_;
  KinkList kinks_;
  std::unique_ptr<Integrator> integrator_;
  NonsmoothIntegrator* nonsmooth_ = nullptr;  // the same, of a run by impulses
  std::optional<ContactStepper> stepper_;
  std::vector<ContactEvent> events_;
  const std::atomic<bool>* interrupted_;
};

}  // namespace carom
