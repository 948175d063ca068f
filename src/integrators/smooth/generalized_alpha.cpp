#include <fmt/format.h>

#include "integrators/smooth/alpha_step.h"
#include "integrators/smooth/smooth_integrator.h"
#include "integrators/smooth/step_control.h"

namespace carom::inline smooth_integrators {
namespace {

constexpr int max_halvings = 12;
constexpr double stub_fraction =
    1e-3;  // of the usual step; below, the division of g by h² would lose the accelerations

class GeneralizedAlpha final : public SmoothIntegrator {
 public:
  GeneralizedAlpha(System& system, const SolverSettings& settings)
      : SmoothIntegrator(system, settings),
        rows_(system.constraint_size()),
        size_(nq_ + nv_ + nw_ + nz_),
        velocity_scale_(absolute_tolerances(system, settings.tolerance).segment(nq_, nv_)),
        step_equations_(
            system, settings, AlphaCoefficients(settings.rho_infinity),
            settings.constraints == ConstraintTreatment::index2 ? AlphaStep::Level::both : AlphaStep::Level::position,
            statistics_),
        coefficients_(step_equations_.coefficients()) {
    for (AlphaPoint* point : {&begin_, &end_}) {
      point->q.setZero(nq_);
      point->v.setZero(nv_);
      point->a.setZero(nv_);
      point->acceleration.setZero(nv_);
      point->lambda.setZero(rows_);
      point->work.setZero(nw_);
      point->rate.setZero(size_);
      point->internal.setZero(nz_);
    }
    internal_base_.setZero(nz_);
    previous_rate_.setZero(size_);
    for (auto* vector : {&jerk_, &increment_, &error_}) vector->setZero(nv_);
  }

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
    out.work = b0 * begin_.work + b1 * end_.work + d0 * powers(begin_.rate) + d1 * powers(end_.rate);
    out.internal = b0 * begin_.internal + b1 * end_.internal + d0 * begin_.rate.tail(nz_) + d1 * end_.rate.tail(nz_);
    if (nq_ != nv_) system_.normalise(out.q.data());
  }

  int degree() const override { return 3; }
  void controls(int first, int count, double* out) const override {
    if (!has_step_) {
      for (int k = 0; k <= 3; ++k) std::copy_n(state_.q.data() + first, count, out + k * count);
      return;
    }
    const double third = (end_.t - begin_.t) / 3;
    for (int i = 0; i < count; ++i, ++out) {
      const int e = first + i;
      out[0] = begin_.q[e];
      out[count] = begin_.q[e] + third * begin_.rate[e];
      out[2 * count] = end_.q[e] - third * end_.rate[e];
      out[3 * count] = end_.q[e];
    }
  }

  bool can_repeat() const override { return true; }

  bool repeat_step(double t_end) override {
    if (!has_step_ || !(t_end > begin_.t)) return false;
    const bool stub = t_end - begin_.t < stub_fraction * (end_.t - begin_.t);
    if (!(stub ? take_stub(t_end) : solve_step(t_end))) return false;
    show(t_end);
    return true;
  }

 private:
  StepOutcome advance(double t_limit) override {
    if (fresh_) {
      if (!begin(t_limit)) return failure("the equations of motion cannot be solved at the starting point");
    } else if (has_step_) {
      move_on();
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
        step_equations_.forget_matrix();
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

  Eigen::VectorXd::ConstSegmentReturnType powers(const Eigen::VectorXd& rate) const {
    return rate.segment(nq_ + nv_, nw_);
  }

  bool evaluate_rates(AlphaPoint& point) {
    ++statistics_.evaluations;
    double* rate = point.rate.data();
    double* const work = rate + nq_ + nv_;
    if (nz_ > 0) system_.set_internal(point.internal.data());
    return system_.rates(point.t, point.q.data(), point.v.data(), rate, rate + nq_, work,
                         nz_ > 0 ? work + nw_ : nullptr) != SolveStatus::failed &&
           all_finite(rate, size_);
  }

  // Accelerations, and their rates by a short step along the motion: second order from the first step on needs both.
  bool begin(double t_limit) {
    begin_.t = state_.t;
    begin_.q = state_.q;
    begin_.v = state_.v;
    begin_.work = state_.work;
    begin_.internal = state_.internal;
    if (!evaluate_rates(begin_)) return false;
    begin_.lambda = system_.multipliers(begin_.t, begin_.q.data(), begin_.v.data());
    begin_.acceleration = begin_.rate.segment(nq_, nv_);
    system_.accept(begin_.t, begin_.q.data(), begin_.v.data());

    const double probe = fixed_step_ > 0 ? 0.01 * fixed_step_ : 1e-6;
    increment_ = probe * begin_.v + 0.5 * probe * probe * begin_.acceleration;
    system_.retract(begin_.q.data(), increment_.data(), end_.q.data());
    end_.v = begin_.v + probe * begin_.acceleration;
    end_.internal = begin_.internal + probe * begin_.rate.tail(nz_);
    end_.t = begin_.t + probe;
    previous_rate_ = begin_.rate;
    if (evaluate_rates(end_)) previous_rate_ -= end_.rate - begin_.rate;
    previous_step_ = probe;
    estimate_jerk();
    begin_.a = begin_.acceleration + coefficients_.shift * jerk_;
    begin_.step = 1;
    previous_error_ = 1;
    step_ = fixed_step_ > 0 ? fixed_step_ : choose_first_step(t_limit);
    step_equations_.forget_matrix();
    fresh_ = false;
    return true;
  }

  // The end of the last step becomes the beginning of the next.
  void move_on() {
    if (end_is_stub_) {
      previous_step_ += end_.t - begin_.t;  // differences over a stub would be rounding only
    } else {
      previous_rate_ = begin_.rate;
      previous_step_ = end_.t - begin_.t;
    }
    std::swap(begin_, end_);
    estimate_jerk();
  }

  void estimate_jerk() { jerk_ = (begin_.rate - previous_rate_).segment(nq_, nv_) / previous_step_; }

  double choose_first_step(double t_limit) const {
    if (first_step_ > 0) return first_step_;
    const auto weighted = [&](const auto& x) {
      return std::sqrt((x.array() / velocity_scale_.array()).square().mean());
    };
    const double jerk = weighted(jerk_);
    const double acceleration = tolerance_ * weighted(begin_.acceleration);
    double h = std::min(t_limit - begin_.t, max_step_);
    if (jerk > 0) h = std::min(h, 0.5 * std::cbrt(1 / (std::abs(coefficients_.position_error) * jerk)));
    if (acceleration > 0) h = std::min(h, 0.01 / std::sqrt(acceleration));
    return h;
  }

  // From begin_ to end_, a step that ends at t_end. False: not converged; begin_ stands.
  bool solve_step(double t_end) {
    end_is_stub_ = false;
    follow_internal(t_end - begin_.t);
    const bool solved = step_equations_.solve(begin_, end_, jerk_, t_end);
    stop_following();
    return solved && finish(t_end - begin_.t);
  }

  // States of signals by the trapezoidal rule, solved together with the motion.
  void follow_internal(double h) {
    if (nz_ == 0) return;
    internal_base_ = begin_.internal + 0.5 * h * begin_.rate.tail(nz_);
    system_.set_internal(begin_.internal.data());
    system_.follow_internal(internal_base_.data(), 0.5 * h);
  }
  void stop_following() {
    if (nz_ == 0) return;
    system_.present_internal(end_.internal.data());
    system_.follow_internal(nullptr, 0);
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
    const auto p = powers(previous_rate_), p0 = powers(begin_.rate), p1 = powers(end_.rate);
    end_.work = begin_.work + 0.5 * h * (p0 + p1) -
                h * h * h / (6 * (h + previous_step_)) * ((p1 - p0) / h - (p0 - p) / previous_step_);
    return true;
  }

  // Too short for the implicit formula: a Taylor step of second order, which carries the history along unchanged.
  bool take_stub(double t_end) {
    end_is_stub_ = true;
    const double h = t_end - begin_.t;
    const auto acceleration = begin_.rate.segment(nq_, nv_);
    increment_ = h * begin_.v + 0.5 * h * h * acceleration;
    end_.t = t_end;
    end_.step = begin_.step;
    end_.v = begin_.v + h * acceleration + 0.5 * h * h * jerk_;
    system_.retract(begin_.q.data(), increment_.data(), end_.q.data());
    end_.internal = begin_.internal + h * begin_.rate.tail(nz_);
    if (nz_ > 0) system_.set_internal(end_.internal.data());
    system_.project_position(t_end, end_.q.data(), drift_tolerance_);
    system_.project_velocity(t_end, end_.q.data(), end_.v.data());
    if (!evaluate_rates(end_)) return false;
    end_.internal = begin_.internal + 0.5 * h * (begin_.rate + end_.rate).tail(nz_);
    error_ = (end_.rate - begin_.rate).segment(nq_, nv_);
    end_.a = begin_.a + error_;
    end_.acceleration = begin_.acceleration + error_;
    end_.lambda = begin_.lambda;
    end_.work = begin_.work + 0.5 * h * powers(begin_.rate + end_.rate);
    return true;
  }

  // Leading terms of the local errors, the derivatives of the acceleration from its last three values. The absolute
  // scale of a velocity entry, per second, serves its position entry too.
  double error_norm() {
    const auto& c = coefficients_;
    const double h = end_.t - begin_.t;
    error_ = c.position_error * h * h * (end_.rate - begin_.rate).segment(nq_, nv_);
    const double position = error_.cwiseQuotient(velocity_scale_).squaredNorm();
    error_ = 2 * c.velocity_error * h * h * h / (h + previous_step_) *
             ((end_.rate - begin_.rate).segment(nq_, nv_) / h - jerk_);
    const double velocity =
        (error_.array() / (velocity_scale_.array() + tolerance_ * end_.v.array().abs())).square().sum();
    return std::max(std::sqrt(std::max(position, velocity) / nv_), internal_error(h));
  }

  // That of the trapezoidal rule, h³/12 z‴.
  double internal_error(double h) const {
    if (nz_ == 0) return 0;
    const auto z = previous_rate_.tail(nz_), z0 = begin_.rate.tail(nz_), z1 = end_.rate.tail(nz_);
    const Eigen::ArrayXd error =
        h * h * h / (6 * (h + previous_step_)) * ((z1 - z0) / h - (z0 - z) / previous_step_).array();
    const Eigen::ArrayXd scale = tolerance_ * (signal_scale + end_.internal.array().abs());
    return std::sqrt((error / scale).square().mean());
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
    state_.internal = end_.internal;
    system_.accept(t_end, end_.q.data(), end_.v.data());
  }

  StepOutcome failure(const std::string& what) {
    return fail(
        "generalized-alpha", what,
        "Look for forces that are not finite, force laws with breakpoints or a singular configuration; a shorter step "
        "may help");
  }

  const int rows_, size_;
  const Eigen::VectorXd velocity_scale_;

  double step_ = 0, previous_error_ = 1;
  bool end_is_stub_ = false;
  AlphaPoint begin_, end_;
  Eigen::VectorXd previous_rate_;  // at the point before begin_
  double previous_step_ = 1;       // from there to begin_

  Eigen::VectorXd internal_base_;
  Eigen::VectorXd jerk_;  // at begin_, from these two
  Eigen::VectorXd increment_, error_;

  AlphaStep step_equations_;
  const AlphaCoefficients& coefficients_;
};

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
      {ConstraintTreatment::projection, ConstraintTreatment::index2},
      make_smooth<GeneralizedAlpha>,
      false};
}

}  // namespace carom::inline smooth_integrators
