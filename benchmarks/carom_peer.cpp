#include "carom_peer.h"

#include <chrono>
#include <stdexcept>

#include "analyses/assembly.h"
#include "integrators/smooth/integrator.h"
#include "scenes.h"

namespace carom::benchmarks {

CaromModel::CaromModel(Mechanism which)
    : model_(which == Mechanism::slider_crank ? scenes::slider_crank() : scenes::andrews(CAROM_SOURCE_DIR "/cases")) {
  model_.solver.end = which == Mechanism::slider_crank ? SliderCrankData{}.end_time : AndrewsData{}.end_time;
  system_ = System::create(model_);
  start_ = system_->initial_state();
  if (!assemble(*system_, model_, start_).assembled) throw std::runtime_error("the mechanism cannot be assembled");
}

CaromResult CaromModel::run(double tolerance, const std::string& integrator) {
  model_.solver.tolerance = tolerance;
  model_.solver.integrator = integrator;
  const auto stepper = make_integrator(*system_, model_.solver);
  stepper->start(start_);
  const auto begin = std::chrono::steady_clock::now();
  while (stepper->state().t < model_.solver.end) {
    const StepOutcome outcome = stepper->step(model_.solver.end);
    if (!outcome.accepted()) throw std::runtime_error(outcome.reason);
  }
  CaromResult result;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  result.steps = stepper->statistics().steps;
  result.right_hand_sides = stepper->statistics().evaluations;
  const Eigen::VectorXd& q = stepper->state().q;
  for (Eigen::Index b = 0; b < q.size() / 3; ++b) result.coordinates.push_back({q[3 * b], q[3 * b + 1], q[3 * b + 2]});
  return result;
}

double CaromModel::evaluate(long n) {
  Eigen::VectorXd q = start_.q, q_rate(q.size()), v_rate(start_.v.size()), power(system_->work_size());
  double sum = 0;
  for (long k = 0; k < n; ++k) {
    system_->rates(0, q.data(), start_.v.data(), q_rate.data(), v_rate.data(), power.data());
    sum += v_rate[2];
    q[2] += 1e-12;
  }
  return sum;
}

}  // namespace carom::benchmarks
