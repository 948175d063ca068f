// Carom on the contact scenes, one run per call, for timing and for counting instructions:
//   contact_scenes loose-slider-crank TOLERANCE [TURNS]
//   contact_scenes spheres-box COUNT [END]
// Prints one JSON line with what the scene is judged by.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "analyses/assembly.h"
#include "contact_scenes.h"
#include "integrators/smooth/contact_stepper.h"
#include "scenes.h"

namespace carom::benchmarks {
namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

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
  std::vector<ContactEvent> events;
  LooseSliderCrankResult result;
  std::vector<ContactReading> readings;
  const auto watch = [&](Integrator& method, double t) {
    if (t > model.solver.end / 4) {
      system->contacts()->read_contacts(method.state(), readings);
      result.late_force = std::max(result.late_force, readings[0].force);
    }
  };
  const auto begin = std::chrono::steady_clock::now();
  integrator->start(state);
  while (integrator->state().t < model.solver.end) {
    if (!stepper.advance(*integrator, model.solver.end, watch, events).accepted()) break;
    events.clear();
  }
  result.seconds = seconds_since(begin);
  const State& end = integrator->state();
  result.peak_force = stepper.statistics().peak_force;
  result.penetration = stepper.statistics().largest_penetration;
  result.onsets = stepper.statistics().begun;
  result.slider_position = end.q[6], result.slider_velocity = end.v[6];
  result.rod_angle = std::remainder(end.q[5], 2 * M_PI), result.rod_spin = end.v[5];
  result.steps = integrator->statistics().steps;
  result.right_hand_sides = integrator->statistics().evaluations;
  return result;
}

}  // namespace carom::benchmarks

int main(int argc, char** argv) {
  using namespace carom::benchmarks;
  const std::string scene = argc > 1 ? argv[1] : "";
  if (scene == "loose-slider-crank" && argc > 2) {
    const auto r = run_loose_slider_crank(std::atof(argv[2]), argc > 3 ? std::atof(argv[3]) : 2);
    std::printf(
        "{\"scene\": \"loose-slider-crank\", \"tolerance\": %s, \"wall_s\": %.6g, \"steps\": %ld, \"rhs\": %ld, "
        "\"F_max_N\": %.9g, \"F_max_late_N\": %.9g, \"delta_max_m\": %.9g, \"onsets\": %ld, \"x_end\": %.9g, "
        "\"v_end\": %.9g, \"phi_end\": %.9g, \"om_rod_end\": %.9g}\n",
        argv[2], r.seconds, r.steps, r.right_hand_sides, r.peak_force, r.late_force, r.penetration, r.onsets,
        r.slider_position, r.slider_velocity, r.rod_angle, r.rod_spin);
    return 0;
  }
  std::fprintf(stderr, "usage: contact_scenes loose-slider-crank TOLERANCE [TURNS]\n");
  return 2;
}
