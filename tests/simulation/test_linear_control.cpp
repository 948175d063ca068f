#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "../support/temporary_folder.h"
#include "run_parts.h"

// Linear models for the design of a control.
namespace carom {
namespace {

class LinearControl : public testing::Test {
 protected:
  Outcome run(const std::string& text) { return run_text(text, folder_.path()); }
  TemporaryFolder folder_;
};

const std::string cart = R"(
[model]
plane = "xy"
gravity = [0, 0]
[[body]]
name = "cart"
mass = 2
inertia = 1
[[joint]]
name = "rail"
type = "prismatic"
bodies = ["ground", "cart"]
at = [0, 0]
axis = [1, 0]
[[signal]]
name = "position"
of = "joint:rail.translation"
[[signal]]
name = "speed"
of = "joint:rail.speed"
[[signal]]
name = "push"
type = "held"
unit = "N"
)";

// x / u = 1 / (m s² + c s + k), and its speed s times that; behind a lag of T, less.
TEST_F(LinearControl, TransferFunctionOfAnOscillator) {
  const Outcome outcome = run(cart + R"(
[[signal]]
name = "slow"
type = "first-order-lag"
input = "=push"
time_constant = 0.2
unit = "N"
[[force]]
name = "motor"
type = "force"
body = "cart"
point = [0, 0]
force = ["=slow", 0]
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
  const Outcome outcome = run(cart + R"(
[[signal]]
name = "force"
type = "pid"
input = "=push*1[m/N] - position"
rate = "=-speed"
proportional = 50
integral = 20
derivative = 12
unit = "N"
[[force]]
name = "motor"
type = "force"
body = "cart"
point = [0, 0]
force = ["=force", 0]
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

}  // namespace
}  // namespace carom
