#include "integrators/smooth/alpha_step.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "integrators/smooth/step_control.h"

namespace carom::inline smooth_integrators {
namespace {

constexpr int max_iterations = 12;         // with one matrix
constexpr double newton_accuracy = 0.01;   // of the tolerance
constexpr double smallest_update = 1e-13;  // relative; rounding stops Newton's method there, whatever the tolerance
constexpr double good_rate = 0.2;          // slower convergence asks for a new matrix in the next step,
constexpr double poor_rate = 0.5;          // and slower than this at once
constexpr double forgetting = 0.99;        // of how matrices age, in a step
constexpr double foreseen_share = 0.2;     // of the accuracy: what two iterations may leave beforehand, as matrices age
constexpr double chance = 4;               // by which the ratio of the first two updates may be too large
constexpr double gap_rounding = 10;        // ε of the typical length
constexpr int max_renewals = 6;
constexpr double largest_rate = 1e4;  // beyond, it has gone astray
constexpr double similar_step = 0.3;  // relative change of h with which a matrix still serves

}  // namespace

AlphaCoefficients::AlphaCoefficients(double rho) {
  alpha_m = (2 * rho - 1) / (rho + 1);
  alpha_f = rho / (rho + 1);
  shift = alpha_m - alpha_f;
  gamma = 0.5 - shift;
  beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
  early = 0.5 - beta;
  acceleration = (1 - alpha_m) / ((1 - alpha_f) * gamma);
  position_error = beta + 0.5 * shift - 1.0 / 6;
  const double second = 0.5 * (1 - alpha_f) - (1 - alpha_m) * (shift + 0.5);
  velocity_error = second + gamma * (shift + 0.5) - 1.0 / 6;
}

AlphaCoefficients AlphaCoefficients::theta(double theta) {
  AlphaCoefficients c(1);
  c.alpha_m = c.alpha_f = c.shift = 0;
  c.gamma = theta;
  c.beta = theta * theta;
  c.early = theta * (1 - theta);
  c.acceleration = 1 / theta;
  c.position_error = c.beta - 1.0 / 6;
  c.velocity_error = 0.5 * theta - 1.0 / 6;
  return c;
}

AlphaStep::AlphaStep(System& system, const SolverSettings& settings, const AlphaCoefficients& coefficients, Level level,
                     IntegratorStatistics& statistics, Reuse reuse)
    : system_(system),
      statistics_(statistics),
      nv_(system.velocity_size()),
      rows_(system.constraint_size()),
      coefficients_(coefficients),
      tolerance_(settings.tolerance),
      drift_tolerance_(drift_tolerance(system, settings.tolerance)),
      level_(level),
      reuse_(reuse),
      length_(system.length_scale()),
      mass_(system.mass()),
      velocity_scale_(absolute_tolerances(system, settings.tolerance).segment(system.position_size(), nv_)) {
  for (auto* vector : {&a0_, &guess_, &increment_, &weight_, &equations_.load, &equations_.momentum})
    vector->setZero(nv_);
  equations_.residual.setZero(rows_);
  right_.setZero(nv_ + rows_);
}

bool AlphaStep::solve(const AlphaPoint& begin, AlphaPoint& end, const Eigen::VectorXd& jerk, double t_end,
                      StepCoupling* coupling) {
  coupling_ = coupling;
  h_ = t_end - begin.t;
  end.t = t_end;
  end.step = h_;
  predict(begin, end, jerk);
  return iterate(begin, end);
}

void AlphaStep::predict(const AlphaPoint& begin, AlphaPoint& end, const Eigen::VectorXd& jerk) {
  const auto& c = coefficients_;
  // a₀ lies `shift` steps away from t₀: when the length of the step changes it moves with it, or second order would be
  // lost.
  a0_ = begin.acceleration + h_ / begin.step * (begin.a - begin.acceleration);
  end.acceleration = begin.acceleration + h_ * jerk;
  end.a = ((1 - c.alpha_f) * end.acceleration + c.alpha_f * begin.acceleration - c.alpha_m * a0_) / (1 - c.alpha_m);
  end.v = begin.v + h_ * ((1 - c.gamma) * a0_ + c.gamma * end.a);
  end.lambda = begin.lambda;
  increment_ = h_ * begin.v + h_ * h_ * (c.early * a0_ + c.beta * end.a);
  weight_ = (velocity_scale_ + tolerance_ * end.v.cwiseAbs()).cwiseInverse();
}

// As if nothing accelerated.
void AlphaStep::coast(const AlphaPoint& begin, AlphaPoint& end) {
  const auto& c = coefficients_;
  end.v = begin.v;
  end.a = -(1 - c.gamma) / c.gamma * a0_;
  end.acceleration = ((1 - c.alpha_m) * end.a + c.alpha_m * a0_ - c.alpha_f * begin.acceleration) / (1 - c.alpha_f);
  end.lambda = begin.lambda;
  increment_ = h_ * begin.v + h_ * h_ * (c.early * a0_ + c.beta * end.a);
}

// Unknowns are v and λ. Matrix and residual are multiplied by h, so that they stay of order one for short steps.
bool AlphaStep::iterate(const AlphaPoint& begin, AlphaPoint& end) {
  Iteration newton = start_iteration(begin, end);
  ++matrix_.age;
  if (matrix_.stale || !(std::abs(h_ - matrix_.step) <= similar_step * matrix_.step)) {
    if (!renew_matrix(begin, end)) return false;
    newton.renewals = 1;
  }
  for (; newton.number <= max_iterations; ++newton.number) {
    if (!set_position(begin, end)) return false;
    residual(end);
    if (newton.converged && constraints_hold()) {
      statistics_.largest_position_drift = std::max(statistics_.largest_position_drift, equations_.largest_gap);
      coasts_ = weighted(end.v - begin.v) < weighted(end.v - guess_);  // which would have been the better guess?
      return true;
    }
    if (!improve(end, newton)) return false;
    if (newton.number == 1 && newton.useless_guess && newton.rate > good_rate) {
      if (!coast_instead(begin, end, newton)) return false;
      continue;
    }
    const double foreseen = matrix_.aging * matrix_.age;  // rate
    if (newton.number == 1) learn_rate(foreseen, newton);
    if (!renew_in_time(begin, end, foreseen, newton)) return false;
    judge(newton);
    const double needed =
        newton.number > 0 && newton.norm > 0 ? std::log(newton.small / newton.norm) / std::log(newton.rate) : 0;
    if (newton.converged || (newton.rate <= poor_rate && newton.number + needed <= max_iterations)) continue;
    // Fine beams stretch while they turn: Newton's method overshoots there, and comes back if its matrix follows.
    if (newton.rate > largest_rate) return false;
    if (newton.renewals == max_renewals) continue;
    if (!renew_matrix(begin, end)) return false;
    if (newton.renewals++ == 0) newton.number = -1;
    newton.last_norm = 0, newton.rate = poor_rate;  // what the old matrix did says nothing of the new one
  }
  return false;
}

AlphaStep::Iteration AlphaStep::start_iteration(const AlphaPoint& begin, AlphaPoint& end) {
  guess_ = end.v;
  const Iteration newton{.small = std::max(newton_accuracy, smallest_update / tolerance_),
                         .rounding = rounding_norm(),
                         .guessed = weighted(guess_ - begin.v),
                         .coasted = std::exchange(coasts_, false),
                         .rate = poor_rate};
  if (newton.coasted) coast(begin, end);
  return newton;
}

bool AlphaStep::constraints_hold() const {
  return (level_ == Level::velocity || equations_.largest_gap <= drift_tolerance_) &&
         equations_.largest_gap_rate <= 10 * drift_tolerance_;
}

// One update. False: it is no number, or the coupling cannot follow.
bool AlphaStep::improve(AlphaPoint& end, Iteration& newton) {
  matrix_.solver.solve(right_);
  ++statistics_.newton_iterations;
  if (coupling_ && !coupling_->correct(end.v, matrix_.solver, right_)) return false;
  update(end);
  newton.norm = weighted(right_.head(nv_));
  if (!std::isfinite(newton.norm)) return false;
  if (newton.last_norm > 0 && newton.norm > 0) newton.rate = newton.norm / newton.last_norm;
  // A first guess that is corrected by more than what it guessed was none: accelerations of modes far faster than the
  // step say nothing about its end.
  if (newton.number == 0) newton.useless_guess = !newton.coasted && newton.norm > newton.guessed;
  return true;
}

// The step begins again, as if nothing accelerated.
bool AlphaStep::coast_instead(const AlphaPoint& begin, AlphaPoint& end, Iteration& newton) {
  newton.coasted = true;
  coast(begin, end);
  if (!renew_matrix(begin, end)) return false;
  newton.renewals = 1;
  newton.number = -1;
  newton.last_norm = 0, newton.rate = poor_rate;
  return true;
}

// How the matrix ages, from the second update.
void AlphaStep::learn_rate(double foreseen, Iteration& newton) {
  double& rate = newton.rate;
  if (matrix_.age > 0) {
    matrix_.aging = std::max(rate / matrix_.age, forgetting * matrix_.aging);
    // A first update that is small by chance makes the second look large.
    if (reuse_ == Reuse::for_two_iterations && foreseen > 0) rate = std::clamp(foreseen, rate / chance, rate);
  } else if (newton.renewed_within) {
    rate = std::min(rate, matrix_.fresh_rate);  // the first update was made with the old matrix
  } else {
    matrix_.fresh_rate = rate;
  }
}

// If two iterations will not do with a matrix that is so old, the second has a new one.
bool AlphaStep::renew_in_time(const AlphaPoint& begin, AlphaPoint& end, double foreseen, Iteration& newton) {
  const bool in_time = reuse_ == Reuse::for_two_iterations && newton.number == 0 && matrix_.age > 0 &&
                       foreseen * foreseen * newton.norm > foreseen_share * newton.small;
  if (!in_time) return true;
  newton.renewals = 1;
  newton.renewed_within = true;
  return renew_matrix(begin, end);
}

// Whether what is left is small, and whether the matrix serves the next step.
void AlphaStep::judge(Iteration& newton) {
  const double expected = std::min(newton.rate, poor_rate);
  const double left = newton.norm * expected / (1 - expected);
  newton.converged =
      left <= newton.small || (newton.number > 1 && newton.rate > good_rate && newton.norm <= newton.rounding);
  newton.last_norm = newton.norm;
  if (reuse_ == Reuse::while_convergent ? newton.number > 0 && !newton.converged && newton.rate > good_rate
                                        : newton.number > 1)
    matrix_.stale = true;
}

// Where joints are closed at the level of positions, their rounding is divided by h: updates below it lead nowhere.
double AlphaStep::rounding_norm() const {
  if (level_ != Level::position || rows_ == 0) return 0;
  return gap_rounding * std::numeric_limits<double>::epsilon() * length_ / h_ * weight_.maxCoeff();
}

bool AlphaStep::renew_matrix(const AlphaPoint& begin, AlphaPoint& end) {
  ++statistics_.factorisations;
  system_.retract(begin.q.data(), increment_.data(), end.q.data());
  system_.tangents(end.t, end.q.data(), end.v.data(), end.lambda, matrix_.stiffness, matrix_.damping);
  const auto& jacobian = system_.constraint_jacobian(end.t, end.q.data());
  matrix_.step = h_;
  matrix_.age = 0;
  matrix_.stale = false;
  return matrix_.solver.factor({.mass = coefficients_.acceleration,
                                .damping = h_,
                                .stiffness = h_ * h_ * coefficients_.beta / coefficients_.gamma},
                               mass_, matrix_.damping, matrix_.stiffness, jacobian);
}

// q₁ from the increment; with index2 moved back onto the constraints.
bool AlphaStep::set_position(const AlphaPoint& begin, AlphaPoint& end) {
  const auto measure = [&] {
    system_.retract(begin.q.data(), increment_.data(), end.q.data());
    system_.position_residual(end.t, end.q.data(), equations_.residual);
    equations_.largest_gap = equations_.residual.lpNorm<Eigen::Infinity>();
    return std::isfinite(equations_.largest_gap);
  };
  if (!measure()) return false;
  if (level_ != Level::both || equations_.largest_gap <= 0.1 * drift_tolerance_) return true;
  right_.head(nv_).setZero();
  right_.tail(rows_) = -equations_.residual;
  matrix_.solver.solve(right_);
  increment_ += right_.head(nv_);
  return measure();
}

void AlphaStep::residual(const AlphaPoint& end) {
  ++statistics_.evaluations;
  system_.loads(end.t, end.q.data(), end.v.data(), equations_.load);
  equations_.momentum.noalias() = mass_ * end.acceleration;
  equations_.largest_gap_rate = 0;
  if (rows_ > 0) {
    if (level_ != Level::position) {
      system_.velocity_residual(end.t, end.q.data(), end.v.data(), equations_.residual);
      equations_.largest_gap_rate = equations_.residual.lpNorm<Eigen::Infinity>();
    } else {
      equations_.residual *= coefficients_.gamma / (h_ * coefficients_.beta);
    }
    right_.tail(rows_) = -equations_.residual;
    equations_.momentum.noalias() += system_.constraint_jacobian(end.t, end.q.data()).transpose() * end.lambda;
  }
  right_.head(nv_) = h_ * (equations_.load - equations_.momentum);
  if (!coupling_) return;
  equations_.momentum.setZero();
  coupling_->add_loads(end.q, h_, equations_.momentum);
  right_.head(nv_) += h_ * equations_.momentum;
}

void AlphaStep::update(AlphaPoint& end) {
  const auto change = right_.head(nv_);
  end.v += change;
  end.acceleration += coefficients_.acceleration / h_ * change;
  end.a += 1 / (h_ * coefficients_.gamma) * change;
  increment_ += h_ * coefficients_.beta / coefficients_.gamma * change;
  end.lambda += right_.tail(rows_) / h_;
}

}  // namespace carom::inline smooth_integrators
