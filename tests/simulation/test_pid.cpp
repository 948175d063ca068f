#include <gtest/gtest.h>

#include <cmath>

#include "control_models.h"

#include <unsupported/Eigen/MatrixFunctions>

// PID controls of linear and of other systems, against matrix exponentials, a recursion and another integration.
namespace carom {
namespace {

const std::string pushed = cart_on_rail + push_by("drive");

class Pid : public ControlRuns {};

// m ẍ = P e + I ∫ e dt − D ẋ with e = 1 − x: a linear system, whose solution is a matrix exponential.
TEST_F(Pid, OnAMassFollowsItsPoles) {
  const double m = 2, p = 50, i = 20, d = 12, t = 2.5;
  Eigen::Matrix4d system = Eigen::Matrix4d::Zero();  // integral, position, speed, 1
  system(0, 1) = -i, system(0, 3) = i;
  system(1, 2) = 1;
  system(2, 0) = 1 / m, system(2, 1) = -p / m, system(2, 2) = -d / m, system(2, 3) = p / m;
  const Eigen::Vector4d exact = (t * system).exp().col(3);
  const auto model = [&](const std::string& solver) {
    return pushed + R"(
[[signal]]
name = "error"
value = "=1[m] - position"
[[signal]]
name = "drive"
type = "pid"
input = "=error"
rate = "=-speed"
proportional = 50
integral = 20
derivative = 12
[solver]
end = 2.5
)" + solver;
  };
  struct Way {
    const char* solver;
    double tolerance;
  };
  for (const Way& way :
       {Way{"integrator = \"rk\"\ntolerance = 1e-11", 1e-8}, Way{"integrator = \"adams\"\ntolerance = 1e-11", 1e-8},
        Way{"integrator = \"bdf\"\ntolerance = 1e-11", 1e-8},
        Way{"integrator = \"bdf\"\nconstraints = \"index2\"\ntolerance = 1e-10", 1e-7},
        Way{"integrator = \"auto\"\ntolerance = 1e-11", 1e-8},
        Way{"integrator = \"generalized-alpha\"\ntolerance = 1e-8", 1e-5},
        Way{"method = \"nonsmooth\"\nstep = 1e-4", 1e-4}}) {
    SCOPED_TRACE(way.solver);
    const Outcome outcome = run(model(way.solver));
    EXPECT_NEAR(outcome.last("body:cart.x"), exact[1], way.tolerance);
    EXPECT_NEAR(outcome.last("body:cart.vx"), exact[2], 10 * way.tolerance);
    EXPECT_NEAR(outcome.last("signal:drive.value"), p * (1 - exact[1]) + exact[0] - d * exact[2], 1e3 * way.tolerance);
    EXPECT_NEAR(outcome.last("signal:error.value"), 1 - exact[1], way.tolerance);
    EXPECT_LT(outcome.summary.energy.largest_residual, 1e-4 * outcome.summary.energy.largest);
  }
}

// A cart on a spring with a digital PID control: from sample to sample its motion is a matrix exponential. Samples come
// after every other step of the nonsmooth method, however short it is: each of them may cost no more than a step does.
TEST_F(Pid, SamplesKeepTheOrderOfTheNonsmoothMethod) {
  const double m = 2, k = 50, c = 3, p = 30, i = 40, d = 4, end = 0.8;
  const auto error = [&](double step) {
    const double period = 2 * step;
    Eigen::Matrix3d system = Eigen::Matrix3d::Zero();  // position, speed, force
    system(0, 1) = 1, system(1, 0) = -k / m, system(1, 1) = -c / m, system(1, 2) = 1 / m;
    const Eigen::Matrix3d advance = (period * system).exp();
    Eigen::Vector3d exact = Eigen::Vector3d::Zero();
    double control = 0, before = 0;
    for (int sample = 0; sample < std::lround(end / period); ++sample) {
      const double now = 1 - exact[0];
      control += (p + i * period) * now - p * before;
      before = now;
      exact[2] = control - d * exact[1];
      exact = advance * exact;
    }
    const Outcome outcome = run(pushed + fmt::format(R"(
[[force]]
name = "spring"
type = "spring"
bodies = ["ground", "cart"]
ends = [[-1, 0], [0, 0]]
stiffness = 50
damping = 3
[[signal]]
name = "control"
type = "sample-and-hold"
input = "=1[m] - position"
period = {0}
numerator = [{1}, -30]
denominator = [1, -1]
[[signal]]
name = "brake"
type = "sample-and-hold"
input = "=4*speed"
period = {0}
[[signal]]
name = "drive"
value = "=control - brake"
[output]
every = 0.1
[solver]
method = "nonsmooth"
step = {2}
end = 0.8
)",
                                                     period, p + i * period, step));
    EXPECT_LT(outcome.summary.energy.largest_residual, 300 * step * step * outcome.summary.energy.largest);
    return std::hypot(outcome.last("body:cart.x") - exact[0], 0.1 * (outcome.last("body:cart.vx") - exact[1]));
  };
  const double coarse = error(0.004), middle = error(0.002), fine = error(0.001);
  EXPECT_NEAR(std::log2(coarse / middle), 2, 0.2) << coarse << " " << middle;
  EXPECT_NEAR(std::log2(middle / fine), 2, 0.2) << middle << " " << fine;
}

// J θ̈ = −m g l sin θ + P e + I ∫ e dt − D θ̇ with e = w − θ: by classical Runge–Kutta steps of 0.1 ms, and where
// the angles are small a matrix exponential.
TEST_F(Pid, OnAPendulumFollowsItsEquation) {
  const double inertia = 0.6, weight = 10, p = 30, i = 40, d = 4, t = 1.5;
  const auto model = [](double wanted, const std::string& solver) {
    return driven_pendulum + fmt::format(R"(
[[signal]]
name = "drive"
type = "pid"
input = "={}[rad] - angle"
rate = "=-turning"
proportional = 30
integral = 40
derivative = 4
[solver]
end = 1.5
{})",
                                         wanted, solver);
  };
  const auto by_hand = [&](double wanted) {
    const auto rate = [&](const Eigen::Vector3d& y) {  // angle, its rate, integral
      const double e = wanted - y[0];
      return Eigen::Vector3d(y[1], (-weight * std::sin(y[0]) + p * e + y[2] - d * y[1]) / inertia, i * e);
    };
    Eigen::Vector3d y = Eigen::Vector3d::Zero();
    const double h = 1e-4;
    for (int step = 0; step < std::lround(t / h); ++step) {
      const Eigen::Vector3d k1 = rate(y), k2 = rate(y + 0.5 * h * k1), k3 = rate(y + 0.5 * h * k2),
                            k4 = rate(y + h * k3);
      y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return y;
  };
  Eigen::Matrix4d system = Eigen::Matrix4d::Zero();  // angle, rate, integral, wanted angle
  system(0, 1) = 1, system(1, 0) = -(weight + p) / inertia, system(1, 1) = -d / inertia, system(1, 2) = 1 / inertia;
  system(1, 3) = p / inertia, system(2, 0) = -i, system(2, 3) = i;
  const double small = 1e-3;  // rad; its cube is 1e-9
  const Eigen::Vector4d linear = small * (t * system).exp().col(3);
  const Eigen::Vector3d wide = by_hand(0.8);
  for (const std::string solver :
       {"integrator = \"rk\"\ntolerance = 1e-12", "integrator = \"adams\"\ntolerance = 1e-12",
        "integrator = \"bdf\"\ntolerance = 1e-12", "integrator = \"auto\"\ntolerance = 1e-12"}) {
    SCOPED_TRACE(solver);
    const Outcome far = run(model(0.8, solver)), near = run(model(small, solver));
    EXPECT_NEAR(far.last("joint:pivot.rotation"), wide[0], 1e-8);
    EXPECT_NEAR(far.last("joint:pivot.rotation_rate"), wide[1], 1e-7);
    EXPECT_NEAR(near.last("joint:pivot.rotation"), linear[0], 1e-8);
    EXPECT_NEAR(near.last("joint:pivot.rotation_rate"), linear[1], 1e-8);
  }
  const Outcome stepped = run(model(0.8, "integrator = \"generalized-alpha\"\ntolerance = 1e-8"));
  EXPECT_NEAR(stepped.last("joint:pivot.rotation"), wide[0], 1e-5);
  const Outcome impulses = run(model(0.8, "method = \"nonsmooth\"\nstep = 1e-4"));
  EXPECT_NEAR(impulses.last("joint:pivot.rotation"), wide[0], 1e-6);
}

}  // namespace
}  // namespace carom
