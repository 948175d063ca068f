#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analyses/assembly.h"
#include "integrators/nonsmooth/nonsmooth_integrator.h"
#include "integrators/smooth/contact_stepper.h"
#include "simulation/impact_forces.h"
#include "simulation/step_events.h"
#include "simulation/time_functions.h"

// The motion of a model, carried on step by step: the one loop of the program. A run is a simulation with a recorder
// that looks on; Lyapunov exponents follow two of them; the C++ library hands one out.
namespace carom::inline simulation {

// A motion was asked to stop.
struct Interrupted {};

struct SimulationOptions {
  double interval = 0;             // s, into which fixed steps are made to fit; 0: as a run would
  std::optional<double> end = {};  // s, up to which breakpoints are sought first; none: the end of the model
  const std::atomic<bool>* interrupted = nullptr;  // set it to stop at the next step
  bool stops_at_impacts = false;                   // nonsmooth: steps end at their impacts
  bool keeps_events = true;
};

// Looks on while steps are made.
class StepObserver {
 public:
  virtual ~StepObserver() = default;
  // The step up to t counts; its dense output is there, and contacts that start or end with it have not done so yet.
  virtual void step_settled(Integrator& integrator, double t) = 0;
  // Laws have passed a breakpoint, which took the motion to this state in no time.
  virtual void breakpoint_passed(const State& state) = 0;
};

enum class Advance { one_step, all_steps };

// An impact by an impulse, and the force behind it.
struct ForcedImpact {
  ImpactEvent impact;
  ImpactPulse pulse;
};

// Something to go back to. It holds the state, what contacts and joints remember, and the model with its parameters as
// they were.
struct SimulationSnapshot {
  Model model;
  State state;
  std::shared_ptr<const System> memory;
  double time = 0;  // s
  long steps = 0;
};

class Simulation {
 public:
  // Assembled and started as the model says. Throws InputError when joints stay open, bodies lie in each other, or the
  // integrator cannot do what is asked.
  explicit Simulation(Model model, const SimulationOptions& options = {});
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  const Model& model() const { return model_; }
  const AssemblyReport& assembly() const { return assembly_; }
  System& system() { return *system_; }
  Integrator& integrator() { return *integrator_; }
  NonsmoothIntegrator* nonsmooth() { return nonsmooth_; }                            // null: another method
  const ContactStepper* stepper() const { return stepper_ ? &*stepper_ : nullptr; }  // null: no compliant contacts
  const State& state() const { return integrator_->state(); }
  const std::vector<TimeFunction>& functions() const { return functions_; }
  double fixed_step() const { return model_.solver.step; }  // s, of the nonsmooth method
  double time() const { return time_; }                     // s; that of the state but for rounding
  long steps() const { return steps_; }
  // Of all integrators that have stepped.
  IntegratorStatistics statistics() const {
    IntegratorStatistics sum = earlier_;
    sum.add(integrator_->statistics());
    return sum;
  }
  // s, the end of the model, or just before it where a law ends there, too: that is seen from the inside.
  double last() const { return last_; }

  // One step, never past `until` nor past a breakpoint; where it ends at one, the breakpoint is passed.
  StepOutcome step(double until, StepObserver* observer = nullptr);
  // Steps up to that time, or one of them, whatever they meet; after each the caller may look. Throws ComputationError
  // with the reason where that cannot be done, and Interrupted between two steps.
  void advance_to(double until, Advance how = Advance::all_steps, const std::function<void()>& after_step = {});

  // The state has come to this time, but for rounding.
  void arrive(double time) { time_ = time; }
  // Contacts that still last are reported as ended now; no step may follow.
  void finish() {
    if (stepper_) stepper_->finish(state(), contact_events_);
  }

  // What happened since they were last cleared, by the caller.
  std::vector<ContactEvent>& contact_events() { return contact_events_; }
  std::vector<ForcedImpact>& impacts() { return impacts_; }
  std::vector<std::string>& remarks() { return remarks_; }
  std::vector<HappenedEvent>& events() { return happened_; }
  // The event that has ended the motion; empty: it goes on. No step is made after it.
  const std::string& stopped_by() const { return stopped_by_; }

  // Whether forces of contact act now.
  bool touches() const;
  // Goes on from its own state with its integrator's history forgotten.
  void restart() { restart_from(state()); }
  // From another one at the same time, which is put on the constraints. Throws ComputationError where it cannot be.
  void set_state(State state);
  // Goes on from another state, near that of `other`, at the same time. What contacts remember (whether they touch, at
  // what speed they started, how deep they were) becomes that of `other`: while a contact lasts it is a constant of the
  // motion, and a difference in it would neither grow nor shrink. Bristles are bent as those of `other` and `share` of
  // what was different here; those in `state` are overwritten.
  void restart_beside(const Simulation& other, State state, double share);

  // The integrator's history ends here, as it does in restore: going on from here and from there gives the same bytes.
  SimulationSnapshot snapshot();
  // Of a simulation of the same model.
  void restore(const SimulationSnapshot& snapshot);
  // Force elements become those of `model`, which may differ in nothing else but parameters.
  void replace_forces(const Model& model);

 private:
  void build();
  void find_breakpoints_until(double end);
  double next_limit(double until) const;
  void pass_waiting_breakpoint();
  void restart_from(State state);
  void settle_contacts(State& state);
  StepOutcome take_step(double limit, StepObserver* observer);
  void settle_step(Integrator& integrator, double t, StepObserver* observer);
  void start_events(State& state);
  StepOutcome step_to_event(double limit, StepObserver* observer);
  StepOutcome pass_events(bool at_instant);
  StepOutcome take_consequences(const std::vector<HappenedEvent>& happened, State& state);
  void change_joints(const EventModel& event, const State& state);
  StepOutcome restructure(int event, State& state);
  bool settle_drives(State& state);
  StepOutcome step_to_impact(double limit);
  void note_impacts();
  StepOutcome pass_breakpoint(double until, StepObserver* observer);
  StepOutcome jump(const Breakpoint& breakpoint, State& state);

  Model model_;
  const SimulationOptions options_;
  AssemblyReport assembly_;
  std::unique_ptr<System> system_;
  std::unique_ptr<Integrator> integrator_;
  NonsmoothIntegrator* nonsmooth_ = nullptr;  // the same
  std::optional<ContactStepper> stepper_;
  std::optional<StepEvents> events_;  // of signals; none: there are none
  // Laws of the time and their breakpoints.
  std::vector<TimeFunction> functions_;
  std::vector<Breakpoint> breakpoints_;
  std::size_t passed_breakpoints_ = 0;
  double breakpoints_until_ = 0, last_ = 0;  // s
  int speed_jumps_ = 0;
  Eigen::VectorXd residual_;

  double time_ = 0;
  long steps_ = 0;
  IntegratorStatistics earlier_;  // of integrators before events changed the system
  ImpactForces forces_;
  std::vector<ContactEvent> contact_events_;
  std::vector<ForcedImpact> impacts_;
  std::vector<HappenedEvent> happened_;
  std::string stopped_by_;
  std::vector<std::string> remarks_;
};

}  // namespace carom::inline simulation
