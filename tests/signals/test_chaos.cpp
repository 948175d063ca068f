#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "signals/chaos.h"

namespace carom {
namespace {

constexpr double sigma = 10, rho = 28, beta = 8.0 / 3;

void lorenz(std::span<const double> x, std::span<double> rates) {
  rates[0] = sigma * (x[1] - x[0]);
  rates[1] = x[0] * (rho - x[2]) - x[1];
  rates[2] = x[0] * x[1] - beta * x[2];
}

void lorenz_tangent(std::span<const double> x, std::span<const double> d, std::span<double> rates) {
  rates[0] = sigma * (d[1] - d[0]);
  rates[1] = d[0] * (rho - x[2]) - x[0] * d[2] - d[1];
  rates[2] = d[0] * x[1] + x[0] * d[1] - beta * d[2];
}

// 0.9056: J. C. Sprott, Chaos and Time-Series Analysis (2003).
TEST(Lyapunov, LorenzByBothMethods) {
  const LyapunovSettings settings = {.interval = 0.5, .transient = 100, .count = 6000};
  const LyapunovEstimate separated = lyapunov_by_separation(smooth_flow(lorenz, 0.01), {1, 1, 20}, settings);
  const LyapunovEstimate varied =
      lyapunov_by_variation(smooth_tangent_flow(lorenz, lorenz_tangent, 0.01), {1, 1, 20}, settings);
  EXPECT_NEAR(separated.exponent, 0.9056, 0.02 * 0.9056);
  EXPECT_NEAR(varied.exponent, 0.9056, 0.02 * 0.9056);
  EXPECT_LT(separated.error, 0.02);
}

// Damped driven pendulum φ'' + φ'/q + sin φ = g cos(ω t); the phase of the drive is the third entry.
struct Pendulum {
  double g = 0, q = 2, omega = 2.0 / 3;
  void operator()(std::span<const double> x, std::span<double> rates) const {
    rates[0] = x[1];
    rates[1] = -x[1] / q - std::sin(x[0]) + g * std::cos(x[2]);
    rates[2] = omega;
  }
  void tangent(std::span<const double> x, std::span<const double> d, std::span<double> rates) const {
    rates[0] = d[1];
    rates[1] = -d[1] / q - std::cos(x[0]) * d[0] - g * std::sin(x[2]) * d[2];
    rates[2] = 0;
  }
};

// A weakly driven one has two complex multipliers, each with half of the damping: the largest exponent but for the
// phase, which neither grows nor shrinks and is not disturbed here.
TEST(Lyapunov, WeaklyDrivenPendulumShrinksAsItsDamping) {
  const Pendulum pendulum = {.g = 0.2};
  const LyapunovEstimate estimate =
      lyapunov_by_variation(smooth_tangent_flow(
                                pendulum, [&](auto x, auto d, auto r) { pendulum.tangent(x, d, r); }, 0.02),
                            {0.1, 0, 0}, {.interval = 3, .transient = 50, .count = 2000});
  EXPECT_NEAR(estimate.exponent, -0.25, 0.02 * 0.25);
}

TEST(Lyapunov, HardDrivenPendulumIsChaoticByBothMethods) {
  const Pendulum pendulum = {.g = 1.5};
  const LyapunovSettings settings = {.interval = 3, .transient = 100, .count = 8000};
  const double separated = lyapunov_by_separation(smooth_flow(pendulum, 0.05), {0.1, 0, 0}, settings).exponent;
  const double varied =
      lyapunov_by_variation(smooth_tangent_flow(
                                pendulum, [&](auto x, auto d, auto r) { pendulum.tangent(x, d, r); }, 0.05),
                            {0.1, 0, 0}, settings)
          .exponent;
  EXPECT_GT(varied, 0.1);
  EXPECT_NEAR(separated / varied, 1, 0.03);
}

// A ball that bounces high on a vibrating table: phase and speed of the n-th bounce (P. J. Holmes, J. Sound Vib. 84
// (1982) 173–189), φ' = φ + v, v' = α v − γ cos(φ + v).
struct BouncingBall {
  double alpha = 0.8, gamma = 0;
  // Period one is stable until here.
  double doubling() const {
    const double pi = std::numbers::pi;
    return 2 * std::sqrt(pi * pi * (1 - alpha) * (1 - alpha) + (1 + alpha) * (1 + alpha));
  }
  void operator()(std::vector<double>& state, double) const {
    state[0] += state[1];
    state[1] = alpha * state[1] - gamma * std::cos(state[0]);
  }
  // From the stable bounce with one impact a vibration: v = 2π, cos φ = −2π(1 − α)/γ, sin φ < 0.
  std::vector<double> start() const {
    return {0.01 - std::acos(-2 * std::numbers::pi * (1 - alpha) / gamma), 2 * std::numbers::pi};
  }
  std::vector<double> speeds(std::size_t count) const {
    std::vector<double> state = start(), result;
    for (int k = 0; k < 2000; ++k) (*this)(state, 1);
    for (std::size_t k = 0; k < count; ++k) {
      (*this)(state, 1);
      result.push_back(state[1]);
    }
    return result;
  }
};

TEST(BouncingBall, DoublesItsPeriodAtThePublishedThreshold) {
  const double threshold = BouncingBall{}.doubling();
  const MotionVerdict below =
      classify_motion(BouncingBall{.gamma = 0.99 * threshold}.speeds(400), 2 * std::numbers::pi);
  const MotionVerdict above =
      classify_motion(BouncingBall{.gamma = 1.01 * threshold}.speeds(400), 2 * std::numbers::pi);
  EXPECT_EQ(below.kind, MotionKind::periodic);
  EXPECT_EQ(below.period, 1u);
  EXPECT_EQ(above.kind, MotionKind::periodic);
  EXPECT_EQ(above.period, 2u);
}

// The determinant of the map is α, and the multipliers are complex well inside the stable range.
TEST(BouncingBall, ShrinksByTheRootOfRestitution) {
  const BouncingBall ball = {.gamma = 2};
  const LyapunovEstimate estimate =
      lyapunov_by_separation(ball, ball.start(), {.interval = 1, .transient = 300, .count = 20000});
  EXPECT_NEAR(estimate.exponent, 0.5 * std::log(ball.alpha), 0.02 * 0.5 * std::abs(std::log(ball.alpha)));
}

TEST(BouncingBall, IsChaoticWhenShakenHard) {
  const BouncingBall ball = {.alpha = 0.5, .gamma = 10};
  EXPECT_GT(lyapunov_by_separation(ball, ball.start(), {.interval = 1, .transient = 100, .count = 5000}).exponent, 0.5);
  const MotionVerdict verdict = classify_motion(ball.speeds(1000), 20);
  EXPECT_EQ(verdict.kind, MotionKind::chaotic);
  EXPECT_NE(verdict.evidence().find("0–1 test"), std::string::npos);
}

// The logistic map: chaotic at 3.97, of period 3 at 3.83 (Gottwald and Melbourne 2009).
std::vector<double> logistic(double mu) {
  std::vector<double> series;
  double x = 0.3;
  for (int k = 0; k < 3000; ++k) {
    x = mu * x * (1 - x);
    if (k >= 1000) series.push_back(x);
  }
  return series;
}

TEST(ZeroOneTest, TellsChaosFromOrder) {
  EXPECT_GT(zero_one_test(logistic(3.97)), 0.95);
  EXPECT_LT(std::abs(zero_one_test(logistic(3.83))), 0.1);
  EXPECT_EQ(zero_one_test(std::vector<double>(100, 2.0)), 0);
  // Too few to tell: a periodic one with some noise would look chaotic.
  const std::vector<double> chaotic = logistic(3.97);
  EXPECT_TRUE(std::isnan(zero_one_test(std::span(chaotic).first(99))));
  EXPECT_EQ(classify_motion(std::span(chaotic).first(99), 1).kind, MotionKind::unclear);
}

TEST(Classification, KnowsTwoTones) {
  std::vector<double> points;
  for (int k = 0; k < 1000; ++k) points.push_back(std::sin(k * std::numbers::sqrt2) + 0.5 * std::cos(k * 0.3));
  const MotionVerdict verdict = classify_motion(points, 3);
  EXPECT_EQ(verdict.kind, MotionKind::quasi_periodic) << verdict.evidence();
}

}  // namespace
}  // namespace carom
