#include <gtest/gtest.h>

#include "../support/probe.h"
#include "model_io/read_model.h"

// Rolling bearings in space as forces of a system.
namespace carom {
namespace {

const std::string two_bodies = R"(
[model]
gravity = [0, 0, 0]

[material.steel]
young = "208 GPa"
poisson = 0.3
density = 7800

[[body]]
name = "housing"
mass = 3
inertia = [0.02, 0.03, 0.04]
center_of_mass = [0.02, -0.01, 0.03]
orientation = { axis = [1, 2, -1], angle = 0.7 }

[[body]]
name = "shaft"
mass = 1
inertia = [0.01, 0.012, 0.003]
position = [0.01, 0.02, -0.03]
center_of_mass = [0.01, 0.02, 0.05]
orientation = { axis = [-1, 0.4, 2], angle = 1.9 }

[[bearing]]
name = "tried"
bodies = ["housing", "shaft"]
at = [0.02, 0.01, 0.03]
axis = [1, -0.5, 2]
material = "steel"
damping = "200 N s/m"
rotational_damping = 0.3
friction = "palmgren"
viscosity = "20 mm^2/s"
)";

std::vector<std::string> samples() {
  return {R"(
designation = "6206"
)",
          R"(
type = "angular-contact"
balls = 16
ball_diameter = "22.225 mm"
pitch_diameter = "125.26 mm"
conformity = 0.5232
contact_angle = "40 deg"
rows = 2
row_distance = "40 mm"
arrangement = "back-to-back"
preload = "800 N"
)",
          R"(
type = "four-point"
balls = 14
ball_diameter = "10 mm"
pitch_diameter = "60 mm"
conformity = 0.52
)",
          R"(
designation = "51106"
preload = "100 N"
)",
          R"(
designation = "NU206"
)",
          R"(
designation = "30206"
preload_displacement = "20 um"
friction_factors = [4, 0.0004, 0.003]
)",
          R"(
designation = "NUP206"
rib_clearance = "2 um"
)",
          R"(
type = "spherical-roller"
rollers = 18
roller_diameter = "12 mm"
roller_length = "12 mm"
pitch_diameter = "80 mm"
contact_angle = "9 deg"
rows = 2
row_distance = "14 mm"
arrangement = "face-to-face"
)"};
}

Model model_of(const std::string& keys) {
  ProblemList problems;
  Model model = read_model_text(two_bodies + keys, "bearing.toml", problems);
  EXPECT_TRUE(problems.empty()) << problems.text();
  return model;
}

// Near the place of the file, by some micrometres and tenths of a milliradian, with a body that turns.
template <class Check>
void each(const Check& check) {
  const auto all = samples();
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Model model = model_of(all[k]);
    for (const double spin : {0.0, 40.0, 700.0}) {
      SCOPED_TRACE("sample " + std::to_string(k) + ", spin " + std::to_string(spin));
      Probe probe(model);
      probe.scatter(static_cast<unsigned>(k + 3), 0);
      Eigen::VectorXd step(12);
      for (int i = 0; i < 12; ++i) step[i] = (i % 6 < 3 ? 15e-6 : 3e-4) * std::sin(2.3 * i + 0.4);
      probe.state.q = probe.moved(step);
      probe.state.v *= 0.1;
      // About the axis of the bearing, in the axes of the shaft.
      const Eigen::Quaterniond turn(probe.state.q[10], probe.state.q[11], probe.state.q[12], probe.state.q[13]);
      probe.state.v.tail<3>() += spin * (turn.conjugate() * Eigen::Vector3d(1, -0.5, 2).normalized());
      check(probe);
    }
  }
}

Eigen::VectorXd loads(Probe& probe, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  Eigen::VectorXd f;
  probe.system->loads(probe.state.t, q.data(), v.data(), f);
  return f;
}

TEST(RollingBearing, TangentsAreTheDerivativesOfTheLoads) {
  each([](Probe& probe) {
    Eigen::SparseMatrix<double> stiffness, damping;
    const State& state = probe.state;
    probe.system->tangents(state.t, state.q.data(), state.v.data(), {}, stiffness, damping);
    const double scale = Eigen::MatrixXd(stiffness).cwiseAbs().maxCoeff(),
                 damping_scale = Eigen::MatrixXd(damping).cwiseAbs().maxCoeff();
    ASSERT_GT(scale, 1e6);
    for (int k = 0; k < 12; ++k) {
      const Eigen::VectorXd unit = Eigen::VectorXd::Unit(12, k);
      const auto at = [&](double by) { return loads(probe, probe.moved(by * unit), state.v); };
      const auto moving = [&](double by) { return loads(probe, state.q, state.v + by * unit); };
      constexpr double h = 2e-9, w = 1e-2;
      const Eigen::VectorXd by_position = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (-12 * h);
      const Eigen::VectorXd by_velocity = (8 * (moving(w) - moving(-w)) - (moving(2 * w) - moving(-2 * w))) / (-12 * w);
      EXPECT_LT((by_position - Eigen::VectorXd(stiffness.col(k))).cwiseAbs().maxCoeff(), 1e-6 * scale) << k;
      EXPECT_LT((by_velocity - Eigen::VectorXd(damping.col(k))).cwiseAbs().maxCoeff(), 1e-5 * damping_scale) << k;
    }
  });
}

TEST(RollingBearing, PowerAndEnergyAccountForTheWorkOfItsForces) {
  each([](Probe& probe) {
    constexpr double h = 1e-9;
    const State& state = probe.state;
    probe.rates();
    Eigen::VectorXd still = Eigen::VectorXd::Zero(12);
    const Eigen::VectorXd f = loads(probe, state.q, state.v);
    const auto stored = [&](double at) {
      return probe.system->energy(state.t, probe.moved(at * state.v).data(), still.data()).potential;
    };
    const double storing = (8 * (stored(h) - stored(-h)) - (stored(2 * h) - stored(-2 * h))) / (12 * h);
    const double scale = std::max(1.0, f.cwiseAbs().maxCoeff() * state.v.cwiseAbs().maxCoeff());
    EXPECT_NEAR(f.dot(state.v), probe.power.sum() - storing, 1e-5 * scale);
  });
}

TEST(RollingBearing, ActionIsReaction) {
  each([](Probe& probe) {
    Eigen::VectorXd v = probe.state.v;
    v.segment<3>(3).setZero();
    const Eigen::VectorXd moving = loads(probe, probe.state.q, v);
    v.tail<3>().setZero();
    const Eigen::VectorXd f = loads(probe, probe.state.q, v);
    ASSERT_GT(f.cwiseAbs().maxCoeff(), 1);
    EXPECT_LT(probe.resultant(f).cwiseAbs().maxCoeff(), 1e-10 * f.cwiseAbs().maxCoeff());
  });
}

TEST(RollingBearing, RecordsWhatTheElementsCarry) {
  Model model = model_of(samples()[0]);
  Probe probe(model);
  probe.scatter(1, 0);
  probe.state.v.setZero();
  const Eigen::Vector3d along = Eigen::Vector3d(1, -0.5, 2).normalized();
  Eigen::VectorXd step = Eigen::VectorXd::Zero(12);
  step.segment<3>(6) = 60e-6 * along;
  probe.state.q = probe.moved(step);
  const auto said = [&](const std::string& name) { return probe.recorded(probe.state, "bearing:tried." + name); };
  EXPECT_NEAR(said("dz"), 60e-6, 1e-12);
  EXPECT_EQ(said("loaded"), 9);
  // All alike under an axial displacement: F = Z Q sin α, down on the inner ring.
  EXPECT_NEAR(said("fz"), -9 * said("load1") * std::sin(said("angle1")), 1e-9 * said("load1"));
  EXPECT_NEAR(said("load7"), said("load2"), 1e-6 * said("load2"));
  EXPECT_NEAR(said("k33"), -(said("fz")) / 60e-6 * 3, 0.3 * said("k33"));
  EXPECT_GT(said("largest_pressure"), 5e8);
  // Between a circle and a line: 0.310 and 0.300 of the pressure, τ₀ 0.214 and 0.25.
  EXPECT_NEAR(said("shear") / said("largest_pressure"), 0.305, 0.02);
  EXPECT_NEAR(said("orthogonal_shear") / said("largest_pressure"), 0.24, 0.02);
}

// What a bearing records is measured by signals and in functions: here a force that holds half of what the bearing
// does.
TEST(RollingBearing, IsMeasuredBySignals) {
  Probe probe(model_of(R"(
designation = "6206"

[[signal]]
name = "push"
of = "bearing:tried.fx"

[[force]]
name = "half"
type = "force"
body = "shaft"
force = ["=0.5*push", "=1[N]*[bearing:tried.loaded]", 0]
)"));
  Eigen::VectorXd step = Eigen::VectorXd::Zero(12);
  step[6] = 30e-6, step[8] = -20e-6;
  probe.state.q = probe.moved(step);
  const Eigen::VectorXd all = loads(probe, probe.state.q, probe.state.v);
  Probe alone(model_of("designation = \"6206\"\n"));
  alone.state = probe.state;
  const Eigen::VectorXd bearing = loads(alone, probe.state.q, probe.state.v);
  const Eigen::Vector3d given = (all - bearing).segment<3>(6);
  EXPECT_GT(std::abs(given.x()), 10);
  EXPECT_NEAR(given.x(), 0.5 * alone.recorded(alone.state, "bearing:tried.fx"), 1e-9 * std::abs(given.x()));
  EXPECT_GT(given.y(), 0.5);
  EXPECT_NEAR(given.y(), alone.recorded(alone.state, "bearing:tried.loaded"), 1e-12);
}

}  // namespace
}  // namespace carom
