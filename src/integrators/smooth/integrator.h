#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "dynamics/system.h"
#include "model/description.h"

// Time integration of smooth motion. One internal step at a time, so that the caller decides what happens between steps
// (events, recording, progress). A step that cannot be done is an outcome, never an exception.
namespace carom::inline smooth_integrators {

struct IntegratorStatistics {
  long steps = 0;           // accepted
  long rejected = 0;        // error too large or equations not solved
  long evaluations = 0;     // right-hand sides or residuals
  long factorisations = 0;  // of the Newton matrix
  long newton_iterations = 0;
  long projections = 0;                                            // corrections of constraint drift
  long restarts = 0;                                               // calls of start, the first included
  double smallest_step = std::numeric_limits<double>::infinity();  // s
  double largest_step = 0;                                         // s
  double largest_position_drift = 0;                               // before projection, in the units of the constraints
  double largest_velocity_drift = 0;                               // as far as it was looked at

  void add(const IntegratorStatistics& part);
};

enum class StepStatus { accepted, failed };

struct StepOutcome {
  StepStatus status = StepStatus::accepted;
  std::string reason = {};  // of a failure: what, when, and what may help
  bool accepted() const { return status == StepStatus::accepted; }
};

// Two shapes that lie in each other where the run starts.
struct InitialOverlap {
  std::string contact;
  double penetration = 0;  // m
};

class Integrator {
 public:
  virtual ~Integrator() = default;

  // (Re)starts from a state that satisfies the constraints and forgets all history. Evaluates nothing yet, so it is
  // cheap to call again after the caller has changed the system.
  virtual void start(const State& state) = 0;

  // One internal step, never past t_limit; lands exactly on it when it would come within rounding. Does nothing when
  // t_limit has been reached. Tells the system of every accepted step (System::accept).
  virtual StepOutcome step(double t_limit) = 0;

  // The end of the last accepted step, constraints satisfied as the settings ask.
  virtual const State& state() const = 0;
  virtual double step_begin() const = 0;

  // Dense output inside [step_begin, state().t] with the accuracy of the method; `out` is resized when needed.
  virtual void interpolate(double t, State& out) = 0;
  // The positions of that, as polynomials; null where they are none.
  virtual const StepMotion* motion() const { return nullptr; }

  // Replaces the last step by a single one from step_begin to `t_end`, not later than it ended before and without error
  // control. False where the method cannot do it; the last step then stands.
  virtual bool repeat_step(double t_end);
  virtual bool can_repeat() const { return false; }

  // Of an integrator that changes its method: which one worked from when on, in short ("rk, bdf from t = 0.01 s"), and
  // why it changed, in sentences. Empty for all others.
  virtual std::string methods_used() const { return {}; }
  virtual std::vector<std::string> method_remarks() const { return {}; }

  const IntegratorStatistics& statistics() const { return statistics_; }

 protected:
  void count_step(double h);
  IntegratorStatistics statistics_;
};

struct IntegratorDescription : TypeDescription {
  std::vector<ConstraintTreatment> constraints;  // the values of solver.constraints it can work with
  std::unique_ptr<Integrator> (*make)(System& system, const SolverSettings& settings);
  bool integrates_bristles = true;  // friction with bristles; never with index2
};

// All of them, by name.
const std::vector<IntegratorDescription>& integrator_catalogue();
const IntegratorDescription* find_integrator(const std::string& name);  // nullptr: no such integrator

// The integrator named in the settings. Throws InputError when there is none of that name or when it cannot treat the
// constraints as asked; the message says which can. The system must outlive it.
std::unique_ptr<Integrator> make_integrator(System& system, const SolverSettings& settings);

}  // namespace carom::inline smooth_integrators
