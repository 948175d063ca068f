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

SpheresBoxResult run_spheres_box(int count, double end) {
  const Model model = scenes::spheres_box(count);
  const auto system = System::create(model);
  const auto integrator = make_integrator(*system, model.solver);
  State start = system->initial_state();
  ContactStepper stepper(*system, model.solver);
  std::vector<ContactEvent> events;
  SpheresBoxResult result;
  stepper.start(start);
  const auto begin = std::chrono::steady_clock::now();
  integrator->start(start);
  while (integrator->state().t < end) {
    if (!stepper
             .advance(
                 *integrator, end, [](Integrator&, double) {}, events)
             .accepted())
      break;
    events.clear();
  }
  result.seconds = seconds_since(begin);
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
  for (int b = 0; b < count; ++b) result.mean_height += state.q[7 * b + 2] / count;
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
  if (scene == "spheres-box" && argc > 2) {
    const auto r = run_spheres_box(std::atoi(argv[2]), argc > 3 ? std::atof(argv[3]) : 2);
    std::printf(
        "{\"scene\": \"spheres-box\", \"n\": %s, \"T\": %g, \"wall_s\": %.6g, \"steps\": %ld, \"rhs\": %ld, "
        "\"us_per_step\": %.6g, \"kinetic_J\": %.6g, \"overlaps\": %ld, \"pen_mean_rel_r\": %.4g, "
        "\"pen_max_rel_r\": %.4g, \"z_mean\": %.6g}\n",
        argv[2], r.end, r.seconds, r.steps, r.right_hand_sides, 1e6 * r.seconds / static_cast<double>(r.steps),
        r.kinetic, r.overlaps, r.mean / 0.05, r.deepest / 0.05, r.mean_height);
    return 0;
  }
  std::fprintf(stderr,
               "usage: contact_scenes loose-slider-crank TOLERANCE [TURNS]\n"
               "       contact_scenes spheres-box COUNT [END]\n");
  return 2;
}
