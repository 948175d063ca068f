#include <gmock/gmock.h>

#include <cmath>

#include "../support/temporary_folder.h"
#include "run_parts.h"

// Drives whose functions use signals, against closed forms.
namespace carom {
namespace {

using testing::HasSubstr;

// A cart of 2 kg on a rail along x.
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
)";

std::string drive(const std::string& law) {
  return "[[motion]]\nname = \"drive\"\njoint = \"rail\"\n" + law + "\n";
}

struct Way {
  std::string solver;
  double tolerance;
};

const std::vector<Way> ways = {{"integrator = \"rk\"\ntolerance = 1e-11", 1e-8},
                               {"integrator = \"adams\"\ntolerance = 1e-11", 1e-8},
                               {"integrator = \"bdf\"\ntolerance = 1e-11", 1e-8},
                               {"integrator = \"bdf\"\nconstraints = \"index2\"\ntolerance = 1e-10", 1e-7},
                               {"integrator = \"auto\"\ntolerance = 1e-11", 1e-8},
                               {"integrator = \"generalized-alpha\"\ntolerance = 1e-8", 1e-5},
                               {"method = \"nonsmooth\"\nstep = 1e-4", 1e-6}};

std::string solver(const std::string& keys, double end = 0.8) {
  return fmt::format("[solver]\nend = {}\n{}\n", end, keys);
}

class SignalDrives : public testing::Test {
 protected:
  Outcome run(const std::string& text) { return run_text(text, folder_.path()); }
  std::string problems(const std::string& text) { return problems_of_text(text, folder_.path()); }
  TemporaryFolder folder_;
};

// T v̇ + v = 1 from rest: v = 1 − exp(−t/T), and the drive has to accelerate the mass.
TEST_F(SignalDrives, SpeedThroughALagIsExact) {
  const double lag = 0.2, t = 0.8, rest = std::exp(-t / lag), v = 1 - rest;
  for (const Way& way : ways) {
    SCOPED_TRACE(way.solver);
    const Outcome outcome = run(cart + drive("speed = \"=filtered\"") + R"(
[[signal]]
name = "filtered"
type = "first-order-lag"
input = 1
time_constant = 0.2
)" + solver(way.solver));
    EXPECT_NEAR(outcome.last("body:cart.x"), t - lag * v, way.tolerance);
    EXPECT_NEAR(outcome.last("body:cart.vx"), v, 10 * way.tolerance);
    EXPECT_NEAR(outcome.last("motion:drive.force"), 2 / lag * rest, 1e3 * way.tolerance);
    EXPECT_NEAR(outcome.last("motion:drive.work"), v * v, 1e2 * way.tolerance);
    EXPECT_LT(outcome.summary.energy.largest_residual, 1e-5 * outcome.summary.energy.largest);
  }
}

// A servo of speed: ẋ = k (1 − x), x = 1 − exp(−k t).
TEST_F(SignalDrives, SpeedThatFollowsThePositionApproachesExponentially) {
  const double k = 3, t = 0.8, x = 1 - std::exp(-k * t);
  for (const Way& way : ways) {
    SCOPED_TRACE(way.solver);
    const Outcome outcome = run(cart + drive("speed = \"=3[1/s]*(1[m] - position)\"") + R"(
[[signal]]
name = "position"
of = "joint:rail.translation"
)" + solver(way.solver));
    EXPECT_NEAR(outcome.last("body:cart.x"), x, way.tolerance);
    EXPECT_NEAR(outcome.last("body:cart.vx"), k * (1 - x), 10 * way.tolerance);
    EXPECT_NEAR(outcome.last("motion:drive.force"), -2 * k * k * (1 - x), 1e3 * way.tolerance);
  }
}

TEST_F(SignalDrives, FixedStepsAreOfSecondOrder) {
  for (const std::string method : {"integrator = \"generalized-alpha\"", "method = \"nonsmooth\""}) {
    SCOPED_TRACE(method);
    const auto error = [&](double step) {
      return run(cart + drive("speed = \"=3[1/s]*(1[m] - position)\"") +
                 "[[signal]]\nname = \"position\"\nof = \"joint:rail.translation\"\n" +
                 solver(method + fmt::format("\nstep = {}", step)))
                 .last("body:cart.x") -
             (1 - std::exp(-2.4));
    };
    const double coarse = error(0.02), fine = error(0.01);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.15);
  }
}

// ÿ + 2 ζ ω ẏ + ω² y = ω² with ζ = ½, and x = y²: the second rate of a product of signals.
TEST_F(SignalDrives, PositionThroughASecondOrderLagHasBothRates) {
  const double omega = 4, zeta = 0.5, t = 0.8;
  const double damped = omega * std::sqrt(1 - zeta * zeta), decay = std::exp(-zeta * omega * t);
  const double y = 1 - decay * (std::cos(damped * t) + zeta * omega / damped * std::sin(damped * t));
  const double rate = decay * omega * omega / damped * std::sin(damped * t);
  const double second = omega * omega * (1 - y) - 2 * zeta * omega * rate;
  for (const Way& way : ways) {
    SCOPED_TRACE(way.solver);
    const Outcome outcome = run(cart + drive("position = \"=smooth*smooth\"") + R"(
[[signal]]
name = "smooth"
type = "second-order-lag"
input = 1
frequency = 4
damping_ratio = 0.5
)" + solver(way.solver));
    EXPECT_NEAR(outcome.last("body:cart.x"), y * y, way.tolerance);
    EXPECT_NEAR(outcome.last("body:cart.vx"), 2 * y * rate, 10 * way.tolerance);
    EXPECT_NEAR(outcome.last("motion:drive.force"), 4 * (rate * rate + y * second), 1e3 * way.tolerance);
  }
}

// An acceleration by the measured speed: v̇ = −2 v.
TEST_F(SignalDrives, AccelerationMayFollowTheSpeed) {
  std::string moving = cart;
  moving.replace(moving.find("inertia = 1\n"), 12, "inertia = 1\nvelocity = [3, 0]\n");
  for (const Way& way : ways) {
    SCOPED_TRACE(way.solver);
    const Outcome outcome = run(moving + drive("acceleration = \"=-2[1/s]*speed\"") +
                                "[[signal]]\nname = \"speed\"\nof = \"joint:rail.speed\"\n" + solver(way.solver));
    EXPECT_NEAR(outcome.last("body:cart.vx"), 3 * std::exp(-1.6), 10 * way.tolerance);
    EXPECT_NEAR(outcome.last("body:cart.x"), 1.5 * (1 - std::exp(-1.6)), 10 * way.tolerance);
  }
}

// The same law as a function of time and as a signal, on a mechanism of pins, in the plane and in space.
TEST_F(SignalDrives, MechanismsMoveAsByTheFunctionItself) {
  const auto model = [&](bool planar, bool by_signal) {
    const std::string third = planar ? "" : ", 0", inertia = planar ? "0.2" : "[0.2, 0.2, 0.2]";
    const std::string law = by_signal ? "speed = \"=law\"\n[[signal]]\nname = \"law\"\nvalue = \"=2*sin(3*t)\"\n"
                                      : "speed = \"=2*sin(3*t)\"\n";
    return fmt::format(R"(
[model]
{0}
gravity = [0, -9.81{1}]
[[body]]
name = "crank"
mass = 1
inertia = {2}
position = [0.2, 0{1}]
[[body]]
name = "rod"
mass = 0.5
inertia = {2}
position = [0.7, 0{1}]
[[joint]]
name = "pivot"
type = "revolute"
bodies = ["ground", "crank"]
at = [0, 0{1}]
{4}
[[joint]]
name = "pin"
type = "revolute"
bodies = ["crank", "rod"]
at = [0.4, 0{1}]
{4}
[[motion]]
name = "drive"
joint = "pivot"
{3}
)",
                       planar ? "plane = \"xy\"" : "", third, inertia, law, planar ? "" : "axis = [0, 0, 1]");
  };
  for (const bool planar : {true, false}) {
    for (const Way& way : ways) {
      SCOPED_TRACE(way.solver);
      const Outcome plain = run(model(planar, false) + solver(way.solver));
      const Outcome driven = run(model(planar, true) + solver(way.solver));
      for (const char* quantity : {"joint:pin.rotation", "motion:drive.value"})
        EXPECT_NEAR(driven.last(quantity), plain.last(quantity), 20 * way.tolerance) << quantity;
      EXPECT_NEAR(driven.last("motion:drive.force"), plain.last("motion:drive.force"), 1e4 * way.tolerance);
    }
  }
}

// A speed that an event changes: the drive does the work of the jump.
TEST_F(SignalDrives, JumpsOfTheSpeedAreWorkOfTheDrive) {
  for (const std::string way : {"integrator = \"rk\"", "method = \"nonsmooth\"\nstep = 1e-3"}) {
    SCOPED_TRACE(way);
    const Outcome outcome = run(cart + drive("speed = \"=wanted\"") + R"(
[[signal]]
name = "wanted"
type = "held"
initial = 1
[[event]]
name = "faster"
at = 0.5
set = ["wanted = 3"]
)" + solver(way));
    EXPECT_NEAR(outcome.last("body:cart.vx"), 3, 1e-9);
    EXPECT_NEAR(outcome.last("body:cart.x"), 0.5 + 3 * 0.3, 1e-9);
    EXPECT_NEAR(outcome.last("motion:drive.work"), 8, 1e-9);
    EXPECT_LT(outcome.summary.energy.largest_residual, 1e-9);
  }
}

// Off for a while and on again: it goes on from where the coordinate is.
TEST_F(SignalDrives, SwitchedOnAgainTheyGoOnFromThere) {
  const Outcome outcome = run(cart + drive("speed = \"=wanted\"") + R"(
[[signal]]
name = "wanted"
value = 1
[[force]]
name = "brake"
type = "force"
body = "cart"
point = [0, 0]
force = ["=t > 0.2 ? -4 : 0", 0]
[[event]]
name = "off"
at = 0.2
switch_off = ["drive"]
[[event]]
name = "on"
at = 0.4
switch_on = ["drive"]
)" + solver("integrator = \"rk\""));
  EXPECT_NEAR(outcome.last("body:cart.vx"), 1, 1e-9);
  EXPECT_NEAR(outcome.last("body:cart.x"), 0.2 + (0.2 - 0.04) + 0.4, 1e-7);
}

TEST_F(SignalDrives, WhatIsNotKnownIsRefused) {
  const std::string measured = R"(
[[signal]]
name = "position"
of = "joint:rail.translation"
[[signal]]
name = "speed"
of = "joint:rail.speed"
[[signal]]
name = "mode"
type = "held"
[[signal]]
name = "bounded"
type = "limiter"
input = "=t"
upper = 1
)";
  const std::string end = measured + solver("");
  EXPECT_THAT(problems(cart + drive("speed = \"=2*speed\"") + end), HasSubstr("first-order-lag or an integrator"));
  EXPECT_THAT(problems(cart + drive("position = \"=0.5*position\"") + end), HasSubstr("second rate"));
  EXPECT_THAT(problems(cart + drive("position = \"=bounded\"") + end), HasSubstr("second-order-lag"));
  EXPECT_THAT(problems(cart + drive("position = \"=mode\"") + end), HasSubstr("which jumps"));
  EXPECT_THAT(problems(cart + drive("speed = \"=1 - t\"") + measured + solver("analysis = \"kinematic\"")),
              testing::Not(HasSubstr("function of time alone")));
  EXPECT_THAT(problems(cart + drive("speed = \"=mode\"") + measured + solver("analysis = \"kinematic\"")),
              HasSubstr("function of time alone"));
  EXPECT_EQ(problems(cart + drive("speed = \"=bounded\"") + end), "");
}

}  // namespace
}  // namespace carom
