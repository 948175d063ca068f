#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "integrators/smooth/integrator.h"

namespace carom::inline smooth_integrators {

// A scalar function of the state whose zero is an event.
struct EventFunction {
  std::string name;
  std::function<double(const State&)> value;
  int direction = 0;     // +1: only upward crossings, −1: only downward ones, 0: both
  double tolerance = 0;  // of the time, as a fraction of the step; never finer than a few units in the last place of t
};

struct EventHit {
  int function = 0;  // index
  std::string name;
  double t = 0;       // s
  int direction = 0;  // +1: the value became positive
};

// Something that ends a step.
struct StepStop {
  double t = std::numeric_limits<double>::infinity();   // s; infinity: nothing does
  std::function<double(const State&)> value = nullptr;  // whose zero it is
};

// Looks for what ends the last step of an integrator before `until`, on its dense output.
class StepWatch {
 public:
  virtual ~StepWatch() = default;
  virtual StepStop first_stop(Integrator& integrator, double until) = 0;
  // The step ends there.
  virtual void accept_stop() = 0;
};

// Times the length scale: as well as the constraints can be satisfied.
inline constexpr double event_drift = 1e-14;

// Ends the last step at the zero of a function near t, by a step of just that length where the method can do it: then
// the zero is sought again on the method's own solution, which is of higher order than its dense output. The state is
// neither on the constraints yet nor the integrator restarted.
void end_step_at(Integrator& integrator, double t, const std::function<double(const State&)>& value, State& event);

// Takes steps with any integrator and stops at events (formulation/compliant.md, 6.3).
//
// It remembers on which side of zero every function is, and does not look at the sign of the tiny value right after a
// crossing; so the same event is not found twice. Two crossings between neighbouring samples (a quarter of a step
// apart) go unseen.
class EventLocator {
 public:
  EventLocator(System& system, std::vector<EventFunction> functions);

  // Sides are taken anew from the next step's beginning: for a state that was changed from outside.
  void forget();

  // One step of the integrator, never past t_limit. Where functions cross zero inside it, the step is cut at the first
  // crossing, the state there is put on the constraints, the integrator is restarted from it, and every function that
  // vanishes there within its tolerance is appended to `hits`. Call Integrator::start again if the state or the system
  // is changed afterwards.
  StepOutcome advance(Integrator& integrator, double t_limit, std::vector<EventHit>& hits);

 private:
  static constexpr int samples = 4;  // per step, its end included
  struct Crossing {
    int function, direction;
    double t;
  };

  double value_at(Integrator& integrator, int function, double t);
  void take_samples(Integrator& integrator);
  void find_first_crossing(Integrator& integrator, int function);
  double root(Integrator& integrator, int function, double from, double to, double value_from, double value_to);
  double cut_step(Integrator& integrator, const Crossing& first);
  double time_tolerance(int function, double h, double t) const;

  System& system_;
  const std::vector<EventFunction> functions_;
  State sample_;
  std::vector<int> side_, side_at_end_;  // −1, +1; 0: not known yet
  std::vector<double> last_hit_;         // time of the last event of each function
  double times_[samples + 1];
  std::vector<double> values_;  // functions × (samples + 1)
  std::vector<Crossing> crossings_;
};

}  // namespace carom::inline smooth_integrators
