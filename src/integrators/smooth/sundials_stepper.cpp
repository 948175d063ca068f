#include "integrators/smooth/sundials_stepper.h"

#include <fmt/format.h>

#include "integrators/smooth/step_control.h"

namespace carom {
namespace {

constexpr int max_error_test_failures = 15;  // per step; kinks of contact forces need more than the usual 7 or 10
constexpr int max_tiny_steps = 20;

}  // namespace

SundialsStepper::SundialsStepper(System& system, const SolverSettings& settings, const Library& library)
    : SmoothIntegrator(system, settings), library_(library), context_(make_sundials_context()) {
  complaint_.reserve(256);
}

void SundialsStepper::start(const State& state) {
  SmoothIntegrator::start(state);
  tiny_steps_ = 0;
}

void SundialsStepper::remember_complaint(int, const char*, const char*, char* message, void* self) {
  static_cast<SundialsStepper*>(self)->complaint_ = message;
}

std::string SundialsStepper::library_says() const {
  return complaint_.empty() ? "" : fmt::format("; {} says: {}", library_.name, complaint_);
}

void SundialsStepper::set_up() {
  library_.set_error_handler(memory_, remember_complaint, this);
  library_.set_max_error_test_failures(memory_, max_error_test_failures);
  const double bound = fixed_step_ > 0 ? std::min(max_step_, fixed_step_) : max_step_;
  if (std::isfinite(bound)) library_.set_max_step(memory_, bound);
}

void SundialsStepper::keep_counts() {
  update_statistics();
  rejected_before_ = statistics_.rejected;
  setups_before_ = statistics_.factorisations;
  iterations_before_ = statistics_.newton_iterations;
}

void SundialsStepper::update_statistics() {
  long errors = 0, failures = 0, setups = 0, iterations = 0;
  library_.count_error_test_failures(memory_, &errors);
  library_.count_step_failures(memory_, &failures);
  library_.count_setups(memory_, &setups);
  library_.count_iterations(memory_, &iterations);
  statistics_.rejected = rejected_before_ + errors + failures;
  statistics_.factorisations = setups_before_ + setups;
  statistics_.newton_iterations = iterations_before_ + iterations;
}

StepOutcome SundialsStepper::advance(double t_limit) {
  if (fresh_ && !begin()) return failure("the equations of motion cannot be solved at the starting point");
  complaint_.clear();
  library_.set_stop_time(memory_, t_limit);
  double t = state_.t;
  const int flag = solve(t_limit, t);
  update_statistics();
  if (flag < 0) return failure(explain(flag));
  // The library would creep up to a wall for ever, by steps that t does not feel.
  tiny_steps_ = t < t_limit && t - state_.t < smallest_step(state_.t, t_limit) ? tiny_steps_ + 1 : 0;
  if (tiny_steps_ > max_tiny_steps) return failure("the steps become too short to advance");
  step_begin_ = state_.t;
  state_.t = t;
  has_step_ = true;
  if (const char* wrong = finish()) return failure(wrong);
  system_.accept(t, state_.q.data(), state_.v.data());
  count_step(state_.t - step_begin_);
  return {};
}

bool SundialsStepper::interpolated(double t) {
  return has_step_ && library_.dense_output(memory_, t, 0, dense_.get()) == 0;
}

}  // namespace carom
