#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "carom/errors.h"
#include "carom/export.h"
#include "carom/model.h"
#include "carom/simulate.h"

namespace carom::v1 {

// What two bodies do to each other now. A joint with clearance is a contact, too.
enum class ContactState { open, touching, sticking, slipping, rolling };  // touching: compliant, of any kind

struct ContactReport {
  std::string name;  // "contact:ball-floor", "joint:pin"
  ContactState state = ContactState::open;
  int points = 0;      // that touch
  double gap = 0;      // m, smallest; negative: bodies overlap by so much
  double force = 0;    // N, normal, sum over the points; of the nonsmooth method without impacts
  double impulse = 0;  // N s, normal, in the last advance; nonsmooth method only
};

// Something that happened between bodies: "touch" and "contact" (the end of one) of the compliant method, "impact" of
// the nonsmooth one, "event" for an [[event]] of the model. The values are those of the events in a result file.
struct SimulationEvent {
  double time = 0;                       // s
  std::string kind, contact;             // or the name of the event
  std::map<std::string, double> values;  // SI: "impact_speed", "peak_force", …
};

// Something to go back to: cheap to copy, and valid after its simulation is gone.
class CAROM_EXPORT Snapshot {
 public:
  double time() const;  // s

 private:
  friend class Simulation;
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

struct SimulationOptions {
  std::function<void(const Progress&)> progress = {};  // called after every step; what it throws ends the advance
  const std::atomic<bool>* interrupt = nullptr;        // set it from anywhere to stop at the next step
};

// The motion of a model, carried on piece by piece. Between the pieces it can be read, changed, kept and taken back.
//
//   carom::Simulation simulation(model);
//   while (simulation.time() < 1) {
//     simulation.advance(1e-3);
//     if (simulation.value("joint:pin.fx") > 5e3) break;
//   }
//
// It starts as a run of the model would, writes nothing, and takes the analysis "dynamic" only. The end of the model is
// no bound: it says where step() stops. Several simulations may run in several threads, each in one at a time.
// Simulations are moved, not copied.
class CAROM_EXPORT Simulation {
 public:
  // Throws InputError with all problems of the model.
  explicit Simulation(const Model& model, const SimulationOptions& options = {});
  ~Simulation();
  Simulation(Simulation&& other) noexcept;
  Simulation& operator=(Simulation&& other) noexcept;

  double time() const;  // s
  long steps() const;   // of the integrator, so far

  // One step of the integrator, as a run would take it. False: the end of the model has been reached, or the interrupt
  // flag is set. Throws Error with the reason where the motion cannot be computed.
  bool step();
  // By so much time, s, or to an instant that lies ahead. False: the interrupt flag was set, and time() reports how far
  // it has come.
  bool advance(double duration);
  bool advance_to(double time);

  // Any quantity that a result file can hold, now: "body:crank.x", "joint:pin.fx", "energy.total". Unknown names throw
  // ResultError with near ones. Impulses are those of the last advance or step.
  double value(const std::string& quantity) const;
  std::vector<Quantity> quantities() const;
  std::vector<ContactReport> contacts() const;
  // What happened since the last call.
  std::vector<SimulationEvent> events();
  // What a user should know, such as a drive that jumps; since the last call.
  std::vector<std::string> warnings();

  // Positions and velocities of bodies by the names of their quantities: x, y, angle, vx, vy, omega in the plane; x, y,
  // z, qw … qz, vx, vy, vz, wx, wy, wz in space. All at once, and then put on the constraints: where these do not allow
  // what is asked, the nearest that they do. Throws ResultError for other names, Error where joints cannot close or
  // bodies would lie in each other.
  void set(const std::string& quantity, double value);
  void set(const std::map<std::string, double>& values);

  // All generalised positions and velocities at once, in the order of the bodies: x, y, angle of the mass centre in the
  // plane; x, y, z and the quaternion (real part first) in space; velocities in world axes, angular ones of space in
  // body axes. set_state puts them on the constraints, as set does. Throws Error for lists of another length or numbers
  // that are not finite.
  std::vector<double> positions() const;
  std::vector<double> velocities() const;
  void set_state(const std::vector<double>& positions, const std::vector<double>& velocities);

  // A parameter that only force elements depend on: an input of the motion, such as the torque of a motor. A number is
  // in SI. Throws InputError for other parameters, saying what depends on them.
  void set_parameter(const std::string& name, const Value& value);
  double parameter(const std::string& name) const;

  // The integrator begins anew at this instant, both after snapshot() and after restore(): going on from either gives
  // the same bytes, if the same is done. Events that have not been asked for are dropped by restore.
  Snapshot snapshot();
  // A snapshot of this simulation, or of another one of the same model.
  void restore(const Snapshot& snapshot);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace carom::v1
