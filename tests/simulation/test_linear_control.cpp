#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "control_models.h"

// Linear models for the design of a control.
namespace carom {
namespace {

class LinearControl : public ControlRuns {};

const std::string pushed_cart = cart_on_rail + "[[signal]]\nname = \"push\"\ntype = \"held\"\nunit = \"N\"\n";

// x / u = 1 / (m s² + c s + k), and its speed s times that; behind a lag of T, less.
TEST_F(LinearControl, TransferFunctionOfAnOscillator) {
  const Outcome outcome = run(pushed_cart + push_by("slow") + R"(
[[signal]]
name = "slow"
type = "first-order-lag"
input = "=push"
time_constant = 0.2
unit = "N"
[[force]]
name = "spring"
type = "spring"
bodies = ["ground", "cart"]
ends = [[-1, 0], [0, 0]]
stiffness = 50
damping = 3
[solver]
analysis = "linear"
inputs = ["push"]
outputs = ["position", "speed", "push"]
)");
  ASSERT_TRUE(outcome.summary.linear);
  const StateSpace& linear = outcome.summary.linear->matrices;
  for (const double w : {0.1, 1.0, 5.0, 5.2, 20.0, 300.0}) {
    const std::complex<double> s(0, w), exact = 1.0 / (2.0 * s * s + 3.0 * s + 50.0) / (0.2 * s + 1.0);
    EXPECT_LT(std::abs(linear.response(0, 0, w) - exact), 1e-6 * std::abs(exact)) << w;
    EXPECT_LT(std::abs(linear.response(1, 0, w) - s * exact), 1e-6 * std::abs(s * exact)) << w;
    EXPECT_LT(std::abs(linear.response(2, 0, w) - 1.0), 1e-9) << w;
  }
  ASSERT_EQ(linear.poles.size(), 3u);
  EXPECT_NEAR(linear.poles[0].real() + linear.poles[1].real() + linear.poles[2].real(), -1.5 - 5, 1e-6);
}

// The closed loop of a PID control: m s³ + D s² + P s + I = 0.
TEST_F(LinearControl, PolesOfAClosedLoop) {
  const Outcome outcome = run(pushed_cart + push_by("force") + R"(
[[signal]]
name = "force"
type = "pid"
input = "=push*1[m/N] - position"
rate = "=-speed"
proportional = 50
integral = 20
derivative = 12
unit = "N"
[solver]
analysis = "linear"
inputs = ["push"]
outputs = ["position"]
)");
  ASSERT_TRUE(outcome.summary.linear);
  for (const std::complex<double>& s : outcome.summary.linear->matrices.poles) {
    const double size = 2 * std::pow(std::abs(s), 3) + 12 * std::norm(s) + 50 * std::abs(s) + 20;
    EXPECT_LT(std::abs(2.0 * s * s * s + 12.0 * s * s + 50.0 * s + 20.0), 1e-6 * size) << s;
  }
  EXPECT_EQ(outcome.summary.linear->matrices.poles.size(), 3u);
  EXPECT_NEAR(std::abs(outcome.summary.linear->matrices.response(0, 0, 1e-6)), 1, 1e-4);
}

// A pendulum that hangs, with a PID control: J s³ + D s² + (P + m g l) s + I = 0.
TEST_F(LinearControl, PolesOfAPendulumWithPid) {
  const Outcome outcome = run(driven_pendulum + R"(
[[signal]]
name = "wanted"
type = "held"
unit = "rad"
[[signal]]
name = "drive"
type = "pid"
input = "=wanted - angle"
rate = "=-turning"
proportional = 30
integral = 40
derivative = 4
[solver]
analysis = "linear"
inputs = ["wanted"]
outputs = ["angle"]
)");
  ASSERT_TRUE(outcome.summary.linear);
  const StateSpace& linear = outcome.summary.linear->matrices;
  ASSERT_EQ(linear.poles.size(), 3u);
  for (const std::complex<double>& s : linear.poles) {
    const double size = 0.6 * std::pow(std::abs(s), 3) + 4 * std::norm(s) + 40 * std::abs(s) + 40;
    EXPECT_LT(std::abs(0.6 * s * s * s + 4.0 * s * s + 40.0 * s + 40.0), 1e-6 * size) << s;
  }
  for (const double w : {0.5, 3.0, 8.0, 50.0}) {
    const std::complex<double> s(0, w), exact = (30.0 * s + 40.0) / (0.6 * s * s * s + 4.0 * s * s + 40.0 * s + 40.0);
    EXPECT_LT(std::abs(linear.response(0, 0, w) - exact), 1e-6 * std::abs(exact)) << w;
  }
}

}  // namespace
}  // namespace carom
