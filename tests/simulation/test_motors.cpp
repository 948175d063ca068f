#include <gtest/gtest.h>

#include <cmath>

#include "control_models.h"

#include <unsupported/Eigen/MatrixFunctions>

// Motors and actuators, against closed forms and balances.
namespace carom {
namespace {

class Motors : public ControlRuns {};

const std::vector<std::pair<std::string, double>> ways = {
    {"integrator = \"rk\"\ntolerance = 1e-11", 1e-8},
    {"integrator = \"bdf\"\ntolerance = 1e-11", 1e-7},
    {"integrator = \"bdf\"\nconstraints = \"index2\"\ntolerance = 1e-10", 1e-6},
    {"integrator = \"generalized-alpha\"\ntolerance = 1e-8", 1e-4},
    {"method = \"nonsmooth\"\nstep = 1e-4", 1e-3}};

// I ω̇ = n (k i − b n ω), L di/dt = u − R i − k n ω.
TEST_F(Motors, DirectCurrentMotorRunsUp) {
  const double inertia = 0.02, n = 3, k = 0.05, b = 1e-4, u = 12, r = 0.8, l = 5e-3, t = 0.4;
  Eigen::Matrix3d system = Eigen::Matrix3d::Zero();  // speed, current, 1
  system(0, 0) = -n * n * b / inertia, system(0, 1) = n * k / inertia;
  system(1, 0) = -k * n / l, system(1, 1) = -r / l, system(1, 2) = u / l;
  const Eigen::Vector3d exact = (t * system).exp().col(2);
  for (const auto& [solver, tolerance] : ways) {
    SCOPED_TRACE(solver);
    const Outcome outcome = run(wheel_on_axle + R"(
[[force]]
name = "motor"
type = "dc-motor"
joint = "axle"
voltage = 12
resistance = 0.8
inductance = 5e-3
torque_constant = 0.05
friction = 1e-4
ratio = 3
[solver]
end = 0.4
)" + solver);
    EXPECT_NEAR(outcome.last("body:wheel.omega") / exact[0], 1, tolerance);
    EXPECT_NEAR(outcome.last("force:motor.current") / exact[1], 1, 10 * tolerance);
    const double stored = 0.5 * l * exact[1] * exact[1] + 0.5 * inertia * exact[0] * exact[0];
    EXPECT_NEAR(outcome.last("force:motor.work") - outcome.last("force:motor.lost"), stored, 100 * tolerance);
    EXPECT_GT(outcome.last("force:motor.lost"), 0.1);
    EXPECT_LT(outcome.summary.energy.largest_residual, 10 * tolerance * outcome.summary.energy.largest);
  }
}

TEST_F(Motors, WithoutInductanceTheCurrentFollowsAtOnce) {
  const Outcome outcome = run(wheel_on_axle + R"(
[[force]]
name = "motor"
type = "dc-motor"
joint = "axle"
voltage = 12
resistance = 0.8
torque_constant = 0.05
[solver]
end = 2
tolerance = 1e-11
)");
  const double rate = 0.05 * 0.05 / (0.8 * 0.02);
  EXPECT_NEAR(outcome.last("body:wheel.omega"), 240 * (1 - std::exp(-2 * rate)), 1e-6);
}

// Without load it runs to where its own voltage is that at its terminals.
TEST_F(Motors, SynchronousMotorRunsToItsSpeed) {
  const Outcome outcome = run(wheel_on_axle + R"(
[[force]]
name = "motor"
type = "synchronous-motor"
joint = "axle"
voltage_d = 0
voltage_q = 30
resistance = 0.5
inductance_d = 2e-3
inductance_q = 3e-3
flux = 0.1
pole_pairs = 4
[solver]
end = 3
tolerance = 1e-10
)");
  EXPECT_NEAR(outcome.last("body:wheel.omega"), 30 / (4 * 0.1), 1e-3);
  EXPECT_NEAR(outcome.last("force:motor.current_q"), 0, 1e-3);
  EXPECT_LT(outcome.summary.energy.largest_residual, 1e-7 * outcome.summary.energy.largest);
}

TEST_F(Motors, TorqueOverSpeedRunsUpExponentially) {
  const Outcome outcome = run(wheel_on_axle + R"(
[[force]]
name = "engine"
type = "torque-speed-motor"
joint = "axle"
torque = { table = [[0, 4], [200, 0]], interpolation = "linear" }
throttle = 0.5
[solver]
end = 1.5
tolerance = 1e-11
)");
  EXPECT_NEAR(outcome.last("body:wheel.omega"), 200 * (1 - std::exp(-1.5 * 2 / (200 * 0.02))), 1e-6);
  EXPECT_LT(outcome.summary.energy.largest_residual, 1e-8 * outcome.summary.energy.largest);
}

// Two discs; the clutch closes, slips and locks: the energy of their relative turning is lost, whatever its capacity.
TEST_F(Motors, ClutchLocksAndLosesWhatItMust) {
  for (const char* const capacity : {"1", "20", "=50[N m]*t/1[s]"}) {
    SCOPED_TRACE(capacity);
    const Outcome outcome = run(two_discs(0.03, 0.02, 40, "between") + R"(
[[force]]
name = "clutch"
type = "clutch"
joint = "between"
capacity = )" + (capacity[0] == '=' ? "\"" + std::string(capacity) + "\"" : capacity) +
                                R"(
give = 1e-4
[solver]
end = 4
tolerance = 1e-9
)");
    const double together = 0.03 * 40 / 0.05;
    EXPECT_NEAR(outcome.recorded.column("body:one.omega").back(), together, 0.05);
    EXPECT_NEAR(outcome.last("body:two.omega"), together, 0.05);
    // But for what is left of its give.
    EXPECT_NEAR(-outcome.last("force:clutch.work"), 0.5 * 0.03 * 1600 - 0.5 * 0.05 * together * together, 0.02);
    EXPECT_LT(outcome.summary.energy.largest_residual, 1e-6 * outcome.summary.energy.largest);
  }
}

// Below its capacity a brake holds for good.
TEST_F(Motors, BrakeHoldsWithoutCreeping) {
  const Outcome outcome = run(model_with_gravity(10) + body_text("arm", 2, 0.1, "position = [0.5, 0]\n") +
                              pivot_text("pivot", "ground", "arm") + R"(
[[force]]
name = "brake"
type = "brake"
joint = "pivot"
capacity = 15
[[force]]
name = "damper"
type = "torsion-spring"
joint = "pivot"
damping = 2
[output]
every = 1
[solver]
end = 20
)");
  const auto angle = outcome.recorded.column("joint:pivot.rotation");
  // It gives while it swings to rest, and no more.
  EXPECT_LT(std::abs(angle[1]), 1e-2);
  EXPECT_NEAR(angle.back(), angle[12], 1e-6);
  EXPECT_NEAR(outcome.last("force:brake.torque"), -10 * std::cos(angle.back()), 1e-5);
}

const std::string piston = piston_in_bore("velocity = [-3, 0]\n") + slide_text("bore", "piston");

TEST_F(Motors, GasFollowsItsAdiabat) {
  const std::string ends =
      "bodies = [\"ground\", \"piston\"]\nends = [[0, 0], [0.2, 0]]\narea = 1e-3\nvolume = 2e-4\npressure = 2e5\n";
  const std::string end = "[solver]\nend = 0.1\ntolerance = 1e-11\n";
  const Outcome spring = run(piston + "[[force]]\nname = \"gas\"\ntype = \"gas-spring\"\n" + ends + end);
  const auto pressure = spring.recorded.column("force:gas.pressure"),
             volume = spring.recorded.column("force:gas.volume");
  for (std::size_t k = 0; k < pressure.size(); ++k)
    EXPECT_NEAR(pressure[k] * std::pow(volume[k], 1.4) / (2e5 * std::pow(2e-4, 1.4)), 1, 1e-12);
  EXPECT_LT(spring.summary.energy.largest_residual, 1e-9 * spring.summary.energy.largest);
  // A cylinder without openings is the same.
  const Outcome cylinder = run(piston + "[[force]]\nname = \"gas\"\ntype = \"pneumatic-cylinder\"\n" + ends + end);
  EXPECT_NEAR(cylinder.last("body:piston.x"), spring.last("body:piston.x"), 1e-8);
  EXPECT_NEAR(cylinder.last("force:gas.pressure") / spring.last("force:gas.pressure"), 1, 1e-7);
  EXPECT_NEAR(cylinder.last("force:gas.temperature"), 293.15 * std::pow(2e-4 / cylinder.last("force:gas.volume"), 0.4),
              1e-4);
  EXPECT_LT(cylinder.summary.energy.largest_residual, 1e-8 * cylinder.summary.energy.largest);
}

// Air that comes in from a supply of its temperature through a choked opening fills a fixed chamber; it heats up to κ
// times its own temperature where the chamber was all but empty.
TEST_F(Motors, CylindersFillAndEmpty) {
  const Outcome outcome = run(piston_in_bore() + R"(
[[joint]]
name = "bore"
type = "fixed"
bodies = ["ground", "piston"]
at = [0, 0]
[[force]]
name = "air"
type = "pneumatic-cylinder"
bodies = ["ground", "piston"]
ends = [[0, 0], [0.2, 0]]
area = 1e-3
volume = 2e-4
pressure = 100
supply_pressure = 8e5
inlet = 1e-6
[solver]
end = 3
tolerance = 1e-10
)");
  EXPECT_NEAR(outcome.last("force:air.pressure"), 8e5, 8e2);
  EXPECT_NEAR(outcome.last("force:air.temperature"), 1.4 * 293.15, 0.5);
  EXPECT_LT(outcome.summary.energy.largest_residual, 1e-7 * outcome.summary.energy.largest);
}

TEST_F(Motors, HydraulicCylinderMovesByTheFlowOfItsValve) {
  const Outcome outcome =
      run(model_with_gravity(0) + body_text("load", 50, 1, "position = [0.6, 0]\n") + slide_text("rail", "load") + R"(
[[force]]
name = "friction"
type = "spring"
bodies = ["ground", "load"]
ends = [[0, 0], [0.6, 0]]
damping = 2000
[[force]]
name = "ram"
type = "hydraulic-cylinder"
bodies = ["ground", "load"]
ends = [[0, 0], [0.6, 0]]
area = 2e-3
rod_area = 1e-3
stroke = 0.5
supply_pressure = 1e7
valve = 5e-8
opening = 0.5
[output]
every = 0.01
[solver]
end = 1
tolerance = 1e-9
)");
  const double v = outcome.last("body:load.vx"), p1 = outcome.last("force:ram.pressure_1"),
               p2 = outcome.last("force:ram.pressure_2");
  EXPECT_NEAR(p1 * 2e-3 - p2 * 1e-3, 2000 * v, 2);
  EXPECT_NEAR(2e-3 * v, 2.5e-8 * std::sqrt(1e7 - p1), 1e-7);
  EXPECT_NEAR(1e-3 * v, 2.5e-8 * std::sqrt(p2), 1e-7);
  EXPECT_GT(outcome.last("force:ram.lost"), 0);
  EXPECT_LT(outcome.summary.energy.largest_residual, 1e-6 * outcome.summary.energy.largest);
}

}  // namespace
}  // namespace carom
