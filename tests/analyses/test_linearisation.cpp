#include <gtest/gtest.h>

#include "../support/build_model.h"
#include "analyses/assembly.h"
#include "analyses/linearisation.h"
#include "analyses/statics.h"

namespace carom {
namespace {

constexpr double g = 9.81;

Linearisation about_rest(const Model& model) {
  const auto system = System::create(model);
  State state = system->initial_state();
  EXPECT_TRUE(assemble(*system, model, state).assembled);
  Eigen::VectorXd q_rate(system->position_size()), v_rate(system->velocity_size()), power(system->work_size());
  system->rates(state.t, state.q.data(), state.v.data(), q_rate.data(), v_rate.data(), power.data());
  const Eigen::VectorXd lambda = system->multipliers(state.t, state.q.data(), state.v.data());
  const Linearisation result = linearise(*system, state, lambda);
  for (const Mode& mode : result.modes) {
    EXPECT_NEAR(std::abs(mode.shape.dot(Eigen::VectorXcd(system->mass() * mode.shape))), 1, 1e-10);
    if (system->constraint_size() > 0) {
      EXPECT_LT((system->constraint_jacobian(state.t, state.q.data()) * mode.shape).cwiseAbs().maxCoeff(), 1e-10);
    }
  }
  return result;
}

double hertz(double squared) {
  return std::sqrt(squared) / (2 * M_PI);
}

TEST(Linearisation, Pendulum) {
  Model model = build::planar_model();
  model.bodies = {build::link("rod", 2, {0, 0}, {0, -1.5})};
  model.joints = {build::pin("pivot", "ground", "rod", {0, 0})};
  const Linearisation result = about_rest(model);
  ASSERT_EQ(result.modes.size(), 1u);
  EXPECT_NEAR(result.modes[0].frequency, hertz(1.5 * g / 1.5), 1e-10);
  EXPECT_EQ(result.modes[0].damping_ratio, 0);
}

TEST(Linearisation, UprightPendulumGrowsAndDecays) {
  Model model = build::planar_model();
  model.bodies = {build::link("rod", 2, {0, 0}, {0, 1.5})};
  model.joints = {build::pin("pivot", "ground", "rod", {0, 0})};
  const Linearisation result = about_rest(model);
  ASSERT_EQ(result.modes.size(), 2u);
  EXPECT_NEAR(result.modes[0].eigenvalue.real(), std::sqrt(g), 1e-9);
  EXPECT_NEAR(result.modes[1].eigenvalue.real(), -std::sqrt(g), 1e-9);
  EXPECT_EQ(result.modes[0].damping_ratio, -1);
}

TEST(Linearisation, DoublePendulumInThePlaneAndInSpace) {
  const double length = 0.8;
  Model planar = build::planar_model();
  planar.bodies = {build::link("upper", 2, {0, 0}, {0, -length}),
                   build::link("lower", 2, {0, -length}, {0, -2 * length})};
  planar.joints = {build::pin("pivot", "ground", "upper", {0, 0}), build::pin("knee", "upper", "lower", {0, -length})};
  Model spatial = build::spatial_model({0, -g, 0});
  for (const BodyModel& body : planar.bodies) {
    BodyModel turned = body;
    turned.inertia = Eigen::Vector3d(1e-3, body.inertia(2, 2), body.inertia(2, 2)).asDiagonal();
    spatial.bodies.push_back(turned);
  }
  spatial.joints = {build::Element("pivot", "revolute").between("ground", "upper").at({0, 0, 0}).axis({0, 0, 1}),
                    build::Element("knee", "revolute").between("upper", "lower").at({0, -length, 0}).axis({0, 0, 1})};
  for (const Model& model : {planar, spatial}) {
    const Linearisation result = about_rest(model);
    ASSERT_EQ(result.modes.size(), 2u);
    EXPECT_NEAR(result.modes[0].frequency, hertz(3 * (1 - 2 / std::sqrt(7)) * g / length), 1e-8);
    EXPECT_NEAR(result.modes[1].frequency, hertz(3 * (1 + 2 / std::sqrt(7)) * g / length), 1e-8);
  }
}

TEST(Linearisation, DampedBodyOnAGuide) {
  Model model = build::planar_model({0, 0});
  model.bodies = {build::planar_body("cart", 2, 0.1).at(1, 0)};
  model.joints = {build::Element("guide", "prismatic").between("ground", "cart").at({1, 0}).axis({1, 0})};
  model.forces = {build::Element("spring", "spring")
                      .between("ground", "cart")
                      .ends({0, 0, 0}, {1, 0, 0})
                      .with("stiffness", 800.0)
                      .with("damping", 8.0)};
  const Linearisation result = about_rest(model);
  ASSERT_EQ(result.modes.size(), 1u);
  EXPECT_NEAR(result.modes[0].frequency, 20 / (2 * M_PI), 1e-8);
  EXPECT_NEAR(result.modes[0].damping_ratio, 8 / (2 * 2 * 20.0), 1e-8);
  EXPECT_NEAR(result.modes[0].eigenvalue.imag(), 20 * std::sqrt(1 - 0.01), 1e-6);

  model.forces[0].settings.set("damping", 200.0);  // decays along two real exponents, c² > 4mk
  const Linearisation slow = about_rest(model);
  ASSERT_EQ(slow.modes.size(), 2u);
  EXPECT_NEAR(slow.modes[0].eigenvalue.real(), -50 + std::sqrt(2500 - 400), 1e-6);
  EXPECT_NEAR(slow.modes[1].eigenvalue.real(), -50 - std::sqrt(2500 - 400), 1e-6);
  EXPECT_EQ(slow.modes[0].damping_ratio, 1);
}

TEST(Linearisation, FreeMotionsAreExactlyZero) {
  for (const double damping : {0.0, 3.0}) {
    Model model = build::planar_model({0, 0});
    model.bodies = {build::planar_body("a", 1, 0.1).at(0, 0), build::planar_body("b", 1, 0.1).at(1, 0)};
    model.forces = {build::Element("spring", "bushing")
                        .between("a", "b")
                        .at({0.5, 0})
                        .with("stiffness", std::vector<double>{1e4})
                        .with("rotational_stiffness", std::vector<double>{50})
                        .with("damping", std::vector<double>{damping})};
    const Linearisation result = about_rest(model);
    ASSERT_EQ(result.modes.size(), 6u);
    for (int k = 0; k < 3; ++k) EXPECT_EQ(result.modes[k].frequency, 0) << k;
    EXPECT_NEAR(result.modes[3].frequency, hertz(2 * 50 / 0.1), 1e-5);
    EXPECT_NEAR(result.modes[4].frequency, hertz(2 * 1e4), 1e-4);
  }
}

TEST(Linearisation, BlockOnABushingInSpace) {
  Model model = build::spatial_model({0, 0, 0});
  model.bodies = {build::Body("block", 2, {0.02, 0.03, 0.05})};
  model.forces = {build::Element("mount", "bushing")
                      .between("ground", "block")
                      .at({0, 0, 0})
                      .with("stiffness", std::vector<double>{2000, 3000, 5000})
                      .with("rotational_stiffness", std::vector<double>{30, 31, 32})};
  const Linearisation result = about_rest(model);
  ASSERT_EQ(result.modes.size(), 6u);
  const double squares[] = {32 / 0.05, 1000, 31 / 0.03, 1500, 1500, 2500};
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(result.modes[k].frequency, hertz(squares[k]), 1e-7) << k;
}

TEST(Linearisation, AboutAStaticEquilibrium) {
  // A body hung by a spring: up and down by the spring, sideways as a pendulum of its length.
  Model model = build::planar_model();
  model.bodies = {build::planar_body("bob", 3, 0.1).at(0.1, -1.3)};
  model.forces = {build::Element("spring", "spring")
                      .between("ground", "bob")
                      .points({0, 0, 0}, {0, 0, 0})
                      .with("stiffness", 400.0)
                      .with("free_length", 1.0)};
  const auto system = System::create(model);
  const StaticEquilibrium rest = find_static_equilibrium(*system, system->initial_state());
  ASSERT_TRUE(rest.outcome);
  EXPECT_EQ(rest.stability, Stability::neutral);  // it may turn about its own centre
  const Linearisation result = linearise(*system, rest.state, rest.multipliers);
  ASSERT_EQ(result.modes.size(), 3u);
  EXPECT_EQ(result.modes[0].frequency, 0);
  EXPECT_NEAR(result.modes[1].frequency, hertz(g / (1 + 3 * g / 400)), 1e-8);
  EXPECT_NEAR(result.modes[2].frequency, hertz(400.0 / 3), 1e-8);
}

}  // namespace
}  // namespace carom
