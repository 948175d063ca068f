#include "integrators/smooth/sundials_stepper.h"

#include <fmt/format.h>

#include "integrators/smooth/step_control.h"

namespace carom::inline smooth_integrators {
namespace {

constexpr int max_error_test_failures = 15;  // per step; breakpoints of contact forces need more than the usual 7 or 10
constexpr int max_tiny_steps = 20;
constexpr int highest_order = 12;  // of all methods of both libraries

}  // namespace

SundialsStepper::SundialsStepper(System& system, const SolverSettings& settings, const Library& library)
    : SmoothIntegrator(system, settings), library_(library), context_(make_sundials_context()) {
  complaint_.reserve(256);
}

void SundialsStepper::start(const State& state) {
  SmoothIntegrator::start(state);
  tiny_steps_ = 0;
  taylor_order_ = -1;
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
  taylor_order_ = -1;
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

void SundialsStepper::read_derivatives() const {
  if (taylor_.size() == 0) taylor_.setZero(nq_, highest_order + 1);
  int order = 0;
  const double h = state_.t - step_begin_;
  if (!has_step_ || library_.last_order(memory_, &order) != 0 || order < 1 || order > highest_order) order = 0;
  double scale = 1;
  for (int k = 0; k <= order; ++k) {
    if (k > 0) scale *= h / k;
    if (order == 0 || library_.dense_output(memory_, state_.t, k, dense_.get()) != 0) break;
    taylor_.col(k) = scale * Eigen::Map<const Eigen::VectorXd>(values(dense_), nq_);
  }
  if (order == 0) taylor_.col(0) = state_.q, taylor_.col(1).setZero();
  taylor_order_ = std::max(1, order);
}

int SundialsStepper::degree() const {
  if (taylor_order_ < 0) read_derivatives();
  return taylor_order_;
}

// Σ c_k (θ − 1)^k in Bernstein's polynomials of degree n: coefficient i of (1 − θ)^k is C(n − i, k) / C(n, k).
void SundialsStepper::controls(int first, int count, double* out) const {
  const int n = degree();
  const Corrections added = has_step_ ? corrections() : Corrections{};
  for (int i = 0; i <= n; ++i, out += count) {
    Eigen::Map<Eigen::VectorXd> control(out, count);
    control = taylor_.col(0).segment(first, count);
    double share = 1;
    for (int k = 1; k <= n - i; ++k) {
      share *= -static_cast<double>(n - i - k + 1) / (n - k + 1);
      control += share * taylor_.col(k).segment(first, count);
    }
    const double part = static_cast<double>(i) / n;
    if (added.at_start != nullptr)
      control += (1 - part) * Eigen::Map<const Eigen::VectorXd>(added.at_start + first, count);
    if (added.at_end != nullptr) control += part * Eigen::Map<const Eigen::VectorXd>(added.at_end + first, count);
  }
}

bool SundialsStepper::interpolated(double t) {
  return has_step_ && library_.dense_output(memory_, t, 0, dense_.get()) == 0;
}

}  // namespace carom::inline smooth_integrators
