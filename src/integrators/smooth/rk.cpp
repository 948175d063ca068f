#include <array>

#include <fmt/format.h>

#include "integrators/smooth/smooth_integrator.h"
#include "integrators/smooth/step_control.h"
#include "integrators/smooth/weighted_sum.h"

namespace carom::inline smooth_integrators {
namespace {

// Tableau of Dormand and Prince, order 5(4), seven stages, the last one being the first of the next step.
namespace tableau {
constexpr double c2 = 0.2, c3 = 0.3, c4 = 0.8, c5 = 8.0 / 9;
constexpr double a21 = 0.2, a31 = 3.0 / 40, a32 = 9.0 / 40, a41 = 44.0 / 45, a42 = -56.0 / 15, a43 = 32.0 / 9,
                 a51 = 19372.0 / 6561, a52 = -25360.0 / 2187, a53 = 64448.0 / 6561, a54 = -212.0 / 729,
                 a61 = 9017.0 / 3168, a62 = -355.0 / 33, a63 = 46732.0 / 5247, a64 = 49.0 / 176, a65 = -5103.0 / 18656;
constexpr double b1 = 35.0 / 384, b3 = 500.0 / 1113, b4 = 125.0 / 192, b5 = -2187.0 / 6784, b6 = 11.0 / 84;
// difference of the two formulas
constexpr double e1 = 71.0 / 57600, e3 = -71.0 / 16695, e4 = 71.0 / 1920, e5 = -17253.0 / 339200, e6 = 22.0 / 525,
                 e7 = -1.0 / 40;
// dense output of order 4 (Hairer, Nørsett, Wanner, II.6)
constexpr double d1 = -12715105075.0 / 11282082432, d3 = 87487479700.0 / 32700410799, d4 = -10690763975.0 / 1880347072,
                 d5 = 701980252875.0 / 199316789632, d6 = -1453857185.0 / 822651844, d7 = 69997945.0 / 29380423;
}  // namespace tableau

// Step controller (Gustafsson; Hairer's constants).
constexpr double safety = 0.9, integral_part = 0.04, smallest_factor = 0.2, largest_factor = 10;
constexpr int max_attempts = 60;
// A correction of the drift smaller than this, in units of the tolerance, leaves the first stage of the next step as it
// is.
constexpr double negligible_correction = 0.1;

// Stages and states share one layout y = [q, v, work, internal], padded to an even length so that packed arithmetic has
// no remainder.
class DormandPrince final : public SmoothIntegrator {
 public:
  DormandPrince(System& system, const SolverSettings& settings)
      : SmoothIntegrator(system, settings),
        all_(even(nq_ + nv_ + nw_ + nz_)),
        moving_(nz_ > 0 ? all_ : even(nq_ + nv_)) {
    for (auto* vector : {&y0_, &y1_, &stage_, &error_, &k1_, &k2_, &k3_, &k4_, &k5_, &k6_, &k7_}) vector->setZero(all_);
    for (auto& vector : dense_) vector.setZero(all_);
    residual_.setZero(system.constraint_size());
    absolute_.setOnes(all_);
  }

  void start(const State& state) override {
    SmoothIntegrator::start(state);
    y0_.segment(0, nq_) = state.q;
    y0_.segment(nq_, nv_) = state.v;
    y0_.segment(nq_ + nv_, nw_) = state.work;
    y0_.segment(nq_ + nv_ + nw_, nz_) = state.internal;
    step_ = 0;
    previous_error_ = 1e-4;
  }

  void interpolate(double t, State& out) override {
    if (!has_step_) {
      out = state_;
      return;
    }
    if (!dense_ready_) prepare_dense_output();
    const double theta = (t - step_begin_) / (state_.t - step_begin_), rest = 1 - theta;
    error_ = y0_ + theta * (dense_[0] + rest * (dense_[1] + theta * (dense_[2] + rest * dense_[3])));
    out.t = t;
    out.q = error_.segment(0, nq_);
    out.v = error_.segment(nq_, nv_);
    out.work = error_.segment(nq_ + nv_, nw_);
    out.internal = error_.segment(nq_ + nv_ + nw_, nz_);
    if (nq_ != nv_) system_.normalise(out.q.data());
  }

  // y₀ + θ d₀ + θ r d₁ + θ² r d₂ + θ² r² d₃ with r = 1 − θ, in Bernstein's polynomials.
  int degree() const override { return 4; }
  void controls(int first, int count, double* out) const override {
    using namespace tableau;
    if (!has_step_) {
      for (int k = 0; k <= 4; ++k) std::copy_n(state_.q.data() + first, count, out + k * count);
      return;
    }
    const double h = state_.t - step_begin_;
    for (int i = 0; i < count; ++i, ++out) {
      const int e = first + i;
      const double y0 = y0_[e], y1 = y1_[e], k1 = h * k1_[e], k7 = h * k7_[e];
      const double bend = h * (d1 * k1_[e] + d3 * k3_[e] + d4 * k4_[e] + d5 * k5_[e] + d6 * k6_[e] + d7 * k7_[e]);
      out[0] = y0;
      out[count] = y0 + k1 / 4;
      out[2 * count] = 0.5 * (y0 + y1) + (k1 - k7 + bend) / 6;
      out[3 * count] = y1 - k7 / 4;
      out[4 * count] = y1;
    }
  }

  bool can_repeat() const override { return true; }

  bool repeat_step(double t_end) override {
    if (!has_step_ || !(t_end > step_begin_)) return false;
    if (!take_stages(step_begin_, t_end - step_begin_, t_end) || !finish_step(t_end)) return false;
    publish(t_end);
    return true;
  }

 private:
  StepOutcome advance(double t_limit) override {
    if (fresh_) {
      if (!begin()) return failure("the equations of motion cannot be solved at the starting point");
    } else if (has_step_) {  // the end of the last step is the beginning of this one
      y0_.swap(y1_);
      k1_.swap(k7_);
      has_step_ = false;
    }
    const double t = state_.t;
    step_begin_ = t;
    if (!(step_ > 0)) step_ = fixed_step_ > 0 ? fixed_step_ : choose_first_step(t_limit);
    bool rejected_before = false;
    for (int attempt = 0; attempt < max_attempts; ++attempt) {
      const double wanted = std::min(step_, max_step_);
      const Landing landing = land(t, wanted, t_limit, fixed_step_ > 0);
      const double h = landing.h, t_end = landing.on_limit ? t_limit : t + h;
      const bool solved = take_stages(t, h, t_end);
      const double error = !solved ? std::numeric_limits<double>::infinity() : fixed_step_ > 0 ? 0 : error_norm(h);
      if (error <= 1 && finish_step(t_end)) {
        accept(t_end, h);
        if (fixed_step_ > 0) return {};
        double next = h / controlled_factor(error);
        if (rejected_before) next = std::min(next, h);
        step_ = h < wanted ? std::max(next, wanted) : next;  // a step cut short says nothing against longer ones
        previous_error_ = std::max(error, 1e-4);
        return {};
      }
      ++statistics_.rejected;
      rejected_before = true;
      if (fixed_step_ > 0) return failure("the equations of motion cannot be solved with this fixed step");
      const bool usable = std::isfinite(error) && error > 1;
      step_ = h * (usable ? std::max(smallest_factor, safety / std::pow(error, 0.2 - 0.75 * integral_part)) : 0.25);
      if (step_ < smallest_step(t, t_limit)) break;
    }
    return failure(
        fmt::format("no step satisfies the tolerance {:g}; the last one tried was {:.3g} s", tolerance_, step_));
  }

  using Aligned = Eigen::Map<Eigen::ArrayXd, Eigen::Aligned16>;
  static int even(int n) { return n + n % 2; }
  Aligned all(Eigen::ArrayXd& y) const { return {y.data(), all_}; }

  bool evaluate(double t, const Eigen::ArrayXd& y, Eigen::ArrayXd& k) {
    ++statistics_.evaluations;
    const double* q = y.data();
    double* rate = k.data();
    const int work = nq_ + nv_, internal = work + nw_;
    if (nz_ > 0) system_.set_internal(q + internal);
    double* internal_rate = nz_ > 0 ? rate + internal : nullptr;
    return system_.rates(t, q, q + nq_, rate, rate + nq_, rate + work, internal_rate) != SolveStatus::failed;
  }

  bool begin() {
    absolute_.head(nq_ + nv_ + nw_ + nz_) =
        absolute_tolerances(system_, tolerance_, system_.energy(state_.t, state_.q.data(), state_.v.data()).kinetic);
    if (!evaluate(state_.t, y0_, k1_) || !all_finite(k1_.data(), all_)) return false;
    system_.accept(state_.t, state_.q.data(), state_.v.data());
    fresh_ = false;
    return true;
  }

  // Hairer, Nørsett, Wanner, II.4: from the first and an estimate of the second derivative.
  double choose_first_step(double t_limit) {
    if (first_step_ > 0) return first_step_;
    const auto weighted = [&](const Eigen::ArrayXd& y) {
      return std::sqrt((y / (absolute_ + tolerance_ * y0_.abs())).square().mean());
    };
    const double size = weighted(y0_), rate = weighted(k1_);
    double h = size > 1e-5 && rate > 1e-5 ? 0.01 * size / rate : 1e-6;
    h = std::min({h, t_limit - state_.t, max_step_});
    stage_ = y0_ + h * k1_;
    if (!evaluate(state_.t + h, stage_, k2_) || !all_finite(k2_.data(), all_)) return 1e-3 * h;
    const double curvature = weighted(k2_ - k1_) / h, largest = std::max(rate, curvature);
    const double by_error = largest > 1e-15 ? std::pow(0.01 / largest, 0.2) : std::max(1e-6, 1e-3 * h);
    return std::min({100 * h, by_error, t_limit - state_.t, max_step_});
  }

  // The work does not act back on the motion: it is summed up once, at the end.
  bool take_stages(double t, double h, double t_end) {
    using namespace tableau;
    const Weighted y = {1, y0_.data()};
    const auto k1 = [&](double a) { return Weighted{h * a, k1_.data()}; };
    const auto k2 = [&](double a) { return Weighted{h * a, k2_.data()}; };
    const auto k3 = [&](double a) { return Weighted{h * a, k3_.data()}; };
    const auto k4 = [&](double a) { return Weighted{h * a, k4_.data()}; };
    const auto k5 = [&](double a) { return Weighted{h * a, k5_.data()}; };
    const auto k6 = [&](double a) { return Weighted{h * a, k6_.data()}; };
    double* const s = stage_.data();
    weighted_sum(moving_, {y, k1(a21)}, s);
    if (!evaluate(t + c2 * h, stage_, k2_)) return false;
    weighted_sum(moving_, {y, k1(a31), k2(a32)}, s);
    if (!evaluate(t + c3 * h, stage_, k3_)) return false;
    weighted_sum(moving_, {y, k1(a41), k2(a42), k3(a43)}, s);
    if (!evaluate(t + c4 * h, stage_, k4_)) return false;
    weighted_sum(moving_, {y, k1(a51), k2(a52), k3(a53), k4(a54)}, s);
    if (!evaluate(t + c5 * h, stage_, k5_)) return false;
    weighted_sum(moving_, {y, k1(a61), k2(a62), k3(a63), k4(a64), k5(a65)}, s);
    if (!evaluate(t_end, stage_, k6_)) return false;
    weighted_sum(all_, {y, k1(b1), k3(b3), k4(b4), k5(b5), k6(b6)}, y1_.data());
    if (!evaluate(t_end, y1_, k7_)) return false;
    return all_finite(k7_.data(), all_);
  }

  double error_norm(double h) {
    using namespace tableau;
    weighted_sum(
        all_,
        {{e1, k1_.data()}, {e3, k3_.data()}, {e4, k4_.data()}, {e5, k5_.data()}, {e6, k6_.data()}, {e7, k7_.data()}},
        error_.data());
    const double sum =
        ((h * all(error_)) / (all(absolute_) + tolerance_ * all(y0_).abs().max(all(y1_).abs()))).square().sum();
    return std::sqrt(sum / (nq_ + nv_ + nw_ + nz_));
  }

  double controlled_factor(double error) const {
    const double factor = std::pow(error, 0.2 - 0.75 * integral_part) / std::pow(previous_error_, integral_part);
    return std::clamp(factor / safety, 1 / largest_factor, 1 / smallest_factor);
  }

  // Unit quaternions and constraints at the end of the step; false when they cannot be restored.
  bool finish_step(double t) {
    double* q = y1_.data();
    const bool quaternions = nq_ != nv_;
    bool corrected = quaternions;
    if (corrected) stage_ = y1_;
    if (quaternions) system_.normalise(q);
    if (projecting_) {
      if (nz_ > 0) system_.set_internal(q + nq_ + nv_ + nw_);
      system_.position_residual(t, q, residual_);
      const double drift = residual_.lpNorm<Eigen::Infinity>();
      statistics_.largest_position_drift = std::max(statistics_.largest_position_drift, drift);
      if (!(drift <= drift_tolerance_)) {
        if (!corrected) stage_ = y1_;
        corrected = true;
        if (!project(t, q)) return false;
      }
    }
    if (!corrected) return true;
    all(error_) = (all(y1_) - all(stage_)) / (all(absolute_) + tolerance_ * all(y1_).abs());
    if (all(error_).square().sum() <= (nq_ + nv_) * negligible_correction * negligible_correction) return true;
    return evaluate(t, y1_, k7_) && all_finite(k7_.data(), all_);
  }

  bool project(double t, double* q) {
    ++statistics_.projections;
    if (!system_.project_position(t, q, drift_tolerance_).converged) return false;
    const auto velocity = system_.project_velocity(t, q, q + nq_);
    statistics_.largest_velocity_drift = std::max(statistics_.largest_velocity_drift, velocity.before);
    return velocity.converged;
  }

  void accept(double t_end, double h) {
    publish(t_end);
    count_step(h);
  }

  void publish(double t_end) {
    has_step_ = true;
    dense_ready_ = false;
    state_.t = t_end;
    state_.q = y1_.segment(0, nq_);
    state_.v = y1_.segment(nq_, nv_);
    state_.work = y1_.segment(nq_ + nv_, nw_);
    state_.internal = y1_.segment(nq_ + nv_ + nw_, nz_);
    system_.accept(t_end, y1_.data(), y1_.data() + nq_);
  }

  void prepare_dense_output() {
    using namespace tableau;
    const double h = state_.t - step_begin_;
    dense_[0] = y1_ - y0_;
    dense_[1] = h * k1_ - dense_[0];
    dense_[2] = dense_[0] - h * k7_ - dense_[1];
    dense_[3] = h * (d1 * k1_ + d3 * k3_ + d4 * k4_ + d5 * k5_ + d6 * k6_ + d7 * k7_);
    dense_ready_ = true;
  }

  StepOutcome failure(const std::string& what) {
    return fail("rk", what,
                "Look for forces that are not finite, a singular configuration or motion too stiff for an explicit "
                "method; a stiff system needs bdf or generalized-alpha");
  }

  const int all_, moving_;
  double step_ = 0, previous_error_ = 1e-4;
  bool dense_ready_ = false;

  Eigen::ArrayXd y0_, y1_, stage_, error_, absolute_;
  Eigen::ArrayXd k1_, k2_, k3_, k4_, k5_, k6_, k7_;
  std::array<Eigen::ArrayXd, 4> dense_;
  Eigen::VectorXd residual_;
};

}  // namespace

IntegratorDescription describe_rk() {
  return {
      {.name = "rk",
       .summary = "Explicit Runge–Kutta method of order 5 with error control by an embedded one of order 4 and dense "
                  "output; for motion that is not stiff and for frequent events. Fixed steps when a step is given.",
       .reference = "Dormand and Prince, J. Comput. Appl. Math. 6 (1980) 19–26; Hairer, Nørsett, Wanner, Solving "
                    "Ordinary Differential Equations I, 1993, sec. II.4–II.6"},
      {ConstraintTreatment::projection, ConstraintTreatment::baumgarte},
      make_smooth<DormandPrince>};
}

}  // namespace carom::inline smooth_integrators
