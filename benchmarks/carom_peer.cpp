#include "carom_peer.h"

#include <chrono>
#include <stdexcept>

#include "analyses/assembly.h"
#include "integrators/smooth/integrator.h"
#include "scenes.h"

namespace carom::benchmarks {

namespace {

Model model_of(Mechanism which) {
  Model model = which == Mechanism::slider_crank ? scenes::slider_crank() : scenes::andrews(CAROM_SOURCE_DIR "/cases");
  model.solver.end = which == Mechanism::slider_crank ? SliderCrankData{}.end_time : AndrewsData{}.end_time;
  return model;
}

}  // namespace

CaromModel::CaromModel(Mechanism which) : CaromModel(model_of(which)) {}

CaromModel::CaromModel(Model model) : model_(std::move(model)) {
  system_ = System::create(model_);
  start_ = system_->initial_state();
  if (!assemble(*system_, model_, start_).assembled) throw std::runtime_error("the mechanism cannot be assembled");
}

CaromModel CaromModel::with_lags(int lags) {
  Model model = model_of(Mechanism::slider_crank);
  ElementModel angle;
  angle.name = "lag_0", angle.type = "measured";
  angle.settings.set("of", std::string("joint:pivot.rotation"));
  model.signals.push_back(angle);
  for (int k = 1; k <= lags; ++k) {
    ElementModel lag;
    lag.name = "lag_" + std::to_string(k), lag.type = "first-order-lag";
    const std::string before = model.signals.back().name;
    lag.settings.set(
        "input", Function::of_signals(std::get<Expression>(Expression::compile(before, {"t", before}, {})), {before}));
    lag.settings.set("time_constant", 0.05 + 0.001 * k);
    model.signals.push_back(lag);
  }
  return CaromModel(std::move(model));
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
  Eigen::VectorXd internal_rate(start_.internal.size());
  const bool have_states = internal_rate.size() > 0;
  double sum = 0;
  for (long k = 0; k < n; ++k) {
    if (have_states) system_->set_internal(start_.internal.data());
    system_->rates(0, q.data(), start_.v.data(), q_rate.data(), v_rate.data(), power.data(),
                   have_states ? internal_rate.data() : nullptr);
    sum += v_rate[2];
    q[2] += 1e-12;
  }
  return sum;
}

double CaromModel::step(long n) {
  model_.solver.integrator = "rk";
  model_.solver.step = 1e-5;
  const auto stepper = make_integrator(*system_, model_.solver);
  stepper->start(start_);
  for (long k = 0; k < n; ++k) stepper->step(1e3);
  return stepper->state().v[2];
}

}  // namespace carom::benchmarks
