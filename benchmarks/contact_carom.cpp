// Carom on the contact scenes.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "analyses/assembly.h"
#include "contact_scenes.h"
#include "integrators/smooth/contact_stepper.h"
#include "scenes.h"

namespace carom::benchmarks {
namespace {

void advance(ContactStepper& stepper, Integrator& integrator, double end, const ContactStepper::StepSettled& look,
             double patience = INFINITY) {
  std::vector<ContactEvent> events;
  const Stopwatch watch;
  while (integrator.state().t < end && (std::isinf(patience) || watch.seconds() < patience)) {
    const StepOutcome outcome = stepper.advance(integrator, end, look, events);
    if (!outcome.accepted()) throw std::runtime_error(outcome.reason);
    events.clear();
  }
}

// The pin as loose as in the study of 2010; starts like the mechanism with an ideal pin.
LooseSliderCrankResult run_loose_slider_crank(double tolerance, double turns) {
  Model model = scenes::loose_slider_crank();
  Model ideal = model;
  ideal.joints[2].clearance.reset();
  const auto tight = System::create(ideal);
  State start = tight->initial_state();
  assemble(*tight, ideal, start);

  model.solver.tolerance = tolerance;
  model.solver.end *= turns / 2;
  const auto system = System::create(model);
  State state = system->initial_state();
  state.q = start.q, state.v = start.v;
  const auto integrator = make_integrator(*system, model.solver);
  ContactStepper stepper(*system, model.solver);
  stepper.start(state);
  LooseSliderCrankResult result;
  std::vector<ContactReading> readings;
  const auto look = [&](Integrator& method, double t) {
    if (t > model.solver.end / 4) {
      system->contacts()->read_contacts(method.state(), readings);
      result.late_force = std::max(result.late_force, readings[0].force);
    }
  };
  const Stopwatch watch;
  integrator->start(state);
  advance(stepper, *integrator, model.solver.end, look);
  result.seconds = watch.seconds();
  const State& end = integrator->state();
  result.peak_force = stepper.statistics().peak_force;
  result.penetration = stepper.statistics().largest_penetration;
  result.onsets = stepper.statistics().begun;
  result.slider_position = end.q[6], result.slider_velocity = end.v[6];
  result.rod_angle = std::remainder(end.q[5], 2 * M_PI), result.rod_angular_velocity = end.v[5];
  result.steps = integrator->statistics().steps;
  result.right_hand_sides = integrator->statistics().evaluations;
  return result;
}

// Spheres and walls where all contestants have them; the heap that lies there already with friction as the peer has it.
void place(Model& model, const SpheresBoxRun& run) {
  const SpheresBoxStart start = spheres_box_start(run.count, run.start);
  for (int b = 0; b < run.count; ++b) model.bodies[b].position = Eigen::Vector3d::Map(start.centres[b].data());
  for (std::size_t wall = 1; wall < model.ground.geometry.size(); ++wall)
    model.ground.geometry[wall].position *= start.width / 2 / model.ground.geometry[wall].position.norm();
  if (run.start != SpheresStart::packed) return;
  ContactModel& contact = model.contacts[0];
  contact.friction = "ramp";
  contact.friction_settings = {};
  contact.friction_settings.set("coefficient", SpheresBoxData{}.friction);
  contact.friction_settings.set("slip_full", SpheresBoxData{}.transition_speed);
  for (PairModel& pair : model.pairs) pair.allow_initial_penetration = true;
}

SpheresBoxResult run_spheres_box(const SpheresBoxRun& run) {
  Model model = scenes::spheres_box(run.count);
  place(model, run);
  model.solver.tolerance = run.tolerance;
  const auto system = System::create(model);
  const auto integrator = make_integrator(*system, model.solver);
  State start = system->initial_state();
  ContactStepper stepper(*system, model.solver);
  SpheresBoxResult result;
  stepper.start(start);
  const Stopwatch watch;
  integrator->start(start);
  advance(
      stepper, *integrator, run.end, [](Integrator&, double) {}, run.patience);
  result.seconds = watch.seconds();
  result.steps = integrator->statistics().steps;
  result.right_hand_sides = integrator->statistics().evaluations;
  const State& state = integrator->state();
  result.end = state.t;
  const Energy energy = system->energy(state.t, state.q.data(), state.v.data());
  result.kinetic = energy.kinetic;
  std::vector<ContactReading> readings;
  system->contacts()->read_contacts(state, readings);
  double sum = 0;
  for (const ContactReading& reading : readings) {
    if (!(reading.penetration > 0)) continue;
    ++result.overlaps;
    sum += reading.penetration;
    result.deepest = std::max(result.deepest, reading.penetration);
  }
  result.mean = result.overlaps > 0 ? sum / static_cast<double>(result.overlaps) : 0;
  for (int b = 0; b < run.count; ++b) {
    result.centres.push_back({state.q[7 * b], state.q[7 * b + 1], state.q[7 * b + 2]});
    result.mean_height += result.centres.back()[2] / run.count;
  }
  return result;
}

}  // namespace

const Contestant& carom_contestant() {
  static const Contestant contestant{"Carom rk", "contact_scenes", run_loose_slider_crank, run_spheres_box};
  return contestant;
}

}  // namespace carom::benchmarks
