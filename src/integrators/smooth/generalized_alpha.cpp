#include <fmt/format.h>

#include "integrators/smooth/integrator.h"
#include "integrators/smooth/kkt_solver.h"
#include "integrators/smooth/step_control.h"

namespace carom {
namespace {

// Generalized-α on the Lie group of the positions, with a the pseudo-acceleration carried from step to step:
//   q₁ = q₀ ⊕ d,  d = h v₀ + h² ((½ − β) a₀ + β a₁)
//   v₁ = v₀ + h ((1 − γ) a₀ + γ a₁)
//   (1 − α_m) a₁ + α_m a₀ = (1 − α_f) v̇₁ + α_f v̇₀
//   M v̇₁ + Gᵀ λ₁ = f(q₁, v₁, t₁),   g(q₁, t₁) = 0
// "projection" is this index-3 form, velocities then projected; "index2" asks for G v₁ + g_t = 0 instead and moves the
// positions back onto g = 0 by q₁ = q₀ ⊕ (d − A⁻¹ Gᵀ μ), A the Newton matrix, which is h⁻¹ M but for stiff forces.
struct Coefficients {
  double alpha_m, alpha_f, gamma, beta;
  double shift;           // a₀ ≈ v̇(t₀ + shift h)
  double acceleration;    // v̇ grows by this · Δv / h
  double position_error;  // local error of q: this · h³ v̈
  double velocity_error;  // local error of v: this · h³ d³v/dt³

  explicit Coefficients(double rho) {
    alpha_m = (2 * rho - 1) / (rho + 1);
    alpha_f = rho / (rho + 1);
    shift = alpha_m - alpha_f;
    gamma = 0.5 - shift;
    beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
    acceleration = (1 - alpha_m) / ((1 - alpha_f) * gamma);
    position_error = beta + 0.5 * shift - 1.0 / 6;
    const double second = 0.5 * (1 - alpha_f) - (1 - alpha_m) * (shift + 0.5);
    velocity_error = second + gamma * (shift + 0.5) - 1.0 / 6;
  }
};

constexpr int max_iterations = 12;
constexpr int max_halvings = 12;
constexpr double newton_accuracy = 0.01;  // of the tolerance
constexpr double good_rate = 0.2;         // slower convergence asks for a new matrix in the next step,
constexpr double poor_rate = 0.5;         // and slower than this at once
constexpr double stub_fraction =
    1e-3;  // of the usual step; below, the division of g by h² would lose the accelerations

class GeneralizedAlpha final : public Integrator {
 public:
  GeneralizedAlpha(System& system, const SolverSettings& settings)
      : system_(system),
        nq_(system.position_size()),
        nv_(system.velocity_size()),
        nw_(system.work_size()),
        rows_(system.constraint_size()),
        size_(nq_ + nv_ + nw_),
        coefficients_(settings.rho_infinity),
        tolerance_(settings.tolerance),
        fixed_step_(settings.step),
        first_step_(settings.first_step),
        max_step_(settings.max_step > 0 ? settings.max_step : std::numeric_limits<double>::infinity()),
        index2_(settings.constraints == "index2"),
        projecting_(settings.constraints == "projection" && system.active_constraints() > 0),
        drift_tolerance_(drift_tolerance(system, settings.tolerance)),
        mass_(system.mass()) {
    system.set_baumgarte(0, 0);
    for (Point* point : {&begin_, &end_}) {
      point->q.setZero(nq_);
      point->v.setZero(nv_);
      point->a.setZero(nv_);
      point->acceleration.setZero(nv_);
      point->lambda.setZero(rows_);
      point->work.setZero(nw_);
      point->rate.setZero(size_);
    }
    previous_rate_.setZero(size_);
    for (auto* vector : {&a0_, &increment_, &load_, &momentum_, &error_}) vector->setZero(nv_);
    residual_.setZero(rows_);
    right_.setZero(nv_ + rows_);
    const Eigen::VectorXd absolute = absolute_tolerances(system, tolerance_);
    velocity_scale_ = absolute.segment(nq_, nv_);
    weight_.setZero(nv_);
  }

  void start(const State& state) override {
    ++statistics_.restarts;
    state_ = state;
    step_begin_ = state.t;
    fresh_ = true;
    has_step_ = false;
  }

  StepOutcome step(double t_limit) override {
    if (!(t_limit > state_.t)) return {};
    if (fresh_) {
      if (!begin(t_limit)) return failure("the equations of motion cannot be solved at the starting point");
    } else if (has_step_) {
      previous_rate_ = begin_.rate;
      previous_step_ = end_.t - begin_.t;
      std::swap(begin_, end_);
    }
    has_step_ = false;
    step_begin_ = state_.t;
    int halvings = 0;
    double shrink = 1;  // of a fixed step, after failures
    for (;;) {
      const double wanted = std::min(step_, max_step_) * shrink;
      const Landing landing = land(begin_.t, wanted, t_limit, fixed_step_ > 0);
      const double t_end = landing.on_limit ? t_limit : begin_.t + landing.h;
      if (landing.h < stub_fraction * wanted) {
        if (!take_stub(t_end)) return failure("the last bit up to the end of the interval was not done");
        publish(t_end);
        return {};
      }
      if (!solve_step(t_end)) {
        ++statistics_.rejected;
        stale_ = true;
        if (++halvings > max_halvings || 0.5 * landing.h < smallest_step(begin_.t, t_limit))
          return failure(
              fmt::format("the Newton iteration does not converge, not even with a step of {:.3g} s", landing.h));
        if (fixed_step_ > 0) {
          shrink *= 0.5;
        } else {
          step_ = 0.5 * landing.h;
        }
        continue;
      }
      if (fixed_step_ <= 0) {
        const double error = error_norm();
        const double factor = 0.9 * std::pow(std::max(error, 1e-6), -0.7 / 3) * std::pow(previous_error_, 0.4 / 3);
        if (!(error <= 1)) {
          ++statistics_.rejected;
          step_ = landing.h * std::clamp(0.9 * std::pow(error, -1.0 / 3), 0.2, 0.8);
          if (step_ < smallest_step(begin_.t, t_limit))
            return failure(fmt::format("no step satisfies the tolerance {:g}", tolerance_));
          continue;
        }
        previous_error_ = std::max(error, 1e-3);
        // The matrix is kept as long as the step stays the same, so small gains are left.
        const double next = factor > 0.9 && factor < 1.2 ? landing.h : landing.h * std::clamp(factor, 0.5, 2.0);
        step_ = landing.h < wanted ? std::max(next, wanted) : next;
      }
      publish(t_end);
      return {};
    }
  }

  const State& state() const override { return state_; }
  double step_begin() const override { return step_begin_; }

  // Cubic Hermite polynomials through both ends with their rates: two orders better than the method.
  void interpolate(double t, State& out) override {
    if (!has_step_) {
      out = state_;
      return;
    }
    const double h = end_.t - begin_.t, x = (t - begin_.t) / h, r = 1 - x;
    const double b0 = r * r * (1 + 2 * x), b1 = x * x * (3 - 2 * x), d0 = h * x * r * r, d1 = -h * x * x * r;
    out.t = t;
    out.q = b0 * begin_.q + b1 * end_.q + d0 * begin_.rate.head(nq_) + d1 * end_.rate.head(nq_);
    out.v = b0 * begin_.v + b1 * end_.v + d0 * begin_.rate.segment(nq_, nv_) + d1 * end_.rate.segment(nq_, nv_);
    out.work = b0 * begin_.work + b1 * end_.work + d0 * begin_.rate.tail(nw_) + d1 * end_.rate.tail(nw_);
    if (nq_ != nv_) system_.normalise(out.q.data());
  }

  bool repeat_step(double t_end) override {
    if (!has_step_ || !(t_end > begin_.t)) return false;
    const bool stub = t_end - begin_.t < stub_fraction * (end_.t - begin_.t);
    if (!(stub ? take_stub(t_end) : solve_step(t_end))) return false;
    show(t_end);
    return true;
  }

 private:
  struct Point {
    double t = 0;
    double step = 1;  // the pseudo-acceleration belongs to steps of this length
    Eigen::VectorXd q, v, a, acceleration, lambda, work;
    Eigen::VectorXd rate;  // of [q, v, work], from the index-1 form
  };

  bool evaluate_rates(Point& point) {
    ++statistics_.evaluations;
    double* rate = point.rate.data();
    return system_.rates(point.t, point.q.data(), point.v.data(), rate, rate + nq_, rate + nq_ + nv_) !=
               SolveStatus::failed &&
           all_finite(rate, size_);
  }

  // Accelerations, and their rates by a short step along the motion: second order from the first step on needs both.
  bool begin(double t_limit) {
    begin_.t = state_.t;
    begin_.q = state_.q;
    begin_.v = state_.v;
    begin_.work = state_.work;
    if (!evaluate_rates(begin_)) return false;
    begin_.lambda = system_.multipliers();
    begin_.acceleration = begin_.rate.segment(nq_, nv_);
    system_.accept(begin_.t, begin_.q.data(), begin_.v.data());

    const double probe = fixed_step_ > 0 ? 0.01 * fixed_step_ : 1e-6;
    increment_ = probe * begin_.v + 0.5 * probe * probe * begin_.acceleration;
    system_.retract(begin_.q.data(), increment_.data(), end_.q.data());
    end_.v = begin_.v + probe * begin_.acceleration;
    end_.t = begin_.t + probe;
    previous_rate_ = begin_.rate;
    if (evaluate_rates(end_)) previous_rate_ -= end_.rate - begin_.rate;
    previous_step_ = probe;
    begin_.a = begin_.acceleration + coefficients_.shift / probe * (begin_.rate - previous_rate_).segment(nq_, nv_);
    begin_.step = 1;
    previous_error_ = 1;
    step_ = fixed_step_ > 0 ? fixed_step_ : choose_first_step(t_limit);
    stale_ = true;
    fresh_ = false;
    return true;
  }

  double choose_first_step(double t_limit) const {
    if (first_step_ > 0) return first_step_;
    const auto weighted = [&](const auto& x) {
      return std::sqrt((x.array() / velocity_scale_.array()).square().mean());
    };
    const double jerk = weighted((begin_.rate - previous_rate_).segment(nq_, nv_) / previous_step_);
    const double acceleration = tolerance_ * weighted(begin_.acceleration);
    double h = std::min(t_limit - begin_.t, max_step_);
    if (jerk > 0) h = std::min(h, 0.5 * std::cbrt(1 / (std::abs(coefficients_.position_error) * jerk)));
    if (acceleration > 0) h = std::min(h, 0.01 / std::sqrt(acceleration));
    return h;
  }

  // From begin_ to end_, a step that ends at t_end. False: not converged; begin_ stands.
  bool solve_step(double t_end) {
    const double h = t_end - begin_.t;
    predict(h, t_end);
    if (!iterate(h)) return false;
    return finish(h);
  }

  void predict(double h, double t_end) {
    const auto& [alpha_m, alpha_f, gamma, beta, shift, c, eq, ev] = coefficients_;
    a0_ = begin_.acceleration + h / begin_.step * (begin_.a - begin_.acceleration);
    end_.t = t_end;
    end_.step = h;
    end_.acceleration = begin_.acceleration + h / previous_step_ * (begin_.rate - previous_rate_).segment(nq_, nv_);
    end_.a = ((1 - alpha_f) * end_.acceleration + alpha_f * begin_.acceleration - alpha_m * a0_) / (1 - alpha_m);
    end_.v = begin_.v + h * ((1 - gamma) * a0_ + gamma * end_.a);
    end_.lambda = begin_.lambda;
    increment_ = h * begin_.v + h * h * ((0.5 - beta) * a0_ + beta * end_.a);
    weight_ = (velocity_scale_ + tolerance_ * end_.v.cwiseAbs()).cwiseInverse();
  }

  // Modified Newton for (v, λ), matrix and residual times h so that they stay of order one for short steps.
  bool iterate(double h) {
    bool fresh_matrix = false, converged = false;
    double last_norm = 0, rate = poor_rate;
    if (stale_ || !matched(h)) {
      if (!renew_matrix(h)) return false;
      fresh_matrix = true;
    }
    for (int iteration = 0, since_renewal = 0; iteration < 2 * max_iterations; ++iteration, ++since_renewal) {
      if (!set_position()) return false;
      residual(h);
      if (converged && largest_gap_ <= drift_tolerance_ && largest_gap_rate_ <= 10 * drift_tolerance_) {
        statistics_.largest_position_drift = std::max(statistics_.largest_position_drift, largest_gap_);
        return true;
      }
      solver_.solve(right_);
      ++statistics_.newton_iterations;
      update(h);
      const double norm = std::sqrt((right_.head(nv_).cwiseProduct(weight_)).squaredNorm() / nv_);
      if (!std::isfinite(norm)) return false;
      if (since_renewal > 0 && norm > 0) rate = norm / last_norm;
      converged = norm * std::min(rate, poor_rate) / (1 - std::min(rate, poor_rate)) <= newton_accuracy;
      if (since_renewal > 0 && rate > good_rate && !converged) stale_ = true;
      if (since_renewal > 0 && !converged && (rate > poor_rate || since_renewal > max_iterations)) {
        if (fresh_matrix && rate > 2) return false;
        if (fresh_matrix && since_renewal > max_iterations) return false;
        if (!fresh_matrix) {
          if (!renew_matrix(h)) return false;
          fresh_matrix = true;
          since_renewal = -1;
        }
      }
      last_norm = norm;
    }
    return false;
  }

  // A matrix made for a step of quite another length would converge slowly where forces are stiff.
  bool matched(double h) const { return std::abs(h - matrix_step_) <= 0.3 * matrix_step_; }

  bool renew_matrix(double h) {
    ++statistics_.factorisations;
    system_.retract(begin_.q.data(), increment_.data(), end_.q.data());
    system_.tangents(end_.t, end_.q.data(), end_.v.data(), end_.lambda, stiffness_, damping_);
    const auto& jacobian = system_.constraint_jacobian(end_.t, end_.q.data());
    matrix_step_ = h;
    stale_ = false;
    return solver_.factor({.mass = coefficients_.acceleration,
                           .damping = h,
                           .stiffness = h * h * coefficients_.beta / coefficients_.gamma},
                          mass_, damping_, stiffness_, jacobian);
  }

  // q₁ from the increment; with index2 moved back onto the constraints.
  bool set_position() {
    system_.retract(begin_.q.data(), increment_.data(), end_.q.data());
    system_.position_residual(end_.t, end_.q.data(), residual_);
    largest_gap_ = residual_.lpNorm<Eigen::Infinity>();
    if (!std::isfinite(largest_gap_)) return false;
    if (!index2_ || largest_gap_ <= 0.1 * drift_tolerance_) return true;
    right_.head(nv_).setZero();
    right_.tail(rows_) = -residual_;
    solver_.solve(right_);
    increment_ += right_.head(nv_);
    system_.retract(begin_.q.data(), increment_.data(), end_.q.data());
    system_.position_residual(end_.t, end_.q.data(), residual_);
    largest_gap_ = residual_.lpNorm<Eigen::Infinity>();
    return std::isfinite(largest_gap_);
  }

  void residual(double h) {
    ++statistics_.evaluations;
    system_.loads(end_.t, end_.q.data(), end_.v.data(), load_);
    momentum_.noalias() = mass_ * end_.acceleration;
    largest_gap_rate_ = 0;
    if (rows_ > 0) {
      if (index2_) {
        system_.velocity_residual(end_.t, end_.q.data(), end_.v.data(), residual_);
        largest_gap_rate_ = residual_.lpNorm<Eigen::Infinity>();
      } else {
        residual_ *= coefficients_.gamma / (h * coefficients_.beta);
      }
      right_.tail(rows_) = -residual_;
      momentum_.noalias() += system_.constraint_jacobian(end_.t, end_.q.data()).transpose() * end_.lambda;
    }
    right_.head(nv_) = h * (load_ - momentum_);
  }

  void update(double h) {
    const auto change = right_.head(nv_);
    end_.v += change;
    end_.acceleration += coefficients_.acceleration / h * change;
    end_.a += 1 / (h * coefficients_.gamma) * change;
    increment_ += h * coefficients_.beta / coefficients_.gamma * change;
    end_.lambda += right_.tail(rows_) / h;
  }

  // Unit quaternions, velocities on their constraints, rates, work.
  bool finish(double h) {
    if (nq_ != nv_) system_.normalise(end_.q.data());
    if (projecting_) {
      ++statistics_.projections;
      const auto projection = system_.project_velocity(end_.t, end_.q.data(), end_.v.data());
      statistics_.largest_velocity_drift = std::max(statistics_.largest_velocity_drift, projection.before);
      if (!projection.converged) return false;
    }
    if (!evaluate_rates(end_)) return false;
    // Parabola through the powers at the last three points.
    const auto p = previous_rate_.tail(nw_), p0 = begin_.rate.tail(nw_), p1 = end_.rate.tail(nw_);
    end_.work = begin_.work + 0.5 * h * (p0 + p1) -
                h * h * h / (6 * (h + previous_step_)) * ((p1 - p0) / h - (p0 - p) / previous_step_);
    return true;
  }

  // Too short for the implicit formula: a Taylor step of second order, which carries the history along unchanged.
  bool take_stub(double t_end) {
    const double h = t_end - begin_.t;
    const auto acceleration = begin_.rate.segment(nq_, nv_);
    error_ = (begin_.rate - previous_rate_).segment(nq_, nv_) / previous_step_;
    increment_ = h * begin_.v + 0.5 * h * h * acceleration;
    end_.t = t_end;
    end_.step = begin_.step;
    end_.v = begin_.v + h * acceleration + 0.5 * h * h * error_;
    system_.retract(begin_.q.data(), increment_.data(), end_.q.data());
    system_.project_position(t_end, end_.q.data(), drift_tolerance_);
    system_.project_velocity(t_end, end_.q.data(), end_.v.data());
    if (!evaluate_rates(end_)) return false;
    error_ = (end_.rate - begin_.rate).segment(nq_, nv_);
    end_.a = begin_.a + error_;
    end_.acceleration = begin_.acceleration + error_;
    end_.lambda = begin_.lambda;
    end_.work = begin_.work + 0.5 * h * (begin_.rate + end_.rate).tail(nw_);
    return true;
  }

  // Leading terms of the local errors, the derivatives of the acceleration from its last three values.
  double error_norm() {
    const auto& c = coefficients_;
    const double h = end_.t - begin_.t;
    error_ = c.position_error * h * h * (end_.rate - begin_.rate).segment(nq_, nv_);
    const double position = error_.cwiseQuotient(velocity_scale_).squaredNorm();
    error_ = 2 * c.velocity_error * h * h * h / (h + previous_step_) *
             ((end_.rate - begin_.rate).segment(nq_, nv_) / h -
              (begin_.rate - previous_rate_).segment(nq_, nv_) / previous_step_);
    const double velocity = error_.cwiseProduct(weight_).squaredNorm();
    return std::sqrt(std::max(position, velocity) / nv_);
  }

  void publish(double t_end) {
    count_step(t_end - begin_.t);
    show(t_end);
  }

  void show(double t_end) {
    has_step_ = true;
    state_.t = t_end;
    state_.q = end_.q;
    state_.v = end_.v;
    state_.work = end_.work;
    system_.accept(t_end, end_.q.data(), end_.v.data());
  }

  StepOutcome failure(const std::string& what) const {
    return {StepStatus::failed,
            fmt::format(
                "generalized-alpha: {} (t = {:.9g} s). Look for forces that are not finite, force laws with kinks or "
                "a singular configuration; a shorter step may help",
                what, state_.t)};
  }

  System& system_;
  const int nq_, nv_, nw_, rows_, size_;
  const Coefficients coefficients_;
  const double tolerance_, fixed_step_, first_step_, max_step_;
  const bool index2_, projecting_;
  const double drift_tolerance_;
  const Eigen::SparseMatrix<double> mass_;

  State state_;
  double step_begin_ = 0, step_ = 0, previous_error_ = 1;
  bool fresh_ = true, has_step_ = false;
  Point begin_, end_;
  Eigen::VectorXd previous_rate_;  // at the point before begin_
  double previous_step_ = 1;       // from there to begin_

  // Newton
  KktSolver solver_;
  Eigen::SparseMatrix<double> stiffness_, damping_;
  double matrix_step_ = 0;
  bool stale_ = true;
  double largest_gap_ = 0, largest_gap_rate_ = 0;
  Eigen::VectorXd a0_, increment_, load_, momentum_, residual_, right_, weight_;

  Eigen::VectorXd velocity_scale_, error_;
};

std::unique_ptr<Integrator> make(System& system, const SolverSettings& settings) {
  return std::make_unique<GeneralizedAlpha>(system, settings);
}

}  // namespace

IntegratorDescription describe_generalized_alpha() {
  return {
      {.name = "generalized-alpha",
       .summary = "Implicit method of second order on the Lie group of the positions with numerical damping by "
                  "rho_infinity; constraints exact at position level (projection: velocities projected; index2: both "
                  "levels in each step). Fixed steps when a step is given, else chosen by a local error estimate.",
       .reference =
           "Arnold and Brüls, Multibody Syst. Dyn. 18 (2007) 185–202; Brüls, Cardona, Arnold, Mech. Mach. Theory "
           "48 (2012) 121–137; scaling: Bottasso, Dopico, Trainelli, Multibody Syst. Dyn. 19 (2008) 3–20"},
      {"projection", "index2"},
      make};
}

}  // namespace carom
